/**
 * Counts every board of bacterial-tactics of one size, without solving them one by one: how many boards have each nimber, how
 * many have each answer, and which is the first board in order that has the largest nimber.
 *
 * The order of the boards is that of `generate --profile all`: the index of a board is the binary number of its cells in
 * row-major order, with 1 for a radioactive cell.
 *
 * The rows are read by an automaton (census-states.ts). Boards whose first rows lead to the same state, or to two states that
 * mirror each other, form a class. The census takes these steps:
 *
 *   1. It finds the classes of all ways to fill the rows above the last two, row by row, with the number of ways of each class.
 *   2. For each class and each way to fill the last row but one, it finds the nimbers and answers for all last rows at once.
 *      For each rectangle, a table has its nimber after each last row. States of whole boards are not compared any more here:
 *      that would take longer than to find the same nimbers again.
 *
 * A slice is a part of the classes of step 1. Slices share nothing in step 2, so workers can count them in any order. Each
 * worker does step 1 itself.
 */
import { assertRelation } from '../../core/assert.js';
import type { CensusCounts, FastBoardCounter } from '../../problems/census.js';
import {
  keyOfRectangleState,
  LARGEST_NIMBER,
  mex,
  nimberAbove,
  type RectangleState,
  RectangleStates,
  STATE_WITHOUT_COLUMNS,
  stateBelow,
} from './census-states.js';

/** The longest side of a board whose size the census takes. A column more takes at least four times as long. */
export const MAX_CENSUS_SIDE = 12;
/** The most cells of such a board. Larger sizes would take more memory than most machines have. */
export const MAX_CENSUS_CELLS = 42;
/** The rows that step 2 fills. */
const LAST_ROWS = 2;

assertRelation(2 ** MAX_CENSUS_CELLS <= Number.MAX_SAFE_INTEGER, 'a number can count all boards');
assertRelation(
  // A rectangle has at most rows + columns moves.
  2 * MAX_CENSUS_SIDE <= LARGEST_NIMBER,
  'every nimber has a bit in a set of nimbers',
);

/**
 * The boards whose rows so far lead to the same state, or to its mirror image. Lists of classes are in the order of `first`,
 * and so are the boards that begin with these ways. So who meets a nimber for the first time has the first board with it: any
 * earlier board would have an earlier beginning that leads to the same state, or to its mirror image.
 */
interface BoardClass {
  /** In how many ways the rows so far can be filled. */
  ways: number;
  /** The index of the first of these ways. */
  readonly first: number;
  /** The state to which the first way leads. */
  readonly state: RectangleState;
}

/** The census of the boards of one size. */
export class BacterialCensus implements FastBoardCounter {
  readonly rows: number;
  readonly cols: number;
  /** Number of slices. They take similar times, but contain very different numbers of boards. */
  readonly slices: number;

  readonly #states: RectangleStates;
  readonly #lastRow: LastRow;
  /** The classes of step 1; null until a slice is counted. */
  #classes: readonly BoardClass[] | null = null;

  private constructor(rows: number, cols: number, slices: number) {
    this.rows = rows;
    this.cols = cols;
    this.slices = slices;
    this.#states = new RectangleStates(cols);
    this.#lastRow = new LastRow(this.#states, rows, cols);
  }

  /**
   * Prepares the census of this size, which takes no time yet; null if the size is too large. Unless a number of slices is
   * given, it depends only on the size.
   */
  static open(rows: number, cols: number, slices: number = usualSlices(rows, cols)): BacterialCensus | null {
    const isTooLarge = Math.max(rows, cols) > MAX_CENSUS_SIDE || rows * cols > MAX_CENSUS_CELLS;
    return isTooLarge ? null : new BacterialCensus(rows, cols, slices);
  }

