/**
 * How the test cases of a board game are laid out in an input: an optional preamble (`T`, or `id T`), then for each
 * case a header `rows cols` and the board, then an optional terminator `0 0`. Like contest programs, the methods
 * of `InputFormat` read tokens between blanks.
 *
 * Three methods read cases. `findCase` runs on the coordinator and only finds where a case ends: it reads the header,
 * jumps over the rows and checks the line ends. `parseCase` runs in the workers and checks every byte of a case.
 * `parseCanonical` parses cases in canonical layout faster. `findHeader` finds the next case after a bad case.
 *
 * `findCase` and `parseCase` always agree on where a good case ends, and `parseCase` returns a fault for every case
 * that `findCase` calls bad. The result of `findCase` depends only on the bytes of the input, never on how many bytes
 * have arrived so far.
 */
import {
  ByteWriter,
  isBlank,
  isDigit,
  LF,
  parseCount,
  quoteToken,
  SPACE,
  skipBlanks,
  tokenEnd,
} from '../core/bytes.js';
import { type Fault, pluralize } from '../core/errors.js';
import type { Board, BoardLimits, Violation } from './board.js';

export interface InputFormatSpec {
  /** The tokens before the first case, in order. */
  readonly preamble: readonly ('id' | 'T')[];
  /** Whether the input ends with a terminator, the header `0 0`. */
  readonly hasTerminator: boolean;
  readonly limits: BoardLimits;
  readonly cells: CellLetters | BlockLetters;
  /** Finds a rule that a board breaks although its rows are well formed. Returns null if it breaks none. */
  findViolation?(board: Board): Violation | null;
}

/** Cells of one letter. Each row is one token with one byte per cell. A cell's code is the index of its letter. */
export interface CellLetters {
  readonly letters: string;
}

/**
 * Cells of two letters, called blocks. Each row is `cols` tokens of two letters each. A board stores two bytes per
 * cell.
 */
export interface BlockLetters {
  /** The letters that the first letter of a block can be. */
  readonly firstLetters: string;
  /** The letters that the second letter of a block can be. */
  readonly secondLetters: string;
  /** The second letter of a block that does not move. */
  readonly stationaryLetter: string;
}

export interface Preamble {
  /** Number of bytes before the first case: the bytes of the preamble and of the blanks around the preamble. */
  readonly length: number;
  /** The number of cases that the preamble announces; null if the input format has no such number. */
  readonly cases: number | null;
  readonly id: string | null;
}

/** Where a case ends, as found by the coordinator. The same object is reused for later cases. */
export interface CaseExtent {
  /**
   * Index of the byte after the case: the start of the next case, or the end of the last row if only blanks follow.
   * If the case is bad, `end` is the index where the search for the next case begins.
   */
  end: number;
  /**
   * `parseCase` needs the bytes before this index to report what is wrong with the case. The index is at least `end`.
   */
  neededEnd: number;
  isBad: boolean;
}

/** How far a search for the next case header has come. */
export interface HeaderSearch {
  /** Index of the next byte that the search will read. */
  at: number;
  /** Whether the byte before `at` belongs to a token that may continue at `at`. */
  isInsideToken: boolean;
}

/** Every good case has fewer bytes than this, including its header and all blanks in it. */
export const MAX_CASE_BYTES = 1 << 20;

/** Codes of letters, and all ORs of codes of letters, are below MIN_INVALID_CODE. INVALID_CODE is not below it. */
const MIN_INVALID_CODE = 0x80;
const INVALID_CODE = 0xff;
const NO_CELLS = new Uint8Array(0);
/** Largest number of bytes in a token that can be a count. A longer token is never a valid count. */
const MAX_SHORT_TOKEN_BYTES = 32;
/** The largest number of digits in the number of rows or columns of a canonical header. */
const MAX_SIDE_DIGITS = 6;

/** Returns a table from each byte to the code of its letter, with INVALID_CODE for bytes that are not in `letters`. */
function buildLetterCodes(letters: string, code: (index: number, byte: number) => number): Uint8Array {
  const codes = new Uint8Array(256).fill(INVALID_CODE);
  for (let i = 0; i < letters.length; i++) codes[letters.charCodeAt(i)] = code(i, letters.charCodeAt(i));
  return codes;
}

