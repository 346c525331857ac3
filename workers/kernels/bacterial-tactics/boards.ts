/**
 * The boards of a batch of bacterial-tactics in the kernel's memory. Their cells go this way:
 *
 *   text     the cases as they are in the input (shared/case-text.ts); only cases in canonical layout are taken from it
 *   CELLS    one number for each row of a board, with a bit for each cell; JavaScript writes boards that it has parsed here
 *   SORTED   the boards that need a search, so that boards of one shape, and of similar density, are neighbours
 *   LANES    the boards of one group, which are solved together: the same bits, with the lane as the last index
 *
 * From LANES on, each of the two solvers has its own form.
 *
 * A board that is taller than wide is reflected in its main diagonal when it comes into CELLS: its rows and columns are
 * swapped. The answer stays the same, and there are only half as many shapes.
 *
 * The frame of a group is the smallest grid that contains all its boards. They all lie in its top left corner. Cells of the
 * frame outside of a lane's board count as radioactive. The nimber of a rectangle does not depend on the cells around it, so
 * the answer of a lane is that of the rectangle which is exactly its board.
 */

import {
  cellsEqualTo,
  cols,
  countLineEnds,
  firstRow,
  forgetLineEnds,
  LINE_FEED,
  MAX_CASES,
  readHeader,
  rows,
} from '../shared/case-text';

/** Longest side of a board, and of a frame. On larger boards, nimbers above 15 would be more and more frequent. */
export const MAX_SIDE: i32 = 32;
/** Largest number of boards in a batch. */
const MAX_BOARDS: i32 = MAX_CASES;
/** Largest number of boards in a group. */
export const MAX_LANES: i32 = 128;

const CELL_BYTES_PER_BOARD: i32 = MAX_SIDE * 4;
/** [board][row] u32: bit `col` is set if the cell is radioactive. */
const CELLS: usize = memory.data(MAX_BOARDS * CELL_BYTES_PER_BOARD, 64);
/**
 * [board] u32: what decides how a board is solved. From the lowest bit: 16 bits for the number of radioactive cells, 6 bits
 * for the number of rows, 6 bits for the number of columns, and then SEARCH_NEEDED.
 */
const FACTS: usize = memory.data(MAX_BOARDS * 4, 16);
const ROWS_SHIFT: u32 = 16;
const COLS_SHIFT: u32 = 22;
const SIDE_MASK: u32 = 63;
/** This bit is set unless the answer is obvious, because no cell is radioactive, or because no row and no column is clear. */
const SEARCH_NEEDED: u32 = 1 << 28;

/** [i] u16: the boards that need a search, in the order of `sortBoards`. */
const SORTED: usize = memory.data(MAX_BOARDS * 2, 16);
/** The boards in the order of the first pass of `sortBoards`. */
const SORTED_BY_DENSITY: usize = memory.data(MAX_BOARDS * 2, 16);
/** Number of keys by which `sortBoards` sorts: in its first pass by density, and in its second pass by shape. */
const DENSITY_KEYS: i32 = 256;
const SHAPE_KEYS: i32 = (MAX_SIDE + 1) << 6;
/** [key] u32: the index at which the next board with this key belongs. The array has room for one more key. */
const POSITIONS: usize = memory.data((SHAPE_KEYS + 1) * 4, 16);
/** [row] u32: the cells of a board while it is reflected. */
const REFLECTED: usize = memory.data(CELL_BYTES_PER_BOARD, 16);

const BYTES_PER_ROW: i32 = MAX_SIDE / 8;
/** [row][byte][lane] u8: bit `b` of a byte is set if the cell in column 8 * byte + b of the lane's board is empty. */
const LANES: usize = memory.data(MAX_SIDE * BYTES_PER_ROW * MAX_LANES, 64);
/** [lane] u8: the number of rows of the lane's board; 0 if the lane has no board. */
export const LANE_ROWS: usize = memory.data(MAX_LANES, 16);
/** [lane] u8: the number of columns of the lane's board; 0 if the lane has no board. */
export const LANE_COLS: usize = memory.data(MAX_LANES, 16);

/** Result of a solver, [lane] u8: how many rows of the lane's board win as the first move. */
export const WINNING_ROWS: usize = memory.data(MAX_LANES, 16);
/** Result of a solver, [lane] u8: how many columns of the lane's board win as the first move. */
export const WINNING_COLS: usize = memory.data(MAX_LANES, 16);
/**
 * Result of a solver, [lane] u8: not 0 if an enclosed rectangle of the lane's board has a nimber above 15. Then the lane has
 * no answer. A rectangle is enclosed if each of its four sides is the edge of the board, or lies beside a line that is clear
 * along this side. Play reaches no other rectangle, so the nimbers of other rectangles do not matter.
 */
