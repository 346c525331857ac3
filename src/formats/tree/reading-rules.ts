/**
 * The rules in which reading an input and reading an answer differ. Inputs must be exactly right; programs may print the
 * numbers and lines of an answer in many ways.
 */
import { decodeUtf8 } from '../../core/bytes.js';
import type { SlotScope } from './compile-expression.js';
import { parseBigInteger, parseInteger, parseNumber } from './numbers.js';

/** Returns the number that is written in bytes[from, to); NaN if the bytes are not a number. */
export type ParseNumber = (bytes: Uint8Array, from: number, to: number) => number;

/** The rules by which fields are read. */
export interface ReadingRules {
  readonly parseInteger: ParseNumber;
  readonly parseNumber: ParseNumber;
  /** Parses an integer of any size; null if the bytes are not an integer. */
  readonly parseBigInteger: (bytes: Uint8Array, from: number, to: number) => bigint | null;
  /** Decodes a word or a line. Returns null if the bytes are not UTF-8 and these rules do not allow that. */
  readonly decode: (bytes: Uint8Array, from: number, to: number) => string | null;
  /**
   * Whether the fields belong to an answer. In an answer, a list ends its line wherever it stands. An array of as many numbers
   * as fit ends before a number out of bounds. The token that ends an array is compared byte by byte. An array up to a blank
   * line may be only that blank line. An element without bytes is a fault, and does not end an array.
   */
  readonly isAnswer: boolean;
}

export const INPUT_READING_RULES: ReadingRules = {
  parseInteger,
  parseNumber,
  parseBigInteger,
  decode: decodeUtf8,
  isAnswer: false,
};

/** What the compilation of every field needs: the names that counts and bounds may use, and the rules of reading. */
export interface FieldCompilation {
  readonly scope: SlotScope;
  readonly rules: ReadingRules;
}
