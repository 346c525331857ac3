/**
 * How the cases of a board game lie in an input: an optional preamble (`T`, or `id T`), then per case a
 * header `rows cols` and the board, then an optional terminator `0 0`. All of it is read as contest programs
 * read: tokens between blanks.
 *
 * Three readers work on these bytes. `findCase` runs on the coordinator and only finds where a case ends: a
 * header, then a jump over the rows that checks the line ends. `parseCase` runs in the workers and checks
 * every byte; `parsePrinted` does so quickly for cases as programs print them. `findHeader` looks for the next
 * case behind a broken one.
 *
 * The two never disagree on where a good case ends, and whatever `findCase` calls bad, `parseCase` faults.
 * What `findCase` says depends on the bytes alone, never on how many of them have arrived so far.
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
  /** Tokens before the first case. */
  readonly preamble: readonly ('id' | 'T')[];
  /** Whether a header `0 0` ends the cases. */
  readonly terminated: boolean;
  readonly limits: BoardLimits;
  readonly cells: CellLetters | BlockLetters;
  /** Rules on the board as a whole, for boards whose rows are well formed. */
  checkBoard?(board: Board): Violation | null;
}

/** A row is one token, a byte a cell; a cell's code is its letter's index in `letters`. */
export interface CellLetters {
  readonly letters: string;
}

/** A row is `cols` tokens of two letters each, kept as they are: two bytes a cell. */
export interface BlockLetters {
  readonly first: string;
  readonly second: string;
  /** The second letter of a block that stands still. */
  readonly still: string;
}

export interface Preamble {
  /** Bytes it takes, the blanks behind it included. */
  readonly length: number;
  /** How many cases it promises; null where the format does not say. */
  readonly cases: number | null;
  readonly id: string | null;
}

/** The end of a case as far as the coordinator can tell. Reused from case to case. */
export interface CaseExtent {
  /**
   * Where the case ends: at the next one, or behind its last row if only blanks follow that; if it is bad,
   * where the search for the next one begins.
   */
  end: number;
  /** Up to here `parseCase` must see the bytes to tell what is wrong; at least `end`. */
  seen: number;
  bad: boolean;
}

/** Where a search for a header stands. */
export interface HeaderSearch {
  at: number;
  /** Whether the byte before `at` belongs to a token that goes on at `at`. */
  insideToken: boolean;
}

/** No case is as long as this, its header and all blanks in it included. */
export const MAX_CASE_BYTES = 1 << 20;

/** Codes of letters are below, and so is whatever they are when OR-ed together; NO_CODE is not. */
const LEAST_NO_CODE = 0x80;
const NO_CODE = 0xff;
const NO_CELLS = new Uint8Array(0);
/** No count is longer, and no token is read further than this to tell what it is. */
const TOKEN_BYTES = 32;
/** Sides of boards have no more digits. */
const CANONICAL_DIGITS = 6;

function codesOf(letters: string, code: (index: number, byte: number) => number): Uint8Array {
  const codes = new Uint8Array(256).fill(NO_CODE);
  for (let i = 0; i < letters.length; i++) codes[letters.charCodeAt(i)] = code(i, letters.charCodeAt(i));
  return codes;
}

export class InputFormat {
  /** Bytes of a cell in `Board.cells`. */
  readonly cellBytes: 1 | 2;
  readonly #spec: InputFormatSpec;
  /** Code of a letter by its byte, NO_CODE for any other byte; for blocks one table a letter. */
  readonly #codes: readonly Uint8Array[];
  /** Letter of a one-byte cell by its code. */
  readonly #letterBytes: Uint8Array;

  constructor(spec: InputFormatSpec) {
    this.#spec = spec;
    const { cells } = spec;
    this.#codes =
      'letters' in cells
        ? [codesOf(cells.letters, (index) => index)]
        : [codesOf(cells.first, (_, byte) => byte), codesOf(cells.second, (_, byte) => byte)];
    this.cellBytes = 'letters' in cells ? 1 : 2;
    this.#letterBytes = new TextEncoder().encode('letters' in cells ? cells.letters : '');
  }

  get terminated(): boolean {
    return this.#spec.terminated;
  }

  /** Whether an input must have a case: it has no number of cases and no terminator, so nothing else can be in it. */
  get isEmptyInputBad(): boolean {
    return !this.#spec.terminated && !this.#spec.preamble.includes('T');
  }

  /** Words on the first line, if it is none of a case's. */
  get preambleWords(): number {
    return this.#spec.preamble.length;
  }

