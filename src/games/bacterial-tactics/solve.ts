/**
 * Solves bacterial-tactics with Sprague-Grundy theory: a memoised search over rectangles, one board at a time.
 *
 * A line is a row or column of a rectangle. It is clear if it has no radioactive cell. A legal move fills one clear
 * line of a rectangle and leaves two independent rectangles, so
 *
 *   nimber(rectangle) = mex { nimber(one side) XOR nimber(other side) : clear rows and columns }.
 *
 * The cost for R x C cells is at most O(R^2 C^2 (R + C)). Two facts keep the cost far below this bound:
 *  - The search visits only rectangles that play can reach. On boards with many radioactive cells, few rectangles
 *    can be reached, because few lines are clear.
 *    In each rectangle the search visits only the clear lines. Bit sets store the clear lines for every range of
 *    columns and of rows.
 *  - The nimber of an empty rectangle depends only on the parities of its sides (`emptyNimber`). On boards with few
 *    radioactive cells, half of all rectangles contain no radioactive cell.
 * A solver that fills a table of all rectangles bottom-up would profit from neither fact.
 *
 * Reference: E. R. Berlekamp, J. H. Conway, R. K. Guy, "Winning Ways for your Mathematical Plays", volume 1.
 */
import { assertRelation } from '../../core/assert.js';
import type { Board, BoardLimits, Solver } from '../../problems/problem.js';

/** The limits of the problem statement (Google Code Jam 2019, Round 1C). */
export const constraints = {
  minRows: 1,
  maxRows: 15,
  minCols: 1,
  maxCols: 15,
  maxCells: 225,
  cases: 100,
} as const;

/** The largest boards that the solvers can solve. A 50 x 50 board takes 6.8 MB of memory and tenths of a second. */
export const supportedLimits: BoardLimits = {
  minRows: 1,
  maxRows: 50,
  minCols: 1,
  maxCols: 50,
  maxCells: 2500,
};

/** Number of edges between adjacent rows (or columns) of the largest board, including the two outer edges. */
const EDGE_COUNT = Math.max(supportedLimits.maxRows, supportedLimits.maxCols) + 1;
/** Value in the memo (the table of known nimbers) for a rectangle whose nimber is not known yet. */
const UNKNOWN = -1;
/** The largest nimber that the memo can store. */
const LARGEST_NIMBER = 127;
/** Number of 32-bit words in a bit set of rows or of columns. */
const WORDS_PER_LINE_SET = 2;
/** Number of 32-bit words in a bit set of nimbers. */
const WORDS_PER_NIMBER_SET = 4;

// A rectangle has at most rows + cols moves, so its mex is at most rows + cols. An XOR needs no more bits than the
// largest of its operands.
assertRelation(
  supportedLimits.maxRows + supportedLimits.maxCols <= LARGEST_NIMBER,
  'every nimber fits an Int8Array, and differs from UNKNOWN',
);
assertRelation(
  LARGEST_NIMBER < 32 * WORDS_PER_NIMBER_SET,
  'every XOR of two nimbers has a bit in a set of nimbers',
);
assertRelation(EDGE_COUNT - 1 <= 32 * WORDS_PER_LINE_SET, 'every row and column has a bit in a set of lines');

/** A clear row or column of the whole board, which the first move can fill. */
interface Opening {
  line: 'row' | 'column';
  index: number;
  /** The nimber of the position after this move. The opening wins exactly if this nimber is 0. */
  nimber: number;
}

/**
 * The nimbers of one board. A program can use these nimbers to explain an answer. Four edges describe a rectangle: the
 * rectangle has the rows `top` to `bottom - 1` and the columns `left` to `right - 1`.
 */
export interface BoardAnalysis {
  readonly rows: number;
  readonly cols: number;
  nimber(top: number, bottom: number, left: number, right: number): number;
  /** Returns whether the row has no radioactive cell in the columns `left` to `right - 1`. */
  isClearRow(row: number, left: number, right: number): boolean;
  /** Returns whether the column has no radioactive cell in the rows `top` to `bottom - 1`. */
  isClearCol(col: number, top: number, bottom: number): boolean;
  /** Returns all openings: clear rows from the top, then clear columns from the left. */
  openings(): Opening[];
  /** Returns the answer to the case. A winning row counts once for each of its cells, and so does a winning column. */
  winningOpenings(): number;
}

