import { Seed } from '../src/core/random.js';
import type { Problem, Solver } from '../src/problems/problem.js';

/**
 * Solves a small board before the first chunk. A solver compiles its code and allocates its tables only once, on its
 * first board, so the measured times of the cases do not include that work.
 */
export function warmUp<Answer>(problem: Problem<Answer>, solver: Solver<Answer>): void {
  const { minRows, minCols } = problem.supportedLimits;
  const generator = problem.createGenerator();
  const rows = minRows;
  const cols = Math.max(minCols, Math.ceil(generator.minCells / rows));
  const board = { rows, cols, cells: new Uint8Array(rows * cols * problem.inputFormat.cellBytes) };
  generator.fillBoard(board, { profile: 'random', density: null }, 0, new Seed('warm-up').random(0));
  solver.solve([board], 1, []);
}