  /** What an input must start with; null if more bytes are needed, which `atEnd` rules out. */
  readPreamble(bytes: Uint8Array, end: number, atEnd: boolean): Preamble | Fault | null {
    if (!atEnd && end < 3) return null;
    let at = skipBlanks(bytes, hasByteOrderMark(bytes, end) ? 3 : 0, end);
    if (at === end) return atEnd ? { offset: at, expected: this.#firstToken(), got: 'an empty input' } : null;
    let cases: number | null = null;
    let id: string | null = null;
    for (const field of this.#spec.preamble) {
      const to = shortTokenEnd(bytes, at, end);
      if (to === end && !atEnd) return null;
      const value = headerCount(bytes, at, to);
      const isGood = field === 'T' ? value >= 0 && value < Number.POSITIVE_INFINITY : value >= 0;
      if (!isGood) return this.#preambleFault(field, bytes, at, end);
      if (field === 'T') cases = value;
      else id = Buffer.from(bytes.subarray(at, to)).toString('latin1');
      at = skipBlanks(bytes, to, end);
    }
    return { length: at, cases, id };
  }

  /** Those cases, as they stood in an input, as an input of their own. */
  assemble(cases: Uint8Array, count: number, id: string | null): Uint8Array<ArrayBuffer> {
    const out = new ByteWriter(cases.length + 64);
    this.printHead(count, id, out);
    out.append(cases);
    if (cases.length > 0 && cases[cases.length - 1] !== LF) out.byte(LF);
    this.printTail(out);
    return out.take();
  }

  /** What an input of `count` cases starts with. */
  printHead(count: number, id: string | null, out: ByteWriter): void {
    const fields = this.#spec.preamble.map((field) => (field === 'T' ? String(count) : (id ?? '0')));
    if (fields.length > 0) out.ascii(`${fields.join(' ')}\n`);
  }

  /** A board as programs print it: what `parseCase` reads. */
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

  /** What stands behind the last case. */
  printTail(out: ByteWriter): void {
    if (this.#spec.terminated) out.ascii('0 0\n');
  }

  /** Simpler codes for one byte of a cell, plainest first: earlier letters, and a block that stands still. */
  simplerCodes(code: number, byteOfCell: number): Iterable<number> {
    const { cells } = this.#spec;
    if ('letters' in cells) return Array.from({ length: code }, (_, simpler) => simpler);
    const plainest = byteOfCell === 0 ? cells.first.charCodeAt(0) : cells.still.charCodeAt(0);
    return code === plainest ? [] : [plainest];
  }

  /** Whether the token pair at `at` is the terminator; null if more bytes are needed. */
  isTerminator(bytes: Uint8Array, at: number, end: number, atEnd: boolean): boolean | null {
    if (!this.#spec.terminated) return false;
    let from = at;
    for (let zeros = 0; zeros < 2; zeros++) {
      const to = shortTokenEnd(bytes, from, end);
      if (to > from && headerCount(bytes, from, to) !== 0) return false;
      if (to === end) return atEnd ? to > from && zeros === 1 : null;
      from = zeros === 0 ? skipBlanks(bytes, to, end) : to;
    }
    return true;
  }

  /** Index behind the terminator at `at`, which `isTerminator` found. */
  skipTerminator(bytes: Uint8Array, at: number, end: number): number {
    return tokenEnd(bytes, skipBlanks(bytes, tokenEnd(bytes, at, end), end), end);
  }

  /**
   * Finds the end of the case whose first token begins at `start`. False: more bytes are needed to tell.
   * Cost: a header and a look at each line end when the rows lie as printed by programs, else every byte.
   */
  findCase(bytes: Uint8Array, start: number, end: number, atEnd: boolean, extent: CaseExtent): boolean {
    const jump = this.#jump(bytes, start, end);
    if (jump > 0) {
      extent.end = extent.seen = jump;
      extent.bad = false;
      return true;
    }
    if (jump === NEEDS_MORE && !atEnd) return false;
    return this.walkCase(bytes, start, end, atEnd, extent);
  }

  /**
   * Goes on with a search for the next header (two counts in a row) behind a bad case; false: more bytes are
   * needed, and those before `search.at` are no longer.
   */
  findHeader(bytes: Uint8Array, end: number, atEnd: boolean, search: HeaderSearch): boolean {
    if (search.insideToken) {
      search.at = tokenEnd(bytes, search.at, end);
      if (search.at === end) return atEnd;
      search.insideToken = false;
    }
    for (;;) {
      search.at = skipBlanks(bytes, search.at, end);
      const to = shortTokenEnd(bytes, search.at, end);
      if (to === end && !atEnd) return false;
      if (to === search.at) return true;
      if (headerCount(bytes, search.at, to) >= 0) {
        const next = skipBlanks(bytes, to, end);
        const nextTo = shortTokenEnd(bytes, next, end);
        if (nextTo === end && !atEnd) return false;
        if (headerCount(bytes, next, nextTo) >= 0) return true;
      }
      search.at = tokenEnd(bytes, to, end);
      if (search.at === end && !atEnd) {
        search.insideToken = true;
        return false;
      }
    }
  }

  /**
   * Reads the case in bytes[start, end) into `board`; returns null, or what is wrong with it. Bytes behind
   * `end` are looked at for the sake of a message only.
   */
  parseCase(bytes: Uint8Array, start: number, end: number, board: Board): Fault | null {
    if (end - start >= MAX_CASE_BYTES) {
      return { offset: start, expected: `a case of fewer than ${MAX_CASE_BYTES} bytes`, got: 'more' };
    }
    const to = this.#parseHeader(bytes, start, board);
    if (typeof to !== 'number') return to;
    reserveCells(board, board.rows * board.cols * this.cellBytes);
    const behind =
      this.cellBytes === 1 ? this.#parseRows(bytes, to, board) : this.#parseBlocks(bytes, to, board);
    if (typeof behind !== 'number') return behind;
    const next = skipBlanks(bytes, behind, end);
    if (next < end) return this.#surplusFault(bytes, next, board);
    return this.#boardFault(bytes, start, to, board);
  }

  /**
   * parseCase for a good case that lies in bytes[start, end) as `printCase` prints it: it is read into `board`, and
   * takes `board.rows + 1` whole lines. False says nothing of the case, and leaves anything in `board`.
   */
  parseCanonical(bytes: Uint8Array, start: number, end: number, board: Board): boolean {
    const colsAt = this.canonicalCount(bytes, start, SPACE, end);
    const rowsAt = this.canonicalCount(bytes, colsAt, LF, end);
    if (rowsAt > end) return false;
    const rows = decimal(bytes, start, colsAt - 1);
    const cols = decimal(bytes, colsAt, rowsAt - 1);
    const rowBytes = this.cellBytes === 1 ? cols + 1 : cols * 3;
    if (!this.#isSize(rows, cols) || end - rowsAt !== rows * rowBytes) return false;
    board.rows = rows;
    board.cols = cols;
    reserveCells(board, rows * cols * this.cellBytes);
    const areRead =
      this.cellBytes === 1
        ? this.readCanonicalRows(bytes, rowsAt, board)
        : this.readCanonicalBlocks(bytes, rowsAt, board);
    return areRead && (this.#spec.checkBoard?.(board) ?? null) === null;
  }

  /** Index behind the digits at `from` and the blank that ends them, or past `end`. */
  canonicalCount(bytes: Uint8Array, from: number, blank: number, end: number): number {
    let at = from;
    while (at < end && isDigit(bytes[at])) at++;
    return at > from && at - from <= CANONICAL_DIGITS && bytes[at] === blank ? at + 1 : end + 1;
  }

  /** The letters are looked at together, behind a row: a bad one is rare. */
  readCanonicalRows(bytes: Uint8Array, from: number, { rows, cols, cells }: Board): boolean {
    const codes = this.#codes[0];
    let at = from;
    let cell = 0;
    for (let row = 0; row < rows; row++, at++) {
      let seen = 0;
      for (const rowEnd = at + cols; at < rowEnd; at++) {
        const code = codes[bytes[at]];
        cells[cell++] = code;
        seen |= code;
      }
      if (seen >= LEAST_NO_CODE || bytes[at] !== LF) return false;
    }
    return true;
  }

  readCanonicalBlocks(bytes: Uint8Array, from: number, { rows, cols, cells }: Board): boolean {
    const [firsts, seconds] = this.#codes;
    let at = from;
    let cell = 0;
    for (let row = 0; row < rows; row++) {
      let seen = 0;
      for (let col = 1; col <= cols; col++, at += 3) {
        const first = firsts[bytes[at]];
        const second = seconds[bytes[at + 1]];
        cells[cell++] = first;
        cells[cell++] = second;
        seen |= first | second;
        if (bytes[at + 2] !== (col < cols ? SPACE : LF)) return false;
      }
      if (seen >= LEAST_NO_CODE) return false;
    }
    return true;
  }

  /**
   * All that is wrong with the case in bytes[start, end), in order; the first is what parseCase says. Each row
   * (or block) that stands where one belongs is looked at, whatever was wrong with those before it.
   */
  faultsOf(bytes: Uint8Array, start: number, end: number, board: Board): Fault[] {
    const fault = this.parseCase(bytes, start, end, board);
    if (fault === null) return [];
    const faults = [fault];
    const header = this.#parseHeader(bytes, start, board);
    if (typeof header !== 'number' || end - start >= MAX_CASE_BYTES) return faults;
    const tokens = this.cellBytes === 1 ? board.rows : board.rows * board.cols;
    let at = header;
    for (let token = 0; token < tokens; token++) {
      at = skipBlanks(bytes, at, end);
      const here = this.#parseToken(bytes, at, token, board);
      if (typeof here !== 'number' && here.offset > faults[faults.length - 1].offset) faults.push(here);
      // Nothing, or the next header: what is missing was told once.
      if (at === end || headerCount(bytes, at, shortTokenEnd(bytes, at, end)) >= 0) return faults;
      at = tokenEnd(bytes, at, end);
    }
    at = skipBlanks(bytes, at, end);
    const isSurplus = at < end && !isDigit(bytes[at]) && at > faults[faults.length - 1].offset;
    if (isSurplus) faults.push(this.#surplusFault(bytes, at, board));
    return faults;
  }

  /** The sizes that the header at `start` gives, held to other limits than the format's own. */
  headerFault(bytes: Uint8Array, start: number, limits: BoardLimits): Fault | null {
    const header = this.#parseHeader(bytes, start, { rows: 0, cols: 0, cells: NO_CELLS }, limits);
    return typeof header === 'number' ? null : header;
  }

  /** Puts the board's sizes into `board`; returns the index behind the header, or what is wrong with it. */
  #parseHeader(bytes: Uint8Array, start: number, board: Board, limits = this.#spec.limits): number | Fault {
    const rowsTo = shortTokenEnd(bytes, start, bytes.length);
    const rows = headerCount(bytes, start, rowsTo);
    const rowsFault = sizeFault(bytes, start, rows, 'rows', limits.minRows, limits.maxRows);
    if (rowsFault !== null) return rowsFault;
    const second = skipBlanks(bytes, rowsTo, bytes.length);
    const to = shortTokenEnd(bytes, second, bytes.length);
    const cols = headerCount(bytes, second, to);
    const colsFault = sizeFault(bytes, second, cols, 'columns', limits.minCols, limits.maxCols);
    if (colsFault !== null) return colsFault;
    if (rows * cols > limits.maxCells) {
      const expected = `a board of at most ${limits.maxCells} cells`;
      return { offset: start, expected, got: `${rows}x${cols}` };
    }
    board.rows = rows;
    board.cols = cols;
    return to;
  }

  /** Reads the rows of a board of one-byte cells: index behind them, or a fault. */
  #parseRows(bytes: Uint8Array, from: number, board: Board): number | Fault {
    let at = from;
    for (let row = 0; row < board.rows; row++) {
      const behind = this.#parseRow(bytes, skipBlanks(bytes, at, bytes.length), row, board);
      if (typeof behind !== 'number') return behind;
      at = behind;
    }
    return at;
  }

  #parseRow(bytes: Uint8Array, rowStart: number, row: number, board: Board): number | Fault {
    const { cols, cells } = board;
    const codes = this.#codes[0];
    const rowEnd = rowStart + cols;
    const stop = Math.min(rowEnd, bytes.length);
    let at = rowStart;
    for (let cell = row * cols; at < stop; at++) {
      const code = codes[bytes[at]];
      if (code === NO_CODE) break;
      cells[cell++] = code;
    }
    const isWhole = at === rowEnd && (at === bytes.length || isBlank(bytes[at]));
    return isWhole ? at : this.#rowFault(bytes, rowStart, at, row, board);
  }

  #parseBlocks(bytes: Uint8Array, from: number, board: Board): number | Fault {
    const cellCount = board.rows * board.cols;
    let at = from;
    for (let cell = 0; cell < cellCount; cell++) {
      const behind = this.#parseBlock(bytes, skipBlanks(bytes, at, bytes.length), cell, board);
      if (typeof behind !== 'number') return behind;
      at = behind;
    }
    return at;
  }

  #parseBlock(bytes: Uint8Array, at: number, cell: number, { rows, cols, cells }: Board): number | Fault {
    const [firsts, seconds] = this.#codes;
    const isBlock =
      at + 1 < bytes.length && firsts[bytes[at]] !== NO_CODE && seconds[bytes[at + 1]] !== NO_CODE;
    if (!isBlock || (at + 2 < bytes.length && !isBlank(bytes[at + 2]))) {
      const place = `block ${(cell % cols) + 1} of ${cols} in row ${Math.floor(cell / cols) + 1} of ${rows}`;
      const expected = `${place} (${this.#describeCells()})`;
      return { offset: at, expected, got: describeToken(bytes, at) };
    }
    cells[cell * 2] = bytes[at];
    cells[cell * 2 + 1] = bytes[at + 1];
    return at + 2;
  }

  /** The row or block that begins at `at`: index behind it, or a fault. */
  #parseToken(bytes: Uint8Array, at: number, token: number, board: Board): number | Fault {
    return this.cellBytes === 1
      ? this.#parseRow(bytes, at, token, board)
      : this.#parseBlock(bytes, at, token, board);
  }

