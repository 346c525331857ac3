/** The pool of worker threads of this process. It solves chunks for a local run. */
import { Piscina } from 'piscina';
import { ChunkFailure, type Dispatcher } from './dispatcher.js';
import { BYTES_PER_THREAD, CHECKS_PER_TIMEOUT, CHUNKS_PER_WORKER } from './limits.js';
import {
  type ChunkResult,
  type ChunkTask,
  createProgress,
  type WorkerTask,
  type WorkProgress,
} from './messages.js';
import type { WorkerSettings } from './output-settings.js';

export interface LocalPoolOptions {
  readonly jobs: number;
  /** For one test case; null: none. */
  readonly timeoutSeconds?: number | null;
  /** What there is to solve, as far as it is known: enough of it, and all threads start at once. */
  readonly inputBytes?: number | null;
  /** What a thread runs, instead of the solvers. */
  readonly workerFile?: string;
}

const WORKER_FILE = new URL('../../workers/solve-chunk.js', import.meta.url).href;

/** A chunk that a worker has or will have. */
interface Watched {
  readonly progress: WorkProgress;
  readonly firstCase: number;
  readonly abort: AbortController;
  /** The step its worker was last seen at, and how often in a row. */
  step: number;
  looks: number;
  isTimedOut: boolean;
}

/** Why no worker could start, where nothing else said so. */
const ENDED_AT_START = 'it ended before it was ready';

/** Worker threads of this process. One starts at once, the others when there is work for them. */
export class LocalPool implements Dispatcher {
  readonly slots: number;
  readonly #pool: Piscina<WorkerTask, ChunkResult>;
  readonly #timeoutMs: number | null;
  readonly #watched = new Set<Watched>();
  readonly #watch: NodeJS.Timeout | null;
  #lastWords = ENDED_AT_START;

  constructor(settings: WorkerSettings, options: LocalPoolOptions) {
    const { jobs, timeoutSeconds = null, inputBytes = null, workerFile = WORKER_FILE } = options;
    this.slots = jobs * CHUNKS_PER_WORKER;
    expectListeners(jobs);
    this.#pool = new Piscina({
      filename: workerFile,
      workerData: settings,
      minThreads: Math.max(1, Math.min(jobs, Math.floor((inputBytes ?? 0) / BYTES_PER_THREAD))),
      maxThreads: jobs,
      idleTimeout: Number.POSITIVE_INFINITY,
      recordTiming: false,
    });
    // What a worker dies of when it has no chunk costs no answer; the next chunk gets another worker.
    this.#pool.on('error', (error: Error) => {
      this.#lastWords = error.message;
    });
    this.#pool.on('workerDestroy', () => setImmediate(() => this.#releaseStranded()));
    this.#timeoutMs = timeoutSeconds === null ? null : timeoutSeconds * 1000;
    this.#watch = this.#timeoutMs === null ? null : this.#startWatch(this.#timeoutMs);
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    const progress = createProgress();
    const watched = {
      progress,
      firstCase: task.firstCase,
      abort: new AbortController(),
      step: 0,
      looks: 0,
      isTimedOut: false,
    };
    this.#watched.add(watched);
    try {
      return await this.#pool.run({ ...task, progress }, { signal: watched.abort.signal });
    } catch (error) {
      throw this.#failureOf(watched, error);
    } finally {
      this.#watched.delete(watched);
    }
  }

  async close(): Promise<void> {
    if (this.#watch !== null) clearInterval(this.#watch);
    await this.#pool.destroy();
  }

  /**
   * Looks at what the workers are at. Time is counted in looks, not by the clock: while this thread is held up,
   * or the process is stopped and continued, none is taken, and no case is over its time for it.
   */
  #startWatch(timeoutMs: number): NodeJS.Timeout {
    const look = () => {
      for (const watched of this.#watched) lookAt(watched);
    };
    return setInterval(look, Math.max(1, timeoutMs / CHECKS_PER_TIMEOUT)).unref();
  }

  /** Piscina starts no worker in place of one that died while it started: chunks would wait for ever. */
  #releaseStranded(): void {
    if (this.#pool.threads.length > 0) return;
    for (const { abort } of this.#watched) abort.abort();
  }

  #failureOf(watched: Watched, error: unknown): ChunkFailure {
    const [steps, index, count] = watched.progress;
    const from = watched.firstCase + index;
    const suspects = count > 0 ? { from, to: from + count - 1 } : null;
    if (watched.isTimedOut && this.#timeoutMs !== null) {
      return new ChunkFailure('timeout', `no answer within ${this.#timeoutMs / 1000} s`, suspects);
    }
    if (steps === 0) return new ChunkFailure('no-start', this.#lastWords, null, { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    return new ChunkFailure('crash', `its solver failed: ${reason}`, suspects, { cause: error });
  }
}

/** Each thread listens to the output streams of the process. Node takes more than ten listeners for a leak, and says so. */
function expectListeners(threads: number): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.setMaxListeners(Math.max(stream.getMaxListeners(), OTHER_LISTENERS + threads));
  }
}

/** Room for the listeners that are not the threads' own. */
const OTHER_LISTENERS = 10;

function lookAt(watched: Watched): void {
  const step = Atomics.load(watched.progress, 0);
  const [, , cases] = watched.progress;
  watched.looks = step === watched.step && cases > 0 ? watched.looks + 1 : 0;
  watched.step = step;
  if (watched.looks <= CHECKS_PER_TIMEOUT) return;
  watched.isTimedOut = true;
  watched.abort.abort();
}
