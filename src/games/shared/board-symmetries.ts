/** Turns and mirrors boards whose cells are one byte each, to find boards that are equal up to such changes. */
import type { Board } from '../../formats/boards/board.js';

/** A change of a board. It keeps or swaps the sides of the board, and may replace the codes of cells. */
interface BoardChange {
  readonly swapsSides: boolean;
  /** Whether the rows of the changed board are in reverse order, and its columns. */
  readonly reversesRows: boolean;
  readonly reversesCols: boolean;
  /** The code of the changed cell for each code of a cell. Missing if codes stay. */
  readonly codes?: readonly number[];
}

/** The eight ways to turn and mirror a board. */
export const TURNS_AND_MIRRORS: readonly BoardChange[] = [false, true].flatMap((swapsSides) =>
  [false, true].flatMap((reversesRows) =>
    [false, true].map((reversesCols) => ({ swapsSides, reversesRows, reversesCols })),
  ),
);

/** Yields the board after each of the changes. All of them are written into the same object. */
export function* changedBoards(board: Board, changes: readonly BoardChange[]): Generator<Board> {
  const changed: Board = { rows: 0, cols: 0, cells: new Uint8Array(board.rows * board.cols) };
  for (const change of changes) {
    changeBoard(board, change, changed);
    yield changed;
  }
}

function changeBoard(
  { rows, cols, cells }: Board,
  { swapsSides, reversesRows, reversesCols, codes }: BoardChange,
  changed: Board,
): void {
  changed.rows = swapsSides ? cols : rows;
  changed.cols = swapsSides ? rows : cols;
  for (let cell = 0; cell < rows * cols; cell++) {
    const row = Math.floor(cell / cols);
    const col = cell - row * cols;
    const newRow = swapsSides ? col : row;
    const newCol = swapsSides ? row : col;
    const toRow = reversesRows ? changed.rows - 1 - newRow : newRow;
    const toCol = reversesCols ? changed.cols - 1 - newCol : newCol;
    const code = cells[cell];
    changed.cells[toRow * changed.cols + toCol] = codes === undefined ? code : codes[code];
  }
}
