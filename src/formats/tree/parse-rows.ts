/** The common code of the readers of tables and grids. */
import { pluralize } from '../../core/errors.js';
import type { CaseCursor } from './case-cursor.js';
import { type ArrayLength, type GridLengths, UNKNOWN_WIDTH } from './counts.js';
import { READ_OK, type ReadStatus, STRUCTURE_LOST } from './cursor.js';
import { printNumber } from './numbers.js';
import type { FieldNameOf } from './parse-names.js';

/** Prepares the cursor for the rows of a grid or a table. */
export function prepareRows(cursor: CaseCursor): void {
  cursor.row = -1;
  cursor.cols = UNKNOWN_WIDTH;
}

/** Returns the size of the grid or table that was just read. If there are no rows, an unknown number of columns is 0. */
export function sizeOfReadRows(
  cursor: CaseCursor,
  { rows, cols }: GridLengths,
): { rows: number; cols: number } {
  cursor.rows = rows.isKnown ? rows.count(cursor.environment) : cursor.row + 1;
  cursor.cols = cols.isKnown ? cols.count(cursor.environment) : Math.max(0, cursor.cols);
  return cursor;
}

/** Reports why the rows of a grid or table do not end, unless the reader of a row has reported a fault. */
export function reportEndlessRows(
  cursor: CaseCursor,
  nameOf: FieldNameOf,
  { rows, cols }: GridLengths,
): ReadStatus {
  if (cursor.isStopped) return STRUCTURE_LOST;
  const isSizeUnclear = !rows.isKnown && !(cols.isKnown && cols.count(cursor.environment) <= 0);
  if (isSizeUnclear) return cursor.reportMissing(`row ${cursor.row + 2} of ${nameOf(cursor)}`);
  const show = (length: ArrayLength) =>
    length.isKnown ? printNumber(length.evaluate(cursor.environment)) : '?';
  return cursor.reportLost(
    cursor.from,
    `a size of ${nameOf(cursor)} that a case can have`,
    `${show(rows)} x ${show(cols)}`,
  );
}

/** Checks that a row is as wide as the first row. */
export function checkWidth(cursor: CaseCursor, start: number, width: number, noun: string): ReadStatus {
  if (cursor.cols === UNKNOWN_WIDTH) cursor.cols = width;
  if (cursor.cols === width) return READ_OK;
  return cursor.report(
    start,
    `row ${cursor.row + 1} (${pluralize(cursor.cols, noun)})`,
    pluralize(width, noun),
  );
}
