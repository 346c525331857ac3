/**
 * How the test cases of a board game are laid out in an input: an optional head (`T`, or `id T`), then for each case a
 * size line `rows cols` and the board, then an optional terminator `0 0`.
 */
import { type ByteWriter, LF, SPACE } from '../../core/bytes.js';
import type { CaseParser, CaseScanner, InputFormat, ScannerOptions } from '../input-format.js';
import { describeCells } from '../language/letters.js';
import { TreeInputFormat } from '../tree/tree-format.js';
import type { Board, BoardLimits, BoardViolation } from './board.js';
import { BoardCaseScanner } from './board-case-scanner.js';
import { BoardParser, parseHeadId } from './board-parser.js';
import { type BoardFormatSpec, BoardSyntax, MAX_BOARD_CASE_BYTES } from './board-syntax.js';

export class BoardInputFormat implements InputFormat<Board> {
  readonly #syntax: BoardSyntax;
  /** Reads the cases that are not in canonical layout. */
  readonly #tree: TreeInputFormat;
  /** The letter of each one-byte cell, indexed by the cell's code. Empty if cells are blocks of two letters. */
  readonly #letterBytes: Uint8Array;

  constructor(spec: BoardFormatSpec) {
    this.#syntax = new BoardSyntax(spec);
    this.#tree = new TreeInputFormat(this.#syntax.layout, MAX_BOARD_CASE_BYTES);
    this.#letterBytes = new TextEncoder().encode('letters' in spec.cells ? spec.cells.letters : '');
  }

  get maxCaseBytes(): number {
    return this.#tree.maxCaseBytes;
  }

  get ending(): InputFormat['ending'] {
    return this.#tree.ending;
  }

  get terminator(): string | null {
    return this.#tree.terminator;
  }

  /** Number of bytes per cell in `Board.cells`. */
  get cellBytes(): 1 | 2 {
    return this.#syntax.cellBytes;
  }

  /** Number of tokens in the head. */
  get headTokenCount(): number {
    return this.#syntax.spec.headTokens.length;
  }

  /** Returns the same format with other limits on the size of a board, and with a further rule if `findViolation` is given. */
  narrowed(limits: BoardLimits, findViolation?: (board: Board) => BoardViolation | null): BoardInputFormat {
    const { spec } = this.#syntax;
    return new BoardInputFormat({
      ...spec,
      limits,
      findViolation: (board) => spec.findViolation?.(board) ?? findViolation?.(board) ?? null,
    });
  }

  describe(): string {
    const { headTokens } = this.#syntax.spec;
    const beginnings = {
      counted: 'T test cases, each with:',
      'until-terminator': `Test cases until the terminator ${this.terminator}, each with:`,
      'until-end': 'Test cases until the end of the input, each with:',
      single: 'One test case:',
    };
    return [
      ...(headTokens.length === 0 ? [] : [`A line with ${headTokens.join(' and ')}`]),
      beginnings[this.ending],
      '  a line with the number of rows and the number of columns',
      `  the rows, ${this.cellBytes === 1 ? 'each cell' : 'each block'} ${describeCells(this.#syntax.letters)}`,
    ].join('\n');
  }

  createScanner({ isThorough = false }: ScannerOptions = {}): CaseScanner {
    return new BoardCaseScanner(this.#syntax, this.#tree.createScanner({ isThorough: true }), isThorough);
  }

  createParser(): CaseParser<Board> {
    return new BoardParser(this.#syntax, this.#tree.createParser());
  }

  /** Writes the head of an input. If `head` is null, the head gets the id 0. */
  printHead(head: Uint8Array | null, count: number, out: ByteWriter): void {
    const { headTokens } = this.#syntax.spec;
    const tokens = headTokens.map((token) => (token === 'T' ? String(count) : parseHeadId(head)));
    if (tokens.length > 0) out.ascii(`${tokens.join(' ')}\n`);
  }

  /** Returns the bytes of a head with this id. `printHead` accepts them. */
  headWithId(id: number): Uint8Array {
    return new TextEncoder().encode(`${id} 0`);
  }

  /** Writes a board and its size line in canonical layout. */
  printCase({ rows, cols, cells }: Board, out: ByteWriter): void {
    out.integer(rows);
    out.byte(SPACE);
    out.integer(cols);
    out.byte(LF);
    for (let first = 0; first < rows * cols; first += cols) {
      if (this.cellBytes === 1) out.letters(this.#letterBytes, cells, first, first + cols);
      else printBlocks(cells, first, cols, out);
      out.byte(LF);
    }
  }

  printTail(head: Uint8Array | null, out: ByteWriter): void {
    this.#tree.printTail(head, out);
  }

  /**
   * Returns the codes of cells that are simpler than `code` for one byte of a cell, simplest first. For one-byte cells the
   * simpler codes are the codes of earlier letters in `letters`. For a block, the simplest first letter is the first of the
   * allowed letters, and the simplest second letter is that of a block that does not move.
   */
  simplerCodes(code: number, byteOfCell: number): Iterable<number> {
    const { cells } = this.#syntax.spec;
    if ('letters' in cells) return Array.from({ length: code }, (_, simpler) => simpler);
    const simplestCode =
      byteOfCell === 0 ? cells.firstLetters.charCodeAt(0) : cells.stationaryLetter.charCodeAt(0);
    return code === simplestCode ? [] : [simplestCode];
  }
}

/** Writes the blocks of a row. The first of them has the index `first`. */
function printBlocks(cells: Uint8Array, first: number, cols: number, out: ByteWriter): void {
  for (let cell = first; cell < first + cols; cell++) {
    if (cell > first) out.byte(SPACE);
    out.byte(cells[cell * 2]);
    out.byte(cells[cell * 2 + 1]);
  }
}
