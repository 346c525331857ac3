import type { Problem, SimdOptions, Solver, SolverChoice } from './problem.js';

type SolverFactories<Answer, Case> = Pick<
  Problem<Answer, Case>,
  'name' | 'createPortableSolver' | 'createSimdSolver'
>;

/** Creates the solver that the user chose. Throws if the choice is `simd` and the kernel cannot run. */
export function chooseSolver<Answer, Case>(
  problem: SolverFactories<Answer, Case>,
  choice: SolverChoice,
): Solver<Answer, Case> {
  if (choice === 'portable') return createPortableSolver(problem);
  // What the kernel refuses must not depend on how the input is cut into chunks.
  if (choice === 'simd') return createSimdSolver(problem, { usesKernelAlone: true });
  try {
    return createSimdSolver(problem, {});
  } catch {
    return createPortableSolver(problem);
  }
}

function createPortableSolver<Answer, Case>(problem: SolverFactories<Answer, Case>): Solver<Answer, Case> {
  if (problem.createPortableSolver === undefined) throw new Error(`${problem.name} has no solver`);
  return problem.createPortableSolver();
}

function createSimdSolver<Answer, Case>(
  problem: SolverFactories<Answer, Case>,
  options: SimdOptions,
): Solver<Answer, Case> {
  if (problem.createSimdSolver === undefined) throw new Error(`${problem.name} has no SIMD kernel`);
  return problem.createSimdSolver(options);
}
