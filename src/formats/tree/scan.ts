/**
 * Compiles the fields of a tree into functions that find where the fields end. They read only tags and the numbers that counts
 * name, and skip all other tokens or lines. They find the same end as the parser for every case that the parser accepts, and
 * they also find the end of most invalid cases.
 */
import { isDigit, isWhitespace } from '../../core/bytes.js';
import { lettersExcludeNumbers } from '../language/letters.js';
import {
  type ArrayStart,
  kindOfArrayStart,
  type NeverEmptyArrays,
  type RecordLayout,
  recordsThatMayBeEmptyLines,
} from '../language/shapes.js';
import type {
  EitherField,
  GridField,
  ListField,
  NamedField,
  NumberField,
  RecordTree,
  Shape,
  TableField,
} from '../language/tree.js';
import { SlotScope } from './compile-expression.js';
import {
  type ArrayLength,
  compileArrayLength,
  compileGridLengths,
  forEachElement,
  forEachRow,
  REST_OF_LINE_LENGTH,
  UNKNOWN_WIDTH,
} from './counts.js';
import { type Cursor, MAX_SHORT_TOKEN_BYTES, NEEDS_MORE, READ_OK, type ReadStatus } from './cursor.js';
import { parseInteger, parseShortCount, ZERO_BYTE } from './numbers.js';
import { type FieldCompilation, INPUT_READING_RULES } from './reading-rules.js';
import { compileTagSearch, TagSlots } from './tags.js';

/** Moves the cursor past a field. If the structure of the case is lost, the cursor stays before the token that shows it. */
export type SkipField = (cursor: Cursor) => ReadStatus;

/** What compiling one field of a tree needs to know about the whole tree. */
export interface ScanPlan {
  /** The names whose values the scanner needs. */
  readonly needed: ReadonlySet<string>;
  /** Whether a number where a row of letters is expected is the first number of the next case. */
  readonly nextBeginsWithNumber: boolean;
  readonly neverEmpty: NeverEmptyArrays;
}

export function compileSkip(shape: Shape, scope: SlotScope, plan: ScanPlan): SkipField {
  const isLines = shape.kind === 'lines';
  const mayBeEmptyLines = recordsThatMayBeEmptyLines(shape);
  return inOrder(
    shape.records.map((record) => {
      const skip = compileRecord(record, scope, plan, isLines ? 'line' : 'lines');
      return mayBeEmptyLines.has(record) ? orEmptyLine(skip) : skip;
    }),
  );
}

/** A record without tokens is an empty line. That line must be there only if empty lines matter. */
function orEmptyLine(skip: SkipField): SkipField {
  return (cursor) => {
    const { at } = cursor;
    const status = skip(cursor);
    return status === READ_OK && cursor.at === at ? cursor.skipEmptyLine() : status;
  };
}

function inOrder(skips: readonly SkipField[]): SkipField {
  if (skips.length === 1) return skips[0];
  return (cursor) => {
    for (const skip of skips) {
      const status = skip(cursor);
      if (status !== READ_OK) return status;
    }
    return READ_OK;
  };
}

function compileRecord(
  record: RecordTree,
  scope: SlotScope,
  plan: ScanPlan,
  layout: RecordLayout,
): SkipField {
  return inOrder(
    record.fields.map((named, index) =>
      compileField(named, scope, plan, kindOfArrayStart(record, index, layout, plan.neverEmpty)),
    ),
  );
}

function compileField(
  { name, field }: NamedField,
  scope: SlotScope,
  plan: ScanPlan,
  start: ArrayStart,
): SkipField {
  switch (field.kind) {
    case 'scalar':
      return compileScalar(name, field, scope, plan);
    case 'word':
      return (cursor) => cursor.skipToken();
    case 'line':
      return (cursor) => cursor.skipLine(field.mayBeEmpty);
    case 'numbers':
    case 'words':
      return skipArray(compileArrayLength(field.count, field, inputContext(scope), start), skipTokens);
    case 'lines':
      return skipArray(compileArrayLength(field.count, field, inputContext(scope), start), skipLines);
    case 'table':
      return compileTable(field, scope);
    case 'grid':
      return compileGrid(field, scope, plan);
    case 'list':
      return compileList(name, field, scope, plan, start);
    case 'either':
      return compileEither(field, scope, plan, null);
  }
}

function compileScalar(name: string, field: NumberField, scope: SlotScope, plan: ScanPlan): SkipField {
  const slot = field.of === 'number' ? NO_SLOT : scope.declare(name);
  // This bigint only has the same name as a number in a count, so it may be of any size.
  if (field.of === 'bigint' && !field.isCount)
    return (cursor) =>
      scope.isNamed(slot) ? skipInteger(cursor, slot, skipUnusualInteger) : cursor.skipToken();
  if (slot !== NO_SLOT && plan.needed.has(name)) {
    const skipUnusual = field.isCount ? skipCount : skipUnusualInteger;
    return (cursor) => skipInteger(cursor, slot, skipUnusual);
  }
  return field.isCount ? (cursor) => skipCount(cursor, NO_SLOT) : (cursor) => cursor.skipToken();
}

