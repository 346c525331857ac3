import type { Problem } from '../problem.js';
import { format, printAnswer, printFailure } from './format.js';
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
};
