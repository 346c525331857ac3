import type { Problem, SolverChoice } from '../../problems/problem.js';
import type { Dispatcher } from '../dispatcher.js';
import { LocalPool } from '../local-pool.js';
import { ExternalSolver, type SolvingProgram } from './external-solver.js';

/** The settings of what solves cases on this machine: the solver of a problem in worker threads, or an external program. */
export interface SolverSetup {
  readonly problem: Problem;
  readonly solver?: SolverChoice;
  /** Number of worker threads, or largest number of runs of the program at the same time. */
  readonly jobs: number;
  /** Time limit for one case; missing or null if there is none. */
  readonly timeoutSeconds?: number | null;
  /** The program that solves; null if boardmill itself solves. */
  readonly program: SolvingProgram | null;
}

/**
 * Opens the dispatcher that a setup describes; the caller closes the dispatcher. `inputBytes` is the total size of all inputs,
 * if it is known. Fails with kind `usage` if the program does not exist.
 */
export async function openSolver(setup: SolverSetup, inputBytes: number | null = null): Promise<Dispatcher> {
  const { problem, solver = 'auto', jobs, timeoutSeconds = null, program } = setup;
  if (program === null) return LocalPool.of(problem, { solver }, { jobs, timeoutSeconds, inputBytes });
  return ExternalSolver.open({ ...program, problem, jobs, timeoutSeconds });
}
