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

/**
 * Yields ranges of indices below `length`: the whole range, then its halves, its quarters, and so on down to single
 * indices.
 */
export function* rangesByHalving(length: number): Generator<{ from: number; count: number }> {
  for (let count = length; count >= 1; count >>= 1) {
    for (let from = 0; from + count <= length; from += count) yield { from, count };
  }
}

/** Returns the range as users write it: `5`, or `5..9`. */
export function printRange({ from, to }: Range): string {
  return from === to ? `${from}` : `${from}..${to}`;
}

/** Returns the words with which a message names consecutive cases: `case 5`, or `cases 5 to 9`. */
export function describeCaseRange({ from, to }: CaseRange): string {
  return from === to ? `case ${from}` : `cases ${from} to ${to}`;
}
