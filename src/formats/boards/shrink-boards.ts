/** Makes boards simpler. This is used to find the smallest board on which a program fails. */
import { rangesByHalving } from '../../core/range.js';
import type { Board } from './board.js';
import type { BoardInputFormat } from './board-format.js';

/** Yields the boards that are one step simpler than `board`: with fewer rows, with fewer columns, or with one simpler cell. */
export function* simplerBoards(board: Board, format: BoardInputFormat): Generator<Board> {
  const { rows, cols } = board;
  const cellBytes = format.cellBytes;
  for (const { from, count } of rangesByHalving(rows)) {
    if (count < rows)
      yield keepCells(
        board,
        cellBytes,
        (row) => row < from || row >= from + count,
        () => true,
      );
  }
  for (const { from, count } of rangesByHalving(cols)) {
    if (count < cols)
      yield keepCells(
        board,
        cellBytes,
        () => true,
        (col) => col < from || col >= from + count,
      );
  }
  for (let at = 0; at < rows * cols * cellBytes; at++) {
    for (const code of format.simplerCodes(board.cells[at], at % cellBytes)) {
      const cells = board.cells.slice();
      cells[at] = code;
      yield { rows, cols, cells };
    }
  }
}

/** Returns the board without the rows and columns for which `keepsRow` or `keepsCol` is false. */
function keepCells(
  { rows, cols, cells }: Board,
  size: number,
  keepsRow: (row: number) => boolean,
  keepsCol: (col: number) => boolean,
): Board {
  const keptRows = Array.from({ length: rows }, (_, row) => row).filter(keepsRow);
  const keptCols = Array.from({ length: cols }, (_, col) => col).filter(keepsCol);
  const keptCells = new Uint8Array(keptRows.length * keptCols.length * size);
  let to = 0;
  for (const row of keptRows) {
    for (const col of keptCols) {
      const from = (row * cols + col) * size;
      keptCells.set(cells.subarray(from, from + size), to);
      to += size;
    }
  }
  return { rows: keptRows.length, cols: keptCols.length, cells: keptCells };
}