export const OVERFLOWED: usize = memory.data(MAX_LANES, 16);
/** Result of `findNimbersOfBits` and `findNimbersOfBytes`, [lane] u8: the nimber of the lane's board. */
export const BOARD_NIMBERS: usize = memory.data(MAX_LANES, 16);

export function maxSide(): i32 {
  return MAX_SIDE;
}

export function maxBoards(): i32 {
  return MAX_BOARDS;
}

/** Returns the address of CELLS. */
export function cellsAddress(): usize {
  return CELLS;
}

/** Returns the address of FACTS. */
export function factsAddress(): usize {
  return FACTS;
}

/** Returns the address of SORTED. */
export function sortedBoardsAddress(): usize {
  return SORTED;
}

/** Returns the address of WINNING_ROWS. */
export function rowsWonAddress(): usize {
  return WINNING_ROWS;
}

/** Returns the address of WINNING_COLS. */
export function colsWonAddress(): usize {
  return WINNING_COLS;
}

/** Returns the address of BOARD_NIMBERS. */
export function nimbersAddress(): usize {
  return BOARD_NIMBERS;
}

/** Returns the address of OVERFLOWED. */
export function overflowedAddress(): usize {
  return OVERFLOWED;
}

// ---- From text to cells -------------------------------------------------------------------------------------

const RADIOACTIVE: i8 = 0x23;
const EMPTY: i8 = 0x2e;

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

/** Takes a case as a board, if it is in canonical layout. Returns false for another layout; the case may still be valid. */
function takeCase(index: i32, board: i32): bool {
  if (!readHeader(index, MAX_SIDE) || !takeRows(firstRow, rows, cols, board)) return false;
  countLineEnds(rows);
  addBoard(board, rows, cols);
  return true;
}

/** Writes the rows of the board with its text at `at` into CELLS. Returns false if a byte is not allowed at its place. */
function takeRows(at: usize, rows: i32, cols: i32, board: i32): bool {
  const to: usize = CELLS + board * CELL_BYTES_PER_BOARD;
  const line = bitsBelow(cols);
  let wrong: u32 = 0;
  for (let row = 0; row < rows; row++) {
    const left = v128.load(at);
    let radioactive = cellsEqualTo(left, RADIOACTIVE);
    let empty = cellsEqualTo(left, EMPTY);
    if (cols > 16) {
      const right = v128.load(at, 16);
      radioactive |= cellsEqualTo(right, RADIOACTIVE) << 16;
      empty |= cellsEqualTo(right, EMPTY) << 16;
    }
    wrong |= (~(radioactive | empty) & line) | (<u32>load<u8>(at + cols) ^ LINE_FEED);
    store<u32>(to + row * 4, radioactive & line);
    at += cols + 1;
  }
  return wrong == 0;
}

/** Returns a number whose lowest `count` bits are set, for 1 to 32 bits. */
@inline
function bitsBelow(count: u32): u32 {
  return <u32>-1 >> (32 - count);
}

/** Writes the facts of a board whose cells are in CELLS, and reflects the board if it is taller than wide. */
export function addBoard(board: i32, rows: i32, cols: i32): void {
  const cells: usize = CELLS + board * CELL_BYTES_PER_BOARD;
  let count = 0;
  let inAnyRow: u32 = 0;
  let hasClearLine = false;
  for (let row = 0; row < rows; row++) {
    const radioactive = load<u32>(cells + row * 4);
    count += popcnt<u32>(radioactive);
    inAnyRow |= radioactive;
    if (radioactive == 0) hasClearLine = true;
  }
  if (inAnyRow != bitsBelow(cols)) hasClearLine = true;
  if (rows > cols) reflect(cells, rows, cols);
  let facts: u32 = count | (min(rows, cols) << ROWS_SHIFT) | (max(rows, cols) << COLS_SHIFT);
  if (hasClearLine && count > 0) facts |= SEARCH_NEEDED;
  store<u32>(FACTS + board * 4, facts);
}

/** Swaps the rows and the columns of a board. */
function reflect(cells: usize, rows: i32, cols: i32): void {
  memory.fill(REFLECTED, 0, cols * 4);
  for (let row = 0; row < rows; row++) {
    for (let rest = load<u32>(cells + row * 4); rest != 0; rest &= rest - 1) {
      const at: usize = REFLECTED + ctz<u32>(rest) * 4;
      store<u32>(at, load<u32>(at) | (1 << row));
    }
  }
  memory.copy(cells, REFLECTED, cols * 4);
}

