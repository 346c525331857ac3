/**
 * Solves darkraft with Sprague-Grundy theory: it computes the nimbers of all rectangles of the board, rotated by 45
 * degrees. (The game is Codeforces 138D, "World of Darkraft".)
 *
 * On the rotated board, rays run along rows and columns. The cells with i + j even and those with i + j odd form two
 * rotated boards, called the parity classes, which never affect each other. Clearing a row or a column leaves
 * independent rectangles, so every position is a sum of rectangles. The nimber of a rectangle is the mex over the
 * moves at its letters: L removes its row, R removes its column, and X removes both its row and its column.
 *
 * The table is filled bottom-up, by the height of the rectangles. For a fixed range of rows and a row x in it, the
 * table `#splitNimber` combines the rows above x with the rows below x, for each range of columns. With this table an
 * X costs two lookups instead of four, and all letters L of a row together cost one lookup. The usual top-down search
 * with a memo makes four lookups in the whole table for each cell, and each lookup may have to start a recursive call.
 *
 * Cost: O(A^2 B^2 (A + B + X)) lookups, where A x B is the size of the rotated board and X the number of X cells in a
 * rectangle. A random 20 x 20 board takes 1.6 million lookups. This number is less than the formula suggests, because
 * rotated boards are diamonds, and only rectangles that touch the diamond on all four sides need a search. The solver
 * copies the nimbers of all other rectangles from the rectangles that it has searched.
 */
import { assertRelation } from '../../core/assert.js';
import type { BatchContext, Board, BoardLimits, Solver } from '../../problems/problem.js';

export type DarkraftAnswer = 'WIN' | 'LOSE';

/** The codes of the letters L, R and X in `Board.cells`. */
export const LETTER_INDEX_L = 0;
export const LETTER_INDEX_R = 1;
export const LETTER_INDEX_X = 2;

const MAX_SIDE = 40;
/**
 * The largest possible nimber. A parity class has half of the cells, rounded up. The nimber of a rectangle of k cells
 * is at most k, because the rectangle has at most k moves.
 */
const MAX_NIMBER = (MAX_SIDE * MAX_SIDE) / 2;
/** Number of values that the XOR of nimbers can have. An XOR needs no more bits than the largest of its operands. */
const LAST_SEEN_LENGTH = 1024;
assertRelation(MAX_NIMBER < LAST_SEEN_LENGTH, 'the XOR of nimbers is a valid index of `#lastSeenBy`');
/** Largest number of rows, and of columns, of a rotated board: (i + j) >> 1 < MAX_LINES for all i, j < MAX_SIDE. */
const MAX_LINES = MAX_SIDE;
/**
 * Number of entries of a table that has one entry for each pair of range ends: for all ranges of rows, or of columns.
 */
const MAX_RANGES = (MAX_LINES + 1) ** 2;
assertRelation(MAX_RANGES ** 2 * Uint16Array.BYTES_PER_ELEMENT < 2 ** 23, 'a table stays below 8 MiB');

/** The largest boards that the solvers can solve. */
export const supportedLimits: BoardLimits = {
  minRows: 1,
  maxRows: MAX_SIDE,
  minCols: 1,
  maxCols: MAX_SIDE,
  maxCells: MAX_SIDE * MAX_SIDE,
};

/** The limits of the problem statement. In the contest, each input has one board. */
export const constraints = {
  minRows: 1,
  maxRows: 20,
  minCols: 1,
  maxCols: 20,
  maxCells: 400,
  cases: 1,
} as const;

/**
 * The cells of one parity (all cells with i + j even, or all with i + j odd), rotated by 45 degrees. Cell (i, j) of
 * the board is in row (i + j) >> 1 and column (i - j + cols - 1) >> 1 of the rotated board. All ranges are half open.
 */
export class RotatedParityClass {
  /** Number of rows and columns of the rotated board. Each row and column has one or more cells without gaps. */
  rows = 0;
  cols = 0;
  /** The cells of rotated row x are in the columns firstCol[x] to endCol[x] - 1. */
  readonly firstCol = new Uint8Array(MAX_LINES);
  readonly endCol = new Uint8Array(MAX_LINES);
  /** The cells of rotated column y are in the rows firstRow[y] to endRow[y] - 1. */
  readonly firstRow = new Uint8Array(MAX_LINES);
  readonly endRow = new Uint8Array(MAX_LINES);
  /** lCountBefore[x * (cols + 1) + y]: number of L in row x in the columns before column y. */
  readonly lCountBefore = new Uint8Array(MAX_LINES * (MAX_LINES + 1));
  /** rCountBefore[y * (rows + 1) + x]: number of R in column y in the rows before row x. */
  readonly rCountBefore = new Uint8Array(MAX_LINES * (MAX_LINES + 1));
  /** xCountBefore[x * (cols + 1) + y]: number of X in row x in the columns before column y. */
  readonly xCountBefore = new Uint8Array(MAX_LINES * (MAX_LINES + 1));
  /** xCols[x * cols + k]: the column of letter X number k in row x, counted from 0 from the left. */
  readonly xCols = new Uint8Array(MAX_LINES * MAX_LINES);
  /**
   * nimber[rowRange(x1, x2) * colRangeCount + colRange(y1, y2)]: nimber of a rectangle; 0 if a range is empty. The array
   * has at least `rectangleCount` elements.
   */
  nimber = new Uint16Array(0);

