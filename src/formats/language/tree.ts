/**
 * The description of a format as a tree of fields. The tree is plain data: it can be sent to a thread, hashed and printed. A
 * tree contains no functions, so no code of its author runs while an input is read by the tree.
 *
 * The functions in fields.ts and layouts.ts make trees. The code in `../tree` reads and prints the inputs that a tree
 * describes, and the code in `../cases` makes cases.
 */
import type { Comparison, Operator } from './exact.js';

/** An expression over whole numbers that were read before it, such as `n*m` or `count(queries, 2)`. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: number }
  /** The value of an `int` or a `bigint` of the head or of the case. */
  | { readonly kind: 'name'; readonly name: string }
  /** The number of records of the list `list` that have the tag `tag`. */
  | { readonly kind: 'count'; readonly list: string; readonly tag: string }
  | {
      readonly kind: 'binary';
      /** The operator. `/` rounds its quotient toward zero. `^` is a power. A comparison is 1 if it is true, and 0 if not. */
      readonly operator: Operator | Comparison;
      readonly left: Expression;
      readonly right: Expression;
    };

/** A bound of a `bigint` that is not a safe integer, in decimal digits. */
interface LargeConstant {
  readonly kind: 'large-constant';
  readonly digits: string;
}

export type Bound = Expression | LargeConstant | null;

/** The number of elements of an array or a list, or what ends them. */
export type ElementCount =
  | Expression
  /** Elements up to and including the token `token`. */
  | { readonly kind: 'until-token'; readonly token: string }
  /** Elements up to the end of the line in which the field begins. */
  | { readonly kind: 'until-line-end' }
  /** Elements up to a blank line or the end of the input. */
  | { readonly kind: 'until-blank-line' }
  /** Elements as long as the next token can be one. */
  | { readonly kind: 'many' };

type NumberKind =
  /** A safe integer, as a JavaScript number. */
  | 'int'
  /** An integer of any size, as a bigint. If an expression names it, it must be a safe integer. */
  | 'bigint'
  /** A decimal number, as a JavaScript number. */
  | 'number';

export interface NumberField {
  readonly kind: 'scalar';
  readonly of: NumberKind;
  readonly min: Bound;
  readonly max: Bound;
  /** The largest number of decimals; null if there is no limit. Used only by `number`. */
  readonly decimals: number | null;
  /** What messages call the field, such as "the number of rows"; null if messages use its name in the record. */
  readonly description: string | null;
  /** Whether the number must have 1 to 32 digits and no sign. Never true for `number`. */
  readonly isCount?: true;
}

export interface WordField {
  readonly kind: 'word';
  /** The letters that may occur in the word; null if all letters may. */
  readonly letters: string | null;
}

export interface LineField {
  readonly kind: 'line';
  /** Whether the field is exactly the next line, even if that line is empty. */
  readonly mayBeEmpty: boolean;
}

/** The arrays of numbers: `ints` (Int32Array), `safeInts` and `numbers` (Float64Array), `bigints` (BigInt64Array). */
export interface NumbersField {
  readonly kind: 'numbers';
  readonly of: 'int32' | 'safe-int' | 'number' | 'bigint';
  readonly count: ElementCount;
  readonly min: Bound;
  readonly max: Bound;
  readonly decimals: number | null;
}

export interface WordsField {
  readonly kind: 'words';
  readonly count: ElementCount;
  readonly letters: string | null;
}

export interface LinesField {
  readonly kind: 'lines';
  readonly count: ElementCount;
}

/**
 * A grid of cells. A cell is one letter and a row is one word, or (with two alphabets) a cell is a word of two letters
 * and a row is `cols` words.
 */
export interface GridField {
  readonly kind: 'grid';
  readonly rows: ElementCount;
  readonly cols: ElementCount;
  /** The letters that each byte of a cell may be: one or two strings. */
  readonly letters: readonly string[];
}

/** Rows of numbers with whitespace between them. */
export interface TableField {
  readonly kind: 'table';
  readonly rows: ElementCount;
  readonly cols: ElementCount;
  readonly min: Bound;
  readonly max: Bound;
}

export interface ListField {
  readonly kind: 'list';
  readonly count: ElementCount;
  readonly of: RecordTree | EitherField;
}

/** A record whose first token, the tag, decides which fields follow it. */
export interface EitherField {
  readonly kind: 'either';
  /** The name of the property of a record's value that holds the tag. */
  readonly tag: string;
  readonly variants: readonly { readonly tags: readonly string[]; readonly record: RecordTree }[];
}

export type Field =
  | NumberField
  | WordField
  | LineField
  | NumbersField
  | WordsField
  | LinesField
  | GridField
  | TableField
  | ListField
  | EitherField;

export interface NamedField {
  readonly name: string;
  readonly field: Field;
}

export interface RecordTree {
  readonly kind: 'record';
  readonly fields: readonly NamedField[];
}

/**
 * The fields of a case or of a head. In a `record`, successive numbers share a line, and each other field begins a new line. In
 * `lines`, each record is one line of the input, and a record without fields is an empty line.
 */
export interface Shape {
  readonly kind: 'record' | 'lines';
  readonly records: readonly RecordTree[];
}

/** How an input shows where its last case ends. */
export type Ending =
  /** The head has the number of cases. */
  | {
      readonly kind: 'counted';
      /** The name of the `int` of the head that is the number of cases; null if an unnamed `T` follows the head. */
      readonly name: string | null;
      /** The bounds of the unnamed `T`. They are checked in contest files, but not by `solve`. */
      readonly min: number | null;
      readonly max: number | null;
    }
  | { readonly kind: 'until-end' }
  | {
      readonly kind: 'until-terminator';
      /** The text of the terminator. If `when` is null, its tokens are recognised as the end of the cases. */
      readonly text: string;
      /** A condition on the first numbers of a case. If it is true, these numbers are the terminator. */
      readonly when: Condition | null;
    }
  | { readonly kind: 'single' };

export interface Condition {
  readonly left: Expression;
  readonly operator: Comparison;
  readonly right: Expression;
}

/** A bound on the sum of an expression over the cases of one contest file. */
export interface TotalBound {
  readonly text: string;
  readonly expression: Expression;
  readonly max: number;
}

/** The format of an input. */
export interface Layout {
  readonly ending: Ending;
  readonly head: Shape | null;
  readonly shape: Shape;
  readonly total: readonly TotalBound[];
}

/** The format of one answer. By default it is `{ label: null, body: LineField }`, which is a line. */
export interface AnswerTree {
  /** The text before the number in the label of an answer, such as `Case #`; null if answers have no labels. */
  readonly label: string | null;
  /** The answer after its label. Null: all text up to the next label, or the whole output if answers have no labels. */
  readonly body: Field | RecordTree | null;
}

/** Bounds by the names of fields, such as `{ n: [1, 4] }`. */
export type NamedBounds = Readonly<Record<string, readonly [number, number]>>;

/** The value of a record: one property for each field. */
export type RecordValue = Readonly<Record<string, unknown>>;
