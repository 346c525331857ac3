/**
 * A bacterium fills the part of its row, or of its column, between the lines that are full already. So whatever a player
 * does, rectangles of the board remain. Reversing the order of all rows or of all columns turns each of these rectangles
 * into one on the new board, and a legal opening into a legal opening. Swapping rows and columns does the same, and swaps
 * the two types of bacteria. Both types of an opening count, so the answer stays.
 *
 * Another order of the rows changes which rows lie together above a full row, and so the game. For example, the board with
 * the rows `#`, `.`, `.` and `.` has 2 winning openings, and 3 after its first two rows are swapped.
 */
import type { Board } from '../../formats/boards/board.js';
import type { CaseSymmetries } from '../../problems/problem.js';
import { changedBoards, TURNS_AND_MIRRORS } from '../shared/board-symmetries.js';

export const symmetries: CaseSymmetries<Board> = {
  description: 'turning and mirroring',
  variantsOf: (board) => changedBoards(board, TURNS_AND_MIRRORS),
};
