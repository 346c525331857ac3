/**
 * How cases are made: as a sequence of choices. One walk over the fields of a layout, or over the commands of a grammar, asks a
 * chooser for each value that earlier choices leave open. So drawing, listing and shrinking cases differ only in their choosers
 * (D. MacIver, A. Donaldson, "Test-case reduction via test-case generation", 2020).
 */
import type { ExactInteger } from '../language/exact.js';
import type { NameScope } from '../language/expression-values.js';
import type { NumberRange } from './number-range.js';

/** What a number is for. */
export type NumberPurpose =
  | 'value'
  /** The length of something that follows in the case. */
  | 'size'
  /** The number of elements or rows, where no number of the case gives it. */
  | 'length'
  /** The number of columns, where no number of the case gives it. */
  | 'width'
  /** The index of a tag. */
  | 'tag'
  /** The index of a letter of a grid. */
  | 'letter';

/** What is asked for. */
export interface NumberQuestion {
  /** The name of the field. */
  readonly name: string;
  readonly purpose: NumberPurpose;
  /** The tags from which one is chosen. */
  readonly tags?: readonly string[];
}

/** What a text may be. */
export type TextRule =
  | { readonly kind: 'word'; readonly letters: string | null }
  | { readonly kind: 'line'; readonly mayBeEmpty: boolean };

/** The number of rows and columns of a grid or a table. An array has one column. */
export interface GridSize {
  readonly rows: number;
  readonly cols: number;
}

/** Chooses what the fields of a case hold. Each method may throw a `ChoiceFailure`. */
export interface Chooser {
  number(range: NumberRange, question: NumberQuestion, scope: NameScope): ExactInteger;
  /** Chooses all numbers of an array, or of `rows` rows. The number with index i is in `ranges[i % ranges.length]`. */
  numbers(
    size: GridSize,
    ranges: readonly NumberRange[],
    question: NumberQuestion,
    scope: NameScope,
  ): readonly ExactInteger[];
  text(rule: TextRule, question: NumberQuestion): string;
  /** Called before the elements of a list are chosen one by one. An alternative counts as a list of one element. */
  enter(name: string, count: number): void;
  beforeElement(index: number): void;
  leave(): void;
}

/** Thrown if the values chosen so far do not lead to a case. */
export class ChoiceFailure {
  constructor(
    readonly kind: 'empty-range' | 'too-large' | 'terminator' | 'no-element',
    readonly reason: string,
  ) {}
}

/** Returns the failure for a number whose bounds allow no value. */
export function emptyRangeFailure(name: string, low: ExactInteger, high: ExactInteger): ChoiceFailure {
  return new ChoiceFailure('empty-range', `the bounds of "${name}" allow no value (${low} to ${high})`);
}

/** The letters of a word whose field allows any letters. */
export const LOWER_CASE_LETTERS = 'abcdefghijklmnopqrstuvwxyz';
