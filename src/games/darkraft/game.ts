/**
 * darkraft, move by move. On the board rotated by 45 degrees, a move clears a row, a column or both of one of the rectangles
 * that are left, and leaves up to four smaller rectangles. So a list of rectangles describes a position, and the nimber of
 * the position is the XOR of the nimbers of its rectangles.
 */
import type { Board } from '../../formats/boards/board.js';
import type { CellPlace } from '../../problems/explanation.js';
import {
  type AnalyseGame,
  type Game,
  type GameOutcome,
  opponentOf,
  type PlayerNumber,
} from '../../problems/game.js';
import {
  firstBestMove,
  type ImpartialMove,
  moveFieldsOfNimber,
  outcomeOfNimber,
} from '../shared/impartial.js';
import { LETTERS } from './letters.js';
import { type CellParity, unrotatedCell } from './rotation.js';
import { analyse, type BoardAnalysis, LETTER_INDEX_L, LETTER_INDEX_R } from './solve.js';

/** The text that stands for a cell whose letter is cleared. */
const CLEARED = '.';

/**
 * The cells of one parity of i + j, in the rows x1 to x2 - 1 and the columns y1 to y2 - 1 of the rotated board
 * (`RotatedParityClass`). At least one of these cells is on the board.
 */
interface Rectangle {
  readonly parity: CellParity;
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
}

export interface Position {
  readonly turn: PlayerNumber;
  /** The rectangles whose cells still have their letters. All other cells are cleared. */
  readonly rectangles: readonly Rectangle[];
}

/** A move at a letter. The row and the column of the cell are counted from 1. */
export interface Move extends ImpartialMove {
  readonly cell: CellPlace;
  readonly letter: string;
}

/** A cell of a rectangle: its place on the board, and its place on the rotated board, all numbers counted from 0. */
interface RectangleCell {
  readonly rectangle: Rectangle;
  readonly row: number;
  readonly col: number;
  readonly x: number;
  readonly y: number;
}

export const PLAYER_NAMES = ['First', 'Second'] as const;

export const analyseGame: AnalyseGame<Position, Move> = (board) => createGame(board, analyse(board));

/** Starts a game on a board whose analysis the caller has already made. */
export function createGame(board: Board, analysis: BoardAnalysis): Game<Position, Move> {
  return new RotatedGame(board, analysis);
}

class RotatedGame implements Game<Position, Move> {
  readonly playerNames = PLAYER_NAMES;
  readonly start: Position;
  readonly #rows: number;
  readonly #cols: number;
  /** The code of each cell's letter at the beginning of the game, in row-major order. */
  readonly #codes: Uint8Array;
  readonly #analysis: BoardAnalysis;

  constructor({ rows, cols, cells }: Board, analysis: BoardAnalysis) {
    this.#rows = rows;
    this.#cols = cols;
    this.#codes = cells.slice(0, rows * cols);
    this.#analysis = analysis;
    this.start = { turn: 0, rectangles: this.#withCells(([0, 1] as const).map(this.#wholeClass, this)) };
  }

  turnAt({ turn }: Position): PlayerNumber {
    return turn;
  }

  outcomeAt({ rectangles, turn }: Position): GameOutcome {
    return outcomeOfNimber(this.#nimberOf(rectangles), turn);
  }

  movesAt({ rectangles, turn }: Position): Move[] {
    const nimber = this.#nimberOf(rectangles);
    return this.#cellsOf(rectangles).map((cell) => {
      const after = nimber ^ this.#nimberOf([cell.rectangle]) ^ this.#nimberOf(this.#partsAfter(cell));
      const place = [cell.row + 1, cell.col + 1] as const;
      return { cell: place, letter: LETTERS[this.#codeAt(cell)], ...moveFieldsOfNimber(after, turn) };
    });
  }

  after({ rectangles, turn }: Position, { cell: [row, col] }: Move): Position {
    const left = rectangles.flatMap((rectangle) => {
      const cell = this.#cellsOf([rectangle]).find((other) => other.row === row - 1 && other.col === col - 1);
      return cell === undefined ? [rectangle] : this.#partsAfter(cell);
    });
    return { turn: opponentOf(turn), rectangles: left };
  }

  bestMoveAt(position: Position): Move | null {
    return firstBestMove(this.movesAt(position));
  }

  rowsAt({ rectangles }: Position): string[] {
    const shown = Array.from({ length: this.#rows }, () => new Array<string>(this.#cols).fill(CLEARED));
    for (const cell of this.#cellsOf(rectangles)) shown[cell.row][cell.col] = LETTERS[this.#codeAt(cell)];
    return shown.map((row) => row.join(''));
  }

  #wholeClass(parity: CellParity): Rectangle {
    const { rows, cols } = this.#analysis.classes[parity];
    return { parity, x1: 0, x2: rows, y1: 0, y2: cols };
  }

  #withCells(rectangles: readonly Rectangle[]): Rectangle[] {
    return rectangles.filter(({ parity, x1, x2, y1, y2 }) =>
      this.#analysis.classes[parity].hasCells(x1, x2, y1, y2),
    );
  }

  #codeAt({ row, col }: RectangleCell): number {
    return this.#codes[row * this.#cols + col];
  }

  #nimberOf(rectangles: readonly Rectangle[]): number {
    return rectangles.reduce(
      (nimber, { parity, x1, x2, y1, y2 }) =>
        nimber ^ this.#analysis.classes[parity].rectangleNimber(x1, x2, y1, y2),
      0,
    );
  }

  /** Returns the cells of the rectangles in row-major order of the board. */
  #cellsOf(rectangles: readonly Rectangle[]): RectangleCell[] {
    const cells: RectangleCell[] = [];
    for (const rectangle of rectangles) {
      const { parity, x1, x2, y1, y2 } = rectangle;
      const { firstCol, endCol } = this.#analysis.classes[parity];
      for (let x = x1; x < x2; x++) {
        const end = Math.min(y2, endCol[x]);
        for (let y = Math.max(y1, firstCol[x]); y < end; y++) {
          const [row, col] = unrotatedCell(x, y, parity, this.#cols);
          cells.push({ rectangle, row, col, x, y });
        }
      }
    }
    return cells.sort((a, b) => a.row - b.row || a.col - b.col);
  }

  /** Returns the parts of a cell's rectangle that are left after a move at the cell. */
  #partsAfter(cell: RectangleCell): Rectangle[] {
    const code = this.#codeAt(cell);
    const rows = code === LETTER_INDEX_R ? [cell.rectangle] : rowsBeside(cell);
    return this.#withCells(code === LETTER_INDEX_L ? rows : rows.flatMap((part) => colsBeside(cell, part)));
  }
}

/** Returns the parts of the cell's rectangle on both sides of the cell's row. */
function rowsBeside({ rectangle, x }: RectangleCell): Rectangle[] {
  return [
    { ...rectangle, x2: x },
    { ...rectangle, x1: x + 1 },
  ];
}

/** Returns the parts of a rectangle on both sides of the cell's column. */
function colsBeside({ y }: RectangleCell, rectangle: Rectangle): Rectangle[] {
  return [
    { ...rectangle, y2: y },
    { ...rectangle, y1: y + 1 },
  ];
}
