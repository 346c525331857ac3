/** What the census of bacterial-tactics is compared with: sums over boards that are solved one by one. */
import type { CensusPart } from '../../src/games/bacterial-tactics/census.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import type { Random } from './random.js';

/** Number of boards that are solved at once. */
const BATCH = 1024;

/** Returns the board with this index in the order of `generate --profile all`. */
export function boardAt(rows: number, cols: number, index: bigint): Board {
  const digits = index.toString(2).padStart(rows * cols, '0');
  return { rows, cols, cells: Uint8Array.from(digits, Number) };
}

/** Counts the boards that begin with these rows, by solving each of them. */
export function countOneByOne(
  solver: Solver<number>,
  rows: number,
  cols: number,
  firstRows: readonly number[] = [],
): CensusPart {
  const freeCells = cols * (rows - firstRows.length);
  const firstIndex =
    firstRows.reduce((index, row) => (index << BigInt(cols)) | BigInt(row), 0n) << BigInt(freeCells);
  const nimbers = new Map<number, bigint>();
  const answers = new Map<number, bigint>();
  let largest = { value: -1, index: 0n };
  for (let start = 0; start < 2 ** freeCells; start += BATCH) {
    const boards = Array.from({ length: Math.min(BATCH, 2 ** freeCells - start) }, (_, at) =>
      boardAt(rows, cols, firstIndex + BigInt(start + at)),
    );
    const nimbersOfBatch: number[] = [];
    const answersOfBatch: number[] = [];
    const context = { firstCase: 1, head: null, nimbers: nimbersOfBatch };
    void solver.solve(boards, boards.length, answersOfBatch, context);
    for (const answer of answersOfBatch) addOne(answers, answer);
    for (const [at, nimber] of nimbersOfBatch.entries()) {
      addOne(nimbers, nimber);
      if (nimber > largest.value) largest = { value: nimber, index: firstIndex + BigInt(start + at) };
    }
  }
  return { boards: 2n ** BigInt(freeCells), nimbers, answers, largest };
}

function addOne(counts: Map<number, bigint>, value: number): void {
  counts.set(value, (counts.get(value) ?? 0n) + 1n);
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
