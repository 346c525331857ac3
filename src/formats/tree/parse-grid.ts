/** Compiles the readers of grids. */
import { findTokenEnd, isWhitespace, quoteToken, skipWhitespace } from '../../core/bytes.js';
import { describeCells, letterIndexTableOf, NO_LETTER } from '../language/letters.js';
import type { GridField } from '../language/tree.js';
import type { CaseCursor, ReadFields } from './case-cursor.js';
import {
  compileGridLengths,
  forEachElement,
  forEachRow,
  type GridLengths,
  REST_OF_LINE_LENGTH,
  UNKNOWN_WIDTH,
} from './counts.js';
import { READ_OK, type ReadStatus, STRUCTURE_LOST } from './cursor.js';
import { TreeGrid } from './grid.js';
import { parseShortCount } from './numbers.js';
import type { FieldNameOf } from './parse-names.js';
import { checkWidth, prepareRows, reportEndlessRows, sizeOfReadRows } from './parse-rows.js';
import type { FieldCompilation } from './reading-rules.js';

/** Reads a row into `cells`, from index `cell` on. */
type ReadRow = (cursor: CaseCursor, cells: Uint8Array | number[], cell: number, width: number) => ReadStatus;

export function compileGridReader(
  name: string,
  field: GridField,
  nameOf: FieldNameOf,
  context: FieldCompilation,
): ReadFields {
  const size = compileGridLengths(field, context);
  const perCell = field.letters.length;
  const readRow = perCell === 1 ? compileWordRow(field, size) : compileBlockRow(field, size);
  return (cursor, target) => {
    const cells = reserveCells(cursor, size, perCell);
    prepareRows(cursor);
    const status = forEachRow(cursor, size, (inner, width, row) => {
      inner.row = row;
      const firstCell = row * perCell * (width === UNKNOWN_WIDTH ? Math.max(0, inner.cols) : width);
      return readRow(inner, cells, firstCell, width);
    });
    const { rows, cols } = sizeOfReadRows(cursor, size);
    target[name] = new TreeGrid(rows, cols, toBytes(cells), field.letters);
    return status === READ_OK ? READ_OK : reportEndlessRows(cursor, nameOf, size);
  };
}

/** Returns an array for the cells. It has at most as many elements as the cursor has bytes, or it grows. */
function reserveCells(
  cursor: CaseCursor,
  { rows, cols }: GridLengths,
  perCell: number,
): Uint8Array | number[] {
  if (!rows.isKnown || !cols.isKnown) return [];
  const cells = perCell * rows.count(cursor.environment) * cols.count(cursor.environment);
  return new Uint8Array(Math.max(0, Math.min(cells, cursor.end - cursor.at)));
}

function toBytes(cells: Uint8Array | number[]): Uint8Array {
  return cells instanceof Uint8Array ? cells : Uint8Array.from(cells);
}

/** Compiles the reader of rows, each of which is one word. */
function compileWordRow({ letters }: GridField, size: GridLengths): ReadRow {
  const codes = letterIndexTableOf(letters[0]);
  const cellsText = describeCells(letters);
  return (cursor, cells, firstCell, knownWidth) => {
    const { bytes, end } = cursor;
    const start = skipWhitespace(bytes, cursor.at, end);
    const width = knownWidth === UNKNOWN_WIDTH ? chooseWidth(cursor, start) : knownWidth;
    const rowEnd = start + width;
    let at = start;
    if (rowEnd <= end) {
      // Wrong letters are rare, so one test of the OR of all codes replaces a test of each letter.
      let combined = 0;
      for (let cell = firstCell; at < rowEnd; at++, cell++) {
        const code = codes[bytes[at]];
        cells[cell] = code;
        combined |= code;
      }
      const isGood = combined < NO_LETTER && width > 0 && (at === end || isWhitespace(bytes[at]));
      if (isGood) {
        cursor.from = start;
        cursor.at = rowEnd;
        cursor.isAtLineStart = false;
        return READ_OK;
      }
    }
    return reportRow(cursor, start, width, codes, size, cellsText);
  };
}

/** Returns the width of the first row. If no row was read before, this is the width of the row at `start`. */
function chooseWidth(cursor: CaseCursor, start: number): number {
  if (cursor.cols === UNKNOWN_WIDTH) cursor.cols = findTokenEnd(cursor.bytes, start, cursor.end) - start;
  return cursor.cols;
}

