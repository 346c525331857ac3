/**
 * Darkraft by nimbers of rectangles of the board turned by 45 degrees (Sprague-Grundy theory; the game is
 * Codeforces 138D, "World of Darkraft").
 *
 * Turned, a ray is a row or a column, and the cells with i + j even and odd are two boards that never meet.
 * Clearing a line cuts what is left into independent rectangles, so every position is a sum of rectangles,
 * and the nimber of a rectangle is the mex over its letters: L removes its row, R its column, X both.
 *
 * Bottom-up, by height: for a fixed range of rows and a row x in it, all that is above or below x is one
 * table over column ranges ("split" below), so an X costs two lookups instead of four and an L one a row.
 * The usual top-down memo asks the whole table four times a cell, and a call has to be ready at each.
 *
 * Cost: O(A^2 B^2 (A + B + X)) lookups, A x B the turned board and X the X cells a rectangle holds: 1.6
 * million on a random 20 x 20 board, as turned boards are diamonds and only rectangles that touch the
 * diamond on all four sides are played; all others are copies of those.
 */
import { assertRelation } from '../../core/assert.js';
import type { Board, BoardLimits, Solver } from '../problem.js';

export type Answer = 'WIN' | 'LOSE';

/** The cell codes of `Board.cells`. */
export const L = 0;
export const R = 1;
export const X = 2;

const MAX_SIDE = 40;
/** A class holds half the cells, rounded up; a rectangle of k cells has at most k moves, so nimber <= k. */
const MAX_NIMBER = (MAX_SIDE * MAX_SIDE) / 2;
/** The XOR of two nimbers needs no more bits than the larger. */
const NIMBER_VALUES = 1024;
assertRelation(MAX_NIMBER < NIMBER_VALUES, 'the XOR of nimbers indexes `seenBy`');
/** Lines of a turned board: (i + j) >> 1 for i, j < MAX_SIDE. */
const MAX_LINES = MAX_SIDE;
/** Half-open ranges of lines, empty ones among them, in a square table. */
const MAX_RANGES = (MAX_LINES + 1) ** 2;
assertRelation(MAX_RANGES ** 2 * Uint16Array.BYTES_PER_ELEMENT < 2 ** 23, 'a table stays below 8 MiB');

/** What the solvers here answer exactly. */
export const limits: BoardLimits = {
  minRows: 1,
  maxRows: MAX_SIDE,
  minCols: 1,
  maxCols: MAX_SIDE,
  maxCells: MAX_SIDE * MAX_SIDE,
};

/** The limits of the statement; a file of the original holds one board. */
export const contestLimits = {
  minRows: 1,
  maxRows: 20,
  minCols: 1,
  maxCols: 20,
  maxCells: 400,
  cases: 1,
} as const;

/**
 * The cells of one parity, turned by 45 degrees. Board cell (i, j) lies at turned row (i + j) >> 1 and
 * turned column (i - j + cols - 1) >> 1. Ranges are half open.
 */
export class RotatedParityClass {
  /** Turned rows and columns. Each holds at least one cell, and its cells are contiguous. */
  rows = 0;
  cols = 0;
  /** Turned row x holds the columns firstCol[x] to endCol[x] - 1; turned column y likewise. */
  readonly firstCol = new Uint8Array(MAX_LINES);
  readonly endCol = new Uint8Array(MAX_LINES);
  readonly firstRow = new Uint8Array(MAX_LINES);
  readonly endRow = new Uint8Array(MAX_LINES);
  /** lsBefore[x * (cols + 1) + y]: how many L row x holds in columns below y. */
  readonly lCountBefore = new Uint8Array(MAX_LINES * (MAX_LINES + 1));
  /** rsBefore[y * (rows + 1) + x]: how many R column y holds in rows below x. */
  readonly rCountBefore = new Uint8Array(MAX_LINES * (MAX_LINES + 1));
  /** xsBefore[x * (cols + 1) + y]: how many X row x holds in columns below y. */
  readonly xCountBefore = new Uint8Array(MAX_LINES * (MAX_LINES + 1));
  /** xCols[x * cols + k]: the column of the X of row x that has k others before it. */
  readonly xCols = new Uint8Array(MAX_LINES * MAX_LINES);
  /** nimber[rowRange(x1, x2) * colRanges + colRange(y1, y2)]; 0 for empty ranges. */
  readonly nimber = new Uint16Array(MAX_RANGES ** 2);

  /** Entries from one row range to the next. */
  get colRangeCount(): number {
    return (this.cols + 1) ** 2;
  }

