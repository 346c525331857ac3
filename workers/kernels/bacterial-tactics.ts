/**
 * Bacterial Tactics, sixteen boards at once: nimbers of all rectangles, bottom-up, one board to a byte lane.
 *
 *   nimber(rectangle) = mex { nimber(one side) XOR nimber(other side) : clear rows and columns }
 *
 * Cost: about R^2 C^2 (R + C) / 12 splits whatever the boards look like, each of two loads, an XOR, a swizzle
 * and an OR for sixteen boards. A search that visits only what play can reach does less for one board, but
 * sixteen lanes would have to agree on what to skip, and on the boards that take long they do not.
 *
 * Reference: E. R. Berlekamp, J. H. Conway, R. K. Guy, "Winning Ways for your Mathematical Plays", volume 1.
 *
 * Frame. The boards lie in the top left corner of one frame of rows x cols cells; the rest of the frame
 * counts as radioactive. A rectangle's nimber does not depend on what is around it, so each lane's answer is
 * read off the rectangle that is its board, and boards of different sizes may share a frame.
 *
 * Poison. A line may be filled only if it is clear. Instead of asking, the side of a split that lies behind
 * the line is stored with 0xFF in the lanes where the line is not clear: the XOR is then 0xF0 or more, and
 * `lookUp` turns an index above 127 into 0, the empty set of nimbers.
 *
 * Sets. Swizzling ONE_HOT by a nimber gives 1 << nimber for 0..7 and nothing for 8..15. Those eight bits tell
 * the mex unless all are set, as for fewer than one rectangle in 5,000 on random boards of the contest's
 * size; only then `beyond` looks for 8..15. A lane that would need 16 is reported as overflowed, and its
 * answer means nothing.
 *
 * Memory. A plane is 16 bytes, one a lane. Ranges of columns are numbered by width, then by left edge, and a
 * block is one plane for each:
 *
 *   cols = 4    range   0  1  2  3 |  4   5   6 |   7    8 |    9
 *               columns 0  1  2  3 | 01  12  23 | 012  123 | 0123
 *
 *   CELLS   plane row * cols + col        0xFF where radioactive, 0x00 where empty; the host fills it
 *   UNDER   block underAt(from, to)       nimbers of rows [from, to), poisoned by row from - 1; from >= 1
 *   ABOVE   block to                      nimbers of rows [top, to) for the present top; block top is 0
 *   SETS    one block                     sets of the nimbers that the rows of [top, bottom) lead to
 *   LEFT    plane left at width * PITCH   nimbers of [top, bottom) x [left, left + width); width 0 is all 0
 *   RIGHT   plane left at width * PITCH   the same, poisoned by column left - 1; width 0 is the poison itself
 *
 * so that going from one split of a row range to the next is a step of one block in ABOVE and in UNDER; of a
 * column range, a step down in LEFT and a step up and to the right in RIGHT. At 15 x 15 UNDER has 225 KiB,
 * which fits the second-level cache; the rest, some 45 KiB, nearly fits the first.
 *
 * Invariants: nimbers stored are 0..15 (a byte above is poison); ranges are finished by width, row ranges by
 * `top` descending and `bottom` ascending, so that whatever a split reads is final; loops by four planes may
 * run past the end of a block, but only to read planes nobody uses, and SETS has room.
 */

import { lookUp } from './shared/swizzle';

const LANES: i32 = 16;
/** Longest side of a frame. Larger boards would overflow more and more often. */
const MAX_SIDE: i32 = 32;

const MAX_RANGES: i32 = (MAX_SIDE * (MAX_SIDE + 1)) / 2;
const MAX_BLOCK: i32 = MAX_RANGES * LANES; // a multiple of 4 planes: 528 ranges
/** From one width to the next in LEFT and RIGHT: left edges 0..MAX_SIDE. */
const PITCH: i32 = (MAX_SIDE + 1) * LANES;

const CELLS: usize = memory.data(MAX_SIDE * MAX_SIDE * LANES, 64);
const UNDER: usize = memory.data(MAX_RANGES * MAX_BLOCK, 64);
const ABOVE: usize = memory.data((MAX_SIDE + 1) * MAX_BLOCK, 64);
const SETS: usize = memory.data(MAX_BLOCK, 64);
const LEFT: usize = memory.data((MAX_SIDE + 1) * PITCH, 64);
const RIGHT: usize = memory.data((MAX_SIDE + 1) * PITCH, 64);
/**
 * Rows that end at the frame's top edge have no row above them: their poisoned block is read and written
 * here.
 */
const NOWHERE: usize = memory.data(MAX_BLOCK, 64);

