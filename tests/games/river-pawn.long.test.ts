/** Tries the sizes of boards of river-pawn that tests/games/river-pawn.test.ts leaves out. */
import { expect, test } from 'vitest';
import { createSimdSolver } from '../../src/games/river-pawn/kernel.js';
import { structuredBoards } from '../support/river-pawn-boards.js';
import {
  expectAllSame,
  expectConsistent,
  expectPossibleAnswer,
  isFirstThird,
  KERNEL,
  KERNEL_SIZES,
} from '../support/river-pawn-solvers.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

test('both solvers agree on structured boards of the other sizes', () => {
  const simd = createSimdSolver(KERNEL);
  for (const [rows, cols] of KERNEL_SIZES.filter((size) => !isFirstThird(size)))
    expectAllSame(structuredBoards(rows, cols), simd);
  expect(simd.fallbackCases).toBe(0);
});

test.each([
  [11, 11],
  [16, 16],
  [2, 128],
  [128, 2],
  [256, 1],
  [10, 25],
])('on boards of %i x %i, the values of states follow from their successors', (rows, cols) => {
  expectPossibleAnswer(rows, cols);
  for (const board of structuredBoards(rows, cols)) expectConsistent(board, 1009);
});