export function createPortableSolver(): Solver<number> {
  const search = new RectangleSearch();
  return {
    name: 'portable',
    lanes: 1,
    fallbackCases: 0,
    solve(boards, count, answers, context) {
      const nimbers = context?.nimbers;
      for (let i = 0; i < count; i++) {
        search.load(boards[i]);
        answers[i] = search.winningOpenings();
        if (nimbers !== undefined) nimbers[i] = search.boardNimber;
      }
    },
  };
}

/** Creates a function that returns the nimber of a board. */
export function createNimberFunction(): (board: Board) => number {
  const search = new RectangleSearch();
  return (board) => {
    search.load(board);
    return search.boardNimber;
  };
}

/** Prepares the analysis of a board. The returned object computes a nimber when a caller asks for this nimber. */
export function analyse(board: Board): BoardAnalysis {
  const search = new RectangleSearch();
  search.load(board);
  return search;
}

/** Counts the work of the portable solver on a board. The count is the same on every machine. */
export function countSolvingWork(board: Board): { readonly rectangles: number } {
  const search = new RectangleSearch();
  search.load(board);
  search.winningOpenings();
  return { rectangles: search.countSearchedRectangles() };
}

/** The search for the nimbers of one board at a time, and its scratch memory. */
class RectangleSearch implements BoardAnalysis {
  rows = 0;
  cols = 0;

  /**
   * memo[top * topStride + bottom * bottomStride + left * leftStride + right]: the nimber of the rectangle, or
   * UNKNOWN. Edges are numbered from 0 to rows and from 0 to cols, so a 15 x 15 board needs 16^4 bytes.
   */
  #memo = new Int8Array(0);
  #topStride = 0;
  #bottomStride = 0;
  #leftStride = 0;

  /**
   * clearRows[(left * EDGE_COUNT + right) * WORDS_PER_LINE_SET + w]: bit b is set if row 32w + b has no radioactive
   * cell between the edges left and right.
   */
  readonly #clearRows = new Int32Array(EDGE_COUNT * EDGE_COUNT * WORDS_PER_LINE_SET);
  /**
   * clearCols[(top * EDGE_COUNT + bottom) * WORDS_PER_LINE_SET + w]: bit b is set if column 32w + b has no
   * radioactive cell between the edges top and bottom.
   */
  readonly #clearCols = new Int32Array(EDGE_COUNT * EDGE_COUNT * WORDS_PER_LINE_SET);
  /**
   * linesBetween[(from * EDGE_COUNT + to) * WORDS_PER_LINE_SET + w]: bit b is set if line 32w + b lies between the
   * edges `from` and `to`, that is, if from <= 32w + b < to.
   */
  readonly #linesBetween = buildLinesBetween();

  /** emptyCellsOfRow[row * WORDS_PER_LINE_SET + w]: bit b is set if the cell in column 32w + b of the row is empty. */
  readonly #emptyCellsOfRow = new Int32Array(EDGE_COUNT * WORDS_PER_LINE_SET);
  /** emptyCellsOfCol[col * WORDS_PER_LINE_SET + w]: bit b is set if the cell in row 32w + b of the column is empty. */
  readonly #emptyCellsOfCol = new Int32Array(EDGE_COUNT * WORDS_PER_LINE_SET);

