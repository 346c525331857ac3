/**
 * River Pawn (过河卒) by bit-parallel retrograde analysis on a growing ball of red pairs.
 *
 * ## One operator, two bounds
 * For a pair p of red squares let W(p) be the squares from which Black, to move, wins, and N(p) those from
 * which Black wins with Red to move. The rules read
 *
 *     N(p) = AND of W(p') over the pairs p' one red move away, with the squares of p
 *     W(p) = squares one black step before N(p) or row 1, without the squares of p
 *
 * Iterated from nothing, the k-th N holds where Black wins within 2k plies. Iterated from everything, the
 * complement of the k-th N holds where Red wins within 2k - 1 plies. So one operator tightens a lower and an
 * upper bound; where they never meet, the game is a tie.
 *
 * ## Sets
 * A move changes the chequer colour of one piece, so for a given pair only squares of one colour can have
 * Black to move, and only those of the other can have Red to move. Both share the bits (here of 10x10):
 *
 *     row 2    0 0 1 1 2 2 3 3 4 4        up:        a shift by the bits of a row
 *     row 3    5 5 6 6 7 7 8 8 9 9        sideways:  the same bit on one side; on the other the bit below
 *     ...                                            (even columns) or above (odd columns)
 *     row 10  40 ...            44        row 1 ends the game and needs no bits
 *
 * ## Lanes
 *     up to 32 bits   | even lower | even upper | odd lower | odd upper |         16 bytes a pair, u32 lanes
 *     up to 64 bits   | even lower | even upper |  and  | odd lower | odd upper |  32 bytes a pair, u64 lanes
 *
 * ## The ball
 * To know the k-th bound at the start, the (k-d)-th is needed for pairs d red moves away, and no farther.
 * With d(p) that distance, pass t gives p the level 2t + 1 - d(p) in the even lanes and 2t + 2 - d(p) in the
 * odd ones. Neighbours of p lie at d(p) + 1 or d(p) - 1 (d counts steps on a chequered board, each red's own
 * way, over the better of both ways to match the alike reds: a step changes it by one). So a sweep from the
 * rim inwards, in place, finds this pass's bounds in the outer neighbours and the last pass's in the inner
 * ones: both of just the level below. Pairs enter as the ball reaches them, and most games end while it is
 * small. The pass that decides the start is the distance; nothing else grows with the length of the game.
 *
 * Cost: pairs in the ball, each pass; a pass is four plies.
 * Why not lists of the pairs that change: of the visits left, five in six do change something.
 *
 * Reference: retrograde analysis, Ströhlein 1970; Thompson, ICCA Journal 9(3), 1986.
 */

// ---- What the host must know ------------------------------------------------------------------------------

const MAX_SIDE: i32 = 10;

/** [row * cols + col], a byte: 0 free, 1 obstacle, 2 Black, 3 red. */
const BOARD: usize = memory.data(MAX_SIDE * MAX_SIDE, 16);

/** The most rows, and columns, of a board. */
export function maxSide(): i32 {
  return MAX_SIDE;
}

/** Where a board goes in, row-major, a byte a cell. */
export function boardAddress(): usize {
  return BOARD;
}

/** Plies until the game on the board ends, or -1 for a tie. */
export function solve(rows: i32, cols: i32): i32 {
  readBoard(rows, cols);
  floodBlack();
  const bits = numberSquares();
  if (!canMove(red1, red2) && !canMove(red2, red1)) return 0;
  startFlood(FLOOD1, red1);
  startFlood(FLOOD2, red2);
  return bits <= 32 ? analyse<u32>() : analyse<u64>();
}

const TIE: i32 = -1;

// ---- Cells ------------------------------------------------------------------------------------------------
// cell = row * 11 + col, rows from 1. Rows 0 and 11 and column 10 are walls, so no step leaves the array.

const STRIDE: i32 = MAX_SIDE + 1;
const CELLS: i32 = STRIDE * (MAX_SIDE + 2);
const ROW_BYTES: i32 = (MAX_SIDE + 2) * 4;
const OBSTACLE: i32 = 1;
const BLACK: i32 = 2;
const RED: i32 = 3;

