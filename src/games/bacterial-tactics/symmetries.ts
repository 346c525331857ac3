/**
 * Changes of a board that keep its answer. A move fills the part of a row or column between the lines that are full already, so
 * rectangles of the board remain after every move. Reversing the order of all rows or of all columns turns each of these
 * rectangles into one on the new board, and a legal opening into a legal opening. Swapping rows and columns does the same, and
 * swaps the two types of bacteria. Openings with both types count, so the answer stays the same.
 *
 * Any other order of the rows changes which rows lie together on one side of a full row, and so changes the game. For example,
 * the board with the rows `#`, `.`, `.` and `.` has 2 winning openings, and 3 after its first two rows are swapped.
 */
import { countSymmetryClasses } from '../shared/board-classes.js';
import { TURNS_AND_MIRRORS, turningSymmetries } from '../shared/board-symmetries.js';
import { LETTERS } from './letters.js';

export const symmetries = {
  ...turningSymmetries('turning and mirroring', TURNS_AND_MIRRORS),
  countClasses: (rows: number, cols: number) =>
    countSymmetryClasses(rows, cols, LETTERS.length, TURNS_AND_MIRRORS),
};
