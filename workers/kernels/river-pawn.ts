/**
 * SIMD kernel of river-pawn (过河卒): bit-parallel retrograde analysis, with a set of Black's squares in each lane.
 * The kernel computes only pairs of red squares near the start. The longer a game lasts, the more pairs it adds.
 *
 * Reference: retrograde analysis is due to T. Ströhlein, dissertation, TU München 1970; K. Thompson, ICCA Journal
 * 9(3), 1986, uses sets of positions as bits. The rules of the game are in src/games/river-pawn/README.md.
 *
 * Cost: in each pass, the kernel visits each pair that it has added so far. A pass covers four plies of the game.
 *
 * Why does the kernel not visit only the pairs whose neighbours have changed? Five in six visits change the bounds of
 * the visited pair, so a list of changed pairs would save less time than it costs.
 *
 * ## One operator, two bounds
 * For a pair p of red squares, let W(p) be the set of squares from which Black wins if Black is to move. Let N(p)
 * be the set of squares from which Black wins if Red is to move. The rules of the game give two equations:
 *
 *     N(p) = the squares that are in W(p') for all pairs p' that are one red move away, and the two squares of p
 *     W(p) = the squares from which one black step leads to row 1 or into N(p), without the two squares of p
 *
 * The kernel applies the two equations again and again, and does so for two different initial values of the sets
 * W(p) and N(p). The number of times k that the equations were applied is called the level. If all sets are empty at
 * first, the k-th N(p) contains the squares from which Black wins within 2k plies: this is a lower bound of the true
 * N(p). If all sets contain all squares at first, the k-th N(p) lacks exactly the squares from which Red wins within
 * 2k - 1 plies: this is an upper bound of the true N(p). If the lower and the upper bound never agree at the start
 * position, the game is a tie.
 *
 *     Example:   . O     Red moves first. The lower red can step onto the black piece X, which wins. So the square
 *                X O     of X is not in W of the resulting pair, and not in the upper bound of N(start) at level
 *                        k = 1. Red wins within 2k - 1 = 1 ply.
 *
 * ## Sets
 * Colour the cells like a chequerboard. Each move changes the colour under one piece. So for a given pair, Black
 * can be to move only on squares of one colour, and Red can be to move only if Black is on a square of the other
 * colour. So the squares of both colours can use the same bits of a word. On a 10x10 board the bits are:
 *
 *     row 2    0 0 1 1 2 2 3 3 4 4        A step up is a shift by the bits of a row. A step to one side keeps the
 *     row 3    5 5 6 6 7 7 8 8 9 9        bit. A step to the other side leads to the bit below (from even columns)
 *     ...                                 or to the bit above (from odd columns).
 *     row 10  40 ...            44        Row 1 ends the game and needs no bits.
 *
 * ## Lanes
 * The bounds of a pair take four lanes. Two lanes contain the lower and the upper bound of one level, and the other
 * two lanes contain the bounds of the next level. The lanes are called even and odd after their levels at the start.
 *
 *     up to 32 bits   | even lower | even upper | odd lower | odd upper |        16 bytes per pair, u32 lanes
 *     up to 64 bits   | even lower | even upper |  and  | odd lower | odd upper | 32 bytes per pair, u64 lanes
 *
 * ## The ball
 * The distance d(p) of a pair p is the number of red moves from the start pair to p. It is counted as if Black were
 * not on the board and the reds did not block each other. The ball is the set of all pairs up to some distance, and a
 * sphere is the set of all pairs at one distance. The k-th bound at the start depends only on the (k - d)-th bounds of
 * pairs at distance d. So pass t computes, for each pair p of the ball, level 2t + 1 - d(p) in the even lanes and level
 * 2t + 2 - d(p) in the odd lanes.
 *
 * A red move changes d(p) by exactly one. A pass goes through the ball from the outermost sphere to the start, and
 * updates the bounds in place. When the pass visits a pair p, the neighbours of p at distance d(p) + 1 already have
 * their bounds of this pass, and the neighbours at distance d(p) - 1 still have their bounds of the previous pass. All
 * these bounds have exactly the level that the new bounds of p depend on.
 *
 * Each pass adds two spheres to the ball, and most games are decided while the ball is small. The number of plies of
 * the game follows from the pass and the lane that decide the start. No stored value grows with the length of the game.
 */

import {
  blackCellOf,
  freeCellsOf,
  MAX_SIDE,
  ROW_STRIDE,
  red1CellOf,
  red2CellOf,
  rowsOf,
  setPlies,
} from './river-pawn/boards';

