/** Compiles the fields of a tree into functions that read the values of a case and check every byte of it. */
import { isDigit, isWhitespace } from '../../core/bytes.js';
import { joinWithOr } from '../../core/words.js';
import { compileWordTest, findInvalidUtf8 } from '../language/letters.js';
import {
  type ArrayStart,
  findArraysAfterTokens,
  kindOfArrayStart,
  type NeverEmptyArrays,
  type RecordLayout,
  recordsThatMayBeEmptyLines,
  tagsOfEither,
} from '../language/shapes.js';
import type {
  EitherField,
  LineField,
  LinesField,
  ListField,
  NamedField,
  NumberField,
  RecordTree,
  Shape,
  WordField,
  WordsField,
} from '../language/tree.js';
import type { CaseCursor, MutableRecord, ReadFields } from './case-cursor.js';
import { SlotScope } from './compile-expression.js';
import { type ArrayLength, compileArrayLength, forEachElement } from './counts.js';
import { READ_OK, STRUCTURE_LOST } from './cursor.js';
import { MAX_EXACT_DIGITS, MINUS_BYTE, ZERO_BYTE } from './numbers.js';
import { compileArrayReader, compileTableReader } from './parse-arrays.js';
import { compileGridReader } from './parse-grid.js';
import { elementName, type FieldNameOf, reportEndlessArray } from './parse-names.js';
import { compileLargeNumberBounds, compileNumberBounds, isInLargeRange, numberParserOf } from './ranges.js';
import type { FieldCompilation, ReadingRules } from './reading-rules.js';
import type { ScanPlan } from './scan.js';
import { compileTagSearch, TagSlots } from './tags.js';

/** What the compilation of a field needs besides the field. */
interface Place extends FieldCompilation {
  /** The names of the integers that must be known to read the rest of the case. */
  readonly needed: ReadonlySet<string>;
  /** The text before the names of fields in messages, such as `edges[2].`. */
  readonly prefix: FieldNameOf;
  /** The number of lists around the field. */
  readonly depth: number;
  readonly neverEmpty: NeverEmptyArrays;
}

export function compileShapeReader(
  shape: Shape,
  context: FieldCompilation,
  { needed, neverEmpty }: Pick<ScanPlan, 'needed' | 'neverEmpty'>,
): ReadFields {
  const place = { ...context, needed, prefix: () => '', depth: 0, neverEmpty };
  const isLines = shape.kind === 'lines';
  const mayBeEmptyLines = recordsThatMayBeEmptyLines(shape);
  return inOrder(
    shape.records.map((record) => {
      const read = compileRecord(record, place, isLines ? 'line' : 'lines');
      return mayBeEmptyLines.has(record) ? orEmptyLine(read) : read;
    }),
  );
}

/** Compiles the reader of a record whose arrays need not begin on a new line. */
export function compileRecordReader(record: RecordTree, context: FieldCompilation): ReadFields {
  const neverEmpty = findArraysAfterTokens([record]);
  const place = { ...context, needed: new Set<string>(), prefix: () => '', depth: 0, neverEmpty };
  return compileRecord(record, place, 'line');
}

/** A record without tokens is an empty line. That line must be there only if empty lines matter. */
function orEmptyLine(read: ReadFields): ReadFields {
  return (cursor, target) => {
    const { at } = cursor;
    const status = read(cursor, target);
    return status === READ_OK && cursor.at === at ? cursor.skipEmptyLine() : status;
  };
}

function inOrder(readers: readonly ReadFields[]): ReadFields {
  if (readers.length === 1) return readers[0];
  return (cursor, target) => {
    for (const read of readers) if (read(cursor, target) === STRUCTURE_LOST) return STRUCTURE_LOST;
    return READ_OK;
  };
}

function compileRecord(record: RecordTree, place: Place, layout: RecordLayout): ReadFields {
  const { neverEmpty, rules } = place;
  return inOrder(
    record.fields.map((named, index) =>
      compileField(named, place, kindOfArrayStart(record, index, layout, neverEmpty, rules.isAnswer)),
    ),
  );
}

function compileField({ name, field }: NamedField, place: Place, start: ArrayStart): ReadFields {
  const nameOf: FieldNameOf = (cursor) => place.prefix(cursor) + name;
  switch (field.kind) {
    case 'scalar':
      return compileScalar(name, field, nameOf, place);
    case 'word':
      return readOneText(name, nameOf, wordReader(field, place.rules));
    case 'line':
      return readOneText(name, nameOf, lineReader(field, place.rules));
    case 'words':
      return compileTexts(
        name,
        nameOf,
        compileArrayLength(field.count, field, place, start),
        wordReader(field, place.rules),
      );
    case 'lines':
      return compileTexts(
        name,
        nameOf,
        compileArrayLength(field.count, field, place, start),
        lineReader(field, place.rules),
      );
    case 'numbers':
      return compileArrayReader(
        name,
        field,
        nameOf,
        place,
        compileArrayLength(field.count, field, place, start),
      );
    case 'table':
      return compileTableReader(name, field, nameOf, place);
    case 'grid':
      return compileGridReader(name, field, nameOf, place);
    case 'list':
      return compileList(name, field, nameOf, place, start);
    case 'either':
      return nested(name, compileEither(field, nameOf, place, null));
  }
}

