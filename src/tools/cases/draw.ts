/** Draws random cases and prints them. */
import { setImmediate } from 'node:timers/promises';
import { ByteWriter } from '../../core/bytes.js';
import { GENERATED_PIECE_BYTES } from '../../engine/limits.js';
import { assemblePrintedCases, InputAssembly, splitAtOffsets } from '../../formats/assemble-input.js';
import type { Problem, RandomCasesRequest } from '../../problems/problem.js';

/** After this time, no further case is drawn for a piece of the input. Between pieces, boardmill notices signals. */
const GENERATED_PIECE_MS = 200;

/** Consecutive cases as bytes. */
export interface DrawnCases {
  readonly bytes: Uint8Array;
  /** Offset of each case in `bytes`, then the offset at which the last case ends. */
  readonly starts: Uint32Array;
}

/** Makes the random cases of one input. */
export interface RandomCaseGenerator {
  /** The head of the input; null if the format has no head, or if its head leaves nothing to draw. */
  readonly head: Uint8Array | null;
  /**
   * Draws cases, beginning with the case of the index `from`. Returns at most `count` cases, and fewer if their size
   * exceeds GENERATED_PIECE_BYTES or they take longer than GENERATED_PIECE_MS, but at least one.
   */
  draw(from: number, count: number): Promise<DrawnCases>;
}

/** Draws cases on this thread. */
export function createRandomCaseGenerator(
  problem: Problem,
  request: RandomCasesRequest,
): RandomCaseGenerator {
  const source = problem.cases.createSource(request);
  const out = new ByteWriter(2 * GENERATED_PIECE_BYTES);
  return {
    head: source.head,
    async draw(from, count) {
      const starts = [0];
      const end = performance.now() + GENERATED_PIECE_MS;
      do {
        problem.inputFormat.printCase(source.caseAt(from + starts.length - 1), out);
        starts.push(out.length);
      } while (starts.length <= count && out.length < GENERATED_PIECE_BYTES && performance.now() < end);
      return { bytes: out.take(), starts: Uint32Array.from(starts) };
    },
  };
}

/** Yields a well-formed input of `count` random cases, piece by piece. */
export async function* generateInput(
  { inputFormat }: Problem,
  drawer: RandomCaseGenerator,
  count: number,
): AsyncGenerator<Uint8Array> {
  const input = new InputAssembly(inputFormat, count, drawer.head);
  for (let index = 0; index < count; ) {
    const { bytes, starts } = await drawer.draw(index, count - index);
    index += starts.length - 1;
    for (const each of splitAtOffsets(bytes, starts)) input.addPrinted(each);
    yield input.take();
    // Neither drawing nor writing a small piece waits for anything, so without a pause no signal would be noticed.
    await setImmediate();
  }
  yield input.finish();
}

/** Yields `count` well-formed inputs of a random case each. */
export async function* generateInputs(
  { inputFormat }: Problem,
  drawer: RandomCaseGenerator,
  count: number,
): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    const [bytes] = await drawRandomCases(drawer, index, 1);
    yield assemblePrintedCases(inputFormat, [bytes], drawer.head);
  }
}

/** Draws exactly `count` cases, each as bytes of its own. */
export async function drawRandomCases(
  drawer: RandomCaseGenerator,
  from: number,
  count: number,
): Promise<Uint8Array[]> {
  const cases: Uint8Array[] = [];
  while (cases.length < count) {
    const { bytes, starts } = await drawer.draw(from + cases.length, count - cases.length);
    for (const each of splitAtOffsets(bytes, starts)) cases.push(each.slice());
    // Drawing waits for nothing, so without a pause no signal would be noticed.
    await setImmediate();
  }
  return cases;
}