// ---- Interface to the worker process ------------------------------------------------------------------------------

export { addBoard, linesAddress, maxBoards, maxSide, pliesAddress, skipBoard, takeCases } from './river-pawn/boards';
export { lineEndsTaken, maxTextBytes, startsAddress, textAddress } from './shared/case-text';

/** Solves the first `count` boards of the batch that the kernel has, and writes their numbers of plies. */
export function solveBoards(count: i32): void {
  for (let board = 0; board < count; board++) {
    if (rowsOf(board) > 0) setPlies(board, solve(board));
  }
}

/** Returns the number of plies until the game on the board ends with best play, or -1 for a tie. */
function solve(board: i32): i32 {
  readBoard(board);
  findBlackCells();
  const bits = assignBitsToSquares();
  if (!canMove(red1, red2) && !canMove(red2, red1)) return 0;
  startFlood(FLOOD_OF_RED1, red1);
  startFlood(FLOOD_OF_RED2, red2);
  return bits <= 32 ? analyse<u32>() : analyse<u64>();
}

/** Value of the number of plies if the game is a tie, or if the kernel has not decided the game yet. */
const TIE: i32 = -1;

// ---- Cells ------------------------------------------------------------------------------------------------
// How cells are numbered is described in river-pawn/boards.ts.

const CELL_COUNT: i32 = ROW_STRIDE * (MAX_SIDE + 2);
const ROW_ARRAY_BYTES: i32 = (MAX_SIDE + 2) * 4;

/** Distance of a cell that a flood has not reached so far. The distances of reached cells are below 100. */
const NOT_REACHED: i32 = 255;

/** [row] i32: bit col is set if the cell is not an obstacle. */
const FREE_CELLS_OF_ROW: usize = memory.data(ROW_ARRAY_BYTES, 16);
/** [row] i32: bit col is set if Black can reach the cell. */
const BLACK_CELLS_OF_ROW: usize = memory.data(ROW_ARRAY_BYTES, 16);
/** [cell] u8: 1 if the cell is on the board and not an obstacle, else 0. */
const IS_FREE: usize = memory.data(CELL_COUNT, 16);

// The flood of a red piece is the list of cells that the piece can reach, in the order of their distance from its start
// cell. The kernel extends the two floods as the ball grows. The next constants are offsets of the parts of a flood.

/** [i] u8: the i-th cell of the flood, nearest cells first. */
const FLOOD_CELLS_OFFSET: i32 = 0;
/**
 * [distance] u8: the index in the flood of the first cell at this distance. The element after the last distance is the
 * number of cells of the flood.
 */
const FLOOD_START_INDICES_OFFSET: i32 = CELL_COUNT;
/** [cell] u8: the distance of the cell from the start cell of the red piece, or NOT_REACHED. */
const FLOOD_DISTANCES_OFFSET: i32 = CELL_COUNT + 256;
/** Number of bytes of a flood. */
const FLOOD_BYTES: i32 = CELL_COUNT * 2 + 256;
const FLOOD_OF_RED1: usize = memory.data(FLOOD_BYTES, 16);
const FLOOD_OF_RED2: usize = memory.data(FLOOD_BYTES, 16);

// ---- Sets of Black's squares ------------------------------------------------------------------------------
// The index of a square's bit is (row - topRow) * bitsPerRow + (col - leftCol) / 2. All squares that Black can reach
// are in row `topRow` and lower rows, and in column `leftCol` and columns to the right. `leftCol` is even. A row of
// squares takes `bitsPerRow` bits.

/**
 * Number of bits that a row takes in each set of squares of more than 32 bits. Because the number is a constant, the
 * kernel can shift by a constant. Nine rows take 45 bits.
 */
const BITS_PER_ROW_OF_U64_SETS: i32 = (MAX_SIDE + 1) / 2;

// Byte offsets in SQUARE_SETS of the sets of squares of one chequer colour. Each set of squares is stored as a v128
// that has the set in every lane.

/** Offset of the set of all squares below row 1 that Black can reach. */
const SQUARES_OFFSET: i32 = 0;
/** Offset of the set of squares in even columns from which a step to the left leads to the next lower bit. */
const LEFT_STEP_TO_LOWER_BIT_OFFSET: i32 = 16;
/** Offset of the set of squares in odd columns from which a step to the right leads to the next higher bit. */
const RIGHT_STEP_TO_HIGHER_BIT_OFFSET: i32 = 32;
/** Offset of the set of squares from which Black can step into row 1. */
const STEP_INTO_ROW_1_OFFSET: i32 = 48;
/** Number of bytes of the sets of squares of one chequer colour. */
const SQUARE_SET_BYTES: i32 = 64;
/** [colour * SQUARE_SET_BYTES + offset]: the four sets of Black's squares of each chequer colour. */
const SQUARE_SETS: usize = memory.data(2 * SQUARE_SET_BYTES, 16);
/**
 * [(colour * CELL_COUNT + cell) * 16] v128: the bit of the cell in every lane if the cell is a square of this chequer
 * colour, else 0.
 */
