/**
 * Parses boards, and checks every byte of a case. Cases in canonical layout have a fast path, which only says whether the
 * case is good. All other cases, and all bad ones, are parsed token by token.
 */
import { isBlank, isDigit, LF, quoteToken, SPACE, skipBlanks, tokenEnd } from '../../core/bytes.js';
import { type Fault, pluralize } from '../../core/errors.js';
import type { CaseParser } from '../input-format.js';
import type { Board, Violation } from './board.js';
import {
  type BoardSyntax,
  END_OF_INPUT_TEXT,
  INVALID_CODE,
  parseShortCount,
  shortTokenEnd,
} from './board-syntax.js';

/** Every good case has fewer bytes than this, including its header and all blanks in it. */
export const MAX_BOARD_CASE_BYTES = 1 << 20;

/** Codes of letters, and all ORs of codes of letters, are below MIN_INVALID_CODE. INVALID_CODE is not below it. */
const MIN_INVALID_CODE = 0x80;
/** The largest number of digits in the number of rows or columns of a canonical header. */
const MAX_SIDE_DIGITS = 6;

export class BoardParser implements CaseParser<Board> {
  fault: Fault | null = null;
  lineEnds = -1;
  headValue: string | null = null;
  readonly #syntax: BoardSyntax;

  constructor(syntax: BoardSyntax) {
    this.#syntax = syntax;
  }

  /** Keeps the id of the head as the head's value. The boards do not depend on it. */
  useHead(head: Uint8Array | null): void {
    this.headValue = this.#syntax.spec.headTokens.includes('id') ? this.#syntax.idOf(head) : null;
  }

  parse(bytes: Uint8Array, start: number, end: number, reused: Board | null): Board | null {
    const board = reused ?? { rows: 0, cols: 0, cells: new Uint8Array(0) };
    this.fault = null;
    if (this.#parseCanonical(bytes, start, end, board)) {
      this.lineEnds = board.rows + 1;
      return board;
    }
    this.lineEnds = -1;
    this.fault = this.#parseTokens(bytes, start, end, board);
    return this.fault === null ? board : null;
  }

  /**
   * Parses the case in bytes[start, end) into `board`. Returns null if the case is good, and the first fault of the
   * case if the case is bad. The method reads bytes from `end` on only to describe a fault.
   */
  #parseTokens(bytes: Uint8Array, start: number, end: number, board: Board): Fault | null {
    if (end - start >= MAX_BOARD_CASE_BYTES) {
      return { offset: start, expected: `a case of fewer than ${MAX_BOARD_CASE_BYTES} bytes`, got: 'more' };
    }
    const to = this.#parseHeader(bytes, start, board);
    if (typeof to !== 'number') return to;
    reserveCells(board, board.rows * board.cols * this.#syntax.cellBytes);
    const boardEnd =
      this.#syntax.cellBytes === 1 ? this.#parseRows(bytes, to, board) : this.#parseBlocks(bytes, to, board);
    if (typeof boardEnd !== 'number') return boardEnd;
    const next = skipBlanks(bytes, boardEnd, end);
    if (next < end) return this.#surplusFault(bytes, next, board);
    return this.#findBoardFault(bytes, start, to, board);
  }

  /**
   * Parses the case in bytes[start, end) into `board` if it is good and in canonical layout, as `BoardFormat` writes
   * it. If the method returns true, the case takes exactly `board.rows + 1` lines. If the method returns
   * false, the case may be good or bad, and the contents of `board` are undefined.
   */
  #parseCanonical(bytes: Uint8Array, start: number, end: number, board: Board): boolean {
    const colsStart = canonicalNumberEnd(bytes, start, SPACE, end);
    const rowsStart = canonicalNumberEnd(bytes, colsStart, LF, end);
    if (rowsStart > end) return false;
    const rows = parseDecimal(bytes, start, colsStart - 1);
    const cols = parseDecimal(bytes, colsStart, rowsStart - 1);
    const rowBytes = this.#syntax.cellBytes === 1 ? cols + 1 : cols * 3;
    if (!this.#syntax.isSize(rows, cols) || end - rowsStart !== rows * rowBytes) return false;
    board.rows = rows;
    board.cols = cols;
    reserveCells(board, rows * cols * this.#syntax.cellBytes);
    const isCanonical =
      this.#syntax.cellBytes === 1
        ? this.#readCanonicalRows(bytes, rowsStart, board)
        : this.#readCanonicalBlocks(bytes, rowsStart, board);
    return isCanonical && (this.#syntax.spec.findViolation?.(board) ?? null) === null;
  }

  /**
   * Reads the rows of a canonical case of one-byte cells into `cells`. Returns false if a row is malformed. Invalid
   * letters are rare, so one test of the OR of all codes in a row replaces a test of each letter.
   */
  #readCanonicalRows(bytes: Uint8Array, from: number, { rows, cols, cells }: Board): boolean {
    const codes = this.#syntax.letterCodes[0];
    let at = from;
    let cell = 0;
    for (let row = 0; row < rows; row++, at++) {
      let combinedCodes = 0;
      for (const rowEnd = at + cols; at < rowEnd; at++) {
        const code = codes[bytes[at]];
        cells[cell++] = code;
        combinedCodes |= code;
      }
      if (combinedCodes >= MIN_INVALID_CODE || bytes[at] !== LF) return false;
    }
    return true;
  }

  /** Reads the rows of a canonical case of blocks into `cells`. Returns false if a row is malformed. */
  #readCanonicalBlocks(bytes: Uint8Array, from: number, { rows, cols, cells }: Board): boolean {
    const [codesOfFirstLetter, codesOfSecondLetter] = this.#syntax.letterCodes;
    let at = from;
    let cell = 0;
    for (let row = 0; row < rows; row++) {
      let combinedCodes = 0;
      for (let col = 1; col <= cols; col++, at += 3) {
        const first = codesOfFirstLetter[bytes[at]];
        const second = codesOfSecondLetter[bytes[at + 1]];
        cells[cell++] = first;
        cells[cell++] = second;
        combinedCodes |= first | second;
        if (bytes[at + 2] !== (col < cols ? SPACE : LF)) return false;
      }
      if (combinedCodes >= MIN_INVALID_CODE) return false;
    }
    return true;
  }