  rowRange(x1: number, x2: number): number {
    return x1 * (this.rows + 1) + x2;
  }

  colRange(y1: number, y2: number): number {
    return y1 * (this.cols + 1) + y2;
  }

  /** The nimber of rows x1 to x2 - 1, columns y1 to y2 - 1, all letters in place. */
  rectangleNimber(x1: number, x2: number, y1: number, y2: number): number {
    return this.nimber[this.rowRange(x1, x2) * this.colRangeCount + this.colRange(y1, y2)];
  }

  /** Whether row x has no cell in columns y1 to y2 - 1. */
  isRowEmpty(x: number, y1: number, y2: number): boolean {
    return this.firstCol[x] >= y2 || this.endCol[x] <= y1;
  }

  /** The nimber, already stored, of what columns y1 to y2 - 1 have in common with from..end. */
  clippedNimber(rowRangeBase: number, y1: number, y2: number, from: number, end: number): number {
    const first = Math.max(y1, from);
    const last = Math.min(y2, end);
    return first < last ? this.nimber[rowRangeBase + this.colRange(first, last)] : 0;
  }

  /** The nimber of the whole class. */
  get totalNimber(): number {
    return this.rectangleNimber(0, this.rows, 0, this.cols);
  }
}

/** The tables of one board, for whoever explains an answer. */
export interface Analysis {
  /** The nimber of the board; the player who moves first loses where it is 0. */
  readonly nimber: number;
  /** The cells with i + j even, then those with i + j odd. */
  readonly classes: readonly [RotatedParityClass, RotatedParityClass];
}

/** All nimbers of a board. */
export function analyse(board: Board): Analysis {
  const classes: [RotatedParityClass, RotatedParityClass] = [
    new RotatedParityClass(),
    new RotatedParityClass(),
  ];
  const filler = new NimberTableFiller();
  classes.forEach((turned, parity) => {
    rotateParityClass(board, parity, turned);
    filler.fill(turned);
  });
  return { nimber: classes[0].totalNimber ^ classes[1].totalNimber, classes };
}

/** What a board costs the portable solver, counted: the same on every machine. */
export function effort(board: Board): { readonly rectangles: number } {
  const filler = new NimberTableFiller();
  const turned = new RotatedParityClass();
  let rectangles = 0;
  for (const parity of [0, 1]) {
    rotateParityClass(board, parity, turned);
    filler.fill(turned);
    rectangles += filler.searchedRectangles;
  }
  return { rectangles };
}

/** The nimber of what is left when the first move picks cell (row, col); 0 if that move wins. */
export function nimberAfter(analysis: Analysis, board: Board, row: number, col: number): number {
  const parity = (row + col) & 1;
  const turned = analysis.classes[parity];
  const x = (row + col) >> 1;
  const y = (row - col + board.cols - 1) >> 1;
  const letter = board.cells[row * board.cols + col];
  const { rows, cols } = turned;
  const partNimber = (x1: number, x2: number, y1: number, y2: number) =>
    turned.rectangleNimber(x1, x2, y1, y2);
  const otherNimber = analysis.classes[1 - parity].totalNimber;
  if (letter === L) return otherNimber ^ partNimber(0, x, 0, cols) ^ partNimber(x + 1, rows, 0, cols);
  if (letter === R) return otherNimber ^ partNimber(0, rows, 0, y) ^ partNimber(0, rows, y + 1, cols);
  return (
    otherNimber ^
    partNimber(0, x, 0, y) ^
    partNimber(0, x, y + 1, cols) ^
    partNimber(x + 1, rows, 0, y) ^
    partNimber(x + 1, rows, y + 1, cols)
  );
}

/** The solver for every board within `limits`. */
export function createPortableSolver(): Solver<Answer> {
  return new PortableSolver();
}

class PortableSolver implements Solver<Answer> {
  readonly name = 'portable';
  readonly lanes = 1;
  readonly fallbackCases = 0;
  readonly #turned = new RotatedParityClass();
  readonly #filler = new NimberTableFiller();