/** Returns the context for scanning. Only inputs are scanned. */
function inputContext(scope: SlotScope): FieldCompilation {
  return { scope, rules: INPUT_READING_RULES };
}

/** Stands for the slot of a number that no count uses. */
const NO_SLOT = -1;

/** Reads a number whose value is stored in a slot. */
type SkipNumber = (cursor: Cursor, slot: number) => ReadStatus;

/** Reads an integer that a count uses. Integers of few digits with one whitespace character after them have a fast path. */
function skipInteger(cursor: Cursor, slot: number, skipUnusual: SkipNumber): ReadStatus {
  const { bytes, end } = cursor;
  let at = cursor.at;
  while (at < end && isWhitespace(bytes[at])) at++;
  const from = at;
  let value = 0;
  for (; at < end && isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] - ZERO_BYTE);
  if (at > from && at < end && isWhitespace(bytes[at]) && value <= Number.MAX_SAFE_INTEGER) {
    cursor.from = from;
    cursor.to = at;
    cursor.environment[slot] = value;
    cursor.passToken();
    return READ_OK;
  }
  return skipUnusual(cursor, slot);
}

/** Reads a count. If the token is longer than a count can be, only the start of the token is read. */
function skipCount(cursor: Cursor, slot: number): ReadStatus {
  const status = cursor.findStartOfToken(MAX_SHORT_TOKEN_BYTES + 1);
  if (status !== READ_OK) return status;
  const value = parseShortCount(cursor.bytes, cursor.from, cursor.to);
  if (Number.isNaN(value)) return cursor.lose(cursor.to, cursor.to);
  if (slot !== NO_SLOT) cursor.environment[slot] = value;
  cursor.passToken();
  return READ_OK;
}

function skipUnusualInteger(cursor: Cursor, slot: number): ReadStatus {
  const status = cursor.findToken();
  if (status !== READ_OK) return status;
  const value = parseInteger(cursor.bytes, cursor.from, cursor.to);
  if (!Number.isSafeInteger(value)) return cursor.lose(cursor.to, cursor.to);
  cursor.environment[slot] = value;
  cursor.passToken();
  return READ_OK;
}

/** Compiles an array whose elements are skipped `skipMany` at a time. */
function skipArray(length: ArrayLength, skipMany: (cursor: Cursor, count: number) => ReadStatus): SkipField {
  if (!length.isKnown) {
    const skipOne: SkipField = (cursor) => skipMany(cursor, 1);
    return (cursor) => forEachElement(cursor, length, skipOne);
  }
  const { count } = length;
  return (cursor) => {
    const elements = count(cursor.environment);
    return elements < 0 ? cursor.lose(cursor.at, cursor.at) : skipMany(cursor, elements);
  };
}

/**
 * Moves past tokens by counting their ends. The loop has no branch that depends on the lengths of tokens, because processors
 * would mispredict it.
 */
function skipTokens(cursor: Cursor, count: number): ReadStatus {
  if (count === 0) return READ_OK;
  const { bytes, end } = cursor;
  let at = cursor.at;
  let left = count;
  let wasWhitespace = 1;
  for (; at < end; at++) {
    const blank = WHITESPACE[bytes[at]];
    left -= blank & (wasWhitespace ^ 1);
    if (left === 0) break;
    wasWhitespace = blank;
  }
  if (left > 0 && !cursor.atEnd) return NEEDS_MORE;
  // The end of the input also ends a token.
  if (left > (wasWhitespace ^ 1)) return cursor.lose(end, end);
  cursor.at = at;
  cursor.isAtLineStart = false;
  return READ_OK;
}

/** A table that has 1 for whitespace and 0 for other bytes. */
const WHITESPACE = Uint8Array.from({ length: 256 }, (_, byte) => (isWhitespace(byte) ? 1 : 0));

function skipLines(cursor: Cursor, count: number): ReadStatus {
  for (let line = 0; line < count; line++) {
    const status = cursor.skipLine(false);
    if (status !== READ_OK) return status;
  }
  return READ_OK;
}

function compileTable(field: TableField, scope: SlotScope): SkipField {
  const size = compileGridLengths(field, inputContext(scope));
  return (cursor) => forEachRow(cursor, size, skipRowOfTokens);
}

