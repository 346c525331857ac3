import { loadKernel } from '../load-kernel.js';
import type { Problem } from '../problem.js';
import { answerFormat, inputFormat, printAnswer, printError } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { contestLimits, createPortableSolver, supportedLimits } from './solve.js';

export const problem: Problem<'WIN' | 'LOSE'> = {
  name: 'darkraft',
  contestLimits,
  supportedLimits,
  inputFormat,
  answerFormat,
  printAnswer,
  printError,
  answerToJson: (outcome) => outcome,
  createGenerator,
  createPortableSolver,
  createSimdSolver: () => createSimdSolver(loadKernel('darkraft')),
};
