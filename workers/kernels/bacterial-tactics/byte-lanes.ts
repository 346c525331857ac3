/**
 * Solves a group of up to sixteen boards of bacterial-tactics: computes the nimbers of all rectangles of all boards at
 * once, bottom-up (Sprague-Grundy theory). Each board occupies one byte lane of the vectors. For larger groups,
 * bit-lanes.ts is faster.
 *
 *   nimber(rectangle) = mex { nimber(one part) XOR nimber(other part) : clear rows and columns of the rectangle }
 *
 * A row or column of a rectangle is clear if none of its cells in the rectangle is radioactive. A move fills a clear
 * row or column of a rectangle, and so splits the rectangle into two parts. The rules of the game and the reason why
 * they lead to this formula are in src/games/bacterial-tactics/README.md.
 *
 * Cost: the kernel computes about R^2 C^2 (R + C) / 12 splits (ways to divide a rectangle at one row or column) for
 * boards of R x C cells, whatever the cells are. For sixteen boards together, a split costs two loads, an XOR, a byte
 * lookup and an OR.
 *
 * Why does the kernel not search only the rectangles that play can reach? For one board, such a search does less
 * work. But a kernel of sixteen lanes can skip a rectangle only if none of the sixteen boards needs this rectangle.
 * The boards that take longest rarely need the same rectangles.
 *
 * Reference: E. R. Berlekamp, J. H. Conway, R. K. Guy, "Winning Ways for your Mathematical Plays", volume 1.
 *
 * Poison. A move may fill only a clear row or column, but the kernel does not test each split for this rule. For
 * every row, the kernel stores the nimber of the part below the row as 0xFF ("poison") in the lanes in which the row
 * is not clear. For every column, the kernel does the same with the part to the right of the column. An XOR of a
 * nimber with poison gives 0xF0 or more, and `lookUpBytes` returns 0, the empty set of nimbers, for every index above
 * 127. So a forbidden move adds nothing to the set of nimbers.
 *
 * Sets. A set of nimbers is one byte in each lane. Bit n of this byte is set if a move leads to nimber n. The table
 * ONE_NIMBER_SETS has 1 << n at entry n for n = 0..7, and 0 at entries 8..15. The eight bits of a set determine the
 * mex unless all eight bits are set. On random boards of the contest's size, fewer than one rectangle in 5,000 has
 * a set with all eight bits. Only for these rectangles does `mexFrom8To15` go through the splits again, to collect
 * the nimbers 8..15. The kernel reports a lane in which the mex would be 16 or more as overflowed, because the
 * lane's answer is meaningless.
 *
 * Example: the board with the rows `..` and `.#`, solved in one lane.
 *
 *   rectangle         reached by filling rows        reached by filling columns             set    mex
 *   .                 0 XOR 0 = 0                    0 XOR 0 = 0                            0b01   1
 *   #                 poison                         poison                                 0b00   0
 *   .. (row 0)        0 XOR 0 = 0                    0 XOR 1 = 1, 1 XOR 0 = 1               0b11   2
 *   .# (row 1)        poison                         0 XOR nimber(#) = 0, poison            0b01   1
 *   whole board       0 XOR nimber(.#) = 1, poison   0 XOR nimber(column 1) = 1, poison     0b10   0
 *
 * Column 1 of this board has an empty cell above a radioactive cell, so the nimber of column 1 is 1. The mex 0 of the
 * whole board means that the player who moves first loses, so the board has no winning opening.
 *
 * Memory. A plane is a vector of 16 bytes, one byte for each lane. Ranges of columns are numbered by their width and
 * then by their left edge. A block is an array with one plane for each range of columns:
 *
 *   cols = 4    range   0  1  2  3 |  4   5   6 |   7    8 |    9
 *               columns 0  1  2  3 | 01  12  23 | 012  123 | 0123
 *
 *   array           index                                 content
 *   CELLS           plane row * cols + col                0xFF if the cell is radioactive, 0x00 if not
 *   NIMBERS_BELOW   block belowBlockAt(from, to)          nimbers of rows [from, to), poisoned by row from - 1;
 *                                                         from >= 1
 *   NIMBERS_ABOVE   block number `to`                     nimbers of rows [top, to) for the current top;
 *                                                         block `top` is all 0
 *   NIMBER_SETS     one block                             sets of the nimbers reached by filling a row of
 *                                                         rows [top, bottom)
 *   NIMBERS_LEFT    byte left * 16 + width * BYTES_PER_WIDTH   nimbers of rows [top, bottom) and columns
 *                                                         [left, left + width); all 0 for width 0
 *   NIMBERS_RIGHT   same index as NIMBERS_LEFT            the nimbers of NIMBERS_LEFT, poisoned by column left - 1;
 *                                                         for width 0 the poison alone
 *
 * Because of this layout, going from the split at one row to the split at the next row is a step of one block in
 * NIMBERS_ABOVE and of one block in NIMBERS_BELOW. Going from the split at one column to the split at the next column
 * is a step of one width up in NIMBERS_LEFT, and of one width down and one plane to the right in NIMBERS_RIGHT. For
 * boards of 15 x 15, NIMBERS_BELOW has 225 KiB, which fits the second-level cache. All other arrays together have
 * about 45 KiB, which nearly fits the first-level cache.
 *
 * Invariants. Stored nimbers are 0..15, and a stored byte above 15 is poison. Rectangles are finished by `top`
 * descending, then by `bottom` ascending, then by width, so every value that a split reads is final. A loop that
 * handles four planes at a time may continue beyond the end of a block. Such a loop then reads planes whose values
 * are not used, and NIMBER_SETS has room for the planes that the loop writes.
 */