  /** Number of entries in `nimber` from one row range to the next. */
  get colRangeCount(): number {
    return (this.cols + 1) ** 2;
  }

  /** Number of entries of `nimber` that belong to the board. */
  get rectangleCount(): number {
    return (this.rows + 1) ** 2 * this.colRangeCount;
  }

  /** Makes `nimber` large enough for the numbers of rows and columns. */
  reserveNimbers(): void {
    if (this.nimber.length < this.rectangleCount) this.nimber = new Uint16Array(this.rectangleCount);
  }

  /** Returns the index (for `nimber`) of the row range x1 to x2 - 1. */
  rowRange(x1: number, x2: number): number {
    return x1 * (this.rows + 1) + x2;
  }

  /** Returns the index (for `nimber`) of the column range y1 to y2 - 1. */
  colRange(y1: number, y2: number): number {
    return y1 * (this.cols + 1) + y2;
  }

  /** Returns the nimber of the rectangle of rows x1 to x2 - 1 and columns y1 to y2 - 1, with all its letters. */
  rectangleNimber(x1: number, x2: number, y1: number, y2: number): number {
    return this.nimber[this.rowRange(x1, x2) * this.colRangeCount + this.colRange(y1, y2)];
  }

  /** Returns whether row x has no cell in columns y1 to y2 - 1. */
  isRowEmpty(x: number, y1: number, y2: number): boolean {
    return this.firstCol[x] >= y2 || this.endCol[x] <= y1;
  }

  /** Returns whether a cell of the class is in rows x1 to x2 - 1 and columns y1 to y2 - 1. */
  hasCells(x1: number, x2: number, y1: number, y2: number): boolean {
    for (let x = x1; x < x2; x++) {
      if (y1 < y2 && !this.isRowEmpty(x, y1, y2)) return true;
    }
    return false;
  }

  /**
   * Returns the nimber of the rectangle of the columns that are both in y1 to y2 - 1 and in `from` to `end - 1`. The
   * caller must have stored this nimber before. `rowRangeBase` is the index in `nimber` where the row range begins.
   */
  clippedNimber(rowRangeBase: number, y1: number, y2: number, from: number, end: number): number {
    const first = Math.max(y1, from);
    const last = Math.min(y2, end);
    return first < last ? this.nimber[rowRangeBase + this.colRange(first, last)] : 0;
  }

  /** The nimber of the whole parity class. */
  get totalNimber(): number {
    return this.rectangleNimber(0, this.rows, 0, this.cols);
  }
}

/** The nimbers of one board. A program can use these nimbers to explain an answer. */
export interface BoardAnalysis {
  /** The nimber of the board. The player who moves first loses exactly if this nimber is 0. */
  readonly nimber: number;
  /** The parity class of the cells with i + j even, then the parity class of the cells with i + j odd. */
  readonly classes: readonly [RotatedParityClass, RotatedParityClass];
}

/** Computes the nimbers of all rectangles of a board. */
export function analyse(board: Board): BoardAnalysis {
  const classes: [RotatedParityClass, RotatedParityClass] = [
    new RotatedParityClass(),
    new RotatedParityClass(),
  ];
  const filler = new NimberTableFiller();
  classes.forEach((parityClass, parity) => {
    rotateParityClass(board, parity, parityClass);
    filler.fill(parityClass);
  });
  return { nimber: classes[0].totalNimber ^ classes[1].totalNimber, classes };
}

/** Counts the work of the portable solver on a board. The counts are the same on every machine. */
export function countSolvingWork(board: Board): { readonly rectangles: number } {
  const filler = new NimberTableFiller();
  const parityClass = new RotatedParityClass();
  let rectangles = 0;
  for (const parity of [0, 1]) {
    rotateParityClass(board, parity, parityClass);
    filler.fill(parityClass);
    rectangles += filler.searchedRectangles;
  }
  return { rectangles };
}

/** Creates the solver that can solve every board within `limits`. */
export function createPortableSolver(): Solver<DarkraftAnswer> {
  return new PortableSolver();
}

/** Creates a function that returns the nimber of a board. */
export function createNimberFunction(): (board: Board) => number {
  const solver = new PortableSolver();
  return (board) => solver.nimberOf(board);
}

