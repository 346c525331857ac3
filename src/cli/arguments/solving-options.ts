/**
 * The options of the commands that solve cases: which solver or program to use, how many workers, and the time
 * limits.
 */

import { formatCommandLine } from '../../core/command-line.js';
import type { BoardmillError } from '../../core/errors.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { AlsoComparedPath } from '../../engine/exec/compared-path.js';
import { ProgramFiles } from '../../engine/exec/program-files.js';
import { limitJobs } from '../../engine/limit-jobs.js';
import { DEFAULT_RETRIES, MAX_CHUNK_OPTION_BYTES } from '../../engine/limits.js';
import { openDispatcher as openRequested, type SolveRequest } from '../../library/solve-request.js';
import { type Problem, SOLVER_CHOICES } from '../../problems/problem.js';
import { takePoolStartedEarly } from '../early-threads.js';
import type { ValuesOfRows } from './option.js';
import { GRAMMAR_OPTIONS, openProblemArgument, type ProblemArguments } from './problem-argument.js';
import * as row from './rows.js';
import { openSandbox } from './sandbox-option.js';
import { usageError } from './usage-error.js';
import { parseSizeUpTo } from './values.js';

/** The rows of the options for solving: the number of workers, the solver or program, and the time limit. */
export const SOLVING_OPTIONS = {
  jobs: row.jobsOption(
    'number of worker threads; with --exec, number of programs that run at the same time (default: number of processors)',
  ),
  exec: row.programOption(
    'solve with this program: it reads cases on standard input and prints the answers',
    {
      excludes: ['solver'],
    },
  ),
  timeout: row.secondsOption('time limit for each test case, such as 5 (seconds) or 500ms (default: none)'),
  progress: row.flagOption('show a progress bar on the terminal; --no-progress hides it', {
    otherwise: true,
  }),
  quiet: row.QUIET_OPTION,
  ...row.optionGroup('With --exec', {
    'exec-cases': row.countOption(
      1,
      'largest number of cases per run of the program (default: as many as the contest allows in one file)',
      { needs: 'exec' },
    ),
    'memory-limit': { ...row.MEMORY_LIMIT_OPTION, needs: 'exec' },
    sandbox: { ...row.SANDBOX_OPTION, needs: 'exec' },
  }),
  ...row.optionGroup('How cases are solved', {
    solver: row.choiceOption(
      SOLVER_CHOICES,
      'auto',
      'auto: use SIMD if the board allows it, else portable code; simd: refuse boards that SIMD cannot solve; portable: never use SIMD',
    ),
    chunk: row.valueOption(
      parseSizeUpTo(MAX_CHUNK_OPTION_BYTES),
      'bytes of input per chunk, such as 64K or 4M (default: adapted to how long cases take)',
      { value: 'SIZE' },
    ),
    retries: row.optionWithDefault(
      DEFAULT_RETRIES,
      row.countOption(
        0,
        `number of times that a chunk is solved again after its worker failed (default: ${DEFAULT_RETRIES})`,
      ),
    ),
  }),
  ...GRAMMAR_OPTIONS,
};

/** The values of the options for solving. They include `--also-compare` in the commands that have this option. */
export type SolvingValues = ProblemArguments &
  Omit<ValuesOfRows<typeof SOLVING_OPTIONS>, 'progress' | 'quiet'> & {
    readonly alsoCompare?: readonly string[];
  };

/**
 * Opens the problem, and finds the files of the program. `note` receives messages that are shown although nothing failed. Fails
 * with kind `usage` if the problem cannot be solved with these options.
 */
export async function prepareSolving(
  args: SolvingValues,
  note: (message: string) => void,
): Promise<SolveRequest> {
  const { chunk: chunkBytes, retries, solver, timeout: timeoutSeconds, exec: argv } = args;
  const opened = await openProblemArgument(args);
  const { problem } = opened;
  const jobs = limitJobs(args.jobs, note);
  if (argv === null && problem.solvers === null) throw noSolverError(problem);
  if (solver === 'simd') assertKernelAvailable(problem);
  const program = argv === null ? null : await prepareProgram(argv, args, problem);
  return { problem, opened, jobs, chunkBytes, retries, solver, timeoutSeconds, program };
}

async function prepareProgram(
  argv: readonly string[],
  { execCases, memoryLimit, sandbox, alsoCompare = [] }: SolvingValues,
  problem: Problem,
): Promise<SolveRequest['program']> {
  return {
    argv,
    casesPerRun: execCases ?? problem.casesPerRun,
    memoryBytes: memoryLimit,
    sandbox: await openSandbox(sandbox, alsoCompare),
    files: await ProgramFiles.find(argv, AlsoComparedPath.findAll('--also-compare', alsoCompare)),
  };
}

/** Returns the error for a problem that boardmill has no solver for. */
export function noSolverError({ name }: Problem): BoardmillError {
  return usageError(`${name} has no solver; --exec CMD names a program that solves it`);
}

/** Opens the dispatcher of a run: the pool whose threads have already been started, or another one. The caller closes it. */
export async function openDispatcher(
  request: SolveRequest,
  inputBytes: number | null = null,
): Promise<Dispatcher> {
  const { problem, solver, jobs, timeoutSeconds, program } = request;
  const settings = { problem: problem.reference, solver };
  const early = program === null && timeoutSeconds === null ? takePoolStartedEarly(settings, jobs) : null;
  early?.expectInputs(inputBytes);
  return openRequested(request, inputBytes, early);
}

/** Returns the options that the user has to type to repeat the failure of a case. */
export function optionsThatRepeatFailure({ solver, program, timeoutSeconds }: SolveRequest): string {
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