import { lookUpBytes } from '../shared/swizzle';
import {
  BOARD_NIMBERS,
  dealBoards,
  LANE_COLS,
  LANE_ROWS,
  lanesAddress,
  MAX_SIDE,
  OVERFLOWED,
  WINNING_COLS,
  WINNING_ROWS,
} from './boards';

/** Number of boards that the kernel solves at once: one board for each byte of a vector. */
const LANES: i32 = 16;
/** Number of ranges of adjacent columns (and also of adjacent rows) in the largest frame. */
const MAX_LINE_RANGES: i32 = (MAX_SIDE * (MAX_SIDE + 1)) / 2;
/** Bytes of the largest block. A block has at most 528 planes: a multiple of 4, as loops over four planes need. */
const MAX_BLOCK_BYTES: i32 = MAX_LINE_RANGES * LANES;
/**
 * Bytes for all rectangles of one width in the arrays NIMBERS_LEFT and NIMBERS_RIGHT: one plane for each left edge
 * 0..MAX_SIDE.
 */
const BYTES_PER_WIDTH: i32 = (MAX_SIDE + 1) * LANES;

// The section "Memory" at the head of this file describes the contents of the arrays CELLS to NIMBERS_RIGHT.
const CELLS: usize = memory.data(MAX_SIDE * MAX_SIDE * LANES, 64);
const NIMBERS_BELOW: usize = memory.data(MAX_LINE_RANGES * MAX_BLOCK_BYTES, 64);
const NIMBERS_ABOVE: usize = memory.data((MAX_SIDE + 1) * MAX_BLOCK_BYTES, 64);
const NIMBER_SETS: usize = memory.data(MAX_BLOCK_BYTES, 64);
const NIMBERS_LEFT: usize = memory.data((MAX_SIDE + 1) * BYTES_PER_WIDTH, 64);
const NIMBERS_RIGHT: usize = memory.data((MAX_SIDE + 1) * BYTES_PER_WIDTH, 64);
/**
 * A block of nimbers that the kernel writes and never uses. NIMBERS_BELOW has no block for rectangles that begin at
 * row 0, because no row lies above row 0. The kernel writes the nimbers of these rectangles here, so the loops need
 * no special case.
 */
const DISCARDED_BLOCK: usize = memory.data(MAX_BLOCK_BYTES, 64);

/** Numbers of winning rows, one byte a lane, if all sixteen boards had `bottom` rows and the same given width. */
const WINNING_ROWS_OF_SHAPE: usize = memory.data(LANES, 16);
/** Numbers of winning columns, one byte a lane, if all sixteen boards had `bottom` rows and the same given width. */
const WINNING_COLS_OF_SHAPE: usize = memory.data(LANES, 16);

