import type { Problem, Solver, SolverChoice } from './problem.js';

/** Throws where the kernel is asked for and cannot be had. */
export function chooseSolver<Answer>(problem: Problem<Answer>, choice: SolverChoice): Solver<Answer> {
  if (choice === 'portable') return problem.createPortableSolver();
  if (choice === 'simd') return createSimd(problem);
  try {
    return createSimd(problem);
  } catch {
    return problem.createPortableSolver();
  }
}

function createSimd<Answer>(problem: Problem<Answer>): Solver<Answer> {
  if (problem.createSimdSolver === undefined) throw new Error(`${problem.name} has no SIMD kernel`);
  return problem.createSimdSolver();
}
