/**
 * Deals boards out to the lanes of a kernel that solves several at once. All boards of one call share a frame,
 * which holds the largest of them, and the kernel's time is the frame's: so boards of like size go together.
 * The games dealt here are the same on a board and on its reflection in the main diagonal; each board is laid
 * with its longer side across, which halves the number of shapes.
 */
import type { Board } from './board.js';

/** Solves the boards of these indices, one a lane, within a frame of `rows` x `cols`. */
export type SolveGroup = (indices: Uint32Array, rows: number, cols: number) => void;

export function longSide({ rows, cols }: Board): number {
  return Math.max(rows, cols);
}

export function shortSide({ rows, cols }: Board): number {
  return Math.min(rows, cols);
}

export class LaneDealer {
  readonly lanes: number;
  readonly #maxSide: number;
  /** The indices of a deal, those of one shape together, small shapes first. */
  #ordered = new Uint32Array(0);
  /** startOf[shape]: where in `ordered` the next board of that shape belongs. */
  readonly #startOf: Uint32Array;

  /** For boards with sides up to `maxSide`. */
  constructor(lanes: number, maxSide: number) {
    this.lanes = lanes;
    this.#maxSide = maxSide;
    this.#startOf = new Uint32Array((maxSide + 1) ** 2 + 1);
  }

  /** Calls `solve` for groups of at most `lanes` of the boards that indices[0, count) name. */
  deal(boards: readonly Board[], indices: Uint32Array, count: number, solve: SolveGroup): void {
    this.#orderByShape(boards, indices, count);
    // Largest first, so that lanes stay empty only with the smallest boards.
    for (let end = count; end > 0; end -= this.lanes) {
      const group = this.#ordered.subarray(Math.max(0, end - this.lanes), end);
      let rows = 0;
      let cols = 0;
      for (const index of group) {
        rows = Math.max(rows, shortSide(boards[index]));
        cols = Math.max(cols, longSide(boards[index]));
      }
      solve(group, rows, cols);
    }
  }

  /**
   * Writes the codes of a board's cells into frame[lane + lanes * (row * frameCols + col)], on its
   * side if it is taller than wide.
   */
  lay(board: Board, codes: Uint8Array, frame: Uint8Array, lane: number, frameCols: number): void {
    const { rows, cols, cells } = board;
    const isUpright = rows <= cols;
    const rowStep = (isUpright ? frameCols : 1) * this.lanes;
    const colStep = (isUpright ? 1 : frameCols) * this.lanes;
    for (let row = 0, cell = 0; row < rows; row++) {
      let at = row * rowStep + lane;
      for (let col = 0; col < cols; col++, cell++, at += colStep) frame[at] = codes[cells[cell]];
    }
  }

  /** Counting sort. */
  #orderByShape(boards: readonly Board[], indices: Uint32Array, count: number): void {
    const startOf = this.#startOf;
    if (this.#ordered.length < count) this.#ordered = new Uint32Array(count);
    startOf.fill(0);
    for (let i = 0; i < count; i++) startOf[this.#shapeOf(boards[indices[i]]) + 1]++;
    for (let shape = 1; shape < startOf.length; shape++) startOf[shape] += startOf[shape - 1];
    for (let i = 0; i < count; i++) {
      this.#ordered[startOf[this.#shapeOf(boards[indices[i]])]++] = indices[i];
    }
  }

  /** Numbers shapes by their longer side, then by the shorter one. */
  #shapeOf(board: Board): number {
    return longSide(board) * (this.#maxSide + 1) + shortSide(board);
  }
}
