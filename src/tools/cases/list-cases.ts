/** Lists every case of a problem, piece by piece: `--profile all`. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ByteWriter } from '../../core/bytes.js';
import { BoardmillError } from '../../core/errors.js';
import { copyHeadToSharedMemory } from '../../engine/cut/task-head.js';
import { GENERATED_PIECE_BYTES } from '../../engine/limits.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import { assemblePrintedCases, InputAssembly, splitAtOffsets } from '../../formats/assemble-input.js';
import type { CaseCountBounds } from '../../formats/tree/case-count.js';
import type { CaseEnumeration, Problem } from '../../problems/problem.js';
import type { CasesAsBytes } from '../stress/shrink.js';
import type { DrawnCases } from './draw.js';

/** Returns for each case null if it is valid, and otherwise why it is not. */
export type FindInvalidCases = (
  head: InputHeadOfTask,
  cases: CasesAsBytes,
) => Promise<readonly (string | null)[]>;

/** Consecutive cases, and their place among the candidates (the listed values, of which some may not be valid cases). */
interface ListedCases extends DrawnCases {
  /** Index of the candidate after the last one that was looked at. */
  readonly next: bigint;
}

/** The most candidates of a piece. After each piece, boardmill notices signals, also if few candidates are cases. */
const PIECE_CANDIDATES = 10_000;

/** Every case of a problem, in a fixed order. */
export class CaseListing {
  readonly #problem: Problem;
  readonly #enumeration: CaseEnumeration;
  readonly #taskHead: InputHeadOfTask;
  /** Calls `valid` of the problem's module; null if the module has no `valid`. */
  readonly #findInvalid: FindInvalidCases | null;

  constructor(problem: Problem, enumeration: CaseEnumeration, findInvalid: FindInvalidCases | null) {
    this.#problem = problem;
    this.#enumeration = enumeration;
    this.#findInvalid = findInvalid;
    this.#taskHead = copyHeadToSharedMemory(enumeration.head);
  }

  /** The head of an input of these cases. */
  get head(): Uint8Array | null {
    return this.#enumeration.head;
  }

  /** How many cases the format allows in one input. */
  get inputCases(): CaseCountBounds {
    return this.#enumeration.inputCases;
  }

  /** Number of candidates for a case, which include values that turn out not to be valid cases. */
  get candidates(): bigint {
    return this.#enumeration.count;
  }

  /** Number of cases; null if it can only be found by listing all cases. */
  get count(): bigint | null {
    return this.#enumeration.isExact && this.#findInvalid === null ? this.candidates : null;
  }

  /** Counts the cases. The count stops at `limit`, or when `stop` is aborted. */
  async countUpTo(limit: bigint | null, stop: AbortSignal): Promise<bigint> {
    let count = this.count ?? 0n;
    if (this.count === null) {
      for await (const { starts } of this.walk(0n)) {
        count += BigInt(starts.length - 1);
        if (stop.aborted || (limit !== null && count >= limit)) break;
      }
    }
    return limit !== null && limit < count ? limit : count;
  }

  /** Yields an input of `count` cases, beginning with the case of the index `from`. There must be that many cases. */
  async *input(from: bigint, count: number): AsyncGenerator<Uint8Array> {
    const input = new InputAssembly(this.#problem.inputFormat, count, this.head);
    for await (const cases of this.#slice(from, count)) {
      for (const bytes of cases) input.addPrinted(bytes);
      yield input.take();
    }
    yield input.finish();
  }

  /** Yields `count` inputs of one case each, beginning with the case of the index `from`. There must be that many cases. */
  async *inputs(from: bigint, count: number): AsyncGenerator<Uint8Array> {
    for await (const cases of this.#slice(from, count))
      for (const bytes of cases) yield assemblePrintedCases(this.#problem.inputFormat, [bytes], this.head);
  }

  /** Yields `count` cases, beginning with the case of the index `from`, in pieces. There must be that many cases. */
  async *#slice(from: bigint, count: number): AsyncGenerator<Uint8Array[]> {
    if (count === 0) return;
    // If only some candidates are valid cases, it is not known at which candidate the wanted cases begin.
    const [start, skipped] = this.count === null ? [0n, from] : [from, 0n];
    let toSkip = skipped;
    let left = count;
    for await (const { bytes, starts } of this.walk(start, skipped + BigInt(count))) {
      const cases = starts.length - 1;
      const first = Number(toSkip < cases ? toSkip : cases);
      const last = Math.min(cases, first + left);
      toSkip -= BigInt(first);
      left -= last - first;
      yield splitAtOffsets(bytes, starts.subarray(first, last + 1));
      if (left === 0) return;
    }
    throw new BoardmillError(
      'usage',
      `\`valid\` of ${this.#problem.name} refuses a case that it accepted before, so the number of cases is unknown`,
    );
  }

  /** Yields the cases among the candidates from this index on, in pieces. A piece ends with the case of the number `wanted`. */
  async *walk(from: bigint, wanted: bigint | null = null): AsyncGenerator<ListedCases> {
    const { inputFormat } = this.#problem;
    const out = new ByteWriter(2 * GENERATED_PIECE_BYTES);
    let starts = [0];
    let next = from;
    let found = 0n;
    let looked = 0;
    for (const candidate of this.#enumeration.candidatesFrom(from)) {
      next++;
      looked++;
      if (candidate !== null) {
        found++;
        inputFormat.printCase(candidate, out);
        starts.push(out.length);
      }
      if (out.length < GENERATED_PIECE_BYTES && looked < PIECE_CANDIDATES && found !== wanted) continue;
      yield await this.#onlyValid({ bytes: out.take(), starts: Uint32Array.from(starts), next });
      await nextTurn();
      starts = [0];
      looked = 0;
    }
    yield await this.#onlyValid({ bytes: out.take(), starts: Uint32Array.from(starts), next });
  }

  /** Leaves out the cases that the author's `valid` refuses. */
  async #onlyValid(listed: ListedCases): Promise<ListedCases> {
    const { bytes, starts, next } = listed;
    if (this.#findInvalid === null || starts.length === 1) return listed;
    const cases = Array.from(starts.subarray(1), (end, index) => bytes.slice(starts[index], end));
    const verdicts = await this.#findInvalid(this.#taskHead, cases);
    const valid = cases.filter((_, index) => verdicts[index] === null);
    const ends = [0];
    for (const { length } of valid) ends.push(ends.at(-1)! + length);
    return { bytes: Buffer.concat(valid), starts: Uint32Array.from(ends), next };
  }
}
