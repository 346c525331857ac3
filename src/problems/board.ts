/** A board, and what may be said of one. */

/** One position of a board game. Reused from case to case: read it, never keep it. */
export interface Board {
  rows: number;
  cols: number;
  /**
   * Row-major cells, `cellBytes` bytes a cell (see the problem's format). At least `rows * cols * cellBytes`
   * long; what lies behind that belongs to an earlier, larger board.
   */
  cells: Uint8Array;
}

/** Inclusive bounds on the sizes of a board. */
export interface BoardLimits {
  readonly minRows: number;
  readonly maxRows: number;
  readonly minCols: number;
  readonly maxCols: number;
  /** Upper bound on rows * cols. */
  readonly maxCells: number;
}

/** A board that breaks a rule of the problem though each of its rows is well formed. */
export interface Violation {
  /** The cell to point at, or null for the board as a whole. */
  cell: { row: number; col: number } | null;
  expected: string;
  got: string;
}
