/** The rules of river-pawn, and the list of positions in a proof. */
import {
  failCheck,
  isIntegerWithin,
  readExplanationFields,
  readList,
  showExplanationValue,
} from './facts.js';

export const RED_TO_MOVE = 0;
export const BLACK_TO_MOVE = 1;

const OBSTACLE = '#';
/** Two red pieces with four directions each have the most moves. */
export const MAX_MOVES_PER_POSITION = 8;
/** The value of the number of plies that stands for a tie. */
const NO_PLIES = -1;
/** The possible outcomes of a listed position for the player to move: lost, tie, won. */
const OUTCOMES: readonly unknown[] = [-1, 0, 1];

/** A position: who is to move, and the cells of the pieces, counted from 1 in row-major order, with red1 < red2. */
interface Position {
  readonly turn: typeof RED_TO_MOVE | typeof BLACK_TO_MOVE;
  readonly black: number;
  readonly red1: number;
  readonly red2: number;
}

/** The cells of a board, and where the pieces may go from each. */
export class PawnBoard {
  readonly rows: number;
  readonly cols: number;
  readonly start: Position;
  /** [cell]: 1 if the cell is an obstacle. */
  readonly #isObstacle: Uint8Array;
  /** [cell]: the free cells to which a red piece can move from this cell, whatever is on them. */
  readonly redTargets: readonly (readonly number[])[];
  /** [cell]: the free cells to which Black can move from this cell. */
  readonly blackTargets: readonly (readonly number[])[];

  constructor(board: readonly string[]) {
    const text = board.join('');
    this.rows = board.length;
    this.cols = board[0].length;
    const [red1, red2] = [text.indexOf('O') + 1, text.lastIndexOf('O') + 1];
    this.start = { turn: RED_TO_MOVE, black: text.indexOf('X') + 1, red1, red2 };
    this.#isObstacle = Uint8Array.from(` ${text}`, (letter) => (letter === OBSTACLE ? 1 : 0));
    const cells = Array.from({ length: this.cellCount + 1 }, (_, cell) => cell);
    this.redTargets = cells.map((cell) => this.#neighbours(cell, true));
    this.blackTargets = cells.map((cell) => this.#neighbours(cell, false));
  }

  get cellCount(): number {
    return this.rows * this.cols;
  }

  isFree(cell: unknown): cell is number {
    return isIntegerWithin(cell, 1, this.cellCount) && this.#isObstacle[cell] === 0;
  }

  rowOf(cell: number): number {
    return Math.floor((cell - 1) / this.cols) + 1;
  }

  colOf(cell: number): number {
    return ((cell - 1) % this.cols) + 1;
  }

  cellAt(row: number, col: number): number {
    return (row - 1) * this.cols + col;
  }

  describe({ turn, black, red1, red2 }: Position): string {
    const at = (cell: number) => `[${this.rowOf(cell)},${this.colOf(cell)}]`;
    return `position ${turn === RED_TO_MOVE ? 'Red' : 'Black'} to move, Black ${at(black)}, Red ${at(red1)} and ${at(red2)}`;
  }

  /** Returns the free neighbours above, below (if `canMoveDown`), to the left and to the right. */
  #neighbours(cell: number, canMoveDown: boolean): number[] {
    if (cell === 0) return [];
    const col = this.colOf(cell);
    const candidates = [
      cell - this.cols,
      canMoveDown ? cell + this.cols : 0,
      col > 1 ? cell - 1 : 0,
      col < this.cols ? cell + 1 : 0,
    ];
    return candidates.filter((candidate) => this.isFree(candidate));
  }
}

/** The listed positions with their values. The number of a position is its place in the list, counted from 0. */
export class ListedPositions {
  readonly board: PawnBoard;
  readonly count: number;
  /** [number]: the outcome of the position for the player to move: 1 won, -1 lost, 0 tie. */
  readonly outcomes: Int8Array;
  /** [number]: the number of plies from the position to the end of the game; NO_PLIES for a tie. */
  readonly #plies: Int32Array;
  readonly #turns: Uint8Array;
  readonly #blacks: Uint16Array;
  readonly #reds1: Uint16Array;
  readonly #reds2: Uint16Array;
  /** [key of a position]: the number of the position + 1; 0 if the position is not listed. */
  readonly #numbers: Int32Array;
  readonly #pairCount: number;

  constructor(board: PawnBoard, proof: unknown) {
    const list = readList(readExplanationFields(proof, 'proof', ['positions']).positions, 'proof.positions');
    this.board = board;
    this.count = list.length;
    this.outcomes = new Int8Array(list.length);
    this.#plies = new Int32Array(list.length);
    this.#turns = new Uint8Array(list.length);
    this.#blacks = new Uint16Array(list.length);
    this.#reds1 = new Uint16Array(list.length);
    this.#reds2 = new Uint16Array(list.length);
    this.#pairCount = (board.cellCount * (board.cellCount - 1)) / 2;
    this.#numbers = new Int32Array(2 * board.cellCount * this.#pairCount);
    for (let number = 0; number < list.length; number++) this.#read(list[number], number);
  }

