/** Tries boards of link-and-pop that take longer than those of tests/games/link-and-pop.test.ts. */
import { expect, test } from 'vitest';
import { supportedLimits } from '../../src/games/link-and-pop/solve.js';
import { solveLiterally } from '../oracles/link-and-pop.js';
import { randomBoard, show } from '../support/link-and-pop-boards.js';
import {
  everyBoard,
  expectPossibleAnswer,
  expectSimdAgrees,
  solveOne,
} from '../support/link-and-pop-solvers.js';
import { SEED } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

test.each([
  [2, 3, 'ULR'],
  [3, 2, 'UDL'],
])('both solvers agree on every %d x %d board with the directions %s', (rows, cols, directions) => {
  for (const board of everyBoard(rows, cols, directions)) expectSimdAgrees(board);
});

test.each([
  [1, 100, 20],
  [100, 1, 20],
  [3, 100, 12],
  [100, 3, 12],
  [5, 47, 30],
  [47, 5, 30],
  [18, 33, 52],
])('portable solver and oracle agree on a board of %d x %d with %d symbols', (rows, cols, symbols) => {
  const board = randomBoard(rows, cols, symbols, 'UDLRS', SEED);
  expect(solveOne(board), show(board)).toEqual(solveLiterally(board));
});

test('the largest board, with 26 symbols of which no block moves, has a possible answer', () => {
  expectPossibleAnswer(supportedLimits.maxRows, supportedLimits.maxCols, 26, 'S');
});
