/**
 * What the scanner and the parser of boards share: the description of a board format, its tree of fields, and the size line.
 */
import { findTokenEnd, skipWhitespace } from '../../core/bytes.js';
import { constantExpression } from '../language/expression.js';
import { letterIndexTableOf, NO_LETTER } from '../language/letters.js';
import type { Bound, Ending, Expression, Layout, NamedField, NumberField, Shape } from '../language/tree.js';
import { MAX_SHORT_TOKEN_BYTES } from '../tree/cursor.js';
import { parseShortCount } from '../tree/numbers.js';
import type { Board, BoardLimits, BoardViolation } from './board.js';

/** Every valid case of a board game has fewer bytes than this, including its size line and all its whitespace. */
export const MAX_BOARD_CASE_BYTES = 1 << 20;

export interface BoardFormatSpec {
  /** The tokens of the head, in order. `T` is the number of cases. */
  readonly headTokens: readonly ('id' | 'T')[];
  /** Whether the input ends with a terminator, the size line `0 0`. */
  readonly hasTerminator: boolean;
  readonly limits: BoardLimits;
  readonly cells: CellLetters | BlockLetters;
  /** Returns a rule that the board breaks although its rows are well formed; null if it breaks no rule. */
  findViolation?(board: Board): BoardViolation | null;
}

/** Cells of one letter. Each row is one token with one byte per cell. A cell's code is the index of its letter. */
interface CellLetters {
  readonly letters: string;
}

/**
 * Cells of two letters, called blocks. Each row is `cols` tokens of two letters each. A board stores two bytes per
 * cell.
 */
interface BlockLetters {
  /** The letters that the first letter of a block can be. */
  readonly firstLetters: string;
  /** The letters that the second letter of a block can be. */
  readonly secondLetters: string;
  /** The second letter of a block that does not move. */
  readonly stationaryLetter: string;
}

/** The size line of a case. Its number of rows or of columns is NaN if the token is not a count. */
interface SizeLine {
  readonly rows: number;
  /** Index after the token of the number of rows. */
  readonly rowsEnd: number;
  readonly cols: number;
  readonly end: number;
}

export class BoardSyntax {
  readonly spec: BoardFormatSpec;
  /** The letters that each byte of a cell can be. */
  readonly letters: readonly string[];
  /** Number of bytes per cell in `Board.cells`. */
  readonly cellBytes: 1 | 2;
  /**
   * Tables from a byte to its code in `Board.cells`, with NO_LETTER for bytes that are not letters of a cell. Blocks have
   * two tables: one for the first letter of a block and one for the second letter.
   */
  readonly letterCodes: readonly Uint8Array[];

  constructor(spec: BoardFormatSpec) {
    this.spec = spec;
    const { cells } = spec;
    this.letters = 'letters' in cells ? [cells.letters] : [cells.firstLetters, cells.secondLetters];
    this.cellBytes = 'letters' in cells ? 1 : 2;
    const tables = this.letters.map(letterIndexTableOf);
    this.letterCodes = this.cellBytes === 1 ? tables : tables.map(keepBytes);
  }

  /** The format as a tree of fields. The tree has no bound on the number of cells and none of the rules of `findViolation`. */
  get layout(): Layout {
    const { minRows, maxRows, minCols, maxCols } = this.spec.limits;
    const grid = { kind: 'grid', rows: named('rows'), cols: named('cols'), letters: this.letters } as const;
    return {
      ending: this.#ending,
      head: this.spec.headTokens.includes('id') ? shapeOf([{ name: 'id', field: ID }]) : null,
      shape: shapeOf([
        {
          name: 'rows',
          field: count('the number of rows', constantExpression(minRows), constantExpression(maxRows)),
        },
        {
          name: 'cols',
          field: count('the number of columns', constantExpression(minCols), constantExpression(maxCols)),
        },
        { name: 'cells', field: grid },
      ]),
      total: [],
    };
  }

  get #ending(): Ending {
    const { hasTerminator, headTokens } = this.spec;
    if (hasTerminator) return { kind: 'until-terminator', text: '0 0', when: null };
    return headTokens.includes('T')
      ? { kind: 'counted', name: null, min: null, max: null }
      : { kind: 'until-end' };
  }

  /** Reads the size line of the case at `start`. Of a long token, it reads only as many bytes as a valid count can have. */
  readSizeLine(bytes: Uint8Array, start: number, end: number): SizeLine {
    const rowsEnd = shortTokenEnd(bytes, start, end);
    const colsStart = skipWhitespace(bytes, rowsEnd, end);
    const colsEnd = shortTokenEnd(bytes, colsStart, end);
    return {
      rows: parseShortCount(bytes, start, rowsEnd),
      rowsEnd,
      cols: parseShortCount(bytes, colsStart, colsEnd),
      end: colsEnd,
    };
  }

  isSize(rows: number, cols: number): boolean {
    return this.areSides(rows, cols) && rows * cols <= this.spec.limits.maxCells;
  }

  /** Whether the limits allow the number of rows, and also the number of columns. The number of cells is not checked. */
  areSides(rows: number, cols: number): boolean {
    const { minRows, maxRows, minCols, maxCols } = this.spec.limits;
    return rows >= minRows && rows <= maxRows && cols >= minCols && cols <= maxCols;
  }
}

const ID: NumberField = { ...count('the id of the test', null, null), of: 'bigint' };

function count(description: string, min: Bound, max: Bound): NumberField {
  return { kind: 'scalar', of: 'int', min, max, decimals: null, description, isCount: true };
}

function named(name: string): Expression {
  return { kind: 'name', name };
}

function shapeOf(fields: readonly NamedField[]): Shape {
  return { kind: 'record', records: [{ kind: 'record', fields }] };
}

/** From a table that maps letters to their indices, makes a table that maps each letter to its own byte. */
function keepBytes(codes: Uint8Array): Uint8Array {
  return codes.map((code, byte) => (code === NO_LETTER ? NO_LETTER : byte));
}

function shortTokenEnd(bytes: Uint8Array, from: number, end: number): number {
  return findTokenEnd(bytes, from, Math.min(end, from + MAX_SHORT_TOKEN_BYTES + 1));
}