  /**
   * Returns all faults of the case in bytes[start, end), in order. The first fault is the fault that `parse`
   * returns. The method checks each row (or block) even if earlier rows (or blocks) are bad.
   */
  findFaults(bytes: Uint8Array, start: number, end: number): Fault[] {
    const board: Board = { rows: 0, cols: 0, cells: new Uint8Array(0) };
    const fault = this.#parseTokens(bytes, start, end, board);
    if (fault === null) return [];
    const faults = [fault];
    const header = this.#parseHeader(bytes, start, board);
    if (typeof header !== 'number' || end - start >= MAX_BOARD_CASE_BYTES) return faults;
    const tokens = this.#syntax.cellBytes === 1 ? board.rows : board.rows * board.cols;
    let at = header;
    for (let token = 0; token < tokens; token++) {
      at = skipBlanks(bytes, at, end);
      const parsed = this.#parseToken(bytes, at, token, board);
      if (typeof parsed !== 'number' && parsed.offset > faults[faults.length - 1].offset) faults.push(parsed);
      // At the end of the case or at the next header, all further rows are missing. One fault for all missing rows is
      // enough.
      if (at === end || parseShortCount(bytes, at, shortTokenEnd(bytes, at, end)) >= 0) return faults;
      at = tokenEnd(bytes, at, end);
    }
    at = skipBlanks(bytes, at, end);
    const isSurplus = at < end && !isDigit(bytes[at]) && at > faults[faults.length - 1].offset;
    if (isSurplus) faults.push(this.#surplusFault(bytes, at, board));
    return faults;
  }

  /** Parses the header into `board.rows` and `board.cols`. Returns the index after the header, or a fault. */
  #parseHeader(bytes: Uint8Array, start: number, board: Board): number | Fault {
    const { limits } = this.#syntax.spec;
    const rowsTokenEnd = shortTokenEnd(bytes, start, bytes.length);
    const rows = parseShortCount(bytes, start, rowsTokenEnd);
    const rowsFault = sizeFault(bytes, start, rows, 'rows', limits.minRows, limits.maxRows);
    if (rowsFault !== null) return rowsFault;
    const colsTokenStart = skipBlanks(bytes, rowsTokenEnd, bytes.length);
    const colsTokenEnd = shortTokenEnd(bytes, colsTokenStart, bytes.length);
    const cols = parseShortCount(bytes, colsTokenStart, colsTokenEnd);
    const colsFault = sizeFault(bytes, colsTokenStart, cols, 'columns', limits.minCols, limits.maxCols);
    if (colsFault !== null) return colsFault;
    if (rows * cols > limits.maxCells) {
      const expected = `a board of at most ${limits.maxCells} cells`;
      return { offset: start, expected, got: `${rows}x${cols}` };
    }
    board.rows = rows;
    board.cols = cols;
    return colsTokenEnd;
  }

