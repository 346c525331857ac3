import { loadKernel } from '../../core/wasm.js';
import type { Problem } from '../problem.js';
import { answers, format, printAnswer, printFailure } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { contest, createPortableSolver, limits } from './solve.js';

export const problem: Problem<'WIN' | 'LOSE'> = {
  name: 'darkraft',
  contest,
  limits,
  format,
  answers,
  printAnswer,
  printFailure,
  answerToJson: (outcome) => outcome,
  createGenerator,
  createPortableSolver,
  createSimdSolver: () => createSimdSolver(loadKernel('darkraft')),
};
