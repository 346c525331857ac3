import type { RunPosition } from './position.js';

/** A place where answers are written, in input order. */
export interface Sink {
  /** Whether the sink stores the positions that `write` gets. If not, the run need not compute a hash for them. */
  readonly keepsPositions: boolean;
  /**
   * The position of the interrupted run that this run continues; null if the run starts at the beginning of the
   * input.
   */
  readonly resumePosition: RunPosition | null;
  /**
   * Writes the bytes; resolves when more may be written, so a slow reader slows the run down. `position` is how far
   * the run has come with these bytes; null if no run can continue after them.
   */
  write(bytes: Uint8Array, position: RunPosition | null): Promise<void>;
  /** Called when the run has ended well: what was written becomes the result. */
  finish(): Promise<void>;
  /**
   * Called when the run has failed or was interrupted: what was written is kept, if it is of use, but not under its
   * final name. Returns whether a later run can continue from it.
   */
  abandon(): Promise<boolean>;
}
