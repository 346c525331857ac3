/**
 * Bacterial Tactics by Sprague-Grundy theory, one board at a time: a memoised search over rectangles.
 *
 * A legal move fills one clear row or column of the rectangle it is made in and leaves two independent
 * rectangles, so
 *
 *   nimber(rectangle) = mex { nimber(one side) XOR nimber(other side) : clear rows and columns }.
 *
 * Cost: O(R^2 C^2 (R + C)) at worst. Two things keep it far below that:
 *  - only rectangles that play can reach are searched (few on crowded boards, where no line is clear), and
 *    only their clear lines are looked at: those are kept as bit sets for every range of columns and of rows;
 *  - an empty rectangle's nimber follows from the parities of its sides alone (`emptyNimber`; half of all
 *    rectangles on sparse boards). A table filled bottom-up would gain from neither.
 *
 * Reference: E. R. Berlekamp, J. H. Conway, R. K. Guy, "Winning Ways for your Mathematical Plays", volume 1.
 */
import { assertRelation } from '../../core/assert.js';
import type { Board, BoardLimits, Solver } from '../problem.js';

/** Google Code Jam 2019, Round 1C. */
export const contestLimits = {
  minRows: 1,
  maxRows: 15,
  minCols: 1,
  maxCols: 15,
  maxCells: 225,
  cases: 100,
} as const;

/** 50 x 50 keeps the memo at 6.8 MB and a board at tenths of a second. */
export const limits: BoardLimits = { minRows: 1, maxRows: 50, minCols: 1, maxCols: 50, maxCells: 2500 };

/** Edges between lines, those around the board among them. */
const EDGE_COUNT = Math.max(limits.maxRows, limits.maxCols) + 1;
const UNKNOWN = -1;
const LARGEST_NIMBER = 127;
/** 32-bit words of a bit set of rows or of columns. */
const WORDS_PER_LINE_SET = 2;
/** 32-bit words of a set of nimbers. */
const WORDS_PER_NIMBER_SET = 4;

// A rectangle has at most rows + cols moves, so its mex is no larger; an XOR has no bit its operands lack.
assertRelation(
  limits.maxRows + limits.maxCols <= LARGEST_NIMBER,
  'every nimber fits an Int8Array beside UNKNOWN',
);
assertRelation(LARGEST_NIMBER < 32 * WORDS_PER_NIMBER_SET, 'every XOR of two nimbers fits a seen set');
assertRelation(EDGE_COUNT - 1 <= 32 * WORDS_PER_LINE_SET, 'every line has a bit');

/** A line that can be filled at once, as the first move. */
export interface Opening {
  line: 'row' | 'column';
  index: number;
  /** What the opponent is left with; an opening wins when it is 0. */
  nimber: number;
}

/**
 * Everything known of one board. A rectangle is named by the edges around it: rows `top` up to, not
 * including, `bottom`, columns `left` up to, not including, `right`.
 */
export interface Analysis {
  readonly rows: number;
  readonly cols: number;
  nimber(top: number, bottom: number, left: number, right: number): number;
  /** The clear lines of the whole board: rows from the top, then columns from the left. */
  openings(): Opening[];
  /** The answer: openings counted by cell and kind, so a winning row counts once for each of its cells. */
  winningOpenings(): number;
}

export function createPortableSolver(): Solver<number> {
  const search = new RectangleSearch();
  return {
    name: 'portable',
    lanes: 1,
    fallbackCases: 0,
    solve(boards, count, answers) {
      for (let i = 0; i < count; i++) {
        search.load(boards[i]);
        answers[i] = search.winningOpenings();
      }
    },
  };
}

/** The tables behind an answer. */
export function analyse(board: Board): Analysis {
  const search = new RectangleSearch();
  search.load(board);
  return search;
}

/** What a board costs the portable solver, counted: the same on every machine. */
export function effort(board: Board): { readonly rectangles: number } {
  const search = new RectangleSearch();
  search.load(board);
  search.winningOpenings();
  return { rectangles: search.countSearchedRectangles() };
}

/** One board at a time and the scratch memory it is solved in. */
class RectangleSearch implements Analysis {
  rows = 0;
  cols = 0;

