import type { Problem, SimdSolverOptions, Solver, SolverChoice } from './problem.js';

type SolvedProblem<Answer, Case> = Pick<Problem<Answer, Case>, 'name' | 'solvers'>;

/** Creates the solver that the user chose. Throws if the choice is `simd` and the kernel cannot run. */
export function chooseSolver<Answer, Case>(
  problem: SolvedProblem<Answer, Case>,
  choice: SolverChoice,
): Solver<Answer, Case> {
  if (choice === 'portable') return createPortableSolver(problem);
  // With `simd`, the kernel alone solves: otherwise it would depend on the other cases of a chunk which boards are refused.
  if (choice === 'simd') return createSimdSolver(problem, { usesKernelAlone: true });
  try {
    return createSimdSolver(problem, {});
  } catch {
    return createPortableSolver(problem);
  }
}

function createPortableSolver<Answer, Case>(problem: SolvedProblem<Answer, Case>): Solver<Answer, Case> {
  const solver = problem.solvers?.createPortable?.();
  if (solver === undefined) throw new Error(`${problem.name} has no solver`);
  return solver;
}

function createSimdSolver<Answer, Case>(
  problem: SolvedProblem<Answer, Case>,
  options: SimdSolverOptions,
): Solver<Answer, Case> {
  const solver = problem.solvers?.createSimd?.(options);
  if (solver === undefined) throw new Error(`${problem.name} has no SIMD kernel`);
  return solver;
}
