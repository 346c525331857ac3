/**
 * The options of the commands that solve cases: which solver or program to use, how many workers, and the time
 * limits.
 */

import type { OpenedProblem } from '../../catalog/open-problem.js';
import type { BoardmillError } from '../../core/errors.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { ComparedPath } from '../../engine/exec/compared-path.js';
import { ExternalSolver } from '../../engine/exec/external-solver.js';
import { guardsOf, ProgramFiles } from '../../engine/exec/program-files.js';
import type { SandboxLauncher } from '../../engine/exec/sandbox.js';
import { GuardedDispatcher } from '../../engine/guarded-dispatcher.js';
import { LocalPool } from '../../engine/local-pool.js';
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
import { formatCommandLine, parseProgram } from './parse-program.js';
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

const DEFAULT_RETRIES = 1;

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

/** The solving options after parsing and checking. */
export interface SolvingOptions {
  readonly problem: Problem;
  /** The problem with the files that define it. */
  readonly chosen: OpenedProblem;
  readonly jobs: number;
  /** Size of a chunk; null if the size adapts to how long cases take. */
  readonly chunkBytes: number | null;
  readonly retries: number;
  readonly solver: SolverChoice;
  /** Time limit for one case; null if there is none. */
  readonly timeoutSeconds: number | null;
  /** The program that solves, with its arguments; null if boardmill itself solves. */
  readonly argv: readonly string[] | null;
  /** Largest number of cases that one run of the program gets. */
  readonly casesPerRun: number;
  /** Address space of each run of the program, in bytes; null if it is not limited. */
  readonly memoryBytes: number | null;
  /** Runs the program in sandboxes; null if it runs with the rights of boardmill. */
  readonly sandbox: SandboxLauncher | null;
  /** The files that the program consists of, and what `--also-compare` names; null if boardmill itself solves. */
  readonly programFiles: ProgramFiles | null;
}

/**
 * Parses and checks the solving options. `note` receives messages that the user should see although nothing failed.
 * If an option is wrong, this throws a BoardmillError of kind `usage`.
 */
export async function parseSolvingOptions(
  args: RawSolvingOptions,
  note: (message: string) => void,
): Promise<SolvingOptions> {
  const chosen = await chooseProblem(args);
  const { problem } = chosen;
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
  if (argv === null && !problem.hasSolver) throw noSolverError(problem);
  if (solver === 'simd') assertKernelAvailable(problem);
  return {
    problem,
    chosen,
    jobs,
    chunkBytes,
    retries,
    solver,
    timeoutSeconds,
    argv,
    casesPerRun: casesPerRun ?? problem.casesPerRun,
    memoryBytes,
    sandbox: await openSandbox(args.sandbox, alsoCompare),
    programFiles:
      argv === null
        ? null
        : await ProgramFiles.find(argv, ComparedPath.findAll('--also-compare', alsoCompare)),
  };
}

/** The error for a problem that boardmill cannot solve itself. */
export function noSolverError({ name }: Problem): BoardmillError {
  return usageError(`${name} has no solver; --exec CMD names a program that solves it`);
}

/**
 * Opens the dispatcher that solves the chunks: the pool of workers, or the program of `--exec`. The caller closes it.
 * If the program does not exist, this throws a BoardmillError of kind `usage`.
 */
export async function openDispatcher(
  solving: SolvingOptions,
  inputBytes: number | null = null,
): Promise<Dispatcher> {
  const { problem, chosen, solver, jobs, timeoutSeconds, argv, programFiles } = solving;
  const settings = { problem: problem.reference, solver };
  const early = argv === null && timeoutSeconds === null ? takeEarlyPool(settings, jobs) : null;
  return (
    early ?? new GuardedDispatcher(await openSolver(solving, inputBytes), guardsOf(chosen, programFiles))
  );
}

/** What a dispatcher of this machine is made from. */
type SolverOptions = Pick<
  SolvingOptions,
  'problem' | 'solver' | 'jobs' | 'timeoutSeconds' | 'argv' | 'casesPerRun' | 'memoryBytes' | 'sandbox'
>;

/** Opens a dispatcher of this machine. If the program does not exist, this throws a BoardmillError of kind `usage`. */
export async function openSolver(
  options: SolverOptions,
  inputBytes: number | null = null,
): Promise<Dispatcher> {
  const { problem, solver, jobs, timeoutSeconds, argv, casesPerRun, memoryBytes, sandbox } = options;
  if (argv !== null)
    return ExternalSolver.open({ problem, argv, jobs, casesPerRun, timeoutSeconds, memoryBytes, sandbox });
  return new LocalPool({ problem: problem.reference, solver }, { jobs, timeoutSeconds, inputBytes });
}

/** Returns the options that are needed to repeat the failure of a case, as the user would type them. */
export function optionsToRepeat({
  solver,
  argv,
  timeoutSeconds,
  memoryBytes,
  sandbox,
}: SolvingOptions): string {
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
    if (problem.createSimdSolver === undefined) throw new Error(`${problem.name} has no kernel`);
    problem.createSimdSolver();
  } catch (error) {
    throw usageError(`--solver simd is not available: ${error instanceof Error ? error.message : error}`);
  }
}