const SQUARE_BITS: usize = memory.data(2 * CELL_COUNT * 16, 16);

// ---- Pairs ------------------------------------------------------------------------------------------------
// The bounds of the pair of cells a and b are stored at [a][b] and at [b][a], so every neighbour of a pair is at a
// fixed offset from the pair. If a and b are not a pair of the ball, for example if a is a wall or a = b, all bits of
// [a][b] are ones. Therefore these elements do not change an AND over the neighbours of a pair.

/**
 * [a * CELL_COUNT + b]: lower and upper bounds of the set W of the pair of cells a and b, 16 or 32 bytes. Before and
 * after each board, all bits are ones.
 */
const BOUNDS: usize = memory.data(CELL_COUNT * CELL_COUNT * 32, 16);

/**
 * Number of unordered pairs of cells, plus one, because the kernel writes a pair before it knows that the pair is new.
 */
const MAX_PAIRS: i32 = (MAX_SIDE * MAX_SIDE * (MAX_SIDE * MAX_SIDE - 1)) / 2 + 1;
/** The pairs of the ball, from the start outwards, one u32 each: a * 16 in the low half, b * 16 in the high half. */
const PAIRS: usize = memory.data(MAX_PAIRS * 4, 16);
/**
 * [distance] u32: address after the last pair in PAIRS up to this distance. The distance of a pair is the sum of two
 * distances of cells, so it is below 200.
 */
const PAIR_ENDS_BY_DISTANCE: usize = memory.data(256 * 4, 16);

// ---- State of the current board -------------------------------------------------------------------------
// These variables pass results from one step of the solution to the next. An instance of the kernel solves one board at
// a time, and sets all these variables again for each board.

/** Row and column of the start cell of Black. */
let blackRow: i32 = 0;
let blackCol: i32 = 0;
/** Start cells of the two red pieces. */
let red1: i32 = 0;
let red2: i32 = 0;
/** Number of bits that a row of the board takes in the sets of squares. */
let bitsPerRow: i32 = 0;
/** Largest distance from the start of a pair that PAIRS contains. */
let largestPairDistance: i32 = 0;
/** Whether pairs at a larger distance than `largestPairDistance` may exist. */
let mayMorePairsExist: bool = false;

/** Reads the free cells and the start cells of the pieces of a board of the batch. */
function readBoard(board: i32): void {
  memory.fill(IS_FREE, 0, CELL_COUNT);
  memory.fill(FREE_CELLS_OF_ROW, 0, ROW_ARRAY_BYTES);
  const rows = rowsOf(board);
  for (let row = 1; row <= rows; row++) {
    const free = freeCellsOf(board, row);
    store<i32>(FREE_CELLS_OF_ROW + row * 4, free);
    for (let rest = free; rest != 0; rest &= rest - 1) store<u8>(IS_FREE + row * ROW_STRIDE + ctz(rest), 1);
  }
  blackRow = blackCellOf(board) / ROW_STRIDE;
  blackCol = blackCellOf(board) % ROW_STRIDE;
  red1 = red1CellOf(board);
  red2 = red2CellOf(board);
}

// ---- Black's squares --------------------------------------------------------------------------------------

/**
 * Computes the cells that Black can reach. Black never moves down. So the loop first takes the cells above the
 * reachable cells of the row below, and then adds the free cells next to reachable cells of the same row.
 */
function findBlackCells(): void {
  let reachable = 1 << blackCol;
  for (let row = blackRow; row > 1; row--) {
    const free = load<i32>(FREE_CELLS_OF_ROW + row * 4);
    reachable &= free;
    let reachableBefore = 0;
    while (reachable != reachableBefore) {
      reachableBefore = reachable;
      reachable = (reachable | (reachable << 1) | (reachable >> 1)) & free;
    }
    store<i32>(BLACK_CELLS_OF_ROW + row * 4, reachable);
  }
}

/**
 * Assigns a bit to each square of Black below row 1, and fills the sets of squares. Returns the number of bits that the
 * squares of one colour take.
 */
