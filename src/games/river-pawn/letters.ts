/** The letters of boards, and the pieces that a board must have. Pages load this file without the rest of the format. */
import type { Board, BoardViolation } from '../../formats/boards/board.js';

/** The letters of cells. `Board.cells` has their indices. */
export const LETTERS = '.#XO';
export const LETTER_INDEX_FREE = LETTERS.indexOf('.');
export const LETTER_INDEX_OBSTACLE = LETTERS.indexOf('#');
export const LETTER_INDEX_BLACK = LETTERS.indexOf('X');
export const LETTER_INDEX_RED = LETTERS.indexOf('O');

/** Returns what is wrong with the pieces of a board, or null if the board has one X below row 1 and two O. */
export function findPieceViolation(board: Board): BoardViolation | null {
  const blacks: number[] = [];
  const reds: number[] = [];
  for (let cell = 0; cell < board.rows * board.cols; cell++) {
    if (board.cells[cell] === LETTER_INDEX_BLACK) blacks.push(cell);
    else if (board.cells[cell] === LETTER_INDEX_RED) reds.push(cell);
  }
  const at = (cell: number) => ({ row: Math.floor(cell / board.cols), col: cell % board.cols });
  if (blacks.length > 0 && blacks[0] < board.cols) {
    return { cell: at(blacks[0]), expected: 'X below row 1', got: 'X in row 1' };
  }
  if (blacks.length > 1) return { cell: at(blacks[1]), expected: 'exactly one X', got: 'another' };
  if (reds.length > 2) return { cell: at(reds[2]), expected: 'exactly two O', got: 'a third' };
  if (blacks.length === 0) return { cell: null, expected: 'a board with exactly one X', got: 'none' };
  if (reds.length < 2) return { cell: null, expected: 'a board with exactly two O', got: `${reds.length}` };
  return null;
}
