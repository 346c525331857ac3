/** What tests of the solvers of river-pawn expect of them. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import {
  analyse,
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

/**
 * Expects the value of every state to follow from the values of its successors, as the rules require; with `step`, only that of
 * every step-th state.
 */
export function expectConsistent(board: Board, step = 1): void {
  const { cols } = board;
  const tables = analyse(board);
  expect(tables.stateCount).toBeGreaterThan(0);
  for (let state = 0; state < tables.stateCount; state += step) {
    const black = tables.blackOf(state);
    const reds = tables.redsOf(state);
    const turn = tables.turnOf(state);
    if (black < cols && turn === 'Black') {
      expect([tables.outcome[state], tables.distance[state]]).toEqual([0, -1]);
      continue;
    }
    const next = black < cols || reds.includes(black) ? [] : successors(board, black, reds, turn);
    const values = next.map(([b, one, two]) => tables.stateOf(b, one, two));
    expect(values).not.toContain(-1);
    const lost = values.filter((to) => tables.outcome[to] === -1).map((to) => tables.distance[to]);
    const won = values.filter((to) => tables.outcome[to] === 1).map((to) => tables.distance[to]);
    const expected =
      lost.length > 0
        ? [1, Math.min(...lost) + 1]
        : won.length === values.length
          ? [-1, Math.max(-1, ...won) + 1]
          : [0, -1];
    if (tables.outcome[state] !== expected[0] || tables.distance[state] !== expected[1]) {
      expect([tables.outcome[state], tables.distance[state]], `${show(board)}\nstate ${state}`).toEqual(
        expected,
      );
    }
  }
}

function successors(board: Board, black: number, [one, two]: number[], turn: 'Red' | 'Black'): number[][] {
  const { rows, cols, cells } = board;
  const steps = (cell: number, canMoveDown: boolean) =>
    [
      cell >= cols ? cell - cols : -1,
      cell % cols > 0 ? cell - 1 : -1,
      cell % cols < cols - 1 ? cell + 1 : -1,
      canMoveDown && cell < (rows - 1) * cols ? cell + cols : -1,
    ].filter((to) => to >= 0 && cells[to] !== 1);
  if (turn === 'Black') return steps(black, false).map((to) => [to, one, two]);
  const movesOfFirst = steps(one, true).filter((to) => to !== two);
  const movesOfSecond = steps(two, true).filter((to) => to !== one);
  return [...movesOfFirst.map((to) => [black, to, two]), ...movesOfSecond.map((to) => [black, one, to])];
}
