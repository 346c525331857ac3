/** The functions with which an author describes fields. Each returns a node of tree.ts, with a type for the compiler. */
import { splitIntoWords } from '../../core/words.js';
import { AuthorError, markPlaceholder, showValue } from './author-error.js';
import { constantExpression, parseExpression } from './expression.js';
import type {
  Bound,
  EitherField,
  ElementCount,
  Expression,
  Field,
  LineField,
  ListField,
  NamedField,
  RecordTree,
} from './tree.js';
import type {
  BigintField,
  BoundOf,
  CountOf,
  EitherOf,
  FieldOf,
  Fields,
  Grid,
  IntField,
  NamesIn,
  NamesNotInRecord,
  NeedsOf,
  ShownInFull,
  Table,
  TaggedList,
  TagsInKey,
  TagsOf,
  UnstatedCount,
  ValueOf,
  Values,
  Variants,
} from './types.js';

/** The small letters of the alphabet, as the `letters` of a word or a grid. */
export const lower = 'abcdefghijklmnopqrstuvwxyz';
/** The capital letters of the alphabet. */
export const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** The ten digits. */
export const digits = '0123456789';

/** A safe integer, as a number. Counts and bounds of later fields may name it. */
export function int<const Min extends BoundOf = number, const Max extends BoundOf = number>(
  min?: Min,
  max?: Max,
): IntField<NamesIn<Min> | NamesIn<Max>> {
  return typed({ kind: 'scalar', of: 'int', ...bounds(min, max), decimals: null, description: null });
}

/** An integer of any size, as a bigint. If counts or bounds of later fields name it, it must be a safe integer. */
export function bigint<
  const Min extends BoundOf | bigint = number,
  const Max extends BoundOf | bigint = number,
>(min?: Min, max?: Max): BigintField<NamesIn<Min> | NamesIn<Max>> {
  return typed({
    kind: 'scalar',
    of: 'bigint',
    ...bigintBounds(min, max),
    decimals: null,
    description: null,
  });
}

/** A decimal number with at most `decimals` digits after the point, as a number. */
export function number<const Min extends BoundOf = number, const Max extends BoundOf = number>(
  min?: Min,
  max?: Max,
  decimals?: number,
): FieldOf<number, NamesIn<Min> | NamesIn<Max>> {
  return typed({
    kind: 'scalar',
    of: 'number',
    ...bounds(min, max),
    decimals: decimals ?? null,
    description: null,
  });
}

/** A word without whitespace. `letters` has all letters that may occur in the word. */
export function word(letters?: string): FieldOf<string> {
  return typed({ kind: 'word', letters: letters ?? null });
}

/**
 * The rest of the current line, or if that is blank, the next line that is not blank. With `empty`, exactly the next line, even
 * if it is empty.
 */
export function line(options: { readonly empty?: boolean } = {}): FieldOf<string> {
  return typed(toLine(options));
}

/**
 * Integers of 32 bits, as an Int32Array. `count` is a number, an expression such as `2*n`, `until(...)` or `many`.
 *
 * @typeParam C The count. The names that it uses must be fields of the case.
 * @typeParam Min The smallest value: a number, or an expression with names of the case.
 * @typeParam Max The largest value.
 */
export function ints<
  const C extends CountOf,
  const Min extends BoundOf = number,
  const Max extends BoundOf = number,
>(count: C, min?: Min, max?: Max): FieldOf<Int32Array, NamesIn<C> | NamesIn<Min> | NamesIn<Max>> {
  return typed({ kind: 'numbers', of: 'int32', count: toCount(count), ...bounds(min, max), decimals: null });
}

/**
 * Safe integers, as a Float64Array.
 *
 * @typeParam C The count. The names that it uses must be fields of the case.
 * @typeParam Min The smallest value: a number, or an expression with names of the case.
 * @typeParam Max The largest value.
 */
export function safeInts<
  const C extends CountOf,
  const Min extends BoundOf = number,
  const Max extends BoundOf = number,
>(count: C, min?: Min, max?: Max): FieldOf<Float64Array, NamesIn<C> | NamesIn<Min> | NamesIn<Max>> {
  return typed({
    kind: 'numbers',
    of: 'safe-int',
    count: toCount(count),
    ...bounds(min, max),
    decimals: null,
  });
}

/**
 * Decimal numbers with at most `decimals` digits after the point, as a Float64Array.
 *
 * @typeParam C The count. The names that it uses must be fields of the case.
 * @typeParam Min The smallest value: a number, or an expression with names of the case.
 * @typeParam Max The largest value.
 */
export function numbers<
  const C extends CountOf,
  const Min extends BoundOf = number,
  const Max extends BoundOf = number,
>(
  count: C,
  min?: Min,
  max?: Max,
  decimals?: number,
): FieldOf<Float64Array, NamesIn<C> | NamesIn<Min> | NamesIn<Max>> {
  return typed({
    kind: 'numbers',
    of: 'number',
    count: toCount(count),
    ...bounds(min, max),
    decimals: decimals ?? null,
  });
}