export class InputFormat {
  /** Number of bytes per cell in `Board.cells`. */
  readonly cellBytes: 1 | 2;
  readonly #spec: InputFormatSpec;
  /**
   * Tables from a byte to the code of its letter, with INVALID_CODE for bytes that are no letter of a cell. Blocks have
   * two tables: one for the first letter of a block and one for the second letter.
   */
  readonly #letterCodes: readonly Uint8Array[];
  /** The letter of a one-byte cell, indexed by the cell's code. Empty if cells are blocks. */
  readonly #letterBytes: Uint8Array;

  constructor(spec: InputFormatSpec) {
    this.#spec = spec;
    const { cells } = spec;
    this.#letterCodes =
      'letters' in cells
        ? [buildLetterCodes(cells.letters, (index) => index)]
        : [
            buildLetterCodes(cells.firstLetters, (_, byte) => byte),
            buildLetterCodes(cells.secondLetters, (_, byte) => byte),
          ];
    this.cellBytes = 'letters' in cells ? 1 : 2;
    this.#letterBytes = new TextEncoder().encode('letters' in cells ? cells.letters : '');
  }

  get hasTerminator(): boolean {
    return this.#spec.hasTerminator;
  }

  /**
   * Whether an input needs at least one case. An input needs a case if the input format has neither a number of cases
   * nor a terminator, because an input without a case would be empty.
   */
  get requiresCase(): boolean {
    return !this.#spec.hasTerminator && !this.#spec.preamble.includes('T');
  }

  /** Number of tokens in the preamble. */
  get preambleTokenCount(): number {
    return this.#spec.preamble.length;
  }

  /**
   * Reads the preamble and the blanks around it. Returns a fault if the preamble is malformed or the input is empty.
   * Returns null if the method needs more bytes, which cannot happen if `atEnd` is true.
   */
  readPreamble(bytes: Uint8Array, end: number, atEnd: boolean): Preamble | Fault | null {
    if (!atEnd && end < 3) return null;
    let at = skipBlanks(bytes, hasByteOrderMark(bytes, end) ? 3 : 0, end);
    if (at === end)
      return atEnd ? { offset: at, expected: this.#describeFirstToken(), got: 'an empty input' } : null;
    let cases: number | null = null;
    let id: string | null = null;
    for (const field of this.#spec.preamble) {
      const to = shortTokenEnd(bytes, at, end);
      if (to === end && !atEnd) return null;
      const value = parseShortCount(bytes, at, to);
      const isValidField = field === 'T' ? value >= 0 && value < Number.POSITIVE_INFINITY : value >= 0;
      if (!isValidField) return this.#preambleFault(field, bytes, at, end);
      if (field === 'T') cases = value;
      else id = Buffer.from(bytes.subarray(at, to)).toString('latin1');
      at = skipBlanks(bytes, to, end);
    }
    return { length: at, cases, id };
  }

  /** Returns a new input that consists of `count` cases. `cases` contains the bytes of these cases. */
  assembleInput(cases: Uint8Array, count: number, id: string | null): Uint8Array<ArrayBuffer> {
    const out = new ByteWriter(cases.length + 64);
    this.printPreamble(count, id, out);
    out.append(cases);
    if (cases.length > 0 && cases[cases.length - 1] !== LF) out.byte(LF);
    this.printTerminator(out);
    return out.take();
  }

  /** Writes the preamble of an input of `count` cases. If `id` is null, it writes the id 0. */
  printPreamble(count: number, id: string | null, out: ByteWriter): void {
    const fields = this.#spec.preamble.map((field) => (field === 'T' ? String(count) : (id ?? '0')));
    if (fields.length > 0) out.ascii(`${fields.join(' ')}\n`);
  }

  /** Writes a board and its header in canonical layout. */
  printCase({ rows, cols, cells }: Board, out: ByteWriter): void {
    out.integer(rows);
    out.byte(SPACE);
    out.integer(cols);
    out.byte(LF);
    for (let row = 0, cell = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++, cell++) {
        if (this.cellBytes === 1) out.byte(this.#letterBytes[cells[cell]]);
        else this.#printBlock(cells, cell, col, out);
      }
      out.byte(LF);
    }
  }

  #printBlock(cells: Uint8Array, cell: number, col: number, out: ByteWriter): void {
    if (col > 0) out.byte(SPACE);
    out.byte(cells[cell * 2]);
    out.byte(cells[cell * 2 + 1]);
  }