class PortableSolver implements Solver<DarkraftAnswer> {
  readonly name = 'portable';
  readonly lanes = 1;
  readonly fallbackCases = 0;
  readonly #parityClass = new RotatedParityClass();
  readonly #filler = new NimberTableFiller();

  solve(boards: readonly Board[], count: number, answers: DarkraftAnswer[], context?: BatchContext): void {
    const nimbers = context?.nimbers;
    for (let i = 0; i < count; i++) {
      const nimber = this.nimberOf(boards[i]);
      answers[i] = nimber === 0 ? 'LOSE' : 'WIN';
      if (nimbers !== undefined) nimbers[i] = nimber;
    }
  }

  nimberOf(board: Board): number {
    return this.#nimberOfClass(board, 0) ^ this.#nimberOfClass(board, 1);
  }

  #nimberOfClass(board: Board, parity: number): number {
    rotateParityClass(board, parity, this.#parityClass);
    this.#filler.fill(this.#parityClass);
    return this.#parityClass.totalNimber;
  }
}

/** Fills `parityClass` with the cells of one parity. A 1 x 1 board has no cell of parity 1. */
function rotateParityClass(board: Board, parity: number, parityClass: RotatedParityClass): void {
  measureRotatedSides(board, parity, parityClass);
  parityClass.reserveNimbers();
  const { rows, cols, lCountBefore, rCountBefore, xCountBefore } = parityClass;
  lCountBefore.fill(0, 0, rows * (cols + 1));
  rCountBefore.fill(0, 0, cols * (rows + 1));
  xCountBefore.fill(0, 0, rows * (cols + 1));
  for (let i = 0; i < board.rows; i++) {
    for (let j = (i + parity) & 1; j < board.cols; j += 2) {
      const x = (i + j) >> 1;
      const y = (i - j + board.cols - 1) >> 1;
      const letter = board.cells[i * board.cols + j];
      if (letter === LETTER_INDEX_L) lCountBefore[x * (cols + 1) + y + 1] = 1;
      else if (letter === LETTER_INDEX_R) rCountBefore[y * (rows + 1) + x + 1] = 1;
      else xCountBefore[x * (cols + 1) + y + 1] = 1;
    }
  }
  accumulateCounts(parityClass);
}

/** Sets the numbers of rows and columns of `parityClass`, and the first and last cell of each row and column. */
function measureRotatedSides(board: Board, parity: number, parityClass: RotatedParityClass): void {
  const { firstCol, endCol, firstRow, endRow } = parityClass;
  parityClass.rows = 0;
  parityClass.cols = 0;
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
      parityClass.rows = Math.max(parityClass.rows, x + 1);
      parityClass.cols = Math.max(parityClass.cols, y + 1);
    }
  }
}

