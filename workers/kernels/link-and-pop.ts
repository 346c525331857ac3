/**
 * Bit-sliced kernel of link-and-pop: plays one board to its end. A row of the board is one 32-bit word for each bit
 * of the symbol numbers, so a few word operations handle all cells of a row at once. Boards may have up to 30 x 30
 * cells: 30 cells and two cells of the ring around the board fit a word.
 *
 * Links of one or two segments. No pair of blocks is tested. A link of two segments turns at an empty cell, the
 * corner. The corner sees one end of the link along its row and the other end along its column. What a cell sees in
 * a direction is called its sight: the symbol number of the nearest block in that direction. The kernel carries the
 * sights of all four directions, as six bit planes each, to all empty cells at once. The corners are the empty
 * cells where the sight to the west or east equals the sight to the north or south. The first block of the pair to
 * pop is the topmost, then leftmost, end of a link over all corners, because the other end of its link can only
 * come later.
 *
 * Links of three segments. The middle segment of such a link lies on an empty run of a column or of a row. The
 * kernel sweeps over the board and notes in `seenFrom`, for each symbol, on which runs a block of this symbol has
 * an open view. If a second block of the symbol has an open view on one of these runs, both blocks are linked.
 *
 * Moves. In one turn, the blocks of a row that move are given by four masks, one for each direction.
 *
 * Cost of a pop: O(rows) vector instructions, and O(blocks) word operations more if only links of three segments
 * exist.
 *
 * Why not store the best link of each block, and search again only around the cells that a pop changed? A search
 * over the whole board takes about a thousand vector instructions. To find out which of the stored links are still
 * valid would take longer.
 *
 * Reference: ACM ICPC Asia Regional, Shanghai 2004, "Link and Pop - the Block Game" (ZOJ 2391). The rules are in
 * src/problems/link-and-pop/README.md.
 *
 * Layout. Cell (row, col) of the board is bit col + 1 of grid row row + 1, so west is towards bit 0. The ring is
 * bits 0 and cols + 1, and grid rows 0 and rows + 1. Bits and rows beyond the ring are empty like the ring, and
 * make no difference for links.
 *
 *   Example: the board of one row `AS BU CL` is grid row 1.
 *
 *                    bit      0  1  2  3  4     bits 0 and 4 are the ring
 *                    plane 0  .  1  .  1  .     the symbol numbers are A = 1, B = 2, C = 3
 *                    plane 1  .  .  1  1  .
 *                    up       .  .  1  .  .     B moves up
 *                    left     .  .  .  1  .     C moves left
 *                    blocks   .  1  1  1  .
 *
 *   grid row, 64 bytes:   +0  planes 0-3 of the symbol numbers (u32 lanes)
 *                         +16 planes 4 and 5 of the symbol numbers, and two lanes of zeros
 *                         +32 blocks that move up, down, left, right (u32 lanes)
 *                         +48 all blocks
 *                         +52 all cells of the board
 *                         +56 blocks that have the same symbol as the next block to the west
 *                         +60 the blocks of this row that the array `columns` contains
 *   sight row, 96 bytes:  +0  sights to the west: planes 0-3 of the symbol numbers, then planes 4 and 5
 *                         +32 sights to the east, as planes
 *                         +64 sights to the south, as planes
 *   corner row, 16 bytes: empty cells whose two sights are equal: west and north, east and north, west and south,
 *                         east and south (u32 lanes)
 *
 * Invariants. In a grid row, only bits of `blocks` are set in the planes and in the directions, and only cells of
 * the board are blocks. A symbol number is 1..52. If there is no block in a direction, the sight is 0 to the west
 * and east, and NO_SYMBOL to the north and south, so that two missing blocks never count as equal. A changed row
 * has its bit set in `staleWest`, `staleEast` and `staleCells` until what was computed from it is computed again.
 * Links of three segments are searched only if no link of two segments exists, and links of two only if none of one
 * exists.
 */

/** Longest side of a board. The other two bits of a 32-bit word are the ring. */
const MAX_SIDE: u32 = 30;
/** Number of grid rows: 30 rows of the board, and two rows of the ring. */
const GRID_ROWS: u32 = 32;
/** Upper bound of the symbol numbers (1..52), rounded up so that arrays by symbol are whole vectors of u32. */
const SYMBOL_LIMIT: u32 = 56;
/** Number of bit planes of a symbol number. */
const PLANE_COUNT: u32 = 6;
/** Sight to the north or south if no block is in that direction: all planes are 1, which is no symbol number. */
const NO_SYMBOL: u32 = 0xffffffff;
/** Stands for a cell or a column if no block was found. It is larger than every cell and column. */
const NO_BLOCK: u32 = 0xffffffff;

// Byte offsets in a grid row. The head of this file describes each part of a grid row.
const GRID_BYTES: usize = 64;
const PLANES_0_TO_3: usize = 0;
const PLANES_4_TO_5: usize = 16;
const DIRECTIONS: usize = 32;
const GO_UP: usize = 32;
const GO_DOWN: usize = 36;
const GO_LEFT: usize = 40;
const GO_RIGHT: usize = 44;
const BLOCKS: usize = 48;
const BOARD_CELLS: usize = 52;
const SAME_AS_WEST: usize = 56;
const BLOCKS_IN_COLUMNS: usize = 60;

// Byte offsets in a sight row. Planes 0-3 are at the offset, and planes 4 and 5 are 16 bytes after it.
const SIGHT_BYTES: usize = 96;
const WEST: usize = 0;
const EAST: usize = 32;
const SOUTH: usize = 64;

