/**
 * An automaton that reads boards of bacterial-tactics row by row, for the census (census.ts).
 *
 * A rectangle is unfinished while rows below the rows known so far can still belong to it. Its state is all that these rows
 * have to know about the rows so far:
 *
 *   nimber      its nimber if no row follows; the rest is needed if a row that follows is filled
 *   clearCols   the columns without a radioactive cell so far; who fills one leaves two unfinished rectangles
 *   rowMoves    the clear rows; who fills one leaves a finished rectangle above, of which only the nimber matters, and an
 *               unfinished rectangle below
 *
 * So a state contains the states of the unfinished rectangles that moves leave. Nothing else of the rows so far can have an
 * effect: rectangles in the same state get the same nimber whatever rows follow, and the same state again after the same row.
 * Each state exists once and has a number. The 2^24 ways to fill four rows of six cells lead a board to only 75,000 states,
 * because most rows and columns are not clear.
 *
 * A row is a binary number: its first cell is the most significant bit, and 1 is a radioactive cell. So bit `b` stands for the
 * column that has `b` columns to its right.
 */

/** What the rows so far mean for an unfinished rectangle. */
export interface RectangleState {
  readonly width: number;
  /** Bit `b` is set if the column has no radioactive cell. */
  readonly clearCols: number;
  readonly nimber: number;
  /** For each clear row, from the top on, what it leaves: see `packRowMove`. */
  readonly rowMoves: readonly number[];
  /** For each clear column, from bit 0 on: the numbers of the states of the rectangles to its left and to its right. */
  readonly colMoves: readonly number[];
}

/** A row move is one number: the state below the row, and in its lowest bits the nimber of the rectangle above. */
const ABOVE_BITS = 5;
/** The largest nimber that a row move, and a set of nimbers in a number of 32 bits, can have. */
export const LARGEST_NIMBER: number = 2 ** ABOVE_BITS - 1;

function packRowMove(above: number, below: number): number {
  return (below << ABOVE_BITS) | above;
}

export function nimberAbove(rowMove: number): number {
  return rowMove & LARGEST_NIMBER;
}

export function stateBelow(rowMove: number): number {
  return rowMove >>> ABOVE_BITS;
}

/** The state of a rectangle without columns. No row changes it, and no move is possible. */
export const STATE_WITHOUT_COLUMNS = 0;

/** Stands for a number of a state that is not known yet. */
const UNKNOWN = -1;

/** The states of rectangles of up to `maxWidth` columns, which are made when they are first met. */
export class RectangleStates {
  readonly #states: RectangleState[] = [];
  readonly #numbers = new Map<string, number>();
  /** successors[state][row]: the state after this row, or UNKNOWN. Missing until a row is read. */
  readonly #successors: Int32Array[] = [];
  /** mirrors[state]: the state with all columns in reverse order. Missing until it is needed. */
  readonly #mirrors: (number | undefined)[] = [];
  /** fresh[width]: the state of a rectangle of which no row is known. */
  readonly #fresh: number[] = [];

  constructor(maxWidth: number) {
    for (let width = 0; width <= maxWidth; width++) {
      const colMoves: number[] = [];
      for (let bit = 0; bit < width; bit++) colMoves.push(this.#fresh[width - 1 - bit], this.#fresh[bit]);
      const state = { width, clearCols: 2 ** width - 1, nimber: 0, rowMoves: [], colMoves };
      this.#fresh.push(this.#numberOf(state));
    }
  }

  get(state: number): RectangleState {
    return this.#states[state];
  }

  /** Returns the state of a rectangle of which no row is known. */
  fresh(width: number): RectangleState {
    return this.#states[this.#fresh[width]];
  }

  /** Returns the state after one more row. */
  read(state: RectangleState, row: number): RectangleState {
    const { width } = state;
    const rowMoves: number[] = [];
    const colMoves: number[] = [];
    let reached = 0;
    for (const move of state.rowMoves) {
      const below = this.#successor(stateBelow(move), row);
      reached |= 1 << (nimberAbove(move) ^ this.#states[below].nimber);
      rowMoves.push(packRowMove(nimberAbove(move), below));
    }
    if (row === 0) {
      reached |= 1 << state.nimber;
      rowMoves.push(packRowMove(state.nimber, this.#fresh[width]));
    }
    for (let bit = 0, at = 0; bit < width; bit++) {
      if (((state.clearCols >> bit) & 1) === 0) continue;
      const [left, right] = [state.colMoves[at++], state.colMoves[at++]];
      if (((row >> bit) & 1) === 1) continue;
      const newLeft = this.#successor(left, row >> (bit + 1));
      const newRight = this.#successor(right, row & (2 ** bit - 1));
      reached |= 1 << (this.#states[newLeft].nimber ^ this.#states[newRight].nimber);
      colMoves.push(newLeft, newRight);
    }
    return { width, clearCols: state.clearCols & ~row, nimber: mex(reached), rowMoves, colMoves };
  }

  /** Returns the state of the rectangle with all columns in reverse order. */
  mirror({ width, clearCols, nimber, rowMoves, colMoves }: RectangleState): RectangleState {
    return {
      width,
      clearCols: reverseBits(clearCols, width),
      nimber,
      rowMoves: rowMoves.map((move) => packRowMove(nimberAbove(move), this.#mirrorOf(stateBelow(move)))),
      colMoves: colMoves.map((state) => this.#mirrorOf(state)).reverse(),
    };
  }

  #successor(state: number, row: number): number {
    if (state === STATE_WITHOUT_COLUMNS) return STATE_WITHOUT_COLUMNS;
    let successors = this.#successors[state];
    if (successors === undefined) {
      successors = new Int32Array(2 ** this.#states[state].width).fill(UNKNOWN);
      this.#successors[state] = successors;
    }
    if (successors[row] === UNKNOWN) successors[row] = this.#numberOf(this.read(this.#states[state], row));
    return successors[row];
  }

  #mirrorOf(state: number): number {
    let mirrored = this.#mirrors[state];
    if (mirrored === undefined) {
      mirrored = this.#numberOf(this.mirror(this.#states[state]));
      this.#mirrors[state] = mirrored;
      this.#mirrors[mirrored] = state;
    }
    return mirrored;
  }

  #numberOf(state: RectangleState): number {
    const key = `${state.width},${keyOfRectangleState(state)}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#states.length;
      this.#numbers.set(key, number);
      this.#states.push(state);
    }
    return number;
  }
}

/**
 * Returns a text that differs for different states of rectangles of the same width. The nimber and the clear columns follow
 * from the moves. So does the order of the row moves: the state below a row contains those below all later rows. For the same
 * reason, no two row moves are equal.
 */
export function keyOfRectangleState({ rowMoves, colMoves }: RectangleState): string {
  return `${rowMoves.join()},,${colMoves.join()}`;
}

/** Returns the bits of a row of this width in reverse order. */
function reverseBits(row: number, width: number): number {
  let reversed = 0;
  for (let bit = 0; bit < width; bit++) reversed |= ((row >> bit) & 1) << (width - 1 - bit);
  return reversed;
}

/** Returns the smallest number whose bit is not set. */
export function mex(set: number): number {
  return 31 - Math.clz32(~set & (set + 1));
}
