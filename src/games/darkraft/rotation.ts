/** Converts places on the rotated board of a parity class (`RotatedParityClass`) back to cells of the board. */

export type CellParity = 0 | 1;

/** Returns i + j of the cells in row x of the rotated board. i and j are counted from 0, as everywhere in this file. */
export function coordinateSumOfRow(x: number, parity: CellParity): number {
  return 2 * x + parity;
}

/** Returns i - j of the cells in column y of the rotated board. `boardCols` is the number of columns of the board. */
export function coordinateDifferenceOfCol(y: number, parity: CellParity, boardCols: number): number {
  const largest = boardCols - 1;
  return 2 * y - largest + ((parity + largest) & 1);
}

/** Returns the cell [i, j] in row x and column y of the rotated board. */
export function unrotatedCell(
  x: number,
  y: number,
  parity: CellParity,
  boardCols: number,
): [row: number, col: number] {
  const sum = coordinateSumOfRow(x, parity);
  const difference = coordinateDifferenceOfCol(y, parity, boardCols);
  return [(sum + difference) / 2, (sum - difference) / 2];
}