  /** `at` is the first byte of the row's token that does not belong there. */
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

  #boardFault(bytes: Uint8Array, start: number, headerEnd: number, board: Board): Fault | null {
    const violation = this.#spec.checkBoard?.(board) ?? null;
    return violation && this.#placeViolation(bytes, start, headerEnd, board, violation);
  }

  /** A rule that the board breaks, at its place in the case that begins at `start` and was read into `board`. */
  placeViolation(bytes: Uint8Array, start: number, board: Board, violation: Violation): Fault {
    const headerEnd = this.#parseHeader(bytes, start, board) as number;
    return this.#placeViolation(bytes, start, headerEnd, board, violation);
  }

  #placeViolation(
    bytes: Uint8Array,
    start: number,
    headerEnd: number,
    board: Board,
    { cell, expected, got }: Violation,
  ): Fault {
    if (cell === null) return { offset: start, expected, got };
    // A row of letters is one token, a row of blocks one token a column.
    const isRow = this.cellBytes === 1;
    let token = skipBlanks(bytes, headerEnd, bytes.length);
    for (let skipped = isRow ? cell.row : cell.row * board.cols + cell.col; skipped > 0; skipped--) {
      token = skipBlanks(bytes, token + (isRow ? board.cols : 2), bytes.length);
    }
    return { offset: isRow ? token + cell.col : token, expected, got };
  }

  #describeCells(): string {
    const { cells } = this.#spec;
    return 'letters' in cells ? `"${cells.letters}"` : `a letter and one of "${cells.second}"`;
  }

  #firstToken(): string {
    if (this.#spec.preamble.length === 0) return 'a case';
    return this.#spec.preamble[0] === 'T' ? 'the number of cases' : 'the id of the test';
  }

  #preambleFault(field: 'id' | 'T', bytes: Uint8Array, at: number, end: number): Fault {
    const expected = field === 'T' ? 'the number of cases (0 to 2^53 - 1)' : 'the id of the test (a count)';
    return { offset: at, expected, got: at === end ? END_OF_INPUT : quoteToken(bytes, at, end) };
  }

  /**
   * The index behind a case that lies as programs print it: `R C` and one line end, rows at equal strides with
   * a line end each, and then a digit. NO_JUMP if the bytes say otherwise, NEEDS_MORE if they run out first.
   */
  #jump(bytes: Uint8Array, start: number, end: number): number {
    const { limits } = this.#spec;
    let at = start;
    let rows = 0;
    while (at < end && isDigit(bytes[at]) && rows <= limits.maxRows) rows = rows * 10 + bytes[at++] - 0x30;
    if (at === start) return at < end ? NO_JUMP : NEEDS_MORE;
    if (at < end && bytes[at] !== SPACE) return NO_JUMP;
    const second = ++at;
    let cols = 0;
    while (at < end && isDigit(bytes[at]) && cols <= limits.maxCols) cols = cols * 10 + bytes[at++] - 0x30;
    if (at >= end) return NEEDS_MORE;
    if (at === second || !this.#isSize(rows, cols)) return NO_JUMP;
    const lineEnd = bytes[at] === LF ? 1 : 2;
    if (lineEnd === 2 && bytes[at] !== 0x0d) return NO_JUMP;
    const stride = (this.cellBytes === 1 ? cols : cols * 3 - 1) + lineEnd;
    let last = at + lineEnd - 1;
    for (let row = 0; row <= rows; row++, last += stride) {
      if (last >= end) return NEEDS_MORE;
      if (bytes[last] !== LF) return NO_JUMP;
    }
    const next = last - stride + 1;
    if (next >= end) return NEEDS_MORE;
    return isDigit(bytes[next]) ? next : NO_JUMP;
  }

  #isSize(rows: number, cols: number): boolean {
    const { minRows, maxRows, minCols, maxCols, maxCells } = this.#spec.limits;
    return (
      rows >= minRows && rows <= maxRows && cols >= minCols && cols <= maxCols && rows * cols <= maxCells
    );
  }

  /**
   * findCase, token by token: the same word on a good case, and on a broken one it never runs on into the
   * next, as a jump may that happens to end at the line end of another case.
   */
  walkCase(bytes: Uint8Array, start: number, end: number, atEnd: boolean, extent: CaseExtent): boolean {
    const firstTo = shortTokenEnd(bytes, start, end);
    if (firstTo === end && !atEnd) return false;
    const rows = headerCount(bytes, start, firstTo);
    if (rows < 0) return badUntil(extent, firstTo, firstTo);
    const second = skipBlanks(bytes, firstTo, end);
    const secondTo = shortTokenEnd(bytes, second, end);
    if (secondTo === end && !atEnd) return false;
    const cols = headerCount(bytes, second, secondTo);
    if (!this.#isSize(rows, cols)) return badUntil(extent, secondTo, secondTo);
    const tokenLength = this.cellBytes === 1 ? cols : 2;
    const tokens = this.cellBytes === 1 ? rows : rows * cols;
    const looked = Math.max(tokenLength + 1, TOKEN_BYTES);
    let at = secondTo;
    for (let token = 0; token < tokens; token++) {
      at = skipBlanks(bytes, at, end);
      const to = tokenEnd(bytes, at, Math.min(end, at + looked));
      if (to === end && !atEnd) return false;
      // A count where a row belongs is taken for the next header.
      if (to === at || isDigit(bytes[at])) return badUntil(extent, at, to);
      if (to - at !== tokenLength) return badUntil(extent, to, to);
      at = to;
    }
    return this.#endOfWalk(bytes, at, end, atEnd, extent);
  }

  /** All rows are there: what follows them decides whether the case is whole. */
  #endOfWalk(bytes: Uint8Array, behind: number, end: number, atEnd: boolean, extent: CaseExtent): boolean {
    const next = skipBlanks(bytes, behind, end);
    if (next < end && !isDigit(bytes[next])) {
      const to = shortTokenEnd(bytes, next, end);
      if (to === end && !atEnd) return false;
      if (this.#isBoardToken(bytes, next, to)) return badUntil(extent, to, to);
    } else if (next === end && !atEnd) return false;
    extent.end = extent.seen = next === end ? behind : next;
    extent.bad = false;
    return true;
  }

  /** Whether the token in bytes[from, to) could stand in a row: letters of cells, or a block. */
  #isBoardToken(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.cellBytes === 2 && to - from !== 2) return false;
    for (let at = from; at < to; at++) {
      const codes = this.#codes[(at - from) % this.#codes.length];
      if (codes[bytes[at]] === NO_CODE) return false;
    }
    return true;
  }
}

