/** What all commands that solve have in common: who solves, how many at a time, and with how much patience. */
import { type Dispatcher, LocalPool } from '../engine/dispatch.js';
import { ExternalSolver } from '../engine/exec.js';
import type { SolverChoice } from '../engine/messages.js';
import type { Problem } from '../problems/problem.js';
import { parseCommand, quoteCommand } from './parse-command.js';
import {
  parseCountOption,
  parseJobs,
  parseProblem,
  parseSeconds,
  parseSizeOption,
  usageError,
} from './parse-options.js';

/** For yargs. */
export const SOLVING_OPTIONS = {
  jobs: {
    alias: 'j',
    type: 'string',
    requiresArg: true,
    describe: 'worker threads, or programs at a time (default: the processors there are)',
  },
  chunk: {
    type: 'string',
    requiresArg: true,
    describe: 'bytes of input a chunk, as 64K or 4M (default: adapts)',
  },
  solver: {
    choices: ['auto', 'simd', 'portable'] as const,
    default: 'auto',
    describe: 'which solver',
  },
  exec: {
    type: 'string',
    requiresArg: true,
    describe: 'let this program solve: it reads cases on stdin and prints answers',
  },
  'exec-cases': {
    type: 'string',
    requiresArg: true,
    describe: 'most cases that a run of that program gets (default: what the contest allows)',
  },
  timeout: {
    type: 'string',
    requiresArg: true,
    describe: 'seconds for one test case (default: none)',
  },
  retries: {
    type: 'string',
    requiresArg: true,
    describe: 'times a chunk is tried again after its worker failed (default: 1)',
  },
  progress: {
    type: 'boolean',
    default: true,
    describe: 'a bar on the terminal (--no-progress: none)',
  },
  quiet: {
    alias: 'q',
    type: 'boolean',
    default: false,
    describe: 'nothing but errors on standard error',
  },
} as const;

const DEFAULT_RETRIES = 1;

/** Those options as they were given. */
export interface SolvingWords {
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
  readonly command: readonly string[] | null;
  readonly casesPerRun: number;
}

export async function parseSolving(args: SolvingWords): Promise<Solving> {
  const entry = parseProblem(args.problem);
  const jobs = parseJobs(args.jobs);
  const chunkBytes = parseSizeOption('--chunk', args.chunk) ?? null;
  const timeoutSeconds = parseSeconds('--timeout', args.timeout) ?? null;
  const retries = parseCountOption('--retries', args.retries, 0) ?? DEFAULT_RETRIES;
  const command = parseCommand('--exec', args.exec) ?? null;
  const casesPerRun = parseCountOption('--exec-cases', args.execCases, 1);
  const solver = args.solver as SolverChoice;
  if (command !== null && solver !== 'auto') throw usageError('--exec and --solver exclude each other');
  if (command === null && casesPerRun !== undefined) throw usageError('--exec-cases goes with --exec');
  const { problem } = await entry.load();
  if (solver === 'simd') requireKernel(problem);
  return {
    problem,
    jobs,
    chunkBytes,
    retries,
    solver,
    timeoutSeconds,
    command,
    casesPerRun: casesPerRun ?? problem.contest.cases,
  };
}

/** Who solves the chunks; to be closed. Fails with kind `usage` where there is no such program. */
export async function openDispatcher(
  solving: Solving,
  inputBytes: number | null = null,
): Promise<Dispatcher> {
  const { problem, solver, jobs, timeoutSeconds, command, casesPerRun } = solving;
  return command === null
    ? new LocalPool({ problem: problem.name, solver }, { jobs, timeoutSeconds, inputBytes })
    : ExternalSolver.open({ problem, command, jobs, casesPerRun, timeoutSeconds });
}

/** The options with which one case would fail again, as typed. */
export function repeatingWords({ solver, command, timeoutSeconds }: Solving): string {
  return [
    solver === 'auto' ? '' : ` --solver ${solver}`,
    command === null ? '' : ` --exec ${quoteCommand([quoteCommand(command)])}`,
    timeoutSeconds === null ? '' : ` --timeout ${timeoutSeconds}`,
  ].join('');
}

/** `--solver simd` on a machine or for a problem without a kernel is a mistake of the command line. */
export function requireKernel(problem: Problem<unknown>): void {
  try {
    if (problem.createSimdSolver === undefined) throw new Error(`${problem.name} has no kernel`);
    problem.createSimdSolver();
  } catch (error) {
    throw usageError(`--solver simd cannot be had here: ${error instanceof Error ? error.message : error}`);
  }
}
