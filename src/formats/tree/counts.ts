/** Decides how many elements an array or list has. The scanner and the parser share the decisions, so that they agree. */
import { encodeUtf8, isBlank, LF, latin1 } from '../../core/bytes.js';
import { isExpression } from '../language/expression.js';
import { compileWordTest, tagKey, trimBlanks } from '../language/letters.js';
import type { ArrayStart } from '../language/shapes.js';
import type {
  Count,
  EitherField,
  Expression,
  Field,
  GridField,
  NumberKind,
  RecordTree,
  TableField,
} from '../language/tree.js';
import { compileExpression, type Evaluate, type Scope } from './compile-expression.js';
import {
  type Cursor,
  LOST,
  MAX_ELEMENTS,
  MAX_TREE_CASE_BYTES,
  NEEDS_MORE,
  READ,
  type Status,
  skipBlanksOnLine,
} from './cursor.js';
import { parseInteger, parseNumber, parseShortCount } from './numbers.js';

/** What `HasNext` has found out: an element follows, the array is over, more bytes are needed, or neither can be said. */
type Next = 0 | 1 | 2 | 3;
const ELEMENT: Next = 0;
const OVER: Next = 1;
const UNDECIDED: Next = 2;
const NO_END: Next = 3;

/** Decides whether an element follows at the cursor. If not, the function moves past what ends the array. */
type HasNext = (cursor: Cursor, index: number) => Next;
/** Returns whether the token that the cursor has found can begin an element. */
type Fits = (cursor: Cursor) => boolean;

/** The number of elements of an array: known before they are read, or decided after each element. */
export type Length =
  | {
      readonly isKnown: true;
      /** The number of elements; -1 if it is negative, unknown, or larger than a case can hold. */
      readonly count: Evaluate;
      readonly evaluate: Evaluate;
    }
  | { readonly isKnown: false; readonly hasNext: HasNext };

/** Compiles a count. */
export function compileLength(count: Count, field: Field, scope: Scope, start: ArrayStart): Length {
  if (!isExpression(count)) return { isKnown: false, hasNext: compileHasNext(count, field, start) };
  const evaluate = compileExpression(count, scope);
  const countElements: Evaluate = (environment) => {
    const value = evaluate(environment);
    return value >= 0 && value <= MAX_ELEMENTS ? value : -1;
  };
  return { isKnown: true, count: countElements, evaluate };
}

/**
 * Calls `step` for each element. An element that takes no bytes ends an array whose length is not known before it is
 * read.
 */
export function forEachElement<C extends Cursor>(
  cursor: C,
  length: Length,
  step: (cursor: C, index: number) => Status,
): Status {
  const count = length.isKnown ? length.count(cursor.environment) : Number.POSITIVE_INFINITY;
  if (count < 0) return cursor.lose(cursor.at, cursor.at);
  for (let index = 0; index < count; index++) {
    if (!length.isKnown) {
      const next = length.hasNext(cursor, index);
      if (next !== ELEMENT) return NEXT_STATUS[next];
    }
    const { at } = cursor;
    const status = step(cursor, index);
    if (status !== READ) return status;
    if (cursor.at === at) {
      if (!length.isKnown) return READ;
      if (cursor.countEmptyElements(1) === LOST) return LOST;
    }
  }
  return READ;
}

/** The status of an array after a decision, indexed by the decision. */
const NEXT_STATUS: readonly Status[] = [READ, READ, NEEDS_MORE, LOST];

/** The rows and columns of a grid or table. If the number of columns is not known, it is the width of the first row. */
export interface Size {
  readonly rows: Length;
  readonly cols: Length;
}

export function compileSize(field: GridField | TableField, scope: Scope): Size {
  const rows = compileLength(field.rows, field, scope, 'next-token');
  const cols = isExpression(field.cols)
    ? compileLength(field.cols, field, scope, 'next-token')
    : REST_OF_LINE;
  return { rows, cols };
}

/** The width of a grid or table whose width is not known before it is read. */
export const UNKNOWN_WIDTH = -1;

/** Calls `step` for each row. Rows without columns take no bytes, so `step` is not called for them. */
export function forEachRow<C extends Cursor>(
  cursor: C,
  { rows, cols }: Size,
  step: (cursor: C, width: number, index: number) => Status,
): Status {
  const width = cols.isKnown ? cols.count(cursor.environment) : UNKNOWN_WIDTH;
  const height = rows.isKnown ? rows.count(cursor.environment) : 1;
  if (height < 0 || (cols.isKnown && width < 0) || height * width > MAX_TREE_CASE_BYTES) {
    return cursor.lose(cursor.at, cursor.at);
  }
  if (width === 0)
    return rows.isKnown ? cursor.countEmptyElements(height) : cursor.lose(cursor.at, cursor.at);
  return forEachElement(cursor, rows, (inner, index) => step(inner, width, index));
}

function compileHasNext(count: Exclude<Count, Expression>, field: Field, start: ArrayStart): HasNext {
  if (count.kind === 'until-token') return compileUntilToken(count.token, field);
  if (count.kind === 'until-line-end') return IS_ON_LINE[start];
  if (count.kind === 'until-blank-line') return isBeforeBlankLine;
  return compileMany(compileFits(field));
}

