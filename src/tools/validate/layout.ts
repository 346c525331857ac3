/**
 * Checks how the tokens of an input are arranged in lines. Contest programs that read token by token ignore the
 * layout. Programs that read line by line need the canonical layout, and a validator of a contest demands it: one
 * space between two tokens of a line, no other whitespace, LF at the end of every line, and the head, each size line
 * and each row on a line of its own.
 */
import { BYTE_ORDER_MARK, isDigit, LF, SPACE } from '../../core/bytes.js';
import { pluralize } from '../../core/errors.js';
import { type Location, locationAfter, measureSpan } from '../../core/location.js';
import type { BoardLineTokens } from '../../formats/boards/board.js';

/**
 * A rule of the canonical layout of an input. `validate` reports where an input breaks the rule, but `solve` accepts
 * the input.
 */
export type LayoutRule =
  | 'byte-order-mark'
  | 'carriage-return'
  | 'odd-blank'
  | 'leading-blank'
  | 'trailing-blank'
  | 'double-blank'
  | 'empty-line'
  | 'final-newline'
  | 'leading-zero'
  | 'words-a-line';

export interface LayoutFinding extends Location {
  readonly rule: LayoutRule;
  readonly what: string;
}

const HEADER_TOKENS = 2;
const TAB = 0x09;
const CR = 0x0d;
const ZERO = 0x30;

/** Checks the layout of an input. It gets all bytes of the input in order, in pieces of any size. */
export class LayoutChecker {
  readonly #onFinding: (finding: LayoutFinding) => void;
  /** Null if the number of tokens in a line, and the meaning of a token, are not known. */
  readonly #expectedLines: BoardLineTokens | null;
  #line = 1;
  #column = 1;
  /** Number of tokens so far in the current line, and whether the first token begins with a digit. */
  #tokensInLine = 0;
  #startsWithDigit = false;
  /** Number of whitespace since the last token or the start of the line, and the column of the first of this whitespace. */
  #whitespaceCount = 0;
  #whitespaceColumn = 1;
  /**
   * Column at which the current token begins (0 between two tokens), and the value of the token if it is a number (-1
   * if it is not).
   */
  #tokenColumn = 0;
  #tokenValue = -1;
  #tokenStartsWithZero = false;
  /** Whether the last byte was a CR. The next byte decides whether it belongs to a line end. */
  #isAfterCarriageReturn = false;
  /** Number of bytes of a byte order mark at the start of the input so far; -1 after the start of the input. */
  #byteOrderMarkBytes = 0;
  #isHeadRead: boolean;
  /** Whether the lines of the current bytes are not known, so that an empty line may belong to them. */
  #mayBeEmpty = false;
  /** Number of columns in the last size line; 0 if that size line was not a line of two numbers. */
  #statedCols = 0;

  constructor(expectedLines: BoardLineTokens | null, onFinding: (finding: LayoutFinding) => void) {
    this.#expectedLines = expectedLines;
    this.#onFinding = onFinding;
    this.#isHeadRead = expectedLines?.headTokens === 0;
  }

