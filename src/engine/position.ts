/** Where a run stands: what it has read and what it has answered. A checkpoint keeps this on disk. */
import type { Location } from '../core/location.js';

/** Where the scanner stands between two chunks. Another run can continue from there. */
export interface ScanPosition {
  /** Bytes of input that belong to the chunks so far. */
  readonly offset: number;
  /** Hash of those bytes; null if the run does not hash its input. */
  readonly digest: string | null;
  /** Cases in those bytes. */
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
  /** The beginning of the token after those bytes, '' if a blank follows: this token decided whether the last case is good. */
  readonly next: string;
}

/** How far a run has come: all answers up to here are written. Line and column are those of the input. */
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
