/**
 * SIMD kernel of river-pawn (过河卒): bit-parallel retrograde analysis, with a set of Black's squares in each lane.
 * It computes only the pairs of red squares near the start, and takes in more of them the longer a game lasts.
 *
 * Reference: retrograde analysis is due to T. Ströhlein, dissertation, TU München 1970; K. Thompson, ICCA Journal
 * 9(3), 1986, uses sets of positions as bits. The rules of the game are in src/problems/river-pawn/README.md.
 *
 * Cost: in each pass, one visit to each pair that was taken in so far. A pass covers four plies of the game.
 *
 * Why not visit only the pairs whose neighbours have changed? Of the visits to pairs, five in six do change
 * something, so a list of changed pairs would save less than it costs.
 *
 * ## One operator, two bounds
 * For a pair p of red squares, let W(p) be the set of squares from which Black wins if Black is to move. Let N(p)
 * be the set of squares from which Black wins if Red is to move. The rules of the game say:
 *
 *     N(p) = the squares that are in W(p') for all pairs p' that are one red move away, and the two squares of p
 *     W(p) = the squares from which one black step leads to row 1 or into N(p), without the two squares of p
 *
 * The kernel applies these two rules again and again, to two different sets. If all sets are empty at first, the
 * k-th N(p) has the squares from which Black wins within 2k plies: a lower bound of the true N(p). If all sets have
 * all squares at first, the squares that are not in the k-th N(p) are those from which Red wins within 2k - 1
 * plies: an upper bound. If the two bounds never meet at the start position, the game is a tie. k is called the
 * level.
 *
 *     Example:   . O     Red moves first. The lower red can step onto the black piece X, which wins. So the square
 *                X O     of X is not in W of the resulting pair, and not in the upper bound of N(start) at level
 *                        k = 1. Red wins within 2k - 1 = 1 ply.
 *
 * ## Sets
 * Colour the cells like a chequerboard. Each move changes the colour under one piece. So for a given pair, Black
 * can be to move only on squares of one colour, and Red can be to move only if Black is on a square of the other
 * colour. Both sets of squares use the same bits. On a 10x10 board the bits are:
 *
 *     row 2    0 0 1 1 2 2 3 3 4 4        A step up is a shift by the bits of a row. A step to one side keeps the
 *     row 3    5 5 6 6 7 7 8 8 9 9        bit. A step to the other side leads to the bit below (from even columns)
 *     ...                                 or to the bit above (from odd columns).
 *     row 10  40 ...            44        Row 1 ends the game and needs no bits.
 *
 * ## Lanes
 * The bounds of a pair take four lanes. Two of them have the lower and the upper bound of one level, and the other
 * two have those of the next level. The lanes are called even and odd, after the levels that they have at the start.
 *
 *     up to 32 bits   | even lower | even upper | odd lower | odd upper |         16 bytes a pair, u32 lanes
 *     up to 64 bits   | even lower | even upper |  and  | odd lower | odd upper |  32 bytes a pair, u64 lanes
 *
 * ## The ball
 * The distance d(p) of a pair is the number of red moves from the start to p, as if Black and the other red were
 * not on the board. The ball is the set of all pairs up to some distance, and a sphere is the set of the pairs at
 * one distance. The k-th bound at the start depends only on the (k - d)-th bounds of pairs at distance d. So pass t
 * computes, for each pair p of the ball, level 2t + 1 - d(p) in the even lanes and level 2t + 2 - d(p) in the odd
 * lanes.
 *
 * A red move changes d(p) by exactly one. A pass goes through the ball from the outermost sphere to the start, and
 * updates the bounds in place. When it comes to p, the neighbours outside already have their bounds of this pass,
 * and the neighbours inside still have those of the pass before. Both are bounds of exactly the level that p needs.
 *
 * Each pass adds two spheres to the ball, and most games are decided while the ball is small. The pass and the lane
 * that decide the start give the number of plies. No stored value grows with the length of the game.
 */

// ---- Interface to the host ------------------------------------------------------------------------------

const MAX_SIDE: i32 = 10;

/** [row * cols + col], u8: content of the cell, written by the host: 0 = free, 1 = obstacle, 2 = Black, 3 = red. */
const BOARD: usize = memory.data(MAX_SIDE * MAX_SIDE, 16);

