/** Decides how many elements an array or a list has. The scanner and the parser share this code, so that they agree. */
import { decodeLatin1, encodeUtf8, isWhitespace, LF } from '../../core/bytes.js';
import { isExpressionCount } from '../language/expression.js';
import { compileWordTest, tagKey, trimWhitespace } from '../language/letters.js';
import { type ArrayStart, tagsOfEither } from '../language/shapes.js';
import type {
  EitherField,
  ElementCount,
  Expression,
  Field,
  GridField,
  NumberField,
  NumbersField,
  RecordTree,
  TableField,
} from '../language/tree.js';
import { type CompiledExpression, compileExpression } from './compile-expression.js';
import {
  type Cursor,
  MAX_ELEMENTS,
  MAX_TREE_CASE_BYTES,
  NEEDS_MORE,
  READ_OK,
  type ReadStatus,
  STRUCTURE_LOST,
  skipWhitespaceOnLine,
} from './cursor.js';
import { parseNumber, parseShortCount } from './numbers.js';
import { compileNumberTest, numberParserOf } from './ranges.js';
import type { FieldCompilation } from './reading-rules.js';

/** The result of `HasNext`: an element follows, the array is over, more bytes are needed, or the array has no end. */
type Next = 0 | 1 | 2 | 3;
const ELEMENT: Next = 0;
const OVER: Next = 1;
const UNDECIDED: Next = 2;
const NO_END: Next = 3;

/** Decides whether an element follows at the cursor. If none follows, the function moves past the end of the array. */
type HasNext = (cursor: Cursor, index: number) => Next;
/** Whether the token that the cursor has found can begin an element. */
type Fits = (cursor: Cursor) => boolean;

/** The number of elements of an array: known before the elements are read, or decided after each of them. */
export type ArrayLength =
  | {
      readonly isKnown: true;
      /** Returns the number of elements; -1 if the count is negative, unknown, or larger than a case can hold. */
      readonly count: CompiledExpression;
      readonly evaluate: CompiledExpression;
    }
  | {
      readonly isKnown: false;
      readonly hasNext: HasNext;
      /** What reading the array returns once an element has no bytes: all later ones would have none either, without end. */
      readonly statusWhenStuck: ReadStatus;
    };

/** Compiles a count. */
export function compileArrayLength(
  count: ElementCount,
  field: Field,
  context: FieldCompilation,
  start: ArrayStart,
): ArrayLength {
  if (!isExpressionCount(count)) {
    const hasNext = compileHasNext(count, field, context, start);
    return { isKnown: false, hasNext, statusWhenStuck: context.rules.isAnswer ? STRUCTURE_LOST : READ_OK };
  }
  const evaluate = compileExpression(count, context.scope);
  const countElements: CompiledExpression = (environment) => {
    const value = evaluate(environment);
    return value >= 0 && value <= MAX_ELEMENTS ? value : -1;
  };
  return { isKnown: true, count: countElements, evaluate };
}

/** Calls `step` for each element. If the length is not known before, an element that takes no bytes ends the array. */
export function forEachElement<C extends Cursor>(
  cursor: C,
  length: ArrayLength,
  step: (cursor: C, index: number) => ReadStatus,
): ReadStatus {
  const count = length.isKnown ? length.count(cursor.environment) : Number.POSITIVE_INFINITY;
  if (count < 0) return cursor.lose(cursor.at, cursor.at);
  for (let index = 0; index < count; index++) {
    if (!length.isKnown) {
      const next = length.hasNext(cursor, index);
      if (next !== ELEMENT) return NEXT_STATUS[next];
    }
    const { at } = cursor;
    const status = step(cursor, index);
    if (status !== READ_OK) return status;
    if (cursor.at === at) {
      if (!length.isKnown) return length.statusWhenStuck;
      if (cursor.countEmptyElements(1) === STRUCTURE_LOST) return STRUCTURE_LOST;
    }
  }
  return READ_OK;
}

/** The status of an array for each result of `HasNext`. */
const NEXT_STATUS: readonly ReadStatus[] = [READ_OK, READ_OK, NEEDS_MORE, STRUCTURE_LOST];

/** The rows and columns of a grid or a table. If the number of columns is not known, it is the width of the first row. */
export interface GridLengths {
  readonly rows: ArrayLength;
  readonly cols: ArrayLength;
}

export function compileGridLengths(field: GridField | TableField, context: FieldCompilation): GridLengths {
  const { isAnswer } = context.rules;
  const rows = compileArrayLength(field.rows, field, context, isAnswer ? 'same-line' : 'next-token');
  const isRestOfLine = !isExpressionCount(field.cols) && !(isAnswer && field.kind === 'table');
  const cols = isRestOfLine
    ? REST_OF_LINE_LENGTH
    : compileArrayLength(field.cols, field, context, 'next-token');
  return { rows, cols };
}

