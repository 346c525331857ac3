import { loadKernel } from '../load-kernel.js';
import type { Problem } from '../problem.js';
import { answerFormat, findContestViolation, inputFormat, printAnswer, printError } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { contestLimits, createPortableSolver, type FinalRows, supportedLimits } from './solve.js';

export const problem: Problem<FinalRows> = {
  name: 'link-and-pop',
  contestLimits,
  findContestViolation,
  supportedLimits,
  inputFormat,
  answerFormat,
  printAnswer,
  printError,
  answerToJson: (rows) => rows,
  createGenerator,
  createPortableSolver,
  createSimdSolver: () => createSimdSolver(loadKernel('link-and-pop')),
};
