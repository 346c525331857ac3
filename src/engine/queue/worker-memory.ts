/** Bounds the memory for the chunks of all runs for which a worker process solves. */
import { MIB } from '../../core/bytes.js';
import { ByteBudget } from './byte-budget.js';

/**
 * Bytes of chunks that a worker process has in memory at the same time, unless a single chunk is larger: for all its runs
 * together, and at least for each worker thread. They are counted twice, once for the chunks that come through Redis, with what
 * they are unpacked from, and once for those that are read from shared inputs.
 */
const MAX_BYTES_OF_WORKER_PROCESS = 512 * MIB;
const MAX_BYTES_PER_WORKER = 16 * MIB;

export class WorkerMemory {
  /** For chunks that come through Redis. */
  readonly received: ByteBudget;
  /**
   * For chunks that are read from shared inputs. It is a budget of its own, because such a chunk waits for it while its frame
   * counts in `received`: if both were one budget, chunks could wait for each other.
   */
  readonly #shared: ByteBudget;

  /** `jobs` is the number of worker threads. */
  constructor(jobs: number) {
    const bytes = Math.max(MAX_BYTES_OF_WORKER_PROCESS, jobs * MAX_BYTES_PER_WORKER);
    this.received = new ByteBudget(bytes);
    this.#shared = new ByteBudget(bytes);
  }

  /** Works with that many bytes of a shared input, of which the worker threads get a copy. */
  use<Result>({ bytes }: { readonly bytes: number }, work: () => Promise<Result>): Promise<Result> {
    return this.#shared.use(2 * bytes, work);
  }
}
