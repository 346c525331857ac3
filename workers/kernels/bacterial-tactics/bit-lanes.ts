/**
 * Solves a group of up to 128 boards of bacterial-tactics: computes the nimbers of all rectangles of all boards at once,
 * bottom-up (Sprague-Grundy theory). Each board occupies one bit of the vectors, so each logical instruction works on all
 * boards. The time does not depend on how many boards there are: for small groups, byte-lanes.ts is faster.
 *
 *   nimber(rectangle) = mex { nimber(one part) XOR nimber(other part) : clear rows and columns of the rectangle }
 *
 * A row or column of a rectangle is clear if none of its cells in the rectangle is radioactive. A move fills a clear line,
 * and so splits the rectangle into two parts. The mex is the smallest nimber that no split leads to.
 *
 * Cost: about R^2 C^2 (R + C) / 12 splits for boards of R x C cells. For all boards together, a split costs seven loads and
 * 25 logical instructions at most.
 *
 * Planes. A plane is a vector with one bit for each board. Four planes contain the nimbers of a rectangle, which are 0..15:
 * plane i has bit i of each nimber. The kernel stores the planes 0 and 1 as a pair, and the planes 2 and 3 as another pair
 * at a fixed distance (HIGH_PAIRS). One more plane for each line says in which boards it is clear.
 *
 * Sets. The set of the nimbers that the splits of a rectangle lead to takes one plane for each nimber. A split is added to
 * them by a tree of ANDs: the boards in which the line is clear are divided by bit 2 of the nimber, then by bit 1, then
 * by bit 0. An AND and an XOR divide a plane into two. (An AND NOT would take two instructions, because V8 copies its
 * operand first.) Let p(n) be the boards whose sets contain all of 0..n-1. Then the mex is n in the boards p(n) XOR p(n + 1),
 * because p(n + 1) is a part of p(n).
 *
 * Levels. Small nimbers are frequent. The kernel keeps in mind how large the nimbers of the parts of a rectangle are in any
 * board of the group:
 *
 *   level   nimbers    the splits of a rectangle whose parts have at most this level
 *   0       0..3       lead to 0..3, so four sets are enough; the mex is at most 4
 *   1       4..7       lead to 0..7, so eight sets are enough; the mex is at most 8
 *   3       8..15      lead to 0..15; two passes with eight sets each, the second of which is rarely needed
 *
 * The levels are such that the larger of two levels is their OR. On boards of 15 x 15 cells of which 2 % are radioactive,
 * about 58 % of the splits belong to rectangles of level 0, and about 2 % to rectangles of level 3.
 *
 * Enclosed rectangles. Play reaches a rectangle only if it is enclosed: each of its sides is the edge of the board, or lies
 * beside a line that is clear along this side (the line that was filled). The parts of an enclosed rectangle after a move are
 * enclosed, so the nimbers of other rectangles do not matter. On boards with many radioactive cells, few rectangles are
 * enclosed in any board of the group, and the kernel can skip the others. What its tables contain for a rectangle that was
 * skipped, or for a board in which a rectangle is not enclosed, may be wrong and is never used.
 *
 * Memory. Ranges of columns are numbered by their width and then by their left edge:
 *
 *   cols = 4    range   0  1  2  3 |  4   5   6 |   7    8 |    9
 *               columns 0  1  2  3 | 01  12  23 | 012  123 | 0123
 *
 * A block has one pair of planes for each range.
 *
 *   array        index                           content
 *   BELOW        block belowBlockAt(from, to)    nimbers of rows [from, to); from >= 1
 *   ABOVE        block number `to`               nimbers of rows [top, to) for the current top; block `top` is all 0
 *   LEFT         pair left + WIDTH_PAIRS * width nimbers of rows [top, bottom), columns [left, left + width); 0 for width 0
 *   CLEAR_ROWS   plane row * ranges + range      boards in which the row is clear in the range of columns
 *   CLEAR_COLS   plane col                       boards in which the column is clear in rows [top, bottom)
 *
 * Because of this layout, going from the split at one row to the split at the next row is a step of one block in ABOVE, in
 * BELOW, and of one row in CLEAR_ROWS. Going from the split at one column to the next is a step of one width up in LEFT for
 * the left part, one width down and one pair to the right for the right part, and one plane in CLEAR_COLS.
 *
 * Invariants. Rectangles are finished by `top` descending, then by `bottom` ascending, then by width, so every nimber that a
 * split reads is final.
 */
