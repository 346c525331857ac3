/**
 * The boards of a batch of river-pawn in the kernel's memory. The kernel takes them from the text of an input
 * (shared/case-text.ts), or from the lines of one board that JavaScript has parsed, and solves them later, one by one.
 *
 * A cell has the index row * 11 + col, with rows from 1 and columns from 0. Rows 0 and 11 and column 10 are walls,
 * so a step from any cell stays inside the arrays.
 */
import {
  cellsEqualTo,
  cols,
  countLineEnds,
  firstRow,
  forgetLineEnds,
  LINE_FEED,
  readHeader,
  rows,
} from '../shared/case-text';

/** Largest number of rows, and of columns, of a board that the kernel can solve. */
export const MAX_SIDE: i32 = 10;
/**
 * Largest number of boards in a batch, at most MAX_CASES. One call from JavaScript solves a batch. The call should not take
 * long, because a time limit (`--timeout`) applies to the whole call first.
 */
const MAX_BOARDS: i32 = 512;

/** Distance between the indices of a cell and the cell below it. */
export const ROW_STRIDE: i32 = MAX_SIDE + 1;

const FREE: i8 = 0x2e;
const OBSTACLE: i8 = 0x23;
const BLACK: i8 = 0x58;
const RED: i8 = 0x4f;

/** Bytes after the lines of a board that a vector which begins in the last line may read. */
const BYTES_PAST_LINES: i32 = 16;
/** The lines of a board, as an input has them after the header. JavaScript writes a board that it has parsed here. */
const LINES: usize = memory.data(MAX_SIDE * (MAX_SIDE + 1) + BYTES_PAST_LINES, 16);

const BYTES_PER_BOARD: i32 = 24;
/**
 * [board]: a board, as follows. Only the first `rows` elements of its free cells are set.
 *
 *     bytes 0 to 19   [row - 1] u16: bit col is set if the cell is not an obstacle
 *     byte 20         u8: the number of rows; 0 if the kernel has no such board
 *     byte 21         u8: the cell of Black
 *     bytes 22, 23    u8 each: the cells of the two red pieces
 */
const BOARDS: usize = memory.data(MAX_BOARDS * BYTES_PER_BOARD, 16);
const ROWS_OFFSET: usize = 20;
const BLACK_OFFSET: usize = 21;
const RED1_OFFSET: usize = 22;
const RED2_OFFSET: usize = 23;

/** Result, [board] i32: the number of plies until the game on the board ends with best play, or -1 for a tie. */
const PLIES: usize = memory.data(MAX_BOARDS * 4, 16);

export function maxSide(): i32 {
  return MAX_SIDE;
}

export function maxBoards(): i32 {
  return MAX_BOARDS;
}

/** Returns the address of LINES. */
export function linesAddress(): usize {
  return LINES;
}

/** Returns the address of PLIES. */
export function pliesAddress(): usize {
  return PLIES;
}

/**
 * Takes the cases of the text from index `from` on, as the boards from number `board` on, as long as they are in canonical
 * layout and fit the kernel. Returns the index of the first case that it has not taken, at most `to`.
 */
export function takeCases(from: i32, to: i32, board: i32): i32 {
  forgetLineEnds();
  let index = from;
  while (index < to && takeCase(index, board)) {
    index++;
    board++;
  }
  return index;
}

/** Takes a case as a board, if it is in canonical layout and valid. Returns false otherwise; it may still be valid. */
function takeCase(index: i32, board: i32): bool {
  if (!readHeader(index, MAX_SIDE) || !takeRows(firstRow, rows, cols, board)) return false;
  countLineEnds(rows);
  return true;
}

/** Takes a board from its lines in LINES. The caller has checked that the lines are valid. */
export function addBoard(board: i32, rows: i32, cols: i32): void {
  takeRows(LINES, rows, cols, board);
}

/** Says that the kernel does not have this board of the batch. */
export function skipBoard(board: i32): void {
  store<u8>(boardAt(board), 0, ROWS_OFFSET);
}

/**
 * Takes a board from the lines at this address. Returns false if a byte is not allowed at its place, or if the board does not
 * have one Black below row 1 and two reds. The loop selects instead of branching, because no processor can predict in which
 * rows the pieces are.
 */
function takeRows(at: usize, rows: i32, cols: i32, board: i32): bool {
  const to = boardAt(board);
  const line: u32 = (1 << cols) - 1;
  // A board with Black in row 1 is invalid.
  let wrong = cellsEqualTo(v128.load(at), BLACK) & line;
  let blacks = 0;
  let black = 0;
  let reds = 0;
  let red1 = 0;
  let red2 = 0;
  for (let row = 1; row <= rows; row++) {
    const letters = v128.load(at);
    const obstacles = cellsEqualTo(letters, OBSTACLE);
    const blackCells = cellsEqualTo(letters, BLACK) & line;
    const redCells = cellsEqualTo(letters, RED) & line;
    wrong |= ~(cellsEqualTo(letters, FREE) | obstacles | blackCells | redCells) & line;
    wrong |= <u32>load<u8>(at + cols) ^ LINE_FEED;
    store<u16>(to + (row - 1) * 2, ~obstacles & line);
    blacks += popcnt(blackCells);
    reds += popcnt(redCells);
    const leftmost = row * ROW_STRIDE;
    black = select<i32>(leftmost + ctz(blackCells), black, blackCells != 0);
    red1 = select<i32>(leftmost + ctz(redCells), red1, red1 == 0 && redCells != 0);
    red2 = select<i32>(leftmost + 31 - clz(redCells), red2, redCells != 0);
    at += cols + 1;
  }
  store<u8>(to, rows, ROWS_OFFSET);
  store<u8>(to, black, BLACK_OFFSET);
  store<u8>(to, red1, RED1_OFFSET);
  store<u8>(to, red2, RED2_OFFSET);
  return wrong == 0 && blacks == 1 && reds == 2;
}

// @ts-ignore: decorator
@inline
function boardAt(board: i32): usize {
  return BOARDS + board * BYTES_PER_BOARD;
}

/** Returns the number of rows of a board; 0 if the kernel does not have this board. */
export function rowsOf(board: i32): i32 {
  return load<u8>(boardAt(board), ROWS_OFFSET);
}

/** Returns the free cells of a row as bits. The first row has the number 1. */
export function freeCellsOf(board: i32, row: i32): i32 {
  return load<u16>(boardAt(board) + (row - 1) * 2);
}

export function blackCellOf(board: i32): i32 {
  return load<u8>(boardAt(board), BLACK_OFFSET);
}

export function red1CellOf(board: i32): i32 {
  return load<u8>(boardAt(board), RED1_OFFSET);
}

export function red2CellOf(board: i32): i32 {
  return load<u8>(boardAt(board), RED2_OFFSET);
}

export function setPlies(board: i32, plies: i32): void {
  store<i32>(PLIES + board * 4, plies);
}