/** Bytes by lane: the size of the lane's board, 0 x 0 if it has none, and what was found out about it. */
const LANE_ROWS: usize = memory.data(LANES, 16);
const LANE_COLS: usize = memory.data(LANES, 16);
const ROWS_WON: usize = memory.data(LANES, 16);
const COLS_WON: usize = memory.data(LANES, 16);
const OVERFLOWED: usize = memory.data(LANES, 16);
/** The same counts for all lanes, as if every board had the size in question. */
const ROW_COUNTS: usize = memory.data(LANES, 16);
const COL_COUNTS: usize = memory.data(LANES, 16);

// Constants are loaded: V8 would build a v128.const anew wherever it is used, in the inner loops too.
const ONE_HOT: usize = memory.data<u8>([1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0], 16);
/** The length of a run of ones, by the index that `mexOf` makes of it. */
const RUN_LENGTH: usize = memory.data<u8>([0, 1, 0, 2, 0, 0, 0, 3, 4, 5, 0, 6, 0, 0, 0, 7], 16);
const ALL_8: usize = memory.data<u8>([8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8], 16);
const ALL_15: usize = memory.data<u8>([15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15], 16);
const ALL_ONES: usize = memory.data<u64>([u64.MAX_VALUE, u64.MAX_VALUE], 16);

let rows: i32 = 0;
let cols: i32 = 0;
/** Bytes of a block in this frame. */
let block: i32 = 0;
/** The range of rows in work: [top, bottom). */
let top: i32 = 0;
let bottom: i32 = 0;
/** Its blocks: in ABOVE, in UNDER, and in UNDER the poison of the row above it. */
let aboveBlock: usize = 0;
let underBlock: usize = 0;
let poisonBlock: usize = 0;

/** How many boards are solved at once. */
export function lanes(): i32 {
  return LANES;
}

/** The longest side a frame may have. */
export function maxSide(): i32 {
  return MAX_SIDE;
}

/**
 * Where the host puts the cells: byte (row * frameCols + col) * LANES + lane, 0xFF radioactive, 0x00 empty.
 */
export function cellsAt(): usize {
  return CELLS;
}

/** Where the host puts the number of rows of each lane's board: one byte a lane, 0 in a lane without one. */
export function laneRowsAt(): usize {
  return LANE_ROWS;
}

/** Where the host puts the number of columns of each lane's board: one byte a lane. */
export function laneColsAt(): usize {
  return LANE_COLS;
}

/** Where the host finds the number of rows that win: one byte a lane. */
export function rowsWonAt(): usize {
  return ROWS_WON;
}

/** Where the host finds the number of columns that win: one byte a lane. */
export function colsWonAt(): usize {
  return COLS_WON;
}

/** Where the host finds the lanes with a nimber above 15: one byte a lane, 0 for none. */
export function overflowedAt(): usize {
  return OVERFLOWED;
}

/** Solves the boards in the lanes, in a frame that holds the largest of them. */
export function solve(frameRows: i32, frameCols: i32): void {
  useFrame(frameRows, frameCols);
  for (let row = 0; row < rows; row++) poisonUnder(row);
  for (top = rows - 1; top >= 0; top--) {
    memory.fill(ABOVE + top * block, 0, block);
    memory.fill(RIGHT, 0, PITCH);
    for (bottom = top + 1; bottom <= rows; bottom++) {
      aboveBlock = ABOVE + bottom * block;
      underBlock = top > 0 ? underAt(top, bottom) : NOWHERE;
      poisonBlock = top > 0 ? underAt(top, top) : NOWHERE;
      poisonRight(bottom - 1);
      splitRows();
      splitCols();
      if (top == 0) countWins();
    }
  }
}

function useFrame(frameRows: i32, frameCols: i32): void {
  rows = frameRows;
  cols = frameCols;
  block = ((cols * (cols + 1)) / 2) * LANES;
  memory.fill(LEFT, 0, PITCH);
  memory.fill(OVERFLOWED, 0, LANES);
}

/** 1 <= from <= to. Neighbours have the same `to`, so that a step of one block is a step of one row. */
@inline
function underAt(from: i32, to: i32): usize {
  return UNDER + (((to * (to - 1)) >> 1) + from - 1) * block;
}

