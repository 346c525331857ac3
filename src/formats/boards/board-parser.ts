/**
 * Parses boards, and checks every byte of a case. A fast path reads cases in canonical layout and finds out only whether the
 * case is valid. The parser of trees reads all other cases, and all invalid ones.
 */
import { findTokenEnd, isDigit, LF, latin1, SPACE, skipWhitespace } from '../../core/bytes.js';
import type { Fault } from '../../core/errors.js';
import type { CaseParser } from '../input-format.js';
import { NO_LETTER } from '../language/letters.js';
import type { RecordValue } from '../language/tree.js';
import type { TreeGrid } from '../tree/grid.js';
import type { Board, Violation } from './board.js';
import type { BoardSyntax } from './board-syntax.js';

/** Every valid case of a board game has fewer bytes than this, including its size line and all its whitespace. */
export const MAX_BOARD_CASE_BYTES = 1 << 20;

/** The largest number of digits in the number of rows or columns of a canonical size line. */
const MAX_SIDE_DIGITS = 6;

export class BoardParser implements CaseParser<Board> {
  fault: Fault | null = null;
  lineEnds = -1;
  headValue: string | null = null;
  readonly #syntax: BoardSyntax;
  readonly #treeParser: CaseParser<RecordValue>;

  constructor(syntax: BoardSyntax, treeParser: CaseParser<RecordValue>) {
    this.#syntax = syntax;
    this.#treeParser = treeParser;
  }

  /** Keeps the id in the head of the input, which is the value of the head. No board depends on it. */
  useHead(head: Uint8Array | null): void {
    this.headValue = this.#syntax.spec.headTokens.includes('id') ? idOfHead(head) : null;
  }

  parse(bytes: Uint8Array, start: number, end: number, reused: Board | null): Board | null {
    const board = reused ?? { rows: 0, cols: 0, cells: new Uint8Array(0) };
    this.fault = null;
    if (this.#parseCanonical(bytes, start, end, board)) {
      this.lineEnds = board.rows + 1;
      return board;
    }
    this.lineEnds = -1;
    this.fault = this.#parseByTree(bytes, start, end, board);
    return this.fault === null ? board : null;
  }

  /**
   * Parses the case in bytes[start, end) into `board`. Returns null if the case is valid, else its first fault. The method
   * reads bytes from `end` on only to describe a fault.
   */
  #parseByTree(bytes: Uint8Array, start: number, end: number, board: Board): Fault | null {
    const sizeFault = this.#findSizeFault(bytes, start, end);
    if (sizeFault !== null) return sizeFault;
    const value = this.#treeParser.parse(bytes, start, end, null);
    if (value === null) return this.#treeParser.fault;
    this.#fillBoard(board, value.cells as TreeGrid);
    const violation = this.#syntax.spec.findViolation?.(board) ?? null;
    return violation && this.#locateViolation(bytes, start, board, violation);
  }

  /** Returns a fault if the board has too many cells, although its number of rows and its number of columns are allowed. */
  #findSizeFault(bytes: Uint8Array, start: number, end: number): Fault | null {
    const { rows, cols } = this.#syntax.readSizeLine(bytes, start, end);
    const { maxCells } = this.#syntax.spec.limits;
    const isTooLong = end - start >= MAX_BOARD_CASE_BYTES;
    if (isTooLong || !this.#syntax.areSides(rows, cols) || rows * cols <= maxCells) return null;
    return { offset: start, expected: `a board of at most ${maxCells} cells`, got: `${rows}x${cols}` };
  }

  /** Copies the cells of a grid into `board`. The grid holds the indices of letters. */
  #fillBoard(board: Board, { rows, cols, cells }: TreeGrid): void {
    const { cellBytes, letters } = this.#syntax;
    const size = rows * cols * cellBytes;
    board.rows = rows;
    board.cols = cols;
    reserveCells(board, size);
    // The code of a one-byte cell is the index of its letter. For blocks, the board holds the letters themselves.
    if (cellBytes === 1) board.cells.set(cells.subarray(0, size));
    else for (let at = 0; at < size; at++) board.cells[at] = letters[at % 2].charCodeAt(cells[at]);
  }

  /**
   * Parses the case in bytes[start, end) into `board` if it is valid and in canonical layout, as `BoardFormat` writes it. If
   * the method returns true, the case takes exactly `board.rows + 1` lines. If the method returns false, the case may be valid
   * or invalid, and the contents of `board` are undefined.
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
      if (combinedCodes >= NO_LETTER || bytes[at] !== LF) return false;
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
      if (combinedCodes >= NO_LETTER) return false;
    }
    return true;
  }

  /**
   * Returns all faults of the case in bytes[start, end), in order. `parse` returns the first of them. The method checks each
   * row (or block) even if earlier rows (or blocks) are invalid. If the size line is invalid, only the fault of the size line
   * is returned, because the rows cannot be located.
   */
  findFaults(bytes: Uint8Array, start: number, end: number): Fault[] {
    const board: Board = { rows: 0, cols: 0, cells: new Uint8Array(0) };
    const fault = this.#parseByTree(bytes, start, end, board);
    if (fault === null) return [];
    const { rows, cols } = this.#syntax.readSizeLine(bytes, start, end);
    const faults = this.#syntax.isSize(rows, cols) ? this.#treeParser.findFaults(bytes, start, end) : [];
    return faults.length > 0 ? faults : [fault];
  }

  #locateViolation(
    bytes: Uint8Array,
    start: number,
    board: Board,
    { cell, expected, got }: Violation,
  ): Fault {
    if (cell === null) return { offset: start, expected, got };
    // A row of one-byte cells is one token. A row of blocks has one token per column.
    const isRow = this.#syntax.cellBytes === 1;
    const sizeLineEnd = this.#syntax.readSizeLine(bytes, start, bytes.length).end;
    let token = skipWhitespace(bytes, sizeLineEnd, bytes.length);
    for (let skipped = isRow ? cell.row : cell.row * board.cols + cell.col; skipped > 0; skipped--) {
      token = skipWhitespace(bytes, token + (isRow ? board.cols : 2), bytes.length);
    }
    return { offset: isRow ? token + cell.col : token, expected, got };
  }
}

/** Returns the id in the bytes of a head, or `0` if there is no head. The id is the first token of the head. */
export function idOfHead(head: Uint8Array | null): string {
  return head === null ? '0' : latin1(head, 0, findTokenEnd(head, 0, head.length));
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