/** Converts the tables of ones and zeros that `rotateParityClass` wrote into running counts, and fills `xCols`. */
function accumulateCounts(parityClass: RotatedParityClass): void {
  const { rows, cols, lCountBefore, rCountBefore, xCountBefore, xCols } = parityClass;
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

/** Fills the table `RotatedParityClass.nimber`, and owns the scratch memory that filling this table needs. */
class NimberTableFiller {
  /**
   * splitNimber[x * colRangeCount + colRange(y1, y2)]: for the row range that is being filled, the nimber of its rows
   * above x XOR the nimber of its rows below x, both over columns y1 to y2 - 1.
   */
  readonly #splitNimber = new Uint16Array(MAX_LINES * MAX_RANGES);
  /** lastSeenBy[v]: the `searchId` of the last mex search in which some move led to the nimber v. */
  readonly #lastSeenBy = new Int32Array(LAST_SEEN_LENGTH);
  /** Number of rectangles whose moves were searched in the last `fill`. `fill` copied all other nimbers. */
  searchedRectangles = 0;

  fill(parityClass: RotatedParityClass): void {
    this.#clearEmptyRanges(parityClass);
    this.#lastSeenBy.fill(0);
    this.searchedRectangles = 0;
    for (let height = 1; height <= parityClass.rows; height++) {
      for (let x1 = 0; x1 + height <= parityClass.rows; x1++)
        this.#fillRowRange(parityClass, x1, x1 + height);
    }
  }

  #clearEmptyRanges(parityClass: RotatedParityClass): void {
    const { rows, colRangeCount, nimber } = parityClass;
    for (let x = 0; x <= rows; x++) {
      const base = parityClass.rowRange(x, x) * colRangeCount;
      nimber.fill(0, base, base + colRangeCount);
    }
  }

  /**
   * Fills the nimbers of all rectangles of rows x1 to x2 - 1. The caller must have filled all row ranges of smaller
   * height. The loop over `y1` runs from the last column to the first column, because moves at R need the nimbers of
   * the column ranges inside y1 to y2 - 1.
   */
  #fillRowRange(parityClass: RotatedParityClass, x1: number, x2: number): void {
    const { cols, colRangeCount, nimber } = parityClass;
    const base = parityClass.rowRange(x1, x2) * colRangeCount;
    const from = minInRange(parityClass.firstCol, x1, x2);
    const end = maxInRange(parityClass.endCol, x1, x2);
    this.#fillSplitNimbers(parityClass, x1, x2, from, end);
    for (let y1 = cols; y1 >= 0; y1--) {
      nimber[base + parityClass.colRange(y1, y1)] = 0;
      for (let y2 = y1 + 1; y2 <= cols; y2++) {
        const at = base + parityClass.colRange(y1, y2);
        if (y1 < from || y2 > end) nimber[at] = parityClass.clippedNimber(base, y1, y2, from, end);
        else if (parityClass.isRowEmpty(x1, y1, y2))
          nimber[at] = parityClass.rectangleNimber(x1 + 1, x2, y1, y2);
        else if (parityClass.isRowEmpty(x2 - 1, y1, y2))
          nimber[at] = parityClass.rectangleNimber(x1, x2 - 1, y1, y2);
        else nimber[at] = this.#mexOfMoves(parityClass, x1, x2, y1, y2);
      }
    }
  }

  /**
   * Fills `#splitNimber` for the row range x1 to x2 - 1. It fills only column ranges within `from` to `end - 1`,
   * because the rows x1 to x2 - 1 have no cells in other columns.
   */
  #fillSplitNimbers(
    parityClass: RotatedParityClass,
    x1: number,
    x2: number,
    from: number,
    end: number,
  ): void {
    const { colRangeCount, nimber } = parityClass;
    const splitNimber = this.#splitNimber;
    for (let x = x1; x < x2; x++) {
      const above = parityClass.rowRange(x1, x) * colRangeCount;
      const below = parityClass.rowRange(x + 1, x2) * colRangeCount;
      const target = x * colRangeCount;
      for (let y1 = from; y1 <= end; y1++) {
        const last = parityClass.colRange(y1, end);
        for (let k = parityClass.colRange(y1, y1); k <= last; k++)
          splitNimber[target + k] = nimber[above + k] ^ nimber[below + k];
      }
    }
  }

  #mexOfMoves(parityClass: RotatedParityClass, x1: number, x2: number, y1: number, y2: number): number {
    const searchId = ++this.searchedRectangles;
    const lastSeenBy = this.#lastSeenBy;
    this.#recordRowMoves(parityClass, x1, x2, y1, y2, searchId);
    this.#recordColumnMoves(parityClass, x1, x2, y1, y2, searchId);
    let value = 0;
    while (lastSeenBy[value] === searchId) value++;
    return value;
  }

  /** Records the nimbers after moves at L and X. Moves at L and X leave only rectangles of smaller height. */
  #recordRowMoves(
    parityClass: RotatedParityClass,
    x1: number,
    x2: number,
    y1: number,
    y2: number,
    searchId: number,
  ): void {
    const { cols, colRangeCount, lCountBefore, xCountBefore, xCols } = parityClass;
    const splitNimber = this.#splitNimber;
    const lastSeenBy = this.#lastSeenBy;
    const stride = cols + 1;
    let left = x1 * colRangeCount + y1 * stride;
    let right = x1 * colRangeCount + stride + y2;
    for (let x = x1; x < x2; x++, left += colRangeCount, right += colRangeCount) {
      const line = x * stride;
      if (lCountBefore[line + y1] !== lCountBefore[line + y2]) lastSeenBy[splitNimber[left + y2]] = searchId;
      const end = x * cols + xCountBefore[line + y2];
      for (let k = x * cols + xCountBefore[line + y1]; k < end; k++) {
        const y = xCols[k];
        lastSeenBy[splitNimber[left + y] ^ splitNimber[right + y * stride]] = searchId;
      }
    }
  }

  /** Records the nimbers after moves at R. Moves at R leave rectangles of the same rows and fewer columns. */
  #recordColumnMoves(
    parityClass: RotatedParityClass,
    x1: number,
    x2: number,
    y1: number,
    y2: number,
    searchId: number,
  ): void {
    const { rCountBefore, nimber } = parityClass;
    const lastSeenBy = this.#lastSeenBy;
    const stride = parityClass.cols + 1;
    const base = parityClass.rowRange(x1, x2) * parityClass.colRangeCount;
    for (let y = y1; y < y2; y++) {
      const line = y * (parityClass.rows + 1);
      if (rCountBefore[line + x1] === rCountBefore[line + x2]) continue;
      lastSeenBy[nimber[base + y1 * stride + y] ^ nimber[base + (y + 1) * stride + y2]] = searchId;
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