/** Distance of a cell no red has come to; a step a cell at most, so those it has come to are below 100. */
const FAR: i32 = 255;

/** [row]: bit col is set where the cell is free. */
const FREE_ROWS: usize = memory.data(ROW_BYTES, 16);
/** [row]: bit col is set where Black can come. */
const BLACK_ROWS: usize = memory.data(ROW_BYTES, 16);
/** [cell], a byte: 1 where free. */
const FREE: usize = memory.data(CELLS, 16);

/** A red's squares, found distance by distance as the ball grows. */
const FLOOD_CELLS: i32 = 0; // [i], a byte: the i-th cell, nearest first
const FLOOD_STARTS: i32 = CELLS; // [distance], a byte: the first i at that distance; then the number of cells
const FLOOD_DISTANCE: i32 = CELLS + 256; // [cell], a byte: FAR where it has not come yet
const FLOOD_BYTES: i32 = CELLS * 2 + 256;
const FLOOD1: usize = memory.data(FLOOD_BYTES, 16);
const FLOOD2: usize = memory.data(FLOOD_BYTES, 16);

// ---- Sets of Black's squares ------------------------------------------------------------------------------
// bit = (row - top) * width + (col - left) / 2; top, left and width bound Black's squares, and left is even.

/** The width of all wide sets, so that their shift is by a constant. Nine rows of it are 45 bits. */
const WIDE_ROW: i32 = (MAX_SIDE + 1) / 2;

/** [colour * SETS + set], a v128 of equal lanes. */
const SQUARES: i32 = 0; // Black's squares below row 1
const FROM_LEFT: i32 = 16; // squares that can step to the bit below too
const FROM_RIGHT: i32 = 32; // squares that can step to the bit above too
const HOME: i32 = 48; // squares that can step into row 1
const SETS: i32 = 64;
const MASKS: usize = memory.data(2 * SETS, 16);
/** [(colour * CELLS + cell) * 16], in every lane the cell's bit if a square of this colour, else 0. */
const BITS: usize = memory.data(2 * CELLS * 16, 16);

// ---- Pairs ------------------------------------------------------------------------------------------------
// The bounds of the pair a, b are stored at [a][b] and at [b][a]: every neighbour lies at a fixed offset.
// Where no pair of the ball is (walls, [a][a]), all is ones, and the AND passes over it.

/** [first * CELLS + second], 16 or 32 bytes. All ones between boards. */
const PLANE: usize = memory.data(CELLS * CELLS * 32, 16);

/** Unordered, and one more: a pair is written before it is known to be new. */
const MAX_PAIRS: i32 = (MAX_SIDE * MAX_SIDE * (MAX_SIDE * MAX_SIDE - 1)) / 2 + 1;
/** The pairs of the ball, from the start outwards, u32: a * 16 in the low half, b * 16 in the high half. */
const PAIRS: usize = memory.data(MAX_PAIRS * 4, 16);
/** [distance], a u32: address behind the last pair at most that far. Two reds' distances are below 200. */
const SPHERE_ENDS: usize = memory.data(256 * 4, 16);

// ---- The board at hand ------------------------------------------------------------------------------------
// An instance solves one board at a time; these are what its steps hand on, all set anew for each board.

let blackRow: i32 = 0;
let blackCol: i32 = 0;
let red1: i32 = 0;
let red2: i32 = 0;
/** Bits of a row in the sets of squares. */
let width: i32 = 0;
/** The distance up to which pairs are listed. */
let rim: i32 = 0;
/** Whether there may be pairs beyond the rim. */
let isGrowing: bool = false;

function readBoard(rows: i32, cols: i32): void {
  memory.fill(FREE, 0, CELLS);
  memory.fill(FREE_ROWS, 0, ROW_BYTES);
  red1 = 0;
  let from = BOARD;
  for (let row = 1; row <= rows; row++) {
    let free = 0;
    for (let col = 0; col < cols; col++) {
      const content = <i32>load<u8>(from++);
      if (content == OBSTACLE) continue;
      const cell = row * STRIDE + col;
      free |= 1 << col;
      store<u8>(FREE + cell, 1);
      if (content == BLACK) {
        blackRow = row;
        blackCol = col;
      } else if (content == RED) {
        if (red1 == 0) red1 = cell;
        else red2 = cell;
      }
    }
    store<i32>(FREE_ROWS + row * 4, free);
  }
}