// The kernel loads its vector constants from memory. From a v128.const, V8 would build the vector again at each use,
// even in the inner loops.

/** Table of sets of nimbers: entry n is the set that contains only nimber n. The entries 8..15 are empty sets. */
const ONE_NIMBER_SETS: usize = memory.data<u8>([1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0], 16);
/** Table of the number of ones at the low end of a set of nimbers. `mexOf` computes the index from these ones. */
const LOW_ONES_COUNTS: usize = memory.data<u8>([0, 1, 0, 2, 0, 0, 0, 3, 4, 5, 0, 6, 0, 0, 0, 7], 16);
const EIGHT_IN_ALL_LANES: usize = memory.data<u64>([0x0808080808080808, 0x0808080808080808], 16);
const FIFTEEN_IN_ALL_LANES: usize = memory.data<u64>([0x0f0f0f0f0f0f0f0f, 0x0f0f0f0f0f0f0f0f], 16);
const ALL_BITS_SET: usize = memory.data<u64>([u64.MAX_VALUE, u64.MAX_VALUE], 16);

/** Size of the current frame. */
let rows: i32 = 0;
let cols: i32 = 0;
/** Bytes of a block in the current frame: LANES bytes for each range of columns. */
let blockBytes: i32 = 0;
/** The rectangles whose nimbers `solve` is computing have the rows from `top` to `bottom - 1`. */
let top: i32 = 0;
let bottom: i32 = 0;
/** Address of the block of the array NIMBERS_ABOVE for rows [top, bottom). */
let aboveBlock: usize = 0;
/** Address of the block of the array NIMBERS_BELOW for rows [top, bottom). */
let belowBlock: usize = 0;
/**
 * Address of the block of the array NIMBERS_BELOW that has only the poison (0xFF in lanes that are not clear) of row
 * top - 1.
 */
let poisonBlock: usize = 0;

/** Returns how many boards the kernel solves at once. */
export function lanes(): i32 {
  return LANES;
}

/** Solves the `count` boards from number `first` of the sorted boards on. The frame must be large enough for each board. */
export function solveBytes(first: i32, count: i32, frameRows: i32, frameCols: i32): void {
  dealBoards(first, count, LANES, frameRows, frameCols);
  prepareFrame(frameRows, frameCols);
  readCells();
  for (let row = 0; row < rows; row++) storeRowPoison(row);
  for (top = rows - 1; top >= 0; top--) {
    memory.fill(NIMBERS_ABOVE + top * blockBytes, 0, blockBytes);
    memory.fill(NIMBERS_RIGHT, 0, BYTES_PER_WIDTH);
    for (bottom = top + 1; bottom <= rows; bottom++) {
      aboveBlock = NIMBERS_ABOVE + bottom * blockBytes;
      belowBlock = top > 0 ? belowBlockAt(top, bottom) : DISCARDED_BLOCK;
      poisonBlock = top > 0 ? belowBlockAt(top, top) : DISCARDED_BLOCK;
      addRowToColumnPoison(bottom - 1);
      collectRowSplits();
      storeRectangleMexes();
      if (top == 0) countWinningMoves();
    }
  }
}

/** Sets the size of the frame, and clears the bytes that later steps read but do not always write. */
function prepareFrame(frameRows: i32, frameCols: i32): void {
  rows = frameRows;
  cols = frameCols;
  blockBytes = ((cols * (cols + 1)) / 2) * LANES;
  memory.fill(NIMBERS_LEFT, 0, BYTES_PER_WIDTH);
  memory.fill(OVERFLOWED, 0, LANES);
}

/** Fills CELLS from the boards that `dealBoards` has put into the lanes. */
function readCells(): void {
  let to: usize = CELLS;
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const bit = i8x16.splat(<i8>((<i32>1) << (col & 7)));
      const empty = v128.load(lanesAddress(row, col >> 3, 0));
      v128.store(to, i8x16.ne(v128.and(empty, bit), bit));
      to += LANES;
    }
  }
}