import {
  BOARD_NIMBERS,
  dealBoards,
  LANE_COLS,
  LANE_ROWS,
  lanesAddress,
  MAX_LANES,
  MAX_SIDE,
  OVERFLOWED,
  WINNING_COLS,
  WINNING_ROWS,
} from './boards';

const PLANE: i32 = 16;
const PAIR: i32 = 2 * PLANE;
/** Number of ranges of adjacent columns (and also of adjacent rows) in the largest frame. */
const MAX_RANGES: i32 = (MAX_SIDE * (MAX_SIDE + 1)) / 2;
/**
 * A block of the frame of 15 x 15 would take a multiple of 256 bytes, and too many blocks would share the same places of the
 * cache. So there are two pairs more in each block.
 */
const UNUSED_PAIRS: i32 = 2;
const MAX_BLOCK_BYTES: i32 = (MAX_RANGES + UNUSED_PAIRS) * PAIR;
/** Pairs for all rectangles of one width in LEFT. */
const WIDTH_PAIRS: i32 = MAX_SIDE + 1;
const WIDTH_BYTES: i32 = WIDTH_PAIRS * PAIR;

// The three arrays of nimbers are parts of one array, so that the planes 2 and 3 have the same distance from the planes 0 and 1
// in all of them. The section "Memory" at the head of this file describes their contents.
const BELOW_BYTES: i32 = MAX_RANGES * MAX_BLOCK_BYTES;
const ABOVE_BYTES: i32 = (MAX_SIDE + 1) * MAX_BLOCK_BYTES;
const LEFT_BYTES: i32 = (MAX_SIDE + 1) * WIDTH_BYTES;
/** Distance from the planes 0 and 1 of a rectangle to its planes 2 and 3. */
const HIGH_PAIRS: i32 = BELOW_BYTES + ABOVE_BYTES + LEFT_BYTES + MAX_BLOCK_BYTES;
const BELOW: usize = memory.data(2 * HIGH_PAIRS, 64);
const ABOVE: usize = BELOW + BELOW_BYTES;
const LEFT: usize = ABOVE + ABOVE_BYTES;
/** A block that the kernel writes and never reads: it replaces the blocks of BELOW for rectangles that begin at row 0. */
const DISCARDED_BLOCK: usize = LEFT + LEFT_BYTES;

const CLEAR_ROWS: usize = memory.data(MAX_SIDE * MAX_RANGES * PLANE, 64);
const CLEAR_COLS: usize = memory.data(MAX_SIDE * PLANE, 64);
/** [row * cols + col]: boards in which the cell is empty. */
const EMPTY_CELLS: usize = memory.data(MAX_SIDE * MAX_SIDE * PLANE, 64);
/** [n]: boards with n rows, and boards with n columns. */
const BOARDS_WITH_ROWS: usize = memory.data((MAX_SIDE + 1) * PLANE, 64);
const BOARDS_WITH_COLS: usize = memory.data((MAX_SIDE + 1) * PLANE, 64);
/** Boards in which an enclosed rectangle has a nimber above 15. */
const OVERFLOWED_BOARDS: usize = memory.data(PLANE, 16);
/** Results of `findMexOfEight`: the planes of bits 0 to 2 of the mex, and the boards in which all eight nimbers are there. */
const MEX: usize = memory.data(4 * PLANE, 16);
/** A plane of which `addBits` reads two bytes at a time. */
const BITS: usize = memory.data(PLANE, 16);

