/** Turns and mirrors boards whose cells are one byte each, to find boards that are equal up to such changes. */
import type { Board } from '../../formats/boards/board.js';
import type { CaseSymmetries } from '../../problems/problem.js';

/** A rotation or reflection of a board, which may also replace the codes of cells. */
export interface BoardSymmetry {
  readonly swapsSides: boolean;
  /** Whether the changed board has its rows in reverse order, and whether it has its columns in reverse order. */
  readonly reversesRows: boolean;
  readonly reversesCols: boolean;
  /** codes[c]: the code that replaces code c of a cell. Missing if no code is replaced. */
  readonly codes?: readonly number[];
}

/** The eight rotations and reflections of a board. */
export const TURNS_AND_MIRRORS: readonly BoardSymmetry[] = [false, true].flatMap((swapsSides) =>
  [false, true].flatMap((reversesRows) =>
    [false, true].map((reversesCols) => ({ swapsSides, reversesRows, reversesCols })),
  ),
);

/** Returns the symmetries that these changes are, of which the first one changes nothing. They keep the answer as it is. */
export function turningSymmetries(
  description: string,
  changes: readonly BoardSymmetry[],
): CaseSymmetries<Board> {
  const [, ...others] = changes;
  if (others.length === 0) throw new Error('a game has `symmetries: null` if no change keeps the answers');
  return {
    description,
    variantsOf: (board) => changedBoards(board, changes),
    twinOf: (board, draw) => {
      const value = emptyBoard(board);
      changeBoard(board, others[draw(others.length)], value);
      return { value, answerFrom: (answer) => answer };
    },
  };
}

/** Yields the changed board for each of the changes. Each changed board is written into the same object. */
function* changedBoards(board: Board, changes: readonly BoardSymmetry[]): Generator<Board> {
  const changed = emptyBoard(board);
  for (const change of changes) {
    changeBoard(board, change, changed);
    yield changed;
  }
}

function emptyBoard({ rows, cols }: Board): Board {
  return { rows: 0, cols: 0, cells: new Uint8Array(rows * cols) };
}

function changeBoard(board: Board, change: BoardSymmetry, changed: Board): void {
  const { rows, cols, cells } = board;
  const { swapsSides, codes } = change;
  changed.rows = swapsSides ? cols : rows;
  changed.cols = swapsSides ? rows : cols;
  for (let cell = 0; cell < rows * cols; cell++) {
    const code = cells[cell];
    changed.cells[cellAfterSymmetry(cell, board, change)] = codes === undefined ? code : codes[code];
  }
}

/** Returns the cell of the changed board to which a cell of a board of this size comes. */
export function cellAfterSymmetry(
  cell: number,
  { rows, cols }: { readonly rows: number; readonly cols: number },
  { swapsSides, reversesRows, reversesCols }: BoardSymmetry,
): number {
  const row = Math.floor(cell / cols);
  const col = cell - row * cols;
  const [newRow, newCol] = swapsSides ? [col, row] : [row, col];
  const [newRows, newCols] = swapsSides ? [cols, rows] : [rows, cols];
  const toRow = reversesRows ? newRows - 1 - newRow : newRow;
  const toCol = reversesCols ? newCols - 1 - newCol : newCol;
  return toRow * newCols + toCol;
}