/**
 * Returns the address of the block of NIMBERS_BELOW for rows [from, to), 1 <= from <= to. Blocks with the same `to` are
 * neighbours, so a step of one block is a step of one row in `from`.
 */
@inline
function belowBlockAt(from: i32, to: i32): usize {
  return NIMBERS_BELOW + (((to * (to - 1)) >> 1) + from - 1) * blockBytes;
}

/**
 * Fills the NIMBERS_BELOW block of the empty range of rows below `row` with the poison of `row`. For each range of
 * columns, the byte of a lane is 0xFF if the lane's row is not clear in these columns, else 0.
 */
function storeRowPoison(row: i32): void {
  const cells: usize = CELLS + row * cols * LANES;
  let at = belowBlockAt(row + 1, row + 1);
  let narrower = at;
  memory.copy(at, cells, cols * LANES);
  at += cols * LANES;
  for (let width = 2; width <= cols; width++) {
    for (let right = width - 1; right < cols; right++) {
      v128.store(at, v128.or(v128.load(narrower), v128.load(cells + right * LANES)));
      at += LANES;
      narrower += LANES;
    }
    narrower += LANES;
  }
}

/**
 * Adds a row to the poison of all columns. This poison is the part of the array NIMBERS_RIGHT with width 0. After
 * this call, the plane with left edge col + 1 has 0xFF in each lane in which column `col` is not clear in the rows
 * from `top` to `row`.
 */
function addRowToColumnPoison(row: i32): void {
  let cell: usize = CELLS + row * cols * LANES;
  let at: usize = NIMBERS_RIGHT + LANES;
  for (let col = 0; col < cols; col++) {
    v128.store(at, v128.or(v128.load(at), v128.load(cell)));
    at += LANES;
    cell += LANES;
  }
}

/** Returns `set` with the XOR of the nimbers of the two parts of a split added, if this XOR is 0..7. */
@inline
function addSplit(set: v128, oneNimberSets: v128, firstPart: v128, secondPart: v128): v128 {
  return v128.or(set, lookUpBytes(oneNimberSets, v128.xor(firstPart, secondPart)));
}

/**
 * Fills NIMBER_SETS: for each range of columns, the nimbers that filling one of the rows [top, bottom) leads to. The
 * loop handles four ranges of columns at a time. If it handled more ranges, V8 would move so many loads out of the
 * loop that registers would spill.
 */
function collectRowSplits(): void {
  const oneNimberSets = v128.load(ONE_NIMBER_SETS);
  const step = blockBytes;
  const above: usize = NIMBERS_ABOVE + top * step;
  const below = belowBlockAt(top + 1, bottom);
  const height = bottom - top;
  for (let range: usize = 0; range < <usize>step; range += 4 * LANES) {
    let aboveAt = above + range;
    let belowAt = below + range;
    let set0 = i64x2.splat(0);
    let set1 = set0;
    let set2 = set0;
    let set3 = set0;
    for (let n = height; n > 0; n--) {
      set0 = addSplit(set0, oneNimberSets, v128.load(aboveAt), v128.load(belowAt));
      set1 = addSplit(set1, oneNimberSets, v128.load(aboveAt, 16), v128.load(belowAt, 16));
      set2 = addSplit(set2, oneNimberSets, v128.load(aboveAt, 32), v128.load(belowAt, 32));
      set3 = addSplit(set3, oneNimberSets, v128.load(aboveAt, 48), v128.load(belowAt, 48));
      aboveAt += step;
      belowAt += step;
    }
    v128.store(range, set0, NIMBER_SETS);
    v128.store(range, set1, NIMBER_SETS + 16);
    v128.store(range, set2, NIMBER_SETS + 32);
    v128.store(range, set3, NIMBER_SETS + 48);
  }
}

/**
 * Adds the splits at columns to the sets of nimbers in NIMBER_SETS, and stores the mex of each set as the nimber of its
 * rectangle. Narrow ranges of columns come first, because wide ranges are split into narrow ranges.
 */
