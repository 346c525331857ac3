import type { Problem, Solver } from '../src/problems/problem.js';

/**
 * Solves a small case before the first chunk. A solver compiles its code and allocates its tables only once, on its
 * first case, so the measured times of the cases do not include that work.
 */
export function warmUp<Answer, Case>(problem: Problem<Answer, Case>, solver: Solver<Answer, Case>): void {
  const small = problem.solvers?.createWarmUpCase?.();
  if (small !== undefined) void solver.solve([small], 1, []);
}
