import type { Problem } from '../problem.js';
import { format, printAnswer, printFailure } from './format.js';
import { contest, createPortableSolver, limits } from './solve.js';

export const problem: Problem<'WIN' | 'LOSE'> = {
  name: 'darkraft',
  contest,
  limits,
  format,
  printAnswer,
  printFailure,
  answerToJson: (outcome) => outcome,
  createPortableSolver,
};
