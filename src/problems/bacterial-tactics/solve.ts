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
export const contest = {
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
const EDGES = Math.max(limits.maxRows, limits.maxCols) + 1;
const UNKNOWN = -1;
const LARGEST_NIMBER = 127;
/** 32-bit words of a bit set of rows or of columns. */
const LINE_WORDS = 2;
/** 32-bit words of a set of nimbers. */
const SEEN_WORDS = 4;

// A rectangle has at most rows + cols moves, so its mex is no larger; an XOR has no bit its operands lack.
assertRelation(
  limits.maxRows + limits.maxCols <= LARGEST_NIMBER,
  'every nimber fits an Int8Array beside UNKNOWN',
);
assertRelation(LARGEST_NIMBER < 32 * SEEN_WORDS, 'every XOR of two nimbers fits a seen set');
assertRelation(EDGES - 1 <= 32 * LINE_WORDS, 'every line has a bit');

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
  const dish = new Dish();
  return {
    name: 'portable',
    lanes: 1,
    fallbackCases: 0,
    solve(boards, count, answers) {
      for (let i = 0; i < count; i++) {
        dish.load(boards[i]);
        answers[i] = dish.winningOpenings();
      }
    },
  };
}

/** The tables behind an answer. */
export function analyse(board: Board): Analysis {
  const dish = new Dish();
  dish.load(board);
  return dish;
}

/** What a board costs the portable solver, counted: the same on every machine. */
export function effort(board: Board): { readonly rectangles: number } {
  const dish = new Dish();
  dish.load(board);
  dish.winningOpenings();
  return { rectangles: dish.searchedRectangles() };
}

/** One board at a time and the scratch memory it is solved in. */
class Dish implements Analysis {
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
  readonly #clearRows = new Int32Array(EDGES * EDGES * LINE_WORDS);
  /**
   * clearCols[(top * EDGES + bottom) * LINE_WORDS + w]: bit b is set if column 32w + b is empty from top to
   * bottom.
   */
  readonly #clearCols = new Int32Array(EDGES * EDGES * LINE_WORDS);
  /** between[(from * EDGES + to) * LINE_WORDS + w]: bit b is set if from <= 32w + b < to. */
  readonly #between = linesBetweenEdges();

  /** emptyOfRow[row * LINE_WORDS + w]: bit b is set if cell 32w + b of the row is empty. */
  readonly #emptyOfRow = new Int32Array(EDGES * LINE_WORDS);
  /** emptyOfCol[col * LINE_WORDS + w]: bit b is set if cell 32w + b of the column is empty. */
  readonly #emptyOfCol = new Int32Array(EDGES * LINE_WORDS);

  /**
   * seen[(height + width) * SEEN_WORDS + w]: bit b is set if some move led to nimber 32w + b. Searches nest,
   * always with smaller sides inside, so each has a set of its own.
   */
  readonly #seen = new Int32Array((limits.maxRows + limits.maxCols + 1) * SEEN_WORDS);

