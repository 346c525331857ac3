/**
 * SIMD kernel of bacterial-tactics: computes the nimbers of all rectangles of sixteen boards at once, bottom-up
 * (Sprague-Grundy theory). Each board occupies one byte lane of the vectors.
 *
 *   nimber(rectangle) = mex { nimber(one part) XOR nimber(other part) : clear rows and columns of the rectangle }
 *
 * A row or column of a rectangle is clear if none of its cells in the rectangle is radioactive. A move fills a clear
 * row or column, and so splits the rectangle into two parts. The rules of the game and the reason why they lead to
 * this formula are in src/problems/bacterial-tactics/README.md.
 *
 * Cost: about R^2 C^2 (R + C) / 12 splits for boards of R x C cells, whatever the cells are. For sixteen boards
 * together, a split costs two loads, an XOR, a byte lookup and an OR.
 *
 * Why not a search that visits only the rectangles that play can reach? That search does less work for one board.
 * But sixteen lanes can skip a rectangle only if none of the sixteen boards needs it, and the boards that take
 * longest rarely agree on what to skip.
 *
 * Reference: E. R. Berlekamp, J. H. Conway, R. K. Guy, "Winning Ways for your Mathematical Plays", volume 1.
 *
 * Frame. All sixteen boards lie in the top left corner of one frame of rows x cols cells. Frame cells outside a
 * lane's board count as radioactive. The nimber of a rectangle does not depend on the cells around it. So the kernel
 * reads a lane's answer from the rectangle that is exactly the lane's board, and boards of different sizes may share
 * a frame.
 *
 * Poison. Only a clear row or column may be filled, but the kernel does not test this for each split. For every row,
 * it stores the nimber of the part below the row as 0xFF ("poison") in the lanes in which the row is not clear. For
 * every column, it does the same with the part to the right of the column. An XOR with poison gives 0xF0 or more,
 * and `lookUpBytes` returns 0, the empty set, for every index above 127. So a forbidden move adds nothing to the
 * set.
 *
 * Sets. A set of nimbers is one byte in each lane, in which bit n means that nimber n can be reached by a move. The
 * table ONE_HOT has 1 << n at entry n for n = 0..7, and 0 at entries 8..15. The eight bits determine the mex unless
 * all of them are set. On random boards of the contest's size, all eight are set for fewer than one rectangle in
 * 5,000. Only for these rectangles does `mexFrom8To15` go through the splits again, to collect the nimbers 8..15. A
 * lane in which the mex would be 16 or more is reported as overflowed, and its answer is meaningless.
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
 * Column 1 of this board has a free cell above a radioactive one, and its nimber is 1, as that of row 1. The mex 0
 * means that the player who moves first loses, so the board has no winning opening.
 *
 * Memory. A plane is a vector of 16 bytes, one byte for each lane. Ranges of columns are numbered by their width and
 * then by their left edge. A block has one plane for each range of columns:
 *
 *   cols = 4    range   0  1  2  3 |  4   5   6 |   7    8 |    9
 *               columns 0  1  2  3 | 01  12  23 | 012  123 | 0123
 *
 *   CELLS   plane row * cols + col              0xFF if the cell is radioactive, 0x00 if not; the host fills CELLS
 *   BELOW   block belowBlockAt(from, to)        nimbers of rows [from, to), poisoned by row from - 1; from >= 1
 *   ABOVE   block number `to`                   nimbers of rows [top, to) for the current top; block `top` is all 0
 *   SETS    one block                           sets of the nimbers reached by filling a row of rows [top, bottom)
 *   LEFT    byte left * 16 + width * WIDTH_BYTES    nimbers of rows [top, bottom), columns [left, left + width);
 *                                                   all 0 for width 0
 *   RIGHT   same index as LEFT                  the nimbers of LEFT, poisoned by column left - 1; for width 0 the
 *                                               poison alone
 *
 * Because of this layout, going from the split at one row to the split at the next row is a step of one block in
 * ABOVE and of one block in BELOW. Going from the split at one column to the next is a step of one width up in LEFT.
 * In RIGHT it is a step of one width down and one plane to the right. At 15 x 15, BELOW has 225 KiB, which fits the
 * second-level cache. All other arrays together have about 45 KiB, which nearly fits the first-level cache.
 *
 * Invariants. Stored nimbers are 0..15, and a stored byte above 15 is poison. Rectangles are finished by `top`
 * descending, then by `bottom` ascending, then by width, so every value that a split reads is final. A loop that
 * handles four planes at a time may continue beyond the end of a block. It then reads planes whose values are not
 * used, and SETS has room for the planes that it writes.
 */

