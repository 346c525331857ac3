import { loadKernel } from '../../core/wasm.js';
import type { Problem } from '../problem.js';
import { format, printAnswer, printFailure } from './format.js';
import { createSimdSolver } from './kernel.js';
import { contest, createPortableSolver, type FinalRows, limits } from './solve.js';

export const problem: Problem<FinalRows> = {
  name: 'link-and-pop',
  contest,
  limits,
  format,
  printAnswer,
  printFailure,
  answerToJson: (rows) => rows,
  createPortableSolver,
  createSimdSolver: () => createSimdSolver(loadKernel('link-and-pop')),
};
