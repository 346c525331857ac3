/** The values of grids and tables. */
import type { GridField } from './tree.js';

/** The value of a grid: for each letter of each row its index in the alphabet, and the rows as text. */
export interface GridValue {
  readonly rows: number;
  readonly cols: number;
  readonly cells: Uint8Array;
  readonly lines: readonly string[];
}

/** The value of a table: its numbers, row by row. */
export interface TableValue {
  readonly rows: number;
  readonly cols: number;
  readonly cells: Float64Array;
}

/** The text of a row of a grid: one word, or one word for each cell. */
export function rowText({ letters }: GridField, cells: ArrayLike<number>): string {
  let text = '';
  for (let at = 0; at < cells.length; at++) {
    if (letters.length > 1 && at > 0 && at % letters.length === 0) text += ' ';
    text += letters[at % letters.length][cells[at]];
  }
  return text;
}

/** Returns the grid with these cells. */
export function gridOf(field: GridField, rows: number, cols: number, cells: Uint8Array): GridValue {
  const rowLength = cols * field.letters.length;
  const lines = Array.from({ length: rows }, (_, row) =>
    rowText(field, cells.subarray(row * rowLength, (row + 1) * rowLength)),
  );
  return { rows, cols, cells, lines };
}
