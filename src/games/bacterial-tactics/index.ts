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

export const problem = defineBoardProblem<number>({
  name: 'bacterial-tactics',
  constraints,
  contest: {
    sets: {
      1: { limits: { minRows: 1, maxRows: 4, minCols: 1, maxCols: 4, maxCells: 16 } },
      2: { limits: constraints },
    },
    seconds: 30,
    megabytes: 1024,
  },
  isCountedInDensity: isCountedInDensity,
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
    loadCensus: async (rows, cols) => (await import('./census.js')).BacterialCensus.open(rows, cols),
    createSimd: (options) => createSimdSolver(loadKernel('bacterial-tactics'), options),
  },
  loadExplainer: async () => (await import('./explain.js')).explainer,
});
