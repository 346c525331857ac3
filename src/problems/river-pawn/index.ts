import { loadKernel } from '../../core/wasm.js';
import type { Problem } from '../problem.js';
import { answers, format, printAnswer, printFailure } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { contest, createPortableSolver, limits, type RiverPawnAnswer } from './solve.js';

export const problem: Problem<RiverPawnAnswer> = {
  name: 'river-pawn',
  contest,
  limits,
  format,
  answers,
  printAnswer,
  printFailure,
  answerToJson: (answer) => answer,
  createGenerator,
  createPortableSolver,
  createSimdSolver: () => createSimdSolver(loadKernel('river-pawn')),
};
