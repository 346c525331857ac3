import type { CaseValue } from '../../problems/census.js';
import { defineBoardProblem } from '../shared/board-problem.js';
import { loadKernel } from '../shared/load-kernel.js';
import { answerFormat, findContestViolation, inputFormat, isCountedInDensity } from './format.js';
import { createGenerator } from './generate.js';
import { createSimdSolver } from './kernel.js';
import { boardAutomaton } from './listing.js';
import { samples } from './samples.js';
import { constraints, createPortableSolver, type FinalBoardRows, supportedLimits } from './solve.js';
import { symmetries } from './symmetries.js';

export const problem = defineBoardProblem<FinalBoardRows>({
  name: 'link-and-pop',
  constraints,
  contest: {
    sets: { 1: { limits: constraints } },
    seconds: 10,
    megabytes: 32,
  },
  findContestViolation,
  isCountedInDensity,
  symmetries,
  supportedLimits,
  samples,
  inputFormat,
  answerFormat,
  createGenerator,
  listing: boardAutomaton,
  caseValues: { name: 'left', sizeName: 'left', of: countBlocksLeft },
  solvers: {
    createPortable: createPortableSolver,
    createSimd: () => createSimdSolver(loadKernel('link-and-pop')),
  },
  loadExplainer: async () => (await import('./explain.js')).explainer,
});

/** The number of blocks on the final board. */
function countBlocksLeft(rows: FinalBoardRows): CaseValue {
  const size = rows.reduce((sum, row) => sum + row.replaceAll('.', '').length, 0);
  return { label: `${size}`, size };
}
