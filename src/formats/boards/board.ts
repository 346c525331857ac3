/** Boards, the limits on their size, and the rules that a board can break. */

/**
 * The board of one test case. The same object is reused for later test cases, so a solver must not keep a
 * reference to it after it has returned.
 */
export interface Board {
  rows: number;
  cols: number;
  /**
   * The cells in row-major order, `BoardInputFormat.cellBytes` bytes per cell. The array has at least
   * `rows * cols * cellBytes` bytes. Later bytes of the array are left from an earlier, larger board.
   */
  cells: Uint8Array;
}

/** Inclusive bounds on the size of a board. */
export interface BoardLimits {
  readonly minRows: number;
  readonly maxRows: number;
  readonly minCols: number;
  readonly maxCols: number;
  /** Upper bound on rows * cols. */
  readonly maxCells: number;
}

/** A rule of the problem that a board breaks although each of its rows is well formed. */
export interface BoardViolation {
  /** The cell that breaks the rule, or null if the board as a whole breaks the rule. */
  cell: { row: number; col: number } | null;
  expected: string;
  got: string;
}

/** How many tokens the lines of an input of boards have. A size line always has two tokens. */
export interface BoardLineTokens {
  /** Number of tokens on the first line that is not empty; 0 if that line is the size line of a case. */
  readonly headTokens: number;
  /** Whether a row has one token per column. Otherwise, a row is one token. */
  readonly isRowOfBlocks: boolean;
}
