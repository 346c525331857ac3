/** The options of the library's functions. None is required. */
import { availableParallelism } from 'node:os';
import { openProblem } from '../catalog/open-problem.js';
import { BoardmillError, Interrupted } from '../core/errors.js';
import { formatCount } from '../core/format-count.js';
import type { Dispatcher } from '../engine/dispatcher.js';
import { ComparedPath } from '../engine/exec/compared-path.js';
import { ProgramFiles } from '../engine/exec/program-files.js';
import { DEFAULT_RETRIES, MAX_TIMEOUT_SECONDS, MIN_TIMEOUT_SECONDS } from '../engine/limits.js';
import type { ChunkSettings, ErrorPolicy } from '../engine/output-settings.js';
import type { RunOptions } from '../engine/run-options.js';
import { type GrammarUse, grammarUseOf } from '../problems/grammar-use.js';
import type { SolverChoice } from '../problems/problem.js';
import {
  FLAG_RULE,
  FUNCTION_RULE,
  type OptionRule,
  oneOfRule,
  readOptions,
  TEXT_RULE,
  wholeNumberRule,
} from './check-options.js';
import { openDispatcher, type SolveRequest } from './solve-request.js';
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
  /** Time limit for one case, in seconds, at most 2,000,000. Default: none. */
  readonly timeout?: number;
  /** Number of times that a chunk is tried again after its worker failed. Default: 1. */
  readonly retries?: number;
  /** Aborting this signal stops the run at once. The cases that are being solved then are given up. */
  readonly signal?: AbortSignal;
  /** Called with each message that the user should see although nothing failed, and with a message for each marked case. */
  readonly onWarning?: (message: string) => void;
}

/** For each option, the rule that its value must follow. */
const OPTION_RULES: Record<keyof SolveOptions, OptionRule> = {
  jobs: wholeNumberRule(1),
  chunkBytes: wholeNumberRule(1),
  solver: oneOfRule(['auto', 'simd', 'portable']),
  exec: {
    expected: 'an array with the name of a program and its arguments, all texts',
    accepts: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string'),
  },
  execCases: wholeNumberRule(1),
  onError: oneOfRule(['stop', 'mark']),
  timeout: {
    expected: `a number of seconds from ${MIN_TIMEOUT_SECONDS} to ${formatCount(MAX_TIMEOUT_SECONDS)}`,
    accepts: (value) =>
      typeof value === 'number' && value >= MIN_TIMEOUT_SECONDS && value <= MAX_TIMEOUT_SECONDS,
  },
  retries: wholeNumberRule(0),
  signal: { expected: 'an AbortSignal', accepts: (value) => value instanceof AbortSignal },
  onWarning: FUNCTION_RULE,
  multitest: FLAG_RULE,
  casesLoop: {
    expected: 'null or a whole number of at least 1',
    accepts: (value) => value === null || wholeNumberRule(1).accepts(value),
  },
  answers: TEXT_RULE,
};

/**
 * Reads the options, and fails with kind `usage` if one is wrong. `more` has the rules for options that only one of the
 * functions accepts.
 */
export function readSolveOptions<Options extends SolveOptions>(
  given: Options,
  more: Readonly<Record<Exclude<keyof Options & string, keyof SolveOptions>, OptionRule>>,
): Options {
  const options = readOptions(given, { ...OPTION_RULES, ...more } as never);
  const { exec, execCases, solver = 'auto' } = options;
  if (exec !== undefined && solver !== 'auto')
    throw new BoardmillError('usage', '`exec` and `solver` cannot be used together');
  if (exec === undefined && execCases !== undefined)
    throw new BoardmillError('usage', '`execCases` needs `exec`');
  return options;
}

/** Opens the problem and the program, and makes a request from the options. `alsoCompare` has the paths of `--also-compare`. */
export async function requestFromOptions(
  problemName: string,
  options: SolveOptions,
  alsoCompare: readonly string[] = [],
): Promise<SolveRequest> {
  const opened = await openProblem(problemName, grammarUseOf(options));
  const { problem } = opened;
  const { jobs = availableParallelism(), chunkBytes = null, retries = DEFAULT_RETRIES } = options;
  const { exec, execCases, timeout, solver = 'auto' } = options;
  if (exec === undefined && problem.solvers === null)
    throw new BoardmillError('usage', `${problem.name} has no solver; name a program in \`exec\``);
  return {
    problem,
    opened,
    solver,
    jobs,
    timeoutSeconds: timeout ?? null,
    chunkBytes,
    retries,
    program:
      exec === undefined
        ? null
        : {
            argv: exec,
            casesPerRun: execCases ?? problem.casesPerRun,
            memoryBytes: null,
            files: await ProgramFiles.find(exec, ComparedPath.findAll('`alsoCompare`', alsoCompare)),
          },
  };
}

/** Opens the dispatcher of a request, which fails all its chunks when `stop` is aborted. The caller closes the dispatcher. */
export async function openStoppableDispatcher(
  request: SolveRequest,
  inputBytes: number | null,
  stop: AbortSignal,
): Promise<Dispatcher> {
  return new StoppableDispatcher(await openDispatcher(request, inputBytes), stop);
}

/** Returns the options with which the engine runs a request. */
export function runOptionsOf(
  { problem, chunkBytes, retries }: SolveRequest,
  { onWarning = () => {} }: SolveOptions,
  settings: ChunkSettings,
  stop: AbortSignal,
): RunOptions {
  return { problem, settings, chunkBytes, retries, warn: onWarning, note: onWarning, stop };
}

/**
 * Returns the error for the caller of the library: if the caller's signal has stopped the run, the reason of that signal;
 * otherwise `error`.
 */
export function errorForCaller(error: unknown, signal: AbortSignal | undefined): unknown {
  return error instanceof Interrupted ? (signal?.reason ?? error) : error;
}

/** Returns a controller that `signal` aborts. Its reason is the name of a Unix signal, as the engine expects. */
export function stopController(signal: AbortSignal | undefined): AbortController {
  const controller = new AbortController();
  const stop = () => controller.abort('SIGTERM');
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true, signal: controller.signal });
  return controller;
}