  /**
   * memo[top * topStride + bottom * bottomStride + left * leftStride + right]: the rectangle's nimber, or
   * UNKNOWN. The edges count from 0 to rows and to cols, so 16^4 bytes for a board of 15 x 15.
   */
  #memo = new Int8Array(0);
  #topStride = 0;
  #bottomStride = 0;
  #leftStride = 0;

  /**
   * clearRows[(left * EDGES + right) * LINE_WORDS + w]: bit b is set if row 32w + b is empty from left to
   * right.
   */
  readonly #clearRows = new Int32Array(EDGE_COUNT * EDGE_COUNT * WORDS_PER_LINE_SET);
  /**
   * clearCols[(top * EDGES + bottom) * LINE_WORDS + w]: bit b is set if column 32w + b is empty from top to
   * bottom.
   */
  readonly #clearCols = new Int32Array(EDGE_COUNT * EDGE_COUNT * WORDS_PER_LINE_SET);
  /** between[(from * EDGES + to) * LINE_WORDS + w]: bit b is set if from <= 32w + b < to. */
  readonly #linesBetween = buildLinesBetween();

  /** emptyOfRow[row * LINE_WORDS + w]: bit b is set if cell 32w + b of the row is empty. */
  readonly #emptyCellsOfRow = new Int32Array(EDGE_COUNT * WORDS_PER_LINE_SET);
  /** emptyOfCol[col * LINE_WORDS + w]: bit b is set if cell 32w + b of the column is empty. */
  readonly #emptyCellsOfCol = new Int32Array(EDGE_COUNT * WORDS_PER_LINE_SET);

  /**
   * seen[(height + width) * SEEN_WORDS + w]: bit b is set if some move led to nimber 32w + b. Searches nest,
   * always with smaller sides inside, so each has a set of its own.
   */
  readonly #reachedNimbers = new Int32Array((limits.maxRows + limits.maxCols + 1) * WORDS_PER_NIMBER_SET);

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

  openings(): Opening[] {
    const openings: Opening[] = [];
    for (let row = 0; row < this.rows; row++) {
      if (!this.#isClearRow(row)) continue;
      const nimber = this.nimber(0, row, 0, this.cols) ^ this.nimber(row + 1, this.rows, 0, this.cols);
      openings.push({ line: 'row', index: row, nimber });
    }
    for (let col = 0; col < this.cols; col++) {
      if (!this.#isClearCol(col)) continue;
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

  /** How many rectangles have a nimber by now. */
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
        const row = 32 * w + lowestBit(rest);
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
        const col = 32 * w + lowestBit(rest);
        const after = this.nimber(top, bottom, left, col) ^ this.nimber(top, bottom, col + 1, right);
        this.#reachedNimbers[setStart + (after >> 5)] |= 1 << after;
      }
    }
  }

  #mex(set: number): number {
    let w = 0;
    while (this.#reachedNimbers[set + w] === -1) w++; // ends: a set has more bits than a rectangle has moves
    return 32 * w + lowestBit(~this.#reachedNimbers[set + w]);
  }

  #isClearRow(row: number): boolean {
    return ((this.#clearRows[this.cols * WORDS_PER_LINE_SET + (row >> 5)] >> row) & 1) === 1;
  }

  #isClearCol(col: number): boolean {
    return ((this.#clearCols[this.rows * WORDS_PER_LINE_SET + (col >> 5)] >> col) & 1) === 1;
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
   * A row is clear from edge to edge if it is empty in each column between: ANDs of `emptyOf`, one for each
   * range.
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
 * The nimber of an empty rectangle: 1 if both sides are odd, 2 if one is, 0 if both are even. By induction
 * over moves:
 *  - odd x odd: a move leaves two odd lengths (1 XOR 1), two even ones (0 or 2 each, alike) or one line's
 *    rest (2 or 0); so 0 is among the options (the middle line leaves twins) and 1 is not;
 *  - even x even: a move leaves an odd and an even length of an even width, 2 XOR 0; so 0 is not among the
 *    options;
 *  - odd x even: a move along the odd side leaves twins or nothing, 0; one along the even side leaves an odd
 *    and an even length of an odd width, 1 XOR 2, or 1 alone; so the options are 0, 1 and perhaps 3.
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

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
