/** The dispatcher of a local run: a pool of worker threads in this process. */
import type { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { Piscina, type PiscinaTask, queueOptionsSymbol } from 'piscina';
import { KIB } from '../core/bytes.js';
import { BoardmillError, describeShortage } from '../core/errors.js';
import type { FileGuard } from '../core/files/file-guard.js';
import { INSTALLATION_FOLDER } from '../core/installation.js';
import { settleBytes } from '../core/settle-bytes.js';
import { allowThreadListeners } from '../core/thread-listeners.js';
import type { DescribeModuleReply, DescribeModuleRequest } from '../problems/modules/describe-module.js';
import { threadOptions } from '../problems/modules/thread-options.js';
import type { Problem } from '../problems/problem.js';
import type { AuthorFunctionName, AuthorFunctions } from './author-messages.js';
import { ChunkFailure, Dispatcher, type SolveRange } from './dispatcher.js';
import { assertWatchedFilesUnchanged, ChangedFileError } from './guarded-dispatcher.js';
import { allocateSharedProgress, type ChunkResult, type ChunkTask, type WorkProgress } from './messages.js';
import type { WorkerSettings } from './output-settings.js';
import { readHandoff } from './parallel-scan/handoff.js';
import type { RangeResult, RangeTask } from './parallel-scan/range-messages.js';
import { ThreadLimit } from './thread-limit.js';

/**
 * Number of chunks that the engine may give out for each worker: one that the worker solves, and one that waits, so that the
 * worker is never idle.
 */
const CHUNKS_PER_WORKER = 2;

/**
 * Starting a worker thread takes 50 ms. Before the cost of the cases is known, the pool starts one thread for each
 * BYTES_PER_THREAD bytes of the inputs.
 */
const BYTES_PER_THREAD = 256 * KIB;

/** Number of times within one `--timeout` that the pool checks what the workers are doing. */
const PROGRESS_CHECKS_PER_TIMEOUT = 16;

interface LocalPoolOptions {
  readonly jobs: number;
  /** Time limit for one test case, in seconds; null if there is no limit. */
  readonly timeoutSeconds?: number | null;
  /**
   * Total size of all inputs in bytes; null if the size is not known. If the inputs are large enough, all threads
   * start at once.
   */
  readonly inputBytes?: number | null;
  /** Time between two looks at the threads that are loading, in milliseconds, for tests. */
  readonly loadingCheckMs?: number;
  /** URL of the code that the worker threads run, for tests. If missing, they run run-job.js. */
  readonly workerFile?: string;
  /**
   * Notices changes of the files of the problem. After one, the pool accepts no results, because a thread that starts later
   * loads the changed files. Missing if the caller itself looks for changes.
   */
  readonly guard?: FileGuard | undefined;
}

const WORKER_FILE = new URL('workers/run-job.js', INSTALLATION_FOLDER).href;
const IMPORT_WORKER = new URL('workers/import-worker.cjs', INSTALLATION_FOLDER).href;

/**
 * The longest time, in milliseconds, that closing a pool waits for threads that are still loading. If a thread is ended while
 * it loads, Node never closes the files that the thread was reading.
 */
const LOADING_MS = 5000;

/**
 * The pool looks every LOADING_CHECK_MS which threads are still loading, and ends one that it has found loading so many times.
 * If the process may not open more files, Node 20 waits without end for the thread of a resolve hook.
 */
const LOADING_CHECK_MS = 1000;
const LOADING_CHECKS = 60;

/** What a thread sends when it has loaded its code. */
interface LoadedMessage {
  readonly loadedThread: number;
}

/** A task that a worker is doing or that waits for a worker, with the data by which the pool checks its time limit. */
interface Watched {
  readonly progress: WorkProgress;
  readonly abortController: AbortController;
  /**
   * The number of steps that the worker had begun at the last check (see WorkProgress), and how many checks in a row have found
   * the same number of steps.
   */
  lastStep: number;
  checksAtStep: number;
  isTimedOut: boolean;
  isGivenUp: boolean;
}

/** The reason that a message gives if no worker thread could start and there is no error that says why. */
const ENDED_TOO_EARLY_REASON = 'it ended before it was ready';
/** What Piscina says of a thread that has ended. This does not say why. */
const EXIT_OF_THREAD = /^worker exited with code/;

/**
 * A pool of worker threads that solve chunks. One thread starts at once, or several if the inputs are large. The others start
 * when there are chunks for them; if the inputs are small, only when the first one has not solved all chunks soon.
 */
export class LocalPool extends Dispatcher {
  readonly maxChunksAtOnce: number;
  readonly maxCasesPerChunk = null;
  readonly mostWorkers = null;
  readonly lastChunks = null;
  readonly narrowsByHalves = false;
  readonly cutting = null;
  readonly solveByteRange: SolveRange | null;
  readonly #pool: Piscina;
  /**
   * Gives Piscina, the library of the thread pool, no more tasks than it has threads, in the order of the calls. Piscina's own
   * queue keeps no order, so all threads could end up waiting for a range that is still in that queue.
   */
  readonly #inOrder: ReturnType<typeof pLimit>;
  readonly #threadLimit: ThreadLimit;
  readonly #noteThreadsEnded: () => void;
  #isClosed = false;
  /** The path of the problem's module, as the user typed it; null if the problem is not a module. */
  readonly #module: string | null;
  readonly #guards: readonly FileGuard[];
  readonly #timeoutMs: number | null;
  readonly #watched = new Set<Watched>();
  readonly #checkTimer: NodeJS.Timeout | null;
  #startFailure = ENDED_TOO_EARLY_REASON;
  /** The numbers of the threads that have loaded their code. */
  readonly #loadedThreads = new Set<number>();
  /** Called whenever a thread has loaded its code or has ended. */
  #onThreadChange = () => {};
  readonly #loadingTimer: NodeJS.Timeout;
  /** How many times the pool has found a thread loading. */
  readonly #loadingChecks = new WeakMap<Worker, number>();

  /** Starts a pool for a problem. It rejects results after a change of a file of the problem. */
  static of(
    problem: Problem,
    settings: Omit<WorkerSettings, 'problem'>,
    options: Omit<LocalPoolOptions, 'guard'>,
  ): LocalPool {
    return new LocalPool({ problem: problem.reference, ...settings }, { ...options, guard: problem.guard });
  }

  constructor(settings: WorkerSettings, options: LocalPoolOptions) {
    super();
    const { jobs, timeoutSeconds = null, inputBytes = null, workerFile = WORKER_FILE } = options;
    const { loadingCheckMs = LOADING_CHECK_MS } = options;
    this.maxChunksAtOnce = jobs * CHUNKS_PER_WORKER;
    this.solveByteRange = returnsAnswers(settings) ? (task) => this.#solveByteRange(task) : null;
    this.#noteThreadsEnded = allowThreadListeners(jobs);
    this.#inOrder = pLimit(jobs);
    this.#threadLimit = new ThreadLimit(this.#inOrder);
    this.expectInputs(inputBytes);
    settleBytes();
    this.#guards = options.guard === undefined ? [] : [options.guard];
    this.#module = settings.problem.kind === 'module' ? settings.problem.typed : null;
    this.#pool = new Piscina({
      filename: IMPORT_WORKER,
      argv: [workerFile],
      ...threadOptions(),
      workerData: settings,
      minThreads: Math.max(1, Math.min(jobs, Math.floor((inputBytes ?? 0) / BYTES_PER_THREAD))),
      maxThreads: jobs,
      idleTimeout: Number.POSITIVE_INFINITY,
      recordTiming: false,
      loadBalancer: (task, workers) => chooseWorker(task, workers, jobs),
    });
    // If a worker dies while it has no chunk, no answer is lost: another worker solves the next chunk.
    this.#pool.on('error', (error: Error) => {
      this.#startFailure = describeShortage(error) ?? error.message;
    });
    // The code of a user's module may send messages, too, of any kind.
    this.#pool.on('message', (message: LoadedMessage | null) => {
      if (typeof message?.loadedThread !== 'number') return;
      this.#loadedThreads.add(message.loadedThread);
      this.#threadLimit.noteLoaded();
      this.#onThreadChange();
    });
    this.#pool.on('workerDestroy', () => setImmediate(() => this.#afterEndOfThread()));
    this.#loadingTimer = setInterval(() => this.#endStuckThreads(), loadingCheckMs).unref();
    this.#timeoutMs = timeoutSeconds === null ? null : timeoutSeconds * 1000;
    this.#checkTimer = this.#timeoutMs === null ? null : this.#startChecks(this.#timeoutMs);
  }

  /** Says how large the inputs of a pool are that was opened before this was known. Null stands for an unknown size. */
  expectInputs(bytes: number | null): void {
    this.#threadLimit.expectInputs(bytes);
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    const watched = createWatched();
    try {
      return await this.#run(task, watched);
    } catch (error) {
      throw this.#failureOfChunk(task.firstCase, watched, error);
    }
  }

  async #solveByteRange(task: RangeTask): Promise<RangeResult> {
    const watched = createWatched();
    try {
      return await this.#run<RangeResult>(task, watched, 'solveByteRange');
    } catch (error) {
      const casesBefore = (readHandoff(task.handoff)?.cases ?? 0) + watched.progress[3];
      throw this.#failureOfChunk(casesBefore + 1, watched, error);
    }
  }

  /**
   * Calls a function of the problem's module in a worker thread. `numberOf` returns the number of a case of the task. Fails
   * with kind `usage` if the function throws, or takes longer for a case than the pool's time limit.
   */
  async callAuthor<Name extends AuthorFunctionName>(
    name: Name,
    task: AuthorFunctions[Name]['task'],
    numberOf: (index: number) => number,
  ): Promise<AuthorFunctions[Name]['result']> {
    const watched = createWatched();
    try {
      return await this.#run<AuthorFunctions[Name]['result']>(task, watched, name);
    } catch (error) {
      if (error instanceof ChangedFileError) throw error;
      const reason = watched.isTimedOut
        ? `${this.#module}: \`${AUTHOR_NAMES[name]}\` has not returned within ${this.#timeoutMs! / 1000} s for case ${numberOf(watched.progress[1])}`
        : messageOf(error);
      throw new BoardmillError('usage', reason, { cause: error });
    }
  }

  /**
   * Lets a worker thread load a module that it will solve with, and describe it. Fails if the module ends the thread, and
   * waits as long as its code runs.
   */
  describeModule(request: DescribeModuleRequest): Promise<DescribeModuleReply> {
    return this.#run<DescribeModuleReply>(request, createWatched(), 'callDescribe');
  }

  /** Gives a task to a worker thread, which calls its exported function `name`. A worker that takes too long is ended. */
  async #run<Result = ChunkResult>(task: object, watched: Watched, name = 'default'): Promise<Result> {
    const { progress, abortController } = watched;
    const { signal } = abortController;
    this.#watched.add(watched);
    try {
      const { notBy } = task as Partial<ChunkTask>;
      const call = { name, task: { ...task, progress }, [queueOptionsSymbol]: { notBy } };
      return (await this.#inOrder(() => {
        if (this.#isClosed) throw new Error('the pool is closed');
        return this.#pool.run(call, { signal });
      })) as Result;
    } finally {
      this.#watched.delete(watched);
      assertWatchedFilesUnchanged(this.#guards);
    }
  }

  giveUp(): void {
    for (const watched of this.#watched) {
      watched.isGivenUp = true;
      watched.abortController.abort();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#threadsAreLoaded();
    await this.closeWithProcess();
  }

  /** Closes the pool of a process that ends soon, which need not wait for threads that are still loading. */
  async closeWithProcess(): Promise<void> {
    this.#isClosed = true;
    if (this.#checkTimer !== null) clearInterval(this.#checkTimer);
    clearInterval(this.#loadingTimer);
    await this.#pool.destroy();
    this.#noteThreadsEnded();
  }

  /** Waits until all threads have loaded their code, at most LOADING_MS. */
  async #threadsAreLoaded(): Promise<void> {
    const areLoaded = () => this.#findLoadingThreads().length === 0;
    if (areLoaded()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOADING_MS);
      this.#onThreadChange = () => {
        if (!areLoaded()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * Checks regularly what the workers are doing. The pool measures time as a number of checks, not by the clock. So no case
   * times out only because the coordinator was blocked or the process was stopped: then no checks happen.
   */
  #startChecks(timeoutMs: number): NodeJS.Timeout {
    const checkAll = () => {
      for (const watched of this.#watched) checkProgress(watched);
    };
    return setInterval(checkAll, Math.max(1, timeoutMs / PROGRESS_CHECKS_PER_TIMEOUT)).unref();
  }

  #findLoadingThreads(): Worker[] {
    return this.#pool.threads.filter(({ threadId }) => !this.#loadedThreads.has(threadId));
  }

  #endStuckThreads(): void {
    for (const thread of this.#findLoadingThreads()) {
      const checks = (this.#loadingChecks.get(thread) ?? 0) + 1;
      this.#loadingChecks.set(thread, checks);
      if (checks < LOADING_CHECKS) continue;
      this.#startFailure = `it did not load its code within ${(LOADING_CHECKS * LOADING_CHECK_MS) / 1000} s`;
      void thread.terminate();
    }
  }

  #afterEndOfThread(): void {
    this.#failUnservedChunks();
    this.#onThreadChange();
  }

  /**
   * Fails all chunks if no worker thread is left. The thread pool (Piscina) does not replace a worker that died while
   * it was starting, so the chunks would wait forever.
   */
  #failUnservedChunks(): void {
    if (this.#pool.threads.length > 0) return;
    for (const { abortController } of this.#watched) abortController.abort();
  }

  #failureOfChunk(firstCase: number, watched: Watched, error: unknown): ChunkFailure | ChangedFileError {
    if (error instanceof ChangedFileError) return error;
    const [steps, index, count] = watched.progress;
    const from = firstCase + index;
    const suspects = count > 0 ? { from, to: from + count - 1 } : null;
    if (watched.isGivenUp) return new ChunkFailure('given-up', 'the run was stopped', suspects);
    if (watched.isTimedOut && this.#timeoutMs !== null) {
      return new ChunkFailure('timeout', `no answer within ${this.#timeoutMs / 1000} s`, suspects);
    }
    if (steps === 0) {
      const isEnded = watched.abortController.signal.aborted || EXIT_OF_THREAD.test(messageOf(error));
      const reason = describeShortage(error) ?? (isEnded ? this.#startFailure : messageOf(error));
      return new ChunkFailure('no-start', reason, null, { cause: error });
    }
    return new ChunkFailure('crash', `its solver failed: ${messageOf(error)}`, suspects, { cause: error });
  }
}

/**
 * Returns an idle worker; null if the task must wait for another one. A task that a worker must not solve waits for the others,
 * if the pool has any.
 */
function chooseWorker<Worker extends { readonly id: number; readonly currentUsage: number }>(
  task: PiscinaTask,
  workers: readonly Worker[],
  jobs: number,
): Worker | null {
  const { notBy } = (task[queueOptionsSymbol] ?? {}) as Pick<ChunkTask, 'notBy'>;
  const isAllowed = ({ id }: Worker) => jobs === 1 || `${id}` !== notBy;
  return workers.find((worker) => worker.currentUsage === 0 && isAllowed(worker)) ?? null;
}

/** The names that authors know for the functions that a worker exports. */
const AUTHOR_NAMES: Record<AuthorFunctionName, string> = {
  callEqual: 'equal',
  callValid: 'valid',
  callGenerate: 'generate',
};

function createWatched(): Watched {
  return {
    progress: allocateSharedProgress(),
    abortController: new AbortController(),
    lastStep: 0,
    checksAtStep: 0,
    isTimedOut: false,
    isGivenUp: false,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the threads return bytes that can be written to the output: answers, or texts in place of answers. */
function returnsAnswers({ job }: WorkerSettings): boolean {
  return job === undefined || job.kind === 'skip';
}

/** Aborts the task if its worker has been working on the same cases for longer than the timeout. */
function checkProgress(watched: Watched): void {
  const step = Atomics.load(watched.progress, 0);
  const [, , cases] = watched.progress;
  watched.checksAtStep = step === watched.lastStep && cases > 0 ? watched.checksAtStep + 1 : 0;
  watched.lastStep = step;
  if (watched.checksAtStep <= PROGRESS_CHECKS_PER_TIMEOUT) return;
  watched.isTimedOut = true;
  watched.abortController.abort();
}
