/**
 * Checks the list of rectangles in a proof of bacterial-tactics or darkraft. In both games a move cuts a rectangle into
 * smaller ones, in which play goes on independently. By the theorem of Sprague and Grundy, the nimber of a rectangle is
 * the mex (the smallest number that is missing) of the nimbers that its moves lead to, and the nimber of independent
 * rectangles is the XOR of theirs. If every listed nimber obeys this rule, every nimber is right, by induction on the size.
 */
import { fail, isIntegerWithin, readList, show } from './facts.js';

/** A rectangle by its first and last row and column, all inclusive. The subclass says what rows and columns are. */
export type Rectangle = readonly [top: number, bottom: number, left: number, right: number];

/** Number of integers that the list stores for each rectangle: its four sides and its nimber. */
const ENTRY_LENGTH = 5;

export abstract class RectangleProof {
  readonly #height: number;
  readonly #width: number;
  /** The largest nimber that a rectangle can have, which is the largest number of its moves. */
  readonly #maxNimber: number;
  /** [index of the sides, see `#placeOf`]: the number of the listed rectangle from 1; 0 if the list lacks it. */
  readonly #numbers: Int32Array;
  /** The listed rectangles, ENTRY_LENGTH integers each. */
  #entries = new Int32Array(64 * ENTRY_LENGTH);
  #count = 0;
  /** The numbers of the rectangles that play is known to reach. The first `#reachedCount` elements are used. */
  #reached = new Int32Array(0);
  #reachedCount = 0;
  /** [number]: 1 if play is known to reach the rectangle. */
  #isReached = new Uint8Array(0);
  /** [nimber]: the number of the last rectangle of which a move leads to this nimber. */
  readonly #lastParent: Int32Array;
  /** The number of the rectangle whose moves are being added. */
  #parent = 0;

  /** Rows are numbered from 1 to `height`, columns from 1 to `width`. */
  constructor(height: number, width: number, maxNimber: number) {
    this.#height = height;
    this.#width = width;
    this.#maxNimber = maxNimber;
    this.#numbers = new Int32Array((height + 1) ** 2 * (width + 1) ** 2);
    // The XOR of numbers up to `maxNimber` has no more bits than `maxNimber`.
    this.#lastParent = new Int32Array(2 ** (Math.floor(Math.log2(maxNimber + 1)) + 1) + 1);
  }

  /** Whether the list must have the rectangle: whether something is left in it. */
  protected abstract isListed(top: number, bottom: number, left: number, right: number): boolean;
  /** Calls `addMove` with the nimber after each move in the rectangle. */
  protected abstract addMoves(top: number, bottom: number, left: number, right: number): void;
  /** Names a rectangle in messages. */
  protected abstract describe(rectangle: Rectangle): string;

  /** Adds a rectangle with its sides in range to the list. `nimber` is a value of the explanation, not yet checked. */
  add(rectangle: Rectangle, nimber: unknown): void {
    const place = this.#placeOf(...rectangle);
    if (!isIntegerWithin(nimber, 0, this.#maxNimber)) {
      fail(
        `${this.describe(rectangle)}: nimber ${show(nimber)}, expected a whole number from 0 to ${this.#maxNimber}`,
      );
    }
    if (!this.isListed(...rectangle)) fail(`${this.describe(rectangle)} is listed, but it has no cell`);
    if (this.#numbers[place] !== 0) fail(`${this.describe(rectangle)} is listed twice`);
    if ((this.#count + 1) * ENTRY_LENGTH > this.#entries.length) this.#growEntries();
    this.#entries.set([...rectangle, nimber], this.#count * ENTRY_LENGTH);
    this.#numbers[place] = ++this.#count;
  }

  /** Checks the nimber of every rectangle that play can reach from this one, and that no other rectangle is listed. */
  check(start: Rectangle): void {
    this.#isReached = new Uint8Array(this.#count + 1);
    this.#reached = new Int32Array(this.#count);
    if (this.isListed(...start) && this.#numbers[this.#placeOf(...start)] === 0) {
      fail(`${this.describe(start)}, which is the whole board, is not listed`);
    }
    this.nimberOf(...start);
    for (let i = 0; i < this.#reachedCount; i++) this.#checkNimber(this.#reached[i]);
    const idle = this.#isReached.indexOf(0, 1);
    if (idle !== -1) fail(`${this.describe(this.#rectangle(idle))} is listed, but play cannot reach it`);
  }

  /** Returns the listed nimber of a rectangle, or 0 if nothing is left in it. Fails if the list lacks the rectangle. */
  nimberOf(top: number, bottom: number, left: number, right: number): number {
    if (top > bottom || left > right) return 0;
    const number = this.#numbers[this.#placeOf(top, bottom, left, right)];
    if (number === 0) return this.#nimberOfUnlisted([top, bottom, left, right]);
    if (this.#isReached[number] === 0) {
      this.#isReached[number] = 1;
      this.#reached[this.#reachedCount++] = number;
    }
    return this.#entries[(number - 1) * ENTRY_LENGTH + 4];
  }

  protected addMove(nimber: number): void {
    this.#lastParent[nimber] = this.#parent;
  }

  #nimberOfUnlisted(rectangle: Rectangle): number {
    if (!this.isListed(...rectangle)) return 0;
    const parent =
      this.#parent === 0 ? '' : `, which a move in ${this.describe(this.#rectangle(this.#parent))} leaves`;
    return fail(`${this.describe(rectangle)} is not listed${parent}`);
  }

  #checkNimber(number: number): void {
    const [top, bottom, left, right] = this.#rectangle(number);
    this.#parent = number;
    this.addMoves(top, bottom, left, right);
    const nimber = this.#entries[(number - 1) * ENTRY_LENGTH + 4];
    const mex = this.#mex();
    if (nimber === mex) return;
    const name = this.describe([top, bottom, left, right]);
    fail(`${name}: nimber ${nimber}, but ${this.#describeMoves()}, so its nimber is ${mex}`);
  }

  /** Returns the smallest nimber to which no move of the parent leads. */
  #mex(): number {
    let nimber = 0;
    while (this.#lastParent[nimber] === this.#parent) nimber++;
    return nimber;
  }

  #describeMoves(): string {
    const reached = [...this.#lastParent.keys()].filter(
      (nimber) => this.#lastParent[nimber] === this.#parent,
    );
    return reached.length === 0 ? 'it has no move' : `its moves lead to ${reached.join(', ')}`;
  }

  #rectangle(number: number): Rectangle {
    const at = (number - 1) * ENTRY_LENGTH;
    const [top, bottom, left, right] = this.#entries.subarray(at, at + 4);
    return [top, bottom, left, right];
  }

  #placeOf(top: number, bottom: number, left: number, right: number): number {
    const rows = top * (this.#height + 1) + bottom;
    return (rows * (this.#width + 1) + left) * (this.#width + 1) + right;
  }

  #growEntries(): void {
    const grown = new Int32Array(this.#entries.length * 2);
    grown.set(this.#entries);
    this.#entries = grown;
  }
}

/** Reads the list `rectangles`, and its entries as arrays of `length` values each. */
export function readRectangles(
  value: unknown,
  what: string,
  length: number,
): readonly (readonly unknown[])[] {
  const list = readList(value, what);
  list.forEach((entry, i) => {
    if (!Array.isArray(entry) || entry.length !== length) {
      fail(`${what}[${i}] is ${show(entry)}, expected an array of ${length} numbers`);
    }
  });
  return list as readonly (readonly unknown[])[];
}
