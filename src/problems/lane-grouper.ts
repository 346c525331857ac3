/**
 * Groups boards for a kernel that solves several boards at once, one board per lane. All boards of a group are
 * placed in frames of the same size, and the frame must be large enough for the largest board of the group. The
 * kernel's time depends on the size of the frame, so boards of similar size are put into the same group.
 *
 * The games that use this class have the same answer for a board and for its reflection in the main diagonal.
 * Boards that are taller than wide are therefore reflected, which halves the number of different shapes.
 */
import type { Board } from './board.js';

/** Solves the boards with these indices, one board per lane, each in a frame of `rows` x `cols` cells. */
export type SolveGroup = (indices: Uint32Array, rows: number, cols: number) => void;

export function longSide({ rows, cols }: Board): number {
  return Math.max(rows, cols);
}

export function shortSide({ rows, cols }: Board): number {
  return Math.min(rows, cols);
}

export class LaneGrouper {
  readonly lanes: number;
  readonly #maxSide: number;
  /** The indices of the boards to group, sorted by shape; small shapes come first. */
  #ordered = new Uint32Array(0);
  /** nextSlotOf[shape]: the index in `#ordered` where the next board of that shape belongs. */
  readonly #nextSlotOf: Uint32Array;

  /** Creates a grouper for boards with at most `maxSide` rows and at most `maxSide` columns. */
  constructor(lanes: number, maxSide: number) {
    this.lanes = lanes;
    this.#maxSide = maxSide;
    this.#nextSlotOf = new Uint32Array((maxSide + 1) ** 2 + 1);
  }

  /** Puts the boards whose indices are in indices[0, count) into groups of at most `lanes`, and solves each group. */
  forEachGroup(boards: readonly Board[], indices: Uint32Array, count: number, solve: SolveGroup): void {
    this.#orderByShape(boards, indices, count);
    // Start with the largest boards. Only the last group can have empty lanes, and it has the smallest boards.
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
   * Writes the code of each cell of a board into frame[lane + lanes * (row * frameCols + col)]. A board that is
   * taller than wide is reflected in its main diagonal: its rows and columns are swapped.
   */
  writeBoard(board: Board, codes: Uint8Array, frame: Uint8Array, lane: number, frameCols: number): void {
    const { rows, cols, cells } = board;
    const isInPlace = rows <= cols;
    const rowStep = (isInPlace ? frameCols : 1) * this.lanes;
    const colStep = (isInPlace ? 1 : frameCols) * this.lanes;
    for (let row = 0, cell = 0; row < rows; row++) {
      let at = row * rowStep + lane;
      for (let col = 0; col < cols; col++, cell++, at += colStep) frame[at] = codes[cells[cell]];
    }
  }

  /** Sorts the indices by the shape of their boards into `#ordered`, by counting sort. */
  #orderByShape(boards: readonly Board[], indices: Uint32Array, count: number): void {
    const nextSlotOf = this.#nextSlotOf;
    if (this.#ordered.length < count) this.#ordered = new Uint32Array(count);
    nextSlotOf.fill(0);
    for (let i = 0; i < count; i++) nextSlotOf[this.#shapeOf(boards[indices[i]]) + 1]++;
    for (let shape = 1; shape < nextSlotOf.length; shape++) nextSlotOf[shape] += nextSlotOf[shape - 1];
    for (let i = 0; i < count; i++) {
      this.#ordered[nextSlotOf[this.#shapeOf(boards[indices[i]])]++] = indices[i];
    }
  }

  /** Returns the number of a board's shape. Shapes are ordered by their longer side, then by their shorter side. */
  #shapeOf(board: Board): number {
    return longSide(board) * (this.#maxSide + 1) + shortSide(board);
  }
}
