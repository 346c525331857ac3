/**
 * The position of a run: how many bytes it has read, and how many cases it has answered. A checkpoint stores the
 * position on disk.
 */
import type { Location } from '../core/location.js';

/** A place in an input where a case ends, or where the head ends. */
export interface CaseBoundary {
  /** Number of bytes of the input before this place. */
  readonly offset: number;
  /** Hash of the bytes before this place; null if the run does not hash its input. */
  readonly digest: string | null;
  /** Number of cases before this place. */
  readonly cases: number;
}

/** The state of the scanner between two chunks. Another run can continue from it. */
export interface ScanPosition extends CaseBoundary {
  /** Number of cases that the head promises. Null if the head states no number, or has not been read yet. */
  readonly promised: number | null;
  /** The bytes of the head, one character per byte. Null if there is no head, or it has not been read yet. */
  readonly head: string | null;
  /**
   * Whether the last case was bad, so that the scanner is still looking for the next case. `no`: the last case was valid.
   * `blank`: the search continues between two tokens. `token`: the search continues inside a token. `end`: the last case and
   * the tail were read, so that only whitespace may follow.
   */
  readonly searching: 'no' | 'blank' | 'token' | 'end';
  /**
   * The beginning of the token at this position, or '' if a whitespace character is at this position. The token matters because
   * it may have decided whether the last case is valid.
   */
  readonly next: string;
  /** The place where the run's shard begins. Missing if the run solves the whole input, or has not reached its shard. */
  readonly shardStart?: CaseBoundary;
}

/**
 * A position of a run: the answers to all cases before this position are written. `line` and `column` are the
 * location in the input.
 */
export interface RunPosition extends Location {
  readonly scan: ScanPosition;
  readonly failedCases: number;
  /** The inputs before this one. Missing if the run writes only the answers to one input into its output. */
  readonly before?: InputsBefore;
}

/** The first inputs of several whose answers go to one output, when all of their answers are written. */
export interface InputsBefore {
  /** Number of these inputs. */
  readonly inputs: number;
  readonly cases: number;
  readonly failedCases: number;
  readonly bytes: number;
  /** Digest of their bytes; null if there are none of them, or if the run does not hash its inputs. */
  readonly digest: string | null;
}

export const NO_INPUTS_BEFORE: InputsBefore = { inputs: 0, cases: 0, failedCases: 0, bytes: 0, digest: null };

export const RUN_START: RunPosition = {
  scan: { offset: 0, digest: null, cases: 0, promised: null, head: null, searching: 'no', next: '' },
  failedCases: 0,
  line: 1,
  column: 1,
};
