/** Tries boards of link-and-pop that take longer than those of tests/games/link-and-pop.test.ts. */
import { test } from 'vitest';
import { supportedLimits } from '../../src/games/link-and-pop/solve.js';
import { everyBoard, expectPossibleAnswer, expectSimdAgrees } from '../support/link-and-pop-solvers.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

test.each([
  [2, 3, 'ULR'],
  [3, 2, 'UDL'],
])('both solvers agree on every %d x %d board with the directions %s', (rows, cols, directions) => {
  for (const board of everyBoard(rows, cols, directions)) expectSimdAgrees(board);
});

test('the largest board, with 26 symbols of which no block moves, has a possible answer', () => {
  expectPossibleAnswer(supportedLimits.maxRows, supportedLimits.maxCols, 26, 'S');
});