// Levels: the OR of the levels of rectangles in which a split of the current rectangle can have a part. One byte each.
/** [range]: rows [top, to) for every `to` so far. */
const LEVELS_ABOVE: usize = memory.data(MAX_RANGES, 16);
/** [bottom * ranges + range]: rows [from, bottom) for every `from` so far. */
const LEVELS_BELOW: usize = memory.data((MAX_SIDE + 1) * MAX_RANGES, 16);
/** [left]: rows [top, bottom), columns [left, to) for every `to` so far. */
const LEVELS_LEFT: usize = memory.data(MAX_SIDE + 1, 16);
/** [right]: rows [top, bottom), columns [from, right) for every `from` so far. */
const LEVELS_RIGHT: usize = memory.data(MAX_SIDE + 1, 16);
const LEVEL_1: i32 = 1;
const LEVEL_3: i32 = 3;

/** Size of the frame of the group. */
let rows: i32 = 0;
let cols: i32 = 0;
/** Number of ranges of columns in the frame. */
let ranges: i32 = 0;
/** Bytes of a block, and of the planes of a row in CLEAR_ROWS. */
let blockBytes: i32 = 0;
let clearRowBytes: i32 = 0;
/** The rectangles whose nimbers are computed have the rows from `top` to `bottom - 1`. */
let top: i32 = 0;
let bottom: i32 = 0;

/** Returns the largest number of boards that `solveBits` solves at once. */
export function bitLanes(): i32 {
  return MAX_LANES;
}

/**
 * Solves the `count` boards from number `first` of the sorted boards on. The frame must be large enough for each board. With
 * `skipsRectangles`, the kernel tests for each rectangle whether it is enclosed in any board: that takes time, too.
 */
export function solveBits(
  first: i32,
  count: i32,
  frameRows: i32,
  frameCols: i32,
  skipsRectangles: bool,
): void {
  dealBoards(first, count, MAX_LANES, frameRows, frameCols);
  prepareFrame(frameRows, frameCols);
  readCells();
  for (let row = 0; row < rows; row++) findClearRanges(row);
  for (top = rows - 1; top >= 0; top--) {
    clearPairs(ABOVE + top * blockBytes, blockBytes);
    memory.fill(LEVELS_ABOVE, 0, ranges);
    for (bottom = top + 1; bottom <= rows; bottom++) {
      addRowToClearCols(bottom - 1);
      memory.fill(LEVELS_LEFT, 0, MAX_SIDE + 1);
      memory.fill(LEVELS_RIGHT, 0, MAX_SIDE + 1);
      // The compiler makes two copies of the loop, of which one has no test.
      if (skipsRectangles) solveRectangles(true);
      else solveRectangles(false);
      if (top == 0) countWinningMoves();
    }
  }
  memory.fill(OVERFLOWED, 0, MAX_LANES);
  addBits(OVERFLOWED, v128.load(OVERFLOWED_BOARDS));
}

/** Sets the size of the frame, and clears the memory that later steps read but do not always write. */
function prepareFrame(frameRows: i32, frameCols: i32): void {
  rows = frameRows;
  cols = frameCols;
  ranges = (cols * (cols + 1)) >> 1;
  blockBytes = (ranges + UNUSED_PAIRS) * PAIR;
  clearRowBytes = ranges * PLANE;
  for (let row = 1; row <= rows; row++) clearPairs(belowBlockAt(row, row), blockBytes);
  clearPairs(LEFT, WIDTH_BYTES);
  memory.fill(LEVELS_BELOW, 0, (rows + 1) * ranges);
  memory.fill(WINNING_ROWS, 0, MAX_LANES);
  memory.fill(WINNING_COLS, 0, MAX_LANES);
  v128.store(OVERFLOWED_BOARDS, i64x2.splat(0));
}

/** Sets both pairs of planes of some rectangles to 0. */
function clearPairs(at: usize, bytes: i32): void {
  memory.fill(at, 0, bytes);
  memory.fill(at + HIGH_PAIRS, 0, bytes);
}

/**
 * Returns the address of the block of BELOW for rows [from, to), 1 <= from <= to. Blocks with the same `to` are neighbours, so
 * a step of one block is a step of one row in `from`.
 */
@inline
function belowBlockAt(from: i32, to: i32): usize {
  return BELOW + (((to * (to - 1)) >> 1) + from - 1) * blockBytes;
}

