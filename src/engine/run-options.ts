import type { Problem } from '../problems/problem.js';
import type { ChunkSettings } from './output-settings.js';

/** A case that its solver failed on. */
export interface FailedCase {
  readonly caseNumber: number;
  /** As it stood in the input. */
  readonly bytes: Uint8Array;
  /** The id that the input begins with, where its format has one. */
  readonly id: string | null;
}

export interface RunOptions {
  readonly problem: Problem<unknown>;
  readonly settings: ChunkSettings;
  /** Bytes of input a chunk; null: adapt to what the cases cost. */
  readonly chunkBytes: number | null;
  readonly jobs: number;
  /** Times that a chunk is tried again after its worker failed. */
  readonly retries: number;
  /** Told what goes wrong with single cases under `mark`, a line each. */
  readonly warn: (message: string) => void;
  /** Receives what the user should know though no case failed. */
  readonly note?: (message: string) => void;
  /** Handed each case that its solver failed on; returns how to repeat it, for the message. */
  readonly saveCase?: (failed: FailedCase) => Promise<string>;
  /** Aborted with the name of a signal: stop reading, finish what is in flight. */
  readonly stop?: AbortSignal;
}
