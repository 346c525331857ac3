/** Chooses the size of the next chunk: the number of bytes that take a worker about CHUNK_TARGET_MS. */
import { CHUNK_TARGET_MS, CHUNKS_PER_WORKER, FIRST_CHUNK_BYTES, MAX_CHUNK_BYTES } from './limits.js';

/**
 * Largest factor by which one measured chunk may change the chunk size. It is bounded because the costs of cases
 * differ.
 */
const MAX_STEP_FACTOR = 8;
/** Weight of the latest chunk in the running average of milliseconds per byte, from 0 to 1. */
const LATEST_MEASUREMENT_WEIGHT = 0.3;
/**
 * Smallest size of a chunk near the end of the input, as a fraction of the adaptive size. Chunks shrink near the end,
 * so that all workers get a share of the last cases.
 */
const MIN_SIZE_FRACTION = 1 / 16;

export interface ChunkSizeOptions {
  /** The size that the user chose with `--chunk`; null if the size adapts to the cost of the cases. */
  readonly fixedBytes: number | null;
  readonly jobs: number;
  /** Size of the input in bytes; null if it is not known. */
  readonly inputBytes: number | null;
}

export class ChunkSize {
  readonly #options: ChunkSizeOptions;
  #adaptiveBytes = FIRST_CHUNK_BYTES;
  #msPerByte: number | null = null;
  #bytesGivenOut = 0;

  constructor(options: ChunkSizeOptions) {
    this.#options = options;
  }

  /**
   * Returns the size in bytes at which the next chunk is large enough. A chunk has at least one case, even if the
   * case is larger than this size.
   */
  nextChunkBytes(): number {
    const { fixedBytes, inputBytes, jobs } = this.#options;
    if (fixedBytes !== null) return fixedBytes;
    if (inputBytes === null) return this.#adaptiveBytes;
    const share = (inputBytes - this.#bytesGivenOut) / (jobs * CHUNKS_PER_WORKER);
    return Math.min(this.#adaptiveBytes, Math.max(share, this.#adaptiveBytes * MIN_SIZE_FRACTION));
  }

  /** Records that a chunk of `bytes` bytes was given out. */
  recordGivenOut(bytes: number): void {
    this.#bytesGivenOut += bytes;
  }

  /** Records that a chunk of `bytes` bytes took `ms` milliseconds, and adapts the size. */
  recordTime(bytes: number, ms: number): void {
    const rate = ms / Math.max(1, bytes);
    this.#msPerByte =
      this.#msPerByte === null
        ? rate
        : LATEST_MEASUREMENT_WEIGHT * rate + (1 - LATEST_MEASUREMENT_WEIGHT) * this.#msPerByte;
    const wanted = CHUNK_TARGET_MS / Math.max(this.#msPerByte, Number.MIN_VALUE);
    const bounded = Math.min(
      Math.max(wanted, this.#adaptiveBytes / MAX_STEP_FACTOR),
      this.#adaptiveBytes * MAX_STEP_FACTOR,
    );
    this.#adaptiveBytes = Math.min(Math.max(1, bounded), MAX_CHUNK_BYTES);
  }
}