import { lookUpBytes } from './shared/swizzle';

/** Number of boards that are solved at once: one for each byte of a vector. */
const LANES: i32 = 16;
/** Longest side of a frame. On larger boards, nimbers above 15 would be more and more frequent. */
const MAX_SIDE: i32 = 32;

/** Number of ranges of columns, and of rows, in the largest frame. */
const MAX_RANGES: i32 = (MAX_SIDE * (MAX_SIDE + 1)) / 2;
/** Bytes of the largest block. Its 528 planes are a multiple of 4, as loops over four planes need. */
const MAX_BLOCK_BYTES: i32 = MAX_RANGES * LANES;
/** Bytes from one width to the next in LEFT and RIGHT: one plane for each left edge 0..MAX_SIDE. */
const WIDTH_BYTES: i32 = (MAX_SIDE + 1) * LANES;

// The section "Memory" at the head of this file describes the contents of the arrays CELLS to RIGHT.
const CELLS: usize = memory.data(MAX_SIDE * MAX_SIDE * LANES, 64);
const BELOW: usize = memory.data(MAX_RANGES * MAX_BLOCK_BYTES, 64);
const ABOVE: usize = memory.data((MAX_SIDE + 1) * MAX_BLOCK_BYTES, 64);
const SETS: usize = memory.data(MAX_BLOCK_BYTES, 64);
const LEFT: usize = memory.data((MAX_SIDE + 1) * WIDTH_BYTES, 64);
const RIGHT: usize = memory.data((MAX_SIDE + 1) * WIDTH_BYTES, 64);
/**
 * Stands in for a block of BELOW if `top` is 0. No row lies above row 0, so nimbers that are poisoned by this
 * missing row are never needed. They are written to this block so that the loops need no special case.
 */
const UNUSED_BLOCK: usize = memory.data(MAX_BLOCK_BYTES, 64);

/** Number of rows of each lane's board, one byte a lane: 0 if the lane has no board. The host fills this array. */
const LANE_ROWS: usize = memory.data(LANES, 16);
/** Number of columns of each lane's board, one byte a lane. The host fills this array. */
const LANE_COLS: usize = memory.data(LANES, 16);
/** Result: how many rows of each lane's board win when filled as the first move, one byte a lane. */
const WINNING_ROWS: usize = memory.data(LANES, 16);
/** Result: how many columns of each lane's board win when filled as the first move, one byte a lane. */
const WINNING_COLS: usize = memory.data(LANES, 16);
/** Result: nonzero in each byte whose lane has a nimber above 15, so that its answer is meaningless. */
const OVERFLOWED: usize = memory.data(LANES, 16);
/** Numbers of winning rows, one byte a lane, if all boards were `bottom` rows high and of one given width. */
const ROW_COUNTS: usize = memory.data(LANES, 16);
/** Numbers of winning columns, one byte a lane, under the same assumption as ROW_COUNTS. */
const COL_COUNTS: usize = memory.data(LANES, 16);

// The kernel loads its vector constants from memory. V8 would build a v128.const again at each use, even in the inner
// loops.

/** The set that contains only nimber n, at entry n. The entries 8..15 are empty sets. */
const ONE_HOT: usize = memory.data<u8>([1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0], 16);
/** The number of ones at the low end of a set, at the index that `mexOf` computes from these ones. */
const RUN_LENGTH: usize = memory.data<u8>([0, 1, 0, 2, 0, 0, 0, 3, 4, 5, 0, 6, 0, 0, 0, 7], 16);
const ALL_8: usize = memory.data<u8>([8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8], 16);
const ALL_15: usize = memory.data<u8>([15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15], 16);
const ALL_ONES: usize = memory.data<u64>([u64.MAX_VALUE, u64.MAX_VALUE], 16);

/** Size of the current frame. */
let rows: i32 = 0;
let cols: i32 = 0;
/** Bytes of a block in the current frame. */
let blockBytes: i32 = 0;
/** The rows [top, bottom) of the rectangles that `solve` is working on. */
let top: i32 = 0;
let bottom: i32 = 0;
/** Address of the block of ABOVE for rows [top, bottom). */
let aboveBlock: usize = 0;
/** Address of the block of BELOW for rows [top, bottom). */
let belowBlock: usize = 0;
/** Address of the block of BELOW that has only the poison of row top - 1. */
let poisonBlock: usize = 0;

