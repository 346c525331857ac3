/**
 * Finds where the cases of an input of boards end. For a case in canonical layout, the scanner reads the header, jumps
 * over the rows and checks the line ends. For any other case it reads every token.
 */
import { isDigit, LF, quoteToken, SPACE, skipBlanks, tokenEnd } from '../../core/bytes.js';
import type { Fault } from '../../core/errors.js';
import {
  type CaseExtent,
  type CaseScanner,
  type CaseSearch,
  type HeadExtent,
  NO_TAIL,
} from '../input-format.js';
import {
  type BoardSyntax,
  END_OF_INPUT_TEXT,
  MAX_SHORT_TOKEN_BYTES,
  parseShortCount,
  shortTokenEnd,
} from './board-syntax.js';

export class BoardScanner implements CaseScanner {
  readonly #syntax: BoardSyntax;
  readonly #isThorough: boolean;

  constructor(syntax: BoardSyntax, isThorough: boolean) {
    this.#syntax = syntax;
    this.#isThorough = isThorough;
  }

  readHead(bytes: Uint8Array, end: number, atEnd: boolean): HeadExtent | Fault | null {
    if (!atEnd && end < 3) return null;
    const start = skipBlanks(bytes, hasByteOrderMark(bytes, end) ? 3 : 0, end);
    if (start === end)
      return atEnd ? { offset: start, expected: this.#describeFirstToken(), got: 'an empty input' } : null;
    let cases: number | null = null;
    let at = start;
    let headEnd = start;
    for (const token of this.#syntax.spec.headTokens) {
      headEnd = shortTokenEnd(bytes, at, end);
      if (headEnd === end && !atEnd) return null;
      const value = parseShortCount(bytes, at, headEnd);
      const isValid = token === 'T' ? value >= 0 && value < Number.POSITIVE_INFINITY : value >= 0;
      if (!isValid) return this.#headFault(token, bytes, at, end);
      if (token === 'T') cases = value;
      at = skipBlanks(bytes, headEnd, end);
    }
    return { length: at, cases, head: headEnd === start ? null : bytes.slice(start, headEnd) };
  }

  /** The cases of a board game do not depend on the head. */
  useHead(): void {}

  skipToCase(bytes: Uint8Array, at: number, end: number): number {
    return skipBlanks(bytes, at, end);
  }

  findTail(bytes: Uint8Array, at: number, end: number, atEnd: boolean, isLast: boolean): number | null {
    if (isLast) return at;
    const isTerminator = this.#isTerminator(bytes, at, end, atEnd);
    if (!isTerminator) return isTerminator === null ? null : NO_TAIL;
    return tokenEnd(bytes, skipBlanks(bytes, tokenEnd(bytes, at, end), end), end);
  }

  /** Returns whether the two tokens at `at` are the terminator, or null if more bytes are needed to decide. */
  #isTerminator(bytes: Uint8Array, at: number, end: number, atEnd: boolean): boolean | null {
    if (!this.#syntax.spec.hasTerminator) return false;
    let from = at;
    for (let zeros = 0; zeros < 2; zeros++) {
      const to = shortTokenEnd(bytes, from, end);
      if (to > from && parseShortCount(bytes, from, to) !== 0) return false;
      if (to === end) return atEnd ? to > from && zeros === 1 : null;
      from = zeros === 0 ? skipBlanks(bytes, to, end) : to;
    }
    return true;
  }

  /**
   * Finds the end of the case whose first token begins at `start`. For a case in canonical layout, the method reads only
   * the header and the line ends, unless the scanner is thorough. For any other case, the method reads every byte.
   */
  findCase(bytes: Uint8Array, start: number, end: number, atEnd: boolean, extent: CaseExtent): boolean {
    if (this.#isThorough) return this.#findCaseByTokens(bytes, start, end, atEnd, extent);
    const canonicalEnd = this.#findCanonicalEnd(bytes, start, end);
    if (canonicalEnd > 0) {
      extent.end = extent.neededEnd = canonicalEnd;
      extent.isBad = false;
      return true;
    }
    if (canonicalEnd === NEEDS_MORE_BYTES && !atEnd) return false;
    return this.#findCaseByTokens(bytes, start, end, atEnd, extent);
  }

  /**
   * Starts or continues a search for the next header (two consecutive counts) after a bad case. Returns true when
   * `search.at` is the index of a header or of the end of the input.
   */
  findNextCase(bytes: Uint8Array, end: number, atEnd: boolean, search: CaseSearch): boolean {
    if (search.isInsideToken) {
      search.at = tokenEnd(bytes, search.at, end);
      if (search.at === end) return atEnd;
      search.isInsideToken = false;
    }
    for (;;) {
      search.at = skipBlanks(bytes, search.at, end);
      const to = shortTokenEnd(bytes, search.at, end);
      if (to === end && !atEnd) return false;
      if (to === search.at) return true;
      if (parseShortCount(bytes, search.at, to) >= 0) {
        const next = skipBlanks(bytes, to, end);
        const nextTo = shortTokenEnd(bytes, next, end);
        if (nextTo === end && !atEnd) return false;
        if (parseShortCount(bytes, next, nextTo) >= 0) return true;
      }
      search.at = tokenEnd(bytes, to, end);
      if (search.at === end && !atEnd) {
        search.isInsideToken = true;
        return false;
      }
    }
  }

  /**
   * Finds the end of a case as `findCase` does, but reads every token. For a good case both methods give the same
   * result. For a bad case `#findCaseByTokens` never continues into the next case. `findCase` may continue into the next
   * case if its jump over the rows happens to end at a line end of the next case.
   */
  #findCaseByTokens(
    bytes: Uint8Array,
    start: number,
    end: number,
    atEnd: boolean,
    extent: CaseExtent,
  ): boolean {
    const rowsTokenEnd = shortTokenEnd(bytes, start, end);
    if (rowsTokenEnd === end && !atEnd) return false;
    const rows = parseShortCount(bytes, start, rowsTokenEnd);
    if (rows < 0) return markExtentBad(extent, rowsTokenEnd, rowsTokenEnd);
    const colsTokenStart = skipBlanks(bytes, rowsTokenEnd, end);
    const colsTokenEnd = shortTokenEnd(bytes, colsTokenStart, end);
    if (colsTokenEnd === end && !atEnd) return false;
    const cols = parseShortCount(bytes, colsTokenStart, colsTokenEnd);
    if (!this.#syntax.isSize(rows, cols)) return markExtentBad(extent, colsTokenEnd, colsTokenEnd);
    const tokenLength = this.#syntax.cellBytes === 1 ? cols : 2;
    const tokenCount = this.#syntax.cellBytes === 1 ? rows : rows * cols;
    const inspectedBytes = Math.max(tokenLength + 1, MAX_SHORT_TOKEN_BYTES);
    let at = colsTokenEnd;
    for (let token = 0; token < tokenCount; token++) {
      at = skipBlanks(bytes, at, end);
      const to = tokenEnd(bytes, at, Math.min(end, at + inspectedBytes));
      if (to === end && !atEnd) return false;
      // A number in the place of a row counts as the next header.
      if (to === at || isDigit(bytes[at])) return markExtentBad(extent, at, to);
      if (to - at !== tokenLength) return markExtentBad(extent, to, to);
      at = to;
    }
    return this.#findEndAfterRows(bytes, at, end, atEnd, extent);
  }

  /** Finds the end of a case whose last row ends at `rowsEnd`. If one more row follows, the case is bad. */
  #findEndAfterRows(
    bytes: Uint8Array,
    rowsEnd: number,
    end: number,
    atEnd: boolean,
    extent: CaseExtent,
  ): boolean {
    const next = skipBlanks(bytes, rowsEnd, end);
    if (next < end && !isDigit(bytes[next])) {
      const to = shortTokenEnd(bytes, next, end);
      if (to === end && !atEnd) return false;
      if (this.#syntax.isBoardToken(bytes, next, to)) return markExtentBad(extent, to, to);
    } else if (next === end && !atEnd) return false;
    extent.end = extent.neededEnd = next === end ? rowsEnd : next;
    extent.isBad = false;
    return true;
  }

  /**
   * Returns the index after a case that appears to be canonical (its line ends may be LF or CRLF). The expected pattern
   * is `R C`, a line end, rows of equal length with a line end each, and then a digit. Returns NOT_CANONICAL if the
   * bytes differ from this pattern, and NEEDS_MORE_BYTES if the bytes end before the pattern ends.
   */
  #findCanonicalEnd(bytes: Uint8Array, start: number, end: number): number {
    const { limits } = this.#syntax.spec;
    let at = start;
    let rows = 0;
    while (at < end && isDigit(bytes[at]) && rows <= limits.maxRows) rows = rows * 10 + bytes[at++] - 0x30;
    if (at === start) return at < end ? NOT_CANONICAL : NEEDS_MORE_BYTES;
    if (at < end && bytes[at] !== SPACE) return NOT_CANONICAL;
    const second = ++at;
    let cols = 0;
    while (at < end && isDigit(bytes[at]) && cols <= limits.maxCols) cols = cols * 10 + bytes[at++] - 0x30;
    if (at >= end) return NEEDS_MORE_BYTES;
    if (at === second || !this.#syntax.isSize(rows, cols)) return NOT_CANONICAL;
    const lineEnd = bytes[at] === LF ? 1 : 2;
    if (lineEnd === 2 && bytes[at] !== 0x0d) return NOT_CANONICAL;
    const stride = (this.#syntax.cellBytes === 1 ? cols : cols * 3 - 1) + lineEnd;
    let lineEndAt = at + lineEnd - 1;
    for (let row = 0; row <= rows; row++, lineEndAt += stride) {
      if (lineEndAt >= end) return NEEDS_MORE_BYTES;
      if (bytes[lineEndAt] !== LF) return NOT_CANONICAL;
    }
    const next = lineEndAt - stride + 1;
    if (next >= end) return NEEDS_MORE_BYTES;
    return isDigit(bytes[next]) ? next : NOT_CANONICAL;
  }

  #describeFirstToken(): string {
    if (this.#syntax.spec.headTokens.length === 0) return 'a case';
    return this.#syntax.spec.headTokens[0] === 'T' ? 'the number of cases' : 'the id of the test';
  }

  #headFault(token: 'id' | 'T', bytes: Uint8Array, at: number, end: number): Fault {
    const expected = token === 'T' ? 'the number of cases (0 to 2^53 - 1)' : 'the id of the test (a count)';
    return { offset: at, expected, got: at === end ? END_OF_INPUT_TEXT : quoteToken(bytes, at, end) };
  }
}

/** Result of `#findCanonicalEnd` if the case is not in canonical layout. */
const NOT_CANONICAL = -1;
/** Result of `#findCanonicalEnd` if more bytes are needed to decide. */
const NEEDS_MORE_BYTES = -2;

/** Records in `extent` that the case is bad. Always returns true, because the decision needs no more bytes. */
function markExtentBad(extent: CaseExtent, end: number, seen: number): true {
  extent.end = end;
  extent.neededEnd = seen;
  extent.isBad = true;
  return true;
}

function hasByteOrderMark(bytes: Uint8Array, end: number): boolean {
  return end >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