function assignBitsToSquares(): i32 {
  let columnsOfBlack = 0;
  let topRow = blackRow + 1;
  while (topRow > 2 && load<i32>(BLACK_CELLS_OF_ROW + (topRow - 1) * 4) != 0) {
    columnsOfBlack |= load<i32>(BLACK_CELLS_OF_ROW + --topRow * 4);
  }
  const rowCount = blackRow + 1 - topRow;
  const leftCol = ctz(columnsOfBlack) & ~1;
  bitsPerRow = ((31 - clz(columnsOfBlack) - leftCol) >> 1) + 1;
  const isNarrow = rowCount * bitsPerRow <= 32;
  if (!isNarrow) bitsPerRow = BITS_PER_ROW_OF_U64_SETS;
  memory.fill(SQUARE_SETS, 0, 2 * SQUARE_SET_BYTES);
  memory.fill(SQUARE_BITS, 0, 2 * CELL_COUNT * 16);
  for (let row = topRow; row <= blackRow; row++) {
    let remainingCols = load<i32>(BLACK_CELLS_OF_ROW + row * 4);
    for (; remainingCols != 0; remainingCols &= remainingCols - 1) {
      addSquareToSets(row, ctz(remainingCols), leftCol, (row - topRow) * bitsPerRow, isNarrow);
    }
  }
  return rowCount * bitsPerRow;
}

/** Adds a square of Black to the sets in SQUARE_SETS that contain it, and stores its bit in SQUARE_BITS. */
function addSquareToSets(row: i32, col: i32, leftCol: i32, firstBitOfRow: i32, isNarrow: bool): void {
  const colour = (row + col) & 1;
  const bitInRow = (col - leftCol) >> 1;
  const bit: u64 = 1 << (<u64>(firstBitOfRow + bitInRow));
  const square = isNarrow ? i32x4.splat(<i32>bit) : i64x2.splat(bit);
  const sets = SQUARE_SETS + colour * SQUARE_SET_BYTES;
  addBits(sets + SQUARES_OFFSET, square);
  if ((col & 1) == 0 && bitInRow > 0) addBits(sets + LEFT_STEP_TO_LOWER_BIT_OFFSET, square);
  if ((col & 1) == 1 && bitInRow < bitsPerRow - 1) addBits(sets + RIGHT_STEP_TO_HIGHER_BIT_OFFSET, square);
  if (row == 2 && ((load<i32>(FREE_CELLS_OF_ROW + 4) >> col) & 1) == 1) addBits(sets + STEP_INTO_ROW_1_OFFSET, square);
  v128.store(SQUARE_BITS + (colour * CELL_COUNT + row * ROW_STRIDE + col) * 16, square);
}

/** Adds the bits of `newBits` to the set of squares at an address. */
// @ts-ignore: decorator
@inline
function addBits(address: usize, newBits: v128): void {
  v128.store(address, v128.or(v128.load(address), newBits));
}

// ---- Floods of the reds ------------------------------------------------------------------------------------

/** Starts the flood at address `flood`: its only cell is the start cell of a red piece, at distance 0. */
function startFlood(flood: usize, start: i32): void {
  memory.fill(flood + FLOOD_DISTANCES_OFFSET, <u8>NOT_REACHED, CELL_COUNT);
  store<u8>(flood + FLOOD_CELLS_OFFSET, <u8>start);
  store<u8>(flood + FLOOD_DISTANCES_OFFSET + start, 0);
  store<u8>(flood + FLOOD_START_INDICES_OFFSET, 0);
  store<u8>(flood + FLOOD_START_INDICES_OFFSET, 1, 1);
}

/**
 * Adds the cells at the given distance to the flood at address `flood`. The flood must already contain all cells at
 * smaller distances.
 */
function extendFlood(flood: usize, distance: i32): void {
  const startIndexAddress = flood + FLOOD_START_INDICES_OFFSET + distance;
  const endOfPreviousDistance = <i32>load<u8>(startIndexAddress);
  let count = endOfPreviousDistance;
  for (let i = <i32>load<u8>(startIndexAddress - 1); i < endOfPreviousDistance; i++) {
    const cell = <i32>load<u8>(flood + FLOOD_CELLS_OFFSET + i);
    count = addCellIfNew(flood, cell - ROW_STRIDE, distance, count);
    count = addCellIfNew(flood, cell - 1, distance, count);
    count = addCellIfNew(flood, cell + 1, distance, count);
    count = addCellIfNew(flood, cell + ROW_STRIDE, distance, count);
  }
  store<u8>(startIndexAddress, <u8>count, 1);
}