/** Returns the largest number of rows, and of columns, of a board that the kernel can solve. */
export function maxSide(): i32 {
  return MAX_SIDE;
}

/** Returns the address at which the host writes a board, one byte a cell, row by row. */
export function boardAddress(): usize {
  return BOARD;
}

/** Returns the number of plies until the game on the board ends with best play, or -1 for a tie. */
export function solve(rows: i32, cols: i32): i32 {
  readBoard(rows, cols);
  markBlackSquares();
  const bits = numberSquares();
  if (!canMove(red1, red2) && !canMove(red2, red1)) return 0;
  startFlood(FLOOD1, red1);
  startFlood(FLOOD2, red2);
  return bits <= 32 ? analyse<u32>() : analyse<u64>();
}

/** Stands for the number of plies of a game that nobody can win, or that is not decided yet. */
const TIE: i32 = -1;

// ---- Cells ------------------------------------------------------------------------------------------------
// A cell has the index row * 11 + col, with rows from 1 and columns from 0. Rows 0 and 11 and column 10 are walls,
// so a step from any cell stays inside the arrays.

/** Distance between the indices of a cell and the cell below it. */
const ROW_STRIDE: i32 = MAX_SIDE + 1;
const CELLS: i32 = ROW_STRIDE * (MAX_SIDE + 2);
const ROW_BYTES: i32 = (MAX_SIDE + 2) * 4;
/** Codes of the contents of a cell in BOARD. */
const OBSTACLE: i32 = 1;
const BLACK: i32 = 2;
const RED: i32 = 3;

/** Distance of a cell that no red has reached so far. Cells that a red can reach have distances below 100. */
const NOT_REACHED: i32 = 255;

/** [row] i32: bit col is set if the cell is not an obstacle. */
const FREE_ROWS: usize = memory.data(ROW_BYTES, 16);
/** [row] i32: bit col is set if Black can reach the cell. */
const BLACK_ROWS: usize = memory.data(ROW_BYTES, 16);
/** [cell] u8: 1 if the cell is on the board and not an obstacle, else 0. */
const IS_FREE: usize = memory.data(CELLS, 16);

// A flood has the cells that one red can reach, found distance by distance as the ball grows. These are the offsets
// of its parts.

/** [i] u8: the i-th cell that the red reaches, nearest cells first. */
const FLOOD_CELLS: i32 = 0;
/** [distance] u8: the index i of the first cell at this distance. After the last distance: the number of cells. */
const FLOOD_STARTS: i32 = CELLS;
/** [cell] u8: the distance of the cell from the red's start, or NOT_REACHED. */
const FLOOD_DISTANCE: i32 = CELLS + 256;
/** Bytes of a flood. */
const FLOOD_BYTES: i32 = CELLS * 2 + 256;
const FLOOD1: usize = memory.data(FLOOD_BYTES, 16);
const FLOOD2: usize = memory.data(FLOOD_BYTES, 16);

// ---- Sets of Black's squares ------------------------------------------------------------------------------
// The bit of a square is (row - top) * rowBits + (col - left) / 2. All squares that Black can reach are in the rows
// from `top` on and in the columns from `left` on. `left` is even, and a row of squares takes `rowBits` bits.

/**
 * Bits of a row in all sets that need more than 32 bits. A constant allows shifts by a constant. Nine rows take 45
 * bits.
 */
const WIDE_ROW_BITS: i32 = (MAX_SIDE + 1) / 2;

// Byte offsets of the sets for one colour in MASKS. Each set is a v128 with the same set in every lane.

/** Offset of the set of all squares below row 1 that Black can reach. */
const SQUARES: i32 = 0;
/** Offset of the set of squares in even columns from which a step to the left leads to the bit below. */
const FROM_LEFT: i32 = 16;
/** Offset of the set of squares in odd columns from which a step to the right leads to the bit above. */
const FROM_RIGHT: i32 = 32;
/** Offset of the set of squares from which Black can step into row 1. */
const INTO_ROW_1: i32 = 48;
/** Bytes of the sets for one colour. */
const MASK_BYTES: i32 = 64;
/** [colour * MASK_BYTES + offset]: sets of squares, by chequer colour. */
const MASKS: usize = memory.data(2 * MASK_BYTES, 16);
/**
 * [(colour * CELLS + cell) * 16] v128: the bit of the cell in every lane if it is a square of this colour, else 0.
 */
