import type { ScanPosition } from '../position.js';

/** The position at which the scan of a range has ended, and at which the scan of the next range continues. */
export interface HandoffPosition extends Pick<ScanPosition, 'offset' | 'cases' | 'searching'> {
  /** Whether the scan is over: the input has no more cases, or an invalid case has ended the run. */
  readonly isOver: boolean;
}

/**
 * The handoff of a range: shared memory in which the thread that scans the range before leaves the position at which the scan
 * of this range begins. It has four 64-bit numbers, of which the first holds a state of 32 bits:
 *
 *     [state | offset | cases | index in SEARCHING, or OVER]
 */
export type Handoff = SharedArrayBuffer;

const HANDOFF_BYTES = 4 * Float64Array.BYTES_PER_ELEMENT;

/** The states of a handoff. Only the coordinator abandons a handoff, after a run has failed. */
const AWAITED = 0;
const FILLED = 1;
const ABANDONED = 2;

const SEARCHING: readonly ScanPosition['searching'][] = ['no', 'blank', 'token', 'end'];
const OVER = SEARCHING.length;

export function createHandoff(): Handoff {
  return new SharedArrayBuffer(HANDOFF_BYTES);
}

/** Writes the position into the handoff, and wakes the thread that waits for the handoff. */
export function fillHandoff(handoff: Handoff, { offset, cases, searching, isOver }: HandoffPosition): void {
  const numbers = new Float64Array(handoff);
  numbers[1] = offset;
  numbers[2] = cases;
  numbers[3] = isOver ? OVER : SEARCHING.indexOf(searching);
  setState(handoff, FILLED);
}

/** Tells the thread that waits for the handoff that no position will come, because the run has failed. */
export function abandonHandoff(handoff: Handoff): void {
  if (stateOf(handoff) === AWAITED) setState(handoff, ABANDONED);
}

/** Returns the position in the handoff, without waiting; null if the handoff has not been filled yet. */
export function readHandoff(handoff: Handoff): HandoffPosition | null {
  if (stateOf(handoff) !== FILLED) return null;
  const [, offset, cases, index] = new Float64Array(handoff);
  return {
    offset: asInteger(offset),
    cases: asInteger(cases),
    searching: SEARCHING[index] ?? 'no',
    isOver: index === OVER,
  };
}

/**
 * Returns the same whole number, a small one in the form in which V8 keeps small integers. What comes from a Float64Array has
 * the form of a fraction. An object with such a number in a property has another hidden class than one with an integer, and V8
 * compiles the code that uses it once more. The number of the first case reaches all code that solves and prints.
 */
function asInteger(number: number): number {
  return number === (number | 0) ? number | 0 : number;
}

/**
 * Waits until the scan of the range before has ended and its worker has written the handoff, and blocks the thread. Returns
 * null if the handoff was abandoned. The coordinator must not call this, because it must not block.
 */
export function blockUntilHandoff(handoff: Handoff): HandoffPosition | null {
  Atomics.wait(new Int32Array(handoff), 0, AWAITED);
  return readHandoff(handoff);
}

/** Waits for the handoff, as `blockUntilHandoff` does, but without blocking the thread. */
export async function awaitHandoff(handoff: Handoff): Promise<HandoffPosition | null> {
  await Atomics.waitAsync(new Int32Array(handoff), 0, AWAITED).value;
  return readHandoff(handoff);
}

function stateOf(handoff: Handoff): number {
  return Atomics.load(new Int32Array(handoff), 0);
}

function setState(handoff: Handoff, state: number): void {
  const states = new Int32Array(handoff);
  Atomics.store(states, 0, state);
  Atomics.notify(states, 0);
}
