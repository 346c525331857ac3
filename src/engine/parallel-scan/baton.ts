import type { ScanPosition } from '../position.js';

/** Where the scan of a stretch has ended. The scan of the next stretch continues there. */
export interface BatonPosition extends Pick<ScanPosition, 'offset' | 'cases' | 'searching'> {
  /** Whether the scan is over: the input has no more cases, or a bad case has ended the run. */
  readonly isOver: boolean;
}

/**
 * A baton: shared memory in which the thread that scans a stretch leaves the position for the thread that scans the next one. It
 * has four 64-bit numbers, of which the first holds a state of 32 bits:
 *
 *     [state | offset | cases | index in SEARCHING, or OVER]
 */
export type Baton = SharedArrayBuffer;

const BATON_BYTES = 4 * Float64Array.BYTES_PER_ELEMENT;

/** The states of a baton. Only the coordinator drops a baton, after a run has failed. */
const AWAITED = 0;
const PASSED = 1;
const DROPPED = 2;

const SEARCHING: readonly ScanPosition['searching'][] = ['no', 'blank', 'token', 'end'];
const OVER = SEARCHING.length;

export function createBaton(): Baton {
  return new SharedArrayBuffer(BATON_BYTES);
}

/** Leaves the position in the baton, and wakes the thread that waits for it. */
export function passBaton(baton: Baton, { offset, cases, searching, isOver }: BatonPosition): void {
  const numbers = new Float64Array(baton);
  numbers[1] = offset;
  numbers[2] = cases;
  numbers[3] = isOver ? OVER : SEARCHING.indexOf(searching);
  setState(baton, PASSED);
}

/** Tells the thread that waits for the baton that nobody will pass it, because the run has failed. */
export function dropBaton(baton: Baton): void {
  if (stateOf(baton) === AWAITED) setState(baton, DROPPED);
}

/** Returns the position in the baton; null if nobody has passed it. */
export function readBaton(baton: Baton): BatonPosition | null {
  if (stateOf(baton) !== PASSED) return null;
  const [, offset, cases, index] = new Float64Array(baton);
  return { offset, cases, searching: SEARCHING[index] ?? 'no', isOver: index === OVER };
}

/** Waits for the baton, and blocks the thread. Returns null if the baton was dropped. Not for the coordinator. */
export function takeBaton(baton: Baton): BatonPosition | null {
  Atomics.wait(new Int32Array(baton), 0, AWAITED);
  return readBaton(baton);
}

/** Waits for the baton, as `takeBaton` does, but without blocking the thread. */
export async function awaitBaton(baton: Baton): Promise<BatonPosition | null> {
  await Atomics.waitAsync(new Int32Array(baton), 0, AWAITED).value;
  return readBaton(baton);
}

function stateOf(baton: Baton): number {
  return Atomics.load(new Int32Array(baton), 0);
}

function setState(baton: Baton, state: number): void {
  const states = new Int32Array(baton);
  Atomics.store(states, 0, state);
  Atomics.notify(states, 0);
}