const SQUARE_BITS: usize = memory.data(2 * CELLS * 16, 16);

// ---- Pairs ------------------------------------------------------------------------------------------------
// The bounds of the pair of cells a and b are stored at [a][b] and at [b][a], so every neighbour of a pair is at a
// fixed offset from it. Entries that are not a pair of the ball, such as walls and [a][a], are all ones. An AND
// over the neighbours therefore ignores them.

/**
 * [first * CELLS + second]: bounds of W of a pair, 16 or 32 bytes. Before and after each board, all bits are ones.
 */
const BOUNDS: usize = memory.data(CELLS * CELLS * 32, 16);

/** Number of unordered pairs of cells, plus one, because a pair is written before it is known to be new. */
const MAX_PAIRS: i32 = (MAX_SIDE * MAX_SIDE * (MAX_SIDE * MAX_SIDE - 1)) / 2 + 1;
/** The pairs of the ball, from the start outwards, one u32 each: a * 16 in the low half, b * 16 in the high half. */
const PAIRS: usize = memory.data(MAX_PAIRS * 4, 16);
/** [distance] u32: address after the last pair in PAIRS up to this distance. A sum of two distances is below 200. */
const SPHERE_ENDS: usize = memory.data(256 * 4, 16);

// ---- State of the current board -------------------------------------------------------------------------
// These variables pass results from one step to the next. An instance of the kernel solves one board at a time, and
// sets all of them again for each board.

/** Start cell of Black. */
let blackRow: i32 = 0;
let blackCol: i32 = 0;
/** Start cells of the two reds. */
let red1: i32 = 0;
let red2: i32 = 0;
/** Number of bits that a row takes in the sets of squares. */
let rowBits: i32 = 0;
/** Distance of the outermost sphere of pairs that is listed in PAIRS. */
let rimDistance: i32 = 0;
/** Whether pairs beyond `rimDistance` may exist. */
let mayGrow: bool = false;

