import { loadKernel } from '../../core/wasm.js';
import type { Problem } from '../problem.js';
import { answers, format, printAnswer, printFailure } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { contest, createPortableSolver, limits } from './solve.js';

export const problem: Problem<number> = {
  name: 'bacterial-tactics',
  contest,
  limits,
  format,
  answers,
  printAnswer,
  printFailure,
  answerToJson: (openings) => openings,
  createGenerator,
  createPortableSolver,
  createSimdSolver: () => createSimdSolver(loadKernel('bacterial-tactics')),
};
