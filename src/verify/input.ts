/**
 * Reads the boards of an input, one case after another. This reader shares no code with the parser that the solvers use, so
 * that a case that one of the two reads wrong is not explained and verified in the same wrong way.
 */
import { CaseError } from '../core/errors.js';
import { type Token, TokenReader } from './tokens.js';

/** The layout of the inputs of a problem. */
export interface InputLayout {
  /** The head with which inputs begin; null if they have no head. */
  readonly head: 'T' | 'id T' | null;
  /** Whether the terminator `0 0` ends the input. */
  readonly hasTerminator: boolean;
  /** Matches a cell. If cells have two letters, each cell is a token of its own. */
  readonly cell: RegExp;
  readonly cellLetters: 1 | 2;
  /** The letters of a row or a block, for messages. */
  readonly letters: string;
  readonly minRows: number;
  readonly maxRows: number;
  readonly maxCols: number;
  readonly maxCells: number;
  /** Returns what is wrong with the board as a whole, or null. */
  readonly findMistake?: (board: readonly string[]) => BoardMistake | null;
}

export interface BoardMistake {
  /** The cell that is wrong, with row and column counted from 0; null if the board as a whole is wrong. */
  readonly cell: { readonly row: number; readonly col: number } | null;
  readonly expected: string;
  readonly got: string;
}

/** Largest number of digits of a number that is read. No number of a valid input has more. */
const MAX_DIGITS = 32;

/** A place in the input. */
type Place = Omit<Token, 'text'>;

export class InputReader {
  readonly #name: string;
  readonly #layout: InputLayout;
  readonly #tokens: TokenReader;
  /** The number of cases that the input announces; null before the head is read. */
  #announced: number | null = null;
  /** The number of cases that were read. */
  #caseCount = 0;

  constructor(name: string, pieces: AsyncIterable<Uint8Array>, layout: InputLayout) {
    this.#name = name;
    this.#layout = layout;
    this.#tokens = new TokenReader(pieces);
  }

  /** The number of cases that were read so far. */
  get caseCount(): number {
    return this.#caseCount;
  }