/** Returns how many boards the kernel solves at once. */
export function lanes(): i32 {
  return LANES;
}

/** Returns the longest side that a frame may have. */
export function maxSide(): i32 {
  return MAX_SIDE;
}

/**
 * Returns the address at which the host writes the cells. The cell (row, col) of a lane is byte
 * (row * frameCols + col) * LANES + lane: 0xFF if it is radioactive, 0x00 if it is empty.
 */
export function cellsAt(): usize {
  return CELLS;
}

/**
 * Returns the address at which the host writes the number of rows of each board: one byte a lane, 0 for no board.
 */
export function laneRowsAt(): usize {
  return LANE_ROWS;
}

/** Returns the address at which the host writes the number of columns of each lane's board: one byte a lane. */
export function laneColsAt(): usize {
  return LANE_COLS;
}

/** Returns the address at which the host reads how many rows win as a first move: one byte a lane. */
export function rowsWonAt(): usize {
  return WINNING_ROWS;
}

/** Returns the address at which the host reads how many columns win as a first move: one byte a lane. */
export function colsWonAt(): usize {
  return WINNING_COLS;
}

/** Returns the address of one byte for each lane: nonzero if the lane's board has a nimber above 15. */
export function overflowedAt(): usize {
  return OVERFLOWED;
}

/** Solves the boards that the host wrote into the lanes. The frame must be large enough for each of them. */
export function solve(frameRows: i32, frameCols: i32): void {
  prepareFrame(frameRows, frameCols);
  for (let row = 0; row < rows; row++) storeRowPoison(row);
  for (top = rows - 1; top >= 0; top--) {
    memory.fill(ABOVE + top * blockBytes, 0, blockBytes);
    memory.fill(RIGHT, 0, WIDTH_BYTES);
    for (bottom = top + 1; bottom <= rows; bottom++) {
      aboveBlock = ABOVE + bottom * blockBytes;
      belowBlock = top > 0 ? belowBlockAt(top, bottom) : UNUSED_BLOCK;
      poisonBlock = top > 0 ? belowBlockAt(top, top) : UNUSED_BLOCK;
      addToColumnPoison(bottom - 1);
      collectRowSplits();
      storeRectangleMexes();
      if (top == 0) countWinningMoves();
    }
  }
}

/** Sets the sizes of the frame, and clears the arrays that are only added to. */
function prepareFrame(frameRows: i32, frameCols: i32): void {
  rows = frameRows;
  cols = frameCols;
  blockBytes = ((cols * (cols + 1)) / 2) * LANES;
  memory.fill(LEFT, 0, WIDTH_BYTES);
  memory.fill(OVERFLOWED, 0, LANES);
}

/**
 * Returns the address of the block of BELOW for rows [from, to), 1 <= from <= to. Blocks with the same `to` are
 * neighbours, so a step of one block is a step of one row in `from`.
 */
@inline
function belowBlockAt(from: i32, to: i32): usize {
  return BELOW + (((to * (to - 1)) >> 1) + from - 1) * blockBytes;
}

/**
 * Fills the block of the empty range of rows below `row` with the poison of `row`. For each range of columns, the
 * byte of a lane is 0xFF if the lane's row is not clear in these columns, else 0.
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
 * Adds a row to the poison of all columns, which is the part of RIGHT with width 0. Then the plane with left edge
 * col + 1 has 0xFF in each lane in which column `col` is not clear in the rows from `top` to `row`.
 */
function addToColumnPoison(row: i32): void {
  let cell: usize = CELLS + row * cols * LANES;
  let at: usize = RIGHT + LANES;
  for (let col = 0; col < cols; col++) {
    v128.store(at, v128.or(v128.load(at), v128.load(cell)));
    at += LANES;
    cell += LANES;
  }
}

/** Returns `set` with the nimber of one split added, if it is 0..7. The two parts have the nimbers `a` and `b`. */
@inline
function addSplit(set: v128, oneHot: v128, a: v128, b: v128): v128 {
  return v128.or(set, lookUpBytes(oneHot, v128.xor(a, b)));
}

/**
 * Fills SETS: for each range of columns, the nimbers that filling one of the rows [top, bottom) leads to. The loop
 * handles four ranges of columns at a time. With more, V8 moves so many loads out of the loop that registers spill.
 */
