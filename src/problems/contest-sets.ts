/** The contest that a problem comes from, and the sets into which the contest has divided its tests. */
import { BoardmillError } from '../core/errors.js';

/** What a problem knows about its contest, as plain data. Null: the problem statement does not say. */
export interface ContestData {
  /** For each set its limits, and what else its cases have in common. */
  readonly sets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The largest number of cases in a file. */
  readonly cases: number | null;
  /** The time limit. */
  readonly seconds: number | null;
  /** The memory limit. */
  readonly megabytes: number | null;
}

/**
 * Returns the set with this name, or null if no set is wanted. Fails with kind `usage` if the contest of the problem has no
 * such set.
 */
export function findSet<ContestSet>(
  problem: string,
  sets: Readonly<Record<string, ContestSet>>,
  set: string | null,
): ContestSet | null {
  if (set === null) return null;
  if (Object.hasOwn(sets, set)) return sets[set];
  const names = Object.keys(sets);
  const known = names.length === 0 ? 'its contest has no sets' : `its sets are ${names.join(', ')}`;
  throw new BoardmillError('usage', `${problem} has no set "${set}"; ${known}`);
}