  /** Writes the terminator, if the input format has one. */
  printTerminator(out: ByteWriter): void {
    if (this.#spec.hasTerminator) out.ascii('0 0\n');
  }

  /**
   * Returns the codes that are simpler than `code` for one byte of a cell, simplest first. For one-byte cells the
   * simpler codes are the codes of earlier letters in `letters`. For a block, the simplest first letter is the first
   * of the allowed letters, and the simplest second letter is that of a block that does not move.
   */
  simplerCodes(code: number, byteOfCell: number): Iterable<number> {
    const { cells } = this.#spec;
    if ('letters' in cells) return Array.from({ length: code }, (_, simpler) => simpler);
    const simplestCode =
      byteOfCell === 0 ? cells.firstLetters.charCodeAt(0) : cells.stationaryLetter.charCodeAt(0);
    return code === simplestCode ? [] : [simplestCode];
  }

  /** Returns whether the two tokens at `at` are the terminator, or null if more bytes are needed to decide. */
  isTerminator(bytes: Uint8Array, at: number, end: number, atEnd: boolean): boolean | null {
    if (!this.#spec.hasTerminator) return false;
    let from = at;
    for (let zeros = 0; zeros < 2; zeros++) {
      const to = shortTokenEnd(bytes, from, end);
      if (to > from && parseShortCount(bytes, from, to) !== 0) return false;
      if (to === end) return atEnd ? to > from && zeros === 1 : null;
      from = zeros === 0 ? skipBlanks(bytes, to, end) : to;
    }
    return true;
  }

  /** Returns the index of the byte after the terminator at `at`. `isTerminator` must have returned true for `at`. */
  skipTerminator(bytes: Uint8Array, at: number, end: number): number {
    return tokenEnd(bytes, skipBlanks(bytes, tokenEnd(bytes, at, end), end), end);
  }

  /**
   * Finds the end of the case whose first token begins at `start`. Returns false if more bytes are needed to decide.
   * For a case in canonical layout, the method reads only the header and the line ends. For any other case, the method
   * reads every byte.
   */
  findCase(bytes: Uint8Array, start: number, end: number, atEnd: boolean, extent: CaseExtent): boolean {
    const canonicalEnd = this.#findCanonicalEnd(bytes, start, end);
    if (canonicalEnd > 0) {
      extent.end = extent.neededEnd = canonicalEnd;
      extent.isBad = false;
      return true;
    }
    if (canonicalEnd === NEEDS_MORE_BYTES && !atEnd) return false;
    return this.findCaseByTokens(bytes, start, end, atEnd, extent);
  }

  /**
   * Starts or continues a search for the next header (two consecutive counts) after a bad case. Returns true when
   * `search.at` is the index of a header or of the end of the input. Returns false if more bytes are needed; the
   * caller can then drop the bytes before `search.at`.
   */
  findHeader(bytes: Uint8Array, end: number, atEnd: boolean, search: HeaderSearch): boolean {
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
   * Parses the case in bytes[start, end) into `board`. Returns null if the case is good, and the first fault of the
   * case if the case is bad. The method reads bytes from `end` on only to describe a fault.
   */
  parseCase(bytes: Uint8Array, start: number, end: number, board: Board): Fault | null {
    if (end - start >= MAX_CASE_BYTES) {
      return { offset: start, expected: `a case of fewer than ${MAX_CASE_BYTES} bytes`, got: 'more' };
    }
    const to = this.#parseHeader(bytes, start, board);
    if (typeof to !== 'number') return to;
    reserveCells(board, board.rows * board.cols * this.cellBytes);
    const boardEnd =
      this.cellBytes === 1 ? this.#parseRows(bytes, to, board) : this.#parseBlocks(bytes, to, board);
    if (typeof boardEnd !== 'number') return boardEnd;
    const next = skipBlanks(bytes, boardEnd, end);
    if (next < end) return this.#surplusFault(bytes, next, board);
    return this.#findBoardFault(bytes, start, to, board);
  }

  /**
   * Parses the case in bytes[start, end) into `board` if it is good and in canonical layout, as `printCase` writes
   * it. If the method returns true, the case takes exactly `board.rows + 1` lines. If the method returns
   * false, the case may be good or bad, and the contents of `board` are undefined.
   */
  parseCanonical(bytes: Uint8Array, start: number, end: number, board: Board): boolean {
    const colsStart = this.canonicalNumberEnd(bytes, start, SPACE, end);
    const rowsStart = this.canonicalNumberEnd(bytes, colsStart, LF, end);
    if (rowsStart > end) return false;
    const rows = parseDecimal(bytes, start, colsStart - 1);
    const cols = parseDecimal(bytes, colsStart, rowsStart - 1);
    const rowBytes = this.cellBytes === 1 ? cols + 1 : cols * 3;
    if (!this.#isSize(rows, cols) || end - rowsStart !== rows * rowBytes) return false;
    board.rows = rows;
    board.cols = cols;
    reserveCells(board, rows * cols * this.cellBytes);
    const isCanonical =
      this.cellBytes === 1
        ? this.readCanonicalRows(bytes, rowsStart, board)
        : this.readCanonicalBlocks(bytes, rowsStart, board);
    return isCanonical && (this.#spec.findViolation?.(board) ?? null) === null;
  }

  /**
   * Returns the index after the number at `from` and the byte `blank` that must follow the number. Returns `end + 1`
   * if no number followed by `blank` begins at `from`.
   */
  canonicalNumberEnd(bytes: Uint8Array, from: number, blank: number, end: number): number {
    let at = from;
    while (at < end && isDigit(bytes[at])) at++;
    return at > from && at - from <= MAX_SIDE_DIGITS && bytes[at] === blank ? at + 1 : end + 1;
  }

  /**
   * Reads the rows of a canonical case of one-byte cells into `cells`. Returns false if a row is malformed. Invalid
   * letters are rare, so one test of the OR of all codes in a row replaces a test of each letter.
   */
  readCanonicalRows(bytes: Uint8Array, from: number, { rows, cols, cells }: Board): boolean {
    const codes = this.#letterCodes[0];
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
  readCanonicalBlocks(bytes: Uint8Array, from: number, { rows, cols, cells }: Board): boolean {
    const [codesOfFirstLetter, codesOfSecondLetter] = this.#letterCodes;
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
   * Returns all faults of the case in bytes[start, end), in order. The first fault is the fault that `parseCase`
   * returns. The method checks each row (or block) even if earlier rows (or blocks) are bad.
   */
  findFaults(bytes: Uint8Array, start: number, end: number, board: Board): Fault[] {
    const fault = this.parseCase(bytes, start, end, board);
    if (fault === null) return [];
    const faults = [fault];
    const header = this.#parseHeader(bytes, start, board);
    if (typeof header !== 'number' || end - start >= MAX_CASE_BYTES) return faults;
    const tokens = this.cellBytes === 1 ? board.rows : board.rows * board.cols;
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

  /** Returns the fault of the header at `start` under the given `limits`, or null if the header is good. */
  findHeaderFault(bytes: Uint8Array, start: number, limits: BoardLimits): Fault | null {
    const header = this.#parseHeader(bytes, start, { rows: 0, cols: 0, cells: NO_CELLS }, limits);
    return typeof header === 'number' ? null : header;
  }

  /** Parses the header into `board.rows` and `board.cols`. Returns the index after the header, or a fault. */
  #parseHeader(bytes: Uint8Array, start: number, board: Board, limits = this.#spec.limits): number | Fault {
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
    const codes = this.#letterCodes[0];
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
    const [codesOfFirstLetter, codesOfSecondLetter] = this.#letterCodes;
    const isBlock =
      at + 1 < bytes.length &&
      codesOfFirstLetter[bytes[at]] !== INVALID_CODE &&
      codesOfSecondLetter[bytes[at + 1]] !== INVALID_CODE;
    if (!isBlock || (at + 2 < bytes.length && !isBlank(bytes[at + 2]))) {
      const place = `block ${(cell % cols) + 1} of ${cols} in row ${Math.floor(cell / cols) + 1} of ${rows}`;
      const expected = `${place} (${this.#describeCells()})`;
      return { offset: at, expected, got: describeToken(bytes, at) };
    }
    cells[cell * 2] = bytes[at];
    cells[cell * 2 + 1] = bytes[at + 1];
    return at + 2;
  }

  /** Parses the row or block that begins at `at`. Returns the index after this row or block, or a fault. */
  #parseToken(bytes: Uint8Array, at: number, token: number, board: Board): number | Fault {
    return this.cellBytes === 1
      ? this.#parseRow(bytes, at, token, board)
      : this.#parseBlock(bytes, at, token, board);
  }

  /** Describes what is wrong with a row. `at` is the index of the first byte that is not a valid cell of the row. */
  #rowFault(bytes: Uint8Array, rowStart: number, at: number, row: number, board: Board): Fault {
    const to = tokenEnd(bytes, rowStart, bytes.length);
    if (at < to && at > rowStart && at < rowStart + board.cols) {
      const expected = `one of ${this.#describeCells()} in row ${row + 1} of ${board.rows}`;
      return { offset: at, expected, got: quoteToken(bytes, at, at + 1) };
    }
    const expected = `row ${row + 1} of ${board.rows} (${board.cols} of ${this.#describeCells()})`;
    if (at === rowStart) return { offset: rowStart, expected, got: describeToken(bytes, rowStart) };
    const length = at < to ? 'more' : `${to - rowStart}`;
    return { offset: rowStart, expected, got: `${length}: ${quoteToken(bytes, rowStart, to)}` };
  }

  #surplusFault(bytes: Uint8Array, at: number, board: Board): Fault {
    const { rows, cols } = board;
    const expected = this.cellBytes === 1 ? pluralize(rows, 'row') : `${rows} x ${cols} blocks`;
    return { offset: at, expected, got: `one more: ${describeToken(bytes, at)}` };
  }

  #findBoardFault(bytes: Uint8Array, start: number, headerEnd: number, board: Board): Fault | null {
    const violation = this.#spec.findViolation?.(board) ?? null;
    return violation && this.#locateViolation(bytes, start, headerEnd, board, violation);
  }

  /** Converts a violation of a rule into a fault with a byte offset. `board` is the case that begins at `start`. */
  locateViolation(bytes: Uint8Array, start: number, board: Board, violation: Violation): Fault {
    const headerEnd = this.#parseHeader(bytes, start, board) as number;
    return this.#locateViolation(bytes, start, headerEnd, board, violation);
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
    const isRow = this.cellBytes === 1;
    let token = skipBlanks(bytes, headerEnd, bytes.length);
    for (let skipped = isRow ? cell.row : cell.row * board.cols + cell.col; skipped > 0; skipped--) {
      token = skipBlanks(bytes, token + (isRow ? board.cols : 2), bytes.length);
    }
    return { offset: isRow ? token + cell.col : token, expected, got };
  }

  #describeCells(): string {
    const { cells } = this.#spec;
    return 'letters' in cells ? `"${cells.letters}"` : `a letter and one of "${cells.secondLetters}"`;
  }

  #describeFirstToken(): string {
    if (this.#spec.preamble.length === 0) return 'a case';
    return this.#spec.preamble[0] === 'T' ? 'the number of cases' : 'the id of the test';
  }

  #preambleFault(field: 'id' | 'T', bytes: Uint8Array, at: number, end: number): Fault {
    const expected = field === 'T' ? 'the number of cases (0 to 2^53 - 1)' : 'the id of the test (a count)';
    return { offset: at, expected, got: at === end ? END_OF_INPUT_TEXT : quoteToken(bytes, at, end) };
  }

  /**
   * Returns the index after a case that appears to be canonical (its line ends may be LF or CRLF). The expected pattern
   * is `R C`, a line end, rows of equal length with a line end each, and then a digit. Returns NOT_CANONICAL if the
   * bytes differ from this pattern, and NEEDS_MORE_BYTES if the bytes end before the pattern ends.
   */
  #findCanonicalEnd(bytes: Uint8Array, start: number, end: number): number {
    const { limits } = this.#spec;
    let at = start;
    let rows = 0;
    while (at < end && isDigit(bytes[at]) && rows <= limits.maxRows) rows = rows * 10 + bytes[at++] - 0x30;
    if (at === start) return at < end ? NOT_CANONICAL : NEEDS_MORE_BYTES;
    if (at < end && bytes[at] !== SPACE) return NOT_CANONICAL;
    const second = ++at;
    let cols = 0;
    while (at < end && isDigit(bytes[at]) && cols <= limits.maxCols) cols = cols * 10 + bytes[at++] - 0x30;
    if (at >= end) return NEEDS_MORE_BYTES;
    if (at === second || !this.#isSize(rows, cols)) return NOT_CANONICAL;
    const lineEnd = bytes[at] === LF ? 1 : 2;
    if (lineEnd === 2 && bytes[at] !== 0x0d) return NOT_CANONICAL;
    const stride = (this.cellBytes === 1 ? cols : cols * 3 - 1) + lineEnd;
    let lineEndAt = at + lineEnd - 1;
    for (let row = 0; row <= rows; row++, lineEndAt += stride) {
      if (lineEndAt >= end) return NEEDS_MORE_BYTES;
      if (bytes[lineEndAt] !== LF) return NOT_CANONICAL;
    }
    const next = lineEndAt - stride + 1;
    if (next >= end) return NEEDS_MORE_BYTES;
    return isDigit(bytes[next]) ? next : NOT_CANONICAL;
  }

  #isSize(rows: number, cols: number): boolean {
    const { minRows, maxRows, minCols, maxCols, maxCells } = this.#spec.limits;
    return (
      rows >= minRows && rows <= maxRows && cols >= minCols && cols <= maxCols && rows * cols <= maxCells
    );
  }

