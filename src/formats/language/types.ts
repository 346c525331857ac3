/**
 * The types that the author of a problem sees: those of the values that `solve` receives, and of the names that a count or a
 * bound may use. This file has no code. At run time, a field is only a plain node of tree.ts.
 *
 * Each field has two phantom types, properties that exist for the compiler alone: its value in `solve`, and the names that its
 * counts and bounds need. A layout compares the needed names with the names that can be read before. The compiler cannot see
 * the order of the properties of a record, so check-tree.ts finds names that are read too late.
 */
import type { AnswerTree, ElementCount, Layout } from './tree.js';

declare const VALUE: unique symbol;
declare const NEEDS: unique symbol;
declare const IS_INT: unique symbol;
declare const TAGS: unique symbol;
declare const TAGS_OF_LIST: unique symbol;
declare const CASE: unique symbol;
declare const HEAD: unique symbol;
declare const ANSWER: unique symbol;

/** A field, with the type of its value in `solve` and the names that its counts and bounds need. */
export interface FieldOf<Value, Needs extends string = never> {
  readonly [VALUE]: Value;
  readonly [NEEDS]: Needs;
}

/** The field that `int` returns. Counts and bounds may name it. */
export interface IntField<Needs extends string = never> extends FieldOf<number, Needs> {
  readonly [IS_INT]: true;
}

/** The field that `bigint` returns. Counts and bounds may name it, and then its value must be a safe integer. */
export interface BigintField<Needs extends string = never> extends FieldOf<bigint, Needs> {
  readonly [IS_INT]: true;
}

/** Records whose first token, the tag, decides which fields follow it. */
export interface EitherOf<Value, Needs extends string, Tags extends string> extends FieldOf<Value, Needs> {
  readonly [TAGS]: Tags;
}

/** A list of records with tags. Expressions may use `count(name, tag)` with its name. */
export interface TaggedList<Value, Needs extends string, Tags extends string> extends FieldOf<Value, Needs> {
  readonly [TAGS_OF_LIST]: Tags;
}

/** A record: an object that has fields by their names. */
export type Fields = { readonly [name: string]: FieldOf<unknown, string> };

/** One record, or an array with a record for each line of the input (`{}` is an empty line). */
export type FieldsOfCase = Fields | readonly Fields[];

/** A count: a number, an expression over ints that were read before, `until(...)` or `many`. */
export type CountOf = number | string | UnstatedCount;

/** The count that `until(...)` and `many` return. */
export type UnstatedCount = Extract<
  ElementCount,
  { kind: 'until-token' | 'until-line-end' | 'until-blank-line' | 'many' }
>;

/** A bound: a number, or an expression over ints that were read before. */
export type BoundOf = number | string;

/** The value of a `grid`. */
export interface Grid {
  readonly rows: number;
  readonly cols: number;
  /** The cell in row i and column j, both from 0, is `cells[i * cols + j]`: the index of its letter in the letters. */
  readonly cells: Uint8Array;
  readonly lines: readonly string[];
}

/** The value of a `table`. */
export interface Table {
  readonly rows: number;
  readonly cols: number;
  /** The number in row i and column j, both from 0, is `cells[i * cols + j]`. */
  readonly cells: Float64Array;
}

// Values

export type ValueOf<Field> = Field extends { readonly [VALUE]: infer Value } ? Value : never;

/** The same type, written out as one object type, as editors should show it. Unions are written out, too. */
export type ShownInFull<T> = T extends unknown ? { [Name in keyof T]: T[Name] } : never;

/** The type of the value of a record. */
export type Values<Record> = { -readonly [Name in keyof Record]: ValueOf<Record[Name]> };

/** All records of a shape, combined into one record. */
export type MergedRecords<Shape> = Shape extends readonly [infer First, ...infer Rest]
  ? First & MergedRecords<Rest>
  : Shape extends readonly []
    ? NoFields
    : Shape;

/** The record without fields. */
// biome-ignore lint/complexity/noBannedTypes: `{}` is the neutral element of `&`, which is what Flat needs.
export type NoFields = {};

/** The tokens of the key of a variant: `T F U` is three tags. */
export type TagsInKey<Key> = Key extends `${infer First} ${infer Rest}` ? First | TagsInKey<Rest> : Key;

/** The type of the value of an `either`: a union whose members differ in the property `Tag`. */
export type Variants<Tag extends string, Records> = {
  [Key in keyof Records]: ShownInFull<{ [T in Tag]: TagsInKey<Key> } & Values<Records[Key]>>;
}[keyof Records];

// Names in expressions

/** The characters that end a name in an expression. */
type NameEnd = ' ' | '+' | '-' | '*' | '/' | '%' | '^' | '(' | ')' | ',' | '<' | '>' | '=' | '!';

/**
 * The names in the text of an expression. `(2*n-1)*m` has the names `n` and `m`, and `2*count(queries, 2)` has the name
 * `count(queries, 2)`. A text that is not known when the program is compiled is checked when the problem is defined.
 */
