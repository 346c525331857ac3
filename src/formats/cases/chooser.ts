/**
 * A case is a sequence of choices. One walk over the fields of a layout, or over the commands of a grammar, asks a chooser
 * for everything that the choices before have left open, so drawing, listing and shrinking differ in the chooser alone
 * (D. MacIver, A. Donaldson, "Test-case reduction via test-case generation", 2020).
 */
import type { WholeNumber } from '../language/exact.js';
import type { NameScope } from '../language/expression-values.js';
import type { NumberRange } from './number-range.js';

/** What a number is for. */
export type Purpose =
  | 'value'
  /** It says how long something after it is. */
  | 'size'
  /** The number of elements, or of rows, that nothing in the case says. */
  | 'length'
  /** The number of columns that nothing in the case says. */
  | 'width'
  /** The index of a tag. */
  | 'tag'
  /** The index of a letter of a grid. */
  | 'letter';

/** What is asked for. */
export interface Question {
  /** The name of the field. */
  readonly name: string;
  readonly purpose: Purpose;
  /** The tags of which one is chosen. */
  readonly tags?: readonly string[];
}

/** What a text may be. */
export type TextRule =
  | { readonly kind: 'word'; readonly letters: string | null }
  | { readonly kind: 'line'; readonly mayBeEmpty: boolean };

/** How large a grid or a table is. An array has one column. */
export interface Size {
  readonly rows: number;
  readonly cols: number;
}

/** Chooses what the fields of a case hold. Each method may throw a `MakeFailure`. */
export interface Chooser {
  number(range: NumberRange, question: Question, scope: NameScope): WholeNumber;
  /** All numbers of an array, or of `rows` rows: the number with index i is in the range `ranges[i % ranges.length]`. */
  numbers(
    size: Size,
    ranges: readonly NumberRange[],
    question: Question,
    scope: NameScope,
  ): readonly WholeNumber[];
  text(rule: TextRule, question: Question): string;
  /** Called before the elements of a list are chosen, one by one; an alternative is a list of one element. */
  enter(name: string, count: number): void;
  beforeElement(index: number): void;
  leave(): void;
}

/** Thrown when what has been chosen leads to no case. */
export class MakeFailure {
  constructor(
    readonly kind: 'empty-range' | 'too-large' | 'terminator' | 'no-element',
    readonly reason: string,
  ) {}
}

/** The failure of a number for which there is no value. */
export function emptyRange(name: string, low: WholeNumber, high: WholeNumber): MakeFailure {
  return new MakeFailure('empty-range', `the bounds of "${name}" allow no value (${low} to ${high})`);
}

/** The letters of words whose field allows any. */
export const LOWER_CASE_LETTERS = 'abcdefghijklmnopqrstuvwxyz';