/** Fills EMPTY_CELLS and the planes of boards by size from the boards that `dealBoards` has put into the lanes. */
function readCells(): void {
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col += 8) {
      for (let lane = 0; lane < MAX_LANES; lane += 16) {
        // bitmask() collects the highest bits of sixteen bytes. Adding a byte to itself moves the next bit there.
        let cells = v128.load(lanesAddress(row, col >> 3, lane));
        const last = min(col + 8, cols) - 1;
        cells = i8x16.shl(cells, 7 - (last & 7));
        let to: usize = EMPTY_CELLS + (row * cols + last) * PLANE + lane / 8;
        for (let at = last; at >= col; at--) {
          store<u16>(to, i8x16.bitmask(cells));
          cells = i8x16.add(cells, cells);
          to -= PLANE;
        }
      }
    }
  }
  for (let n = 1; n <= rows; n++) findBoardsWith(LANE_ROWS, n, BOARDS_WITH_ROWS);
  for (let n = 1; n <= cols; n++) findBoardsWith(LANE_COLS, n, BOARDS_WITH_COLS);
}

/** Stores the plane of the boards whose byte in `sides` is n. */
function findBoardsWith(sides: usize, n: i32, planes: usize): void {
  for (let lane = 0; lane < MAX_LANES; lane += 16) {
    const areEqual = i8x16.eq(v128.load(sides + lane), i8x16.splat(<i8>n));
    store<u16>(planes + n * PLANE + lane / 8, i8x16.bitmask(areEqual));
  }
}

/** Stores in which boards the row is clear, for each range of columns. */
function findClearRanges(row: i32): void {
  const cells: usize = EMPTY_CELLS + row * cols * PLANE;
  let at: usize = CLEAR_ROWS + row * clearRowBytes;
  let narrower = at;
  memory.copy(at, cells, cols * PLANE);
  at += cols * PLANE;
  for (let width = 2; width <= cols; width++) {
    for (let right = width - 1; right < cols; right++) {
      v128.store(at, v128.and(v128.load(narrower), v128.load(cells + right * PLANE)));
      at += PLANE;
      narrower += PLANE;
    }
    narrower += PLANE;
  }
}

/** Makes CLEAR_COLS say in which boards the columns are clear in the rows from `top` to this row. */
function addRowToClearCols(row: i32): void {
  const cells: usize = EMPTY_CELLS + row * cols * PLANE;
  if (row == top) {
    memory.copy(CLEAR_COLS, cells, cols * PLANE);
    return;
  }
  for (let at = 0; at < cols * PLANE; at += PLANE) {
    v128.store(CLEAR_COLS + at, v128.and(v128.load(CLEAR_COLS + at), v128.load(cells + at)));
  }
}

// ---- The rectangles with rows [top, bottom) -----------------------------------------------------------------

/** Number of rows of the current rectangles. */
let height: i32 = 0;
/** The blocks of the parts above and below the first row, and where the planes of clear rows begin for the first row. */
let aboveFirstRow: usize = 0;
let belowFirstRow: usize = 0;
let clearFirstRow: usize = 0;
/** The blocks of ABOVE and of BELOW to which the nimbers belong. */
let toAbove: usize = 0;
let toBelow: usize = 0;

/** Computes the nimbers of all rectangles with rows [top, bottom). */
@inline
function solveRectangles(skipsRectangles: bool): void {
  height = bottom - top;
  aboveFirstRow = ABOVE + top * blockBytes;
  belowFirstRow = belowBlockAt(top + 1, bottom);
  clearFirstRow = CLEAR_ROWS + top * clearRowBytes;
  toAbove = ABOVE + bottom * blockBytes;
  toBelow = top > 0 ? belowBlockAt(top, bottom) : DISCARDED_BLOCK;
  const levelsBelow: usize = LEVELS_BELOW + bottom * ranges;
  let range = 0;
  for (let width = 1; width <= cols; width++) {
    for (let left = 0; left + width <= cols; left++, range++) {
      const right = left + width;
      let boards = i64x2.splat(-1);
      if (skipsRectangles) {
        boards = boardsInWhichEnclosed(left, right, range);
        if (!v128.any_true(boards)) continue;
      }
      const levelOfParts =
        load<u8>(LEVELS_ABOVE + range) |
        load<u8>(levelsBelow + range) |
        load<u8>(LEVELS_LEFT + left) |
        load<u8>(LEVELS_RIGHT + right);
      let level = 0;
      if (levelOfParts == 0) level = solveWithFourSets(left, width, range, boards);
      else if (levelOfParts == LEVEL_1) level = solveWithEightSets(left, width, range, boards);
      else level = solveWithSixteenSets(left, width, range);
      if (level == 0) continue;
      raiseLevel(LEVELS_ABOVE + range, level);
      raiseLevel(levelsBelow + range, level);
      raiseLevel(LEVELS_LEFT + left, level);
      raiseLevel(LEVELS_RIGHT + right, level);
    }
  }
}

