/**
 * Checks explanations of darkraft. Two cells whose i + j have different parities never meet, so the cells of each parity are a
 * board of their own. In such a class, sums i + j number the rows and differences i - j the columns, in steps of 2: a move at L
 * clears its row within a rectangle, a move at R its column, and a move at X both. Some places of a class are not cells of the
 * board.
 */
import {
  assertEqual,
  type Cell,
  type ExplanationFields,
  failCheck,
  isIntegerWithin,
  readCell,
  readExplanationFields,
  readList,
  showCell,
  showExplanationValue,
} from './facts.js';
import { type Rectangle, RectangleProof, readRectangles } from './rectangle-proof.js';

type Letter = 'L' | 'R' | 'X';

/** The value of `letters` for a place that is not a cell of the board. */
const NO_CELL = 0;
const L = 1;
const R = 2;
const X = 3;
const CODE_OF_LETTER: Readonly<Record<Letter, number>> = { L, R, X };

/** A row and a column of a class, from 1. */
interface Place {
  readonly row: number;
  readonly col: number;
}

export function checkDarkraft(board: readonly string[], fields: ExplanationFields): void {
  const classes = readProof(board, fields.proof);
  const [even, odd] = classes.map((one) => one.nimberOf(...one.whole));
  checkNimbers(fields, even, odd);
  assertEqual(fields.answer, 'answer', (even ^ odd) === 0 ? 'LOSE' : 'WIN', `the nimber is ${even ^ odd}`);
  checkFirstMoves(board, classes, fields.moves);
  checkPlay(board, classes, fields.play);
}

function checkNimbers({ nimber, nimbers }: ExplanationFields, even: number, odd: number): void {
  const pair = readList(nimbers, 'nimbers');
  if (pair.length !== 2) failCheck(`nimbers has ${pair.length} entries, expected 2`);
  assertEqual(pair[0], 'nimbers[0]', even, 'the proof says so');
  assertEqual(pair[1], 'nimbers[1]', odd, 'the proof says so');
  assertEqual(nimber, 'nimber', even ^ odd, `it is ${even} XOR ${odd}`);
}

function readProof(board: readonly string[], value: unknown): readonly [ParityClass, ParityClass] {
  const { rectangles } = readExplanationFields(value, 'proof', ['rectangles']);
  const classes = [new ParityClass(board, 0), new ParityClass(board, 1)] as const;
  readRectangles(rectangles, 'proof.rectangles', 6).forEach((entry, i) => {
    const one = entry[0] === 0 || entry[0] === 1 ? classes[entry[0]] : undefined;
    const rectangle = one?.readRectangle(entry) ?? null;
    if (one === undefined || rectangle === null)
      failCheck(
        `proof.rectangles[${i}] is ${showExplanationValue(entry)}, which is not a rectangle of the board`,
      );
    one.add(rectangle, entry[5]);
  });
  for (const one of classes) one.check();
  return classes;
}

/** The cells of one parity of i + j, and the list of their rectangles. */
class ParityClass extends RectangleProof {
  /** All places of the class. */
  readonly whole: Rectangle;
  readonly #parity: number;
  readonly #height: number;
  readonly #width: number;
  readonly #minSum: number;
  readonly #minDifference: number;
  /** [row * (width + 1) + column]: the code of the letter at this place of the class, or NO_CELL. */
  readonly #letters: Uint8Array;
  /** [row * (width + 1) + column]: the number of cells in the rows up to this row and the columns up to this column. */
  readonly #cellsBefore: Uint16Array;

  constructor(board: readonly string[], parity: number) {
    const rows = board.length;
    const cols = board[0].length;
    const minSum = parity === 0 ? 2 : 3;
    const minDifference = ((1 - cols) % 2 === 0) === (parity === 0) ? 1 - cols : 2 - cols;
    // The largest sum is at most rows + cols, and the largest difference at most rows - 1.
    const height = Math.floor((rows + cols - minSum) / 2) + 1;
    const width = Math.floor((rows - 1 - minDifference) / 2) + 1;
    super(height, width, Math.ceil((rows * cols) / 2));
    this.whole = [1, height, 1, width];
    this.#parity = parity;
    this.#height = height;
    this.#width = width;
    this.#minSum = minSum;
    this.#minDifference = minDifference;
    this.#letters = new Uint8Array((height + 1) * (width + 1));
    this.#cellsBefore = new Uint16Array((height + 1) * (width + 1));
    this.#readLetters(board);
    this.#countCells();
  }

