/**
 * What a census counts: every case of a size, by answer, and for board games also by a value, such as the nimber. A census is
 * counted in slices, whose counts are added.
 */

import type { Range } from '../core/range.js';

/** The value of a case by which `census` counts cases besides their answers. */
export interface CaseValue {
  /** The value as the census shows it, such as `3` or `Red 5`. */
  readonly label: string;
  /** The number by which the largest case is found; null if the case cannot be the largest, as a tie. */
  readonly size: number | null;
}

/** Which value cases have besides their answers. */
export interface CaseValueDefinition<Answer = unknown> {
  /** What the counts are called, such as `nimbers`. */
  readonly name: string;
  /** What the number of the largest case is called, such as `nimber`. */
  readonly sizeName: string;
  /** `nimber` is missing if the problem has no nimbers. */
  of(answer: Answer, nimber: number | undefined): CaseValue;
}

/** The values of games with nimbers. */
export const NIMBERS_AS_VALUES: CaseValueDefinition = {
  name: 'nimbers',
  sizeName: 'nimber',
  of: (_, nimber) => {
    if (nimber === undefined) throw new Error('the problem has `hasNimbers`, but its solver wrote no nimber');
    return { label: `${nimber}`, size: nimber };
  },
};

/** The first case, in the order of `--profile all`, among those of the largest size. */
export interface LargestCase {
  readonly size: number;
  /** Its index among the candidates for cases, from 0. */
  readonly index: number;
}

/** A size of boards; a number is null if the user does not choose it. Only cases of modules may have any size. */
export interface CensusSize {
  readonly rows: number | null;
  readonly cols: number | null;
}

/** Whether the user has not chosen the size of the cases, which then need not be boards. */
export function isSizeUnrestricted({ rows, cols }: CensusSize): boolean {
  return rows === null && cols === null;
}

/** Returns the size as messages name it, such as `3x4` or `3xany`. */
export function formatSize({ rows, cols }: CensusSize): string {
  return `${rows ?? 'any'}x${cols ?? 'any'}`;
}

/** Returns the request for all cases of a size, within the bounds of a set, as `enumerate` of a problem wants it. */
export function enumerationRequestOf({ rows, cols, set }: CensusSize & { readonly set: string | null }): {
  readonly rows: Range | null;
  readonly cols: Range | null;
  readonly set: string | null;
} {
  const only = (size: number | null) => (size === null ? null : { from: size, to: size });
  return { rows: only(rows), cols: only(cols), set };
}

/** The counts of some cases of one size. */
export interface CensusCounts {
  readonly cases: number;
  /** Number of cases by the label of their value. Empty if cases have no value. */
  readonly values: ReadonlyMap<string, number>;
  /** Number of cases by answer; null if there are too many different answers, or if one is too long. */
  readonly answers: ReadonlyMap<string, number> | null;
  /** Null if there are no cases, or if cases have no value. */
  readonly largest: LargestCase | null;
}

/** Largest number of different answers that a census counts one by one, and their largest length. */
export const MAX_CENSUS_ANSWERS = 4096;
export const MAX_CENSUS_ANSWER_CHARS = 200;

/** Counts all boards of one size much faster than by solving one after the other. */
export interface FastBoardCounter {
  /** Number of slices, which depends only on the size. */
  readonly slices: number;
  /** Counts the boards of a slice, from 0. Slices may count the boards of others with their own, if these count none then. */
  count(slice: number): CensusCounts;
}
