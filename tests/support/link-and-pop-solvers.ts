/** What tests of the solvers of link-and-pop expect of them. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { createSimdSolver } from '../../src/games/link-and-pop/kernel.js';
import { createPortableSolver, type FinalBoardRows } from '../../src/games/link-and-pop/solve.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import { boardOf, LETTERS, randomBoard, show } from './link-and-pop-boards.js';

const portable = createPortableSolver();

/** The longest side of a board that the kernel can solve. */
export const KERNEL_SIDE = 30;
export const KERNEL = new WebAssembly.Module(
  readFileSync(new URL('../../build/workers/kernels/link-and-pop.wasm', import.meta.url)),
);
export const simd = createSimdSolver(KERNEL);

export function solveOne(board: Board, solver: Solver<FinalBoardRows> = portable): FinalBoardRows {
  const answers: FinalBoardRows[] = [];
  solver.solve([board], 1, answers);
  return answers[0];
}

export function expectSimdAgrees(board: Board): void {
  const [actual, expected] = [solveOne(board, simd), solveOne(board)];
  if (actual.join() !== expected.join()) expect(actual, show(board)).toEqual(expected);
}

/**
 * Yields every board of this size whose blocks move in these directions, but only one of those that differ only in the names of
 * their symbols: each block has a symbol of an earlier block, or the next new symbol.
 */
export function* everyBoard(rows: number, cols: number, directions: string): Generator<Board> {
  const blocks: string[] = [];
  function* place(used: number): Generator<Board> {
    if (blocks.length === rows * cols) {
      yield boardOf(rows, cols, (row, col) => blocks[row * cols + col]);
      return;
    }
    for (let symbol = 0; symbol <= used; symbol++)
      for (const direction of directions) {
        blocks.push(LETTERS[symbol] + direction);
        yield* place(Math.max(used, symbol + 1));
        blocks.pop();
      }
  }
  yield* place(0);
}

/** Expects that a random board of this size, with these symbols and directions, has an answer of the right form. Returns both. */
export function expectPossibleAnswer(rows: number, cols: number, symbols: number, directions: string) {
  const board = randomBoard(rows, cols, symbols, directions, 20041);
  const finalRows = solveOne(board);
  expect(finalRows).toHaveLength(rows);
  for (const row of finalRows) expect(row).toMatch(new RegExp(`^[A-Za-z.]{${cols}}$`));
  return { board, finalRows };
}
