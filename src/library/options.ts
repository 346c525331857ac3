/** The options of the library's functions. None is required. */
import { availableParallelism } from 'node:os';
import type { OpenedProblem } from '../catalog/open-problem.js';
import { BoardmillError } from '../core/errors.js';
import type { Dispatcher } from '../engine/dispatcher.js';
import type { ComparedPath } from '../engine/exec/compared-path.js';
import { ExternalSolver } from '../engine/exec/external-solver.js';
import { guardsOf, ProgramFiles } from '../engine/exec/program-files.js';
import { GuardedDispatcher } from '../engine/guarded-dispatcher.js';
import { LocalPool } from '../engine/local-pool.js';
import type { ErrorPolicy } from '../engine/output-settings.js';
import type { GrammarUse } from '../problems/grammar-use.js';
import type { SolverChoice } from '../problems/problem.js';
import { checkOptions, FLAG, FUNCTION, type OptionRule, oneOf, TEXT, wholeNumber } from './check-options.js';
import { StoppableDispatcher } from './stoppable.js';

/** How an input is solved. The command line has the same options. */
export interface SolveOptions extends Partial<GrammarUse> {
  /** Number of worker threads, or of programs that run at the same time. Default: the number of processors. */
  readonly jobs?: number;
  /** Bytes of input per chunk. Default: adapted to how long cases take. */
  readonly chunkBytes?: number;
  /** Which of the problem's solvers to use. Default: `auto`. */
  readonly solver?: SolverChoice;
  /** The program that solves, and its arguments. Default: the solver of the problem. */
  readonly exec?: readonly string[];
  /** Largest number of cases per run of the program. Default: what the contest allows in one file. */
  readonly execCases?: number;
  /** What happens at a bad or failing case. `stop`, the default: the run fails. `mark`: the case gets an error. */
  readonly onError?: ErrorPolicy;
  /** Time limit for one case, in seconds. Default: none. */
  readonly timeout?: number;
  /** Number of times that a chunk is tried again after its worker failed. Default: 1. */
  readonly retries?: number;
  /** Stops the run at once when it is aborted. The cases that are being solved are given up. */
  readonly signal?: AbortSignal;
  /** Receives messages that the user should see although nothing failed, and one for each marked case. */
  readonly onWarning?: (message: string) => void;
}

const DEFAULT_RETRIES = 1;

/** What the options must be. */
const OPTION_RULES: Record<keyof SolveOptions, OptionRule> = {
  jobs: wholeNumber(1),
  chunkBytes: wholeNumber(1),
  solver: oneOf(['auto', 'simd', 'portable']),
  exec: {
    expected: 'an array with the name of a program and its arguments, all texts',
    accepts: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string'),
  },
  execCases: wholeNumber(1),
  onError: oneOf(['stop', 'mark']),
  timeout: {
    expected: 'a number of seconds above 0',
    accepts: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
  },
  retries: wholeNumber(0),
  signal: { expected: 'an AbortSignal', accepts: (value) => value instanceof AbortSignal },
  onWarning: FUNCTION,
  multitest: FLAG,
  casesLoop: {
    expected: 'null or a whole number of at least 1',
    accepts: (value) => value === null || wholeNumber(1).accepts(value),
  },
  answers: TEXT,
};

/** Fails with kind `usage` if an option is wrong. `more` are the rules of options that only one function has. */
export function checkSolveOptions(
  options: SolveOptions,
  more: Readonly<Record<string, OptionRule>> = {},
): void {
  checkOptions(options, { ...OPTION_RULES, ...more });
  const { exec, execCases, solver = 'auto' } = options;
  if (exec !== undefined && solver !== 'auto')
    throw new BoardmillError('usage', '`exec` and `solver` cannot be used together');
  if (exec === undefined && execCases !== undefined)
    throw new BoardmillError('usage', '`execCases` needs `exec`');
}

/** Opens the pool of workers, or the program of `exec`, for a run that `stop` ends at once. The caller closes it. */
export async function openDispatcher(
  opened: OpenedProblem,
  options: SolveOptions,
  programFiles: ProgramFiles | null,
  inputBytes: number | null,
  stop: AbortSignal,
): Promise<Dispatcher> {
  const solver = await openSolver(opened, options, inputBytes);
  return new StoppableDispatcher(new GuardedDispatcher(solver, guardsOf(opened, programFiles)), stop);
}

/** Returns the files of the program and what is compared with it; null if boardmill itself solves. */
export async function findProgramFiles(
  { exec }: SolveOptions,
  compared: readonly ComparedPath[] = [],
): Promise<ProgramFiles | null> {
  return exec === undefined ? null : ProgramFiles.find(exec, compared);
}

async function openSolver(
  { problem }: OpenedProblem,
  options: SolveOptions,
  inputBytes: number | null,
): Promise<Dispatcher> {
  const { exec, execCases, timeout, solver = 'auto' } = options;
  const jobs = jobsOf(options);
  const timeoutSeconds = timeout ?? null;
  if (exec !== undefined) {
    const casesPerRun = execCases ?? problem.casesPerRun;
    return ExternalSolver.open({ problem, argv: exec, jobs, casesPerRun, timeoutSeconds, sandbox: null });
  }
  if (!problem.hasSolver)
    throw new BoardmillError('usage', `${problem.name} has no solver; name a program in \`exec\``);
  return new LocalPool({ problem: problem.reference, solver }, { jobs, timeoutSeconds, inputBytes });
}

function jobsOf({ jobs = availableParallelism() }: SolveOptions): number {
  return jobs;
}

/** Returns the options with which the engine runs. */
export function toRunOptions({ problem }: OpenedProblem, options: SolveOptions, stop: AbortSignal) {
  const { chunkBytes = null, onError = 'stop', retries = DEFAULT_RETRIES, onWarning = () => {} } = options;
  return {
    problem,
    onError,
    chunkBytes,
    jobs: jobsOf(options),
    retries,
    warn: onWarning,
    note: onWarning,
    stop,
  };
}

/**
 * Returns a controller whose signal stops a run of the engine when `signal` is aborted. The engine expects the name of a
 * signal as the reason.
 */
export function stopController(signal: AbortSignal | undefined): AbortController {
  const controller = new AbortController();
  const stop = () => controller.abort('SIGTERM');
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true, signal: controller.signal });
  return controller;
}