/** The empty range of rows below `row`: for each range of columns, 0xFF where the row is not clear. */
function poisonUnder(row: i32): void {
  const cells: usize = CELLS + row * cols * LANES;
  let at = underAt(row + 1, row + 1);
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

/** The empty ranges of columns, each behind a column: 0xFF where that is not clear from `top` to `row`. */
function poisonRight(row: i32): void {
  let cell: usize = CELLS + row * cols * LANES;
  let at: usize = RIGHT + LANES;
  for (let col = 0; col < cols; col++) {
    v128.store(at, v128.or(v128.load(at), v128.load(cell)));
    at += LANES;
    cell += LANES;
  }
}

/** The nimbers 0..7 that `set` gains from the split with sides at `a` and `b`. */
@inline
function seen(set: v128, oneHot: v128, a: v128, b: v128): v128 {
  return v128.or(set, lookUp(oneHot, v128.xor(a, b)));
}

/** Fills SETS. Four ranges at a time: with more, V8 hoists so many loads that it spills. */
function splitRows(): void {
  const oneHot = v128.load(ONE_HOT);
  const step = block;
  const above: usize = ABOVE + top * step;
  const under = underAt(top + 1, bottom);
  const height = bottom - top;
  for (let range: usize = 0; range < <usize>step; range += 4 * LANES) {
    let a = above + range;
    let b = under + range;
    let s0 = i64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let n = height; n > 0; n--) {
      s0 = seen(s0, oneHot, v128.load(a), v128.load(b));
      s1 = seen(s1, oneHot, v128.load(a, 16), v128.load(b, 16));
      s2 = seen(s2, oneHot, v128.load(a, 32), v128.load(b, 32));
      s3 = seen(s3, oneHot, v128.load(a, 48), v128.load(b, 48));
      a += step;
      b += step;
    }
    v128.store(range, s0, SETS);
    v128.store(range, s1, SETS + 16);
    v128.store(range, s2, SETS + 32);
    v128.store(range, s3, SETS + 48);
  }
}

/** Completes the sets and stores their mexes, narrow ranges before the wide ones that are split into them. */
function splitCols(): void {
  let range: usize = 0;
  for (let width = 1; width <= cols; width++) {
    const ranges = cols - width + 1;
    let left = 0;
    for (; left + 4 <= ranges; left += 4) {
      splitColsOf(4, width, left, range);
      range += 4 * LANES;
    }
    const rest = ranges - left;
    if (rest == 3) splitColsOf(3, width, left, range);
    else if (rest == 2) splitColsOf(2, width, left, range);
    else if (rest == 1) splitColsOf(1, width, left, range);
    range += rest * LANES;
  }
}

/**
 * Up to four ranges of one width, side by side; `count` is a literal, so each number gets code of its own.
 */
@inline
function splitColsOf(count: i32, width: i32, left: i32, range: usize): void {
  const oneHot = v128.load(ONE_HOT);
  let a: usize = left * LANES;
  let b: usize = (width - 1) * PITCH + (left + 1) * LANES;
  let s0 = v128.load(range, SETS);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  if (count > 1) s1 = v128.load(range, SETS + 16);
  if (count > 2) s2 = v128.load(range, SETS + 32);
  if (count > 3) s3 = v128.load(range, SETS + 48);
  for (let n = width; n > 0; n--) {
    s0 = seen(s0, oneHot, v128.load(a, LEFT), v128.load(b, RIGHT));
    if (count > 1) s1 = seen(s1, oneHot, v128.load(a, LEFT + 16), v128.load(b, RIGHT + 16));
    if (count > 2) s2 = seen(s2, oneHot, v128.load(a, LEFT + 32), v128.load(b, RIGHT + 32));
    if (count > 3) s3 = seen(s3, oneHot, v128.load(a, LEFT + 48), v128.load(b, RIGHT + 48));
    a += PITCH;
    b += LANES - PITCH;
  }
  let m0 = mexOf(s0);
  let m1 = m0;
  let m2 = m0;
  let m3 = m0;
  if (count > 1) m1 = mexOf(s1);
  if (count > 2) m2 = mexOf(s2);
  if (count > 3) m3 = mexOf(s3);
  if (v128.any_true(i8x16.eq(i8x16.max_u(i8x16.max_u(s0, s1), i8x16.max_u(s2, s3)), v128.load(ALL_ONES)))) {
    m0 = beyond(m0, s0, width, left, range);
    if (count > 1) m1 = beyond(m1, s1, width, left + 1, range + 16);
    if (count > 2) m2 = beyond(m2, s2, width, left + 2, range + 32);
    if (count > 3) m3 = beyond(m3, s3, width, left + 3, range + 48);
  }
  const first: usize = left * LANES;
  const plane = <usize>(width * PITCH) + first;
  const above = aboveBlock + range;
  const under = underBlock + range;
  const poison = poisonBlock + range;
  keep(0, m0, first, plane, above, under, poison);
  if (count > 1) keep(16, m1, first, plane, above, under, poison);
  if (count > 2) keep(32, m2, first, plane, above, under, poison);
  if (count > 3) keep(48, m3, first, plane, above, under, poison);
}

