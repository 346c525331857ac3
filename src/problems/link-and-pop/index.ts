import { loadKernel } from '../../core/wasm.js';
import type { Problem } from '../problem.js';
import { answers, checkContest, format, printAnswer, printFailure } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { contest, createPortableSolver, type FinalRows, limits } from './solve.js';

export const problem: Problem<FinalRows> = {
  name: 'link-and-pop',
  contest,
  checkContest,
  limits,
  format,
  answers,
  printAnswer,
  printFailure,
  answerToJson: (rows) => rows,
  createGenerator,
  createPortableSolver,
  createSimdSolver: () => createSimdSolver(loadKernel('link-and-pop')),
};