  solve(boards: readonly Board[], count: number, answers: Answer[]): void {
    for (let i = 0; i < count; i++) {
      answers[i] =
        (this.#nimberOfClass(boards[i], 0) ^ this.#nimberOfClass(boards[i], 1)) === 0 ? 'LOSE' : 'WIN';
    }
  }

  #nimberOfClass(board: Board, parity: number): number {
    rotateParityClass(board, parity, this.#turned);
    this.#filler.fill(this.#turned);
    return this.#turned.totalNimber;
  }
}

/** Writes the cells of one parity into `turned`; a 1 x 1 board has none of parity 1. */
function rotateParityClass(board: Board, parity: number, turned: RotatedParityClass): void {
  measureRotatedSides(board, parity, turned);
  const { rows, cols, lCountBefore, rCountBefore, xCountBefore } = turned;
  lCountBefore.fill(0, 0, rows * (cols + 1));
  rCountBefore.fill(0, 0, cols * (rows + 1));
  xCountBefore.fill(0, 0, rows * (cols + 1));
  for (let i = 0; i < board.rows; i++) {
    for (let j = (i + parity) & 1; j < board.cols; j += 2) {
      const x = (i + j) >> 1;
      const y = (i - j + board.cols - 1) >> 1;
      const letter = board.cells[i * board.cols + j];
      if (letter === L) lCountBefore[x * (cols + 1) + y + 1] = 1;
      else if (letter === R) rCountBefore[y * (rows + 1) + x + 1] = 1;
      else xCountBefore[x * (cols + 1) + y + 1] = 1;
    }
  }
  accumulateCounts(turned);
}

/** Sets the sides of `turned` and which of its cells are on the board. */
function measureRotatedSides(board: Board, parity: number, turned: RotatedParityClass): void {
  const { firstCol, endCol, firstRow, endRow } = turned;
  turned.rows = 0;
  turned.cols = 0;
  firstCol.fill(MAX_LINES);
  firstRow.fill(MAX_LINES);
  endCol.fill(0);
  endRow.fill(0);
  for (let i = 0; i < board.rows; i++) {
    for (let j = (i + parity) & 1; j < board.cols; j += 2) {
      const x = (i + j) >> 1;
      const y = (i - j + board.cols - 1) >> 1;
      firstCol[x] = Math.min(firstCol[x], y);
      endCol[x] = Math.max(endCol[x], y + 1);
      firstRow[y] = Math.min(firstRow[y], x);
      endRow[y] = Math.max(endRow[y], x + 1);
      turned.rows = Math.max(turned.rows, x + 1);
      turned.cols = Math.max(turned.cols, y + 1);
    }
  }
}

/** Turns the marks left by `turn` into counts and lists. */
function accumulateCounts(turned: RotatedParityClass): void {
  const { rows, cols, lCountBefore, rCountBefore, xCountBefore, xCols } = turned;
  for (let x = 0; x < rows; x++) {
    const line = x * (cols + 1);
    for (let y = 0; y < cols; y++) {
      if (xCountBefore[line + y + 1] === 1) xCols[x * cols + xCountBefore[line + y]] = y;
      lCountBefore[line + y + 1] += lCountBefore[line + y];
      xCountBefore[line + y + 1] += xCountBefore[line + y];
    }
  }
  for (let y = 0; y < cols; y++) {
    const line = y * (rows + 1);
    for (let x = 0; x < rows; x++) rCountBefore[line + x + 1] += rCountBefore[line + x];
  }
}

/** Fills `TurnedClass.nimber`, and holds the scratch memory that takes. */
class NimberTableFiller {
  /**
   * split[x * colRanges + colRange(y1, y2)]: for the row range in work, nimber of its rows above x XOR
   * nimber of its rows below x, both over columns y1 to y2 - 1.
   */
  readonly #splitNimber = new Uint16Array(MAX_LINES * MAX_RANGES);
  /** seenBy[v] is the number of the last mex that met the value v. */
  readonly #lastSeenBy = new Int32Array(NIMBER_VALUES);
  /** Rectangles of the table in work whose moves were looked at; all others are copies. */
  searchedRectangles = 0;

  fill(turned: RotatedParityClass): void {
    this.#clearEmptyRanges(turned);
    this.#lastSeenBy.fill(0);
    this.searchedRectangles = 0;
    for (let height = 1; height <= turned.rows; height++) {
      for (let x1 = 0; x1 + height <= turned.rows; x1++) this.#fillRowRange(turned, x1, x1 + height);
    }
  }

  #clearEmptyRanges(turned: RotatedParityClass): void {
    const { rows, colRangeCount, nimber } = turned;
    for (let x = 0; x <= rows; x++) {
      const base = turned.rowRange(x, x) * colRangeCount;
      nimber.fill(0, base, base + colRangeCount);
    }
  }

