/**
 * Checks the list of rectangles in a proof of bacterial-tactics or darkraft. In both games a move cuts a rectangle into smaller
 * ones, in which play continues independently. By the theorem of Sprague and Grundy, the nimber of a rectangle is the mex (the
 * smallest number that is missing) of the nimbers that its moves lead to, and the nimber of several independent rectangles is
 * the XOR of their nimbers. If every listed nimber obeys this rule, every nimber is right, by induction on the size.
 */
import { failCheck, isIntegerWithin, readList, showExplanationValue } from './facts.js';

/** A rectangle by its first and last row and column, all inclusive. The subclass determines what a row and a column are. */
export type Rectangle = readonly [top: number, bottom: number, left: number, right: number];

/** The value of `#nimbers` for a rectangle that is not listed. */
const UNLISTED = 0;

export abstract class RectangleProof {
  readonly #height: number;
  readonly #width: number;
  /** The largest nimber that a rectangle can have, which is the largest number of its moves. */
  readonly #maxNimber: number;
  /**
   * [place of a rectangle, see `#placeOf`]: UNLISTED, or the listed nimber plus 1, which is negated as long as play is not
   * known to reach the rectangle. No board has rectangles with more than 800 moves, so 16 bits are enough.
   */
  readonly #nimbers: Int16Array;
  #count = 0;
  /** The places of the rectangles that play is known to reach. The first `#reachedCount` elements are used. */
  #reached = new Int32Array(0);
  #reachedCount = 0;
  /** [nimber]: the number of the last parent of which a move leads to this nimber. */
  readonly #lastParent: Int32Array;
  /** The number of the rectangle whose moves are being added: its place in `#reached`, from 1. */
  #parent = 0;

  /** Rows are numbered from 1 to `height`, columns from 1 to `width`. */
  constructor(height: number, width: number, maxNimber: number) {
    this.#height = height;
    this.#width = width;
    this.#maxNimber = maxNimber;
    this.#nimbers = new Int16Array((height + 1) ** 2 * (width + 1) ** 2);
    // The XOR of numbers up to `maxNimber` has no more bits than `maxNimber`.
    this.#lastParent = new Int32Array(2 ** (Math.floor(Math.log2(maxNimber + 1)) + 1) + 1);
  }

  /** The rectangle with which the game starts. */
  abstract readonly whole: Rectangle;
  /** Whether the proof must list the rectangle, because the rectangle has cells. */
  protected abstract isListed(top: number, bottom: number, left: number, right: number): boolean;
  /** Calls `addMove` with the nimber after each move in the rectangle. */
  protected abstract addMoves(top: number, bottom: number, left: number, right: number): void;
  /** Names a rectangle in messages. */
  protected abstract describe(rectangle: Rectangle): string;

  /** Adds a rectangle with its sides in range to the list. `nimber` is a value of the explanation, not yet checked. */
  add(rectangle: Rectangle, nimber: unknown): void {
    const place = this.#placeOf(...rectangle);
    if (this.#count === 0 && place !== this.#placeOf(...this.whole))
      failCheck(`${this.describe(rectangle)} is listed first, expected ${this.describe(this.whole)}`);
    if (!isIntegerWithin(nimber, 0, this.#maxNimber)) {
      const expected = `a whole number from 0 to ${this.#maxNimber}`;
      failCheck(`${this.describe(rectangle)}: nimber ${showExplanationValue(nimber)}, expected ${expected}`);
    }
    if (!this.isListed(...rectangle)) failCheck(`${this.describe(rectangle)} is listed, but it has no cell`);
    if (this.#nimbers[place] !== UNLISTED) failCheck(`${this.describe(rectangle)} is listed twice`);
    this.#nimbers[place] = -(nimber + 1);
    this.#count++;
  }

  /** Checks the nimber of every rectangle that play can reach, and that no other rectangle is listed. */
  check(): void {
    this.#reached = new Int32Array(this.#count);
    this.nimberOf(...this.whole);
    for (let i = 0; i < this.#reachedCount; i++) this.#checkNimber(i);
    if (this.#reachedCount === this.#count) return;
    const idle = this.#nimbers.findIndex((nimber) => nimber < 0);
    failCheck(`${this.describe(this.#rectangleAt(idle))} is listed, but play cannot reach it`);
  }

  /** Returns the listed nimber of a rectangle, or 0 if the rectangle has no cells. Fails if the list lacks the rectangle. */
  nimberOf(top: number, bottom: number, left: number, right: number): number {
    if (top > bottom || left > right) return 0;
    const place = this.#placeOf(top, bottom, left, right);
    const nimber = this.#nimbers[place];
    if (nimber > 0) return nimber - 1;
    return nimber === UNLISTED ? this.#nimberOfUnlisted([top, bottom, left, right]) : this.#reach(place);
  }

  protected addMove(nimber: number): void {
    this.#lastParent[nimber] = this.#parent;
  }

  /** Notes that play reaches the rectangle, and returns its listed nimber. */
  #reach(place: number): number {
    this.#nimbers[place] = -this.#nimbers[place];
    this.#reached[this.#reachedCount++] = place;
    return this.#nimbers[place] - 1;
  }

  #nimberOfUnlisted(rectangle: Rectangle): number {
    if (!this.isListed(...rectangle)) return 0;
    if (this.#parent === 0)
      failCheck(`${this.describe(rectangle)}, with which the game starts, is not listed`);
    const parent = this.describe(this.#rectangleAt(this.#reached[this.#parent - 1]));
    return failCheck(`${this.describe(rectangle)} is not listed, but a move in ${parent} leaves it`);
  }

  #checkNimber(index: number): void {
    const place = this.#reached[index];
    const rectangle = this.#rectangleAt(place);
    this.#parent = index + 1;
    this.addMoves(...rectangle);
    const nimber = this.#nimbers[place] - 1;
    const mex = this.#mex();
    if (nimber === mex) return;
    failCheck(
      `${this.describe(rectangle)}: nimber ${nimber}, but ${this.#describeMoves()}, so its nimber is ${mex}`,
    );
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

  #placeOf(top: number, bottom: number, left: number, right: number): number {
    const rows = top * (this.#height + 1) + bottom;
    return (rows * (this.#width + 1) + left) * (this.#width + 1) + right;
  }

  #rectangleAt(place: number): Rectangle {
    const [rowStride, colStride] = [this.#height + 1, this.#width + 1];
    const rows = Math.floor(place / colStride ** 2);
    const cols = place % colStride ** 2;
    return [Math.floor(rows / rowStride), rows % rowStride, Math.floor(cols / colStride), cols % colStride];
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
      failCheck(`${what}[${i}] is ${showExplanationValue(entry)}, expected an array of ${length} numbers`);
    }
  });
  return list as readonly (readonly unknown[])[];
}