@inline
function raiseLevel(at: usize, level: i32): void {
  store<u8>(at, load<u8>(at) | level);
}

/** Returns the boards in which lines can enclose the rectangle of rows `top` to `bottom` and of these columns. */
@inline
function boardsInWhichEnclosed(left: i32, right: i32, range: i32): v128 {
  const clearAt: usize = CLEAR_ROWS + range * PLANE;
  // The cells around a board are radioactive, so the line behind the edge of a board is not clear.
  let below = v128.load(BOARDS_WITH_ROWS + bottom * PLANE);
  if (bottom < rows) below = v128.or(below, v128.load(clearAt + bottom * clearRowBytes));
  let after = v128.load(BOARDS_WITH_COLS + right * PLANE);
  if (right < cols) after = v128.or(after, v128.load(CLEAR_COLS + right * PLANE));
  let enclosed = v128.and(below, after);
  if (top > 0) enclosed = v128.and(enclosed, v128.load(clearAt + (top - 1) * clearRowBytes));
  if (left > 0) enclosed = v128.and(enclosed, v128.load(CLEAR_COLS + (left - 1) * PLANE));
  return enclosed;
}

/**
 * Computes and stores the nimbers of a rectangle whose parts have nimbers 0..3. Returns the level of the rectangle in the
 * given boards.
 *
 * The outer loop has two rounds: first for the rows, then for the columns. At the first line, the part before it has no cells
 * and so the nimber 0. At the last line, the part after it has none. So these two splits need no XOR.
 */
@inline
function solveWithFourSets(left: i32, width: i32, range: i32, boards: v128): i32 {
  let has0 = i64x2.splat(0);
  let has1 = has0;
  let has2 = has0;
  let has3 = has0;
  let before: usize = aboveFirstRow + range * PAIR;
  let after: usize = belowFirstRow + range * PAIR;
  let clearAt: usize = clearFirstRow + range * PLANE;
  let beforeStep = blockBytes;
  let afterStep = blockBytes;
  let clearStep = clearRowBytes;
  let lines = height;
  for (let isInRows = true; ; isInRows = false) {
    let bit0 = v128.load(after);
    let bit1 = v128.load(after, PLANE);
    for (;;) {
      const clear = v128.load(clearAt);
      const is23 = v128.and(clear, bit1);
      const is01 = v128.xor(clear, is23);
      const is1 = v128.and(is01, bit0);
      const is3 = v128.and(is23, bit0);
      has0 = v128.or(has0, v128.xor(is01, is1));
      has1 = v128.or(has1, is1);
      has2 = v128.or(has2, v128.xor(is23, is3));
      has3 = v128.or(has3, is3);
      if (--lines == 0) break;
      before += beforeStep;
      after += afterStep;
      clearAt += clearStep;
      bit0 = v128.load(before);
      bit1 = v128.load(before, PLANE);
      if (lines == 1) continue;
      bit0 = v128.xor(bit0, v128.load(after));
      bit1 = v128.xor(bit1, v128.load(after, PLANE));
    }
    if (!isInRows) break;
    before = LEFT + left * PAIR;
    after = LEFT + (width - 1) * WIDTH_BYTES + (left + 1) * PAIR;
    clearAt = CLEAR_COLS + left * PLANE;
    beforeStep = WIDTH_BYTES;
    afterStep = PAIR - WIDTH_BYTES;
    clearStep = PLANE;
    lines = width;
  }
  const all2 = v128.and(has0, has1);
  const all3 = v128.and(all2, has2);
  const all4 = v128.and(all3, has3);
  const n0 = v128.or(v128.xor(has0, all2), v128.xor(all3, all4));
  const n1 = v128.xor(all2, all4);
  storeNimbers(left, width, range, n0, n1, all4, i64x2.splat(0));
  return <i32>v128.any_true(v128.and(all4, boards));
}

