/**
 * Parses boards, and checks every byte of a case. The reader of boards reads the valid ones. The parser of trees describes what
 * is wrong with the others.
 */
import { decodeLatin1, findTokenEnd, LF, skipWhitespace } from '../../core/bytes.js';
import type { Fault } from '../../core/errors.js';
import type { CaseParser } from '../input-format.js';
import type { RecordValue } from '../language/tree.js';
import type { TreeGrid } from '../tree/grid.js';
import type { Board, BoardViolation } from './board.js';
import { BoardReader } from './board-reader.js';
import { type BoardSyntax, MAX_BOARD_CASE_BYTES } from './board-syntax.js';

export class BoardParser implements CaseParser<Board> {
  fault: Fault | null = null;
  lineEnds = -1;
  headValue: string | null = null;
  readonly #syntax: BoardSyntax;
  readonly #reader: BoardReader;
  readonly #treeParser: CaseParser<RecordValue>;

  constructor(syntax: BoardSyntax, treeParser: CaseParser<RecordValue>) {
    this.#syntax = syntax;
    this.#treeParser = treeParser;
    this.#reader = new BoardReader(syntax);
  }

  /** Keeps the id in the head of the input, which is the value of the head. No board depends on it. */
  useHead(head: Uint8Array | null): void {
    this.headValue = this.#syntax.spec.headTokens.includes('id') ? parseHeadId(head) : null;
  }

  parse(bytes: Uint8Array, start: number, end: number, reused: Board | null): Board | null {
    const board = reused ?? { rows: 0, cols: 0, cells: new Uint8Array(0) };
    this.fault = null;
    if (this.#reader.read(bytes, start, end, board) === end && this.#violationIn(board) === null) {
      this.lineEnds = bytes[end - 1] === LF ? this.#reader.lineEnds : -1;
      return board;
    }
    this.lineEnds = -1;
    this.fault = this.#parseByTree(bytes, start, end, board);
    return this.fault === null ? board : null;
  }

  #violationIn(board: Board): BoardViolation | null {
    return this.#syntax.spec.findViolation?.(board) ?? null;
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
    const violation = this.#violationIn(board);
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
    { cell, expected, got }: BoardViolation,
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
export function parseHeadId(head: Uint8Array | null): string {
  return head === null ? '0' : decodeLatin1(head, 0, findTokenEnd(head, 0, head.length));
}

function reserveCells(board: Board, bytes: number): void {
  if (board.cells.length < bytes) board.cells = new Uint8Array(bytes * 2);
}