// Byte offsets in a corner row: the two directions whose sights are equal.
const WEST_NORTH: usize = 0;
const EAST_NORTH: usize = 4;
const WEST_SOUTH: usize = 8;
const EAST_SOUTH: usize = 12;

/**
 * The board, written by the host: two ASCII bytes a cell, row by row. The kernel reads 64 bytes for each row, so the
 * array has 64 spare bytes at its end.
 */
const board = memory.data(<i32>(2 * MAX_SIDE * MAX_SIDE + 64), 16);
/** The final board, read by the host: one ASCII byte a cell, and a line feed after each row. */
const finalRows = memory.data(<i32>((MAX_SIDE + 1) * MAX_SIDE), 16);
/** [row] grid rows, as drawn at the head of this file. */
const grid = memory.data(<i32>(GRID_ROWS * <u32>GRID_BYTES), 64);
/** [row] sight rows, as described at the head of this file. */
const sights = memory.data(<i32>(GRID_ROWS * <u32>SIGHT_BYTES), 16);
/** [row] corner rows, as described at the head of this file. */
const corners = memory.data(<i32>(GRID_ROWS * 16), 16);
/** [row * 32 + col] u8: symbol number of each cell, 0 if the cell has no block. */
const symbols = memory.data(<i32>(GRID_ROWS * 32), 16);
/** [symbol] u32: bits of the columns (or rows) on whose current empty run a block of the symbol has an open view. */
const seenFrom = memory.data(<i32>(SYMBOL_LIMIT * 4), 16);
/** [col] u32: the blocks of a column. Bit i is the block in grid row i. */
const columns = memory.data(32 * 4, 16);
/** [row] u32: the blocks that have the same symbol as the first block of the pair. */
const sameSymbol = memory.data(<i32>(GRID_ROWS * 4), 16);

/** Size of the current board. */
let rows: u32 = 0;
let cols: u32 = 0;
/** All symbol numbers on the board are below this bound: 32 if plane 5 is empty, else SYMBOL_LIMIT. */
let symbolEnd: u32 = 0;
/** Bits of the rows that changed after their sights to the west were computed. */
let staleWest: u32 = 0;
/** Bits of the rows that changed after their sights to the east were computed. */
let staleEast: u32 = 0;
/** Bits of the rows that changed after their cells were written to `symbols` and `columns`. */
let staleCells: u32 = 0;
/** The block of the pair to pop that is topmost, then leftmost, as the cell row << 5 | col. */
let first: u32 = NO_BLOCK;
/** The other block of the pair to pop, as the cell row << 5 | col. */
let second: u32 = NO_BLOCK;
/** Bits of the rows that have a block that may still move in this turn. */
let dueNow: u32 = 0;
/** Bits of the rows that have a block that may move in the next turn. */
let dueNext: u32 = 0;
/** Blocks that moved down into row `arrivalRow` in this turn. They must not move a second time in this turn. */
let arrivedBlocks: u32 = 0;
/** The row that `arrivedBlocks` is about: the row below the row whose blocks moved last. */
let arrivalRow: u32 = 0;

/** Returns the longest side of a board that the kernel can play. */
export function maxSide(): u32 {
  return MAX_SIDE;
}

/** Returns the address at which the host writes the board: two ASCII bytes a cell, row by row. */
export function boardAddress(): usize {
  return board;
}

/** Returns the address at which the host reads the final board: one byte a cell, a line feed after each row. */
export function finalRowsAddress(): usize {
  return finalRows;
}

/** Plays the board at `boardAddress()` to its end, and writes the final board to `finalRowsAddress()`. */
export function play(boardRows: u32, boardCols: u32): void {
  rows = boardRows;
  cols = boardCols;
  readBoard();
  while (findStraightLink() || findLinkWithCorner() || findLinkWithTwoCorners()) {
    popPair();
    playTurns();
  }
  writeFinalRows();
}

// --- Reading the board and writing the result ------------------------------------------------------------

@inline
function gridRow(row: u32): usize {
  return grid + <usize>row * GRID_BYTES;
}

@inline
function blocksOf(row: u32): u32 {
  return load<u32>(gridRow(row), BLOCKS);
}

@inline
function sightRow(row: u32): usize {
  return sights + <usize>row * SIGHT_BYTES;
}

@inline
function cornerRow(row: u32): usize {
  return corners + (<usize>row << 4);
}

function readBoard(): void {
  memory.fill(grid, 0, <usize>GRID_ROWS * GRID_BYTES);
  memory.fill(columns, 0, 32 * 4);
  symbolEnd = 32;
  for (let row: u32 = 1; row <= rows; row++) readRow(gridRow(row), board + <usize>((row - 1) * cols * 2));
  staleWest = staleEast = staleCells = allRows();
}

/** Returns the bits of all rows of the board. */
@inline
function allRows(): u32 {
  return (2 << rows) - 2;
}

/**
 * Reads one row of the board into the planes of a grid row. The bytes after the end of the row are read too, but
 * their bits are masked out.
 */
function readRow(at: usize, from: usize): void {
  const inside: u32 = (2 << cols) - 2;
  readSymbols(at, from, inside);
  readDirections(at, from, inside);
  store<u32>(at, inside, BLOCKS);
  store<u32>(at, inside, BOARD_CELLS);
}