function storeRectangleMexes(): void {
  let range: usize = 0;
  for (let width = 1; width <= cols; width++) {
    const ranges = cols - width + 1;
    let left = 0;
    for (; left + 4 <= ranges; left += 4) {
      storeNeighbourMexes(4, width, left, range);
      range += 4 * LANES;
    }
    const rest = ranges - left;
    if (rest == 3) storeNeighbourMexes(3, width, left, range);
    else if (rest == 2) storeNeighbourMexes(2, width, left, range);
    else if (rest == 1) storeNeighbourMexes(1, width, left, range);
    range += rest * LANES;
  }
}

/**
 * Does the work of `storeRectangleMexes` for `count` (1 to 4) neighbouring ranges of columns of one width. Callers
 * pass `count` as a literal, so the compiler makes a separate copy of this code for each count.
 */
@inline
function storeNeighbourMexes(count: i32, width: i32, left: i32, range: usize): void {
  const oneNimberSets = v128.load(ONE_NIMBER_SETS);
  let leftAt: usize = left * LANES;
  let rightAt: usize = (width - 1) * BYTES_PER_WIDTH + (left + 1) * LANES;
  let set0 = v128.load(range, NIMBER_SETS);
  let set1 = set0;
  let set2 = set0;
  let set3 = set0;
  if (count > 1) set1 = v128.load(range, NIMBER_SETS + 16);
  if (count > 2) set2 = v128.load(range, NIMBER_SETS + 32);
  if (count > 3) set3 = v128.load(range, NIMBER_SETS + 48);
  for (let n = width; n > 0; n--) {
    set0 = addSplit(set0, oneNimberSets, v128.load(leftAt, NIMBERS_LEFT), v128.load(rightAt, NIMBERS_RIGHT));
    if (count > 1) {
      set1 = addSplit(set1, oneNimberSets, v128.load(leftAt, NIMBERS_LEFT + 16), v128.load(rightAt, NIMBERS_RIGHT + 16));
    }
    if (count > 2) {
      set2 = addSplit(set2, oneNimberSets, v128.load(leftAt, NIMBERS_LEFT + 32), v128.load(rightAt, NIMBERS_RIGHT + 32));
    }
    if (count > 3) {
      set3 = addSplit(set3, oneNimberSets, v128.load(leftAt, NIMBERS_LEFT + 48), v128.load(rightAt, NIMBERS_RIGHT + 48));
    }
    leftAt += BYTES_PER_WIDTH;
    rightAt += LANES - BYTES_PER_WIDTH;
  }
  let mex0 = mexOf(set0);
  let mex1 = mex0;
  let mex2 = mex0;
  let mex3 = mex0;
  if (count > 1) mex1 = mexOf(set1);
  if (count > 2) mex2 = mexOf(set2);
  if (count > 3) mex3 = mexOf(set3);
  if (v128.any_true(i8x16.eq(i8x16.max_u(i8x16.max_u(set0, set1), i8x16.max_u(set2, set3)), v128.load(ALL_BITS_SET)))) {
    mex0 = mexFrom8To15(mex0, set0, width, left, range);
    if (count > 1) mex1 = mexFrom8To15(mex1, set1, width, left + 1, range + 16);
    if (count > 2) mex2 = mexFrom8To15(mex2, set2, width, left + 2, range + 32);
    if (count > 3) mex3 = mexFrom8To15(mex3, set3, width, left + 3, range + 48);
  }
  const leftEdge: usize = left * LANES;
  const plane = <usize>(width * BYTES_PER_WIDTH) + leftEdge;
  const above = aboveBlock + range;
  const below = belowBlock + range;
  const poison = poisonBlock + range;
  storeNimbers(0, mex0, leftEdge, plane, above, below, poison);
  if (count > 1) storeNimbers(16, mex1, leftEdge, plane, above, below, poison);
  if (count > 2) storeNimbers(32, mex2, leftEdge, plane, above, below, poison);
  if (count > 3) storeNimbers(48, mex3, leftEdge, plane, above, below, poison);
}

