/** How large the next chunk is to be: so many bytes as take a worker about CHUNK_TARGET_MS. */
import { CHUNK_TARGET_MS, CHUNKS_PER_WORKER, FIRST_CHUNK_BYTES, MAX_CHUNK_BYTES } from './limits.js';

/** A measurement may change the size by this factor at the most: cases differ in cost. */
const STEP = 8;
/** How much the latest measurement weighs against those before it. */
const WEIGHT = 0.3;
/** Near the end of the input chunks shrink to share out what is left, down to this part of their size. */
const SMALLEST_PART = 1 / 16;

export interface ChunkSizeOptions {
  /** A size the user chose; null: adapt. */
  readonly fixedBytes: number | null;
  readonly jobs: number;
  /** Size of the input, null where unknown. */
  readonly inputBytes: number | null;
}

export class ChunkSize {
  readonly #options: ChunkSizeOptions;
  #bytes = FIRST_CHUNK_BYTES;
  #msPerByte: number | null = null;
  #givenBytes = 0;

  constructor(options: ChunkSizeOptions) {
    this.#options = options;
  }

  /** The size to reach; a chunk holds at least one case all the same. */
  next(): number {
    const { fixedBytes, inputBytes, jobs } = this.#options;
    if (fixedBytes !== null) return fixedBytes;
    if (inputBytes === null) return this.#bytes;
    const share = (inputBytes - this.#givenBytes) / (jobs * CHUNKS_PER_WORKER);
    return Math.min(this.#bytes, Math.max(share, this.#bytes * SMALLEST_PART));
  }

  /** A chunk of so many bytes was given out. */
  give(bytes: number): void {
    this.#givenBytes += bytes;
  }

  /** A chunk of so many bytes took so many milliseconds. */
  observe(bytes: number, ms: number): void {
    const rate = ms / Math.max(1, bytes);
    this.#msPerByte = this.#msPerByte === null ? rate : WEIGHT * rate + (1 - WEIGHT) * this.#msPerByte;
    const wanted = CHUNK_TARGET_MS / Math.max(this.#msPerByte, Number.MIN_VALUE);
    const bounded = Math.min(Math.max(wanted, this.#bytes / STEP), this.#bytes * STEP);
    this.#bytes = Math.min(Math.max(1, bounded), MAX_CHUNK_BYTES);
  }
}