function collectRowSplits(): void {
  const oneHot = v128.load(ONE_HOT);
  const step = blockBytes;
  const above: usize = ABOVE + top * step;
  const below = belowBlockAt(top + 1, bottom);
  const height = bottom - top;
  for (let range: usize = 0; range < <usize>step; range += 4 * LANES) {
    let a = above + range;
    let b = below + range;
    let s0 = i64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let n = height; n > 0; n--) {
      s0 = addSplit(s0, oneHot, v128.load(a), v128.load(b));
      s1 = addSplit(s1, oneHot, v128.load(a, 16), v128.load(b, 16));
      s2 = addSplit(s2, oneHot, v128.load(a, 32), v128.load(b, 32));
      s3 = addSplit(s3, oneHot, v128.load(a, 48), v128.load(b, 48));
      a += step;
      b += step;
    }
    v128.store(range, s0, SETS);
    v128.store(range, s1, SETS + 16);
    v128.store(range, s2, SETS + 32);
    v128.store(range, s3, SETS + 48);
  }
}

/**
 * Adds the splits at columns to the sets, and stores the mex of each set as the nimber of its rectangle. Narrow
 * ranges of columns come first, because wide ranges are split into them.
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
  const oneHot = v128.load(ONE_HOT);
  let a: usize = left * LANES;
  let b: usize = (width - 1) * WIDTH_BYTES + (left + 1) * LANES;
  let s0 = v128.load(range, SETS);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  if (count > 1) s1 = v128.load(range, SETS + 16);
  if (count > 2) s2 = v128.load(range, SETS + 32);
  if (count > 3) s3 = v128.load(range, SETS + 48);
  for (let n = width; n > 0; n--) {
    s0 = addSplit(s0, oneHot, v128.load(a, LEFT), v128.load(b, RIGHT));
    if (count > 1) s1 = addSplit(s1, oneHot, v128.load(a, LEFT + 16), v128.load(b, RIGHT + 16));
    if (count > 2) s2 = addSplit(s2, oneHot, v128.load(a, LEFT + 32), v128.load(b, RIGHT + 32));
    if (count > 3) s3 = addSplit(s3, oneHot, v128.load(a, LEFT + 48), v128.load(b, RIGHT + 48));
    a += WIDTH_BYTES;
    b += LANES - WIDTH_BYTES;
  }
  let m0 = mexOf(s0);
  let m1 = m0;
  let m2 = m0;
  let m3 = m0;
  if (count > 1) m1 = mexOf(s1);
  if (count > 2) m2 = mexOf(s2);
  if (count > 3) m3 = mexOf(s3);
  if (v128.any_true(i8x16.eq(i8x16.max_u(i8x16.max_u(s0, s1), i8x16.max_u(s2, s3)), v128.load(ALL_ONES)))) {
    m0 = mexFrom8To15(m0, s0, width, left, range);
    if (count > 1) m1 = mexFrom8To15(m1, s1, width, left + 1, range + 16);
    if (count > 2) m2 = mexFrom8To15(m2, s2, width, left + 2, range + 32);
    if (count > 3) m3 = mexFrom8To15(m3, s3, width, left + 3, range + 48);
  }
  const first: usize = left * LANES;
  const plane = <usize>(width * WIDTH_BYTES) + first;
  const above = aboveBlock + range;
  const below = belowBlock + range;
  const poison = poisonBlock + range;
  storeNimbers(0, m0, first, plane, above, below, poison);
  if (count > 1) storeNimbers(16, m1, first, plane, above, below, poison);
  if (count > 2) storeNimbers(32, m2, first, plane, above, below, poison);
  if (count > 3) storeNimbers(48, m3, first, plane, above, below, poison);
}

/**
 * Returns the mex of each lane's set: the number of ones at the low end of the set. `ones` is the set reduced to
 * these ones, and min(ones, 8) + (ones >> 4) is an index below 16 for RUN_LENGTH:
 *
 *   number of ones   0   1   2   3   4   5   6   7
 *   index            0   1   3   7   8   9  11  15
 *
 * A full set gives the index 23, for which the result is some value from 0 to 7. `mexFrom8To15` replaces this value.
 */
@inline
function mexOf(set: v128): v128 {
  const ones = v128.andnot(set, i8x16.sub(set, v128.load(ALL_ONES)));
  const upper = v128.and(i16x8.shr_u(ones, 4), v128.load(ALL_15));
  return lookUpBytes(v128.load(RUN_LENGTH), i8x16.add(i8x16.min_u(ones, v128.load(ALL_8)), upper));
}