/**
 * Returns the mex of each lane's set of nimbers: the number of ones at the low end of the set. The variable `ones` is
 * the set reduced to the ones at its low end. min(ones, 8) + (ones >> 4) is an index below 16 for LOW_ONES_COUNTS:
 *
 *   number of ones   0   1   2   3   4   5   6   7
 *   index            0   1   3   7   8   9  11  15
 *
 * A full set, with all eight bits, gives the index 23, for which the result is some number from 0 to 7. `mexFrom8To15`
 * replaces the result for a full set.
 */
@inline
function mexOf(set: v128): v128 {
  const ones = v128.andnot(set, i8x16.sub(set, v128.load(ALL_BITS_SET)));
  const upper = v128.and(i16x8.shr_u(ones, 4), v128.load(FIFTEEN_IN_ALL_LANES));
  return lookUpBytes(v128.load(LOW_ONES_COUNTS), i8x16.add(i8x16.min_u(ones, v128.load(EIGHT_IN_ALL_LANES)), upper));
}

/**
 * Stores the nimbers of a rectangle for wider and taller rectangles: plain in NIMBERS_LEFT and NIMBERS_ABOVE, and
 * poisoned in NIMBERS_RIGHT and NIMBERS_BELOW. `offset` is the byte offset of the rectangle in its group of up to
 * four rectangles.
 */
@inline
function storeNimbers(
  offset: usize,
  nimbers: v128,
  leftEdge: usize,
  plane: usize,
  above: usize,
  below: usize,
  poison: usize,
): void {
  v128.store(plane + offset, nimbers, NIMBERS_LEFT);
  v128.store(plane + offset, v128.or(nimbers, v128.load(leftEdge + offset, NIMBERS_RIGHT)), NIMBERS_RIGHT);
  v128.store(above + offset, nimbers);
  v128.store(below + offset, v128.or(nimbers, v128.load(poison + offset)));
}

/**
 * Returns `mex` corrected in the lanes whose set contains all nimbers 0..7. The function goes through the splits of
 * the rectangle a second time, to collect the nimbers 8..15.
 */
function mexFrom8To15(mex: v128, set: v128, width: i32, left: i32, range: usize): v128 {
  const oneNimberSets = v128.load(ONE_NIMBER_SETS);
  // An XOR with 8 maps the nimbers 8..15 to 0..7, and 0..7 to 8..15, which ONE_NIMBER_SETS ignores.
  const eight = v128.load(EIGHT_IN_ALL_LANES);
  let upper = i64x2.splat(0);
  let firstPart: usize = NIMBERS_ABOVE + top * blockBytes + range;
  let secondPart = belowBlockAt(top + 1, bottom) + range;
  for (let n = bottom - top; n > 0; n--) {
    upper = addSplit(upper, oneNimberSets, v128.xor(v128.load(firstPart), eight), v128.load(secondPart));
    firstPart += blockBytes;
    secondPart += blockBytes;
  }
  firstPart = NIMBERS_LEFT + left * LANES;
  secondPart = NIMBERS_RIGHT + (width - 1) * BYTES_PER_WIDTH + (left + 1) * LANES;
  for (let n = width; n > 0; n--) {
    upper = addSplit(upper, oneNimberSets, v128.xor(v128.load(firstPart), eight), v128.load(secondPart));
    firstPart += BYTES_PER_WIDTH;
    secondPart += LANES - BYTES_PER_WIDTH;
  }
  const full = i8x16.eq(set, v128.load(ALL_BITS_SET));
  const overflowed = v128.and(full, i8x16.eq(upper, v128.load(ALL_BITS_SET)));
  if (v128.any_true(overflowed)) {
    const enclosed = lanesInWhichEnclosed(left, left + width, range);
    v128.store(OVERFLOWED, v128.or(v128.load(OVERFLOWED), v128.and(overflowed, enclosed)));
  }
  // In an overflowed lane, the result is some number from 8 to 15.
  return v128.bitselect(i8x16.add(mexOf(upper), eight), mex, full);
}

/**
 * Returns 0xFF in the lanes in which the rectangle with rows [top, bottom), columns [left, right) and this range of columns is
 * enclosed: see OVERFLOWED in boards.ts.
 */