  /**
   * reachedNimbers[(height + width) * WORDS_PER_NIMBER_SET + w]: bit b is set if some move in the rectangle that is
   * being searched leads to nimber 32w + b. Searches are recursive, and height + width is smaller in each inner
   * search, so all searches in progress use different parts of this array.
   */
  readonly #reachedNimbers = new Int32Array(
    (supportedLimits.maxRows + supportedLimits.maxCols + 1) * WORDS_PER_NIMBER_SET,
  );

  load(board: Board): void {
    this.rows = board.rows;
    this.cols = board.cols;
    this.#resetMemo();
    this.#readCells(board);
    this.#findClearLines(this.#emptyCellsOfCol, this.cols, this.rows, this.#clearRows);
    this.#findClearLines(this.#emptyCellsOfRow, this.rows, this.cols, this.#clearCols);
  }

  nimber(top: number, bottom: number, left: number, right: number): number {
    const at = top * this.#topStride + bottom * this.#bottomStride + left * this.#leftStride + right;
    if (this.#memo[at] === UNKNOWN) this.#memo[at] = this.#search(top, bottom, left, right);
    return this.#memo[at];
  }

  isClearRow(row: number, left: number, right: number): boolean {
    const lines = (left * EDGE_COUNT + right) * WORDS_PER_LINE_SET;
    return ((this.#clearRows[lines + (row >> 5)] >> row) & 1) === 1;
  }

  isClearCol(col: number, top: number, bottom: number): boolean {
    const lines = (top * EDGE_COUNT + bottom) * WORDS_PER_LINE_SET;
    return ((this.#clearCols[lines + (col >> 5)] >> col) & 1) === 1;
  }

  openings(): Opening[] {
    const openings: Opening[] = [];
    for (let row = 0; row < this.rows; row++) {
      if (!this.isClearRow(row, 0, this.cols)) continue;
      const nimber = this.nimber(0, row, 0, this.cols) ^ this.nimber(row + 1, this.rows, 0, this.cols);
      openings.push({ line: 'row', index: row, nimber });
    }
    for (let col = 0; col < this.cols; col++) {
      if (!this.isClearCol(col, 0, this.rows)) continue;
      const nimber = this.nimber(0, this.rows, 0, col) ^ this.nimber(0, this.rows, col + 1, this.cols);
      openings.push({ line: 'column', index: col, nimber });
    }
    return openings;
  }

  winningOpenings(): number {
    let cells = 0;
    for (const { line, nimber } of this.openings()) {
      if (nimber === 0) cells += line === 'row' ? this.cols : this.rows;
    }
    return cells;
  }

  /** The nimber of the whole board. */
  get boardNimber(): number {
    return this.nimber(0, this.rows, 0, this.cols);
  }

  /** Returns the number of rectangles whose nimber the search has computed so far. */
  countSearchedRectangles(): number {
    return this.#memo.subarray(0, (this.rows + 1) * this.#topStride).filter((nimber) => nimber !== UNKNOWN)
      .length;
  }

  #search(top: number, bottom: number, left: number, right: number): number {
    const height = bottom - top;
    const width = right - left;
    if (this.#isEmpty(top, bottom, left, right)) return emptyNimber(height, width);
    const setStart = (height + width) * WORDS_PER_NIMBER_SET;
    for (let w = 0; w < WORDS_PER_NIMBER_SET; w++) this.#reachedNimbers[setStart + w] = 0;
    this.#recordRowMoves(top, bottom, left, right, setStart);
    this.#recordColumnMoves(top, bottom, left, right, setStart);
    return this.#mex(setStart);
  }

  #isEmpty(top: number, bottom: number, left: number, right: number): boolean {
    const clear = (left * EDGE_COUNT + right) * WORDS_PER_LINE_SET;
    const all = (top * EDGE_COUNT + bottom) * WORDS_PER_LINE_SET;
    for (let w = 0; w < WORDS_PER_LINE_SET; w++) {
      if ((this.#linesBetween[all + w] & ~this.#clearRows[clear + w]) !== 0) return false;
    }
    return true;
  }

  #recordRowMoves(top: number, bottom: number, left: number, right: number, setStart: number): void {
    const clear = (left * EDGE_COUNT + right) * WORDS_PER_LINE_SET;
    const all = (top * EDGE_COUNT + bottom) * WORDS_PER_LINE_SET;
    for (let w = 0; w < WORDS_PER_LINE_SET; w++) {
      for (
        let rest = this.#clearRows[clear + w] & this.#linesBetween[all + w];
        rest !== 0;
        rest &= rest - 1
      ) {
        const row = 32 * w + lowestBitIndex(rest);
        const after = this.nimber(top, row, left, right) ^ this.nimber(row + 1, bottom, left, right);
        this.#reachedNimbers[setStart + (after >> 5)] |= 1 << after;
      }
    }
  }

  #recordColumnMoves(top: number, bottom: number, left: number, right: number, setStart: number): void {
    const clear = (top * EDGE_COUNT + bottom) * WORDS_PER_LINE_SET;
    const all = (left * EDGE_COUNT + right) * WORDS_PER_LINE_SET;
    for (let w = 0; w < WORDS_PER_LINE_SET; w++) {
      for (
        let rest = this.#clearCols[clear + w] & this.#linesBetween[all + w];
        rest !== 0;
        rest &= rest - 1
      ) {
        const col = 32 * w + lowestBitIndex(rest);
        const after = this.nimber(top, bottom, left, col) ^ this.nimber(top, bottom, col + 1, right);
        this.#reachedNimbers[setStart + (after >> 5)] |= 1 << after;
      }
    }
  }

  #mex(setStart: number): number {
    let w = 0;
    while (this.#reachedNimbers[setStart + w] === -1) w++; // The loop ends, because a set has more bits than a rectangle has moves.
    return 32 * w + lowestBitIndex(~this.#reachedNimbers[setStart + w]);
  }

  #resetMemo(): void {
    this.#leftStride = this.cols + 1;
    this.#bottomStride = (this.cols + 1) * this.#leftStride;
    this.#topStride = (this.rows + 1) * this.#bottomStride;
    const size = (this.rows + 1) * this.#topStride;
    if (this.#memo.length < size) this.#memo = new Int8Array(size);
    this.#memo.fill(UNKNOWN, 0, size);
  }

  #readCells(board: Board): void {
    this.#emptyCellsOfRow.fill(0);
    this.#emptyCellsOfCol.fill(0);
    for (let row = 0, cell = 0; row < board.rows; row++) {
      for (let col = 0; col < board.cols; col++, cell++) {
        if (board.cells[cell] !== 0) continue;
        this.#emptyCellsOfRow[row * WORDS_PER_LINE_SET + (col >> 5)] |= 1 << col;
        this.#emptyCellsOfCol[col * WORDS_PER_LINE_SET + (row >> 5)] |= 1 << row;
      }
    }
  }

  /**
   * Finds the lines (rows or columns) that are clear between each pair of edges. A row is clear between two edges if
   * its cell in each column between them is empty, so the set of clear rows is an AND of `emptyCellsOf`.
   */
  #findClearLines(
    emptyCellsOf: Int32Array,
    crossLineCount: number,
    lineCount: number,
    clearLines: Int32Array,
  ): void {
    for (let w = 0; w < WORDS_PER_LINE_SET; w++) {
      for (let from = 0; from <= crossLineCount; from++) {
        let clearSoFar = this.#linesBetween[lineCount * WORDS_PER_LINE_SET + w];
        clearLines[(from * EDGE_COUNT + from) * WORDS_PER_LINE_SET + w] = clearSoFar;
        for (let to = from + 1; to <= crossLineCount; to++) {
          clearSoFar &= emptyCellsOf[(to - 1) * WORDS_PER_LINE_SET + w];
          clearLines[(from * EDGE_COUNT + to) * WORDS_PER_LINE_SET + w] = clearSoFar;
        }
      }
    }
  }
}

/**
 * Returns the nimber of an empty rectangle: 1 if both sides are odd, 2 if exactly one side is odd, 0 if both are
 * even.
 *
 * Proof by induction. A move divides one side of the rectangle, of length n, into two lengths with the sum n - 1. One
 * of the two lengths can be 0. The options of a rectangle are the nimbers that its moves lead to.
 *  - odd x odd: the two lengths are both odd (1 XOR 1 = 0) or both even (2 XOR 2 = 0), or one length is 0 and the other
 *    length is even (2, or 0 if both lengths are 0). The middle line leaves two equal parts, so the nimber 0 is among
 *    the options of an odd x odd rectangle. The nimber 1 is not.
 *  - even x even: one length is odd and the other length is even, with an even width (2 XOR 0 = 2). So the nimber 0 is
 *    not among the options of an even x even rectangle.
 *  - odd x even: if the move divides the odd side, both lengths have the same parity, with an even width (0). If the
 *    move divides the even side, one length is odd and the other length is even, with an odd width (1 XOR 2 = 3, or 1
 *    if the even length is 0). So the options of an odd x even rectangle are 0, 1 and perhaps 3.
 */
export function emptyNimber(height: number, width: number): number {
  if (height === 0 || width === 0) return 0;
  if (((height | width) & 1) === 0) return 0;
  return (height & width & 1) === 1 ? 1 : 2;
}

function buildLinesBetween(): Int32Array {
  const between = new Int32Array(EDGE_COUNT * EDGE_COUNT * WORDS_PER_LINE_SET);
  for (let from = 0; from < EDGE_COUNT; from++) {
    for (let line = from, to = from + 1; to < EDGE_COUNT; line++, to++) {
      const range = (from * EDGE_COUNT + to) * WORDS_PER_LINE_SET;
      for (let w = 0; w < WORDS_PER_LINE_SET; w++)
        between[range + w] = between[range - WORDS_PER_LINE_SET + w];
      between[range + (line >> 5)] |= 1 << line;
    }
  }
  return between;
}

function lowestBitIndex(word: number): number {
  return 31 - Math.clz32(word & -word);
}
