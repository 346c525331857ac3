import type { RunPosition } from './position.js';

/** Where answers go, in order. */
export interface Sink {
  /** Whether the marks given to `write` are kept: only then it is worth making them. */
  readonly keepsPositions: boolean;
  /** What an earlier run has already written; null: start at the beginning. */
  readonly resumed: RunPosition | null;
  /**
   * Resolves when more may be written: a slow reader holds the writer up. `mark` is how far the run has come
   * with these bytes; null if it has come to no such point.
   */
  write(bytes: Uint8Array, mark: RunPosition | null): Promise<void>;
  /** The run came to its end: what was written becomes the result. */
  finish(): Promise<void>;
  /**
   * The run did not: what was written is kept, but not under its final name. Returns whether a later run can
   * continue from it.
   */
  abandon(): Promise<boolean>;
}
