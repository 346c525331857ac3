/** What tests of the solvers of river-pawn expect of them. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import {
  createPortableSolver,
  type RiverPawnAnswer,
  supportedLimits,
} from '../../src/games/river-pawn/solve.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import { show, structuredBoards } from './river-pawn-boards.js';

export const KERNEL = new WebAssembly.Module(
  readFileSync(new URL('../../build/workers/kernels/river-pawn.wasm', import.meta.url)),
);

const KERNEL_SIDE = 10;

/** The numbers of rows and columns of the boards that the kernel solves. */
export const KERNEL_SIZES: readonly (readonly [number, number])[] = Array.from(
  { length: KERNEL_SIDE - 1 },
  (_, i) => i + 2,
).flatMap((rows) =>
  Array.from({ length: KERNEL_SIDE }, (_, i) => [rows, i + 1] as const).filter(([, cols]) => rows * cols > 2),
);

/** Whether a size belongs to the third of all sizes that `npm test` tries; each side is in some of them. */
export const isFirstThird = ([rows, cols]: readonly [number, number]) => (rows + cols) % 3 === 0;

const portable = createPortableSolver();

export function solveAll(
  boards: readonly Board[],
  solver: Solver<RiverPawnAnswer> = portable,
): RiverPawnAnswer[] {
  const answers: RiverPawnAnswer[] = [];
  solver.solve(boards, boards.length, answers);
  return answers;
}

export function solveOne(board: Board, solver: Solver<RiverPawnAnswer> = portable): RiverPawnAnswer {
  return solveAll([board], solver)[0];
}

/** Expects two answers to be the same. It compares them first, because one assertion per board would take too long. */
function expectSame(board: Board, got: RiverPawnAnswer, expected: RiverPawnAnswer): void {
  if (got.winner !== expected.winner || got.plies !== expected.plies) {
    expect(got, show(board)).toEqual(expected);
  }
}

/** Expects the solver to give the answers of the portable solver. */
export function expectAllSame(boards: readonly Board[], solver: Solver<RiverPawnAnswer>): void {
  const expected = solveAll(boards);
  solveAll(boards, solver).forEach((got, i) => {
    expectSame(boards[i], got, expected[i]);
  });
}

/** Expects that a board of this size, which the engine supports, has an answer with the parity of its winner. */
export function expectPossibleAnswer(rows: number, cols: number): void {
  expect(rows * cols).toBeLessThanOrEqual(supportedLimits.maxCells);
  const { winner, plies } = solveOne(structuredBoards(rows, cols)[0]);
  expect(winner === null).toBe(plies === null);
  if (plies !== null) expect(plies % 2 === 1).toBe(winner === 'Red');
}