  /**
   * Finds the end of a case as `findCase` does, but reads every token. For a good case both methods give the same
   * result. For a bad case `findCaseByTokens` never continues into the next case. `findCase` may continue into the next
   * case if its jump over the rows happens to end at a line end of the next case.
   */
  findCaseByTokens(
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
    if (!this.#isSize(rows, cols)) return markExtentBad(extent, colsTokenEnd, colsTokenEnd);
    const tokenLength = this.cellBytes === 1 ? cols : 2;
    const tokenCount = this.cellBytes === 1 ? rows : rows * cols;
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
      if (this.#isBoardToken(bytes, next, to)) return markExtentBad(extent, to, to);
    } else if (next === end && !atEnd) return false;
    extent.end = extent.neededEnd = next === end ? rowsEnd : next;
    extent.isBad = false;
    return true;
  }

  /** Returns whether the token in bytes[from, to) could be part of a board: cells with valid letters, or a block. */
  #isBoardToken(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.cellBytes === 2 && to - from !== 2) return false;
    for (let at = from; at < to; at++) {
      const codes = this.#letterCodes[(at - from) % this.#letterCodes.length];
      if (codes[bytes[at]] === INVALID_CODE) return false;
    }
    return true;
  }
}

/** Result of `#findCanonicalEnd` if the case is not in canonical layout. */
const NOT_CANONICAL = -1;
/** Result of `#findCanonicalEnd` if more bytes are needed to decide. */
const NEEDS_MORE_BYTES = -2;
const END_OF_INPUT_TEXT = 'the end of the input';

/**
 * Returns the end of the token at `from`. The function reads at most MAX_SHORT_TOKEN_BYTES + 1 bytes of a token. This
 * is enough to know that a longer token is not a count.
 */
function shortTokenEnd(bytes: Uint8Array, from: number, end: number): number {
  return tokenEnd(bytes, from, Math.min(end, from + MAX_SHORT_TOKEN_BYTES + 1));
}

/** Returns the number that the digits in bytes[from, to) form, or -1 if the bytes are not a count or too many. */
function parseShortCount(bytes: Uint8Array, from: number, to: number): number {
  return to - from > MAX_SHORT_TOKEN_BYTES ? -1 : parseCount(bytes, from, to);
}

/** Records in `extent` that the case is bad. Always returns true, because the decision needs no more bytes. */
function markExtentBad(extent: CaseExtent, end: number, seen: number): true {
  extent.end = end;
  extent.neededEnd = seen;
  extent.isBad = true;
  return true;
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

function hasByteOrderMark(bytes: Uint8Array, end: number): boolean {
  return end >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
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
