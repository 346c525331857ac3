/**
 * A board of river-pawn with the value of every position and the moves between positions. Games and explanations are made
 * from it. A position is a state of the analysis (solve.ts), and a cell is its index in row-major order from 0.
 */
import type { Board } from '../../problems/problem.js';
import { analyse, type BoardAnalysis, OBSTACLE } from './solve.js';

/** A step to a neighbour: the change of the row and of the column. */
type Direction = readonly [down: number, right: number];

/** The directions in which Black can move (not down), in the order in which moves are listed. */
const BLACK_DIRECTIONS: readonly Direction[] = [
  [-1, 0],
  [0, -1],
  [0, 1],
];
const RED_DIRECTIONS: readonly Direction[] = [...BLACK_DIRECTIONS, [1, 0]];

/** Largest number of moves that a position has: two red pieces with four directions each. */
export const MAX_MOVES_OF_POSITION = 2 * RED_DIRECTIONS.length;

export class AnalysedBoard {
  readonly rows: number;
  readonly cols: number;
  readonly analysis: BoardAnalysis;
  /** [cell]: whether the cell is an obstacle. */
  readonly isObstacle: readonly boolean[];
  /** [cell]: the cells to which a red piece can move from this cell, unless the other red piece is there. */
  readonly redSteps: readonly (readonly number[])[];
  /** [cell]: the cells to which Black can move from this cell. */
  readonly blackSteps: readonly (readonly number[])[];

  /** Analyses the board. The object does not keep the board, so the caller may fill the board again. */
  constructor(board: Board) {
    this.rows = board.rows;
    this.cols = board.cols;
    this.analysis = analyse(board);
    const cells = Array.from(board.cells.subarray(0, board.rows * board.cols));
    this.isObstacle = cells.map((letter) => letter === OBSTACLE);
    this.redSteps = cells.map((_, cell) => this.#stepsFrom(cell, RED_DIRECTIONS));
    this.blackSteps = cells.map((_, cell) => this.#stepsFrom(cell, BLACK_DIRECTIONS));
  }

  /**
   * Whether the game is over in a state that legal play can reach: Black is in row 1 or on the cell of a red piece, or the
   * player to move has no move. These are the states from which the end of the game is 0 plies away.
   */
  isFinished(state: number): boolean {
    return this.analysis.distance[state] === 0;
  }

  /** Writes the states after each legal move into `successors`, in the order of the moves, and returns their number. */
  writeSuccessors(state: number, successors: Int32Array): number {
    if (this.isFinished(state)) return 0;
    const { analysis } = this;
    const black = analysis.blackOf(state);
    const [red1, red2] = analysis.redsOf(state);
    let count = 0;
    if (analysis.turnOf(state) === 'Black') {
      for (const to of this.blackSteps[black]) successors[count++] = analysis.stateOf(to, red1, red2);
      return count;
    }
    for (const to of this.redSteps[red1])
      if (to !== red2) successors[count++] = analysis.stateOf(black, to, red2);
    for (const to of this.redSteps[red2])
      if (to !== red1) successors[count++] = analysis.stateOf(black, red1, to);
    return count;
  }

  #stepsFrom(cell: number, directions: readonly Direction[]): number[] {
    const { rows, cols } = this;
    const steps: number[] = [];
    for (const [down, right] of directions) {
      const row = Math.floor(cell / cols) + down;
      const col = (cell % cols) + right;
      if (row < 0 || row >= rows || col < 0 || col >= cols) continue;
      if (!this.isObstacle[row * cols + col]) steps.push(row * cols + col);
    }
    return steps;
  }
}
