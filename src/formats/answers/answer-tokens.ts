/**
 * Reads the tokens and lines of one answer from bytes that may not be complete yet. Reading stops with an `Unreadable`
 * if the bytes end too early or if they are no answer.
 */
import {
  bytesOfLatin1,
  decodeText,
  isBlank,
  LF,
  latin1,
  skipBlanks,
  tokenEnd,
  trimEnd,
  utf8AsLatin1,
} from '../../core/bytes.js';

/** Why an answer cannot be read. It is thrown, but it is no `Error`: nobody needs its stack, which is slow to collect. */
export class Unreadable {
  constructor(readonly needsMore: boolean) {}
}

const NEEDS_MORE = new Unreadable(true);
const MALFORMED = new Unreadable(false);

/** Number of elements that an answer may have even if they take no bytes. */
const FREE_ELEMENTS = 1 << 16;

export class AnswerTokens {
  readonly #bytes: Uint8Array;
  readonly #limit: number;
  readonly #isLimitFinal: boolean;
  /** Index of the next byte to read. */
  #at: number;
  /** Index of the byte after the last token that was read. */
  #end: number;
  /** Whether `#at` is the first byte of a line. */
  #isAtLineStart: boolean;
  /** The token that `peek` has found is bytes[#tokenStart, #tokenEnd). */
  #tokenStart = 0;
  #tokenEnd = -1;
  /** Number of empty lines that were read although the bytes ended before them, apart from the first line of the answer. */
  #linesAtEnd = 0;
  /** Whether nothing has been read yet. */
  #isFresh = true;
  /** Number of elements that these bytes may still have. It bounds the work for elements without bytes. */
  #elementsLeft: number;

  /**
   * Reads bytes[start, limit). If `isLimitFinal` is false, the answer may continue after these bytes. `isAtLineStart` is
   * false if a label is on the same line before `start`.
   */
  constructor(
    bytes: Uint8Array,
    start: number,
    limit: number,
    isLimitFinal: boolean,
    isAtLineStart: boolean,
  ) {
    this.#bytes = bytes;
    this.#limit = limit;
    this.#isLimitFinal = isLimitFinal;
    this.#at = this.#end = start;
    this.#isAtLineStart = isAtLineStart;
    this.#elementsLeft = limit - start + FREE_ELEMENTS;
  }

  /** Index of the next byte to read. */
  get at(): number {
    return this.#at;
  }

  /** Index of the byte after the last token that was read; the start of the answer if no token was read. */
  get end(): number {
    return this.#end;
  }

  get linesAtEnd(): number {
    return this.#linesAtEnd;
  }

  /** Stops reading: the bytes are no answer. */
  fail(): never {
    throw MALFORMED;
  }