function compileUntilToken(token: string, field: Field): HasNext {
  const isToken = compileTokenTest(token, hasNumbers(field));
  const isLine = field.kind === 'lines';
  return (cursor) => {
    const status = cursor.findToken();
    if (status !== READ) return status === LOST ? NO_END : UNDECIDED;
    if (!isLine) {
      if (!isToken(cursor.bytes, cursor.from, cursor.to)) return ELEMENT;
      cursor.passToken();
      return OVER;
    }
    const { at, isAtLineStart } = cursor;
    const lineStatus = cursor.skipLine(false);
    if (lineStatus === NEEDS_MORE) return UNDECIDED;
    const line = trimBlanks(cursor.bytes, cursor.from, cursor.to);
    if (isToken(line, 0, line.length)) return OVER;
    cursor.at = at;
    cursor.isAtLineStart = isAtLineStart;
    return ELEMENT;
  };
}

/**
 * Compiles the test whether bytes[from, to) are the token. Numbers are compared as numbers if `isNumber`, and only counts
 * are numbers if `isCount`.
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

/** Whether the elements of the array begin with a number. */
function hasNumbers(field: Field): boolean {
  if (field.kind === 'list') return field.of.kind === 'record' && beginsWithNumber(field.of);
  return field.kind === 'numbers' || field.kind === 'table';
}

function beginsWithNumber(record: RecordTree): boolean {
  const first = record.fields[0]?.field;
  return first?.kind === 'scalar' || first?.kind === 'numbers' || first?.kind === 'table';
}

/** Whether a token follows on the line of the cursor. */
function isOnLine(cursor: Cursor): Next {
  const at = skipBlanksOnLine(cursor.bytes, cursor.at, cursor.end);
  if (at === cursor.end) return cursor.atEnd ? OVER : UNDECIDED;
  return cursor.bytes[at] === LF ? OVER : ELEMENT;
}

/** Whether a token follows on the line of the array. An array on an empty line ends with that line. */
function isOnNextLine(cursor: Cursor, index: number): Next {
  if (index > 0) return isOnLine(cursor);
  const status = cursor.findLine();
  if (status !== READ) return status === LOST ? NO_END : UNDECIDED;
  const next = isOnLine(cursor);
  if (next === OVER && cursor.isAtLineStart) cursor.skipLine(true);
  return next;
}

/** Whether a token follows on the line of the first element. */
function isOnFirstLine(cursor: Cursor, index: number): Next {
  if (index > 0) return isOnLine(cursor);
  const status = cursor.findToken();
  if (status === NEEDS_MORE) return UNDECIDED;
  return status === READ ? ELEMENT : NO_END;
}

const IS_ON_LINE: Record<ArrayStart, HasNext> = {
  'same-line': isOnLine,
  'next-line': isOnNextLine,
  'next-token': isOnFirstLine,
};

/** The tokens of a line, at least one. */
export const REST_OF_LINE: Length = { isKnown: false, hasNext: isOnFirstLine };

/** Whether a token follows before the next blank line. Blank lines before the array do not count. */
function isBeforeBlankLine(cursor: Cursor, index: number): Next {
  const { bytes, end, isAtLineStart } = cursor;
  // The first line end ends the line of the element before, unless that line was read with its line end.
  const neededLineEnds = isAtLineStart && index > 0 ? 1 : 2;
  let at = cursor.at;
  let lineEnds = 0;
  let firstBlankLineEnd = 0;
  for (; at < end && isBlank(bytes[at]); at++) {
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
    const { at } = cursor;
    const status = cursor.findToken();
    if (status === NEEDS_MORE) return UNDECIDED;
    if (status === READ && fits(cursor)) return ELEMENT;
    cursor.at = at;
    return OVER;
  };
}

function compileFits(field: Field): Fits {
  switch (field.kind) {
    case 'numbers':
      return fitsNumber(field.of === 'number' ? 'number' : field.of === 'bigint' ? 'bigint' : 'int');
    case 'scalar':
      return fitsNumber(field.of);
    case 'table':
      return fitsNumber('number');
    case 'word':
    case 'words':
      return fitsWord(field.letters);
    case 'grid':
      return fitsWord(field.letters.join(''));
    case 'list':
      return fitsRecord(field.of);
    case 'either':
      return fitsRecord(field);
    default:
      return () => true;
  }
}

function fitsNumber(of: NumberKind): Fits {
  const parse = of === 'number' ? parseNumber : parseInteger;
  return ({ bytes, from, to }) => !Number.isNaN(parse(bytes, from, to));
}

function fitsWord(letters: string | null): Fits {
  const isWord = compileWordTest(letters);
  return ({ bytes, from, to }) => isWord(bytes, from, to);
}

function fitsRecord(record: RecordTree | EitherField): Fits {
  if (record.kind === 'record') {
    return record.fields.length === 0 ? () => false : compileFits(record.fields[0].field);
  }
  const tags = new Set(record.variants.flatMap((variant) => variant.tags.map(tagKey)));
  return ({ bytes, from, to }) => tags.has(latin1(bytes, from, to));
}
