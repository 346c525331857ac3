/** Chooses the size of the next chunk so that solving the chunk takes a worker about as long as the dispatcher wants. */
import { RunningAverage } from '../../core/running-average.js';
import { FIRST_CHUNK_BYTES, MAX_ADAPTIVE_CHUNK_BYTES } from '../limits.js';

/**
 * Smallest number of chunks into which a run with `--queue` cuts an input. Even if a program could read all cases at once,
 * several worker processes then have something to do.
 */
const MIN_CHUNKS_OF_PROGRAM = 8;

/**
 * Time that solving an adaptive chunk should take, in milliseconds. This time is long compared with dispatching a
 * chunk, which takes 0.1 ms, or some milliseconds when all processors are busy. It is short compared with a run.
 */
export const CHUNK_TARGET_MS = 80;

/**
 * Largest factor by which the measured time of one chunk may change the chunk size. Because cases differ in cost, one chunk
 * alone says little.
 */
const MAX_STEP_FACTOR = 8;
/** Weight of the latest chunk in the running average of milliseconds per byte, from 0 to 1. */
export const LATEST_MEASUREMENT_WEIGHT = 0.3;
/**
 * Smallest size of a chunk near the end of the input, as a fraction of the usual size. Chunks shrink near the end of the input,
 * so that every worker gets some of the last cases.
 */
const MIN_SIZE_FRACTION = 1 / 16;

/** How a dispatcher wants the input to be cut into chunks. */
export interface ChunkCutting {
  /** Time that solving a chunk should take, in milliseconds. */
  readonly targetMs: number;
  /** Largest size of a chunk whose size adapts to the cost of the cases, in bytes. */
  readonly maxBytes: number;
  /**
   * Whether chunk sizes are powers of two, and chunks end near multiples of these sizes in the whole input. Then two runs that
   * begin at different places of an input soon cut the same chunks.
   */
  readonly isAligned: boolean;
  /**
   * A chunk has a multiple of this number of cases, unless the input ends or the chunk is too large. If missing, chunks have as
   * many cases as fill the lanes of a kernel.
   */
  readonly caseMultiple?: number;
}

/** How an input is cut into chunks for the worker threads of this process. */
const LOCAL_CUTTING: ChunkCutting = {
  targetMs: CHUNK_TARGET_MS,
  maxBytes: MAX_ADAPTIVE_CHUNK_BYTES,
  isAligned: false,
};

interface ChunkSizeOptions {
  /** The size that the user chose with `--chunk`; null if the size adapts to the cost of the cases. */
  readonly fixedBytes: number | null;
  /** Largest size that adapts, also if the dispatcher or the parallel scan would cut larger ones. Missing if they decide. */
  readonly maxAdaptedBytes?: number;
  /** Returns the number of chunks into which the last part of the input is cut. */
  readonly lastChunks: () => number;
  /** Size of the input in bytes; null if it is not known. */
  readonly inputBytes: number | null;
  readonly cutting?: ChunkCutting;
}

export class ChunkSize {
  readonly #options: ChunkSizeOptions;
  readonly #msPerByte = new RunningAverage(LATEST_MEASUREMENT_WEIGHT);
  #cutting: ChunkCutting;
  #adaptiveBytes = FIRST_CHUNK_BYTES;
  #bytesGivenOut = 0;

  constructor(options: ChunkSizeOptions) {
    this.#options = options;
    this.#cutting = options.cutting ?? LOCAL_CUTTING;
  }

  /** Cuts the rest of the input by other rules, but keeps what was measured so far about the cost of cases. */
  useCutting(cutting: ChunkCutting): void {
    this.#cutting = cutting;
  }

  /**
   * Returns the size in bytes at which the next chunk is large enough. A chunk has at least one case, even if the case is
   * larger than this size. `offset` is the offset in the input at which the chunk begins.
   */
  nextChunkBytes(offset: number): number {
    const wanted = Math.max(1, this.#options.fixedBytes ?? this.#adaptedBytes());
    if (!this.#cutting.isAligned) return wanted;
    const size = 2 ** Math.floor(Math.log2(wanted));
    return size - (offset % size);
  }

  /**
   * Returns the size at which the next chunk is large enough even if its number of cases is not a multiple of `caseMultiple`.
   * This size bounds the chunks for a program that can read any number of cases.
   */
  maxChunkBytes(offset: number): number {
    const { fixedBytes, inputBytes } = this.#options;
    const wanted = this.nextChunkBytes(offset);
    if (fixedBytes !== null) return wanted;
    const largest = Math.min(
      MAX_ADAPTIVE_CHUNK_BYTES,
      (inputBytes ?? Number.POSITIVE_INFINITY) / MIN_CHUNKS_OF_PROGRAM,
    );
    return Math.max(wanted, largest);
  }

  #adaptedBytes(): number {
    const { inputBytes, lastChunks, maxAdaptedBytes = Number.POSITIVE_INFINITY } = this.#options;
    const adapted = Math.min(this.#adaptiveBytes, maxAdaptedBytes);
    if (inputBytes === null) return adapted;
    const share = (inputBytes - this.#bytesGivenOut) / lastChunks();
    return Math.min(adapted, Math.max(share, adapted * MIN_SIZE_FRACTION));
  }

  /** Records that a chunk of `bytes` bytes was given out. */
  recordGivenOut(bytes: number): void {
    this.#bytesGivenOut += bytes;
  }

  /** Records that a chunk of `bytes` bytes took `ms` milliseconds, and adapts the size. */
  recordTime(bytes: number, ms: number): void {
    const msPerByte = this.#msPerByte.add(ms / Math.max(1, bytes));
    const wanted = this.#cutting.targetMs / Math.max(msPerByte, Number.MIN_VALUE);
    const bounded = Math.min(
      Math.max(wanted, this.#adaptiveBytes / MAX_STEP_FACTOR),
      this.#adaptiveBytes * MAX_STEP_FACTOR,
    );
    this.#adaptiveBytes = Math.min(Math.max(1, bounded), this.#cutting.maxBytes);
  }
}