function compileScalar(name: string, field: NumberField, nameOf: FieldNameOf, place: Place): ReadFields {
  const { description } = field;
  const describedName: FieldNameOf = description === null ? nameOf : () => description;
  if (field.of === 'bigint') return compileBigInt(name, field, describedName, place);
  const range = compileNumberBounds(field, place.scope);
  const slot = field.of === 'int' ? place.scope.declare(name) : -1;
  const parse = numberParserOf(field, place.rules);
  const isNeeded = field.of === 'int' && place.needed.has(name);
  const expected = (cursor: CaseCursor, got: number) =>
    `${describedName(cursor)} ${range.describe(cursor.environment, got)}`;
  const mayBePlain = field.of === 'int' && field.isCount !== true && !place.rules.isAnswer;
  return (cursor, target) => {
    const plain = mayBePlain ? findPlainInteger(cursor) : Number.NaN;
    if (Number.isNaN(plain) && cursor.findToken() !== READ_OK)
      return cursor.reportMissing(expected(cursor, Number.NaN));
    const { bytes, from, to, environment } = cursor;
    const value = Number.isNaN(plain) ? parse(bytes, from, to) : plain;
    cursor.passToken();
    target[name] = value;
    if (slot >= 0) environment[slot] = value;
    const isGood =
      value >= range.low(environment) &&
      value <= range.high(environment) &&
      (range.hasFewDecimals === null || range.hasFewDecimals(bytes, from, to));
    if (isGood) return READ_OK;
    if (isNeeded && !Number.isSafeInteger(value)) return cursor.reportLost(from, expected(cursor, value));
    return cursor.report(from, expected(cursor, value));
  };
}

/**
 * Finds the next token, as `findToken` does, and returns the integer that it is. Returns NaN, and has found nothing, if the
 * token is not an integer of few digits, if more than one whitespace character comes before it, or none after it.
 */
function findPlainInteger(cursor: CaseCursor): number {
  const { bytes, end } = cursor;
  const from = isWhitespace(bytes[cursor.at]) ? cursor.at + 1 : cursor.at;
  const isNegative = bytes[from] === MINUS_BYTE;
  const first = isNegative ? from + 1 : from;
  let value = 0;
  let at = first;
  for (; at < end && isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] - ZERO_BYTE);
  if (at === first || at === end || at - first > MAX_EXACT_DIGITS || !isWhitespace(bytes[at]))
    return Number.NaN;
  cursor.from = from;
  cursor.to = at;
  return isNegative ? 0 - value : value;
}

function compileBigInt(
  name: string,
  field: NumberField,
  nameOf: FieldNameOf,
  { scope, rules }: FieldCompilation,
): ReadFields {
  const range = compileLargeNumberBounds(field, scope);
  const parseSmall = numberParserOf(field, rules);
  const slot = scope.declare(name);
  return (cursor, target) => {
    const { environment } = cursor;
    const expected = () => `${nameOf(cursor)} ${range.describe(environment)}`;
    if (cursor.findToken() !== READ_OK) return cursor.reportMissing(expected());
    const { bytes, from, to } = cursor;
    const small = parseSmall(bytes, from, to);
    const value = Number.isNaN(small) ? null : rules.parseBigInteger(bytes, from, to);
    cursor.passToken();
    target[name] = value;
    const isInRange = value !== null && isInLargeRange(value, range, environment);
    if (scope.isNamed(slot) && !Number.isSafeInteger(small))
      return cursor.reportLost(from, isInRange ? `${nameOf(cursor)} ${describeSafe(small)}` : expected());
    environment[slot] = small;
    return isInRange ? READ_OK : cursor.report(from, expected());
  };
}

/** Describes the allowed values of a bigint that a count or a bound uses. Shown for a value that is not a safe integer. */
function describeSafe(value: number): string {
  const limit = value > 0 ? `at most ${Number.MAX_SAFE_INTEGER}` : `at least ${Number.MIN_SAFE_INTEGER}`;
  return `(an integer of ${limit}, because a count or a bound names it)`;
}

/** Reads a word or a line. Returns null if the parser should stop. `name` is called only to make a message. */
type ReadText = (cursor: CaseCursor, name: () => string) => string | null;

function readOneText(name: string, nameOf: FieldNameOf, read: ReadText): ReadFields {
  return (cursor, target) => {
    const text = read(cursor, () => nameOf(cursor));
    if (text === null) return STRUCTURE_LOST;
    target[name] = text;
    return READ_OK;
  };
}