  /** Counts the boards of a slice, from 0 on. The first call also does the work that all slices share. */
  count(slice: number): CensusCounts {
    this.#classes ??= this.#classesAboveLastRows([]);
    const from = Math.floor((slice * this.#classes.length) / this.slices);
    const to = Math.floor(((slice + 1) * this.#classes.length) / this.slices);
    return this.#countClasses(this.#classes.slice(from, to), Math.max(0, this.rows - LAST_ROWS));
  }

  /** Counts the boards that begin with these rows, each of which is a binary number. At least one row must be left. */
  countBoardsWith(firstRows: readonly number[]): CensusCounts {
    return this.#countClasses(
      this.#classesAboveLastRows(firstRows),
      Math.max(firstRows.length, this.rows - LAST_ROWS),
    );
  }

  /** Returns the classes of all ways to fill the rows above the last two, of which some may be given. */
  #classesAboveLastRows(firstRows: readonly number[]): readonly BoardClass[] {
    const start = { ways: 1, first: 0, state: this.#states.fresh(this.cols) };
    let classes: readonly BoardClass[] = [
      firstRows.reduce((above, row) => extend(above, row, this.#states), start),
    ];
    for (let rows = firstRows.length; rows < this.rows - LAST_ROWS; rows++)
      classes = mergeClasses(classes, this.#states);
    return classes;
  }

  /** Counts all boards of classes in which this many rows are filled. */
  #countClasses(classes: readonly BoardClass[], filledRows: number): CensusCounts {
    const totals = new Totals();
    for (const boardClass of classes) {
      if (filledRows === this.rows - 1) this.#lastRow.count(boardClass, totals);
      else
        for (const extended of extensionsOf(boardClass, this.#states)) this.#lastRow.count(extended, totals);
    }
    return totals.counts;
  }
}

/** A slice of a size with many cells takes a few tenths of a second at most, after the first one, which begins with step 1. */
function usualSlices(rows: number, cols: number): number {
  if (rows * cols < 28) return 1;
  return rows * cols <= 36 ? 64 : 1024;
}

// ---- Step 1: the rows above the last two ------------------------------------------------------------------

/** Returns the classes after one more row. */
function mergeClasses(classes: readonly BoardClass[], states: RectangleStates): BoardClass[] {
  const merged: BoardClass[] = [];
  /** The class of each state and of its mirror image, by their keys. */
  const known = new Map<string, BoardClass>();
  for (const boardClass of classes) {
    for (const extended of extensionsOf(boardClass, states)) {
      const key = keyOfRectangleState(extended.state);
      const same = known.get(key);
      if (same !== undefined) {
        same.ways += extended.ways;
        continue;
      }
      merged.push(extended);
      known.set(key, extended);
      known.set(keyOfRectangleState(states.mirror(extended.state)), extended);
    }
  }
  return merged;
}

/** Yields the class with each way to fill one more row. */
function* extensionsOf(boardClass: BoardClass, states: RectangleStates): Generator<BoardClass> {
  for (let row = 0; row < 2 ** boardClass.state.width; row++) yield extend(boardClass, row, states);
}

function extend({ ways, first, state }: BoardClass, row: number, states: RectangleStates): BoardClass {
  return { ways, first: first * 2 ** state.width + row, state: states.read(state, row) };
}

// ---- Step 2: the last rows --------------------------------------------------------------------------------

/** Finds nimbers and answers for all ways to fill the last row. */
class LastRow {
  readonly #states: RectangleStates;
  readonly #rows: number;
  readonly #cols: number;
  /** nimbers[state][row]: the nimber of a rectangle after this last row. Missing until it is needed. */
  readonly #nimbers: Uint8Array[] = [];
  /** reached[row]: the set of the nimbers that the moves lead to, if this is the last row. */
  readonly #reached: Int32Array;
  /** answers[row]: the number of openings that win, if this is the last row. */
  readonly #answers: Uint8Array;

  constructor(states: RectangleStates, rows: number, cols: number) {
    this.#states = states;
    this.#rows = rows;
    this.#cols = cols;
    this.#reached = new Int32Array(2 ** cols);
    this.#answers = new Uint8Array(2 ** cols);
    this.#nimbers[STATE_WITHOUT_COLUMNS] = Uint8Array.of(0);
  }

  /** Adds the boards of a class to the totals. */
  count({ ways, first, state }: BoardClass, totals: Totals): void {
    this.#makeMoves(state);
    const [reached, answers] = [this.#reached, this.#answers];
    let rowsWithoutMoves = 0;
    for (let row = 0; row < reached.length; row++) {
      // Most boards have no move, so these are counted together. They are never the first with the largest nimber, because
      // a last row without radioactive cells comes first, and is a move.
      if (reached[row] === 0) rowsWithoutMoves++;
      else totals.add(mex(reached[row]), answers[row], ways, first * reached.length + row);
    }
    totals.addBoardsWithoutMoves(rowsWithoutMoves * ways);
  }

  /** Returns the nimber of a rectangle in this state after each last row. */
  #nimbersOf(state: number): Uint8Array {
    let nimbers = this.#nimbers[state];
    if (nimbers === undefined) {
      nimbers = this.#findNimbers(this.#states.get(state));
      this.#nimbers[state] = nimbers;
    }
    return nimbers;
  }

  #findNimbers(state: RectangleState): Uint8Array {
    this.#makeMoves(state);
    const nimbers = new Uint8Array(2 ** state.width);
    for (let row = 0; row < nimbers.length; row++) nimbers[row] = mex(this.#reached[row]);
    return nimbers;
  }

  /** Makes all moves in a rectangle in this state, which fills `#reached` and `#answers`. */
  #makeMoves({ width, clearCols, nimber, rowMoves, colMoves }: RectangleState): void {
    // To find a table overwrites `#reached`, so this comes first.
    const below = rowMoves.map((move) => this.#nimbersOf(stateBelow(move)));
    const beside = colMoves.map((state) => this.#nimbersOf(state));
    this.#reached.fill(0, 0, 2 ** width);
    this.#answers.fill(0, 0, 2 ** width);
    for (let move = 0; move < below.length; move++) this.#fillRow(nimberAbove(rowMoves[move]), below[move]);
    this.#fillLastRow(nimber);
    for (let bit = 0, move = 0; bit < width; bit++)
      if (((clearCols >> bit) & 1) === 1) this.#fillCol(bit, beside[move++], beside[move++]);
  }

  /** Makes a move in a row above the last one, for all last rows. */
  #fillRow(above: number, below: Uint8Array): void {
    const [reached, answers, openings] = [this.#reached, this.#answers, this.#cols];
    for (let row = 0; row < below.length; row++) {
      reached[row] |= 1 << (above ^ below[row]);
      if (above === below[row]) answers[row] += openings;
    }
  }

  /** Makes a move in the last row itself, if it is clear. */
  #fillLastRow(above: number): void {
    this.#reached[0] |= 1 << above;
    if (above === 0) this.#answers[0] += this.#cols;
  }

  /** Makes a move in a column, for all last rows whose cell in the column is not radioactive. */
  #fillCol(bit: number, left: Uint8Array, right: Uint8Array): void {
    const [reached, answers, openings] = [this.#reached, this.#answers, this.#rows];
    for (let leftRow = 0; leftRow < left.length; leftRow++) {
      const nimber = left[leftRow];
      const firstRow = leftRow << (bit + 1);
      for (let rightRow = 0; rightRow < right.length; rightRow++) {
        reached[firstRow | rightRow] |= 1 << (nimber ^ right[rightRow]);
        if (nimber === right[rightRow]) answers[firstRow | rightRow] += openings;
      }
    }
  }
}

/** Sums over boards. Until the boards of a slice are counted, numbers are exact and take less time than bigints. */
class Totals {
  #largestNimber = -1;
  #firstWithLargest = 0;
  readonly #nimbers = new Float64Array(LARGEST_NIMBER + 1);
  readonly #answers = new Float64Array(2 * MAX_CENSUS_CELLS + 1);

  /** Adds boards with this nimber and answer. They must come in the order of their first indexes. */
  add(nimber: number, answer: number, boards: number, firstIndex: number): void {
    this.#nimbers[nimber] += boards;
    this.#answers[answer] += boards;
    if (nimber > this.#largestNimber) {
      this.#largestNimber = nimber;
      this.#firstWithLargest = firstIndex;
    }
  }

  addBoardsWithoutMoves(boards: number): void {
    this.#nimbers[0] += boards;
    this.#answers[0] += boards;
  }

  get counts(): CensusCounts {
    const values = toMap(this.#nimbers);
    return {
      cases: [...values.values()].reduce((sum, boards) => sum + boards, 0),
      values,
      answers: toMap(this.#answers),
      largest: this.#largestNimber < 0 ? null : { size: this.#largestNimber, index: this.#firstWithLargest },
    };
  }
}

/** Returns the counts that are not 0, by their indexes. */
function toMap(counts: Float64Array): Map<string, number> {
  return new Map(
    [...counts.entries()].filter(([, count]) => count > 0).map(([at, count]) => [`${at}`, count]),
  );
}
