import type { Problem } from '../problems/problem.js';
import type { ShardOfInput } from './input/shard.js';
import type { ChunkSettings } from './output-settings.js';

/** A case that the solver failed on. */
export interface FailedCase {
  readonly caseNumber: number;
  /** The bytes of the case in the input. */
  readonly bytes: Uint8Array;
  /** The head of the input; null if it has none. */
  readonly head: Uint8Array | null;
}

export interface RunOptions {
  readonly problem: Problem<unknown>;
  readonly settings: ChunkSettings;
  /** Bytes of input per chunk; missing or null if the size adapts to the cost of the cases. */
  readonly chunkBytes?: number | null;
  /**
   * Size that chunks must reach before a run on a regular file or a pipe switches to ranges. The default is
   * MIN_CHUNK_BYTES_FOR_RANGES.
   */
  readonly minRangeBytes?: number;
  /**
   * Whether the run stays near a program that takes its answers one by one: its chunks have at most MAX_STREAMED_CHUNK_BYTES,
   * unless `chunkBytes` says otherwise, and those whose answers nobody has taken count as being solved. Missing or false if
   * only MAX_WAITING_ANSWER_BYTES bounds how far the run gets ahead of a slow reader.
   */
  readonly staysNearReader?: boolean;
  /** Number of the last case to solve. The run does not read the cases after this one. Missing if all cases are solved. */
  readonly lastCase?: number;
  /** The part of the input to solve. Missing if the whole input is solved. */
  readonly shard?: ShardOfInput;
  /** Number of times that a chunk is tried again after its worker failed. The default is DEFAULT_RETRIES. */
  readonly retries?: number;
  /** Receives one line for each marked case, under `--on-error mark`. */
  readonly warn: (message: string) => void;
  /** Receives messages that the user should know even though no case failed. */
  readonly note: (message: string) => void;
  /**
   * Saves a case on which the solver failed. Returns the part of the error message that says how to repeat the
   * failure.
   */
  readonly saveCase?: (failed: FailedCase) => Promise<string>;
  /**
   * Aborted when a signal asks the run to stop, with the name of the signal as the reason. The run then stops
   * reading, and finishes the chunks that are being solved.
   */
  readonly stop?: AbortSignal;
}