// ---- From cells to the lanes of a group ---------------------------------------------------------------------

/**
 * Sorts the boards from 0 to `count - 1` that need a search into SORTED: by their number of columns, then by their number of
 * rows, then by their number of radioactive cells. Returns how many boards need a search.
 */
export function sortBoards(count: i32): i32 {
  let searched = 0;
  forgetCounts(DENSITY_KEYS);
  for (let board = 0; board < count; board++) {
    const facts = load<u32>(FACTS + board * 4);
    if ((facts & SEARCH_NEEDED) == 0) continue;
    countKey(densityKey(facts));
    searched++;
  }
  turnCountsIntoPositions(DENSITY_KEYS);
  for (let board = 0; board < count; board++) {
    const facts = load<u32>(FACTS + board * 4);
    if ((facts & SEARCH_NEEDED) != 0) store<u16>(SORTED_BY_DENSITY + takePosition(densityKey(facts)) * 2, board);
  }
  forgetCounts(SHAPE_KEYS);
  for (let i = 0; i < searched; i++) countKey(shapeKey(factsOf(load<u16>(SORTED_BY_DENSITY + i * 2))));
  turnCountsIntoPositions(SHAPE_KEYS);
  for (let i = 0; i < searched; i++) {
    const board = load<u16>(SORTED_BY_DENSITY + i * 2);
    store<u16>(SORTED + takePosition(shapeKey(factsOf(board))) * 2, board);
  }
  return searched;
}

@inline
function factsOf(board: i32): u32 {
  return load<u32>(FACTS + board * 4);
}

/** Returns the number of radioactive cells in steps of four. */
@inline
function densityKey(facts: u32): i32 {
  return min((facts & 0xffff) >> 2, DENSITY_KEYS - 1);
}

/** Returns a number that grows with the number of columns, and then with the number of rows. */
@inline
function shapeKey(facts: u32): i32 {
  return (facts >> ROWS_SHIFT) & 4095;
}

function forgetCounts(keys: i32): void {
  memory.fill(POSITIONS, 0, (keys + 1) * 4);
}

/** Counts a key. Its count is in the element after its own. */
@inline
function countKey(key: i32): void {
  const at: usize = POSITIONS + (key + 1) * 4;
  store<u32>(at, load<u32>(at) + 1);
}

function turnCountsIntoPositions(keys: i32): void {
  for (let key = 1; key < keys; key++) {
    const at: usize = POSITIONS + key * 4;
    store<u32>(at, load<u32>(at) + load<u32>(at - 4));
  }
}

/** Returns the index at which the next board with this key belongs. */
@inline
function takePosition(key: i32): u32 {
  const at: usize = POSITIONS + key * 4;
  const position = load<u32>(at);
  store<u32>(at, position + 1);
  return position;
}

/** Puts the `count` boards from SORTED[first] on into LANES, for a frame of this size. Lanes up to `lanes - 1` may be empty. */
export function dealBoards(first: i32, count: i32, lanes: i32, frameRows: i32, frameCols: i32): void {
  const bytesPerRow = (frameCols + 7) >> 3;
  memory.fill(LANES, 0, frameRows * BYTES_PER_ROW * MAX_LANES);
  memory.fill(LANE_ROWS, 0, lanes);
  memory.fill(LANE_COLS, 0, lanes);
  for (let lane = 0; lane < count; lane++) {
    const board = <i32>load<u16>(SORTED + (first + lane) * 2);
    const facts = factsOf(board);
    const rows = (facts >> ROWS_SHIFT) & SIDE_MASK;
    const cols = (facts >> COLS_SHIFT) & SIDE_MASK;
    store<u8>(LANE_ROWS + lane, rows);
    store<u8>(LANE_COLS + lane, cols);
    const cells: usize = CELLS + board * CELL_BYTES_PER_BOARD;
    let to: usize = LANES + lane;
    for (let row: u32 = 0; row < rows; row++) {
      let empty = ~load<u32>(cells + row * 4) & bitsBelow(cols);
      for (let byte = 0; byte < bytesPerRow; byte++) {
        store<u8>(to + byte * MAX_LANES, empty);
        empty >>= 8;
      }
      to += BYTES_PER_ROW * MAX_LANES;
    }
  }
}

/** Returns the address of a byte of a row in LANES, for the sixteen lanes from `lane` on. */
@inline
export function lanesAddress(row: i32, byte: i32, lane: i32): usize {
  return LANES + (row * BYTES_PER_ROW + byte) * MAX_LANES + lane;
}