function skipRowOfTokens(cursor: Cursor, width: number): ReadStatus {
  return width === UNKNOWN_WIDTH
    ? forEachElement(cursor, REST_OF_LINE_LENGTH, skipOneToken)
    : skipTokens(cursor, width);
}

function skipOneToken(cursor: Cursor): ReadStatus {
  return cursor.skipToken();
}

function compileGrid(field: GridField, scope: SlotScope, plan: ScanPlan): SkipField {
  const size = compileGridLengths(field, inputContext(scope));
  const hasNoNumbers = plan.nextBeginsWithNumber && lettersExcludeNumbers(field.letters.join(''));
  const isWord = field.letters.length === 1;
  const skipRow = isWord ? skipRowOfOneWord : skipRowOfBlocks;
  return (cursor) => forEachRow(cursor, size, (inner, width) => skipRow(inner, width, hasNoNumbers));
}

/**
 * Moves past a row that is one word. If the row ends at the expected place, and the scanner need not be thorough, the bytes of
 * the row are not read. If `hasNoNumbers`, a number in place of a row begins the next case.
 */
function skipRowOfOneWord(cursor: Cursor, width: number, hasNoNumbers: boolean): ReadStatus {
  if (cursor.isThorough || width === UNKNOWN_WIDTH) return skipCells(cursor, width, hasNoNumbers);
  const { bytes, end } = cursor;
  let at = cursor.at;
  while (at < end && isWhitespace(bytes[at])) at++;
  const rowEnd = at + width;
  const isWhole = rowEnd < end && isWhitespace(bytes[rowEnd]) && !isWhitespace(bytes[rowEnd - 1]);
  if (!isWhole) return skipCells(cursor, width, hasNoNumbers);
  cursor.at = rowEnd;
  cursor.isAtLineStart = false;
  return READ_OK;
}

function skipRowOfBlocks(cursor: Cursor, width: number, hasNoNumbers: boolean): ReadStatus {
  if (width === UNKNOWN_WIDTH) return skipRowOfTokens(cursor, width);
  for (let block = 0; block < width; block++) {
    const status = skipCells(cursor, BLOCK_LETTERS, hasNoNumbers);
    if (status !== READ_OK) return status;
  }
  return READ_OK;
}

/** The number of letters of a cell in a grid with two alphabets. */
const BLOCK_LETTERS = 2;

/**
 * Moves past a token of a grid. If a number may begin the next case, a token of another length loses the structure. Then a
 * longer token is not read to its end.
 */
function skipCells(cursor: Cursor, letters: number, hasNoNumbers: boolean): ReadStatus {
  if (!hasNoNumbers || letters === UNKNOWN_WIDTH) return skipAnyCells(cursor, hasNoNumbers);
  const status = cursor.findStartOfToken(Math.max(letters + 1, MAX_SHORT_TOKEN_BYTES));
  if (status !== READ_OK) return status;
  const { bytes, from, to } = cursor;
  if (isDigit(bytes[from])) return cursor.lose(from, to);
  if (to - from !== letters) return cursor.lose(to, to);
  cursor.passToken();
  return READ_OK;
}

/** Moves past a token of a grid. The token may have any length. */
function skipAnyCells(cursor: Cursor, hasNoNumbers: boolean): ReadStatus {
  const status = cursor.findToken();
  if (status !== READ_OK) return status;
  const { bytes, from, to } = cursor;
  if (hasNoNumbers && isDigit(bytes[from])) return cursor.lose(from, to);
  cursor.passToken();
  return READ_OK;
}

function compileList(
  name: string,
  field: ListField,
  scope: SlotScope,
  plan: ScanPlan,
  start: ArrayStart,
): SkipField {
  const length = compileArrayLength(field.count, field, inputContext(scope), start);
  const tags = field.of.kind === 'either' ? new TagSlots(name, field.of, scope) : null;
  const inner = new SlotScope(scope);
  const skip =
    field.of.kind === 'either'
      ? compileEither(field.of, inner, plan, tags)
      : compileRecord(field.of, inner, plan, 'element');
  return (cursor) => {
    tags?.reset(cursor.environment);
    return forEachElement(cursor, length, skip);
  };
}

function compileEither(
  field: EitherField,
  scope: SlotScope,
  plan: ScanPlan,
  tags: TagSlots | null,
): SkipField {
  const findVariant = compileTagSearch(field);
  const skips = field.variants.map(({ record }) =>
    compileRecord(record, new SlotScope(scope), plan, 'variant'),
  );
  return (cursor) => {
    const status = cursor.findToken();
    if (status !== READ_OK) return status;
    const tag = findVariant(cursor.bytes, cursor.from, cursor.to);
    if (tag === null) return cursor.lose(cursor.to, cursor.to);
    cursor.passToken();
    tags?.count(cursor.environment, tag);
    return skips[tag.variant](cursor);
  };
}
