/**
 * Groups boards for the kernel, which solves several boards at once, one board per lane. A frame is the grid of cells in
 * which the kernel places a board. All boards of a group are placed in frames of the same size, and the frame must be
 * large enough for the largest board of the group. The kernel's time depends on the size of the frame, so boards of
 * similar size are put into the same group.
 *
 * A board and its reflection in the main diagonal have the same answer. `LaneGrouper` therefore reflects boards that are
 * taller than wide, which halves the number of different shapes.
 */
import type { Board } from '../../formats/boards/board.js';

/** Solves the boards with the given indices, one board per lane, each board in a frame of `rows` x `cols` cells. */
type SolveGroup = (indices: Uint32Array, rows: number, cols: number) => void;

function longSide({ rows, cols }: Board): number {
  return Math.max(rows, cols);
}

function shortSide({ rows, cols }: Board): number {
  return Math.min(rows, cols);
}

export class LaneGrouper {
  readonly lanes: number;
  readonly #maxSide: number;
  /** The indices of the boards, sorted by shape; small shapes come first. */
  #indicesByShape = new Uint32Array(0);
  /** nextPositionOfShape[shape]: the index in `#indicesByShape` where the next board of that shape belongs. */
  readonly #nextPositionOfShape: Uint32Array;

  /** Creates a grouper for boards with at most `maxSide` rows and at most `maxSide` columns. */
  constructor(lanes: number, maxSide: number) {
    this.lanes = lanes;
    this.#maxSide = maxSide;
    this.#nextPositionOfShape = new Uint32Array((maxSide + 1) ** 2 + 1);
  }

  /** Puts the first `count` boards into groups of at most `lanes`, and solves each group. */
  forEachGroup(boards: readonly Board[], count: number, solve: SolveGroup): void {
    this.#sortByShape(boards, count);
    // Start with the largest boards. Only the last group can have empty lanes, and this group has the smallest boards.
    for (let end = count; end > 0; end -= this.lanes) {
      const group = this.#indicesByShape.subarray(Math.max(0, end - this.lanes), end);
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
   * Writes the letter of each cell of a board into frame[lane + lanes * (row * frameCols + col)]. A board that is
   * taller than wide is reflected in its main diagonal: its rows and columns are swapped.
   */
  writeBoard({ rows, cols, cells }: Board, frame: Uint8Array, lane: number, frameCols: number): void {
    const isUnreflected = rows <= cols;
    const rowStep = (isUnreflected ? frameCols : 1) * this.lanes;
    const colStep = (isUnreflected ? 1 : frameCols) * this.lanes;
    for (let row = 0, cell = 0; row < rows; row++) {
      let at = row * rowStep + lane;
      for (let col = 0; col < cols; col++, cell++, at += colStep) frame[at] = cells[cell];
    }
  }

  /** Sorts the indices of the boards by their shapes into `#indicesByShape`, by counting sort. */
  #sortByShape(boards: readonly Board[], count: number): void {
    const nextPositionOfShape = this.#nextPositionOfShape;
    if (this.#indicesByShape.length < count) this.#indicesByShape = new Uint32Array(count);
    nextPositionOfShape.fill(0);
    for (let i = 0; i < count; i++) nextPositionOfShape[this.#shapeNumber(boards[i]) + 1]++;
    for (let shape = 1; shape < nextPositionOfShape.length; shape++)
      nextPositionOfShape[shape] += nextPositionOfShape[shape - 1];
    for (let i = 0; i < count; i++)
      this.#indicesByShape[nextPositionOfShape[this.#shapeNumber(boards[i])]++] = i;
  }

  /** Returns the number of a board's shape. Shapes are ordered by their longer side, then by their shorter side. */
  #shapeNumber(board: Board): number {
    return longSide(board) * (this.#maxSide + 1) + shortSide(board);
  }
}