/** Reads BOARD: the free cells and the start cells of the pieces. */
function readBoard(rows: i32, cols: i32): void {
  memory.fill(IS_FREE, 0, CELLS);
  memory.fill(FREE_ROWS, 0, ROW_BYTES);
  red1 = 0;
  let from = BOARD;
  for (let row = 1; row <= rows; row++) {
    let free = 0;
    for (let col = 0; col < cols; col++) {
      const content = <i32>load<u8>(from++);
      if (content == OBSTACLE) continue;
      const cell = row * ROW_STRIDE + col;
      free |= 1 << col;
      store<u8>(IS_FREE + cell, 1);
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

/**
 * Computes the cells that Black can reach. Black never moves down, so each row is filled from the row below it, and
 * then sideways.
 */
function markBlackSquares(): void {
  let reachable = 1 << blackCol;
  for (let row = blackRow; row > 1; row--) {
    const free = load<i32>(FREE_ROWS + row * 4);
    reachable &= free;
    let before = 0;
    while (reachable != before) {
      before = reachable;
      reachable = (reachable | (reachable << 1) | (reachable >> 1)) & free;
    }
    store<i32>(BLACK_ROWS + row * 4, reachable);
  }
}

/**
 * Gives each square of Black below row 1 its bit, and builds the sets of squares. Returns the number of bits used.
 */
function numberSquares(): i32 {
  let columns = 0;
  let top = blackRow + 1;
  while (top > 2 && load<i32>(BLACK_ROWS + (top - 1) * 4) != 0) columns |= load<i32>(BLACK_ROWS + --top * 4);
  const rows = blackRow + 1 - top;
  const left = ctz(columns) & ~1;
  rowBits = ((31 - clz(columns) - left) >> 1) + 1;
  const isNarrow = rows * rowBits <= 32;
  if (!isNarrow) rowBits = WIDE_ROW_BITS;
  memory.fill(MASKS, 0, 2 * MASK_BYTES);
  memory.fill(SQUARE_BITS, 0, 2 * CELLS * 16);
  for (let row = top; row <= blackRow; row++) {
    for (let rest = load<i32>(BLACK_ROWS + row * 4); rest != 0; rest &= rest - 1) {
      addSquare(row, ctz(rest), left, (row - top) * rowBits, isNarrow);
    }
  }
  return rows * rowBits;
}

/** Adds a square to the sets in MASKS that it belongs to, and stores its bit. */
function addSquare(row: i32, col: i32, left: i32, rowBit: i32, isNarrow: bool): void {
  const colour = (row + col) & 1;
  const place = (col - left) >> 1;
  const bit: u64 = 1 << (<u64>(rowBit + place));
  const set = isNarrow ? i32x4.splat(<i32>bit) : i64x2.splat(bit);
  const masks = MASKS + colour * MASK_BYTES;
  addBits(masks + SQUARES, set);
  if ((col & 1) == 0 && place > 0) addBits(masks + FROM_LEFT, set);
  if ((col & 1) == 1 && place < rowBits - 1) addBits(masks + FROM_RIGHT, set);
  if (row == 2 && ((load<i32>(FREE_ROWS + 4) >> col) & 1) == 1) addBits(masks + INTO_ROW_1, set);
  v128.store(SQUARE_BITS + (colour * CELLS + row * ROW_STRIDE + col) * 16, set);
}

/** Adds the bits of `set` to the set at an address. */
// @ts-ignore: decorator
@inline
function addBits(address: usize, set: v128): void {
  v128.store(address, v128.or(v128.load(address), set));
}

// ---- Floods of the reds ------------------------------------------------------------------------------------

/** Starts the flood at `at` with a single cell at distance 0. */
function startFlood(at: usize, start: i32): void {
  memory.fill(at + FLOOD_DISTANCE, <u8>NOT_REACHED, CELLS);
  store<u8>(at + FLOOD_CELLS, <u8>start);
  store<u8>(at + FLOOD_DISTANCE + start, 0);
  store<u8>(at + FLOOD_STARTS, 0);
  store<u8>(at + FLOOD_STARTS, 1, 1);
}

/**
 * Adds the cells at the given distance to the flood at `at`. All cells at smaller distances must be in it already.
 */
function extendFlood(at: usize, distance: i32): void {
  const starts = at + FLOOD_STARTS + distance;
  const end = <i32>load<u8>(starts);
  let count = end;
  for (let i = <i32>load<u8>(starts - 1); i < end; i++) {
    const cell = <i32>load<u8>(at + FLOOD_CELLS + i);
    count = addCellIfNew(at, cell - ROW_STRIDE, distance, count);
    count = addCellIfNew(at, cell - 1, distance, count);
    count = addCellIfNew(at, cell + 1, distance, count);
    count = addCellIfNew(at, cell + ROW_STRIDE, distance, count);
  }
  store<u8>(starts, <u8>count, 1);
}

/** Adds a cell to a flood if it is free and not reached so far. Returns the new number of cells of the flood. */
// @ts-ignore: decorator
@inline
function addCellIfNew(at: usize, cell: i32, distance: i32, count: i32): i32 {
  const isNew = load<u8>(IS_FREE + cell) & <u8>(load<u8>(at + FLOOD_DISTANCE + cell) == NOT_REACHED);
  if (isNew == 0) return count;
  store<u8>(at + FLOOD_DISTANCE + cell, <u8>distance);
  store<u8>(at + FLOOD_CELLS + count, <u8>cell);
  return count + 1;
}

/** Returns whether the red at cell `red` has a move, with the other red at cell `other`. */
function canMove(red: i32, other: i32): bool {
  const upOrDown = canStepTo(red - ROW_STRIDE, other) || canStepTo(red + ROW_STRIDE, other);
  return upOrDown || canStepTo(red - 1, other) || canStepTo(red + 1, other);
}

/** Returns whether a red may step to a cell, with the other red at cell `other`. */
function canStepTo(cell: i32, other: i32): bool {
  return load<u8>(IS_FREE + cell) == 1 && cell != other;
}

// ---- Pairs ------------------------------------------------------------------------------------------------

/** Returns the bytes of the bounds of a pair: four lanes of type T. */
// @ts-ignore: decorator
@inline
function pairBytes<T>(): i32 {
  return 4 * <i32>sizeof<T>();
}

/**
 * Writes all pairs at the given distance to PAIRS from the address `end` on. Returns the address after the last
 * pair.
 */
function listPairsAtDistance(distance: i32, end: usize): usize {
  extendFlood(FLOOD1, distance);
  extendFlood(FLOOD2, distance);
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
 * Writes the pairs of cell `a` with each cell b in the list from address `from` to `to`. Since the reds are alike,
 * (a, b) and (b, a) are the same pair, and it is listed once: in the order that has the smaller distance from the
 * start, or with a < b if both orders have the same distance. So a is never paired with itself.
 */
// @ts-ignore: decorator
@inline
function listPairsOf(a: i32, from: usize, to: usize, distance: i32, end: usize): usize {
  const swappedExcess = <i32>load<u8>(FLOOD2 + FLOOD_DISTANCE + a) - distance;
  for (let at = from; at < to; at++) {
    const b = <i32>load<u8>(at);
    const excess = swappedExcess + <i32>load<u8>(FLOOD1 + FLOOD_DISTANCE + b);
    store<u32>(end, (a << 4) | (b << 20));
    end += (<i32>(excess > 0) | (<i32>(excess == 0) & <i32>(a < b))) << 2;
  }
  return end;
}

/** Returns the address of the bounds of a pair. `first` and `second` are cells times 16, as in PAIRS. */
// @ts-ignore: decorator
@inline
function boundsAddress<T>(first: u32, second: u32): usize {
  return BOUNDS + first * (CELLS * sizeof<T>() / 4) + second * (sizeof<T>() / 4);
}

/**
 * Returns the AND of the bounds of the eight neighbours of the pair at address `at`: four steps of each red.
 * `vector` is 16 for the second vector of a pair with u64 lanes, else 0.
 */
// @ts-ignore: decorator
@inline
function andOfNeighbours<T>(at: usize, vector: usize): v128 {
  const tableRowBytes = CELLS * pairBytes<T>();
  const self = ROW_STRIDE * tableRowBytes;
  const base = at - self + vector;
  const first = v128.and(
    v128.and(v128.load(base, 0), v128.load(base, (ROW_STRIDE - 1) * tableRowBytes)),
    v128.and(v128.load(base, (ROW_STRIDE + 1) * tableRowBytes), v128.load(base, 2 * ROW_STRIDE * tableRowBytes)),
  );
  const second = v128.and(
    v128.and(v128.load(base, self - ROW_STRIDE * pairBytes<T>()), v128.load(base, self - pairBytes<T>())),
    v128.and(v128.load(base, self + pairBytes<T>()), v128.load(base, self + ROW_STRIDE * pairBytes<T>())),
  );
  return v128.and(first, second);
}

/**
 * Returns the squares from which one black step leads into the set `n` or into row 1. The result may have other
 * bits that are not squares of Black.
 */
// @ts-ignore: decorator
@inline
function squaresBefore<T>(n: v128, fromLeft: v128, fromRight: v128, home: v128): v128 {
  const up = sizeof<T>() == 8 ? WIDE_ROW_BITS : rowBits;
  return v128.or(
    v128.or(v128.or(n, home), v128.shl<T>(n, up)),
    v128.or(v128.and(v128.shl<T>(n, 1), fromLeft), v128.and(v128.shr<T>(n, 1), fromRight)),
  );
}

/**
 * Stores the first bounds of new pairs. The even lanes get level 0: the lower bound is the empty set, and the upper
 * bound has all squares. The odd lanes get level 1.
 */
function storeFirstBounds<T>(from: usize, to: usize, redColour: i32): void {
  raiseLevels<T>(from, to, redColour, true, false);
}

/** Raises the pairs from address `from` to `to` by two levels. All of them must have the same distance. */
function sweep<T>(from: usize, to: usize, redColour: i32): void {
  raiseLevels<T>(from, to, redColour, false, false);
}

/** Raises pairs as `sweep` does, and returns the bits that changed in any of them. */
function sweepNotingChanges<T>(from: usize, to: usize, redColour: i32): v128 {
  return raiseLevels<T>(from, to, redColour, false, true);
}

/**
 * Computes new bounds of W for the pairs from address `from` to `to`. All of them have the same distance, so Red's
 * squares and Black's squares have the same chequer colours for all of them. `isFresh` pairs get their first
 * bounds. With `notesChanges`, returns the bits that changed. Both flags are constants at each call, so each
 * caller gets its own code.
 */
// @ts-ignore: decorator
@inline
function raiseLevels<T>(from: usize, to: usize, redColour: i32, isFresh: bool, notesChanges: bool): v128 {
  const redMasks = MASKS + redColour * MASK_BYTES;
  const blackMasks = MASKS + (redColour ^ 1) * MASK_BYTES;
  const redBits = SQUARE_BITS + redColour * CELLS * 16;
  const blackBits = SQUARE_BITS + (redColour ^ 1) * CELLS * 16;
  const squares = v128.load(blackMasks, SQUARES);
  const fromLeft = v128.load(blackMasks, FROM_LEFT);
  const fromRight = v128.load(blackMasks, FROM_RIGHT);
  const home = v128.load(blackMasks, INTO_ROW_1);
  const upper = sizeof<T>() == 4 ? i32x4(0, -1, 0, -1) : i64x2(0, -1);
  const level0 = v128.and(squares, upper);
  const level0Beside = v128.and(v128.load(redMasks, SQUARES), upper);
  const oddLanes = i32x4(0, 0, -1, -1);
  let changed = i32x4.splat(0);
  for (let at = from; at < to; at += 4) {
    const entry = load<u32>(at);
    const a = entry & 0xffff;
    const b = entry >>> 16;
    const pair = boundsAddress<T>(a, b);
    const mirroredPair = boundsAddress<T>(b, a);
    const redSquares = v128.or(v128.load(redBits + a), v128.load(redBits + b));
    const openSquares = v128.andnot(squares, v128.or(v128.load(blackBits + a), v128.load(blackBits + b)));

    // `n` needs no AND with `squares`. A red can always step back, so at least one neighbour is a pair of the ball,
    // and its bounds contain only squares.
    const n = v128.or(isFresh ? level0Beside : andOfNeighbours<T>(pair, 0), redSquares);
    let w = v128.and(squaresBefore<T>(n, fromLeft, fromRight, home), openSquares);
    if (isFresh) w = sizeof<T>() == 4 ? v128.bitselect(w, level0, oddLanes) : level0;
    if (notesChanges) changed = v128.or(changed, v128.xor(w, v128.load(pair)));
    v128.store(pair, w);
    v128.store(mirroredPair, w);

    if (sizeof<T>() == 8) {
      const n = v128.or(isFresh ? level0Beside : andOfNeighbours<T>(pair, 16), redSquares);
      const w = v128.and(squaresBefore<T>(n, fromLeft, fromRight, home), openSquares);
      if (notesChanges) changed = v128.or(changed, v128.xor(w, v128.load(pair, 16)));
      v128.store(pair, w, 16);
      v128.store(mirroredPair, w, 16);
    }
  }
  return changed;
}

/** Sets the bounds of all pairs before address `to` to all ones again, as the next board needs them. */
function resetBounds<T>(to: usize): void {
  const ones = i32x4.splat(-1);
  for (let at = PAIRS; at < to; at += 4) {
    const entry = load<u32>(at);
    const pair = boundsAddress<T>(entry & 0xffff, entry >>> 16);
    const mirroredPair = boundsAddress<T>(entry >>> 16, entry & 0xffff);
    v128.store(pair, ones);
    v128.store(mirroredPair, ones);
    if (sizeof<T>() == 8) {
      v128.store(pair, ones, 16);
      v128.store(mirroredPair, ones, 16);
    }
  }
}

/**
 * Returns the number of plies of the game if the bounds of this pass decide the start position, else TIE. The
 * bounds are tested in the order of the plies that they stand for, because the game ends at the first that decides.
 */
function decideStart<T>(pass: i32, redColour: i32): i32 {
  const entry = load<u32>(PAIRS);
  const pair = boundsAddress<T>(entry & 0xffff, entry >>> 16);
  const black = v128.load(SQUARE_BITS + (redColour * CELLS + blackRow * ROW_STRIDE + blackCol) * 16);
  const even = v128.and(andOfNeighbours<T>(pair, 0), black);
  const evenLower = v128.any_true(v128.and(even, laneMask<T>(0)));
  const evenUpper = v128.any_true(v128.and(even, laneMask<T>(1)));
  const odd = sizeof<T>() == 4 ? even : v128.and(andOfNeighbours<T>(pair, 16), black);
  const oddLower = v128.any_true(v128.and(odd, laneMask<T>(2)));
  const oddUpper = v128.any_true(v128.and(odd, laneMask<T>(3)));
  if (!evenUpper) return 4 * pass - 1;
  if (evenLower) return 4 * pass;
  if (!oddUpper) return 4 * pass + 1;
  if (oddLower) return 4 * pass + 2;
  return TIE;
}

/** Returns ones in the lane of one bound: 0 = even lower, 1 = even upper, 2 = odd lower, 3 = odd upper. */
// @ts-ignore: decorator
@inline
function laneMask<T>(bound: i32): v128 {
  if (sizeof<T>() == 8) return bound & 1 ? i64x2(0, -1) : i64x2(-1, 0);
  return i32x4(bound == 0 ? -1 : 0, bound == 1 ? -1 : 0, bound == 2 ? -1 : 0, bound == 3 ? -1 : 0);
}

/** Runs pass after pass until the start is decided or no bound changes. Returns the number of plies, or TIE. */
function analyse<T>(): i32 {
  const startColour = (blackRow + blackCol) & 1;
  startBall();
  let plies = TIE;
  let isSettled = false;
  for (let pass = 0; plies == TIE && !isSettled; pass++) {
    // The pass sweeps the spheres up to distance 2 * pass. It reads the sphere outside them, whose distance is odd,
    // so this sphere must have its first bounds. New spheres at even distances are swept at once and need none.
    growBall<T>(2 * pass + 1, startColour);
    let changed = sweepBall<T>(2 * pass, startColour);
    plies = decideStart<T>(pass, startColour);
    changed = v128.or(changed, sweepNotingChanges<T>(PAIRS, endOfSphere(0), startColour));
    isSettled = rimDistance <= 2 * pass && !v128.any_true(changed);
  }
  resetBounds<T>(endOfSphere(rimDistance));
  return plies;
}

/** Starts the ball with the start pair alone. */
function startBall(): void {
  rimDistance = 0;
  mayGrow = true;
  store<u32>(PAIRS, (red1 << 4) | (red2 << 20));
  store<usize>(SPHERE_ENDS, PAIRS + 4);
}

/** Returns the address after the last pair in PAIRS up to the given distance. */
// @ts-ignore: decorator
@inline
function endOfSphere(distance: i32): usize {
  return load<usize>(SPHERE_ENDS + distance * sizeof<usize>());
}

/** Adds spheres to the ball up to the given radius, or until no more pairs exist. */
function growBall<T>(radius: i32, startColour: i32): void {
  while (mayGrow && rimDistance < radius) {
    const from = endOfSphere(rimDistance);
    const to = listPairsAtDistance(rimDistance + 1, from);
    mayGrow = to != from;
    if (!mayGrow) return;
    store<usize>(SPHERE_ENDS + ++rimDistance * sizeof<usize>(), to);
    if (rimDistance & 1) storeFirstBounds<T>(from, to, startColour ^ 1);
  }
}

/**
 * Raises the levels of all pairs of the ball from distance `radius` inwards, except the start. If all pairs are
 * listed, returns the bits that changed. Else returns 0, because the bounds cannot be final while new pairs still
 * enter.
 */
function sweepBall<T>(radius: i32, startColour: i32): v128 {
  let changed = i32x4.splat(0);
  for (let distance = min(rimDistance, radius); distance > 0; distance--) {
    const from = endOfSphere(distance - 1);
    const to = endOfSphere(distance);
    const colour = startColour ^ (distance & 1);
    if (mayGrow) sweep<T>(from, to, colour);
    else changed = v128.or(changed, sweepNotingChanges<T>(from, to, colour));
  }
  return changed;
}

// Before the first board, all bounds are ones.
memory.fill(BOUNDS, 0xff, CELLS * CELLS * 32);