  /** The rectangles at the start of the game: the whole class, or none if the class has no cell. */
  get start(): readonly Rectangle[] {
    return this.isListed(...this.whole) ? [this.whole] : [];
  }

  placeOf({ row, col }: Cell): Place {
    return { row: (row + col - this.#minSum) / 2 + 1, col: (row - col - this.#minDifference) / 2 + 1 };
  }

  /** Reads the sides of a rectangle from an entry of the proof. Returns null if the class has no such rectangle. */
  readRectangle([, minSum, maxSum, minDifference, maxDifference]: readonly unknown[]): Rectangle | null {
    const top = this.#indexOf(minSum, this.#minSum, this.#height);
    const bottom = this.#indexOf(maxSum, this.#minSum, this.#height);
    const left = this.#indexOf(minDifference, this.#minDifference, this.#width);
    const right = this.#indexOf(maxDifference, this.#minDifference, this.#width);
    if (top === null || bottom === null || left === null || right === null) return null;
    return top > bottom || left > right ? null : [top, bottom, left, right];
  }

  /** Returns the parts of a rectangle that a move at this letter leaves, except parts without cells. */
  cut([top, bottom, left, right]: Rectangle, { row, col }: Place, letter: Letter): Rectangle[] {
    const rows =
      letter === 'R'
        ? [[top, bottom]]
        : [
            [top, row - 1],
            [row + 1, bottom],
          ];
    const cols =
      letter === 'L'
        ? [[left, right]]
        : [
            [left, col - 1],
            [col + 1, right],
          ];
    const parts = rows.flatMap(([first, last]) =>
      cols.map(([from, to]): Rectangle => [first, last, from, to]),
    );
    return parts.filter((part) => part[0] <= part[1] && part[2] <= part[3] && this.isListed(...part));
  }

  nimberOfAll(rectangles: readonly Rectangle[]): number {
    return rectangles.reduce((nimber, rectangle) => nimber ^ this.nimberOf(...rectangle), 0);
  }

  protected isListed(top: number, bottom: number, left: number, right: number): boolean {
    const stride = this.#width + 1;
    const upTo = (row: number, col: number) => this.#cellsBefore[row * stride + col];
    return upTo(bottom, right) - upTo(top - 1, right) - upTo(bottom, left - 1) + upTo(top - 1, left - 1) > 0;
  }

  protected addMoves(top: number, bottom: number, left: number, right: number): void {
    const stride = this.#width + 1;
    for (let row = top; row <= bottom; row++) {
      let hasL = false;
      for (let col = left; col <= right; col++) {
        const letter = this.#letters[row * stride + col];
        if (letter === X) this.#addMoveAtX(top, bottom, left, right, row, col);
        else if (letter === L) hasL = true;
      }
      if (hasL)
        this.addMove(this.nimberOf(top, row - 1, left, right) ^ this.nimberOf(row + 1, bottom, left, right));
    }
    for (let col = left; col <= right; col++) {
      if (!this.#hasR(top, bottom, col)) continue;
      this.addMove(this.nimberOf(top, bottom, left, col - 1) ^ this.nimberOf(top, bottom, col + 1, right));
    }
  }

  protected describe([top, bottom, left, right]: Rectangle): string {
    const sums = `sums ${this.#sumOf(top)} to ${this.#sumOf(bottom)}`;
    const differences = `differences ${this.#differenceOf(left)} to ${this.#differenceOf(right)}`;
    return `rectangle of parity ${this.#parity}, ${sums}, ${differences}`;
  }

  #addMoveAtX(top: number, bottom: number, left: number, right: number, row: number, col: number): void {
    const above = this.nimberOf(top, row - 1, left, col - 1) ^ this.nimberOf(top, row - 1, col + 1, right);
    const below =
      this.nimberOf(row + 1, bottom, left, col - 1) ^ this.nimberOf(row + 1, bottom, col + 1, right);
    this.addMove(above ^ below);
  }

  #hasR(top: number, bottom: number, col: number): boolean {
    for (let row = top; row <= bottom; row++)
      if (this.#letters[row * (this.#width + 1) + col] === R) return true;
    return false;
  }

  #sumOf(row: number): number {
    return this.#minSum + 2 * (row - 1);
  }

  #differenceOf(col: number): number {
    return this.#minDifference + 2 * (col - 1);
  }

