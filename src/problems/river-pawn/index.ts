import { loadKernel } from '../load-kernel.js';
import type { Problem } from '../problem.js';
import { answerFormat, inputFormat, printAnswer, printError } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { contestLimits, createPortableSolver, type RiverPawnAnswer, supportedLimits } from './solve.js';

export const problem: Problem<RiverPawnAnswer> = {
  name: 'river-pawn',
  contestLimits,
  supportedLimits,
  inputFormat,
  answerFormat,
  printAnswer,
  printError,
  answerToJson: (answer) => answer,
  createGenerator,
  createPortableSolver,
  createSimdSolver: () => createSimdSolver(loadKernel('river-pawn')),
};
