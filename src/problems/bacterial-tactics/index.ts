import { listAllLetters } from '../board-listing.js';
import { defineBoardProblem } from '../board-problem.js';
import { loadKernel } from '../load-kernel.js';
import { answerFormat, inputFormat, LETTERS } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { contestLimits, createPortableSolver, supportedLimits } from './solve.js';

export const problem = defineBoardProblem<number>({
  name: 'bacterial-tactics',
  contestLimits,
  contest: {
    sets: {
      1: { limits: { minRows: 1, maxRows: 4, minCols: 1, maxCols: 4, maxCells: 16 } },
      2: { limits: contestLimits },
    },
    seconds: 30,
    megabytes: 1024,
  },
  supportedLimits,
  inputFormat,
  answerFormat,
  createGenerator,
  listing: listAllLetters(LETTERS.length),
  createPortableSolver,
  createSimdSolver: () => createSimdSolver(loadKernel('bacterial-tactics')),
});