  /** Needs all lower row ranges. Columns go from the last to the first, as R needs the ranges inside. */
  #fillRowRange(turned: RotatedParityClass, x1: number, x2: number): void {
    const { cols, colRangeCount, nimber } = turned;
    const base = turned.rowRange(x1, x2) * colRangeCount;
    const from = minInRange(turned.firstCol, x1, x2);
    const end = maxInRange(turned.endCol, x1, x2);
    this.#fillSplitNimbers(turned, x1, x2, from, end);
    for (let y1 = cols; y1 >= 0; y1--) {
      nimber[base + turned.colRange(y1, y1)] = 0;
      for (let y2 = y1 + 1; y2 <= cols; y2++) {
        const at = base + turned.colRange(y1, y2);
        if (y1 < from || y2 > end) nimber[at] = turned.clippedNimber(base, y1, y2, from, end);
        else if (turned.isRowEmpty(x1, y1, y2)) nimber[at] = turned.rectangleNimber(x1 + 1, x2, y1, y2);
        else if (turned.isRowEmpty(x2 - 1, y1, y2)) nimber[at] = turned.rectangleNimber(x1, x2 - 1, y1, y2);
        else nimber[at] = this.#mexOfMoves(turned, x1, x2, y1, y2);
      }
    }
  }

  /** Only of column ranges within from..end: the rows have no cells elsewhere. */
  #fillSplitNimbers(turned: RotatedParityClass, x1: number, x2: number, from: number, end: number): void {
    const { colRangeCount, nimber } = turned;
    const split = this.#splitNimber;
    for (let x = x1; x < x2; x++) {
      const above = turned.rowRange(x1, x) * colRangeCount;
      const below = turned.rowRange(x + 1, x2) * colRangeCount;
      const target = x * colRangeCount;
      for (let y1 = from; y1 <= end; y1++) {
        const last = turned.colRange(y1, end);
        for (let k = turned.colRange(y1, y1); k <= last; k++)
          split[target + k] = nimber[above + k] ^ nimber[below + k];
      }
    }
  }

  #mexOfMoves(turned: RotatedParityClass, x1: number, x2: number, y1: number, y2: number): number {
    const searchId = ++this.searchedRectangles;
    const seenBy = this.#lastSeenBy;
    this.#recordRowMoves(turned, x1, x2, y1, y2, searchId);
    this.#recordColumnMoves(turned, x1, x2, y1, y2, searchId);
    let value = 0;
    while (seenBy[value] === searchId) value++;
    return value;
  }

  /** The moves at L and X: what they leave lies in lower row ranges alone. */
  #recordRowMoves(t: RotatedParityClass, x1: number, x2: number, y1: number, y2: number, mex: number): void {
    const { cols, colRangeCount, lCountBefore, xCountBefore, xCols } = t;
    const split = this.#splitNimber;
    const seenBy = this.#lastSeenBy;
    const stride = cols + 1;
    let left = x1 * colRangeCount + y1 * stride;
    let right = x1 * colRangeCount + stride + y2;
    for (let x = x1; x < x2; x++, left += colRangeCount, right += colRangeCount) {
      const line = x * stride;
      if (lCountBefore[line + y1] !== lCountBefore[line + y2]) seenBy[split[left + y2]] = mex;
      const end = x * cols + xCountBefore[line + y2];
      for (let k = x * cols + xCountBefore[line + y1]; k < end; k++) {
        const y = xCols[k];
        seenBy[split[left + y] ^ split[right + y * stride]] = mex;
      }
    }
  }

  /** The moves at R: what they leave lies in the same row range and fewer columns. */
  #recordColumnMoves(
    t: RotatedParityClass,
    x1: number,
    x2: number,
    y1: number,
    y2: number,
    mex: number,
  ): void {
    const { rCountBefore, nimber } = t;
    const seenBy = this.#lastSeenBy;
    const stride = t.cols + 1;
    const base = t.rowRange(x1, x2) * t.colRangeCount;
    for (let y = y1; y < y2; y++) {
      const line = y * (t.rows + 1);
      if (rCountBefore[line + x1] === rCountBefore[line + x2]) continue;
      seenBy[nimber[base + y1 * stride + y] ^ nimber[base + (y + 1) * stride + y2]] = mex;
    }
  }
}

function minInRange(values: Uint8Array, from: number, end: number): number {
  let best = values[from];
  for (let i = from + 1; i < end; i++) best = Math.min(best, values[i]);
  return best;
}

function maxInRange(values: Uint8Array, from: number, end: number): number {
  let best = values[from];
  for (let i = from + 1; i < end; i++) best = Math.max(best, values[i]);
  return best;
}
