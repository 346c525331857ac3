import type { End } from './cut/scan.js';

/** What a successful run reports to its sink and its caller. */
export interface RunOutcome {
  /** Number of marked cases. */
  readonly failedCases: number;
  /** The end of the input, or of the shard; it has no fault. */
  readonly end: End;
}
