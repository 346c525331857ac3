/**
 * The options of the commands that solve cases: which solver or program to use, how many workers, and the time
 * limits.
 */

import { formatCommandLine } from '../../core/command-line.js';
import type { BoardmillError } from '../../core/errors.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { ComparedPath } from '../../engine/exec/compared-path.js';
import { ProgramFiles } from '../../engine/exec/program-files.js';
import { DEFAULT_RETRIES } from '../../engine/limits.js';
import { openDispatcher as openRequested, type SolveRequest } from '../../library/solve-request.js';
import type { Problem, SolverChoice } from '../../problems/problem.js';
import { QUIET_OPTION } from '../command.js';
import { takeEarlyPool } from '../early-pool.js';
import { parseAlsoCompare } from './also-compare.js';
import {
  MEMORY_LIMIT_OPTION,
  parseCountOption,
  parseJobs,
  parseMemoryLimit,
  parseSeconds,
  parseSizeOption,
  usageError,
} from './parse-options.js';
import { parseProgram } from './parse-program.js';
import { chooseProblem, GRAMMAR_OPTIONS, type ProblemArguments } from './problem-argument.js';
import { openSandbox, SANDBOX_OPTION } from './sandbox-option.js';

/** Describes the options for solving (number of workers, solver, time limit) to yargs. */
export const SOLVING_OPTIONS = {
  jobs: {
    alias: 'j',
    type: 'string',
    requiresArg: true,
    describe:
      'number of worker threads; with --exec, number of programs that run at the same time (default: number of processors)',
  },
  chunk: {
    type: 'string',
    requiresArg: true,
    describe: 'bytes of input per chunk, such as 64K or 4M (default: adapted to how long cases take)',
  },
  solver: {
    choices: ['auto', 'simd', 'portable'] as const,
    requiresArg: true,
    default: 'auto',
    describe:
      'auto: use SIMD if the board allows it, else portable code; simd: refuse boards that SIMD cannot solve; portable: never use SIMD',
  },
  exec: {
    type: 'string',
    requiresArg: true,
    describe: 'solve with this program: it reads cases on standard input and prints the answers',
  },
  'exec-cases': {
    type: 'string',
    requiresArg: true,
    describe:
      'largest number of cases per run of the program (default: as many as the contest allows in one file)',
  },
  'memory-limit': MEMORY_LIMIT_OPTION,
  sandbox: SANDBOX_OPTION,
  timeout: {
    type: 'string',
    requiresArg: true,
    describe:
      'time limit for each test case, such as 5 (seconds) or 500ms (default: none; 10 s for a checker and for `equal` of a module)',
  },
  retries: {
    type: 'string',
    requiresArg: true,
    describe: 'number of times that a chunk is solved again after its worker failed (default: 1)',
  },
  progress: {
    type: 'boolean',
    default: true,
    describe: 'show a progress bar on the terminal; --no-progress hides it',
  },
  quiet: QUIET_OPTION,
  ...GRAMMAR_OPTIONS,
} as const;

/** The solving options as yargs returns them, before they are checked. */
export interface RawSolvingOptions extends ProblemArguments {
  readonly jobs: unknown;
  readonly chunk: unknown;
  readonly solver: string;
  readonly exec: unknown;
  readonly execCases: unknown;
  /** Missing in commands that do not have the option. */
  readonly alsoCompare?: unknown;
  readonly memoryLimit: unknown;
  readonly sandbox: boolean;
  readonly timeout: unknown;
  readonly retries: unknown;
}

/**
 * Parses and checks the solving options. `note` receives messages that the user should see although nothing failed.
 * If an option is wrong, this throws a BoardmillError of kind `usage`.
 */
export async function parseSolvingOptions(
  args: RawSolvingOptions,
  note: (message: string) => void,
): Promise<SolveRequest> {
  const opened = await chooseProblem(args);
  const { problem } = opened;
  const jobs = parseJobs(args.jobs, note);
  const chunkBytes = parseSizeOption('--chunk', args.chunk) ?? null;
  const timeoutSeconds = parseSeconds('--timeout', args.timeout) ?? null;
  const retries = parseCountOption('--retries', args.retries, 0) ?? DEFAULT_RETRIES;
  const argv = parseProgram('--exec', args.exec) ?? null;
  const alsoCompare = parseAlsoCompare(args.alsoCompare, argv);
  const casesPerRun = parseCountOption('--exec-cases', args.execCases, 1);
  const memoryBytes = parseMemoryLimit(args.memoryLimit);
  const solver = args.solver as SolverChoice;
  if (argv !== null && solver !== 'auto') throw usageError('--exec and --solver cannot be used together');
  if (argv === null && casesPerRun !== undefined) throw usageError('--exec-cases needs --exec');
  if (argv === null && args.sandbox) throw usageError('--sandbox needs --exec');
  if (argv === null && memoryBytes !== null) throw usageError('--memory-limit needs --exec');
  if (argv === null && problem.solvers === null) throw noSolverError(problem);
  if (solver === 'simd') assertKernelAvailable(problem);
  const sandbox = await openSandbox(args.sandbox, alsoCompare);
  const limits = { casesPerRun: casesPerRun ?? problem.casesPerRun, memoryBytes, sandbox };
  const program =
    argv === null
      ? null
      : {
          argv,
          ...limits,
          files: await ProgramFiles.find(argv, ComparedPath.findAll('--also-compare', alsoCompare)),
        };
  return { problem, opened, jobs, chunkBytes, retries, solver, timeoutSeconds, program };
}

/** The error for a problem that boardmill cannot solve itself. */
export function noSolverError({ name }: Problem): BoardmillError {
  return usageError(`${name} has no solver; --exec CMD names a program that solves it`);
}

/** Opens the dispatcher of a request: the pool whose threads have already been started, or one of its own. The caller closes it. */
export async function openDispatcher(
  request: SolveRequest,
  inputBytes: number | null = null,
): Promise<Dispatcher> {
  const { problem, solver, jobs, timeoutSeconds, program } = request;
  const settings = { problem: problem.reference, solver };
  const early = program === null && timeoutSeconds === null ? takeEarlyPool(settings, jobs) : null;
  return early ?? openRequested(request, inputBytes);
}

/** Returns the options that are needed to repeat the failure of a case, as the user would type them. */
export function optionsToRepeat({ solver, program, timeoutSeconds }: SolveRequest): string {
  const { argv = null, memoryBytes = null, sandbox = null } = program ?? {};
  return [
    solver === 'auto' ? '' : ` --solver ${solver}`,
    argv === null ? '' : ` --exec ${formatCommandLine([formatCommandLine(argv)])}`,
    memoryBytes === null ? '' : ` --memory-limit ${memoryBytes}`,
    sandbox === null ? '' : ' --sandbox',
    timeoutSeconds === null ? '' : ` --timeout ${timeoutSeconds}`,
  ].join('');
}

/** Fails with a usage error if the problem has no SIMD kernel, or if this machine cannot run the kernel. */
export function assertKernelAvailable(problem: Problem<unknown>): void {
  try {
    const { createSimd } = problem.solvers ?? {};
    if (createSimd === undefined) throw new Error(`${problem.name} has no kernel`);
    createSimd();
  } catch (error) {
    throw usageError(`--solver simd is not available: ${error instanceof Error ? error.message : error}`);
  }
}
