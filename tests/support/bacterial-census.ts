/** What the census of bacterial-tactics is compared with: sums over boards that are solved one by one. */
import { BacterialCensus } from '../../src/games/bacterial-tactics/census.js';
import type { CensusCounts } from '../../src/problems/census.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import { SizeTotals } from '../../src/tools/census/size-totals.js';
import type { Random } from './random.js';

/** Number of boards that are solved at once. */
const BATCH = 1024;

/** Returns the board with this index in the order of `generate --profile all`. */
export function boardAt(rows: number, cols: number, index: number): Board {
  const digits = index.toString(2).padStart(rows * cols, '0');
  return { rows, cols, cells: Uint8Array.from(digits, Number) };
}

/** Counts the boards that begin with these rows, by solving each of them. */
export function countOneByOne(
  solver: Solver<number>,
  rows: number,
  cols: number,
  firstRows: readonly number[] = [],
): CensusCounts {
  const freeCells = cols * (rows - firstRows.length);
  const firstIndex = firstRows.reduce((index, row) => index * 2 ** cols + row, 0) * 2 ** freeCells;
  const nimbers = new Map<string, number>();
  const answers = new Map<string, number>();
  let largest = { size: -1, index: 0 };
  for (let start = 0; start < 2 ** freeCells; start += BATCH) {
    const boards = Array.from({ length: Math.min(BATCH, 2 ** freeCells - start) }, (_, at) =>
      boardAt(rows, cols, firstIndex + start + at),
    );
    const nimbersOfBatch: number[] = [];
    const answersOfBatch: number[] = [];
    const context = { firstCase: 1, head: null, nimbers: nimbersOfBatch };
    void solver.solve(boards, boards.length, answersOfBatch, context);
    for (const answer of answersOfBatch) addOne(answers, answer);
    for (const [at, nimber] of nimbersOfBatch.entries()) {
      addOne(nimbers, nimber);
      if (nimber > largest.size) largest = { size: nimber, index: firstIndex + start + at };
    }
  }
  return { cases: 2 ** freeCells, values: nimbers, answers, largest };
}

function addOne(counts: Map<string, number>, value: number): void {
  counts.set(`${value}`, (counts.get(`${value}`) ?? 0) + 1);
}

/** Draws rows of which some have many radioactive cells, and others few. */
export function drawRows(random: Random, count: number, cols: number): number[] {
  const share = random.pick([0.1, 0.2, 0.3, 0.5]);
  return Array.from({ length: count }, () => {
    let row = 0;
    for (let col = 0; col < cols; col++) row = 2 * row + (random.below(1000) < 1000 * share ? 1 : 0);
    return row;
  });
}

/** Counts all boards of a size, slice by slice. Without a number of slices, there are as many as usual. */
export function countAll(rows: number, cols: number, slices?: number): CensusCounts {
  const census = BacterialCensus.open(rows, cols, slices)!;
  return sumOf(Array.from({ length: census.slices }, (_, slice) => census.count(slice)));
}

/** Returns the sum of the counts, as the command makes it. */
export function sumOf(parts: readonly CensusCounts[]): CensusCounts {
  const totals = new SizeTotals({ rows: null, cols: null }, null);
  for (const part of parts) totals.add({ ...part, largest: part.largest && { ...part.largest, rows: [] } });
  const { largest, ...counts } = totals.counts;
  return { ...counts, largest: largest && { size: largest.size, index: largest.index } };
}