function lanesInWhichEnclosed(left: i32, right: i32, range: usize): v128 {
  const zero = i64x2.splat(0);
  // The cells around a board are radioactive, so the line behind the edge of a lane's board is not clear.
  let below = i8x16.eq(v128.load(LANE_ROWS), i8x16.splat(<i8>bottom));
  if (bottom < rows) below = v128.or(below, i8x16.eq(v128.load(belowBlockAt(bottom + 1, bottom + 1) + range), zero));
  let after = i8x16.eq(v128.load(LANE_COLS), i8x16.splat(<i8>right));
  if (right < cols) after = v128.or(after, i8x16.eq(v128.load(NIMBERS_RIGHT + (right + 1) * LANES), zero));
  let enclosed = v128.and(below, after);
  if (top > 0) enclosed = v128.and(enclosed, i8x16.eq(v128.load(belowBlockAt(top, top) + range), zero));
  // No column lies left of column 0: NIMBERS_RIGHT has zeros there.
  return v128.and(enclosed, i8x16.eq(v128.load(NIMBERS_RIGHT + left * LANES), zero));
}

/**
 * Stores how many rows and columns win as a first move, for the lanes whose board is `bottom` rows high. A first
 * move wins if the two parts that it leaves have equal nimbers, because the XOR of two equal nimbers is 0.
 */
function countWinningMoves(): void {
  let countedWidth = 0;
  for (let lane = 0; lane < LANES; lane++) {
    if (<i32>load<u8>(LANE_ROWS + lane) != bottom) continue;
    const width = <i32>load<u8>(LANE_COLS + lane);
    if (width != countedWidth) {
      countWinningRows(width);
      countWinningCols(width);
      countedWidth = width;
    }
    store<u8>(WINNING_ROWS + lane, load<u8>(WINNING_ROWS_OF_SHAPE + lane));
    store<u8>(WINNING_COLS + lane, load<u8>(WINNING_COLS_OF_SHAPE + lane));
  }
}

/**
 * Writes the nimber of each board of the group that was solved last, one byte a lane. The nimber of a board that has overflowed
 * is meaningless.
 */
export function findNimbersOfBytes(): void {
  for (let lane = 0; lane < LANES; lane++) {
    const height = <i32>load<u8>(LANE_ROWS + lane);
    const width = <i32>load<u8>(LANE_COLS + lane);
    // The last `top` was 0, so NIMBERS_ABOVE has the nimbers of rows [0, height).
    let range = 0;
    for (let narrower = 1; narrower < width; narrower++) range += cols - narrower + 1;
    store<u8>(BOARD_NIMBERS + lane, load<u8>(NIMBERS_ABOVE + height * blockBytes + range * LANES + lane));
  }
}

/**
 * Counts, for boards of `bottom` rows and `width` columns, the rows that win as a first move. The poison 0xFF is
 * above every nimber, so the function never counts a row that is not clear.
 */
function countWinningRows(width: i32): void {
  let range = 0;
  for (let narrower = 1; narrower < width; narrower++) range += cols - narrower + 1;
  let aboveAt: usize = NIMBERS_ABOVE + range * LANES;
  let belowAt = belowBlockAt(1, bottom) + range * LANES;
  let counts = i64x2.splat(0);
  for (let n = bottom; n > 0; n--) {
    counts = i8x16.sub(counts, i8x16.eq(v128.load(aboveAt), v128.load(belowAt)));
    aboveAt += blockBytes;
    belowAt += blockBytes;
  }
  v128.store(WINNING_ROWS_OF_SHAPE, counts);
}

/** Counts, for boards of `bottom` rows and `width` columns, the columns that win as a first move. */
function countWinningCols(width: i32): void {
  let leftAt: usize = NIMBERS_LEFT;
  let rightAt: usize = NIMBERS_RIGHT + (width - 1) * BYTES_PER_WIDTH + LANES;
  let counts = i64x2.splat(0);
  for (let n = width; n > 0; n--) {
    counts = i8x16.sub(counts, i8x16.eq(v128.load(leftAt), v128.load(rightAt)));
    leftAt += BYTES_PER_WIDTH;
    rightAt += LANES - BYTES_PER_WIDTH;
  }
  v128.store(WINNING_COLS_OF_SHAPE, counts);
}