/** The width of a grid or table whose width is not known before it is read. */
export const UNKNOWN_WIDTH = -1;

/** Calls `step` for each row. Rows without columns take no bytes, so `step` is not called for them. */
export function forEachRow<C extends Cursor>(
  cursor: C,
  { rows, cols }: GridLengths,
  step: (cursor: C, width: number, index: number) => ReadStatus,
): ReadStatus {
  const width = cols.isKnown ? cols.count(cursor.environment) : UNKNOWN_WIDTH;
  const height = rows.isKnown ? rows.count(cursor.environment) : 1;
  if (height < 0 || (cols.isKnown && width < 0) || height * width > MAX_TREE_CASE_BYTES) {
    return cursor.lose(cursor.at, cursor.at);
  }
  if (width === 0) {
    if (rows.isKnown) return cursor.countEmptyElements(height);
    if (rows.statusWhenStuck !== STRUCTURE_LOST) return cursor.lose(cursor.at, cursor.at);
  }
  return forEachElement(cursor, rows, (inner, index) => step(inner, width, index));
}

function compileHasNext(
  count: Exclude<ElementCount, Expression>,
  field: Field,
  context: FieldCompilation,
  start: ArrayStart,
): HasNext {
  const { isAnswer } = context.rules;
  if (count.kind === 'until-token') {
    const isLine = field.kind === 'lines' && !isAnswer;
    return compileUntilToken(count.token, elementsBeginWithNumber(field) && !isAnswer, isLine);
  }
  if (count.kind === 'until-line-end') {
    if (!isAnswer) return IS_ON_LINE[start];
    return IS_ON_LINE_OF_ANSWER[field.kind === 'lines' ? 'same-line' : start];
  }
  if (count.kind === 'until-blank-line') return isAnswer ? isBeforeBlankLineOfAnswer : isBeforeBlankLine;
  return compileMany(compileFits(field, context));
}

function compileUntilToken(token: string, isNumber: boolean, isLine: boolean): HasNext {
  const isToken = compileTokenTest(token, isNumber);
  return (cursor) => {
    const status = cursor.findToken();
    if (status !== READ_OK) return status === STRUCTURE_LOST ? NO_END : UNDECIDED;
    if (!isLine) {
      if (!isToken(cursor.bytes, cursor.from, cursor.to)) return ELEMENT;
      cursor.passToken();
      return OVER;
    }
    const { at, isAtLineStart } = cursor;
    const lineStatus = cursor.skipLine(false);
    if (lineStatus === NEEDS_MORE) return UNDECIDED;
    const line = trimWhitespace(cursor.bytes, cursor.from, cursor.to);
    if (isToken(line, 0, line.length)) return OVER;
    cursor.at = at;
    cursor.isAtLineStart = isAtLineStart;
    return ELEMENT;
  };
}

/**
 * Compiles the test whether bytes[from, to) are the token. If `isNumber`, the token is compared as a number; if `isCount`, only
 * counts are equal to it.
 */
export function compileTokenTest(token: string, isNumber: boolean, isCount = false) {
  const expected = encodeUtf8(token);
  const parse = isCount ? parseShortCount : parseNumber;
  const value = isNumber ? parse(expected, 0, expected.length) : Number.NaN;
  return (bytes: Uint8Array, from: number, to: number): boolean => {
    if (!Number.isNaN(value)) return parse(bytes, from, to) === value;
    return to - from === expected.length && expected.every((byte, index) => bytes[from + index] === byte);
  };
}

/** Compiles the test whether a reader takes a text for the token. */
export function compileTextTest(...token: Parameters<typeof compileTokenTest>): (text: string) => boolean {
  const isToken = compileTokenTest(...token);
  return (text) => {
    const bytes = encodeUtf8(text);
    return isToken(bytes, 0, bytes.length);
  };
}

/** Whether the elements of the array begin with a number. */
export function elementsBeginWithNumber(field: Field): boolean {
  if (field.kind === 'list') return field.of.kind === 'record' && beginsWithNumber(field.of);
  return field.kind === 'numbers' || field.kind === 'table';
}

function beginsWithNumber(record: RecordTree): boolean {
  const first = record.fields[0]?.field;
  return first?.kind === 'scalar' || first?.kind === 'numbers' || first?.kind === 'table';
}

/** Whether another token follows on the line of the cursor. */
function isOnLine(cursor: Cursor): Next {
  const at = skipWhitespaceOnLine(cursor.bytes, cursor.at, cursor.end);
  if (at === cursor.end) return cursor.atEnd ? OVER : UNDECIDED;
  return cursor.bytes[at] === LF ? OVER : ELEMENT;
}

/** Whether another token follows on the line of the array. If that line is empty, the array has no elements. */
function isOnNextLine(cursor: Cursor, index: number): Next {
  if (index > 0) return isOnLine(cursor);
  const status = cursor.findLine();
  if (status !== READ_OK) return status === STRUCTURE_LOST ? NO_END : UNDECIDED;
  const next = isOnLine(cursor);
  if (next === OVER && cursor.isAtLineStart) cursor.skipLine(true);
  return next;
}

