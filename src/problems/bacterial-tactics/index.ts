import { loadKernel } from '../../core/wasm.js';
import type { Problem } from '../problem.js';
import { format, printAnswer, printFailure } from './format.js';
import { createSimdSolver } from './kernel.js';
import { contest, createPortableSolver, limits } from './solve.js';

export const problem: Problem<number> = {
  name: 'bacterial-tactics',
  contest,
  limits,
  format,
  printAnswer,
  printFailure,
  answerToJson: (openings) => openings,
  createPortableSolver,
  createSimdSolver: () => createSimdSolver(loadKernel('bacterial-tactics')),
};