/** Adds a cell to a flood if the cell is free and not in the flood. Returns the new number of cells of the flood. */
// @ts-ignore: decorator
@inline
function addCellIfNew(flood: usize, cell: i32, distance: i32, count: i32): i32 {
  const isNew = load<u8>(IS_FREE + cell) & <u8>(load<u8>(flood + FLOOD_DISTANCES_OFFSET + cell) == NOT_REACHED);
  if (isNew == 0) return count;
  store<u8>(flood + FLOOD_DISTANCES_OFFSET + cell, <u8>distance);
  store<u8>(flood + FLOOD_CELLS_OFFSET + count, <u8>cell);
  return count + 1;
}

/** Returns whether the red piece at cell `red` has a move while the other red piece is at cell `otherRed`. */
function canMove(red: i32, otherRed: i32): bool {
  const upOrDown = canStepTo(red - ROW_STRIDE, otherRed) || canStepTo(red + ROW_STRIDE, otherRed);
  return upOrDown || canStepTo(red - 1, otherRed) || canStepTo(red + 1, otherRed);
}

/** Returns whether a red piece may step to a cell while the other red piece is at cell `otherRed`. */
function canStepTo(cell: i32, otherRed: i32): bool {
  return load<u8>(IS_FREE + cell) == 1 && cell != otherRed;
}

// ---- Pairs ------------------------------------------------------------------------------------------------

/** Returns the number of bytes that the bounds of a pair take: four lanes of type T. */
// @ts-ignore: decorator
@inline
function pairBytes<T>(): i32 {
  return 4 * <i32>sizeof<T>();
}

/**
 * Writes all pairs of cells at the given distance to the array PAIRS, beginning at the address `end`. Returns the
 * address after the last pair.
 */
function listPairsAtDistance(distance: i32, end: usize): usize {
  extendFlood(FLOOD_OF_RED1, distance);
  extendFlood(FLOOD_OF_RED2, distance);
  for (let distance1 = 0; distance1 <= distance; distance1++) {
    const startIndexAddress1 = FLOOD_OF_RED1 + FLOOD_START_INDICES_OFFSET + distance1;
    const startIndexAddress2 = FLOOD_OF_RED2 + FLOOD_START_INDICES_OFFSET + (distance - distance1);
    const firstCellAddress2 = FLOOD_OF_RED2 + FLOOD_CELLS_OFFSET + <i32>load<u8>(startIndexAddress2);
    const endCellAddress2 = FLOOD_OF_RED2 + FLOOD_CELLS_OFFSET + <i32>load<u8>(startIndexAddress2, 1);
    const endCellAddress1 = FLOOD_OF_RED1 + FLOOD_CELLS_OFFSET + <i32>load<u8>(startIndexAddress1, 1);
    let cellAddress1 = FLOOD_OF_RED1 + FLOOD_CELLS_OFFSET + <i32>load<u8>(startIndexAddress1);
    for (; cellAddress1 < endCellAddress1; cellAddress1++) {
      end = listPairsWithCell(<i32>load<u8>(cellAddress1), firstCellAddress2, endCellAddress2, distance, end);
    }
  }
  return end;
}

/**
 * Writes the pairs of cell `a` with each cell b of a flood from address `from` to `to` to PAIRS. The two red pieces are
 * alike, so (a, b) and (b, a) are the same pair. The function writes the pair only in the order that has the smaller
 * distance from the start, or with a < b if both orders have the same distance. So a is never paired with itself.
 * Returns the address after the last pair.
 */
// @ts-ignore: decorator
@inline
function listPairsWithCell(a: i32, from: usize, to: usize, distance: i32, end: usize): usize {
  const swappedExcess = <i32>load<u8>(FLOOD_OF_RED2 + FLOOD_DISTANCES_OFFSET + a) - distance;
  for (let cellAddress = from; cellAddress < to; cellAddress++) {
    const b = <i32>load<u8>(cellAddress);
    const excess = swappedExcess + <i32>load<u8>(FLOOD_OF_RED1 + FLOOD_DISTANCES_OFFSET + b);
    store<u32>(end, (a << 4) | (b << 20));
    end += (<i32>(excess > 0) | (<i32>(excess == 0) & <i32>(a < b))) << 2;
  }
  return end;
}

/** Returns the address of the bounds of the pair of cells a and b. The arguments are a * 16 and b * 16, as in PAIRS. */
// @ts-ignore: decorator
@inline
function boundsAddress<T>(aTimes16: u32, bTimes16: u32): usize {
  return BOUNDS + aTimes16 * (CELL_COUNT * sizeof<T>() / 4) + bTimes16 * (sizeof<T>() / 4);
}