  /** Reserves this number of elements of an array or list. Fails if the answer has too few bytes for so many elements. */
  reserve(elements: number): void {
    this.#elementsLeft -= elements;
    if (this.#elementsLeft >= 0) return;
    this.#stopAtLimit();
    this.fail();
  }

  /** Whether another token follows. */
  hasToken(): boolean {
    if (this.#tokenStart >= this.#at && this.#tokenEnd > this.#at) return true;
    const start = skipBlanks(this.#bytes, this.#at, this.#limit);
    if (start === this.#limit) return this.#stopAtLimit();
    const end = tokenEnd(this.#bytes, start, this.#limit);
    if (end === this.#limit) this.#stopAtLimit();
    this.#tokenStart = start;
    this.#tokenEnd = end;
    return true;
  }

  /** Returns the next token, one character per byte, without reading it. Null if no token follows. */
  peek(): string | null {
    return this.hasToken() ? latin1(this.#bytes, this.#tokenStart, this.#tokenEnd) : null;
  }

  /** Reads the next token, one character per byte. */
  take(): string {
    if (!this.hasToken()) this.fail();
    const token = latin1(this.#bytes, this.#tokenStart, this.#tokenEnd);
    this.#at = this.#end = this.#tokenEnd;
    this.#isAtLineStart = false;
    this.#isFresh = false;
    return token;
  }

  /** Reads the next token as text. */
  takeText(): string {
    return textOf(this.take());
  }

  /** Reads the next token if it is this token. */
  takeIf(token: string): boolean {
    if (this.peek() !== utf8AsLatin1(token)) return false;
    this.take();
    return true;
  }

  /** Reads the rest of the line if it is not blank, else the next line that is not blank. */
  takeLine(): string {
    if (!this.hasToken()) this.fail();
    const lineStart = this.#startOfTokenLine();
    return this.#takeLineFrom(lineStart, this.#tokenStart);
  }

  /** Reads exactly the next line, even if it is empty: the rest of the line only if it is not blank. */
  takeExactLine(): string {
    this.finishLine();
    let start = this.#at;
    if (!this.#isAtLineStart) while (start < this.#limit && isBlankInLine(this.#bytes[start])) start++;
    return this.#takeLineFrom(start, start);
  }

  /** Reads the next line if it is empty: the rest of this line only if it is not blank. Returns whether it did. */
  takeEmptyLine(): boolean {
    this.finishLine();
    if (!this.#isAtLineStart) return false;
    let at = this.#at;
    while (at < this.#limit && isBlankInLine(this.#bytes[at])) at++;
    if (at === this.#limit) this.#stopAtLimit();
    else if (this.#bytes[at] !== LF) return false;
    this.#countLine(this.#at);
    this.#at = Math.min(at + 1, this.#limit);
    return true;
  }

  /** Moves to the next token, if there is one. */
  passBlanks(): void {
    if (!this.hasToken()) return;
    this.#at = this.#tokenStart;
    this.#isAtLineStart = false;
  }

  /** Whether another token follows on the line of the last token. At the start of a line: whether any token follows. */
  hasTokenOnLine(): boolean {
    if (this.#isAtLineStart) return this.hasToken();
    let at = this.#at;
    while (at < this.#limit && isBlankInLine(this.#bytes[at])) at++;
    if (at === this.#limit) return this.#stopAtLimit();
    return this.#bytes[at] !== LF;
  }

  /** If a blank line or the end follows, skips the blank line and returns true. */
  skipBlankLineOrEnd(): boolean {
    let lineEnds = this.#isAtLineStart ? 1 : 0;
    for (let at = this.#at; at < this.#limit && isBlank(this.#bytes[at]); at++) {
      if (this.#bytes[at] === LF && ++lineEnds === 2) {
        this.#at = at + 1;
        this.#isAtLineStart = true;
        return true;
      }
    }
    return !this.hasToken();
  }

  /** Skips the rest of the line, which is blank, with its line end. Does nothing at the start of a line. */
  finishLine(): void {
    if (this.#isAtLineStart || this.hasTokenOnLine()) return;
    const lineEnd = findLineEnd(this.#bytes, this.#at, this.#limit);
    this.#at = lineEnd < 0 ? this.#limit : lineEnd + 1;
    this.#isAtLineStart = true;
  }

  /** The index of the first byte of the line of the next token, without bytes that were read. */
  #startOfTokenLine(): number {
    const lineStart = findLineStart(this.#bytes, this.#at, this.#tokenStart);
    return lineStart ?? (this.#isAtLineStart ? this.#at : this.#tokenStart);
  }

  /** Reads the line from `start` on, and the line end, which is the first one at or after `from`. */
  #takeLineFrom(start: number, from: number): string {
    const lineEnd = findLineEnd(this.#bytes, from, this.#limit);
    if (lineEnd < 0) this.#stopAtLimit();
    this.#countLine(start);
    const to = lineEnd < 0 ? this.#limit : lineEnd;
    const textEnd = trimEnd(this.#bytes, start, to);
    if (textEnd > start) this.#end = textEnd;
    this.#at = lineEnd < 0 ? to : to + 1;
    this.#isAtLineStart = true;
    return decodeText(this.#bytes.subarray(start, textEnd));
  }

  #countLine(start: number): void {
    if (start === this.#limit && !this.#isFresh) this.#linesAtEnd++;
    this.#isFresh = false;
  }

  /** Called when reading has come to the limit. Stops reading unless the limit is final; then it returns false. */
  #stopAtLimit(): false {
    if (!this.#isLimitFinal) throw NEEDS_MORE;
    return false;
  }
}

/** Whether the byte is a blank that does not end a line. */
export function isBlankInLine(byte: number): boolean {
  return byte !== LF && isBlank(byte);
}

/** Returns the index of the first line end in bytes[from, to); -1 if there is none. */
export function findLineEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) if (bytes[at] === LF) return at;
  return -1;
}

/** Returns the index of the byte after the last line end in bytes[from, to); null if there is none. */
export function findLineStart(bytes: Uint8Array, from: number, to: number): number | null {
  for (let at = to; at > from; at--) if (bytes[at - 1] === LF) return at;
  return null;
}

/** Returns the text of a token that is given with one character per byte. */
export function textOf(token: string): string {
  return decodeText(bytesOfLatin1(token));
}
