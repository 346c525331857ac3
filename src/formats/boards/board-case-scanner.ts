/**
 * Finds where the cases of an input of boards end. For a case in canonical layout, the scanner reads the size line, jumps over
 * the rows and checks the line ends. The reader of boards finds the ends of the other valid cases, and the scanner of trees
 * those of invalid ones.
 */
import { isDigit, LF, SPACE } from '../../core/bytes.js';
import type { Fault } from '../../core/errors.js';
import {
  type CaseExtent,
  type CaseRun,
  type CaseScanner,
  type CaseSearch,
  type HeadExtent,
  markInvalidCase,
} from '../input-format.js';
import { BoardReader, NOT_READ } from './board-reader.js';
import type { BoardSyntax } from './board-syntax.js';

/** Finds the ends of cases with a board: fast in canonical layout, and otherwise with the scanner for any format. */
export class BoardCaseScanner implements CaseScanner {
  readonly #syntax: BoardSyntax;
  readonly #isThorough: boolean;
  readonly #reader: BoardReader;
  /** Takes what the reader reads. The scanner only needs to know that it is a board. */
  readonly #board = { rows: 0, cols: 0, cells: new Uint8Array(0) };
  /** Scans the cases that are not in canonical layout. Every byte of them is checked. */
  readonly #treeScanner: CaseScanner;

  constructor(syntax: BoardSyntax, treeScanner: CaseScanner, isThorough: boolean) {
    this.#syntax = syntax;
    this.#treeScanner = treeScanner;
    this.#isThorough = isThorough;
    this.#reader = new BoardReader(syntax);
  }

  readHead(bytes: Uint8Array, end: number, atEnd: boolean): HeadExtent | Fault | null {
    return this.#treeScanner.readHead(bytes, end, atEnd);
  }

  useHead(head: Uint8Array | null): void {
    this.#treeScanner.useHead(head);
  }

  skipToCase(bytes: Uint8Array, at: number, end: number): number {
    return this.#treeScanner.skipToCase(bytes, at, end);
  }

  findTail(bytes: Uint8Array, at: number, end: number, atEnd: boolean, isLast: boolean): number | null {
    return this.#treeScanner.findTail(bytes, at, end, atEnd, isLast);
  }

  findNextCase(bytes: Uint8Array, end: number, atEnd: boolean, search: CaseSearch): boolean {
    return this.#treeScanner.findNextCase(bytes, end, atEnd, search);
  }

  /**
   * Finds the end of the case whose first token begins at `start`. For a case in canonical layout, the method reads only the
   * size line and the line ends, unless the scanner is thorough. Of any other test case, the method reads every byte. A case
   * that is not in canonical layout, or is scanned thoroughly, never continues into the next case. Otherwise an invalid case
   * may continue into the next case, if the jump over its rows happens to end at a line end there.
   */
  findCase(bytes: Uint8Array, start: number, end: number, atEnd: boolean, extent: CaseExtent): boolean {
    if (this.#isThorough) return this.#findCaseByTree(bytes, start, end, atEnd, extent);
    const next = this.#findNext(bytes, start, end);
    if (next === NEEDS_MORE_BYTES && !atEnd) return false;
    if (next < 0) return this.#findCaseByTree(bytes, start, end, atEnd, extent);
    extent.end = extent.neededEnd = next;
    extent.isInvalid = false;
    return true;
  }

  findRun(
    bytes: Uint8Array,
    at: number,
    end: number,
    { starts, first, base, maxCases, stop }: CaseRun,
  ): number {
    if (this.#isThorough) return 0;
    let cases = 0;
    for (let start = at; start < stop && cases < maxCases; cases++) {
      const next = this.#findNext(bytes, start, end);
      if (next < 0) break;
      starts[first + cases] = start - base;
      starts[first + cases + 1] = next - base;
      start = next;
    }
    return cases;
  }

  /**
   * Returns where the case behind the one at `start` begins: after a jump over a case in canonical layout, or by reading it.
   * Returns NOT_READ if the case may be invalid, or is the last one, and NEEDS_MORE_BYTES if the bytes end within the jump.
   */
  #findNext(bytes: Uint8Array, start: number, end: number): number {
    const canonicalEnd = this.#findCanonicalEnd(bytes, start, end);
    if (canonicalEnd !== NOT_CANONICAL) return canonicalEnd;
    const next = this.#reader.read(bytes, start, end, this.#board);
    // What is no number may be a row too many.
    return next < end && isDigit(bytes[next]) ? next : NOT_READ;
  }

  /** Finds the end of a case by its fields. A case is bad and ends after its size line if that is not the size of a board. */
  #findCaseByTree(
    bytes: Uint8Array,
    start: number,
    end: number,
    atEnd: boolean,
    extent: CaseExtent,
  ): boolean {
    const { rows, rowsEnd, cols, end: sizeLineEnd } = this.#syntax.readSizeLine(bytes, start, end);
    if (rowsEnd === end && !atEnd) return false;
    if (Number.isNaN(rows)) return markInvalidCase(extent, rowsEnd, rowsEnd);
    if (sizeLineEnd === end && !atEnd) return false;
    if (!this.#syntax.isSize(rows, cols)) return markInvalidCase(extent, sizeLineEnd, sizeLineEnd);
    return this.#treeScanner.findCase(bytes, start, end, atEnd, extent);
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
}

/** Result of `#findCanonicalEnd` if the case is not in canonical layout. */
const NOT_CANONICAL = -1;
/** Result of `#findCanonicalEnd` if more bytes are needed to decide. */
const NEEDS_MORE_BYTES = -2;