function readSymbols(at: usize, from: usize, inside: u32): void {
  const west = symbolNumbers(evenBytes(v128.load(from), v128.load(from, 16)));
  const east = symbolNumbers(evenBytes(v128.load(from, 32), v128.load(from, 48)));
  let bits: u32 = 0;
  for (let plane: i32 = 0; plane < <i32>PLANE_COUNT; plane++) {
    bits = signBits(i8x16.shl(west, 7 - plane), i8x16.shl(east, 7 - plane)) & inside;
    store<u32>(at + (<usize>plane << 2), bits);
  }
  if (bits != 0) symbolEnd = SYMBOL_LIMIT;
}

function readDirections(at: usize, from: usize, inside: u32): void {
  const west = oddBytes(v128.load(from), v128.load(from, 16));
  const east = oddBytes(v128.load(from, 32), v128.load(from, 48));
  store<u32>(at, cellsWithDirection(0x55 /* U */, west, east) & inside, GO_UP);
  store<u32>(at, cellsWithDirection(0x44 /* D */, west, east) & inside, GO_DOWN);
  store<u32>(at, cellsWithDirection(0x4c /* L */, west, east) & inside, GO_LEFT);
  store<u32>(at, cellsWithDirection(0x52 /* R */, west, east) & inside, GO_RIGHT);
}

@inline
function evenBytes(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}

