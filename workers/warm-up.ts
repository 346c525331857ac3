import { Seed } from '../src/core/random.js';
import type { Problem, Solver } from '../src/problems/problem.js';

/**
 * Solves a small board before the first chunk. So the measured time of no case includes what a solver does only
 * once: compiling its code and allocating its tables.
 */
export function warmUp<Answer>(problem: Problem<Answer>, solver: Solver<Answer>): void {
  const { minRows, minCols } = problem.limits;
  const generator = problem.createGenerator();
  const rows = minRows;
  const cols = Math.max(minCols, Math.ceil(generator.minCells / rows));
  const board = { rows, cols, cells: new Uint8Array(rows * cols * problem.inputFormat.cellBytes) };
  generator.fillBoard(board, { profile: 'random', density: null }, 0, new Seed('warm-up').random(0));
  solver.solve([board], 1, []);
}