/**
 * The least nimber missing from each lane's set: the length of the run of ones at its low end. Runs of 0..7
 * ones make the indices 0 1 3 7 8 9 11 15, min(ones, 8) + (ones >> 4); a full set makes 23, so anything up to 7:
 * `beyond` knows better.
 */
@inline
function mexOf(set: v128): v128 {
  const ones = v128.andnot(set, i8x16.sub(set, v128.load(ALL_ONES)));
  const upper = v128.and(i16x8.shr_u(ones, 4), v128.load(ALL_15));
  return lookUp(v128.load(RUN_LENGTH), i8x16.add(i8x16.min_u(ones, v128.load(ALL_8)), upper));
}

/** Stores the nimbers of a range, plain and poisoned, for wider ranges and taller rectangles to come. */
@inline
function keep(
  at: usize,
  nimbers: v128,
  first: usize,
  plane: usize,
  above: usize,
  under: usize,
  poison: usize,
): void {
  v128.store(plane + at, nimbers, LEFT);
  v128.store(plane + at, v128.or(nimbers, v128.load(first + at, RIGHT)), RIGHT);
  v128.store(above + at, nimbers);
  v128.store(under + at, v128.or(nimbers, v128.load(poison + at)));
}

/** The mex where the set of 0..7 is full: goes through the splits once more, for 8..15. */
function beyond(mex: v128, set: v128, width: i32, left: i32, range: usize): v128 {
  const oneHot = v128.load(ONE_HOT);
  const eight = v128.load(ALL_8); // an XOR with 8 brings 8..15 down to 0..7, and puts 0..7 out of the way
  let upper = i64x2.splat(0);
  let a: usize = ABOVE + top * block + range;
  let b = underAt(top + 1, bottom) + range;
  for (let n = bottom - top; n > 0; n--) {
    upper = seen(upper, oneHot, v128.xor(v128.load(a), eight), v128.load(b));
    a += block;
    b += block;
  }
  a = LEFT + left * LANES;
  b = RIGHT + (width - 1) * PITCH + (left + 1) * LANES;
  for (let n = width; n > 0; n--) {
    upper = seen(upper, oneHot, v128.xor(v128.load(a), eight), v128.load(b));
    a += PITCH;
    b += LANES - PITCH;
  }
  const full = i8x16.eq(set, v128.load(ALL_ONES));
  const over = v128.and(full, i8x16.eq(upper, v128.load(ALL_ONES)));
  v128.store(OVERFLOWED, v128.or(v128.load(OVERFLOWED), over));
  return v128.bitselect(i8x16.add(mexOf(upper), eight), mex, full); // 8 to 15 in a lane that overflowed
}

/** For the lanes whose board ends at `bottom`: how many of its rows and columns leave nothing to play for. */
function countWins(): void {
  let counted = 0;
  for (let lane = 0; lane < LANES; lane++) {
    if (<i32>load<u8>(LANE_ROWS + lane) != bottom) continue;
    const width = <i32>load<u8>(LANE_COLS + lane);
    if (width != counted) {
      countRows(width);
      countCols(width);
      counted = width;
    }
    store<u8>(ROWS_WON + lane, load<u8>(ROW_COUNTS + lane));
    store<u8>(COLS_WON + lane, load<u8>(COL_COUNTS + lane));
  }
}

/** A split wins if its sides are equal: the XOR is 0, and poison equals no nimber. */
function countRows(width: i32): void {
  let range = 0;
  for (let narrower = 1; narrower < width; narrower++) range += cols - narrower + 1;
  let a: usize = ABOVE + range * LANES;
  let b = underAt(1, bottom) + range * LANES;
  let counts = i64x2.splat(0);
  for (let n = bottom; n > 0; n--) {
    counts = i8x16.sub(counts, i8x16.eq(v128.load(a), v128.load(b)));
    a += block;
    b += block;
  }
  v128.store(ROW_COUNTS, counts);
}

function countCols(width: i32): void {
  let a: usize = LEFT;
  let b: usize = RIGHT + (width - 1) * PITCH + LANES;
  let counts = i64x2.splat(0);
  for (let n = width; n > 0; n--) {
    counts = i8x16.sub(counts, i8x16.eq(v128.load(a), v128.load(b)));
    a += PITCH;
    b += LANES - PITCH;
  }
  v128.store(COL_COUNTS, counts);
}
