/** Checks explanations of bacterial-tactics. Rows and columns are counted from 1, as in the explanation. */
import {
  assertEqual,
  type ExplanationFields,
  failCheck,
  isIntegerWithin,
  readExplanationFields,
  readInteger,
  readList,
  showExplanationValue,
} from './facts.js';
import { type Rectangle, RectangleProof, readRectangles } from './rectangle-proof.js';

const RADIOACTIVE = '#';

/** A row or a column that a legal move fills. */
interface Line {
  readonly line: 'row' | 'column';
  readonly index: number;
}

export function checkBacterialTactics(board: readonly string[], fields: ExplanationFields): void {
  const proof = readProof(board, fields.proof);
  assertEqual(fields.nimber, 'nimber', proof.nimberOf(...proof.whole), 'the proof says so');
  checkAnswer(proof, fields.answer, checkFirstMoves(proof, fields.moves));
  checkPlay(proof, fields.play);
}

function readProof(board: readonly string[], value: unknown): Proof {
  const { rectangles } = readExplanationFields(value, 'proof', ['rectangles']);
  const proof = new Proof(board);
  const entries = readRectangles(rectangles, 'proof.rectangles', 5);
  entries.forEach((entry, i) => {
    const rectangle = proof.readRectangle(entry);
    if (rectangle === null)
      failCheck(
        `proof.rectangles[${i}] is ${showExplanationValue(entry)}, which is not a rectangle of the board`,
      );
    proof.add(rectangle, entry[4]);
  });
  proof.check();
  return proof;
}

class Proof extends RectangleProof {
  readonly rows: number;
  readonly cols: number;
  /** All cells of the board. */
  readonly whole: Rectangle;
  /** [row * (cols + 1) + column]: the number of radioactive cells in the row, up to and with the column. */
  readonly #leftward: Uint16Array;
  /** [row * (cols + 1) + column]: the number of radioactive cells in the column, up to and with the row. */
  readonly #upward: Uint16Array;

  constructor(board: readonly string[]) {
    const rows = board.length;
    const cols = board[0].length;
    super(rows, cols, rows + cols);
    this.rows = rows;
    this.cols = cols;
    this.whole = [1, rows, 1, cols];
    this.#leftward = new Uint16Array((rows + 1) * (cols + 1));
    this.#upward = new Uint16Array((rows + 1) * (cols + 1));
    board.forEach((text, i) => {
      this.#countRow(text, i + 1);
    });
  }

  /** Reads the sides of a rectangle from an entry of the proof. Returns null if the board has no such rectangle. */
  readRectangle([top, bottom, left, right]: readonly unknown[]): Rectangle | null {
    const areRows = isIntegerWithin(top, 1, this.rows) && isIntegerWithin(bottom, top, this.rows);
    const areCols = isIntegerWithin(left, 1, this.cols) && isIntegerWithin(right, left, this.cols);
    return areRows && areCols ? [top, bottom, left, right] : null;
  }

