import { defineBoardProblem } from '../shared/board-problem.js';
import { loadKernel } from '../shared/load-kernel.js';
import { answerFormat, inputFormat, isCountedInDensity } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { boardAutomaton } from './listing.js';
import { samples } from './samples.js';
import { contest } from './sets.js';
import { constraints, createPortableSolver, type RiverPawnAnswer, supportedLimits } from './solve.js';
import { symmetries } from './symmetries.js';

export const problem = defineBoardProblem<RiverPawnAnswer>({
  name: 'river-pawn',
  constraints,
  contest,
  isCountedInDensity,
  symmetries,
  supportedLimits,
  samples,
  inputFormat,
  answerFormat,
  createGenerator,
  listing: boardAutomaton,
  caseValues: {
    name: 'outcomes',
    sizeName: 'plies',
    of: ({ winner, plies }) => ({ label: winner === null ? 'Tie' : `${winner} ${plies}`, size: plies }),
  },
  solvers: {
    createPortable: createPortableSolver,
    createSimd: () => createSimdSolver(loadKernel('river-pawn')),
  },
  loadExplainer: async () => (await import('./explain.js')).explainer,
});
