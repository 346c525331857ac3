/** A range of whole numbers, both ends included, as `A..B` on the command line. It is empty if `to` is below `from`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A range of test cases by their numbers, which count from 1 over the whole input. */
export type CaseRange = Range;

/** Number of whole numbers in a range. */
export function rangeLength({ from, to }: Range): number {
  return Math.max(0, to - from + 1);
}