  /** Returns the row (or column) of a sum (or difference), or null if the class has none. */
  #indexOf(value: unknown, min: number, count: number): number | null {
    if (!isIntegerWithin(value, min, min + 2 * (count - 1)) || (value - min) % 2 !== 0) return null;
    return (value - min) / 2 + 1;
  }

  #readLetters(board: readonly string[]): void {
    board.forEach((text, i) => {
      for (let j = 0; j < text.length; j++) {
        if ((i + j) % 2 !== this.#parity) continue;
        const { row, col } = this.placeOf({ row: i + 1, col: j + 1 });
        this.#letters[row * (this.#width + 1) + col] = CODE_OF_LETTER[text[j] as Letter];
      }
    });
  }

  #countCells(): void {
    const stride = this.#width + 1;
    for (let row = 1; row <= this.#height; row++) {
      let inRow = 0;
      for (let col = 1; col <= this.#width; col++) {
        if (this.#letters[row * stride + col] !== NO_CELL) inRow++;
        this.#cellsBefore[row * stride + col] = this.#cellsBefore[(row - 1) * stride + col] + inRow;
      }
    }
  }
}

/** Checks that `moves` has every cell of the board once, with its letter and the nimber that the move leaves. */
function checkFirstMoves(board: readonly string[], classes: readonly ParityClass[], value: unknown): void {
  const seen = new Set<string>();
  readList(value, 'moves').forEach((entry, i) => {
    const what = `moves[${i}]`;
    const fields = readExplanationFields(entry, what, ['cell', 'letter', 'nimber', 'wins']);
    const cell = readCell(fields.cell, `${what}.cell`, board.length, board[0].length);
    if (seen.size === seen.add(showCell(cell)).size)
      failCheck(`${what}: cell ${showCell(cell)} is listed twice`);
    const letter = letterAt(board, cell);
    assertEqual(fields.letter, `${what}.letter`, letter, `cell ${showCell(cell)} has this letter`);
    const after = nimberAfter(classes, cell, letter);
    assertEqual(fields.nimber, `${what}.nimber`, after, `the move at ${showCell(cell)} leaves this nimber`);
    assertEqual(
      fields.wins,
      `${what}.wins`,
      after === 0,
      `the move at ${showCell(cell)} leaves nimber ${after}`,
    );
  });
  board.forEach((text, i) => {
    for (let col = 1; col <= text.length; col++)
      if (!seen.has(showCell({ row: i + 1, col })))
        failCheck(`moves lacks cell ${showCell({ row: i + 1, col })}`);
  });
}

function letterAt(board: readonly string[], { row, col }: Cell): Letter {
  return board[row - 1][col - 1] as Letter;
}

function parityOf({ row, col }: Cell): number {
  return (row + col) % 2;
}

/** Returns the nimber of the board after a first move. */
function nimberAfter(classes: readonly ParityClass[], cell: Cell, letter: Letter): number {
  const own = classes[parityOf(cell)];
  const other = classes[1 - parityOf(cell)];
  return own.nimberOfAll(own.cut(own.whole, own.placeOf(cell), letter)) ^ other.nimberOf(...other.whole);
}

/** Checks that `play` is a whole game of legal moves in which no player throws a win away. */
function checkPlay(board: readonly string[], classes: readonly ParityClass[], value: unknown): void {
  /** For each class, the rectangles that are left in the game. */
  const left = classes.map((one) => one.start);
  const nimber = () => classes.reduce((sum, one, parity) => sum ^ one.nimberOfAll(left[parity]), 0);
  readList(value, 'play').forEach((entry, i) => {
    const what = `play[${i}]`;
    const cell = readCell(
      readExplanationFields(entry, what, ['cell']).cell,
      `${what}.cell`,
      board.length,
      board[0].length,
    );
    const before = nimber();
    const parity = parityOf(cell);
    const place = classes[parity].placeOf(cell);
    const cleared = left[parity].find((rectangle) => contains(rectangle, place));
    if (cleared === undefined) failCheck(`${what}: cell ${showCell(cell)} is cleared already`);
    const parts = classes[parity].cut(cleared, place, letterAt(board, cell));
    left[parity] = [...left[parity].filter((rectangle) => rectangle !== cleared), ...parts];
    if (before !== 0 && nimber() !== 0)
      failCheck(`${what} throws the win away: it leaves nimber ${nimber()}`);
  });
  if (left.flat().length > 0) failCheck('play ends although the board still has letters');
}

function contains([top, bottom, left, right]: Rectangle, { row, col }: Place): boolean {
  return row >= top && row <= bottom && col >= left && col <= right;
}