/** Like `solveWithFourSets`, but for a rectangle whose parts have nimbers 0..7. */
@inline
function solveWithEightSets(left: i32, width: i32, range: i32, boards: v128): i32 {
  findMexOfEight(left, width, range, false, i64x2.splat(0));
  const n2 = v128.load(MEX, 2 * PLANE);
  const n3 = v128.load(MEX, 3 * PLANE);
  storeNimbers(left, width, range, v128.load(MEX), v128.load(MEX, PLANE), n2, n3);
  if (v128.any_true(v128.and(n3, boards))) return LEVEL_3;
  return <i32>v128.any_true(v128.and(n2, boards));
}

/**
 * Like `solveWithFourSets`, but for a rectangle whose parts have nimbers 0..15. Also finds the boards that have nimbers above
 * 15. Returns the level of the rectangle in the boards in which it is enclosed.
 */
function solveWithSixteenSets(left: i32, width: i32, range: i32): i32 {
  const boards = boardsInWhichEnclosed(left, left + width, range);
  findMexOfEight(left, width, range, true, i64x2.splat(0));
  let n0 = v128.load(MEX);
  let n1 = v128.load(MEX, PLANE);
  let n2 = v128.load(MEX, 2 * PLANE);
  const n3 = v128.load(MEX, 3 * PLANE);
  let level = <i32>v128.any_true(v128.and(n2, boards));
  const reach8 = v128.and(n3, boards);
  if (v128.any_true(reach8)) {
    level = LEVEL_3;
    // In these boards, the bits 0 to 2 of the mex are 0 so far.
    findMexOfEight(left, width, range, true, i64x2.splat(-1));
    n0 = v128.or(n0, v128.and(n3, v128.load(MEX)));
    n1 = v128.or(n1, v128.and(n3, v128.load(MEX, PLANE)));
    n2 = v128.or(n2, v128.and(n3, v128.load(MEX, 2 * PLANE)));
    const overflowed = v128.and(reach8, v128.load(MEX, 3 * PLANE));
    v128.store(OVERFLOWED_BOARDS, v128.or(v128.load(OVERFLOWED_BOARDS), overflowed));
  }
  storeNimbers(left, width, range, n0, n1, n2, n3);
  return level;
}

/**
 * Stores the planes of the mex of a rectangle in MEX. With `comparesBit3`, only splits count that lead to a nimber whose bit 3
 * is `bit3`, and the mex is that of their bits 0 to 2. Otherwise no part has bit 3. The loops are those of `solveWithFourSets`.
 */