  positionOf(number: number): Position {
    return {
      turn: this.#turns[number] as Position['turn'],
      black: this.#blacks[number],
      red1: this.#reds1[number],
      red2: this.#reds2[number],
    };
  }

  describe(number: number): string {
    return this.board.describe(this.positionOf(number));
  }

  turnOf(number: number): number {
    return this.#turns[number];
  }

  blackOf(number: number): number {
    return this.#blacks[number];
  }

  /** Returns the number of plies from a position to the end of the game, or null for a tie. */
  pliesOf(number: number): number | null {
    return this.#plies[number] === NO_PLIES ? null : this.#plies[number];
  }

  /** Returns the number of a position, or -1 if the list lacks it. The reds may be in any order. */
  find(turn: number, black: number, red: number, otherRed: number): number {
    return this.#numbers[this.#keyOf(turn, black, Math.min(red, otherRed), Math.max(red, otherRed))] - 1;
  }

  /** Whether the game is over because Black is in row 1 or on the cell of a red piece. */
  isOver(number: number): boolean {
    const black = this.#blacks[number];
    return black <= this.board.cols || black === this.#reds1[number] || black === this.#reds2[number];
  }

  /**
   * Writes the numbers of the positions that legal moves lead to into `targets`, and returns the count of these positions. A
   * finished game has no legal moves. Fails if the list lacks such a position.
   */
  writeMoves(number: number, targets: Int32Array): number {
    if (this.isOver(number)) return 0;
    const black = this.#blacks[number];
    const red1 = this.#reds1[number];
    const red2 = this.#reds2[number];
    let count = 0;
    if (this.#turns[number] === BLACK_TO_MOVE) {
      for (const to of this.board.blackTargets[black])
        targets[count++] = this.#require(number, RED_TO_MOVE, to, red1, red2);
      return count;
    }
    for (const to of this.board.redTargets[red1])
      if (to !== red2) targets[count++] = this.#require(number, BLACK_TO_MOVE, black, to, red2);
    for (const to of this.board.redTargets[red2])
      if (to !== red1) targets[count++] = this.#require(number, BLACK_TO_MOVE, black, red1, to);
    return count;
  }

  #require(from: number, turn: Position['turn'], black: number, red: number, otherRed: number): number {
    const number = this.find(turn, black, red, otherRed);
    if (number !== -1) return number;
    const missing = { turn, black, red1: Math.min(red, otherRed), red2: Math.max(red, otherRed) };
    return failCheck(
      `${this.board.describe(missing)} is not listed, but a move from ${this.describe(from)} leads to it`,
    );
  }

  #read(entry: unknown, number: number): void {
    if (!Array.isArray(entry) || entry.length !== 6) {
      failCheck(
        `proof.positions[${number}] is ${showExplanationValue(entry)}, expected an array of 6 numbers`,
      );
    }
    const [turn, black, red1, red2, outcome, plies] = entry as readonly unknown[];
    const { board } = this;
    if (
      (turn !== RED_TO_MOVE && turn !== BLACK_TO_MOVE) ||
      !board.isFree(black) ||
      !board.isFree(red1) ||
      !board.isFree(red2)
    ) {
      failCheck(
        `proof.positions[${number}] is ${showExplanationValue(entry)}, which is not a position of the board`,
      );
    }
    if (red1 >= red2)
      failCheck(
        `proof.positions[${number}] is ${showExplanationValue(entry)}, but red1 must be less than red2`,
      );
    this.#turns[number] = turn;
    this.#blacks[number] = black;
    this.#reds1[number] = red1;
    this.#reds2[number] = red2;
    this.#readValue(number, outcome, plies);
    const key = this.#keyOf(turn, black, red1, red2);
    if (this.#numbers[key] !== 0) failCheck(`${this.describe(number)} is listed twice`);
    this.#numbers[key] = number + 1;
  }

  #readValue(number: number, outcome: unknown, plies: unknown): void {
    if (!OUTCOMES.includes(outcome))
      failCheck(`${this.describe(number)}: outcome ${showExplanationValue(outcome)}, expected 1, -1 or 0`);
    // With best play, no game has more plies than there are positions.
    const isPlies = outcome === 0 ? plies === null : isIntegerWithin(plies, 0, this.count);
    if (!isPlies) {
      const expected = outcome === 0 ? 'null for a tie' : `a whole number from 0 to ${this.count}`;
      failCheck(`${this.describe(number)}: plies ${showExplanationValue(plies)}, expected ${expected}`);
    }
    this.outcomes[number] = outcome as number;
    this.#plies[number] = plies === null ? NO_PLIES : (plies as number);
  }

  #keyOf(turn: number, black: number, red1: number, red2: number): number {
    const pair = ((red2 - 1) * (red2 - 2)) / 2 + red1 - 1;
    return (turn * this.board.cellCount + black - 1) * this.#pairCount + pair;
  }
}
