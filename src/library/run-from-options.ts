/** Makes a run of the engine from the options of the library's functions. */
import { setMaxListeners } from 'node:events';
import { openProblem } from '../catalog/open-problem.js';
import { BoardmillError, Interrupted } from '../core/errors.js';
import type { FileGuard } from '../core/files/file-guard.js';
import { assertNotStopped } from '../core/stop.js';
import type { Dispatcher } from '../engine/dispatcher.js';
import { AlsoComparedPath } from '../engine/exec/compared-path.js';
import { ProgramFiles } from '../engine/exec/program-files.js';
import { assertWatchedFilesUnchanged, GuardedDispatcher } from '../engine/guarded-dispatcher.js';
import { limitJobs } from '../engine/limit-jobs.js';
import { DEFAULT_RETRIES } from '../engine/limits.js';
import type { ChunkSettings } from '../engine/output-settings.js';
import type { RunOptions } from '../engine/run-options.js';
import { grammarUseOf } from '../problems/grammar-use.js';
import { isGrammarPath } from '../problems/modules/module-path.js';
import type { SolveOptions } from './options.js';
import { openDispatcher, type SolveRequest } from './solve-request.js';
import { StoppableDispatcher } from './stoppable.js';
import { folderChangedError } from './working-folder.js';

/** Opens the problem and the program, and makes a request from the options. `alsoCompare` has the paths of `--also-compare`. */
export async function requestFromOptions(
  problemName: string,
  options: SolveOptions,
  alsoCompare: readonly string[] = [],
): Promise<SolveRequest> {
  if (!isGrammarPath(problemName)) assertNoGrammarOption(options);
  const opened = await unlessAborted(openProblem(problemName, grammarUseOf(options)), options.signal);
  const { problem } = opened;
  const { jobs = null, chunkBytes = null, retries = DEFAULT_RETRIES } = options;
  const { exec, execCases, timeout, solver = 'auto' } = options;
  if (exec === undefined && problem.solvers === null)
    throw new BoardmillError('usage', `${problem.name} has no solver; name a program in \`exec\``);
  return {
    problem,
    opened,
    solver,
    jobs: limitJobs(jobs, warnerOf(options), '`jobs`'),
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
            files: await ProgramFiles.find(exec, AlsoComparedPath.findAll('`alsoCompare`', alsoCompare)),
          },
  };
}

/** Waits for the work. As soon as the signal is aborted, fails with its reason instead; a module may load for seconds. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  allowManyListeners(signal);
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      work.catch(() => {});
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function assertNoGrammarOption(options: SolveOptions): void {
  for (const name of ['multitest', 'casesLoop', 'answers'] as const) {
    if ((options[name] ?? false) !== false)
      throw new BoardmillError('usage', `\`${name}\` needs a grammar (FILE.ctd) as \`problem\``);
  }
}

/**
 * Opens the dispatcher of a request, which fails all its chunks when `stop` is aborted, or when the working directory changes
 * that `folder` guards. The caller closes the dispatcher. Fails if one of both has happened already. It takes seconds to start
 * many threads and to end them, and another folder may have other files with the names that were opened.
 */
export async function openStoppableDispatcher(
  request: SolveRequest,
  inputBytes: number | null,
  folder: FileGuard,
  stop: AbortSignal,
): Promise<Dispatcher> {
  assertNotStopped(stop);
  assertWatchedFilesUnchanged([folder], folderChangedError);
  const dispatcher = await openDispatcher(request, inputBytes);
  return new StoppableDispatcher(new GuardedDispatcher(dispatcher, [folder], folderChangedError), stop);
}

/** Returns the options with which the engine runs a request. */
export function runOptionsOf(
  { problem, chunkBytes, retries }: SolveRequest,
  options: SolveOptions,
  settings: ChunkSettings,
  stop: AbortSignal,
): RunOptions {
  const warn = warnerOf(options);
  return { problem, settings, chunkBytes, retries, warn, note: warn, stop };
}

/** Returns the function that calls `onWarning`. If that is asynchronous and fails, this must not end the process. */
function warnerOf({ onWarning = () => {} }: SolveOptions): (message: string) => void {
  return (message) => {
    Promise.resolve(onWarning(message)).catch(() => {});
  };
}

/**
 * Returns the error for the caller of the library: if the caller's signal has stopped the run, the reason of that signal;
 * otherwise `error`.
 */
export function errorForCaller(error: unknown, signal: AbortSignal | undefined): unknown {
  return error instanceof Interrupted ? (signal?.reason ?? error) : error;
}

/** Returns a controller that `signal` aborts. Its reason is the name of a Unix signal, as the engine expects. */
export function createStopController(signal: AbortSignal | undefined): AbortController {
  const controller = new AbortController();
  const stop = () => controller.abort('SIGTERM');
  if (signal !== undefined) allowManyListeners(signal);
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true, signal: controller.signal });
  return controller;
}

/** Node warns of a leak at the 11th listener, but as many runs may share a signal. */
function allowManyListeners(signal: AbortSignal): void {
  setMaxListeners(0, signal);
}
