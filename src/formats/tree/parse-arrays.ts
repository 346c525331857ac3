/** Compiles the readers of arrays of numbers, tables and grids. Most bytes of typical inputs are read by this code. */
import { isDigit, isWhitespace, skipWhitespace } from '../../core/bytes.js';
import type { NumbersField, TableField } from '../language/tree.js';
import type { CaseCursor, ReadFields } from './case-cursor.js';
import {
  type ArrayLength,
  compileGridLengths,
  forEachElement,
  forEachRow,
  type GridLengths,
  UNKNOWN_WIDTH,
} from './counts.js';
import { READ_OK, type ReadStatus, STRUCTURE_LOST } from './cursor.js';
import { MINUS_BYTE, ZERO_BYTE } from './numbers.js';
import { elementName, type FieldNameOf, reportEndlessArray, reportWrongCount } from './parse-names.js';
import { checkWidth, prepareRows, reportEndlessRows, sizeOfReadRows } from './parse-rows.js';
import {
  compileLargeNumberBounds,
  compileNumberBounds,
  isInLargeRange,
  type NumberBounds,
  numberParserOf,
} from './ranges.js';
import type { FieldCompilation, ParseNumber } from './reading-rules.js';

/** Compiles the reader of an array of numbers. */
export function compileArrayReader(
  name: string,
  field: NumbersField,
  nameOf: FieldNameOf,
  context: FieldCompilation,
  length: ArrayLength,
): ReadFields {
  if (field.of === 'bigint') return compileBigInts(name, field, nameOf, context, length);
  const range = compileNumberBounds(field, context.scope);
  const ElementArray = field.of === 'int32' ? Int32Array : Float64Array;
  const run: NumberRun = { nameOf, length, range, parse: numberParserOf(field, context.rules), rowStart: 0 };
  if (!length.isKnown) return compileOpenArray(name, run, ElementArray);
  return (cursor, target) => {
    const count = length.count(cursor.environment);
    if (count < 0) return reportWrongCount(cursor, `elements of ${nameOf(cursor)}`, length);
    const values = new ElementArray(Math.min(count, mostTokens(cursor)));
    target[name] = values;
    return readNumbers(cursor, values, 0, count, run);
  };
}

/** Returns the largest number of tokens that the bytes of the cursor can hold. An array never needs more elements. */
function mostTokens(cursor: CaseCursor): number {
  return (cursor.end - cursor.at + 1) >> 1;
}

/** What all elements of an array of numbers have in common. */
interface NumberRun {
  readonly nameOf: FieldNameOf;
  readonly length: ArrayLength;
  readonly range: NumberBounds;
  readonly parse: ParseNumber;
  /** Index of the first element of the current row of a table; 0 for an array. */
  rowStart: number;
}

function compileOpenArray(
  name: string,
  run: NumberRun,
  ElementArray: Int32ArrayConstructor | Float64ArrayConstructor,
): ReadFields {
  return (cursor, target) => {
    const values: number[] = [];
    const status = forEachElement(cursor, run.length, (inner, index) =>
      readNumbers(inner, values, index, index + 1, run),
    );
    target[name] = ElementArray.from(values);
    return status === READ_OK ? READ_OK : reportEndlessArray(cursor, run.nameOf, run.length, values.length);
  };
}

/** Every integer of this many digits fits in 32 bits. */
const MAX_SMALL_DIGITS = 9;

/** Reads the elements with the indices `from` to `to` of an array. */
function readNumbers(
  cursor: CaseCursor,
  values: Int32Array | Float64Array | number[],
  from: number,
  to: number,
  run: NumberRun,
): ReadStatus {
  const low = run.range.low(cursor.environment);
  const high = run.range.high(cursor.environment);
  // An integer beyond 2^53 may have been rounded, so it is read by the slower path.
  const plainLow = Math.max(low, Number.MIN_SAFE_INTEGER);
  const plainHigh = Math.min(high, Number.MAX_SAFE_INTEGER);
  const { bytes, end } = cursor;
  let at = cursor.at;
  for (let index = from; index < to; index++) {
    while (at < end && isWhitespace(bytes[at])) at++;
    const start = at;
    const isNegative = at < end && bytes[at] === MINUS_BYTE;
    if (isNegative) at++;
    const digits = at;
    // Integers of few digits are calculated with 32-bit arithmetic, which is faster.
    let small = 0;
    const smallEnd = Math.min(end, at + MAX_SMALL_DIGITS);
    for (; at < smallEnd && isDigit(bytes[at]); at++) small = (small * 10 + (bytes[at] - ZERO_BYTE)) | 0;
    let value = small;
    for (; at < end && isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] - ZERO_BYTE);
    if (isNegative) value = 0 - value;
    const isPlain =
      at > digits && (at === end || isWhitespace(bytes[at])) && value >= plainLow && value <= plainHigh;
    if (isPlain) {
      values[index] = value;
      continue;
    }
    cursor.at = start;
    if (readUnusualNumber(cursor, values, index, low, high, run) === STRUCTURE_LOST) return STRUCTURE_LOST;
    at = cursor.at;
  }
  if (to > from) cursor.isAtLineStart = false;
  cursor.at = at;
  return READ_OK;
}