/** Whether another token follows on the line of the first element. */
function isOnFirstLine(cursor: Cursor, index: number): Next {
  if (index > 0) return isOnLine(cursor);
  const status = cursor.findToken();
  if (status === NEEDS_MORE) return UNDECIDED;
  return status === READ_OK ? ELEMENT : NO_END;
}

const IS_ON_LINE: Record<ArrayStart, HasNext> = {
  'same-line': isOnLine,
  'next-line': isOnNextLine,
  'next-token': isOnFirstLine,
};

/** Whether any token follows the cursor. */
function isAnywhere(cursor: Cursor): Next {
  const { at } = cursor;
  const status = cursor.findToken();
  if (status === NEEDS_MORE) return UNDECIDED;
  cursor.at = at;
  return status === READ_OK ? ELEMENT : OVER;
}

/** Whether another token follows on the line of the cursor or, at the start of a line, anywhere. */
function isOnLineOrAfterIt(cursor: Cursor): Next {
  return cursor.isAtLineStart ? isAnywhere(cursor) : isOnLine(cursor);
}

const IS_ON_LINE_OF_ANSWER: Record<ArrayStart, HasNext> = {
  'same-line': isOnLineOrAfterIt,
  'next-line': (cursor, index) => (index > 0 ? isOnLineOrAfterIt(cursor) : isOnNextLine(cursor, index)),
  'next-token': (cursor, index) => {
    if (index > 0) return isOnLineOrAfterIt(cursor);
    const next = isAnywhere(cursor);
    if (next !== ELEMENT) return next;
    cursor.at = cursor.from;
    cursor.isAtLineStart = false;
    return ELEMENT;
  },
};

/** The length of an array that is all tokens of a line, at least one. */
export const REST_OF_LINE_LENGTH: ArrayLength = {
  isKnown: false,
  hasNext: isOnFirstLine,
  statusWhenStuck: READ_OK,
};

/** Whether another token follows before the next blank line. A blank line before the first element counts. */
function isBeforeBlankLineOfAnswer(cursor: Cursor): Next {
  return isBeforeBlankLine(cursor, 1);
}

/** Whether another token follows before the next blank line. Blank lines before the first element do not count. */
function isBeforeBlankLine(cursor: Cursor, index: number): Next {
  const { bytes, end, isAtLineStart } = cursor;
  // The first line end ends the line of the last element, unless that line end was already read.
  const neededLineEnds = isAtLineStart && index > 0 ? 1 : 2;
  let at = cursor.at;
  let lineEnds = 0;
  let firstBlankLineEnd = 0;
  for (; at < end && isWhitespace(bytes[at]); at++) {
    if (bytes[at] === LF && ++lineEnds === neededLineEnds) firstBlankLineEnd = at + 1;
  }
  if (at === end && !cursor.atEnd) return UNDECIDED;
  const isBlankLine = lineEnds >= neededLineEnds;
  if (at < end && (!isBlankLine || (isAtLineStart && index === 0))) return ELEMENT;
  if (isBlankLine) cursor.at = firstBlankLineEnd;
  cursor.isAtLineStart ||= isBlankLine;
  return OVER;
}

function compileMany(fits: Fits): HasNext {
  return (cursor) => {
    const next = isAnywhere(cursor);
    return next === ELEMENT && !fits(cursor) ? OVER : next;
  };
}

function compileFits(field: Field, context: FieldCompilation): Fits {
  switch (field.kind) {
    case 'numbers':
    case 'scalar':
    case 'table':
      return fitsNumber(field, context);
    case 'word':
    case 'words':
      return fitsWord(field.letters);
    case 'grid':
      return fitsWord(field.letters.join(''));
    case 'list':
      return fitsRecord(field.of, context);
    case 'either':
      return fitsRecord(field, context);
    case 'line':
    case 'lines':
      return () => true;
  }
}

function fitsNumber(field: NumberField | NumbersField | TableField, context: FieldCompilation): Fits {
  if (context.rules.isAnswer) return compileNumberTest(field, context);
  const parse = numberParserOf(field, context.rules);
  return ({ bytes, from, to }) => !Number.isNaN(parse(bytes, from, to));
}

function fitsWord(letters: string | null): Fits {
  const isWord = compileWordTest(letters);
  return ({ bytes, from, to }) => isWord(bytes, from, to);
}

function fitsRecord(record: RecordTree | EitherField, context: FieldCompilation): Fits {
  if (record.kind === 'record') {
    return record.fields.length === 0 ? () => false : compileFits(record.fields[0].field, context);
  }
  const tags = new Set(tagsOfEither(record).map(tagKey));
  return ({ bytes, from, to }) => tags.has(decodeLatin1(bytes, from, to));
}
