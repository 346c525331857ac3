/**
 * Lists every board of the sizes that a user asks for, in lexicographic order of the cells. The boards of a size are the
 * paths through a small automaton, which reads one cell after the other. So boardmill counts boards without listing them,
 * and finds the board at any index directly.
 */
import { BoardmillError } from '../../core/errors.js';
import type { Range } from '../../core/range.js';
import type { Board } from '../../formats/boards/board.js';
import { assertSizesInRange } from '../../problems/board-sizes.js';
import type { CaseEnumeration, EnumerationRequest } from '../../problems/problem.js';
import type { BoardAutomaton, BoardProblemParts } from './board-parts.js';

/** Returns a listing of boards whose cells may each have any of this number of letters, whatever the other cells are. */
export function createAllLettersAutomaton(letters: number): BoardAutomaton {
  return {
    states: 1,
    width: () => letters,
    next: () => 0,
    missing: () => 0,
    count: (rows, cols) => BigInt(letters) ** BigInt(rows * cols),
    write(cells, cell, value) {
      cells[cell] = value;
    },
  };
}

interface Shape {
  readonly rows: number;
  readonly cols: number;
}

/**
 * Every board of the requested sizes. Fails with kind `usage` if the sizes are missing, or if boardmill solves no such board.
 */
export function enumerateBoards(
  problem: BoardProblemParts<unknown>,
  { rows, cols, set }: EnumerationRequest,
): CaseEnumeration<Board> {
  if (set !== null)
    throw usageError('--set cannot be used with --profile all; --rows and --cols say which boards');
  if (rows === null || cols === null) {
    throw usageError('--profile all needs the sizes of the boards: --rows A..B --cols A..B');
  }
  return new BoardEnumeration(problem, listShapes(problem, rows, cols));
}

function usageError(message: string): BoardmillError {
  return new BoardmillError('usage', message);
}

/** Lists the sizes in row-major order. Fails if boardmill cannot solve boards of one of them. */
function listShapes({ name, supportedLimits: limits }: BoardProblemParts<unknown>, rows: Range, cols: Range) {
  assertSizesInRange('--rows', rows, { from: limits.minRows, to: limits.maxRows });
  assertSizesInRange('--cols', cols, { from: limits.minCols, to: limits.maxCols });
  if (rows.to * cols.to > limits.maxCells) {
    throw usageError(
      `a board of ${rows.to}x${cols.to} has ${rows.to * cols.to} cells, but boardmill solves ${name} up to ${limits.maxCells} cells`,
    );
  }
  const shapes: Shape[] = [];
  for (let height = rows.from; height <= rows.to; height++) {
    for (let width = cols.from; width <= cols.to; width++) shapes.push({ rows: height, cols: width });
  }
  return shapes;
}

class BoardEnumeration implements CaseEnumeration<Board> {
  readonly head = null;
  readonly isExact = true;
  readonly inputCases = { min: null, max: null };
  readonly count: bigint;
  readonly #listing: BoardAutomaton;
  readonly #cellBytes: number;
  readonly #shapes: readonly Shape[];
  /** Number of boards of each shape. */
  readonly #counts: readonly bigint[];

  constructor({ listing, inputFormat }: BoardProblemParts<unknown>, shapes: readonly Shape[]) {
    this.#listing = listing;
    this.#cellBytes = inputFormat.cellBytes;
    this.#shapes = shapes;
    this.#counts = shapes.map(({ rows, cols }) => listing.count(rows, cols));
    this.count = this.#counts.reduce((sum, count) => sum + count, 0n);
  }

  /** Yields the boards from this index on. Each board is written into the same object. */
  *candidatesFrom(index: bigint): Generator<Board> {
    let skipped = index;
    for (const [number, shape] of this.#shapes.entries()) {
      const count = this.#counts[number];
      if (skipped < count) {
        yield* new ShapeWalk(this.#listing, shape, this.#cellBytes).boardsFrom(skipped);
        skipped = 0n;
      } else skipped -= count;
    }
  }
}

/** Goes through the boards of one size. */
class ShapeWalk {
  readonly #listing: BoardAutomaton;
  readonly #board: Board;
  readonly #size: number;
  /** The value of each cell. */
  readonly #values: Uint8Array;
  /** The state of the automaton before each cell, and after the last cell. */
  readonly #states: Uint8Array;