// ---- Black's squares --------------------------------------------------------------------------------------

/** Black moves up and sideways: row by row, each filled from what lies below it. */
function floodBlack(): void {
  let reach = 1 << blackCol;
  for (let row = blackRow; row > 1; row--) {
    const free = load<i32>(FREE_ROWS + row * 4);
    reach &= free;
    let before = 0;
    while (reach != before) {
      before = reach;
      reach = (reach | (reach << 1) | (reach >> 1)) & free;
    }
    store<i32>(BLACK_ROWS + row * 4, reach);
  }
}

/** Numbers the squares below row 1 and builds their sets. Returns how many bits they take. */
function numberSquares(): i32 {
  let columns = 0;
  let top = blackRow + 1;
  while (top > 2 && load<i32>(BLACK_ROWS + (top - 1) * 4) != 0) columns |= load<i32>(BLACK_ROWS + --top * 4);
  const rows = blackRow + 1 - top;
  const left = ctz(columns) & ~1;
  width = ((31 - clz(columns) - left) >> 1) + 1;
  const isNarrow = rows * width <= 32;
  if (!isNarrow) width = WIDE_ROW;
  memory.fill(MASKS, 0, 2 * SETS);
  memory.fill(BITS, 0, 2 * CELLS * 16);
  for (let row = top; row <= blackRow; row++) {
    for (let rest = load<i32>(BLACK_ROWS + row * 4); rest != 0; rest &= rest - 1) {
      addSquare(row, ctz(rest), left, (row - top) * width, isNarrow);
    }
  }
  return rows * width;
}

function addSquare(row: i32, col: i32, left: i32, rowBit: i32, isNarrow: bool): void {
  const colour = (row + col) & 1;
  const place = (col - left) >> 1;
  const bit: u64 = 1 << (<u64>(rowBit + place));
  const set = isNarrow ? i32x4.splat(<i32>bit) : i64x2.splat(bit);
  const masks = MASKS + colour * SETS;
  include(masks + SQUARES, set);
  if ((col & 1) == 0 && place > 0) include(masks + FROM_LEFT, set);
  if ((col & 1) == 1 && place < width - 1) include(masks + FROM_RIGHT, set);
  if (row == 2 && ((load<i32>(FREE_ROWS + 4) >> col) & 1) == 1) include(masks + HOME, set);
  v128.store(BITS + (colour * CELLS + row * STRIDE + col) * 16, set);
}

// @ts-ignore: decorator
@inline
function include(address: usize, set: v128): void {
  v128.store(address, v128.or(v128.load(address), set));
}

// ---- The reds' squares ------------------------------------------------------------------------------------

function startFlood(at: usize, start: i32): void {
  memory.fill(at + FLOOD_DISTANCE, <u8>FAR, CELLS);
  store<u8>(at + FLOOD_CELLS, <u8>start);
  store<u8>(at + FLOOD_DISTANCE + start, 0);
  store<u8>(at + FLOOD_STARTS, 0);
  store<u8>(at + FLOOD_STARTS, 1, 1);
}

/** Finds the cells at this distance; those nearer have been found. */
function growFlood(at: usize, distance: i32): void {
  const starts = at + FLOOD_STARTS + distance;
  const end = <i32>load<u8>(starts);
  let count = end;
  for (let i = <i32>load<u8>(starts - 1); i < end; i++) {
    const cell = <i32>load<u8>(at + FLOOD_CELLS + i);
    count = reach(at, cell - STRIDE, distance, count);
    count = reach(at, cell - 1, distance, count);
    count = reach(at, cell + 1, distance, count);
    count = reach(at, cell + STRIDE, distance, count);
  }
  store<u8>(starts, <u8>count, 1);
}

