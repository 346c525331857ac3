/** The contest that a problem comes from, and the sets into which the contest has divided its tests. */
import { BoardmillError } from '../core/errors.js';

/** The facts of a problem's contest, as plain data. A value is null if the problem statement does not state it. */
export interface ContestData {
  /** By the name of each set, its limits and other properties that its cases have in common. */
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
export function findContestSet<ContestSet>(
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