@inline
function findMexOfEight(left: i32, width: i32, range: i32, comparesBit3: bool, bit3: v128): void {
  let has0 = i64x2.splat(0);
  let has1 = has0;
  let has2 = has0;
  let has3 = has0;
  let has4 = has0;
  let has5 = has0;
  let has6 = has0;
  let has7 = has0;
  let before: usize = aboveFirstRow + range * PAIR;
  let after: usize = belowFirstRow + range * PAIR;
  let clearAt: usize = clearFirstRow + range * PLANE;
  let beforeStep = blockBytes;
  let afterStep = blockBytes;
  let clearStep = clearRowBytes;
  let lines = height;
  for (let isInRows = true; ; isInRows = false) {
    let bit0 = v128.load(after);
    let bit1 = v128.load(after, PLANE);
    let bit2 = v128.load(after, HIGH_PAIRS);
    let wrong = bit3;
    if (comparesBit3) wrong = v128.xor(wrong, v128.load(after, HIGH_PAIRS + PLANE));
    for (;;) {
      let clear = v128.load(clearAt);
      if (comparesBit3) clear = v128.andnot(clear, wrong);
      const is4567 = v128.and(clear, bit2);
      const is0123 = v128.xor(clear, is4567);
      const is23 = v128.and(is0123, bit1);
      const is01 = v128.xor(is0123, is23);
      const is1 = v128.and(is01, bit0);
      const is3 = v128.and(is23, bit0);
      has0 = v128.or(has0, v128.xor(is01, is1));
      has1 = v128.or(has1, is1);
      has2 = v128.or(has2, v128.xor(is23, is3));
      has3 = v128.or(has3, is3);
      const is67 = v128.and(is4567, bit1);
      const is45 = v128.xor(is4567, is67);
      const is5 = v128.and(is45, bit0);
      const is7 = v128.and(is67, bit0);
      has4 = v128.or(has4, v128.xor(is45, is5));
      has5 = v128.or(has5, is5);
      has6 = v128.or(has6, v128.xor(is67, is7));
      has7 = v128.or(has7, is7);
      if (--lines == 0) break;
      before += beforeStep;
      after += afterStep;
      clearAt += clearStep;
      bit0 = v128.load(before);
      bit1 = v128.load(before, PLANE);
      bit2 = v128.load(before, HIGH_PAIRS);
      if (comparesBit3) wrong = v128.xor(bit3, v128.load(before, HIGH_PAIRS + PLANE));
      if (lines == 1) continue;
      bit0 = v128.xor(bit0, v128.load(after));
      bit1 = v128.xor(bit1, v128.load(after, PLANE));
      bit2 = v128.xor(bit2, v128.load(after, HIGH_PAIRS));
      if (comparesBit3) wrong = v128.xor(wrong, v128.load(after, HIGH_PAIRS + PLANE));
    }
    if (!isInRows) break;
    before = LEFT + left * PAIR;
    after = LEFT + (width - 1) * WIDTH_BYTES + (left + 1) * PAIR;
    clearAt = CLEAR_COLS + left * PLANE;
    beforeStep = WIDTH_BYTES;
    afterStep = PAIR - WIDTH_BYTES;
    clearStep = PLANE;
    lines = width;
  }
  const all2 = v128.and(has0, has1);
  const all3 = v128.and(all2, has2);
  const all4 = v128.and(all3, has3);
  const all5 = v128.and(all4, has4);
  const all6 = v128.and(all5, has5);
  const all7 = v128.and(all6, has6);
  const all8 = v128.and(all7, has7);
  const is1or3 = v128.or(v128.xor(has0, all2), v128.xor(all3, all4));
  const is5or7 = v128.or(v128.xor(all5, all6), v128.xor(all7, all8));
  v128.store(MEX, v128.or(is1or3, is5or7));
  v128.store(MEX, v128.or(v128.xor(all2, all4), v128.xor(all6, all8)), PLANE);
  v128.store(MEX, v128.xor(all4, all8), 2 * PLANE);
  v128.store(MEX, all8, 3 * PLANE);
}

/** Stores the planes of the nimbers of a rectangle, for wider and taller rectangles. */
@inline
function storeNimbers(left: i32, width: i32, range: i32, n0: v128, n1: v128, n2: v128, n3: v128): void {
  storePlanes(toAbove + range * PAIR, n0, n1, n2, n3);
  storePlanes(toBelow + range * PAIR, n0, n1, n2, n3);
  storePlanes(LEFT + width * WIDTH_BYTES + left * PAIR, n0, n1, n2, n3);
}

@inline
function storePlanes(to: usize, n0: v128, n1: v128, n2: v128, n3: v128): void {
  v128.store(to, n0);
  v128.store(to, n1, PLANE);
  v128.store(to, n2, HIGH_PAIRS);
  v128.store(to, n3, HIGH_PAIRS + PLANE);
}

// ---- The answers --------------------------------------------------------------------------------------------

/** Counts the lines that win as a first move, for the boards that are `bottom` rows high. */
function countWinningMoves(): void {
  const boardsOfHeight = v128.load(BOARDS_WITH_ROWS + bottom * PLANE);
  let range = 0;
  for (let width = 1; width <= cols; range += cols - width + 1, width++) {
    const boards = v128.and(boardsOfHeight, v128.load(BOARDS_WITH_COLS + width * PLANE));
    if (v128.any_true(boards)) countWinsOfShape(width, range, boards);
  }
}