/**
 * Integers of 64 bits, as a BigInt64Array.
 *
 * @typeParam C The count. The names that it uses must be fields of the case.
 * @typeParam Min The smallest value: a number, or an expression with names of the case.
 * @typeParam Max The largest value.
 */
export function bigints<
  const C extends CountOf,
  const Min extends BoundOf | bigint = number,
  const Max extends BoundOf | bigint = number,
>(count: C, min?: Min, max?: Max): FieldOf<BigInt64Array, NamesIn<C> | NamesIn<Min> | NamesIn<Max>> {
  return typed({
    kind: 'numbers',
    of: 'bigint',
    count: toCount(count),
    ...bigintBounds(min, max),
    decimals: null,
  });
}

/** Words without whitespace. `letters` has all letters that may occur in them. */
export function words<const C extends CountOf>(count: C, letters?: string): FieldOf<string[], NamesIn<C>> {
  return typed({ kind: 'words', count: toCount(count), letters: letters ?? null });
}

/** Whole lines, as texts without their line ends. Empty lines are skipped. */
export function lines<const C extends CountOf>(count: C): FieldOf<string[], NamesIn<C>> {
  return typed({ kind: 'lines', count: toCount(count) });
}

/** Rows of letters, such as a board. Each row is a word of `cols` letters. `letters` has all letters that may occur. */
export function grid<const Rows extends CountOf, const Cols extends CountOf>(
  rows: Rows,
  cols: Cols,
  letters: string,
): FieldOf<Grid, NamesIn<Rows> | NamesIn<Cols>> {
  return typed({ kind: 'grid', rows: toCount(rows), cols: toCount(cols), letters: [letters] });
}

/**
 * Rows of numbers with whitespace between them.
 *
 * @typeParam Rows The number of rows, as a count.
 * @typeParam Cols The number of columns, as a count.
 * @typeParam Min The smallest value: a number, or an expression with names of the case.
 * @typeParam Max The largest value.
 */
export function table<
  const Rows extends CountOf,
  const Cols extends CountOf,
  const Min extends BoundOf = number,
  const Max extends BoundOf = number,
>(
  rows: Rows,
  cols: Cols,
  min?: Min,
  max?: Max,
): FieldOf<Table, NamesIn<Rows> | NamesIn<Cols> | NamesIn<Min> | NamesIn<Max>> {
  return typed({ kind: 'table', rows: toCount(rows), cols: toCount(cols), ...bounds(min, max) });
}

/** A list of records, as an array. `of` is a record or an `either`. */
export function list<const C extends CountOf, Either extends EitherOf<unknown, string, string>>(
  count: C,
  of: Either,
): TaggedList<ValueOf<Either>[], NamesIn<C> | NeedsOf<Either>, TagsOf<Either>>;
export function list<const C extends CountOf, Record extends Fields>(
  count: C,
  of: Record,
): FieldOf<ShownInFull<Values<Record>>[], NamesIn<C> | NamesNotInRecord<Record>>;
export function list(count: CountOf, of: unknown): FieldOf<unknown[], string> {
  return typed({ kind: 'list', count: toCount(count), of: toListElement(of) });
}

/**
 * A record whose first token, the tag, decides which fields follow. Each key of `variants` is a tag, or several tags with
 * whitespace between them. The property `tag` of the value holds the tag that was read.
 */
export function either<const Tag extends string, Records extends { readonly [tokens: string]: Fields }>(
  tag: Tag,
  variants: Records,
): EitherOf<
  ShownInFull<Variants<Tag, Records>>,
  { [Key in keyof Records]: NamesNotInRecord<Records[Key]> }[keyof Records],
  TagsInKey<keyof Records & string>
> {
  return typed(toEither(tag, variants));
}

/**
 * As a count: elements up to and including the token `end`. With `'\n'`, up to the end of the line, which may be empty; with
 * `'\n\n'`, up to a blank line.
 */
export function until(end: string): UnstatedCount {
  if (end === '\n') return { kind: 'until-line-end' };
  if (end === '\n\n') return { kind: 'until-blank-line' };
  return { kind: 'until-token', token: end };
}

/** As a count: elements as long as the next token can be one. */
export const many: UnstatedCount = { kind: 'many' };

/** Adds types to a node for the compiler. At run time, the node is unchanged. */
function typed<T>(node: Field): T {
  return node as unknown as T;
}

const FIELD_KINDS: ReadonlySet<unknown> = new Set<Field['kind']>([
  'scalar',
  'word',
  'line',
  'numbers',
  'words',
  'lines',
  'grid',
  'table',
  'list',
  'either',
]);

/** Whether the value is a field, and not a record that happens to have a field named `kind`. */
export function isField(value: unknown): value is Field {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'kind')) return false;
  return FIELD_KINDS.has((value as { readonly kind: unknown }).kind);
}