  /** Line and column of the next byte of the input. */
  get location(): Location {
    return { line: this.#line, column: this.#column };
  }

  /** Checks text of the input. With `mayBeEmpty`, an empty line may belong to the text, as it may to an invalid case. */
  feed(bytes: Uint8Array, { from = 0, to = bytes.length, mayBeEmpty = false } = {}): void {
    this.#mayBeEmpty = mayBeEmpty;
    for (let at = from; at < to; at++) {
      const byte = bytes[at];
      if (this.#byteOrderMarkBytes >= 0 && this.#isByteOrderMark(byte)) continue;
      if (this.#isAfterCarriageReturn) this.#readByteAfterCarriageReturn(byte);
      if (byte === LF) this.#endLine();
      else if (byte > SPACE) this.#addToToken(byte);
      else this.#readWhitespace(byte);
    }
  }

  /** Passes over text whose layout is known to be right, or was checked in another way. */
  pass(bytes: Uint8Array): void {
    const { line, column } = locationAfter(this.location, measureSpan(bytes, 0, bytes.length));
    this.#line = line;
    this.#column = column;
    this.#byteOrderMarkBytes = -1;
    this.#isAfterCarriageReturn = false;
    this.#tokenColumn = 0;
    this.#whitespaceCount = 0;
    this.#whitespaceColumn = column;
    this.#tokensInLine = column > 1 ? 1 : 0;
  }

  /** Called after the last byte of the input. */
  end(): void {
    if (this.#isAfterCarriageReturn) this.#readByteAfterCarriageReturn(0);
    if (this.#column === 1) return;
    this.#endToken();
    const { line, column } = this.location;
    this.#checkLine();
    this.#onFinding({ rule: 'final-newline', line, column, what: 'the last line does not end in LF' });
  }

  #isByteOrderMark(byte: number): boolean {
    if (byte !== BYTE_ORDER_MARK[this.#byteOrderMarkBytes]) {
      this.#byteOrderMarkBytes = -1;
      return false;
    }
    this.#column++;
    if (++this.#byteOrderMarkBytes === BYTE_ORDER_MARK.length) {
      this.#byteOrderMarkBytes = -1;
      this.#whitespaceColumn = this.#column;
      this.#onFinding({ rule: 'byte-order-mark', line: 1, column: 1, what: 'a byte order mark' });
    }
    return true;
  }

  #addToToken(byte: number): void {
    if (this.#tokenColumn === 0) this.#beginToken(byte);
    const isCount = this.#tokenValue >= 0 && isDigit(byte);
    this.#tokenValue = isCount ? this.#tokenValue * 10 + (byte - ZERO) : -1;
    this.#column++;
  }

  #beginToken(byte: number): void {
    if (this.#whitespaceCount > 0) {
      if (this.#tokensInLine === 0)
        this.#reportWhitespace('leading-blank', 'before the first token of the line');
      else if (this.#whitespaceCount > 1 && this.#expectedLines !== null)
        this.#reportWhitespace('double-blank', 'between two tokens');
    }
    this.#whitespaceCount = 0;
    this.#tokenColumn = this.#column;
    this.#tokenStartsWithZero = byte === ZERO;
    this.#tokenValue = 0;
    if (this.#tokensInLine++ === 0) this.#startsWithDigit = isDigit(byte);
    // The surplus of tokens is reported once per line.
    if (this.#tokensInLine === this.#expectedTokens() + 1) this.#reportTokenCount('this line has one more');
  }

  #endToken(): void {
    if (this.#tokenColumn === 0) return;
    const isPadded =
      this.#expectedLines !== null &&
      this.#tokenStartsWithZero &&
      this.#tokenValue >= 0 &&
      this.#column - this.#tokenColumn > 1;
    if (isPadded) {
      const what = `leading zeros in a count (${this.#tokenValue})`;
      this.#onFinding({ rule: 'leading-zero', line: this.#line, column: this.#tokenColumn, what });
    }
    this.#tokenColumn = 0;
  }

  #readWhitespace(byte: number): void {
    this.#endToken();
    if (this.#whitespaceCount++ === 0) this.#whitespaceColumn = this.#column;
    if (byte === CR) this.#isAfterCarriageReturn = true;
    else if (byte !== SPACE) this.#reportOddWhitespace(byte, this.#column);
    this.#column++;
  }

  /**
   * Reads the byte after a CR. If this byte is LF, the CR is the beginning of a line end; otherwise, the CR is an
   * unexpected blank.
   */
  #readByteAfterCarriageReturn(next: number): void {
    this.#isAfterCarriageReturn = false;
    const column = this.#column - 1;
    if (next !== LF) {
      this.#reportOddWhitespace(CR, column);
      return;
    }
    this.#whitespaceCount--;
    this.#onFinding({ rule: 'carriage-return', line: this.#line, column, what: 'the line ends in CR LF' });
  }

  #endLine(): void {
    this.#endToken();
    this.#checkLine();
    this.#line++;
    this.#column = 1;
    this.#tokensInLine = 0;
    this.#whitespaceCount = 0;
    this.#whitespaceColumn = 1;
  }

  #checkLine(): void {
    const tokens = this.#tokensInLine;
    if (tokens === 0 && this.#mayBeEmpty) return;
    if (tokens === 0) {
      this.#onFinding({ rule: 'empty-line', line: this.#line, column: 1, what: 'an empty line' });
      return;
    }
    if (this.#whitespaceCount > 0)
      this.#reportWhitespace('trailing-blank', 'at the end of the line', this.#whitespaceColumn);
    if (tokens < this.#expectedTokens()) this.#reportTokenCount(`this line ends after ${tokens}`);
    const isSizeLine = this.#isHeadRead && this.#startsWithDigit;
    if (isSizeLine) this.#statedCols = tokens === HEADER_TOKENS ? Math.max(0, this.#tokenValue) : 0;
    this.#isHeadRead = true;
  }

  /**
   * Returns the number of tokens that the current line should have. If the right number is not known, returns the
   * number of tokens that the line has.
   */
  #expectedTokens(): number {
    if (this.#expectedLines === null) return this.#tokensInLine;
    if (!this.#isHeadRead) return this.#expectedLines.headTokens;
    if (this.#startsWithDigit) return HEADER_TOKENS;
    if (!this.#expectedLines.isRowOfBlocks) return 1;
    return this.#statedCols > 0 ? this.#statedCols : this.#tokensInLine;
  }

  #reportTokenCount(got: string): void {
    const expected = this.#expectedTokens();
    const what = `${this.#lineName()} needs a line of its own with ${pluralize(expected, 'token')}; ${got}`;
    this.#onFinding({ rule: 'words-a-line', line: this.#line, column: this.#column, what });
  }

  #lineName(): string {
    if (!this.#isHeadRead) return 'the start of the input';
    return this.#startsWithDigit ? 'the size of a board' : 'a row';
  }

  #reportWhitespace(rule: LayoutRule, where: string, column = this.#column): void {
    const whitespace = this.#whitespaceCount === 1 ? 'a blank' : `${this.#whitespaceCount} blanks`;
    this.#onFinding({ rule, line: this.#line, column, what: `${whitespace} ${where}` });
  }

  #reportOddWhitespace(byte: number, column: number): void {
    const name = byte === TAB ? 'a tab' : `the byte \\x${byte.toString(16).padStart(2, '0')}`;
    this.#onFinding({ rule: 'odd-blank', line: this.#line, column, what: `${name} instead of a space` });
  }
}