/** Reports the fault of the row at `start`, and moves past its token. */
function reportRow(
  cursor: CaseCursor,
  start: number,
  width: number,
  codes: Uint8Array,
  size: GridLengths,
  cellsText: string,
): ReadStatus {
  const { bytes, end } = cursor;
  const expected = `${describeRow(cursor, size)} (${width} of ${cellsText})`;
  if (start === end) return cursor.reportMissing(expected);
  const to = findTokenEnd(bytes, start, end);
  let at = start;
  while (at < Math.min(to, start + width) && codes[bytes[at]] !== NO_LETTER) at++;
  cursor.to = to;
  cursor.passToken();
  if (at > start && at < to && at < start + width) {
    const place = `one of ${cellsText} in ${describeRow(cursor, size)}`;
    return cursor.report(at, place, quoteToken(bytes, at, at + 1));
  }
  const found = at === start ? '' : `${at < to ? 'more' : to - start}: `;
  return reportBadToken(cursor, start, expected, found + quoteToken(bytes, start, to));
}

/**
 * Reports that a whole row or block is wrong. If a count stands there instead, another case may begin at that count, and all
 * further rows are missing. One fault is enough for all of them.
 */
function reportBadToken(cursor: CaseCursor, start: number, expected: string, got: string): ReadStatus {
  const { bytes, at } = cursor;
  const isCount = !Number.isNaN(parseShortCount(bytes, start, at));
  return isCount ? cursor.reportLost(start, expected, got) : cursor.report(start, expected, got);
}

function describeRow({ row, environment }: CaseCursor, { rows }: GridLengths): string {
  return rows.isKnown ? `row ${row + 1} of ${rows.count(environment)}` : `row ${row + 1}`;
}

/** Compiles the reader of rows that consist of blocks, which are words of two letters. */
function compileBlockRow(field: GridField, size: GridLengths): ReadRow {
  const readBlock = compileBlock(field, size);
  return (cursor, cells, firstCell, width) => {
    if (width !== UNKNOWN_WIDTH) return readBlocks(cursor, cells, firstCell, width, readBlock);
    const start = skipWhitespace(cursor.bytes, cursor.at, cursor.end);
    let blocks = 0;
    const status = forEachElement(cursor, REST_OF_LINE_LENGTH, (inner, index) => {
      blocks = index + 1;
      return readBlock(inner, cells, firstCell + 2 * index, index);
    });
    return status === READ_OK ? checkWidth(cursor, start, blocks, 'block') : STRUCTURE_LOST;
  };
}

/** Reads the block with the index `col` of a row into two cells. */
type ReadBlock = (cursor: CaseCursor, cells: Uint8Array | number[], cell: number, col: number) => ReadStatus;

function readBlocks(
  cursor: CaseCursor,
  cells: Uint8Array | number[],
  firstCell: number,
  width: number,
  readBlock: ReadBlock,
): ReadStatus {
  for (let col = 0; col < width; col++) {
    if (readBlock(cursor, cells, firstCell + 2 * col, col) === STRUCTURE_LOST) return STRUCTURE_LOST;
  }
  return READ_OK;
}

function compileBlock({ letters }: GridField, size: GridLengths): ReadBlock {
  const [firstCodes, secondCodes] = letters.map(letterIndexTableOf);
  const cellsText = describeCells(letters);
  return (cursor, cells, cell, col) => {
    const { bytes, end } = cursor;
    const at = skipWhitespace(bytes, cursor.at, end);
    const first = at + 1 < end ? firstCodes[bytes[at]] : NO_LETTER;
    const second = at + 1 < end ? secondCodes[bytes[at + 1]] : NO_LETTER;
    cells[cell] = first;
    cells[cell + 1] = second;
    cursor.from = at;
    cursor.at = at + 2;
    cursor.isAtLineStart = false;
    if ((first | second) < NO_LETTER && (at + 2 === end || isWhitespace(bytes[at + 2]))) return READ_OK;
    const cols = size.cols.isKnown ? ` of ${size.cols.count(cursor.environment)}` : '';
    const expected = `block ${col + 1}${cols} in ${describeRow(cursor, size)} (${cellsText})`;
    if (at === end) return cursor.reportMissing(expected);
    cursor.at = findTokenEnd(bytes, at, end);
    return reportBadToken(cursor, at, expected, cursor.describeToken(at));
  };
}
