import type { SolverChoice } from '../src/engine/messages.js';
import type { Problem, Solver } from '../src/problems/problem.js';

/** `auto` takes the kernel where there is one and this machine can run it. */
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
