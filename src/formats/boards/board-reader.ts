/**
 * Reads valid boards, whatever whitespace is between their tokens: line ends of LF or CRLF, tabs, blanks at the ends of lines.
 * Of an invalid board, the reader only says that it has not read it: the reader of trees finds the fault.
 */
import { isDigit, isWhitespace, LF } from '../../core/bytes.js';
import { NO_LETTER } from '../language/letters.js';
import type { Board } from './board.js';
import { type BoardSyntax, MAX_BOARD_CASE_BYTES } from './board-syntax.js';

/** The result of a reader that has met what it does not read, which may be valid or invalid. */
export const NOT_READ = -1;

/** The largest number of digits in a number of rows or columns that is read. */
const MAX_SIDE_DIGITS = 6;

export class BoardReader {
  /** Number of line ends in the case that was just read. Those after its last token count if only whitespace follows it. */
  lineEnds = 0;
  readonly #syntax: BoardSyntax;

  constructor(syntax: BoardSyntax) {
    this.#syntax = syntax;
  }

  /**
   * Reads the case whose first token begins at `start` into `board`, and skips the whitespace behind its last token. Returns
   * the index of the byte behind that whitespace, which is `end` at most. Returns NOT_READ if the case may be invalid, or if
   * its last token may continue; then the contents of `board` are undefined. The rule of `findViolation` is not applied.
   */
  read(bytes: Uint8Array, start: number, end: number, board: Board): number {
    this.lineEnds = 0;
    // To call `readSizeLine` takes a twelfth of the time of a run on small boards.
    const rowsEnd = sideEnd(bytes, start, end);
    const colsStart = this.#skipWhitespace(bytes, rowsEnd, end);
    const colsEnd = sideEnd(bytes, colsStart, end);
    if (rowsEnd === start || colsStart === rowsEnd || colsEnd === colsStart) return NOT_READ;
    const rows = parseDecimal(bytes, start, rowsEnd);
    const cols = parseDecimal(bytes, colsStart, colsEnd);
    if (!this.#syntax.isSize(rows, cols)) return NOT_READ;
    board.rows = rows;
    board.cols = cols;
    reserveCells(board, rows * cols * this.#syntax.cellBytes);
    const cellsEnd =
      this.#syntax.cellBytes === 1
        ? this.#readRows(bytes, colsEnd, end, board)
        : this.#readBlocks(bytes, colsEnd, end, board);
    if (cellsEnd === NOT_READ) return NOT_READ;
    const next = this.#skipWhitespace(bytes, cellsEnd, end);
    const isWhole = next > cellsEnd || next === end;
    return isWhole && next - start < MAX_BOARD_CASE_BYTES ? next : NOT_READ;
  }

  /**
   * Reads the rows of one-byte cells. Returns the index after the last row. Invalid letters are rare, so one test of the OR of
   * all codes in a row replaces a test of each letter. Whitespace is no letter, so the test also finds rows that are too short.
   */
  #readRows(bytes: Uint8Array, from: number, end: number, { rows, cols, cells }: Board): number {
    const codes = this.#syntax.letterCodes[0];
    let at = from;
    let cell = 0;
    for (let row = 0; row < rows; row++) {
      const rowStart = this.#skipWhitespace(bytes, at, end);
      const rowEnd = rowStart + cols;
      if (rowStart === at || rowEnd > end) return NOT_READ;
      let combinedCodes = 0;
      for (at = rowStart; at < rowEnd; at++) {
        const code = codes[bytes[at]];
        cells[cell++] = code;
        combinedCodes |= code;
      }
      if (combinedCodes >= NO_LETTER) return NOT_READ;
    }
    return at;
  }

  /** Reads the blocks of two letters. Returns the index after the last block. */
  #readBlocks(bytes: Uint8Array, from: number, end: number, { rows, cols, cells }: Board): number {
    const [codesOfFirstLetter, codesOfSecondLetter] = this.#syntax.letterCodes;
    const size = 2 * rows * cols;
    let at = from;
    let combinedCodes = 0;
    for (let cell = 0; cell < size; cell += 2) {
      const blockStart = this.#skipWhitespace(bytes, at, end);
      if (blockStart === at || blockStart + 2 > end) return NOT_READ;
      const first = codesOfFirstLetter[bytes[blockStart]];
      const second = codesOfSecondLetter[bytes[blockStart + 1]];
      cells[cell] = first;
      cells[cell + 1] = second;
      combinedCodes |= first | second;
      at = blockStart + 2;
    }
    return combinedCodes >= NO_LETTER ? NOT_READ : at;
  }

  /** Returns the index after the whitespace at `from`, and counts its line ends. */
  #skipWhitespace(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    for (; at < end && isWhitespace(bytes[at]); at++) if (bytes[at] === LF) this.lineEnds++;
    return at;
  }
}

/** Returns the index after the digits at `from`; `from` if there are none, or too many. */
function sideEnd(bytes: Uint8Array, from: number, end: number): number {
  const limit = Math.min(end, from + MAX_SIDE_DIGITS + 1);
  let at = from;
  while (at < limit && isDigit(bytes[at])) at++;
  return at - from <= MAX_SIDE_DIGITS ? at : from;
}

function reserveCells(board: Board, bytes: number): void {
  if (board.cells.length < bytes) board.cells = new Uint8Array(bytes * 2);
}

/** Returns the value of the decimal digits in bytes[from, to). The caller has checked that all bytes are digits. */
function parseDecimal(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + bytes[at] - 0x30;
  return value;
}