const NO_JUMP = -1;
const NEEDS_MORE = -2;
const END_OF_INPUT = 'the end of the input';

/** End of the token at `from`, or TOKEN_BYTES + 1 bytes into it: more would not change what it is. */
function shortTokenEnd(bytes: Uint8Array, from: number, end: number): number {
  return tokenEnd(bytes, from, Math.min(end, from + TOKEN_BYTES + 1));
}

/** The count that the short token in bytes[from, to) stands for, -1 if it is none. */
function headerCount(bytes: Uint8Array, from: number, to: number): number {
  return to - from > TOKEN_BYTES ? -1 : parseCount(bytes, from, to);
}

function badUntil(extent: CaseExtent, end: number, seen: number): true {
  extent.end = end;
  extent.seen = seen;
  extent.bad = true;
  return true;
}

function reserveCells(board: Board, bytes: number): void {
  if (board.cells.length < bytes) board.cells = new Uint8Array(bytes * 2);
}

/** The value of the few digits in bytes[from, to). */
function decimal(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + bytes[at] - 0x30;
  return value;
}

function hasByteOrderMark(bytes: Uint8Array, end: number): boolean {
  return end >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function describeToken(bytes: Uint8Array, at: number): string {
  return at >= bytes.length ? END_OF_INPUT : quoteToken(bytes, at, bytes.length);
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