export type NamesIn<Text> = Text extends string
  ? string extends Text
    ? never
    : Text extends `${infer Before}count(${infer List},${infer Tag})${infer After}`
      ? `count(${Trim<List>}, ${Trim<Tag>})` | NamesIn<`${Before}0${After}`>
      : SplitAtNameEnds<Text>
  : never;

type Trim<Text extends string> = Text extends ` ${infer Rest}` | `${infer Rest} ` ? Trim<Rest> : Text;

/** Collects the words of a text in `Found`. `Word` is the part of the current word that was read so far. */
type SplitAtNameEnds<
  Text extends string,
  Word extends string = '',
  Found extends string = never,
> = Text extends `${infer Character}${infer Rest}`
  ? Character extends NameEnd
    ? SplitAtNameEnds<Rest, '', Found | UnlessNumber<Word>>
    : SplitAtNameEnds<Rest, `${Word}${Character}`, Found>
  : Found | UnlessNumber<Word>;

type UnlessNumber<Word extends string> = Word extends '' | `${number}` ? never : Word;

// Which names an expression may use

export type NeedsOf<Field> = Field extends { readonly [NEEDS]: infer Needs extends string } ? Needs : never;

/** The names of the ints and bigints of a record. */
export type IntNames<Record> = {
  [Name in keyof Record]: Record[Name] extends { readonly [IS_INT]: true } ? Name : never;
}[keyof Record] &
  string;

/** The names `count(list, tag)` for each list of a record and each of its tags. */
type CountNames<Record> = {
  [Name in keyof Record & string]: Record[Name] extends { readonly [TAGS_OF_LIST]: infer Tags extends string }
    ? `count(${Name}, ${Tags})`
    : never;
}[keyof Record & string];

/** All names of a record that expressions may use. */
export type NamesOf<Record> = IntNames<Record> | CountNames<Record>;

/** The names that the fields of a record use and that the record itself does not have. */
export type NamesNotInRecord<Record> = Exclude<
  { [Name in keyof Record]: NeedsOf<Record[Name]> }[keyof Record],
  NamesOf<Record>
>;

/** The tags of the records of a list of an `either`. */
export type TagsOf<Either> = Either extends { readonly [TAGS]: infer Tags extends string } ? Tags : never;

/**
 * The record itself, if it has all names that its fields use. Otherwise the type of the wrong field becomes a sentence, which
 * the compiler shows in its error message. `Outer` has the names that were read before the record.
 */
type Checked<Record, Outer extends string> = {
  [Name in keyof Record]: [UnknownNames<Record, Name, Outer>] extends [never]
    ? Record[Name]
    : `no int '${UnknownNames<Record, Name, Outer>}' is read before '${Name & string}'`;
};

type UnknownNames<Record, Name extends keyof Record, Outer extends string> = Exclude<
  NeedsOf<Record[Name]>,
  Exclude<NamesOf<Record>, Name> | Outer
>;

/** The check of `Checked` for a record or for an array of lines. A line may use the names of the lines before it. */
export type CheckedShape<Shape, Outer extends string> = Shape extends readonly Fields[]
  ? CheckedLines<Shape, Outer>
  : Checked<Shape, Outer>;

type CheckedLines<Lines, Outer extends string> = Lines extends readonly [infer First, ...infer Rest]
  ? [Checked<First, Outer>, ...CheckedLines<Rest, Outer | NamesOf<First>>]
  : [];

// Layouts and answers

/** The format of an input. `Case` and `Head` are the types of the fields. */
export interface LayoutOf<Case, Head> extends Layout {
  readonly [CASE]: Case;
  readonly [HEAD]: Head;
}

/** An answer with the label that `labelled` describes. */
export interface Labelled<Answer> extends AnswerTree {
  readonly [ANSWER]: Answer;
}

/** What `answer` of `defineProblem` may be: a field, a record, an `either`, or `labelled` around one of them. */
export type AnswerFields = FieldOf<unknown, string> | Fields;

/** The answer itself, if the case has all names that it uses; otherwise a sentence, as in `Checked`. */
export type CheckedAnswer<Answer, Outer extends string> =
  Answer extends Labelled<infer Inner>
    ? Labelled<CheckedAnswer<Inner, Outer>>
    : Answer extends { readonly [NEEDS]: unknown }
      ? [Exclude<NeedsOf<Answer>, Outer>] extends [never]
        ? Answer
        : `no int '${Exclude<NeedsOf<Answer>, Outer>}' in the case`
      : Checked<Answer, Outer>;

/** The type of the answers that `equal` receives. By default an answer is a line. */
export type AnswerValue<Answer> =
  Answer extends Labelled<infer Inner>
    ? AnswerValue<Inner>
    : Answer extends { readonly [VALUE]: infer Value }
      ? Value
      : Answer extends Fields
        ? ShownInFull<Values<Answer>>
        : string;