  /** Returns the lines of the rectangle that a legal move can fill: those without a radioactive cell. */
  linesOf([top, bottom, left, right]: Rectangle): Line[] {
    const lines: Line[] = [];
    for (let index = top; index <= bottom; index++)
      if (this.#isRowClear(index, left, right)) lines.push({ line: 'row', index });
    for (let index = left; index <= right; index++)
      if (this.#isColumnClear(index, top, bottom)) lines.push({ line: 'column', index });
    return lines;
  }

  nimberOfAll(rectangles: readonly Rectangle[]): number {
    return rectangles.reduce((nimber, rectangle) => nimber ^ this.nimberOf(...rectangle), 0);
  }

  protected isListed(): boolean {
    return true;
  }

  protected addMoves(top: number, bottom: number, left: number, right: number): void {
    for (let row = top; row <= bottom; row++) {
      if (!this.#isRowClear(row, left, right)) continue;
      this.addMove(this.nimberOf(top, row - 1, left, right) ^ this.nimberOf(row + 1, bottom, left, right));
    }
    for (let col = left; col <= right; col++) {
      if (!this.#isColumnClear(col, top, bottom)) continue;
      this.addMove(this.nimberOf(top, bottom, left, col - 1) ^ this.nimberOf(top, bottom, col + 1, right));
    }
  }

  protected describe([top, bottom, left, right]: Rectangle): string {
    return `rectangle rows ${top}-${bottom}, columns ${left}-${right}`;
  }

  #countRow(text: string, row: number): void {
    for (let col = 1; col <= this.cols; col++) {
      const at = row * (this.cols + 1) + col;
      const here = text[col - 1] === RADIOACTIVE ? 1 : 0;
      this.#leftward[at] = this.#leftward[at - 1] + here;
      this.#upward[at] = this.#upward[at - this.cols - 1] + here;
    }
  }

  #isRowClear(row: number, left: number, right: number): boolean {
    const start = row * (this.cols + 1);
    return this.#leftward[start + right] === this.#leftward[start + left - 1];
  }

  #isColumnClear(col: number, top: number, bottom: number): boolean {
    return this.#upward[bottom * (this.cols + 1) + col] === this.#upward[(top - 1) * (this.cols + 1) + col];
  }
}

/** Returns the parts of a rectangle that a move leaves which fills one of its lines. */
function cut([top, bottom, left, right]: Rectangle, { line, index }: Line): Rectangle[] {
  const parts: Rectangle[] =
    line === 'row'
      ? [
          [top, index - 1, left, right],
          [index + 1, bottom, left, right],
        ]
      : [
          [top, bottom, left, index - 1],
          [top, bottom, index + 1, right],
        ];
  return parts.filter(([first, last, from, to]) => first <= last && from <= to);
}

/** Checks that `moves` are the legal first moves, each once and with its nimber. Returns the winning moves. */
function checkFirstMoves(proof: Proof, value: unknown): Line[] {
  const nameOf = ({ line, index }: Line) => `${line} ${index}`;
  const legal = new Map(proof.linesOf(proof.whole).map((line) => [nameOf(line), line]));
  const left = new Map(legal);
  readList(value, 'moves').forEach((entry, i) => {
    const what = `moves[${i}]`;
    const { line, index, nimber, wins } = readExplanationFields(entry, what, [
      'line',
      'index',
      'nimber',
      'wins',
    ]);
    const move = readLine(proof, line, index, what);
    if (!legal.has(nameOf(move))) failCheck(`${what}: filling ${nameOf(move)} is not a legal move`);
    if (!left.delete(nameOf(move))) failCheck(`${what}: ${nameOf(move)} is listed twice`);
    const after = proof.nimberOfAll(cut(proof.whole, move));
    assertEqual(nimber, `${what}.nimber`, after, `filling ${nameOf(move)} leaves this nimber`);
    assertEqual(wins, `${what}.wins`, after === 0, `filling ${nameOf(move)} leaves nimber ${after}`);
  });
  for (const name of left.keys()) failCheck(`moves lacks a legal move: filling ${name}`);
  return [...legal.values()].filter((move) => proof.nimberOfAll(cut(proof.whole, move)) === 0);
}

function readLine(proof: Proof, line: unknown, index: unknown, what: string): Line {
  if (line !== 'row' && line !== 'column')
    failCheck(`${what}.line is ${showExplanationValue(line)}, expected "row" or "column"`);
  const last = line === 'row' ? proof.rows : proof.cols;
  return { line, index: readInteger(index, `${what}.index`, 1, last) };
}

/** Checks the number of winning openings: a winning row counts once for each of its cells, and so does a winning column. */
function checkAnswer(proof: Proof, answer: unknown, winning: readonly Line[]): void {
  const cells = winning.reduce((sum, { line }) => sum + (line === 'row' ? proof.cols : proof.rows), 0);
  assertEqual(answer, 'answer', cells, 'this is the number of cells of the winning rows and columns');
}

/** Checks that `play` is a whole game of legal moves in which no player throws a win away. */
function checkPlay(proof: Proof, value: unknown): void {
  let position: readonly Rectangle[] = [proof.whole];
  readList(value, 'play').forEach((entry, i) => {
    const after = positionAfter(proof, position, entry, `play[${i}]`);
    const nimber = proof.nimberOfAll(after);
    if (proof.nimberOfAll(position) !== 0 && nimber !== 0)
      failCheck(`play[${i}] throws the win away: it leaves nimber ${nimber}`);
    position = after;
  });
  const [next] = position.flatMap((rectangle) => proof.linesOf(rectangle));
  if (next !== undefined) failCheck(`play ends although ${next.line} ${next.index} can still be filled`);
}

/** Returns the rectangles that are left after a move of `play`. */
function positionAfter(
  proof: Proof,
  position: readonly Rectangle[],
  entry: unknown,
  what: string,
): readonly Rectangle[] {
  const { line, index, from, to } = readExplanationFields(entry, what, ['line', 'index', 'from', 'to']);
  const move = readLine(proof, line, index, what);
  const last = line === 'row' ? proof.cols : proof.rows;
  const first = readInteger(from, `${what}.from`, 1, last);
  const end = readInteger(to, `${what}.to`, 1, last);
  const filled = position.find((rectangle) => isAcross(rectangle, move, first, end));
  const isLegal =
    filled !== undefined &&
    proof.linesOf(filled).some((other) => other.line === move.line && other.index === move.index);
  if (!isLegal)
    return failCheck(`${what}: filling cells ${first}-${end} of ${line} ${index} is not a legal move`);
  return [...position.filter((rectangle) => rectangle !== filled), ...cut(filled, move)];
}

/** Whether the cells `from` to `to` of the line are exactly its cells in the rectangle. */
function isAcross(
  [top, bottom, left, right]: Rectangle,
  { line, index }: Line,
  from: number,
  to: number,
): boolean {
  return line === 'row'
    ? index >= top && index <= bottom && from === left && to === right
    : index >= left && index <= right && from === top && to === bottom;
}
