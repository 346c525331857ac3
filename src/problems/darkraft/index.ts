import { listAllLetters } from '../board-listing.js';
import { defineBoardProblem } from '../board-problem.js';
import { loadKernel } from '../load-kernel.js';
import { answerFormat, inputFormat, LETTERS } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { contestLimits, createPortableSolver, supportedLimits } from './solve.js';

export const problem = defineBoardProblem<'WIN' | 'LOSE'>({
  name: 'darkraft',
  contestLimits,
  contest: {
    sets: { 1: { limits: contestLimits } },
    seconds: null,
    megabytes: null,
  },
  supportedLimits,
  inputFormat,
  answerFormat,
  createGenerator,
  listing: listAllLetters(LETTERS.length),
  createPortableSolver,
  createSimdSolver: () => createSimdSolver(loadKernel('darkraft')),
});