/**
 * Returns the AND of the bounds of the eight neighbours of a pair: each of the two red pieces has four steps.
 * `pairAddress` is the address of the pair's bounds. `vectorOffset` is 16 for the second vector of a pair with u64
 * lanes, else 0.
 */
// @ts-ignore: decorator
@inline
function andOfNeighbours<T>(pairAddress: usize, vectorOffset: usize): v128 {
  const bytesPerCellA = CELL_COUNT * pairBytes<T>();
  const pairOffset = ROW_STRIDE * bytesPerCellA;
  const lowestNeighbour = pairAddress - pairOffset + vectorOffset;
  const neighboursOfRedA = v128.and(
    v128.and(v128.load(lowestNeighbour, 0), v128.load(lowestNeighbour, (ROW_STRIDE - 1) * bytesPerCellA)),
    v128.and(
      v128.load(lowestNeighbour, (ROW_STRIDE + 1) * bytesPerCellA),
      v128.load(lowestNeighbour, 2 * ROW_STRIDE * bytesPerCellA),
    ),
  );
  const neighboursOfRedB = v128.and(
    v128.and(
      v128.load(lowestNeighbour, pairOffset - ROW_STRIDE * pairBytes<T>()),
      v128.load(lowestNeighbour, pairOffset - pairBytes<T>()),
    ),
    v128.and(
      v128.load(lowestNeighbour, pairOffset + pairBytes<T>()),
      v128.load(lowestNeighbour, pairOffset + ROW_STRIDE * pairBytes<T>()),
    ),
  );
  return v128.and(neighboursOfRedA, neighboursOfRedB);
}

/**
 * Returns the squares from which one step of Black leads to a square of `targets` or into row 1. The caller clears
 * the bits of the result that belong to no open square.
 */
// @ts-ignore: decorator
@inline
function squaresBefore<T>(targets: v128, leftStepToLowerBit: v128, rightStepToHigherBit: v128, intoRow1: v128): v128 {
  const upShift = sizeof<T>() == 8 ? BITS_PER_ROW_OF_U64_SETS : bitsPerRow;
  return v128.or(
    v128.or(v128.or(targets, intoRow1), v128.shl<T>(targets, upShift)),
    v128.or(
      v128.and(v128.shl<T>(targets, 1), leftStepToLowerBit),
      v128.and(v128.shr<T>(targets, 1), rightStepToHigherBit),
    ),
  );
}

/**
 * Stores the first bounds of new pairs. The even lanes get the bounds of level 0: the lower bound is the empty set, and
 * the upper bound contains all squares. The odd lanes get the bounds of level 1.
 */
function storeFirstBounds<T>(from: usize, to: usize, redColour: i32): void {
  raiseLevels<T>(from, to, redColour, true, false);
}

/** Raises the bounds of the pairs from address `from` to `to` by two levels. All pairs must have the same distance. */
function sweepPairs<T>(from: usize, to: usize, redColour: i32): void {
  raiseLevels<T>(from, to, redColour, false, false);
}

/** Raises the bounds of pairs as `sweepPairs` does. Returns the bits that changed in the bounds of any pair. */
function sweepPairsNotingChanges<T>(from: usize, to: usize, redColour: i32): v128 {
  return raiseLevels<T>(from, to, redColour, false, true);
}

/**
 * Computes new bounds of W for the pairs from address `from` to `to`. All these pairs must have the same distance, so
 * that the chequer colour of Black's squares is the same for all of them. `redColour` is the colour of Black's squares
 * if Red is to move. If `isNewPair`, the pairs get their first bounds. If `notesChanges`, the function returns the bits
 * that changed. Both flags are constants at each call, so each caller gets its own code.
 */
