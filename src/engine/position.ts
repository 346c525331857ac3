/** How far a run has come: what it has read and what it has answered. A checkpoint stores this on disk. */
import type { Location } from '../core/location.js';

/** The state of the scanner between two chunks. Another run can continue from it. */
export interface ScanPosition {
  /** Bytes of input before this position, all of them scanned. */
  readonly offset: number;
  /** Hash of the bytes before this position; null if the run does not hash its input. */
  readonly digest: string | null;
  /** Number of cases in the bytes before this position. */
  readonly cases: number;
  /** Number of cases that the preamble promises; null if it does not say, or has not been read yet. */
  readonly promised: number | null;
  /** The id in the preamble; null if there is none, or it has not been read yet. */
  readonly id: string | null;
  /**
   * Whether the last case was bad, so that the scanner is still looking for the next header. `blank`: it starts between
   * two tokens; `token`: it starts inside a token.
   */
  readonly searching: 'no' | 'blank' | 'token';
  /**
   * The beginning of the token at this position, '' if a blank is at this position. This token decided whether the
   * last case is good.
   */
  readonly next: string;
}

/** How far a run has come: all answers up to this position are written. Line and column are those of the input. */
export interface RunPosition extends Location {
  readonly scan: ScanPosition;
  readonly failedCases: number;
}

export const RUN_START: RunPosition = {
  scan: { offset: 0, digest: null, cases: 0, promised: null, id: null, searching: 'no', next: '' },
  failedCases: 0,
  line: 1,
  column: 1,
};