  constructor(listing: BoardAutomaton, { rows, cols }: Shape, cellBytes: number) {
    this.#listing = listing;
    this.#size = rows * cols;
    this.#board = { rows, cols, cells: new Uint8Array(this.#size * cellBytes) };
    this.#values = new Uint8Array(this.#size);
    this.#states = new Uint8Array(this.#size + 1);
  }

  *boardsFrom(index: bigint): Generator<Board> {
    this.#goTo(index);
    do yield this.#board;
    while (this.#advance());
  }

  /** Fills the board with the cells of the board at this index. */
  #goTo(index: bigint): void {
    const completions = this.#countCompletions(index);
    let skipped = index;
    for (let cell = 0; cell < this.#size; cell++) {
      const after = completions[this.#size - cell - 1];
      // A cell without a table has the first value, because more boards begin with this value than are skipped.
      for (let value = 0; ; value++) {
        const state = this.#stateAfter(cell, value);
        const count = state < 0 ? 0n : (after?.[state] ?? skipped + 1n);
        if (skipped < count) {
          this.#set(cell, value, state);
          break;
        }
        skipped -= count;
      }
    }
  }

  /**
   * Returns a table: table[k][state] is the number of ways to fill the last k cells from this state. The table ends as soon as
   * more than `index` boards have the first value in all earlier cells: these cells are known then.
   */
  #countCompletions(index: bigint): bigint[][] {
    const { states, missing } = this.#listing;
    const table: bigint[][] = [
      Array.from({ length: states }, (_, state) => (missing(state) === 0 ? 1n : 0n)),
    ];
    for (let length = 1; length < this.#size; length++) {
      const cell = this.#size - length;
      if (table[length - 1][this.#firstState(cell + 1)] > index) break;
      table.push(
        Array.from({ length: states }, (_, state) => this.#countFrom(cell, state, table[length - 1])),
      );
    }
    return table;
  }

  #countFrom(cell: number, state: number, after: readonly bigint[]): bigint {
    let count = 0n;
    for (let value = 0; value < this.#listing.width(state); value++) {
      const next = this.#listing.next(state, value, cell < this.#board.cols);
      if (next >= 0) count += after[next];
    }
    return count;
  }

  /** Returns the state before a cell if all earlier cells have the first value. */
  #firstState(cell: number): number {
    let state = 0;
    for (let before = 0; before < cell; before++) {
      const next = this.#listing.next(state, 0, before < this.#board.cols);
      if (next === state) return state;
      state = next;
    }
    return state;
  }

  /** Changes the board to the next one of this size. Returns false after the last board. */
  #advance(): boolean {
    for (let cell = this.#size - 1; cell >= 0; cell--) {
      if (!this.#setFrom(cell, this.#values[cell] + 1)) continue;
      for (let later = cell + 1; later < this.#size; later++) this.#setFrom(later, 0);
      return true;
    }
    return false;
  }

  /** Gives a cell the smallest value of at least `first` with which the board can be completed. */
  #setFrom(cell: number, first: number): boolean {
    const width = this.#listing.width(this.#states[cell]);
    for (let value = first; value < width; value++) {
      const state = this.#stateAfter(cell, value);
      if (state < 0 || this.#listing.missing(state) > this.#size - cell - 1) continue;
      this.#set(cell, value, state);
      return true;
    }
    return false;
  }

  #stateAfter(cell: number, value: number): number {
    return this.#listing.next(this.#states[cell], value, cell < this.#board.cols);
  }

  #set(cell: number, value: number, state: number): void {
    this.#values[cell] = value;
    this.#states[cell + 1] = state;
    this.#listing.write(this.#board.cells, cell, value);
  }
}