/**
 * Writes the nimber of each board of the group that was solved last, one byte a lane. The nimber of a board that has overflowed
 * is meaningless.
 */
export function findNimbersOfBits(): void {
  let n0 = i64x2.splat(0);
  let n1 = n0;
  let n2 = n0;
  let n3 = n0;
  for (let height = 1; height <= rows; height++) {
    // `top` was 0 last, so ABOVE has the nimbers of rows [0, height).
    let at: usize = ABOVE + height * blockBytes;
    for (let width = 1; width <= cols; at += (cols - width + 1) * PAIR, width++) {
      const boards = boardsOfSize(height, width);
      n0 = v128.or(n0, v128.and(boards, v128.load(at)));
      n1 = v128.or(n1, v128.and(boards, v128.load(at, PLANE)));
      n2 = v128.or(n2, v128.and(boards, v128.load(at, HIGH_PAIRS)));
      n3 = v128.or(n3, v128.and(boards, v128.load(at, HIGH_PAIRS + PLANE)));
    }
  }
  memory.fill(BOARD_NIMBERS, 0, MAX_LANES);
  appendBits(n3);
  appendBits(n2);
  appendBits(n1);
  appendBits(n0);
}

@inline
function boardsOfSize(height: i32, width: i32): v128 {
  return v128.and(v128.load(BOARDS_WITH_ROWS + height * PLANE), v128.load(BOARDS_WITH_COLS + width * PLANE));
}

/** Doubles all bytes of BOARD_NIMBERS, and adds to each the bit of its board. */
function appendBits(bits: v128): void {
  for (let at: usize = BOARD_NIMBERS; at < BOARD_NIMBERS + MAX_LANES; at += 16) {
    v128.store(at, i8x16.shl(v128.load(at), 1));
  }
  addBits(BOARD_NIMBERS, bits);
}

/** A move wins if the two parts that it leaves have equal nimbers, because the XOR of two equal nimbers is 0. */
function countWinsOfShape(width: i32, range: i32, boards: v128): void {
  for (let row = 0; row < bottom; row++) {
    const above: usize = ABOVE + row * blockBytes + range * PAIR;
    const below = belowBlockAt(row + 1, bottom) + range * PAIR;
    const clear = v128.load(CLEAR_ROWS + row * clearRowBytes + range * PLANE);
    addBits(WINNING_ROWS, v128.and(v128.and(clear, boards), boardsWithEqualNimbers(above, below)));
  }
  for (let col = 0; col < width; col++) {
    const left: usize = LEFT + col * WIDTH_BYTES;
    const right: usize = LEFT + (width - 1 - col) * WIDTH_BYTES + (col + 1) * PAIR;
    const clear = v128.load(CLEAR_COLS + col * PLANE);
    addBits(WINNING_COLS, v128.and(v128.and(clear, boards), boardsWithEqualNimbers(left, right)));
  }
}

/** Returns the boards in which two parts have equal nimbers. */
@inline
function boardsWithEqualNimbers(one: usize, other: usize): v128 {
  const low = v128.or(
    v128.xor(v128.load(one), v128.load(other)),
    v128.xor(v128.load(one, PLANE), v128.load(other, PLANE)),
  );
  const high = v128.or(
    v128.xor(v128.load(one, HIGH_PAIRS), v128.load(other, HIGH_PAIRS)),
    v128.xor(v128.load(one, HIGH_PAIRS + PLANE), v128.load(other, HIGH_PAIRS + PLANE)),
  );
  return v128.not(v128.or(low, high));
}

/** Adds 1 to the byte of each board whose bit is set. */
function addBits(bytes: usize, boards: v128): void {
  const bitOfByte = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  v128.store(BITS, boards);
  for (let lane = 0; lane < MAX_LANES; lane += 16) {
    const sixteenBits = i16x8.splat(load<i16>(BITS + lane / 8));
    const spread = i8x16.shuffle(sixteenBits, sixteenBits, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    const isSet = i8x16.eq(v128.and(spread, bitOfByte), bitOfByte);
    v128.store(bytes + lane, i8x16.sub(v128.load(bytes + lane), isSet));
  }
}
