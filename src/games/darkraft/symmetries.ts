/**
 * Changes of a board that keep its answer. A ray of the letter L runs along a line of cells whose rows and columns have the
 * same sum, and a ray of R along a line with the same difference. Swapping rows and columns keeps both kinds of lines, and so
 * does reversing both orders. Reversing only the order of the rows, or only that of the columns, turns the lines of L into
 * lines of R and the other way round, so the board stays the same game if each L becomes an R and each R an L. X clears both
 * kinds of lines.
 */
import { countSymmetryClasses } from '../shared/board-classes.js';
import { TURNS_AND_MIRRORS, turningSymmetries } from '../shared/board-symmetries.js';
import { LETTERS } from './letters.js';

/** The codes of `LRX` with L and R swapped. */
const SWAPPED_CODES = [1, 0, 2];

const CHANGES = TURNS_AND_MIRRORS.map((change) =>
  change.reversesRows === change.reversesCols ? change : { ...change, codes: SWAPPED_CODES },
);

export const symmetries = {
  ...turningSymmetries('turning and mirroring, which may swap L and R', CHANGES),
  countClasses: (rows: number, cols: number) => countSymmetryClasses(rows, cols, LETTERS.length, CHANGES),
};
