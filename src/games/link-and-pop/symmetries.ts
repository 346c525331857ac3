/**
 * Changes of a board that keep its game. Symbols are only compared with each other: the pair to pop depends on where blocks
 * are, and how a block moves on its second letter. So renaming the symbols, different ones to different ones, gives the same
 * game with a renamed final board. Turning or mirroring a board changes which of several pairs is the topmost and leftmost, and
 * the order in which blocks move, so it changes the game.
 */
import type { Board } from '../../formats/boards/board.js';
import type { CaseSymmetries } from '../../problems/problem.js';
import { CONTEST_SYMBOLS, SYMBOLS } from './letters.js';
import { boardAutomaton } from './listing.js';
import type { FinalBoardRows } from './solve.js';

export const symmetries: CaseSymmetries<Board> = {
  description: 'renaming symbols',
  variantsOf: (board) => [withSymbolsInOrder(board)],
  // `--profile all` lists one board for each renaming.
  countClasses: (rows, cols) => boardAutomaton.count(rows, cols),
  twinOf: (board, draw) => {
    const names = drawNames(board, draw);
    const oldNames = new Map([...names].map(([symbol, name]) => [name, symbol]));
    const renamed = (code: number, by: ReadonlyMap<number, number>) => by.get(code) ?? code;
    return {
      value: { ...board, cells: board.cells.map((code, at) => (at % 2 === 0 ? renamed(code, names) : code)) },
      answerFrom: (answer) =>
        (answer as FinalBoardRows).map((row) =>
          Array.from(row, (cell) => String.fromCharCode(renamed(cell.charCodeAt(0), oldNames))).join(''),
        ),
    };
  },
};

/** Returns a new name for each symbol of a board. Boards that obey the problem statement get capital letters. */
function drawNames({ rows, cols, cells }: Board, draw: (bound: number) => number): Map<number, number> {
  const symbols = new Set(cells.subarray(0, 2 * rows * cols).filter((_, at) => at % 2 === 0));
  const free = [...(symbols.size > CONTEST_SYMBOLS.length ? SYMBOLS : CONTEST_SYMBOLS)];
  return new Map([...symbols].map((symbol) => [symbol, free.splice(draw(free.length), 1)[0].charCodeAt(0)]));
}

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
