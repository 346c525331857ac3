import type { InputEnd } from './cut/scan.js';

/** What a successful run reports to its sink and its caller. */
export interface RunOutcome {
  /** Number of cases before the end, including those of an interrupted run that was continued. */
  readonly cases: number;
  /** Number of marked cases. */
  readonly failedCases: number;
  /** The end of the input, or of the shard; it has no fault. */
  readonly end: Pick<InputEnd, 'input' | 'shard'>;
}
