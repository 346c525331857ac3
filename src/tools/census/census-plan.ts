/** Plans a census: which sizes are counted, and in which slices. */

import { BoardmillError } from '../../core/errors.js';
import { type Range, rangeLength } from '../../core/range.js';
import type { CensusSlice } from '../../engine/census-slice.js';
import { copyHeadToSharedMemory } from '../../engine/cut/task-head.js';
import { boundAfterShards, type Shard } from '../../engine/input/shard.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import {
  type CensusSize,
  enumerationRequestOf,
  formatSize,
  isSizeUnrestricted,
} from '../../problems/census.js';
import type { Problem, SolverChoice } from '../../problems/problem.js';

/**
 * Number of candidates in a slice that is solved case by case: of boards, and of the cases of a module, which may take long. It
 * is a part of what shards agree on, so another number is another version of the census.
 */
const BOARDS_PER_SLICE = 1 << 16;
const CASES_PER_SLICE = 1 << 9;

type PlannedCases = CensusSize & Pick<CensusSlice, 'set'>;

/** The slices of a size. */
interface PlannedSize extends PlannedCases {
  readonly slices: number;
  /** Number of candidates; null if the game counts its own slices. */
  readonly candidates: number | null;
  /** The head of an input of these cases. */
  readonly head: InputHeadOfTask;
}

export class CensusPlan {
  readonly sizes: readonly PlannedSize[];
  /** Number of slices of all sizes together. */
  readonly slices: number;
  readonly #candidatesPerSlice: number;

  /**
   * Plans a census of the cases in a set of the contest, or of all. `solver` is the user's choice: with `portable`, every case
   * is solved. Fails with kind `usage` if boardmill cannot list the cases of the problem, or not in any time.
   */
  static async create(
    problem: Problem,
    rows: Range | null,
    cols: Range | null,
    solver: SolverChoice,
    set: string | null = null,
  ): Promise<CensusPlan> {
    const isBoard = problem.reference.kind === 'built-in';
    const perSlice = isBoard ? BOARDS_PER_SLICE : CASES_PER_SLICE;
    const sizes: PlannedSize[] = [];
    for (const size of sizesIn(rows, cols)) {
      sizes.push(await planSize(problem, { ...size, set }, solver, perSlice));
    }
    return new CensusPlan(sizes, perSlice);
  }

  private constructor(sizes: readonly PlannedSize[], candidatesPerSlice: number) {
    this.sizes = sizes;
    this.slices = sizes.reduce((sum, { slices }) => sum + slices, 0);
    this.#candidatesPerSlice = candidatesPerSlice;
  }

  /** Yields the slices of a shard after the first `done` of them, each with the index of its size. */
  *slicesOf(shard: Shard, done: number): Generator<{ readonly slice: CensusSlice; readonly size: number }> {
    const { from, to } = this.boundsOf(shard);
    let before = 0;
    for (const [size, { rows, cols, set, slices, candidates }] of this.sizes.entries()) {
      const first = Math.max(0, from + done - before);
      for (let number = first; number < Math.min(slices, to - before); number++) {
        const bounds = candidates === null ? null : this.#candidatesOf(number, candidates);
        yield { size, slice: { rows, cols, set, number, candidates: bounds } };
      }
      before += slices;
    }
  }

  /** Returns the index of the first slice of a shard among all slices, and the index after its last one. */
  boundsOf({ number, count }: Shard): { readonly from: number; readonly to: number } {
    const boundAfter = (shards: number) => boundAfterShards(shards, count, this.slices);
    return { from: boundAfter(number - 1), to: boundAfter(number) };
  }

  #candidatesOf(slice: number, candidates: number): { readonly from: number; readonly to: number } {
    const from = slice * this.#candidatesPerSlice;
    return { from, to: Math.min(candidates, from + this.#candidatesPerSlice) };
  }
}

/** Number of sizes that `sizesIn` lists. */
export function countSizes(rows: Range | null, cols: Range | null): number {
  return [rows, cols].reduce((product, range) => product * (range === null ? 1 : rangeLength(range)), 1);
}

/** Lists the sizes in row-major order. */
export function sizesIn(rows: Range | null, cols: Range | null): CensusSize[] {
  return numbersIn(rows).flatMap((row) => numbersIn(cols).map((col) => ({ rows: row, cols: col })));
}

function numbersIn(range: Range | null): (number | null)[] {
  return range === null
    ? [null]
    : Array.from({ length: rangeLength(range) }, (_, index) => range.from + index);
}

async function planSize(
  { name, cases, solvers }: Problem,
  size: PlannedCases,
  solver: SolverChoice,
  perSlice: number,
): Promise<PlannedSize> {
  const { rows, cols } = size;
  const enumeration = cases.enumerate?.(enumerationRequestOf(size));
  if (enumeration === undefined)
    throw new BoardmillError('usage', `census: boardmill cannot list the cases of ${name}`);
  const { count } = enumeration;
  const head = copyHeadToSharedMemory(enumeration.head);
  if (count > BigInt(Number.MAX_SAFE_INTEGER)) {
    const what = isSizeUnrestricted(size) ? 'cases' : `boards of ${formatSize(size)}`;
    throw new BoardmillError(
      'usage',
      `there are ${count} ${what}, more than boardmill can count in a lifetime`,
    );
  }
  const isSolved = solver === 'portable' || rows === null || cols === null;
  const census = isSolved ? null : await solvers?.loadCensus?.(rows, cols);
  if (census != null) return { ...size, slices: census.slices, candidates: null, head };
  const candidates = Number(count);
  return { ...size, slices: Math.ceil(candidates / perSlice), candidates, head };
}