// @ts-ignore: decorator
@inline
function raiseLevels<T>(from: usize, to: usize, redColour: i32, isNewPair: bool, notesChanges: bool): v128 {
  const redSets = SQUARE_SETS + redColour * SQUARE_SET_BYTES;
  const blackSets = SQUARE_SETS + (redColour ^ 1) * SQUARE_SET_BYTES;
  const redBits = SQUARE_BITS + redColour * CELL_COUNT * 16;
  const blackBits = SQUARE_BITS + (redColour ^ 1) * CELL_COUNT * 16;
  const squares = v128.load(blackSets, SQUARES_OFFSET);
  const leftStepToLowerBit = v128.load(blackSets, LEFT_STEP_TO_LOWER_BIT_OFFSET);
  const rightStepToHigherBit = v128.load(blackSets, RIGHT_STEP_TO_HIGHER_BIT_OFFSET);
  const intoRow1 = v128.load(blackSets, STEP_INTO_ROW_1_OFFSET);
  const upperLanes = sizeof<T>() == 4 ? i32x4(0, -1, 0, -1) : i64x2(0, -1);
  const level0 = v128.and(squares, upperLanes);
  const level0OfNeighbours = v128.and(v128.load(redSets, SQUARES_OFFSET), upperLanes);
  const oddLanes = i32x4(0, 0, -1, -1);
  let changedBits = i32x4.splat(0);
  for (let pairEntryAddress = from; pairEntryAddress < to; pairEntryAddress += 4) {
    const pairEntry = load<u32>(pairEntryAddress);
    const aTimes16 = pairEntry & 0xffff;
    const bTimes16 = pairEntry >>> 16;
    const pairAddress = boundsAddress<T>(aTimes16, bTimes16);
    const mirroredPairAddress = boundsAddress<T>(bTimes16, aTimes16);
    const bitsOfReds = v128.or(v128.load(redBits + aTimes16), v128.load(redBits + bTimes16));
    const openSquares = v128.andnot(squares, v128.or(v128.load(blackBits + aTimes16), v128.load(blackBits + bTimes16)));

    // The set N needs no AND with `squares`. A red piece can always step back, so at least one neighbour of the pair is
    // in the ball, and the bounds of a pair of the ball contain only squares.
    const newN = v128.or(isNewPair ? level0OfNeighbours : andOfNeighbours<T>(pairAddress, 0), bitsOfReds);
    let newW = v128.and(squaresBefore<T>(newN, leftStepToLowerBit, rightStepToHigherBit, intoRow1), openSquares);
    if (isNewPair) newW = sizeof<T>() == 4 ? v128.bitselect(newW, level0, oddLanes) : level0;
    if (notesChanges) changedBits = v128.or(changedBits, v128.xor(newW, v128.load(pairAddress)));
    v128.store(pairAddress, newW);
    v128.store(mirroredPairAddress, newW);

    if (sizeof<T>() == 8) {
      const newN = v128.or(isNewPair ? level0OfNeighbours : andOfNeighbours<T>(pairAddress, 16), bitsOfReds);
      const newW = v128.and(squaresBefore<T>(newN, leftStepToLowerBit, rightStepToHigherBit, intoRow1), openSquares);
      if (notesChanges) changedBits = v128.or(changedBits, v128.xor(newW, v128.load(pairAddress, 16)));
      v128.store(pairAddress, newW, 16);
      v128.store(mirroredPairAddress, newW, 16);
    }
  }
  return changedBits;
}

/** Sets all bits of the bounds of all pairs before address `to` in PAIRS to ones again, as the next board requires. */
function resetBounds<T>(to: usize): void {
  const ones = i32x4.splat(-1);
  for (let pairEntryAddress = PAIRS; pairEntryAddress < to; pairEntryAddress += 4) {
    const pairEntry = load<u32>(pairEntryAddress);
    const pairAddress = boundsAddress<T>(pairEntry & 0xffff, pairEntry >>> 16);
    const mirroredPairAddress = boundsAddress<T>(pairEntry >>> 16, pairEntry & 0xffff);
    v128.store(pairAddress, ones);
    v128.store(mirroredPairAddress, ones);
    if (sizeof<T>() == 8) {
      v128.store(pairAddress, ones, 16);
      v128.store(mirroredPairAddress, ones, 16);
    }
  }
}

/**
 * Returns the number of plies of the game if the bounds of this pass decide the start position, else TIE. The function
 * tests the bounds in ascending order of their plies, because the first bound that decides the start position gives the
 * end of the game.
 */
function decideStart<T>(pass: i32, redColour: i32): i32 {
  const pairEntry = load<u32>(PAIRS);
  const pairAddress = boundsAddress<T>(pairEntry & 0xffff, pairEntry >>> 16);
  const bitOfBlack = v128.load(SQUARE_BITS + (redColour * CELL_COUNT + blackRow * ROW_STRIDE + blackCol) * 16);
  const evenBounds = v128.and(andOfNeighbours<T>(pairAddress, 0), bitOfBlack);
  const evenLower = v128.any_true(v128.and(evenBounds, laneMaskOfBound<T>(0)));
  const evenUpper = v128.any_true(v128.and(evenBounds, laneMaskOfBound<T>(1)));
  const oddBounds = sizeof<T>() == 4 ? evenBounds : v128.and(andOfNeighbours<T>(pairAddress, 16), bitOfBlack);
  const oddLower = v128.any_true(v128.and(oddBounds, laneMaskOfBound<T>(2)));
  const oddUpper = v128.any_true(v128.and(oddBounds, laneMaskOfBound<T>(3)));
  if (!evenUpper) return 4 * pass - 1;
  if (evenLower) return 4 * pass;
  if (!oddUpper) return 4 * pass + 1;
  if (oddLower) return 4 * pass + 2;
  return TIE;
}

