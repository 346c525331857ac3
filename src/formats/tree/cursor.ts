/** The position of a reader in a head or a case, and the values that counts and bounds need. */
import { isWhitespace, LF } from '../../core/bytes.js';
import type { SlotValues } from './compile-expression.js';

/** The result of a step of reading. */
export type ReadStatus = 0 | 1 | 2;
export const READ_OK: ReadStatus = 0;
/** The status if more bytes are needed to decide. Impossible if the cursor is `atEnd`. */
export const NEEDS_MORE: ReadStatus = 1;
/** The status if the structure of the case is lost, so that its end is not known. */
export const STRUCTURE_LOST: ReadStatus = 2;

/**
 * Every valid case has fewer bytes than this, including all whitespace in it. The scanner must hold a whole case in memory, so
 * this also limits its memory.
 */
export const MAX_TREE_CASE_BYTES = 1 << 28;
/** The largest number of elements that a count may announce. Each element takes at least a byte and a whitespace character. */
export const MAX_ELEMENTS = MAX_TREE_CASE_BYTES / 2;
/** The largest number of records and rows in a case that take no bytes, such as the rows of a grid without columns. */
export const MAX_EMPTY_ELEMENTS_PER_CASE = 1 << 20;
/** The largest number of bytes of a token that can be a number. A longer token is never a number. */
export const MAX_NUMBER_BYTES = 1 << 16;
/** The largest number of bytes that the scanner reads of a token if it needs to know only whether the token is short. */
export const MAX_SHORT_TOKEN_BYTES = 32;

const NO_BYTES = new Uint8Array(0);

export class Cursor {
  bytes: Uint8Array = NO_BYTES;
  /** Index of the next byte to read. */
  at = 0;
  /** Index of the byte after the last byte that may be read. */
  end = 0;
  /** Whether no byte follows bytes[end - 1]. */
  atEnd = true;
  /** Whether no token of the current line was read yet. */
  isAtLineStart = true;
  /** The last token or line that was found is bytes[from, to). */
  from = 0;
  to = 0;
  /** The number of elements read so far that took no bytes, and the largest number allowed. */
  emptyElements = 0;
  maxEmptyElements = MAX_EMPTY_ELEMENTS_PER_CASE;
  /** Whether every byte is read, so that an invalid case never includes bytes of the next case. */
  isThorough = false;
  environment: SlotValues = new Float64Array(0);

  start(bytes: Uint8Array, at: number, end: number, atEnd: boolean): void {
    this.bytes = bytes;
    this.at = this.from = this.to = at;
    this.end = end;
    this.atEnd = atEnd;
    this.isAtLineStart = true;
    this.emptyElements = 0;
  }

  /** Finds the next token, but does not move past it. The structure is lost if there is no further token. */
  findToken(): ReadStatus {
    return this.findStartOfToken(this.end - this.at);
  }

  /**
   * Finds the next token, but does not move past it. Of a longer token, finds only the first `maxBytes` bytes. The structure is
   * lost if there is no further token.
   */
  findStartOfToken(maxBytes: number): ReadStatus {
    const { bytes, end } = this;
    let at = this.at;
    while (at < end && isWhitespace(bytes[at])) at++;
    this.from = at;
    const limit = Math.min(end, at + maxBytes);
    while (at < limit && !isWhitespace(bytes[at])) at++;
    this.to = at;
    if (at === end && !this.atEnd) return NEEDS_MORE;
    return this.from === at ? this.lose(at, at) : READ_OK;
  }

  /** Finds the next token and moves past it. */
  skipToken(): ReadStatus {
    const status = this.findToken();
    if (status === READ_OK) this.passToken();
    return status;
  }

  /** Moves past the token that was found last. */
  passToken(): void {
    this.at = this.to;
    this.isAtLineStart = false;
  }

  /**
   * Finds a line and moves past its line end: the rest of the current line if it is not blank, else the next line that is not
   * blank. If `mayBeEmpty`, finds exactly the next line. The line is bytes[from, to).
   */
  skipLine(mayBeEmpty: boolean): ReadStatus {
    const { bytes, end } = this;
    let from = this.#findRestOfLine();
    if (!(mayBeEmpty && this.isAtLineStart)) from = this.#findLineWithToken(from);
    this.from = from;
    if (from >= end) return this.atEnd ? this.lose(end, end) : NEEDS_MORE;
    const lineEnd = bytes.indexOf(LF, from);
    if ((lineEnd < 0 || lineEnd >= end) && !this.atEnd) return NEEDS_MORE;
    const to = lineEnd < 0 || lineEnd >= end ? end : lineEnd;
    this.to = to > from && bytes[to - 1] === CR ? to - 1 : to;
    this.at = Math.min(to + 1, end);
    this.isAtLineStart = true;
    return READ_OK;
  }

  /**
   * Returns the index of the rest of the current line. If only whitespace is left there, moves to the next line and returns its
   * start.
   */
  #findRestOfLine(): number {
    if (this.isAtLineStart) return this.at;
    const from = skipWhitespaceOnLine(this.bytes, this.at, this.end);
    if (from === this.end || this.bytes[from] !== LF) return from;
    this.isAtLineStart = true;
    this.at = from + 1;
    return this.at;
  }

  /**
   * Moves to the rest of the line, or to the next line if only whitespace is left. The structure is lost if there is no line.
   */
  findLine(): ReadStatus {
    this.at = this.#findRestOfLine();
    if (this.at < this.end) return READ_OK;
    return this.atEnd ? this.lose(this.end, this.end) : NEEDS_MORE;
  }

  /** Moves past the next line if it is empty. */
  skipEmptyLine(): ReadStatus {
    const { bytes, end } = this;
    const next = skipWhitespaceOnLine(bytes, this.#findRestOfLine(), end);
    if (next === end) return this.atEnd ? READ_OK : NEEDS_MORE;
    if (this.isAtLineStart && bytes[next] === LF) this.at = next + 1;
    return READ_OK;
  }

  /** Returns the start of the first line, at or after `from`, that is not blank; `end` if all lines are blank. */
  #findLineWithToken(from: number): number {
    const { bytes, end } = this;
    let lineStart = from;
    for (let at = from; at < end; at++) {
      if (!isWhitespace(bytes[at])) return lineStart;
      if (bytes[at] === LF) lineStart = at + 1;
    }
    return end;
  }

  /**
   * Records that the structure of the case is lost. The search for the next case begins at `searchFrom`. The fault can be
   * described from the bytes before `seen`.
   */
  lose(searchFrom: number, seen: number): ReadStatus {
    this.at = searchFrom;
    this.to = seen;
    return STRUCTURE_LOST;
  }

  /** Counts elements that took no bytes. The structure of the case is lost if there are too many of them. */
  countEmptyElements(count: number): ReadStatus {
    this.emptyElements += count;
    return this.emptyElements > this.maxEmptyElements ? this.lose(this.at, this.at) : READ_OK;
  }
}

const CR = 0x0d;

/** Returns the index of the first byte, at or after `from`, that is a line end or not whitespace. */
export function skipWhitespaceOnLine(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== LF && isWhitespace(bytes[at])) at++;
  return at;
}
