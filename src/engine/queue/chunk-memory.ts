/** Bounds the memory that a worker process uses for chunks, over all runs that it serves. */
import { MIB } from '../../core/bytes.js';
import { ByteBudget } from './byte-budget.js';

/**
 * Largest total size of the chunks that a worker process has in memory for all its runs, unless a single chunk is larger:
 * MAX_BYTES_PER_WORKER for each worker thread, but at least MAX_BYTES_OF_WORKER_PROCESS. The bound applies separately to chunks
 * that come through Redis, including their packed form, and to chunks of shared inputs.
 */
const MAX_BYTES_OF_WORKER_PROCESS = 512 * MIB;
const MAX_BYTES_PER_WORKER = 16 * MIB;

/** Bounds the memory that the chunks of a worker process take. Further chunks wait until others are solved. */
export class ChunkMemoryBudget {
  /** The budget for chunks that come through Redis. */
  readonly received: ByteBudget;
  /**
   * The budget for chunks that are read from shared inputs. While such a chunk waits for this budget, its frame already counts
   * in `received`: with a single budget for both, chunks could wait for each other forever.
   */
  readonly #shared: ByteBudget;

  /** `jobs` is the number of worker threads. */
  constructor(jobs: number) {
    const bytes = Math.max(MAX_BYTES_OF_WORKER_PROCESS, jobs * MAX_BYTES_PER_WORKER);
    this.received = new ByteBudget(bytes);
    this.#shared = new ByteBudget(bytes);
  }

  /**
   * Does the work on chunks of a shared input, and counts their bytes, of which the worker threads get a copy, in the budget
   * until the work is done. Chunks of another input have no bytes to count here, and do not wait.
   */
  use<Result>({ bytes }: { readonly bytes: number }, work: () => Promise<Result>): Promise<Result> {
    if (bytes === 0) return work();
    return this.#shared.use(2 * bytes, work);
  }
}