// @ts-ignore: decorator
@inline
function reach(at: usize, cell: i32, distance: i32, count: i32): i32 {
  const isNew = load<u8>(FREE + cell) & <u8>(load<u8>(at + FLOOD_DISTANCE + cell) == FAR);
  if (isNew == 0) return count;
  store<u8>(at + FLOOD_DISTANCE + cell, <u8>distance);
  store<u8>(at + FLOOD_CELLS + count, <u8>cell);
  return count + 1;
}

function canMove(red: i32, other: i32): bool {
  const upOrDown = isOpen(red - STRIDE, other) || isOpen(red + STRIDE, other);
  return upOrDown || isOpen(red - 1, other) || isOpen(red + 1, other);
}

function isOpen(cell: i32, other: i32): bool {
  return load<u8>(FREE + cell) == 1 && cell != other;
}

// ---- Pairs ------------------------------------------------------------------------------------------------

/** Four lanes of a T: lower and upper bound of the even and of the odd level. */
// @ts-ignore: decorator
@inline
function pairBytes<T>(): i32 {
  return 4 * <i32>sizeof<T>();
}

/** Lists the pairs at this distance from `end` on; returns the address behind the last. */
function listSphere(distance: i32, end: usize): usize {
  growFlood(FLOOD1, distance);
  growFlood(FLOOD2, distance);
  for (let i = 0; i <= distance; i++) {
    const starts1 = FLOOD1 + FLOOD_STARTS + i;
    const starts2 = FLOOD2 + FLOOD_STARTS + (distance - i);
    const from2 = FLOOD2 + FLOOD_CELLS + <i32>load<u8>(starts2);
    const to2 = FLOOD2 + FLOOD_CELLS + <i32>load<u8>(starts2, 1);
    const to1 = FLOOD1 + FLOOD_CELLS + <i32>load<u8>(starts1, 1);
    for (let at1 = FLOOD1 + FLOOD_CELLS + <i32>load<u8>(starts1); at1 < to1; at1++) {
      end = listPairsOf(<i32>load<u8>(at1), from2, to2, distance, end);
    }
  }
  return end;
}

/**
 * Lists `a` with each cell of the other red at `from` to `to`. The reds are alike: a pair is listed once, in
 * the order in which it is nearer, or a < b where both are equally near (so never a with itself).
 */
// @ts-ignore: decorator
@inline
function listPairsOf(a: i32, from: usize, to: usize, distance: i32, end: usize): usize {
  const swapped = <i32>load<u8>(FLOOD2 + FLOOD_DISTANCE + a) - distance;
  for (let at = from; at < to; at++) {
    const b = <i32>load<u8>(at);
    const excess = swapped + <i32>load<u8>(FLOOD1 + FLOOD_DISTANCE + b);
    store<u32>(end, (a << 4) | (b << 20));
    end += (<i32>(excess > 0) | (<i32>(excess == 0) & <i32>(a < b))) << 2;
  }
  return end;
}

// @ts-ignore: decorator
@inline
function addressOf<T>(first: u32, second: u32): usize {
  return PLANE + first * (CELLS * sizeof<T>() / 4) + second * (sizeof<T>() / 4);
}

/** AND over the neighbours of the pair at `at`, four a red. `vector`: 16 for the odd half of a wide pair. */
// @ts-ignore: decorator
@inline
function meet<T>(at: usize, vector: usize): v128 {
  const byRow = CELLS * pairBytes<T>();
  const self = STRIDE * byRow;
  const base = at - self + vector;
  const first = v128.and(
    v128.and(v128.load(base, 0), v128.load(base, (STRIDE - 1) * byRow)),
    v128.and(v128.load(base, (STRIDE + 1) * byRow), v128.load(base, 2 * STRIDE * byRow)),
  );
  const second = v128.and(
    v128.and(v128.load(base, self - STRIDE * pairBytes<T>()), v128.load(base, self - pairBytes<T>())),
    v128.and(v128.load(base, self + pairBytes<T>()), v128.load(base, self + STRIDE * pairBytes<T>())),
  );
  return v128.and(first, second);
}

