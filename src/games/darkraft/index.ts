import { createAllLettersAutomaton } from '../shared/board-listing.js';
import { defineBoardProblem } from '../shared/board-problem.js';
import { loadKernel } from '../shared/load-kernel.js';
import { answerFormat, inputFormat, isCountedInDensity } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { LETTERS } from './letters.js';
import { samples } from './samples.js';
import { constraints, createPortableSolver, supportedLimits } from './solve.js';
import { symmetries } from './symmetries.js';

export const problem = defineBoardProblem<'WIN' | 'LOSE'>({
  name: 'darkraft',
  constraints,
  contest: {
    sets: { 1: { limits: constraints } },
    seconds: null,
    megabytes: null,
  },
  isCountedInDensity,
  symmetries,
  supportedLimits,
  samples,
  hasNimbers: true,
  inputFormat,
  answerFormat,
  createGenerator,
  listing: createAllLettersAutomaton(LETTERS.length),
  solvers: {
    createPortable: createPortableSolver,
    createSimd: () => createSimdSolver(loadKernel('darkraft')),
  },
  loadExplainer: async () => (await import('./explain.js')).explainer,
});
