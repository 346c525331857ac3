/**
 * Changes of a board that keep its game. Symbols are only compared with each other: the pair to pop depends on where blocks
 * are, and how a block moves on its second letter. So renaming the symbols, different ones to different ones, gives the same
 * game with a renamed final board. Turning or mirroring a board changes which of several pairs is the topmost and leftmost, and
 * the order in which blocks move, so it changes the game.
 */
import type { Board } from '../../formats/boards/board.js';
import type { CaseSymmetries } from '../../problems/problem.js';

const SYMBOLS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const symmetries: CaseSymmetries<Board> = {
  description: 'renaming symbols',
  variantsOf: (board) => [withSymbolsInOrder(board)],
};

/** Returns the board with A in place of its first symbol, B in place of the next different symbol, and so on. */
function withSymbolsInOrder({ rows, cols, cells }: Board): Board {
  const renamed: Board = { rows, cols, cells: cells.slice(0, 2 * rows * cols) };
  const newSymbols = new Map<number, number>();
  for (let at = 0; at < renamed.cells.length; at += 2) {
    const symbol = renamed.cells[at];
    const newSymbol = newSymbols.get(symbol) ?? SYMBOLS.charCodeAt(newSymbols.size);
    newSymbols.set(symbol, newSymbol);
    renamed.cells[at] = newSymbol;
  }
  return renamed;
}