/** Reads an element that is not a plain integer within the bounds, or reports its fault. */
function readUnusualNumber(
  cursor: CaseCursor,
  values: Int32Array | Float64Array | number[],
  index: number,
  low: number,
  high: number,
  { nameOf, length, range, parse, rowStart }: NumberRun,
): ReadStatus {
  const expected = (got: number) =>
    `${elementName(cursor, nameOf, length, index - rowStart)} ${range.describe(cursor.environment, got)}`;
  if (cursor.findToken() !== READ_OK) return cursor.reportMissing(expected(Number.NaN));
  const { bytes, from, to } = cursor;
  cursor.passToken();
  const value = parse(bytes, from, to);
  values[index] = value;
  const isGood = value >= low && value <= high && (range.hasFewDecimals?.(bytes, from, to) ?? true);
  return isGood ? READ_OK : cursor.report(from, expected(value));
}

function compileBigInts(
  name: string,
  field: NumbersField,
  nameOf: FieldNameOf,
  { scope, rules }: FieldCompilation,
  length: ArrayLength,
): ReadFields {
  const range = compileLargeNumberBounds(field, scope);
  return (cursor, target) => {
    const values: bigint[] = [];
    const status = forEachElement(cursor, length, (inner, index) => {
      const expected = () =>
        `${elementName(inner, nameOf, length, index)} ${range.describe(inner.environment)}`;
      if (inner.findToken() !== READ_OK) return inner.reportMissing(expected());
      const value = rules.parseBigInteger(inner.bytes, inner.from, inner.to);
      inner.passToken();
      values.push(value ?? 0n);
      const isGood = value !== null && isInLargeRange(value, range, inner.environment);
      return isGood ? READ_OK : inner.report(inner.from, expected());
    });
    target[name] = BigInt64Array.from(values);
    return status === READ_OK ? READ_OK : reportEndlessArray(cursor, nameOf, length, values.length);
  };
}

/** Compiles the reader of a table. If no count gives the number of columns, it is the width of the first row. */
export function compileTableReader(
  name: string,
  field: TableField,
  nameOf: FieldNameOf,
  context: FieldCompilation,
): ReadFields {
  const size = compileGridLengths(field, context);
  const run: NumberRun = {
    nameOf: (cursor) => `${nameOf(cursor)}[${cursor.row + 1}]`,
    length: size.cols,
    range: compileNumberBounds(field, context.scope),
    parse: numberParserOf(field, context.rules),
    rowStart: 0,
  };
  return (cursor, target) => {
    const values = reserveCells(cursor, size);
    prepareRows(cursor);
    const status = forEachRow(cursor, size, (inner, width, row) => {
      inner.row = row;
      if (width === UNKNOWN_WIDTH) return readRowOfUnknownWidth(inner, values, run);
      run.rowStart = row * width;
      return readNumbers(inner, values, run.rowStart, run.rowStart + width, run);
    });
    const { rows, cols } = sizeOfReadRows(cursor, size);
    target[name] = { rows, cols, cells: values instanceof Float64Array ? values : Float64Array.from(values) };
    return status === READ_OK ? READ_OK : reportEndlessRows(cursor, nameOf, size);
  };
}

/** Returns an array for all cells that the bytes of the cursor can hold, or a growing array if that number is unknown. */
function reserveCells(cursor: CaseCursor, { rows, cols }: GridLengths): Float64Array | number[] {
  if (!rows.isKnown || !cols.isKnown) return [];
  const cells = rows.count(cursor.environment) * cols.count(cursor.environment);
  return new Float64Array(Math.max(0, Math.min(cells, mostTokens(cursor))));
}

function readRowOfUnknownWidth(
  cursor: CaseCursor,
  values: Float64Array | number[],
  run: NumberRun,
): ReadStatus {
  const start = skipWhitespace(cursor.bytes, cursor.at, cursor.end);
  run.rowStart = cursor.row * Math.max(0, cursor.cols);
  let width = 0;
  const status = forEachElement(cursor, run.length, (inner, index) => {
    width = index + 1;
    return readNumbers(inner, values, run.rowStart + index, run.rowStart + width, run);
  });
  if (status !== READ_OK) return cursor.isStopped ? STRUCTURE_LOST : cursor.reportMissing(run.nameOf(cursor));
  return checkWidth(cursor, start, width, 'number');
}