/**
 * Returns a vector that has ones only in the lane of one bound: 0 = even lower, 1 = even upper, 2 = odd lower, 3 = odd
 * upper.
 */
// @ts-ignore: decorator
@inline
function laneMaskOfBound<T>(bound: i32): v128 {
  if (sizeof<T>() == 8) return bound & 1 ? i64x2(0, -1) : i64x2(-1, 0);
  return i32x4(bound == 0 ? -1 : 0, bound == 1 ? -1 : 0, bound == 2 ? -1 : 0, bound == 3 ? -1 : 0);
}

/** Runs passes until the start position is decided or no bound changes. Returns the number of plies, or TIE. */
function analyse<T>(): i32 {
  const startColour = (blackRow + blackCol) & 1;
  startBall();
  let plies = TIE;
  let isSettled = false;
  for (let pass = 0; plies == TIE && !isSettled; pass++) {
    // The pass raises the bounds of all pairs up to distance 2 * pass. The pass also reads the bounds of the pairs at
    // distance 2 * pass + 1, so these pairs must have their first bounds. The pass computes the bounds of new pairs at
    // an even distance at once, so new pairs at an even distance need no first bounds.
    growBall<T>(2 * pass + 1, startColour);
    let changedBits = sweepBall<T>(2 * pass, startColour);
    plies = decideStart<T>(pass, startColour);
    changedBits = v128.or(changedBits, sweepPairsNotingChanges<T>(PAIRS, endOfPairsUpTo(0), startColour));
    isSettled = largestPairDistance <= 2 * pass && !v128.any_true(changedBits);
  }
  resetBounds<T>(endOfPairsUpTo(largestPairDistance));
  return plies;
}

/** Initialises the ball, the set of all pairs up to some distance: at first it contains only the start pair. */
function startBall(): void {
  largestPairDistance = 0;
  mayMorePairsExist = true;
  store<u32>(PAIRS, (red1 << 4) | (red2 << 20));
  store<usize>(PAIR_ENDS_BY_DISTANCE, PAIRS + 4);
}

/** Returns the address after the last pair in PAIRS up to the given distance. */
// @ts-ignore: decorator
@inline
function endOfPairsUpTo(distance: i32): usize {
  return load<usize>(PAIR_ENDS_BY_DISTANCE + distance * sizeof<usize>());
}

/** Adds to the ball all pairs up to the distance `radius`, or stops earlier if no more pairs exist. */
function growBall<T>(radius: i32, startColour: i32): void {
  while (mayMorePairsExist && largestPairDistance < radius) {
    const from = endOfPairsUpTo(largestPairDistance);
    const to = listPairsAtDistance(largestPairDistance + 1, from);
    mayMorePairsExist = to != from;
    if (!mayMorePairsExist) return;
    store<usize>(PAIR_ENDS_BY_DISTANCE + ++largestPairDistance * sizeof<usize>(), to);
    if (largestPairDistance & 1) storeFirstBounds<T>(from, to, startColour ^ 1);
  }
}

/**
 * Raises the bounds of all pairs from distance `radius` down to distance 1 by two levels. If all existing pairs are in
 * PAIRS, returns the bits that changed. Else returns 0, because the bounds cannot be final while the ball still grows.
 */
function sweepBall<T>(radius: i32, startColour: i32): v128 {
  let changedBits = i32x4.splat(0);
  for (let distance = min(largestPairDistance, radius); distance > 0; distance--) {
    const from = endOfPairsUpTo(distance - 1);
    const to = endOfPairsUpTo(distance);
    const colour = startColour ^ (distance & 1);
    if (mayMorePairsExist) sweepPairs<T>(from, to, colour);
    else changedBits = v128.or(changedBits, sweepPairsNotingChanges<T>(from, to, colour));
  }
  return changedBits;
}

// Before the first board, all bits of all bounds are ones.
memory.fill(BOUNDS, 0xff, CELL_COUNT * CELL_COUNT * 32);
