import type { Problem, SolverChoice } from '../../problems/problem.js';
import type { Dispatcher } from '../dispatcher.js';
import { LocalPool } from '../local-pool.js';
import { ExternalSolver } from './external-solver.js';
import type { SandboxLauncher } from './sandbox.js';

/** What solves cases on this machine: the solver of a problem in worker threads, or a program. */
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

/** A program that solves cases. */
export interface SolvingProgram {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Largest number of cases that one run of the program gets. Missing: as many as the contest allows in one file. */
  readonly casesPerRun?: number;
  /** Address space of each run of the program, in bytes; missing or null if it is not limited. */
  readonly memoryBytes?: number | null;
  /** Runs the program in sandboxes; missing or null if it runs with the rights of boardmill. */
  readonly sandbox?: SandboxLauncher | null;
  /** What messages call the program, such as "the reference". Missing: "the program". */
  readonly calledAs?: string;
  /** Whether a run with several cases gets only the time of one. */
  readonly hasTimeOfOneCase?: boolean;
  /** Called before each run of the program. If it throws, the program is not run, and solving fails with what it throws. */
  readonly beforeRun?: () => void;
}

/**
 * Opens the dispatcher of a setup. The caller closes it. `inputBytes` is the size of all inputs, if it is known. Fails with
 * kind `usage` if the program does not exist.
 */
export async function openSolver(setup: SolverSetup, inputBytes: number | null = null): Promise<Dispatcher> {
  const { problem, solver = 'auto', jobs, timeoutSeconds = null, program } = setup;
  if (program === null)
    return new LocalPool({ problem: problem.reference, solver }, { jobs, timeoutSeconds, inputBytes });
  const { casesPerRun = problem.casesPerRun, sandbox = null } = program;
  return ExternalSolver.open({ ...program, problem, jobs, timeoutSeconds, casesPerRun, sandbox });
}
