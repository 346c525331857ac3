import type { Problem, Solver, SolverChoice } from './problem.js';

/** Creates the solver that the user chose. Throws if the choice is `simd` and the kernel cannot run. */
export function chooseSolver<Answer>(problem: Problem<Answer>, choice: SolverChoice): Solver<Answer> {
  if (choice === 'portable') return problem.createPortableSolver();
  if (choice === 'simd') return createSimdSolver(problem);
  try {
    return createSimdSolver(problem);
  } catch {
    return problem.createPortableSolver();
  }
}

function createSimdSolver<Answer>(problem: Problem<Answer>): Solver<Answer> {
  if (problem.createSimdSolver === undefined) throw new Error(`${problem.name} has no SIMD kernel`);
  return problem.createSimdSolver();
}