@inline
function oddBytes(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

/** Returns the top bits of 32 bytes as one word of a grid row. They begin at bit 1, because bit 0 is the ring. */
@inline
function signBits(west: v128, east: v128): u32 {
  return (i8x16.bitmask(west) | (i8x16.bitmask(east) << 16)) << 1;
}

@inline
function cellsWithDirection(direction: u8, west: v128, east: v128): u32 {
  return signBits(i8x16.eq(west, i8x16.splat(direction)), i8x16.eq(east, i8x16.splat(direction)));
}

/** Returns the symbol numbers of ASCII letters: 1..26 for A-Z, and 27..52 for a-z. */
@inline
function symbolNumbers(letters: v128): v128 {
  const isSmall = i8x16.ge_u(letters, i8x16.splat(0x61));
  const inAlphabet = v128.and(letters, i8x16.splat(31));
  return i8x16.add(inAlphabet, v128.and(isSmall, i8x16.splat(26)));
}

function writeFinalRows(): void {
  updateChangedCells();
  let to = finalRows;
  for (let row: u32 = 1; row <= rows; row++) {
    for (let col: u32 = 1; col <= cols; col++) store<u8>(to++, letterOf(symbolAt((row << 5) | col)));
    store<u8>(to++, 0x0a);
  }
}

@inline
function symbolAt(cell: u32): u32 {
  return load<u8>(symbols + <usize>cell);
}

function letterOf(symbol: u32): u32 {
  if (symbol == 0) return 0x2e /* . */;
  return symbol <= 26 ? 64 + symbol : 70 + symbol;
}

/** Updates `symbols` and `columns` for all rows that changed. */
function updateChangedCells(): void {
  for (; staleCells != 0; staleCells &= staleCells - 1) {
    const row = ctz(staleCells);
    updateSymbols(row);
    updateColumns(row);
  }
}

/** Updates `symbols` for one row: turns its six bit planes into one byte for each cell. */
function updateSymbols(row: u32): void {
  const low = v128.load(gridRow(row), PLANES_0_TO_3);
  const high = v128.load(gridRow(row), PLANES_4_TO_5);
  v128.store(symbols + (<usize>row << 5), symbolBytesWest(low, high), 0);
  v128.store(symbols + (<usize>row << 5), symbolBytesEast(low, high), 16);
}

/** Updates `columns` for one row: flips its bit in each column in which a block appeared or disappeared. */
function updateColumns(row: u32): void {
  const at = gridRow(row);
  const blocks = load<u32>(at, BLOCKS);
  for (let left = blocks ^ load<u32>(at, BLOCKS_IN_COLUMNS); left != 0; left &= left - 1) {
    const column = columnAddress(ctz(left));
    store<u32>(column, load<u32>(column) ^ (1 << row));
  }
  store<u32>(at, blocks, BLOCKS_IN_COLUMNS);
}

@inline
function columnAddress(col: u32): usize {
  return columns + (<usize>col << 2);
}

/** Returns the symbol numbers of bits 0-15 of a row, one byte each. */
@inline
function symbolBytesWest(low: v128, high: v128): v128 {
  const b0 = v128.shuffle<u8>(low, low, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  const b1 = v128.shuffle<u8>(low, low, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5);
  const b2 = v128.shuffle<u8>(low, low, 8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9);
  const b3 = v128.shuffle<u8>(low, low, 12, 12, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 13, 13, 13);
  const b4 = v128.shuffle<u8>(high, high, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  const b5 = v128.shuffle<u8>(high, high, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5);
  const units = v128.or(planeBytes(b0, 1), planeBytes(b1, 2));
  const fours = v128.or(planeBytes(b2, 4), planeBytes(b3, 8));
  return v128.or(v128.or(units, fours), v128.or(planeBytes(b4, 16), planeBytes(b5, 32)));
}

/** Returns the symbol numbers of bits 16-31 of a row, one byte each. */
@inline
function symbolBytesEast(low: v128, high: v128): v128 {
  return symbolBytesWest(i32x4.shr_u(low, 16), i32x4.shr_u(high, 16));
}

/**
 * Returns `value` in each byte whose bit of the plane is set, else 0. `plane` has each of two bytes of a plane eight
 * times, so that byte i has the bit of cell i.
 */
@inline
function planeBytes(plane: v128, value: u8): v128 {
  const bits = i64x2.splat(0x8040201008040201);
  return v128.and(i8x16.eq(v128.and(plane, bits), bits), i8x16.splat(value));
}

// --- Links of one segment --------------------------------------------------------------------------------

/** Returns the OR of the four u32 lanes of a vector. */
@inline
function orOfLanes(v: v128): u32 {
  const halves = v128.or(v, v128.shuffle<u32>(v, v, 2, 3, 0, 1));
  return i32x4.extract_lane(v128.or(halves, v128.shuffle<u32>(halves, halves, 1, 0, 3, 2)), 0);
}

/**
 * Finds the pair to pop among the links of one segment, and returns whether there is one. Goes through the rows
 * from the bottom to the top, and computes the sights to the south on the way. The last row with a link is then the
 * topmost.
 */
function findStraightLink(): bool {
  for (; staleWest != 0; staleWest &= staleWest - 1) updateWestSights(ctz(staleWest));
  let southLow = i32x4.splat(NO_SYMBOL);
  let southHigh = i32x4(NO_SYMBOL, NO_SYMBOL, 0, 0);
  let topRow: u32 = 0;
  let topSameAsSouth: u32 = 0;
  for (let row = rows; row > 0; row--) {
    const at = gridRow(row);
    const low = v128.load(at, PLANES_0_TO_3);
    const high = v128.load(at, PLANES_4_TO_5);
    const blocks = load<u32>(at, BLOCKS);
    v128.store(sightRow(row), southLow, SOUTH);
    v128.store(sightRow(row), southHigh, SOUTH + 16);
    const differ = orOfLanes(v128.or(v128.xor(low, southLow), v128.xor(high, southHigh)));
    const sameAsSouth = blocks & ~differ;
    if (sameAsSouth | load<u32>(at, SAME_AS_WEST)) {
      topRow = row;
      topSameAsSouth = sameAsSouth;
    }
    southLow = v128.bitselect(low, southLow, i32x4.splat(blocks));
    southHigh = v128.bitselect(high, southHigh, i32x4.splat(blocks));
  }
  if (topRow == 0) return false;
  setStraightPair(topRow, topSameAsSouth);
  return true;
}

/**
 * Computes the sights to the west of one row: the symbol of each block is carried eastwards through the empty run
 * after the block. Then finds the blocks that have the same symbol as the next block to the west.
 */
function updateWestSights(row: u32): void {
  const at = gridRow(row);
  const low = v128.load(at, PLANES_0_TO_3);
  const high = v128.load(at, PLANES_4_TO_5);
  const blocks = load<u32>(at, BLOCKS);
  const empty = i32x4.splat(~blocks);
  const westLow = nearestWest(low, empty);
  const westHigh = nearestWest(high, empty);
  v128.store(sightRow(row), westLow, WEST);
  v128.store(sightRow(row), westHigh, WEST + 16);
  const differLow = v128.xor(low, i32x4.shl(v128.or(low, westLow), 1));
  const differHigh = v128.xor(high, i32x4.shl(v128.or(high, westHigh), 1));
  store<u32>(at, blocks & ~orOfLanes(v128.or(differLow, differHigh)), SAME_AS_WEST);
}

/**
 * Returns, for each plane, the bit of the nearest block to the west in all empty cells. Adding a bit at the west
 * end of an empty run, which is a run of ones in `empty`, makes a carry that clears the whole run. So the runs that
 * are cleared are those whose block has the bit set.
 */
@inline
function nearestWest(planes: v128, empty: v128): v128 {
  const entering = v128.and(i32x4.shl(planes, 1), empty);
  return v128.andnot(empty, i32x4.add(empty, entering));
}

/**
 * Sets the pair to pop to the leftmost block of the given row that has a link of one segment, and its partner. A
 * partner in the same row is preferred to a partner below.
 */
function setStraightPair(row: u32, sameAsSouth: u32): void {
  const blocks = blocksOf(row);
  const sameAsWest = load<u32>(gridRow(row), SAME_AS_WEST);
  const eastEnd = ctz(sameAsWest);
  const sideways = sameAsWest ? lastBelow(blocks, eastEnd) : NO_BLOCK;
  const upright = sameAsSouth ? ctz(sameAsSouth) : NO_BLOCK;
  if (sideways <= upright) {
    first = (row << 5) | sideways;
    second = (row << 5) | eastEnd;
    return;
  }
  first = (row << 5) | upright;
  let below = row + 1;
  while (((blocksOf(below) >> upright) & 1) == 0) below++;
  second = (below << 5) | upright;
}

/** Returns the highest bit of `set` below `bit`. The set must have a bit below `bit`. */
@inline
function lastBelow(set: u32, bit: u32): u32 {
  return 31 - clz(set & ((1 << bit) - 1));
}

/** Returns the lowest bit of `set` above `bit`, which is at most 30. The set must have a bit above `bit`. */
@inline
function firstAbove(set: u32, bit: u32): u32 {
  return ctz(set & (0xfffffffe << bit));
}

// --- Links of two segments -------------------------------------------------------------------------------

/** Finds the pair to pop among the links of two segments. Returns whether there is one. */
function findLinkWithCorner(): bool {
  for (; staleEast != 0; staleEast &= staleEast - 1) updateEastSights(ctz(staleEast));
  if (!findCorners()) return false;
  setFirstByCorner();
  setPartnerByCorner(first >> 5, first & 31);
  return true;
}

/**
 * Computes the sights to the east of one row. Carries of an addition run only from west to east, so the symbols are
 * carried to the west by shifts of 1, 1, 2, 4, 8 and 16 cells.
 */
function updateEastSights(row: u32): void {
  const at = gridRow(row);
  const near1 = load<u32>(at, BLOCKS) >> 1;
  const near2 = near1 | (near1 >> 1);
  const near4 = near2 | (near2 >> 2);
  const near8 = near4 | (near4 >> 4);
  const near16 = near8 | (near8 >> 8);
  const low = nearestEast(v128.load(at, PLANES_0_TO_3), near1, near2, near4, near8, near16);
  const high = nearestEast(v128.load(at, PLANES_4_TO_5), near1, near2, near4, near8, near16);
  v128.store(sightRow(row), low, EAST);
  v128.store(sightRow(row), high, EAST + 16);
}

/**
 * Returns, for each plane, the bit of the nearest block to the east in all cells. `nearK` has the cells with a
 * block at most K cells to the east. These cells are already final when the step that follows shifts by K.
 */
@inline
function nearestEast(planes: v128, near1: u32, near2: u32, near4: u32, near8: u32, near16: u32): v128 {
  let east = i32x4.shr_u(planes, 1);
  east = v128.or(east, v128.andnot(i32x4.shr_u(east, 1), i32x4.splat(near1)));
  east = v128.or(east, v128.andnot(i32x4.shr_u(east, 2), i32x4.splat(near2)));
  east = v128.or(east, v128.andnot(i32x4.shr_u(east, 4), i32x4.splat(near4)));
  east = v128.or(east, v128.andnot(i32x4.shr_u(east, 8), i32x4.splat(near8)));
  return v128.or(east, v128.andnot(i32x4.shr_u(east, 16), i32x4.splat(near16)));
}

/**
 * Finds the corners: empty cells with an equal sight along the row and along the column. Returns whether any exist.
 */
function findCorners(): bool {
  let northLow = i32x4.splat(NO_SYMBOL);
  let northHigh = i32x4(NO_SYMBOL, NO_SYMBOL, 0, 0);
  let found = i32x4.splat(0);
  for (let row: u32 = 1; row <= rows; row++) {
    const at = gridRow(row);
    const isBlock = v128.load_splat<u32>(at, BLOCKS);
    const agree = v128.not(v128.or(isBlock, sightsDiffer(sightRow(row), northLow, northHigh)));
    v128.store(cornerRow(row), agree);
    found = v128.or(found, agree);
    northLow = v128.bitselect(v128.load(at, PLANES_0_TO_3), northLow, isBlock);
    northHigh = v128.bitselect(v128.load(at, PLANES_4_TO_5), northHigh, isBlock);
  }
  return v128.any_true(found);
}

/** Returns the cells whose two sights differ, for the four pairs of directions of a corner row. */
@inline
function sightsDiffer(at: usize, northLow: v128, northHigh: v128): v128 {
  const westLow = v128.load(at, WEST);
  const westHigh = v128.load(at, WEST + 16);
  const eastLow = v128.load(at, EAST);
  const eastHigh = v128.load(at, EAST + 16);
  const southLow = v128.load(at, SOUTH);
  const southHigh = v128.load(at, SOUTH + 16);
  const westNorth = v128.or(v128.xor(westLow, northLow), v128.xor(westHigh, northHigh));
  const eastNorth = v128.or(v128.xor(eastLow, northLow), v128.xor(eastHigh, northHigh));
  const westSouth = v128.or(v128.xor(westLow, southLow), v128.xor(westHigh, southHigh));
  const eastSouth = v128.or(v128.xor(eastLow, southLow), v128.xor(eastHigh, southHigh));
  const north = halfOrOfLanes(westNorth, eastNorth);
  const south = halfOrOfLanes(westSouth, eastSouth);
  return v128.or(v128.shuffle<u32>(north, south, 0, 1, 4, 5), v128.shuffle<u32>(north, south, 2, 3, 6, 7));
}

/** Returns a0 | a2, b0 | b2, a1 | a3, b1 | b3: half of the work for the OR of all lanes of `a`, and of `b`. */
@inline
function halfOrOfLanes(a: v128, b: v128): v128 {
  return v128.or(v128.shuffle<u32>(a, b, 0, 4, 1, 5), v128.shuffle<u32>(a, b, 2, 6, 3, 7));
}

/**
 * Sets `first` to the topmost, then leftmost, end of all links of two segments. If the corner sees one end to the
 * north, this end is the upper one. Else the upper end is in the row of the corner. The loop goes through the rows
 * from the bottom to the top. `climbing` has the columns in which a corner in a lower row looks north and has seen
 * only empty cells so far.
 */
function setFirstByCorner(): void {
  let climbing: u32 = 0;
  let topRow: u32 = 0;
  let topUpperEnds: u32 = 0;
  for (let row = rows; row > 0; row--) {
    const blocks = blocksOf(row);
    const at = cornerRow(row);
    const upperEnds = climbing & blocks;
    if (upperEnds | load<u32>(at, WEST_SOUTH) | load<u32>(at, EAST_SOUTH)) {
      topRow = row;
      topUpperEnds = upperEnds;
    }
    climbing = (climbing & ~blocks) | load<u32>(at, WEST_NORTH) | load<u32>(at, EAST_NORTH);
  }
  first = (topRow << 5) | leftmostEnd(topRow, topUpperEnds);
}

/** Returns the column of the leftmost link end in the topmost row that has an upper end. */
function leftmostEnd(row: u32, upperEnds: u32): u32 {
  const blocks = blocksOf(row);
  const westSouth = load<u32>(cornerRow(row), WEST_SOUTH);
  const eastSouth = load<u32>(cornerRow(row), EAST_SOUTH);
  let col = upperEnds ? ctz(upperEnds) : NO_BLOCK;
  if (westSouth) col = min(col, lastBelow(blocks, ctz(westSouth)));
  if (eastSouth) col = min(col, firstAbove(blocks, ctz(eastSouth)));
  return col;
}

/**
 * Sets `second` to the topmost, then leftmost, block that a link of two segments joins to the first block. Goes
 * through the rows downwards from the first block. A link may go down from a corner in the row of the first block:
 * `falling` has the columns in which a link goes down. Or the link goes down from the first block to a corner in
 * its column: `under` has the bit of this column as long as all cells below the block are empty.
 */
function setPartnerByCorner(row: u32, col: u32): void {
  const own = blocksOf(row);
  let falling = load<u32>(cornerRow(row), WEST_SOUTH) & eastRun(own, col);
  falling |= load<u32>(cornerRow(row), EAST_SOUTH) & westRun(own, col);
  let under: u32 = 1 << col;
  let partner = NO_BLOCK;
  while (partner == NO_BLOCK) {
    const blocks = blocksOf(++row);
    const at = cornerRow(row);
    under &= ~blocks;
    if (falling & blocks) partner = ctz(falling & blocks);
    if (load<u32>(at, WEST_NORTH) & under) partner = min(partner, lastBelow(blocks, col));
    else if (load<u32>(at, EAST_NORTH) & under) partner = min(partner, firstAbove(blocks, col));
  }
  second = (row << 5) | partner;
}

/** Returns the run of empty cells from `bit` + 1 to the next block in the east. `bit` is below 31. */
@inline
function eastRun(blocks: u32, bit: u32): u32 {
  return ~blocks & ~(~blocks + (2 << bit));
}

/** Returns the run of empty cells from `bit` - 1 to the next block in the west. */
@inline
function westRun(blocks: u32, bit: u32): u32 {
  const before = ((<u32>1) << bit) - 1;
  // If no block is west of `bit`, clz returns 32, and the run extends to bit 0.
  return before & ~((<u32>((<u64>1) << (32 - clz(blocks & before)))) - 1);
}

/** Returns the two runs of empty cells next to `bit`, to the west and to the east. */
@inline
function bothRuns(blocks: u32, bit: u32): u32 {
  return eastRun(blocks, bit) | westRun(blocks, bit);
}

// --- Links of three segments -----------------------------------------------------------------------------

/** Finds the pair to pop among the links of three segments. Returns whether there is one. */
function findLinkWithTwoCorners(): bool {
  updateChangedCells();
  first = NO_BLOCK;
  sweepUpward();
  if (sweepEastward()) sweepWestward();
  if (first == NO_BLOCK) return false;
  setPartnerByTwoCorners(first >> 5, first & 31);
  return true;
}

/**
 * Finds links whose middle segment lies in a column. Goes from the bottom row to the top row. A block is the upper
 * end of a link if a block of its symbol further down has an open view on the same empty run of a column.
 */
function sweepUpward(): void {
  removeEndedRuns(0);
  for (let row = rows; row > 0; row--) sweepLine(blocksOf(row), row << 5, 0);
}

/**
 * Finds links whose middle segment lies in a row, and of each link the east end. Returns whether there are any. The
 * east end or the west end of such a link may be the topmost, so `sweepWestward` must find the west ends too.
 */
function sweepEastward(): bool {
  removeEndedRuns(0);
  let met: u32 = 0;
  for (let col: u32 = 1; col <= cols; col++) met |= sweepLine(load<u32>(columnAddress(col)), col, 5);
  return met != 0;
}

/** Finds the west ends of links whose middle segment lies in a row. Goes from the east to the west. */
function sweepWestward(): void {
  removeEndedRuns(0);
  for (let col = cols; col > 0; col--) sweepLine(load<u32>(columnAddress(col)), col, 5);
}

/**
 * Moves a sweep to its next row or column, called the line. The block at bit i of the line is the cell
 * `line | i << shift`. Each block with an empty neighbour in the line has an open view on the empty runs that cross
 * the line beside the block. The function links the block to earlier blocks of its symbol that have a view on the
 * same runs. The cells between two blocks that have an empty neighbour are all empty or all blocks, so a
 * subtraction of bits gives them. Returns nonzero if any link was found.
 */
@inline
function sweepLine(blocks: u32, line: u32, shift: u32): u32 {
  if (blocks == 0) return 0;
  const empty = ~blocks;
  removeEndedRuns(empty);
  let met: u32 = 0;
  let left = blocks & ((empty << 1) | (empty >> 1));
  let block = left & (0 - left);
  let before = (block - 1) & empty;
  while (left != 0) {
    const cell = line | (ctz(left) << shift);
    left &= left - 1;
    const next = left & (0 - left);
    // Subtracting twice the bit of this block from the bit of the next block sets the bits between them. If no block
    // follows, it sets all bits up to bit 31.
    const after = (next - (block << 1)) & empty;
    met |= addView(cell, before | after);
    before = after;
    block = next;
  }
  return met;
}

/** Removes the runs that end at this line from `seenFrom`: all runs whose bit in `empty` is not set. */
@inline
function removeEndedRuns(empty: u32): void {
  const mask = i32x4.splat(empty);
  const end = seenFrom + (<usize>symbolEnd << 2);
  for (let at = seenFrom; at < end; at += 16) v128.store(at, v128.and(v128.load(at), mask));
}

/**
 * Adds the runs in `view`, on which the block at `cell` has an open view, to those of its symbol. If an earlier
 * block of the symbol has a view on one of these runs, the cell is the end of a link, and may become `first`.
 * Returns nonzero in this case.
 */
@inline
function addView(cell: u32, view: u32): u32 {
  const entry = seenFrom + (<usize>symbolAt(cell) << 2);
  const before = load<u32>(entry);
  if (before & view && cell < first) first = cell;
  store<u32>(entry, before | view);
  return before & view;
}

/**
 * Sets `second` to the topmost, then leftmost, block that a link of three segments joins to the first block. The
 * middle segment of the link may lie in a column or in a row.
 */
function setPartnerByTwoCorners(row: u32, col: u32): void {
  markSameSymbol(row, col);
  second = min(partnerByColumns(row, col), partnerByRows(row, col));
}

/** Fills `sameSymbol`: the other blocks with the symbol of the first block, in its row and in all rows below. */
function markSameSymbol(row: u32, col: u32): void {
  const symbol = symbolAt((row << 5) | col);
  for (let at = row; at <= rows; at++) {
    let differ: u32 = 0;
    for (let plane: u32 = 0; plane < PLANE_COUNT; plane++)
      differ |= load<u32>(gridRow(at) + (<usize>plane << 2)) ^ (0 - ((symbol >> plane) & 1));
    store<u32>(sameSymbol + (<usize>at << 2), blocksOf(at) & ~differ);
  }
  store<u32>(sameSymbol + (<usize>row << 2), sameSymbolIn(row) & ~(1 << col));
}

@inline
function sameSymbolIn(row: u32): u32 {
  return load<u32>(sameSymbol + (<usize>row << 2));
}

/**
 * Returns the partner of the first block over links whose middle segment lies in a column. Goes down from the row
 * of the block. `open` has the columns that the block sees in its row and that are empty so far. The search ends at
 * the first block of the same symbol that sees one of these columns in its own row.
 */
function partnerByColumns(row: u32, col: u32): u32 {
  let open = bothRuns(blocksOf(row), col);
  for (let below = row + 1; below <= rows && open != 0; below++) {
    const blocks = blocksOf(below);
    open &= ~blocks;
    for (let left = sameSymbolIn(below); left != 0; left &= left - 1)
      if (open & bothRuns(blocks, ctz(left))) return (below << 5) | ctz(left);
  }
  return NO_BLOCK;
}

/**
 * Returns the partner of the first block over links whose middle segment lies in a row. The link leaves the block
 * up or down, follows a row, and then goes up or down to the partner, which is never above the row of the first
 * block.
 */
function partnerByRows(row: u32, col: u32): u32 {
  const view = bothRuns(load<u32>(columnAddress(col)), row);
  return min(partnerFalling(row, col, view), partnerRising(row, col, view));
}

/**
 * Returns the topmost partner that a link over a row segment reaches if its last segment goes down. `falling` has
 * the columns that the last segment can go down in.
 */
function partnerFalling(row: u32, col: u32, view: u32): u32 {
  let falling: u32 = 0;
  for (let at: u32 = 0; at <= rows; at++) {
    const hit = at < row ? 0 : falling & sameSymbolIn(at);
    if (hit) return (at << 5) | ctz(hit);
    falling = (falling & ~blocksOf(at)) | crossing(view, at, col);
  }
  return NO_BLOCK;
}

/**
 * Returns the topmost partner that a link over a row segment reaches if its last segment goes up. `rising` has the
 * columns that the last segment can go up in.
 */
function partnerRising(row: u32, col: u32, view: u32): u32 {
  let best = NO_BLOCK;
  let rising = crossing(view, rows + 1, col);
  for (let at = rows; at >= row; at--) {
    const hit = rising & sameSymbolIn(at);
    if (hit) best = (at << 5) | ctz(hit);
    rising = (rising & ~blocksOf(at)) | crossing(view, at, col);
  }
  return best;
}

/** Returns the empty run of row `at` that contains column `col`, or 0 if the first block does not see this cell. */
@inline
function crossing(view: u32, at: u32, col: u32): u32 {
  return (view >> at) & 1 ? bothRuns(blocksOf(at), col) | (1 << col) : 0;
}

// --- Popping and moving ----------------------------------------------------------------------------------

function popPair(): void {
  removeBlock(first);
  removeBlock(second);
}

/** Removes the block at a cell from all words of its grid row. */
function removeBlock(cell: u32): void {
  const row = cell >> 5;
  const at = gridRow(row);
  const others = i32x4.splat(~(1 << (cell & 31)));
  v128.store(at, v128.and(v128.load(at, PLANES_0_TO_3), others), PLANES_0_TO_3);
  v128.store(at, v128.and(v128.load(at, PLANES_4_TO_5), others), PLANES_4_TO_5);
  v128.store(at, v128.and(v128.load(at, DIRECTIONS), others), DIRECTIONS);
  store<u32>(at, load<u32>(at, BLOCKS) & ~(1 << (cell & 31)), BLOCKS);
  markStale(1 << row);
}

/** Marks rows as changed. `changed` has a bit for each row. */
@inline
function markStale(changed: u32): void {
  staleWest |= changed;
  staleEast |= changed;
  staleCells |= changed;
}

/**
 * Moves the blocks, turn after turn, until a turn moves no block. In the first turn, only blocks in the rows of the
 * popped pair, and in the rows next to them, can move.
 */
function playTurns(): void {
  const popped = ((<u32>1) << (first >> 5)) | ((<u32>1) << (second >> 5));
  dueNow = (popped | (popped << 1) | (popped >> 1)) & allRows();
  for (; dueNow != 0; dueNow = dueNext) playTurn();
}

/**
 * Plays one turn: moves the blocks row by row from the top. A block that arrived from another row does not move
 * again.
 */
function playTurn(): void {
  dueNext = 0;
  arrivalRow = 0;
  while (dueNow != 0) {
    const row = ctz(dueNow);
    dueNow &= dueNow - 1;
    moveRow(row, arrivalRow == row ? arrivedBlocks : 0);
  }
}

/**
 * Moves the blocks of one row from left to right, except those that `arrived` from above in this turn. Whether a
 * block moves up, down or right depends only on cells that are free before this row moves. A block that moves left
 * may also enter a cell that its left neighbour has just left. So blocks that move left form trains: the head of a
 * train moves into a cell that was free or whose block has just moved up or down, and each other block of the train
 * follows its left neighbour.
 */
function moveRow(row: u32, arrived: u32): void {
  const at = gridRow(row);
  const free = freeCells(at);
  const up = load<u32>(at, GO_UP) & freeCells(at - GRID_BYTES) & ~arrived;
  const down = load<u32>(at, GO_DOWN) & freeCells(at + GRID_BYTES) & ~arrived;
  const right = load<u32>(at, GO_RIGHT) & (free >> 1) & ~arrived;
  const leftward = load<u32>(at, GO_LEFT) & ~arrived;
  const heads = leftward & (((free & ~(right << 1)) | up | down) << 1);
  // Adding the bit of a head makes a carry that flips all bits of its train.
  const left = leftward & (((leftward + heads) ^ leftward) | heads);
  if ((up | down | left | right) == 0) return;
  moveBlocks(at, up, down, left, right);
  markRowsDue(row, up, down, left, right);
  arrivedBlocks = down;
  arrivalRow = row + 1;
}

/** Returns the cells of a grid row that belong to the board and have no block. */
@inline
function freeCells(at: usize): u32 {
  return load<u32>(at, BOARD_CELLS) & ~load<u32>(at, BLOCKS);
}

/** Moves the given blocks of a grid row, in all words that belong to them. */
@inline
function moveBlocks(at: usize, up: u32, down: u32, left: u32, right: u32): void {
  moveWords(at + PLANES_0_TO_3, up, down, left, right);
  moveWords(at + PLANES_4_TO_5, up, down, left, right);
  moveWords(at + DIRECTIONS, up, down, left, right);
  const stay = load<u32>(at, BLOCKS) & ~(up | down | left | right);
  store<u32>(at, stay | (left >> 1) | (right << 1), BLOCKS);
  store<u32>(at - GRID_BYTES, load<u32>(at - GRID_BYTES, BLOCKS) | up, BLOCKS);
  store<u32>(at + GRID_BYTES, load<u32>(at + GRID_BYTES, BLOCKS) | down, BLOCKS);
}

/**
 * Moves the bits of the given blocks in the four words at `at` of a grid row. The words of the rows above and below
 * are one grid row before and after `at`.
 */
@inline
function moveWords(at: usize, up: u32, down: u32, left: u32, right: u32): void {
  const all = v128.load(at);
  if (up) setBits(at - GRID_BYTES, v128.and(all, i32x4.splat(up)));
  if (down) setBits(at + GRID_BYTES, v128.and(all, i32x4.splat(down)));
  const stay = v128.andnot(all, i32x4.splat(up | down | left | right));
  const wentLeft = i32x4.shr_u(v128.and(all, i32x4.splat(left)), 1);
  const wentRight = i32x4.shl(v128.and(all, i32x4.splat(right)), 1);
  v128.store(at, v128.or(stay, v128.or(wentLeft, wentRight)));
}

/** Sets the bits of `lanes` in the four words at `at`. */
@inline
function setBits(at: usize, lanes: v128): void {
  v128.store(at, v128.or(v128.load(at), lanes));
}

/**
 * Marks the rows in which the moves of one row may allow other moves. Blocks in the row below that move up into a
 * vacated cell can do so later in this turn. In the next turn, blocks above and to the west of a vacated cell may
 * move into it, and blocks that have moved may move again.
 */
@inline
function markRowsDue(row: u32, up: u32, down: u32, left: u32, right: u32): void {
  const at = gridRow(row);
  const vacated = up | down | left | right;
  if (vacated & load<u32>(at + GRID_BYTES, GO_UP)) dueNow |= 1 << (row + 1);
  if (up | (vacated & load<u32>(at - GRID_BYTES, GO_DOWN))) dueNext |= 1 << (row - 1);
  if (left | right | (vacated & (load<u32>(at, GO_RIGHT) << 1))) dueNext |= 1 << row;
  if (down) dueNext |= 1 << (row + 1);
  markStale((1 << row) | (up ? 1 << (row - 1) : 0) | (down ? 1 << (row + 1) : 0));
}