  load(board: Board): void {
    this.rows = board.rows;
    this.cols = board.cols;
    this.#forgetNimbers();
    this.#readCells(board);
    this.#findClearLines(this.#emptyOfCol, this.cols, this.rows, this.#clearRows);
    this.#findClearLines(this.#emptyOfRow, this.rows, this.cols, this.#clearCols);
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
  searchedRectangles(): number {
    return this.#memo.subarray(0, (this.rows + 1) * this.#topStride).filter((nimber) => nimber !== UNKNOWN)
      .length;
  }

  #search(top: number, bottom: number, left: number, right: number): number {
    const height = bottom - top;
    const width = right - left;
    if (this.#isEmpty(top, bottom, left, right)) return emptyNimber(height, width);
    const set = (height + width) * SEEN_WORDS;
    for (let w = 0; w < SEEN_WORDS; w++) this.#seen[set + w] = 0;
    this.#tryRows(top, bottom, left, right, set);
    this.#tryCols(top, bottom, left, right, set);
    return this.#mex(set);
  }

  #isEmpty(top: number, bottom: number, left: number, right: number): boolean {
    const clear = (left * EDGES + right) * LINE_WORDS;
    const all = (top * EDGES + bottom) * LINE_WORDS;
    for (let w = 0; w < LINE_WORDS; w++) {
      if ((this.#between[all + w] & ~this.#clearRows[clear + w]) !== 0) return false;
    }
    return true;
  }

  #tryRows(top: number, bottom: number, left: number, right: number, set: number): void {
    const clear = (left * EDGES + right) * LINE_WORDS;
    const all = (top * EDGES + bottom) * LINE_WORDS;
    for (let w = 0; w < LINE_WORDS; w++) {
      for (let rest = this.#clearRows[clear + w] & this.#between[all + w]; rest !== 0; rest &= rest - 1) {
        const row = 32 * w + lowestBit(rest);
        const after = this.nimber(top, row, left, right) ^ this.nimber(row + 1, bottom, left, right);
        this.#seen[set + (after >> 5)] |= 1 << after;
      }
    }
  }

  #tryCols(top: number, bottom: number, left: number, right: number, set: number): void {
    const clear = (top * EDGES + bottom) * LINE_WORDS;
    const all = (left * EDGES + right) * LINE_WORDS;
    for (let w = 0; w < LINE_WORDS; w++) {
      for (let rest = this.#clearCols[clear + w] & this.#between[all + w]; rest !== 0; rest &= rest - 1) {
        const col = 32 * w + lowestBit(rest);
        const after = this.nimber(top, bottom, left, col) ^ this.nimber(top, bottom, col + 1, right);
        this.#seen[set + (after >> 5)] |= 1 << after;
      }
    }
  }

  #mex(set: number): number {
    let w = 0;
    while (this.#seen[set + w] === -1) w++; // ends: a set has more bits than a rectangle has moves
    return 32 * w + lowestBit(~this.#seen[set + w]);
  }

  #isClearRow(row: number): boolean {
    return ((this.#clearRows[this.cols * LINE_WORDS + (row >> 5)] >> row) & 1) === 1;
  }

  #isClearCol(col: number): boolean {
    return ((this.#clearCols[this.rows * LINE_WORDS + (col >> 5)] >> col) & 1) === 1;
  }

  #forgetNimbers(): void {
    this.#leftStride = this.cols + 1;
    this.#bottomStride = (this.cols + 1) * this.#leftStride;
    this.#topStride = (this.rows + 1) * this.#bottomStride;
    const size = (this.rows + 1) * this.#topStride;
    if (this.#memo.length < size) this.#memo = new Int8Array(size);
    this.#memo.fill(UNKNOWN, 0, size);
  }

  #readCells(board: Board): void {
    this.#emptyOfRow.fill(0);
    this.#emptyOfCol.fill(0);
    for (let row = 0, cell = 0; row < board.rows; row++) {
      for (let col = 0; col < board.cols; col++, cell++) {
        if (board.cells[cell] !== 0) continue;
        this.#emptyOfRow[row * LINE_WORDS + (col >> 5)] |= 1 << col;
        this.#emptyOfCol[col * LINE_WORDS + (row >> 5)] |= 1 << row;
      }
    }
  }

  /**
   * A row is clear from edge to edge if it is empty in each column between: ANDs of `emptyOf`, one for each
   * range.
   */
  #findClearLines(emptyOf: Int32Array, across: number, lines: number, clear: Int32Array): void {
    for (let w = 0; w < LINE_WORDS; w++) {
      for (let from = 0; from <= across; from++) {
        let still = this.#between[lines * LINE_WORDS + w];
        clear[(from * EDGES + from) * LINE_WORDS + w] = still;
        for (let to = from + 1; to <= across; to++) {
          still &= emptyOf[(to - 1) * LINE_WORDS + w];
          clear[(from * EDGES + to) * LINE_WORDS + w] = still;
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

function linesBetweenEdges(): Int32Array {
  const between = new Int32Array(EDGES * EDGES * LINE_WORDS);
  for (let from = 0; from < EDGES; from++) {
    for (let line = from, to = from + 1; to < EDGES; line++, to++) {
      const range = (from * EDGES + to) * LINE_WORDS;
      for (let w = 0; w < LINE_WORDS; w++) between[range + w] = between[range - LINE_WORDS + w];
      between[range + (line >> 5)] |= 1 << line;
    }
  }
  return between;
}

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
