/** The third stage: gives chunks to whoever solves them. */
import { Piscina } from 'piscina';
import { BoardmillError } from '../core/errors.js';
import { CHUNKS_PER_WORKER } from './limits.js';
import type { ChunkResult, ChunkTask, WorkerSetup } from './messages.js';

/** Solves chunks, in any order. The engine knows no more of how it does that. */
export interface Dispatcher {
  /** Chunks to give out at a time. */
  readonly slots: number;
  /** Takes the task's buffers over. */
  solve(task: ChunkTask): Promise<ChunkResult>;
  close(): Promise<void>;
}

const WORKER_FILE = new URL('../../workers/solve-chunk.js', import.meta.url).href;

/** Worker threads of this process. They start when there is work for them. */
export class LocalPool implements Dispatcher {
  readonly slots: number;
  readonly #pool: Piscina<ChunkTask, ChunkResult>;

  /** `workerFile`: what a thread runs; benchmarks put a worker there that does nothing. */
  constructor(setup: WorkerSetup, jobs: number, workerFile: string = WORKER_FILE) {
    this.slots = jobs * CHUNKS_PER_WORKER;
    this.#pool = new Piscina({
      filename: workerFile,
      workerData: setup,
      minThreads: 1,
      maxThreads: jobs,
      idleTimeout: Number.POSITIVE_INFINITY,
      recordTiming: false,
    });
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    try {
      return await this.#pool.run(task, { transferList: [task.bytes.buffer, task.starts.buffer] });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const last = task.firstCase + task.starts.length - 2;
      throw new BoardmillError('worker', `a worker failed on cases ${task.firstCase} to ${last}: ${reason}`, {
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