/** Whence one black step leads into `n` or into row 1; squares that are none of Black's may come along. */
// @ts-ignore: decorator
@inline
function stepInto<T>(n: v128, fromLeft: v128, fromRight: v128, home: v128): v128 {
  const up = sizeof<T>() == 8 ? WIDE_ROW : width;
  return v128.or(
    v128.or(v128.or(n, home), v128.shl<T>(n, up)),
    v128.or(v128.and(v128.shl<T>(n, 1), fromLeft), v128.and(v128.shr<T>(n, 1), fromRight)),
  );
}

/** Gives fresh pairs their bounds: level 0 (nothing, everything) in the even lanes, level 1 in the odd. */
function admit<T>(from: usize, to: usize, redColour: i32): void {
  levelUp<T>(from, to, redColour, true, false);
}

/** Brings pairs `from` to `to`, all at one distance, to the next level. */
function sweep<T>(from: usize, to: usize, redColour: i32): void {
  levelUp<T>(from, to, redColour, false, false);
}

/** Does the same, and returns the bits that changed. */
function sweepWatching<T>(from: usize, to: usize, redColour: i32): v128 {
  return levelUp<T>(from, to, redColour, false, true);
}

// @ts-ignore: decorator
@inline
function levelUp<T>(from: usize, to: usize, redColour: i32, isFresh: bool, watches: bool): v128 {
  const redMasks = MASKS + redColour * SETS;
  const blackMasks = MASKS + (redColour ^ 1) * SETS;
  const redBits = BITS + redColour * CELLS * 16;
  const blackBits = BITS + (redColour ^ 1) * CELLS * 16;
  const squares = v128.load(blackMasks, SQUARES);
  const fromLeft = v128.load(blackMasks, FROM_LEFT);
  const fromRight = v128.load(blackMasks, FROM_RIGHT);
  const home = v128.load(blackMasks, HOME);
  const upper = sizeof<T>() == 4 ? i32x4(0, -1, 0, -1) : i64x2(0, -1);
  const level0 = v128.and(squares, upper);
  const level0Beside = v128.and(v128.load(redMasks, SQUARES), upper);
  const oddLanes = i32x4(0, 0, -1, -1);
  let changed = i32x4.splat(0);
  for (let at = from; at < to; at += 4) {
    const entry = load<u32>(at);
    const a = entry & 0xffff;
    const b = entry >>> 16;
    const pair = addressOf<T>(a, b);
    const twin = addressOf<T>(b, a);
    const taken = v128.or(v128.load(redBits + a), v128.load(redBits + b));
    const open = v128.andnot(squares, v128.or(v128.load(blackBits + a), v128.load(blackBits + b)));

    // No AND with the squares: a red can always step back, so one neighbour at least holds squares only.
    const n = v128.or(isFresh ? level0Beside : meet<T>(pair, 0), taken);
    let w = v128.and(stepInto<T>(n, fromLeft, fromRight, home), open);
    if (isFresh) w = sizeof<T>() == 4 ? v128.bitselect(w, level0, oddLanes) : level0;
    if (watches) changed = v128.or(changed, v128.xor(w, v128.load(pair)));
    v128.store(pair, w);
    v128.store(twin, w);

    if (sizeof<T>() == 8) {
      const n = v128.or(isFresh ? level0Beside : meet<T>(pair, 16), taken);
      const w = v128.and(stepInto<T>(n, fromLeft, fromRight, home), open);
      if (watches) changed = v128.or(changed, v128.xor(w, v128.load(pair, 16)));
      v128.store(pair, w, 16);
      v128.store(twin, w, 16);
    }
  }
  return changed;
}

/** Leaves the plane as the next board must find it: all ones. */
function clear<T>(to: usize): void {
  const ones = i32x4.splat(-1);
  for (let at = PAIRS; at < to; at += 4) {
    const entry = load<u32>(at);
    const pair = addressOf<T>(entry & 0xffff, entry >>> 16);
    const twin = addressOf<T>(entry >>> 16, entry & 0xffff);
    v128.store(pair, ones);
    v128.store(twin, ones);
    if (sizeof<T>() == 8) {
      v128.store(pair, ones, 16);
      v128.store(twin, ones, 16);
    }
  }
}

