/** What all commands that solve have in common: who solves, how many at a time, and with how much patience. */

import type { Dispatcher } from '../../engine/dispatcher.js';
import { ExternalSolver } from '../../engine/exec/external-solver.js';
import { ProgramFiles } from '../../engine/exec/program-files.js';
import { LocalPool } from '../../engine/local-pool.js';
import type { Problem, SolverChoice } from '../../problems/problem.js';
import {
  parseCountOption,
  parseJobs,
  parseProblem,
  parseSeconds,
  parseSizeOption,
  usageError,
} from './parse-options.js';
import { parseProgram, quoteWords } from './parse-program.js';

/** For yargs. */
export const SOLVING_OPTIONS = {
  jobs: {
    alias: 'j',
    type: 'string',
    requiresArg: true,
    describe: 'number of worker threads, or of programs that run at a time (default: number of processors)',
  },
  chunk: {
    type: 'string',
    requiresArg: true,
    describe: 'bytes of input per chunk, such as 64K or 4M (default: adapts to the cases)',
  },
  solver: {
    choices: ['auto', 'simd', 'portable'] as const,
    default: 'auto',
    describe: 'auto: SIMD where it can; simd: refuse other boards; portable: no SIMD',
  },
  exec: {
    type: 'string',
    requiresArg: true,
    describe: 'take the answers from this program, which reads cases on standard input',
  },
  'exec-cases': {
    type: 'string',
    requiresArg: true,
    describe:
      'largest number of cases that one run of the program gets (default: as many as the contest allows)',
  },
  timeout: {
    type: 'string',
    requiresArg: true,
    describe: 'time limit for one test case, such as 5 or 500ms (default: none)',
  },
  retries: {
    type: 'string',
    requiresArg: true,
    describe: 'how often a chunk is tried again after its worker failed (default: 1)',
  },
  progress: {
    type: 'boolean',
    default: true,
    describe: 'show a progress bar on the terminal (--no-progress: none)',
  },
  quiet: {
    alias: 'q',
    type: 'boolean',
    default: false,
    describe: 'print nothing but errors on standard error',
  },
} as const;

const DEFAULT_RETRIES = 1;

/** Those options as they were given. */
export interface RawSolvingOptions {
  readonly problem: string;
  readonly jobs: unknown;
  readonly chunk: unknown;
  readonly solver: string;
  readonly exec: unknown;
  readonly execCases: unknown;
  readonly timeout: unknown;
  readonly retries: unknown;
}

/** Those options, understood. */
export interface Solving {
  readonly problem: Problem<unknown>;
  readonly jobs: number;
  readonly chunkBytes: number | null;
  readonly retries: number;
  readonly solver: SolverChoice;
  readonly timeoutSeconds: number | null;
  /** The program that solves; null: boardmill itself does. */
  readonly argv: readonly string[] | null;
  readonly casesPerRun: number;
  /** The files of that program; null: boardmill itself solves. */
  readonly programFiles: ProgramFiles | null;
}

/** `note` receives what the user should know though nothing failed. Fails with kind `usage`. */
export async function parseSolving(
  args: RawSolvingOptions,
  note: (message: string) => void,
): Promise<Solving> {
  const entry = parseProblem(args.problem);
  const jobs = parseJobs(args.jobs, note);
  const chunkBytes = parseSizeOption('--chunk', args.chunk) ?? null;
  const timeoutSeconds = parseSeconds('--timeout', args.timeout) ?? null;
  const retries = parseCountOption('--retries', args.retries, 0) ?? DEFAULT_RETRIES;
  const argv = parseProgram('--exec', args.exec) ?? null;
  const casesPerRun = parseCountOption('--exec-cases', args.execCases, 1);
  const solver = args.solver as SolverChoice;
  if (argv !== null && solver !== 'auto') throw usageError('--exec and --solver exclude each other');
  if (argv === null && casesPerRun !== undefined) throw usageError('--exec-cases goes with --exec');
  const { problem } = await entry.load();
  if (solver === 'simd') requireKernel(problem);
  return {
    problem,
    jobs,
    chunkBytes,
    retries,
    solver,
    timeoutSeconds,
    argv,
    casesPerRun: casesPerRun ?? problem.contestLimits.cases,
    programFiles: argv === null ? null : await ProgramFiles.of(argv),
  };
}

/** Who solves the chunks; to be closed. Fails with kind `usage` where there is no such program. */
export async function openDispatcher(
  solving: Solving,
  inputBytes: number | null = null,
): Promise<Dispatcher> {
  const { problem, solver, jobs, timeoutSeconds, argv, casesPerRun } = solving;
  return argv === null
    ? new LocalPool({ problem: problem.name, solver }, { jobs, timeoutSeconds, inputBytes })
    : ExternalSolver.open({ problem, argv, jobs, casesPerRun, timeoutSeconds });
}

/** The options with which one case would fail again, as typed. */
export function optionsToRepeat({ solver, argv, timeoutSeconds }: Solving): string {
  return [
    solver === 'auto' ? '' : ` --solver ${solver}`,
    argv === null ? '' : ` --exec ${quoteWords([quoteWords(argv)])}`,
    timeoutSeconds === null ? '' : ` --timeout ${timeoutSeconds}`,
  ].join('');
}

/** `--solver simd` on a machine or for a problem without a kernel is a mistake of the argv line. */
export function requireKernel(problem: Problem<unknown>): void {
  try {
    if (problem.createSimdSolver === undefined) throw new Error(`${problem.name} has no kernel`);
    problem.createSimdSolver();
  } catch (error) {
    throw usageError(`--solver simd cannot be had here: ${error instanceof Error ? error.message : error}`);
  }
}
