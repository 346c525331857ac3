/** The usual job of a pool's threads: solving cases. */
import { chooseSolver } from '../../src/problems/choose-solver.js';
import type { Problem, Solver, SolverChoice } from '../../src/problems/problem.js';
import { ChunkSolver } from '../chunk-solver.js';
import type { ChunkWorker } from './chunk-worker.js';

/** Creates the worker that solves cases. */
export function createSolvingWorker(problem: Problem, choice: SolverChoice): ChunkWorker {
  return new ChunkSolver(problem, createWarmSolver(problem, choice), choice === 'simd');
}

/** Creates a solver of the problem and lets it solve a small case first, so that it is warmed up. */
export function createWarmSolver(problem: Problem, choice: SolverChoice): Solver<unknown, unknown> {
  const solver = chooseSolver(problem, choice);
  warmUpSolver(problem, solver);
  return solver;
}

/**
 * Solves a small case before the first chunk. A solver compiles its code and allocates its tables only once, on its
 * first case, so the measured times of the cases do not include that work.
 */
export function warmUpSolver<Answer, Case>(
  problem: Problem<Answer, Case>,
  solver: Solver<Answer, Case>,
): void {
  const small = problem.solvers?.createWarmUpCase?.();
  if (small !== undefined) void solver.solve([small], 1, []);
}
