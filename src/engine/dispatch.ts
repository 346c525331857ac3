/** The third stage: gives chunks to whoever solves them. */
import { Piscina } from 'piscina';
import { CHUNKS_PER_WORKER, WATCHES_PER_TIMEOUT } from './limits.js';
import type { ChunkResult, ChunkTask, WorkerSetup, WorkerTask, WorkProgress } from './messages.js';

/** Solves chunks, in any order. The engine knows no more of how it does that. */
export interface Dispatcher {
  /** Chunks to give out at a time. */
  readonly slots: number;
  /** Takes the task's buffers over. Rejects with a ChunkFailure where the solver failed. */
  solve(task: ChunkTask): Promise<ChunkResult>;
  close(): Promise<void>;
}

/** A run of cases of a chunk. */
export interface CaseRange {
  readonly index: number;
  readonly count: number;
}

/** The chunk was not solved; which case was at fault is known as far as `suspects` tells. */
export class ChunkFailure extends Error {
  constructor(
    readonly kind: 'crash' | 'timeout',
    /** For the user, as "a worker exited". */
    readonly reason: string,
    readonly suspects: CaseRange | null,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

export interface LocalPoolOptions {
  readonly jobs: number;
  /** For one test case; null: none. */
  readonly timeoutSeconds?: number | null;
  /** What a thread runs, instead of the solvers. */
  readonly workerFile?: string;
}

const WORKER_FILE = new URL('../../workers/solve-chunk.js', import.meta.url).href;

/** A chunk that a worker has or will have, and when its worker was last seen to begin a batch. */
interface Watched {
  readonly progress: WorkProgress;
  readonly abort: AbortController;
  batches: number;
  since: number;
  isTimedOut: boolean;
}

/** Worker threads of this process. They start when there is work for them. */
export class LocalPool implements Dispatcher {
  readonly slots: number;
  readonly #pool: Piscina<WorkerTask, ChunkResult>;
  readonly #timeoutMs: number | null;
  readonly #watched = new Set<Watched>();
  readonly #watch: NodeJS.Timeout | null;

  constructor(setup: WorkerSetup, options: LocalPoolOptions) {
    const { jobs, timeoutSeconds = null, workerFile = WORKER_FILE } = options;
    this.slots = jobs * CHUNKS_PER_WORKER;
    this.#pool = new Piscina({
      filename: workerFile,
      workerData: setup,
      minThreads: 1,
      maxThreads: jobs,
      idleTimeout: Number.POSITIVE_INFINITY,
      recordTiming: false,
    });
    this.#timeoutMs = timeoutSeconds === null ? null : timeoutSeconds * 1000;
    this.#watch = this.#timeoutMs === null ? null : this.#startWatch(this.#timeoutMs);
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    const progress = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
    const watched = { progress, abort: new AbortController(), batches: 0, since: 0, isTimedOut: false };
    this.#watched.add(watched);
    try {
      return await this.#pool.run(
        { ...task, progress },
        {
          transferList: [task.bytes.buffer, task.starts.buffer],
          // A signal costs a listener a task: only where it is needed.
          ...(this.#timeoutMs === null ? {} : { signal: watched.abort.signal }),
        },
      );
    } catch (error) {
      throw failureOf(watched, this.#timeoutMs, error);
    } finally {
      this.#watched.delete(watched);
    }
  }

  async close(): Promise<void> {
    if (this.#watch !== null) clearInterval(this.#watch);
    await this.#pool.destroy();
  }

  /** Looks at what the workers are at, often enough to tell a case that is over its time. */
  #startWatch(timeoutMs: number): NodeJS.Timeout {
    const look = () => {
      const now = performance.now();
      for (const watched of this.#watched) {
        const batches = Atomics.load(watched.progress, 0);
        if (batches !== watched.batches) {
          watched.batches = batches;
          watched.since = now;
        } else if (batches > 0 && now - watched.since > timeoutMs) {
          watched.isTimedOut = true;
          watched.abort.abort();
        }
      }
    };
    return setInterval(look, Math.max(1, timeoutMs / WATCHES_PER_TIMEOUT)).unref();
  }
}

function failureOf(watched: Watched, timeoutMs: number | null, error: unknown): ChunkFailure {
  const [batches, index, count] = watched.progress;
  const suspects = batches > 0 ? { index, count } : null;
  if (watched.isTimedOut && timeoutMs !== null) {
    return new ChunkFailure('timeout', `no answer within ${timeoutMs / 1000} s`, suspects);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ChunkFailure('crash', `its solver failed: ${reason}`, suspects, { cause: error });
}
