/** What the scanner and the parser of boards share: the description of the format, and its tables of letters. */
import { latin1, parseCount, tokenEnd } from '../../core/bytes.js';
import type { Board, BoardLimits, Violation } from './board.js';

export interface BoardFormatSpec {
  /** The tokens of the head, in order. `T` is the number of cases. */
  readonly headTokens: readonly ('id' | 'T')[];
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

/** The code of a byte that is no letter of a cell. */
export const INVALID_CODE = 0xff;
/** What messages show in place of a token that is missing. */
export const END_OF_INPUT_TEXT = 'the end of the input';
/** Largest number of bytes in a token that can be a count. A longer token is never a valid count. */
export const MAX_SHORT_TOKEN_BYTES = 32;

export class BoardSyntax {
  readonly spec: BoardFormatSpec;
  /** Number of bytes per cell in `Board.cells`. */
  readonly cellBytes: 1 | 2;
  /**
   * Tables from a byte to the code of its letter, with INVALID_CODE for bytes that are no letter of a cell. Blocks have
   * two tables: one for the first letter of a block and one for the second letter.
   */
  readonly letterCodes: readonly Uint8Array[];

  constructor(spec: BoardFormatSpec) {
    this.spec = spec;
    const { cells } = spec;
    this.letterCodes =
      'letters' in cells
        ? [buildLetterCodes(cells.letters, (index) => index)]
        : [
            buildLetterCodes(cells.firstLetters, (_, byte) => byte),
            buildLetterCodes(cells.secondLetters, (_, byte) => byte),
          ];
    this.cellBytes = 'letters' in cells ? 1 : 2;
  }

  isSize(rows: number, cols: number): boolean {
    const { minRows, maxRows, minCols, maxCols, maxCells } = this.spec.limits;
    return (
      rows >= minRows && rows <= maxRows && cols >= minCols && cols <= maxCols && rows * cols <= maxCells
    );
  }

  /** Returns whether the token in bytes[from, to) could be part of a board: cells with valid letters, or a block. */
  isBoardToken(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.cellBytes === 2 && to - from !== 2) return false;
    for (let at = from; at < to; at++) {
      const codes = this.letterCodes[(at - from) % this.letterCodes.length];
      if (codes[bytes[at]] === INVALID_CODE) return false;
    }
    return true;
  }

  describeCells(): string {
    const { cells } = this.spec;
    return 'letters' in cells ? `"${cells.letters}"` : `a letter and one of "${cells.secondLetters}"`;
  }

  /** Returns the id in the bytes of a head, or `0` if there is no head. The id is the first token of the head. */
  idOf(head: Uint8Array | null): string {
    return head === null ? '0' : latin1(head, 0, tokenEnd(head, 0, head.length));
  }
}

/** Returns a table from each byte to the code of its letter, with INVALID_CODE for bytes that are not in `letters`. */
function buildLetterCodes(letters: string, code: (index: number, byte: number) => number): Uint8Array {
  const codes = new Uint8Array(256).fill(INVALID_CODE);
  for (let i = 0; i < letters.length; i++) codes[letters.charCodeAt(i)] = code(i, letters.charCodeAt(i));
  return codes;
}

/**
 * Returns the end of the token at `from`. The function reads at most MAX_SHORT_TOKEN_BYTES + 1 bytes of a token. This
 * is enough to know that a longer token is not a count.
 */
export function shortTokenEnd(bytes: Uint8Array, from: number, end: number): number {
  return tokenEnd(bytes, from, Math.min(end, from + MAX_SHORT_TOKEN_BYTES + 1));
}

/** Returns the number that the digits in bytes[from, to) form, or -1 if the bytes are not a count or too many. */
export function parseShortCount(bytes: Uint8Array, from: number, to: number): number {
  return to - from > MAX_SHORT_TOKEN_BYTES ? -1 : parseCount(bytes, from, to);
}