/**
 * Stores the nimbers of a rectangle, plain in LEFT and ABOVE, and poisoned in RIGHT and BELOW. Wider and taller
 * rectangles will read them. `at` is the byte offset of the rectangle in its group of up to four.
 */
@inline
function storeNimbers(
  at: usize,
  nimbers: v128,
  first: usize,
  plane: usize,
  above: usize,
  below: usize,
  poison: usize,
): void {
  v128.store(plane + at, nimbers, LEFT);
  v128.store(plane + at, v128.or(nimbers, v128.load(first + at, RIGHT)), RIGHT);
  v128.store(above + at, nimbers);
  v128.store(below + at, v128.or(nimbers, v128.load(poison + at)));
}

/**
 * Returns `mex` corrected in the lanes whose set of nimbers 0..7 is full. Goes through the splits of the rectangle a
 * second time, to collect the nimbers 8..15.
 */
function mexFrom8To15(mex: v128, set: v128, width: i32, left: i32, range: usize): v128 {
  const oneHot = v128.load(ONE_HOT);
  // An XOR with 8 maps the nimbers 8..15 to 0..7, and 0..7 to 8..15, which ONE_HOT ignores.
  const eight = v128.load(ALL_8);
  let upper = i64x2.splat(0);
  let a: usize = ABOVE + top * blockBytes + range;
  let b = belowBlockAt(top + 1, bottom) + range;
  for (let n = bottom - top; n > 0; n--) {
    upper = addSplit(upper, oneHot, v128.xor(v128.load(a), eight), v128.load(b));
    a += blockBytes;
    b += blockBytes;
  }
  a = LEFT + left * LANES;
  b = RIGHT + (width - 1) * WIDTH_BYTES + (left + 1) * LANES;
  for (let n = width; n > 0; n--) {
    upper = addSplit(upper, oneHot, v128.xor(v128.load(a), eight), v128.load(b));
    a += WIDTH_BYTES;
    b += LANES - WIDTH_BYTES;
  }
  const full = i8x16.eq(set, v128.load(ALL_ONES));
  const over = v128.and(full, i8x16.eq(upper, v128.load(ALL_ONES)));
  v128.store(OVERFLOWED, v128.or(v128.load(OVERFLOWED), over));
  // In an overflowed lane, the result is some value from 8 to 15.
  return v128.bitselect(i8x16.add(mexOf(upper), eight), mex, full);
}

/**
 * Stores how many rows and columns win as a first move, for the lanes whose board is `bottom` rows high. A first
 * move wins if the two parts that it leaves have equal nimbers, because their XOR is then 0.
 */
function countWinningMoves(): void {
  let counted = 0;
  for (let lane = 0; lane < LANES; lane++) {
    if (<i32>load<u8>(LANE_ROWS + lane) != bottom) continue;
    const width = <i32>load<u8>(LANE_COLS + lane);
    if (width != counted) {
      countWinningRows(width);
      countWinningCols(width);
      counted = width;
    }
    store<u8>(WINNING_ROWS + lane, load<u8>(ROW_COUNTS + lane));
    store<u8>(WINNING_COLS + lane, load<u8>(COL_COUNTS + lane));
  }
}

/**
 * Counts, for boards of `bottom` rows and `width` columns, the rows that win as a first move. Poison is above every
 * nimber, so a row that is not clear never has equal parts and is not counted.
 */
function countWinningRows(width: i32): void {
  let range = 0;
  for (let narrower = 1; narrower < width; narrower++) range += cols - narrower + 1;
  let a: usize = ABOVE + range * LANES;
  let b = belowBlockAt(1, bottom) + range * LANES;
  let counts = i64x2.splat(0);
  for (let n = bottom; n > 0; n--) {
    counts = i8x16.sub(counts, i8x16.eq(v128.load(a), v128.load(b)));
    a += blockBytes;
    b += blockBytes;
  }
  v128.store(ROW_COUNTS, counts);
}

/** Counts, for boards of `bottom` rows and `width` columns, the columns that win as a first move. */
function countWinningCols(width: i32): void {
  let a: usize = LEFT;
  let b: usize = RIGHT + (width - 1) * WIDTH_BYTES + LANES;
  let counts = i64x2.splat(0);
  for (let n = width; n > 0; n--) {
    counts = i8x16.sub(counts, i8x16.eq(v128.load(a), v128.load(b)));
    a += WIDTH_BYTES;
    b += LANES - WIDTH_BYTES;
  }
  v128.store(COL_COUNTS, counts);
}
