/**
 * How many chunks belong into one job of a queue. A job costs Redis about 45 commands, however little work it has, so chunks
 * that are solved quickly share a job. With all of its chunks, a job is no more work and has no more bytes than a single chunk
 * may have whose size adapts to the cost of its cases. So chunks are spread over the workers as fairly as those are, and no
 * more bytes wait.
 *
 * Chunks whose size adapts do not share jobs. If they are solved quickly, the next ones become larger, but only when the first
 * ones are solved; a run that gave out many at once would have many small ones.
 */
import { RunningAverage } from '../../core/running-average.js';
import { LATEST_MEASUREMENT_WEIGHT } from '../cut/chunk-size.js';
import type { ChunkTimes } from '../messages.js';
import { MAX_CHUNKS_PER_JOB, MAX_QUEUED_CHUNK_BYTES, QUEUED_CHUNK_TARGET_MS } from './limits.js';

/**
 * Chunks that together take less time than this, in milliseconds, are not spread over several workers: that would cost more
 * than it saves.
 */
const MIN_JOB_MS = 25;

export class JobSize {
  readonly #isChunkSizeFixed: boolean;
  readonly #msPerChunk = new RunningAverage(LATEST_MEASUREMENT_WEIGHT);
  readonly #bytesPerChunk = new RunningAverage(LATEST_MEASUREMENT_WEIGHT);

  /** `isChunkSizeFixed` says whether the size of the chunks does not adapt to the cost of their cases. */
  constructor(isChunkSizeFixed: boolean) {
    this.#isChunkSizeFixed = isChunkSizeFixed;
  }

  /** Records the length of a solved chunk, and how long a worker has taken for it. */
  record(bytes: number, { parse, solve, print }: ChunkTimes): void {
    this.#bytesPerChunk.add(bytes);
    this.#msPerChunk.add(parse + solve + print);
  }

  /** Largest number of chunks in a job. It is 1 as long as no chunk has been solved, and if the size of chunks adapts. */
  get mostChunks(): number {
    return this.#chunksIn(QUEUED_CHUNK_TARGET_MS);
  }

  /** Number of chunks up to which it does not pay to spread them over several jobs. */
  get fewestChunks(): number {
    return this.#chunksIn(MIN_JOB_MS);
  }

  #chunksIn(ms: number): number {
    const [msPerChunk, bytesPerChunk] = [this.#msPerChunk.value, this.#bytesPerChunk.value];
    if (!this.#isChunkSizeFixed || msPerChunk === null || bytesPerChunk === null) return 1;
    const inTime = ms / Math.max(msPerChunk, Number.MIN_VALUE);
    const inBytes = MAX_QUEUED_CHUNK_BYTES / Math.max(bytesPerChunk, 1);
    return Math.max(1, Math.floor(Math.min(inTime, inBytes, MAX_CHUNKS_PER_JOB)));
  }
}