  /** Parses all rows of a board of one-byte cells. Returns the index after the last row, or a fault. */
  #parseRows(bytes: Uint8Array, from: number, board: Board): number | Fault {
    let at = from;
    for (let row = 0; row < board.rows; row++) {
      const rowEnd = this.#parseRow(bytes, skipBlanks(bytes, at, bytes.length), row, board);
      if (typeof rowEnd !== 'number') return rowEnd;
      at = rowEnd;
    }
    return at;
  }

  #parseRow(bytes: Uint8Array, rowStart: number, row: number, board: Board): number | Fault {
    const { cols, cells } = board;
    const codes = this.#syntax.letterCodes[0];
    const rowEnd = rowStart + cols;
    const readableEnd = Math.min(rowEnd, bytes.length);
    let at = rowStart;
    for (let cell = row * cols; at < readableEnd; at++) {
      const code = codes[bytes[at]];
      if (code === INVALID_CODE) break;
      cells[cell++] = code;
    }
    const isWholeRow = at === rowEnd && (at === bytes.length || isBlank(bytes[at]));
    return isWholeRow ? at : this.#rowFault(bytes, rowStart, at, row, board);
  }

  #parseBlocks(bytes: Uint8Array, from: number, board: Board): number | Fault {
    const cellCount = board.rows * board.cols;
    let at = from;
    for (let cell = 0; cell < cellCount; cell++) {
      const blockEnd = this.#parseBlock(bytes, skipBlanks(bytes, at, bytes.length), cell, board);
      if (typeof blockEnd !== 'number') return blockEnd;
      at = blockEnd;
    }
    return at;
  }

  #parseBlock(bytes: Uint8Array, at: number, cell: number, { rows, cols, cells }: Board): number | Fault {
    const [codesOfFirstLetter, codesOfSecondLetter] = this.#syntax.letterCodes;
    const isBlock =
      at + 1 < bytes.length &&
      codesOfFirstLetter[bytes[at]] !== INVALID_CODE &&
      codesOfSecondLetter[bytes[at + 1]] !== INVALID_CODE;
    if (!isBlock || (at + 2 < bytes.length && !isBlank(bytes[at + 2]))) {
      const place = `block ${(cell % cols) + 1} of ${cols} in row ${Math.floor(cell / cols) + 1} of ${rows}`;
      const expected = `${place} (${this.#syntax.describeCells()})`;
      return { offset: at, expected, got: describeToken(bytes, at) };
    }
    cells[cell * 2] = bytes[at];
    cells[cell * 2 + 1] = bytes[at + 1];
    return at + 2;
  }

  /** Parses the row or block that begins at `at`. Returns the index after this row or block, or a fault. */
  #parseToken(bytes: Uint8Array, at: number, token: number, board: Board): number | Fault {
    return this.#syntax.cellBytes === 1
      ? this.#parseRow(bytes, at, token, board)
      : this.#parseBlock(bytes, at, token, board);
  }

  /** Describes what is wrong with a row. `at` is the index of the first byte that is not a valid cell of the row. */
  #rowFault(bytes: Uint8Array, rowStart: number, at: number, row: number, board: Board): Fault {
    const to = tokenEnd(bytes, rowStart, bytes.length);
    if (at < to && at > rowStart && at < rowStart + board.cols) {
      const expected = `one of ${this.#syntax.describeCells()} in row ${row + 1} of ${board.rows}`;
      return { offset: at, expected, got: quoteToken(bytes, at, at + 1) };
    }
    const expected = `row ${row + 1} of ${board.rows} (${board.cols} of ${this.#syntax.describeCells()})`;
    if (at === rowStart) return { offset: rowStart, expected, got: describeToken(bytes, rowStart) };
    const length = at < to ? 'more' : `${to - rowStart}`;
    return { offset: rowStart, expected, got: `${length}: ${quoteToken(bytes, rowStart, to)}` };
  }

  #surplusFault(bytes: Uint8Array, at: number, board: Board): Fault {
    const { rows, cols } = board;
    const expected = this.#syntax.cellBytes === 1 ? pluralize(rows, 'row') : `${rows} x ${cols} blocks`;
    return { offset: at, expected, got: `one more: ${describeToken(bytes, at)}` };
  }

  #findBoardFault(bytes: Uint8Array, start: number, headerEnd: number, board: Board): Fault | null {
    const violation = this.#syntax.spec.findViolation?.(board) ?? null;
    return violation && this.#locateViolation(bytes, start, headerEnd, board, violation);
  }

  #locateViolation(
    bytes: Uint8Array,
    start: number,
    headerEnd: number,
    board: Board,
    { cell, expected, got }: Violation,
  ): Fault {
    if (cell === null) return { offset: start, expected, got };
    // A row of one-byte cells is one token. A row of blocks has one token per column.
    const isRow = this.#syntax.cellBytes === 1;
    let token = skipBlanks(bytes, headerEnd, bytes.length);
    for (let skipped = isRow ? cell.row : cell.row * board.cols + cell.col; skipped > 0; skipped--) {
      token = skipBlanks(bytes, token + (isRow ? board.cols : 2), bytes.length);
    }
    return { offset: isRow ? token + cell.col : token, expected, got };
  }
}

/**
 * Returns the index after the number at `from` and the byte `blank` that must follow the number. Returns `end + 1`
 * if no number followed by `blank` begins at `from`.
 */
function canonicalNumberEnd(bytes: Uint8Array, from: number, blank: number, end: number): number {
  let at = from;
  while (at < end && isDigit(bytes[at])) at++;
  return at > from && at - from <= MAX_SIDE_DIGITS && bytes[at] === blank ? at + 1 : end + 1;
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

function describeToken(bytes: Uint8Array, at: number): string {
  return at >= bytes.length ? END_OF_INPUT_TEXT : quoteToken(bytes, at, bytes.length);
}

function sizeFault(
  bytes: Uint8Array,
  at: number,
  value: number,
  what: string,
  min: number,
  max: number,
): Fault | null {
  if (value >= min && value <= max) return null;
  return { offset: at, expected: `the number of ${what} (${min} to ${max})`, got: describeToken(bytes, at) };
}
