/**
 * What the fields of an input and those of an answer do not have in common. Inputs are data that must be exactly right;
 * answers come from programs that print the same numbers and lines in many ways.
 */
import { decodeUtf8 } from '../../core/bytes.js';
import type { Scope } from './compile-expression.js';
import { parseBigInteger, parseInteger, parseNumber } from './numbers.js';

/** Returns the number that is written in bytes[from, to); NaN if the bytes are not a number. */
export type ParseNumber = (bytes: Uint8Array, from: number, to: number) => number;

/** How fields are read. */
export interface ReadingRules {
  readonly parseInteger: ParseNumber;
  readonly parseNumber: ParseNumber;
  /** Returns null if the bytes are not an integer. */
  readonly parseBigInteger: (bytes: Uint8Array, from: number, to: number) => bigint | null;
  /** Decodes a word or a line. Returns null if bytes that are not UTF-8 are a fault, and these are not. */
  readonly decode: (bytes: Uint8Array, from: number, to: number) => string | null;
  /**
   * Whether the fields of an answer are read. A list ends its line wherever it stands. An array of as many numbers as fit
   * ends before a number out of bounds. The token that ends an array is compared byte by byte. A blank line is an array
   * up to a blank line that is empty. An element without bytes does not end an array, but is a fault.
   */
  readonly isAnswer: boolean;
}

export const INPUT_RULES: ReadingRules = {
  parseInteger,
  parseNumber,
  parseBigInteger,
  decode: decodeUtf8,
  isAnswer: false,
};

/** What every field is compiled with: the names that its counts and bounds may use, and how it is read. */
export interface FieldContext {
  readonly scope: Scope;
  readonly rules: ReadingRules;
}
