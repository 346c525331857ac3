import type { End } from './cut/scan.js';

/** What a run that has succeeded knows. */
export interface RunOutcome {
  /** Number of marked cases. */
  readonly failedCases: number;
  /** The end of the input, or of the shard. It has no fault. */
  readonly end: End;
}