function toLine(options: unknown): LineField {
  const { empty = false, ...others } = (options ?? {}) as { readonly empty?: unknown };
  const node: LineField = { kind: 'line', mayBeEmpty: empty === true };
  if (typeof options === 'object' && typeof empty === 'boolean' && Object.keys(others).length === 0)
    return node;
  return markPlaceholder(node, 'line(...) expects nothing, { empty: true } or { empty: false }');
}

const OPEN_COUNTS: ReadonlySet<unknown> = new Set<UnstatedCount['kind']>([
  'until-token',
  'until-line-end',
  'until-blank-line',
  'many',
]);

/** Explains a bound that is NaN: the author has calculated with a field, which is an object and not a number. */
const CALCULATED = 'NaN; an expression over fields is a text, such as "2*n" for twice the field n';

function toCount(count: unknown): ElementCount {
  if (Number.isNaN(count)) return standInExpression(`expected a count, got ${CALCULATED}`);
  if (typeof count === 'number') return constantExpression(count);
  if (typeof count === 'string') return toExpression(count);
  if (typeof count === 'object' && OPEN_COUNTS.has((count as UnstatedCount | null)?.kind))
    return count as UnstatedCount;
  return standInExpression(
    `expected a count (a number, an expression such as "2*n", until(...) or many), got ${showValue(count)}`,
  );
}

interface Bounds {
  readonly min: Bound;
  readonly max: Bound;
}

function bounds(min: unknown, max: unknown): Bounds {
  return { min: toBound(min), max: toBound(max) };
}

function bigintBounds(min: unknown, max: unknown): Bounds {
  return { min: toBigintBound(min), max: toBigintBound(max) };
}

function toBound(bound: unknown): Bound {
  if (bound === undefined || bound === null) return null;
  if (Number.isNaN(bound)) return standInExpression(`expected a bound, got ${CALCULATED}`);
  if (typeof bound === 'number') return constantExpression(bound);
  if (typeof bound === 'string') return toExpression(bound);
  return standInExpression(
    `expected a bound (a number or an expression such as "2*n"), got ${showValue(bound)}`,
  );
}

/** Converts a bound like `toBound`. The bound may be an integer of any size: `10n ** 18n`, `1e18` or a text of digits. */
function toBigintBound(bound: unknown): Bound {
  const isInteger =
    typeof bound === 'bigint' ||
    (typeof bound === 'number' && Number.isInteger(bound)) ||
    (typeof bound === 'string' && /^\s*-?\d+\s*$/.test(bound));
  if (!isInteger) return toBound(bound);
  const value = BigInt(bound as bigint | number | string);
  return Number.isSafeInteger(Number(value))
    ? constantExpression(Number(value))
    : { kind: 'large-constant', digits: value.toString() };
}

function toExpression(text: string): Expression {
  try {
    return parseExpression(text);
  } catch (error) {
    if (error instanceof AuthorError) return standInExpression(error.message);
    throw error;
  }
}

function standInExpression(mistake: string): Expression {
  return markPlaceholder(constantExpression(0), mistake);
}

/** Converts an author's object of fields to a record of the tree. */
export function toRecord(value: unknown): RecordTree {
  const mistake = findRecordMistake(value);
  if (mistake !== null) return markPlaceholder({ kind: 'record', fields: [] }, mistake);
  const fields = Object.entries(value as object).map(
    ([name, field]): NamedField => ({ name, field: toField(field) }),
  );
  return { kind: 'record', fields };
}

function toField(value: unknown): Field {
  if (isField(value)) return value;
  return markPlaceholder<Field>(
    { kind: 'word', letters: null },
    `expected a field such as int() or word(), got ${showValue(value)}`,
  );
}

function findRecordMistake(value: unknown): string | null {
  const expected = 'expected a record of fields such as { n: int() }';
  if (isField(value)) return `${expected}, got a field`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `${expected}, got ${showValue(value)}`;
  }
  return isPlain(value) ? null : `${expected}, got an object with a prototype (no name may be "__proto__")`;
}

/** Whether the object was made by `{ ... }` or has no prototype. The literal `{ __proto__: int() }` has another prototype. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function toListElement(of: unknown): ListField['of'] {
  if (!isField(of)) return toRecord(of);
  if (of.kind === 'either') return of;
  return markPlaceholder<RecordTree>(
    { kind: 'record', fields: [] },
    'expected the elements to be a record such as { x: int() } or an either(...), got another field',
  );
}

function toEither(tag: unknown, variants: unknown): EitherField {
  const node = {
    kind: 'either',
    tag: typeof tag === 'string' ? tag : '',
    variants: toVariants(variants),
  } as const;
  if (typeof tag !== 'string')
    return markPlaceholder(node, `expected the name of the tag, got ${showValue(tag)}`);
  if (node.variants.length > 0 && !isField(variants) && isPlain(variants as object)) return node;
  return markPlaceholder(node, 'expected tags and their records, such as { "1": { x: int() }, "2": {} }');
}

function toVariants(variants: unknown): EitherField['variants'] {
  if (typeof variants !== 'object' || variants === null) return [];
  return Object.entries(variants).map(([key, record]) => ({
    tags: splitIntoWords(key),
    record: toRecord(record),
  }));
}
