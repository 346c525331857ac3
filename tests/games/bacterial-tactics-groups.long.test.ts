/** Solves all small boards of bacterial-tactics in each way that the kernel has. */
import { expect, test } from 'vitest';
import { createSimdSolver } from '../../src/games/bacterial-tactics/kernel.js';
import { createPortableSolver } from '../../src/games/bacterial-tactics/solve.js';
import { loadPlainKernel } from '../../src/games/shared/load-kernel.js';
import { answersOf, WAYS } from '../support/bacterial-tactics-groups.js';
import { everyBoard } from '../support/every-board.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const KERNEL = loadPlainKernel('bacterial-tactics', new URL('../../build/workers/kernels/', import.meta.url));

const boards = [
  ...(await everyBoard('bacterial-tactics', { from: 1, to: 4 }, { from: 1, to: 4 })),
  ...(await everyBoard('bacterial-tactics', 3, 5)),
  ...(await everyBoard('bacterial-tactics', 5, 3)),
];
const answers = answersOf(createPortableSolver(), boards);

test('these are all boards of up to 4 x 4, 3 x 5 and 5 x 3', () => {
  expect(boards.length).toBe(140_490);
});

test.each(WAYS)('every board has the right answer if it is solved by %s', (_, createPlanner) => {
  expect(answersOf(createSimdSolver(KERNEL, { planner: createPlanner() }), boards)).toEqual(answers);
});