function wordReader({ letters }: WordField | WordsField, rules: ReadingRules): ReadText {
  const hasLetters = compileWordTest(letters);
  const hint = letters === null ? '(a word)' : `(a word of the letters "${letters}")`;
  return (cursor, name) => {
    if (cursor.findToken() !== READ_OK) {
      cursor.reportMissing(`${name()} ${hint}`);
      return null;
    }
    cursor.passToken();
    const { bytes, from, to } = cursor;
    if (!hasLetters(bytes, from, to) && cursor.report(from, `${name()} ${hint}`) === STRUCTURE_LOST)
      return null;
    return decode(cursor, rules, name);
  };
}

function lineReader(field: LineField | LinesField, rules: ReadingRules): ReadText {
  const mayBeEmpty = field.kind === 'line' && field.mayBeEmpty;
  return (cursor, name) => {
    if (cursor.skipLine(mayBeEmpty) === READ_OK) return decode(cursor, rules, name);
    cursor.reportMissing(`${name()} (a line)`);
    return null;
  };
}

/** Decodes the last token or line that was found. If it is not UTF-8 and the parser continues, the text is empty. */
function decode(cursor: CaseCursor, rules: ReadingRules, name: () => string): string | null {
  const { bytes, from, to } = cursor;
  const text = rules.decode(bytes, from, to);
  if (text !== null) return text;
  return cursor.report(findInvalidUtf8(bytes, from, to), `${name()} (text in UTF-8)`) === STRUCTURE_LOST
    ? null
    : '';
}

function compileTexts(name: string, nameOf: FieldNameOf, length: ArrayLength, read: ReadText): ReadFields {
  return (cursor, target) => {
    const texts: string[] = [];
    target[name] = texts;
    const status = forEachElement(cursor, length, (inner, index) => {
      const text = read(inner, () => elementName(inner, nameOf, length, index));
      if (text === null) return STRUCTURE_LOST;
      texts.push(text);
      return READ_OK;
    });
    return status === READ_OK ? READ_OK : reportEndlessArray(cursor, nameOf, length, texts.length);
  };
}

function compileList(
  name: string,
  field: ListField,
  nameOf: FieldNameOf,
  place: Place,
  start: ArrayStart,
): ReadFields {
  const { depth } = place;
  const length = compileArrayLength(field.count, field, place, start);
  const tags = field.of.kind === 'either' ? new TagSlots(name, field.of, place.scope) : null;
  const element: FieldNameOf = (cursor) => `${nameOf(cursor)}[${cursor.indices[depth] + 1}]`;
  const inner = { ...place, scope: new SlotScope(place.scope), prefix: prefixOf(element), depth: depth + 1 };
  const read =
    field.of.kind === 'either'
      ? compileEither(field.of, element, inner, tags)
      : compileRecord(field.of, inner, 'element');
  return (cursor, target) => {
    const records: MutableRecord[] = [];
    target[name] = records;
    tags?.reset(cursor.environment);
    const status = forEachElement(cursor, length, (current, index) => {
      current.indices[depth] = index;
      const record: MutableRecord = {};
      records.push(record);
      return read(current, record);
    });
    return status === READ_OK ? READ_OK : reportEndlessArray(cursor, nameOf, length, records.length);
  };
}

const prefixOf =
  (nameOf: FieldNameOf): FieldNameOf =>
  (cursor) =>
    `${nameOf(cursor)}.`;

/** Returns a function that reads the fields into a new record, which becomes the field `name` of the target. */
function nested(name: string, read: ReadFields): ReadFields {
  return (cursor, target) => {
    const record: MutableRecord = {};
    target[name] = record;
    return read(cursor, record);
  };
}

function compileEither(
  field: EitherField,
  nameOf: FieldNameOf,
  place: Place,
  tags: TagSlots | null,
): ReadFields {
  const findVariant = compileTagSearch(field);
  const texts = joinWithOr(tagsOfEither(field).map((tag) => `"${tag}"`));
  const expected: FieldNameOf = (cursor) => `${nameOf(cursor)} (${field.tag}: ${texts})`;
  const readers = field.variants.map(({ record }) => compileVariant(record, nameOf, place));
  return (cursor, target) => {
    if (cursor.findToken() !== READ_OK) return cursor.reportMissing(expected(cursor));
    const tag = findVariant(cursor.bytes, cursor.from, cursor.to);
    if (tag === null) return cursor.reportLost(cursor.from, expected(cursor));
    cursor.passToken();
    tags?.count(cursor.environment, tag);
    target[field.tag] = tag.text;
    return readers[tag.variant](cursor, target);
  };
}

function compileVariant(record: RecordTree, nameOf: FieldNameOf, place: Place): ReadFields {
  const inner = { ...place, scope: new SlotScope(place.scope), prefix: prefixOf(nameOf) };
  return compileRecord(record, inner, 'variant');
}