/** Plies to the end from the start, if this pass decides it, else TIE. The earliest bound speaks first. */
function decide<T>(pass: i32, redColour: i32): i32 {
  const entry = load<u32>(PAIRS);
  const pair = addressOf<T>(entry & 0xffff, entry >>> 16);
  const black = v128.load(BITS + (redColour * CELLS + blackRow * STRIDE + blackCol) * 16);
  const even = v128.and(meet<T>(pair, 0), black);
  const evenLower = v128.any_true(v128.and(even, lanes<T>(0)));
  const evenUpper = v128.any_true(v128.and(even, lanes<T>(1)));
  const odd = sizeof<T>() == 4 ? even : v128.and(meet<T>(pair, 16), black);
  const oddLower = v128.any_true(v128.and(odd, lanes<T>(2)));
  const oddUpper = v128.any_true(v128.and(odd, lanes<T>(3)));
  if (!evenUpper) return 4 * pass - 1;
  if (evenLower) return 4 * pass;
  if (!oddUpper) return 4 * pass + 1;
  if (oddLower) return 4 * pass + 2;
  return TIE;
}

/** Ones in the lane of: 0 even lower, 1 even upper, 2 odd lower, 3 odd upper. */
// @ts-ignore: decorator
@inline
function lanes<T>(bound: i32): v128 {
  if (sizeof<T>() == 8) return bound & 1 ? i64x2(0, -1) : i64x2(-1, 0);
  return i32x4(bound == 0 ? -1 : 0, bound == 1 ? -1 : 0, bound == 2 ? -1 : 0, bound == 3 ? -1 : 0);
}

function analyse<T>(): i32 {
  const startColour = (blackRow + blackCol) & 1;
  startBall();
  let plies = TIE;
  let isSettled = false;
  for (let pass = 0; plies == TIE && !isSettled; pass++) {
    // The odd sphere beyond the last one swept must hold its first bounds; even ones are swept as they enter.
    growBall<T>(2 * pass + 1, startColour);
    let changed = sweepBall<T>(2 * pass, startColour);
    plies = decide<T>(pass, startColour);
    changed = v128.or(changed, sweepWatching<T>(PAIRS, endOfSphere(0), startColour));
    isSettled = rim <= 2 * pass && !v128.any_true(changed);
  }
  clear<T>(endOfSphere(rim));
  return plies;
}

function startBall(): void {
  rim = 0;
  isGrowing = true;
  store<u32>(PAIRS, (red1 << 4) | (red2 << 20));
  store<usize>(SPHERE_ENDS, PAIRS + 4);
}

// @ts-ignore: decorator
@inline
function endOfSphere(distance: i32): usize {
  return load<usize>(SPHERE_ENDS + distance * sizeof<usize>());
}

function growBall<T>(radius: i32, startColour: i32): void {
  while (isGrowing && rim < radius) {
    const from = endOfSphere(rim);
    const to = listSphere(rim + 1, from);
    isGrowing = to != from;
    if (!isGrowing) return;
    store<usize>(SPHERE_ENDS + ++rim * sizeof<usize>(), to);
    if (rim & 1) admit<T>(from, to, startColour ^ 1);
  }
}

/** Sweeps the ball from `radius` inwards, but for the start. With all pairs listed, returns what changed. */
function sweepBall<T>(radius: i32, startColour: i32): v128 {
  let changed = i32x4.splat(0);
  for (let distance = min(rim, radius); distance > 0; distance--) {
    const from = endOfSphere(distance - 1);
    const to = endOfSphere(distance);
    const colour = startColour ^ (distance & 1);
    if (isGrowing) sweep<T>(from, to, colour);
    else changed = v128.or(changed, sweepWatching<T>(from, to, colour));
  }
  return changed;
}

memory.fill(PLANE, 0xff, CELLS * CELLS * 32);