  /** Returns the number of all cases: that of the head, or else it reads the other cases. */
  async countAll(): Promise<number> {
    if (this.#announced !== null && this.#announced !== Number.POSITIVE_INFINITY) return this.#announced;
    while ((await this.next()) !== null);
    return this.#caseCount;
  }

  /** Returns the rows of the next board; null after the last one. Blocks of a row are separated by one space. */
  async next(): Promise<readonly string[] | null> {
    this.#announced ??= await this.#readHead();
    if (await this.#isAtEnd()) return null;
    this.#caseCount++;
    return this.#readCase();
  }

  async #readHead(): Promise<number> {
    const first = await this.#tokens.peek();
    if (first.text === null) this.#fail(first, null, 'an input', 'an empty one');
    if (this.#layout.head === null) return Number.POSITIVE_INFINITY;
    if (this.#layout.head === 'id T')
      await this.#readNumber(null, 'the id of the test', 0, Number.POSITIVE_INFINITY);
    return this.#readNumber(null, 'the number of cases', 0, Number.MAX_SAFE_INTEGER);
  }

  /** Whether no further case follows. Fails if anything but a case follows. */
  async #isAtEnd(): Promise<boolean> {
    const token = await this.#tokens.peek();
    if (
      this.#caseCount === this.#announced ||
      (this.#layout.hasTerminator && (await this.#takeTerminator()))
    ) {
      const rest = await this.#tokens.peek();
      if (rest.text !== null) this.#fail(rest, null, 'the end of the input', describe(rest));
      return true;
    }
    if (token.text !== null) return false;
    if (this.#layout.hasTerminator) this.#fail(token, null, 'another case or 0 0', 'the end of the input');
    if (this.#announced !== Number.POSITIVE_INFINITY)
      this.#fail(
        token,
        this.#caseCount + 1,
        `case ${this.#caseCount + 1} of ${this.#announced}`,
        'the end of the input',
      );
    return true;
  }

  /** Takes the terminator `0 0` if it comes next. No case begins with 0, so the first 0 may be taken before the second. */
  async #takeTerminator(): Promise<boolean> {
    const first = await this.#tokens.peek();
    if (parseNumber(first.text) !== 0) return false;
    await this.#tokens.take();
    const second = await this.#tokens.peek();
    if (parseNumber(second.text) !== 0)
      this.#fail(first, this.#caseCount + 1, this.#rowsExpected, describe(first));
    await this.#tokens.take();
    return true;
  }

  async #readCase(): Promise<readonly string[]> {
    const { minRows, maxRows, maxCols, maxCells, findMistake } = this.#layout;
    const start = await this.#tokens.peek();
    const rows = await this.#readNumber(this.#caseCount, 'the number of rows', minRows, maxRows);
    const cols = await this.#readNumber(this.#caseCount, 'the number of columns', 1, maxCols);
    if (rows * cols > maxCells)
      this.#fail(start, this.#caseCount, `at most ${maxCells} cells`, `${rows * cols}`);
    const places: Place[] = [];
    const board: string[] = [];
    for (let row = 0; row < rows; row++) {
      places.push(await this.#tokens.peek());
      board.push(await this.#readRow(cols));
    }
    await this.#refuseSurplusRow();
    const mistake = findMistake?.(board) ?? null;
    if (mistake !== null) this.#failOfBoard(mistake, start, places);
    return board;
  }

  get #rowsExpected(): string {
    return `the number of rows, from ${this.#layout.minRows} to ${this.#layout.maxRows}`;
  }

  async #readRow(cols: number): Promise<string> {
    if (this.#layout.cellLetters === 1) return this.#readWord(cols);
    const blocks: string[] = [];
    for (let col = 0; col < cols; col++) blocks.push(await this.#readBlock());
    return blocks.join(' ');
  }

  async #readWord(cols: number): Promise<string> {
    const token = await this.#tokens.take();
    const text = token.text ?? '';
    const wrong = Array.from(text).findIndex((letter) => !this.#layout.cell.test(letter));
    // The mistake is the first wrong letter in the place of a cell, or else the length of the row.
    const column = wrong > 0 && wrong < cols ? token.column + wrong : token.column;
    if (wrong !== -1 || text.length !== cols)
      this.#fail(
        { ...token, column },
        this.#caseCount,
        `a row of ${cols} letters of ${this.#layout.letters}`,
        describe(token),
      );
    return text;
  }

  async #readBlock(): Promise<string> {
    const token = await this.#tokens.take();
    if (token.text === null || !this.#isCell(token.text))
      this.#fail(token, this.#caseCount, this.#layout.letters, describe(token));
    return token.text as string;
  }

  /** Fails if another row or block follows the board, because then the size line of the board is wrong. */
  async #refuseSurplusRow(): Promise<void> {
    const token = await this.#tokens.peek();
    if (token.text === null) return;
    const isRow =
      this.#layout.cellLetters === 1
        ? Array.from(token.text.slice(0, MAX_DIGITS + 1)).every((letter) => this.#isCell(letter))
        : this.#isCell(token.text);
    if (isRow) this.#fail(token, this.#caseCount, 'the end of the board', describe(token));
  }

  #isCell(text: string): boolean {
    return this.#layout.cell.test(text);
  }

  async #readNumber(caseNumber: number | null, what: string, min: number, max: number): Promise<number> {
    const token = await this.#tokens.take();
    const value = parseNumber(token.text);
    if (value === null || value < min || value > max) {
      const range = max === Number.POSITIVE_INFINITY ? '' : `, from ${min} to ${max}`;
      this.#fail(token, caseNumber, what + range, describe(token));
    }
    return value as number;
  }

  #failOfBoard({ cell, expected, got }: BoardMistake, start: Place, places: readonly Place[]): never {
    const { line, column } = cell === null ? start : places[cell.row];
    return this.#fail({ line, column: column + (cell?.col ?? 0) }, this.#caseCount, expected, got);
  }

  #fail({ line, column }: Place, caseNumber: number | null, expected: string, got: string): never {
    const description = `expected ${expected}, got ${got}`;
    const mismatch = { expected, got };
    throw new CaseError('input', { input: this.#name, line, column, caseNumber, description, mismatch });
  }
}

/** Returns the token as a number; Infinity if it is too large to be exact; null if the token is not a number. */
function parseNumber(text: string | null): number | null {
  if (text === null || text.length > MAX_DIGITS || !/^[0-9]+$/.test(text)) return null;
  return Number(text) > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : Number(text);
}

function describe({ text }: Token): string {
  if (text === null) return 'the end of the input';
  const readable = Buffer.from(text, 'latin1').toString();
  return JSON.stringify(readable.length > 40 ? `${readable.slice(0, 40)}...` : readable);
}
