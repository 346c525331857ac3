/**
 * Bit-sliced kernel of link-and-pop. The kernel plays one board to its end. It stores a row of the board as one
 * 32-bit word for each bit of the symbol numbers, so a few word operations process all cells of a row at once. Boards
 * may have up to 30 x 30 cells: a word has room for 30 cells and for two cells of the ring, the empty cells around
 * the board.
 *
 * Links of one or two segments. The kernel never tests a pair of blocks. A link of two segments turns at an empty
 * cell, which is called its corner. From the corner, one end of the link is visible along the row, and the other end
 * along the column. The sight of a cell in a direction is the symbol number of the nearest block in that direction.
 * The kernel computes the sights of all empty cells at once, in all four directions, as six bit planes for each
 * direction. The corners are the empty cells whose sight to the west or east equals their sight to the north or south.
 * The first block of the pair to pop is the topmost, then leftmost, end of all links. The partner of this block is
 * also an end of a link, so the partner comes later in this order.
 *
 * Links of three segments. The middle segment of a link of three segments is part of an empty run, which is a
 * sequence of adjacent empty cells of a column or of a row. The kernel sweeps over the board and notes for each
 * symbol, in `runsSeenBySymbol`, on which runs a block of this symbol has an open view. If a second block of the
 * symbol has an open view on one of these runs, the two blocks are linked.
 *
 * Moves. In one turn, four masks say which blocks of a row move: one mask for each direction.
 *
 * Cost of a pop: O(rows) vector instructions. If all links have three segments, O(blocks) word operations are added.
 *
 * Why does the kernel not store the best link of each block, and search again only around the cells that a pop
 * changed? A search over the whole board takes about a thousand vector instructions. To find out which of the stored
 * links are still valid would take longer.
 *
 * Reference: ACM ICPC Asia Regional, Shanghai 2004, "Link and Pop - the Block Game" (ZOJ 2391). The rules are in
 * src/games/link-and-pop/README.md.
 *
 * Layout. Cell (row, col) of the board is bit col + 1 of grid row row + 1, so bit 0 is the westernmost cell. The ring
 * is bits 0 and cols + 1 of each grid row, and grid rows 0 and rows + 1. The bits and grid rows outside the ring are
 * empty like the ring, and do not change which blocks are linked.
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
 *                         +60 the blocks of this row that the array `columnBlocks` contains
 *   sight row, 96 bytes:  +0  sights to the west: planes 0-3 of the symbol numbers, then planes 4 and 5
 *                         +32 sights to the east, as planes
 *                         +64 sights to the south, as planes
 *   corner row, 16 bytes: empty cells whose sights in two directions are equal: west and north, east and north,
 *                         west and south, east and south (u32 lanes)
 *
 * Invariants. In the planes and the direction masks of a grid row, only bits of blocks are set. Only cells of the
 * board are blocks. A symbol number is 1..52. If there is no block in a direction, the sight is 0 to the west and
 * east, and NO_SYMBOL to the north and south, so that two missing blocks never count as equal. If a row has changed,
 * its bit is set in `rowsWithStaleWestSights`, `rowsWithStaleEastSights` and `rowsWithStaleCells` until the kernel has
 * updated the data that depend on the row. The kernel searches links of three segments only if no link of two segments
 * exists, and links of two segments only if no link of one segment exists.
 */

/** Largest number of rows, and of columns, of a board. The other two bits of a 32-bit word are the ring. */
const MAX_SIDE: u32 = 30;
/** Number of grid rows: 30 rows of the board, and two rows of the ring of empty cells around the board. */
const GRID_ROW_COUNT: u32 = 32;
/** All symbol numbers (1..52) are below this bound. An array of u32 with this length is a whole number of vectors. */
const SYMBOL_NUMBER_LIMIT: u32 = 56;
/** Number of bit planes of a symbol number. */
const PLANE_COUNT: u32 = 6;
/** Sight of a cell to the north or south if no block is in that direction. All bits are 1, unlike a symbol number. */
const NO_SYMBOL: u32 = 0xffffffff;
/** Value of a cell index or column index if no block was found. NO_BLOCK is larger than every index. */
const NO_BLOCK: u32 = 0xffffffff;

// Byte offsets in a grid row. The comment at the top of this file describes each part of a grid row.
const GRID_ROW_BYTES: usize = 64;
const PLANES_0_TO_3_OFFSET: usize = 0;
const PLANES_4_TO_5_OFFSET: usize = 16;
const DIRECTIONS_OFFSET: usize = 32;
const UP_MOVERS_OFFSET: usize = 32;
const DOWN_MOVERS_OFFSET: usize = 36;
const LEFT_MOVERS_OFFSET: usize = 40;
const RIGHT_MOVERS_OFFSET: usize = 44;
const BLOCKS_OFFSET: usize = 48;
const BOARD_CELLS_OFFSET: usize = 52;
const SAME_AS_WEST_OFFSET: usize = 56;
const BLOCKS_IN_COLUMNS_OFFSET: usize = 60;

// Byte offsets of the sights to one direction in a sight row. Planes 0-3 of the sights are at the offset, and planes 4
// and 5 are 16 bytes after the offset.
const SIGHT_ROW_BYTES: usize = 96;
const WEST_SIGHTS_OFFSET: usize = 0;
const EAST_SIGHTS_OFFSET: usize = 32;
const SOUTH_SIGHTS_OFFSET: usize = 64;

// Byte offsets in a corner row. Each word of a corner row has the cells whose sights in these two directions are equal.
const WEST_NORTH_OFFSET: usize = 0;
const EAST_NORTH_OFFSET: usize = 4;
const WEST_SOUTH_OFFSET: usize = 8;
const EAST_SOUTH_OFFSET: usize = 12;

/**
 * Address of the board, which the worker process writes: two ASCII bytes per cell, row by row. The kernel reads 64 bytes for
 * each row, so the array has 64 spare bytes at its end.
 */
const boardLetters = memory.data(<i32>(2 * MAX_SIDE * MAX_SIDE + 64), 16);
/** Address of the final board, which the worker process reads: one ASCII byte per cell, and a line feed after each row. */
const finalBoardLetters = memory.data(<i32>((MAX_SIDE + 1) * MAX_SIDE), 16);
/** [row] address of the grid rows, whose layout is drawn at the top of this file. */
const gridRows = memory.data(<i32>(GRID_ROW_COUNT * <u32>GRID_ROW_BYTES), 64);
/** [row] address of the sight rows, whose layout is described at the top of this file. */
const sightRows = memory.data(<i32>(GRID_ROW_COUNT * <u32>SIGHT_ROW_BYTES), 16);
/** [row] address of the corner rows, whose layout is described at the top of this file. */
const cornerRows = memory.data(<i32>(GRID_ROW_COUNT * 16), 16);
/** [row * 32 + col] u8: symbol number of each cell, 0 if the cell has no block. */
const symbolOfCell = memory.data(<i32>(GRID_ROW_COUNT * 32), 16);
/** [symbol] u32: bits of the columns (or rows) on whose current empty run a block with this symbol has an open view. */
const runsSeenBySymbol = memory.data(<i32>(SYMBOL_NUMBER_LIMIT * 4), 16);
/** [col] u32: the blocks of a column. Bit i is set if grid row i has a block in this column. */
const columnBlocks = memory.data(32 * 4, 16);
/** [row] u32: the blocks of a row that have the same symbol as the first block of the pair to pop. */
const sameSymbolAsFirst = memory.data(<i32>(GRID_ROW_COUNT * 4), 16);

/** Numbers of rows and columns of the current board. */
let rows: u32 = 0;
let cols: u32 = 0;
/**
 * All symbol numbers on the current board are below this bound: 32 if plane 5 of the symbol numbers is empty, else
 * SYMBOL_NUMBER_LIMIT.
 */
let symbolNumberEnd: u32 = 0;
/** Bits of the rows that changed after their sights to the west were computed. */
let rowsWithStaleWestSights: u32 = 0;
/** Bits of the rows that changed after their sights to the east were computed. */
let rowsWithStaleEastSights: u32 = 0;
/** Bits of the rows that changed after their cells were written to `symbolOfCell` and `columnBlocks`. */
let rowsWithStaleCells: u32 = 0;
/** Cell (row << 5 | col) of the first block of the pair to pop: the topmost, then leftmost, of the two blocks. */
let firstBlockCell: u32 = NO_BLOCK;
/** Cell (row << 5 | col) of the second block of the pair to pop. */
let secondBlockCell: u32 = NO_BLOCK;
/** Bits of the rows that have a block that may still move in this turn. */
let rowsDueThisTurn: u32 = 0;
/** Bits of the rows that have a block that may move in the next turn. */
let rowsDueNextTurn: u32 = 0;
/** Blocks that moved down into row `rowOfArrivals` in this turn. A block must not move twice in a turn. */
let blocksArrivedThisTurn: u32 = 0;
/** The row into which `blocksArrivedThisTurn` moved: the row below the row whose blocks moved last. */
let rowOfArrivals: u32 = 0;

/** Returns the largest number of rows, and of columns, of a board that the kernel can play. */
export function maxSide(): u32 {
  return MAX_SIDE;
}

/** Returns the address at which the worker process writes the board: two ASCII bytes per cell, row by row. */
export function boardAddress(): usize {
  return boardLetters;
}

/** Returns the address at which the worker process reads the final board: one byte per cell, a line feed after each row. */
export function finalRowsAddress(): usize {
  return finalBoardLetters;
}

/** Plays the board at `boardAddress()` to its end, and writes the final board to `finalRowsAddress()`. */
export function play(boardRows: u32, boardCols: u32): void {
  rows = boardRows;
  cols = boardCols;
  readBoard();
  while (findStraightLink() || findLinkWithOneCorner() || findLinkWithTwoCorners()) {
    popPair();
    playTurns();
  }
  writeFinalRows();
}

// --- Reading the board and writing the result ------------------------------------------------------------

@inline
function gridRowAddress(row: u32): usize {
  return gridRows + <usize>row * GRID_ROW_BYTES;
}

@inline
function blocksOfRow(row: u32): u32 {
  return load<u32>(gridRowAddress(row), BLOCKS_OFFSET);
}

@inline
function sightRowAddress(row: u32): usize {
  return sightRows + <usize>row * SIGHT_ROW_BYTES;
}

@inline
function cornerRowAddress(row: u32): usize {
  return cornerRows + (<usize>row << 4);
}

function readBoard(): void {
  memory.fill(gridRows, 0, <usize>GRID_ROW_COUNT * GRID_ROW_BYTES);
  memory.fill(columnBlocks, 0, 32 * 4);
  symbolNumberEnd = 32;
  for (let row: u32 = 1; row <= rows; row++) {
    readBoardRow(gridRowAddress(row), boardLetters + <usize>((row - 1) * cols * 2));
  }
  rowsWithStaleWestSights = rowsWithStaleEastSights = rowsWithStaleCells = maskOfAllRows();
}

/** Returns a word in which the bit of each row of the board is set. */
@inline
function maskOfAllRows(): u32 {
  return (2 << rows) - 2;
}

/**
 * Reads one row of the board into a grid row. The function always reads 64 bytes, and masks out the bits of the
 * bytes after the end of the board's row.
 */
function readBoardRow(gridRowAt: usize, letters: usize): void {
  const boardMask: u32 = (2 << cols) - 2;
  readSymbols(gridRowAt, letters, boardMask);
  readDirections(gridRowAt, letters, boardMask);
  store<u32>(gridRowAt, boardMask, BLOCKS_OFFSET);
  store<u32>(gridRowAt, boardMask, BOARD_CELLS_OFFSET);
}

function readSymbols(gridRowAt: usize, letters: usize, boardMask: u32): void {
  const westBytes = symbolNumbersOf(evenBytesOf(v128.load(letters), v128.load(letters, 16)));
  const eastBytes = symbolNumbersOf(evenBytesOf(v128.load(letters, 32), v128.load(letters, 48)));
  let planeBits: u32 = 0;
  for (let plane: i32 = 0; plane < <i32>PLANE_COUNT; plane++) {
    planeBits = topBitsAsRowWord(i8x16.shl(westBytes, 7 - plane), i8x16.shl(eastBytes, 7 - plane)) & boardMask;
    store<u32>(gridRowAt + (<usize>plane << 2), planeBits);
  }
  if (planeBits != 0) symbolNumberEnd = SYMBOL_NUMBER_LIMIT;
}

function readDirections(gridRowAt: usize, letters: usize, boardMask: u32): void {
  const westBytes = oddBytesOf(v128.load(letters), v128.load(letters, 16));
  const eastBytes = oddBytesOf(v128.load(letters, 32), v128.load(letters, 48));
  store<u32>(gridRowAt, cellsWithDirection(0x55 /* U */, westBytes, eastBytes) & boardMask, UP_MOVERS_OFFSET);
  store<u32>(gridRowAt, cellsWithDirection(0x44 /* D */, westBytes, eastBytes) & boardMask, DOWN_MOVERS_OFFSET);
  store<u32>(gridRowAt, cellsWithDirection(0x4c /* L */, westBytes, eastBytes) & boardMask, LEFT_MOVERS_OFFSET);
  store<u32>(gridRowAt, cellsWithDirection(0x52 /* R */, westBytes, eastBytes) & boardMask, RIGHT_MOVERS_OFFSET);
}

@inline
function evenBytesOf(bytes0To15: v128, bytes16To31: v128): v128 {
  return v128.shuffle<u8>(bytes0To15, bytes16To31, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}

@inline
function oddBytesOf(bytes0To15: v128, bytes16To31: v128): v128 {
  return v128.shuffle<u8>(bytes0To15, bytes16To31, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

/**
 * Returns the top bits of 32 bytes as one word of a grid row. The top bit of the first byte becomes bit 1, because
 * bit 0 of a grid row is the ring around the board.
 */
@inline
function topBitsAsRowWord(westBytes: v128, eastBytes: v128): u32 {
  return (i8x16.bitmask(westBytes) | (i8x16.bitmask(eastBytes) << 16)) << 1;
}

@inline
function cellsWithDirection(direction: u8, westBytes: v128, eastBytes: v128): u32 {
  return topBitsAsRowWord(i8x16.eq(westBytes, i8x16.splat(direction)), i8x16.eq(eastBytes, i8x16.splat(direction)));
}

/** Returns the symbol numbers of ASCII letters: 1..26 for A-Z, and 27..52 for a-z. */
@inline
function symbolNumbersOf(letters: v128): v128 {
  const isSmall = i8x16.ge_u(letters, i8x16.splat(0x61));
  const inAlphabet = v128.and(letters, i8x16.splat(31));
  return i8x16.add(inAlphabet, v128.and(isSmall, i8x16.splat(26)));
}

function writeFinalRows(): void {
  updateChangedCells();
  let nextByte = finalBoardLetters;
  for (let row: u32 = 1; row <= rows; row++) {
    for (let col: u32 = 1; col <= cols; col++) store<u8>(nextByte++, letterOfSymbol(symbolAt((row << 5) | col)));
    store<u8>(nextByte++, 0x0a);
  }
}

@inline
function symbolAt(cell: u32): u32 {
  return load<u8>(symbolOfCell + <usize>cell);
}

function letterOfSymbol(symbol: u32): u32 {
  if (symbol == 0) return 0x2e /* . */;
  return symbol <= 26 ? 64 + symbol : 70 + symbol;
}

/** Updates `symbolOfCell` and `columnBlocks` for all rows that changed. */
function updateChangedCells(): void {
  for (; rowsWithStaleCells != 0; rowsWithStaleCells &= rowsWithStaleCells - 1) {
    const row = ctz(rowsWithStaleCells);
    updateSymbolsOfRow(row);
    updateColumnsOfRow(row);
  }
}

/** Updates `symbolOfCell` for one row: converts the six bit planes of the row into one byte for each cell. */
function updateSymbolsOfRow(row: u32): void {
  const lowPlanes = v128.load(gridRowAddress(row), PLANES_0_TO_3_OFFSET);
  const highPlanes = v128.load(gridRowAddress(row), PLANES_4_TO_5_OFFSET);
  v128.store(symbolOfCell + (<usize>row << 5), symbolBytesOfBits0To15(lowPlanes, highPlanes), 0);
  v128.store(symbolOfCell + (<usize>row << 5), symbolBytesOfBits16To31(lowPlanes, highPlanes), 16);
}

/** Updates `columnBlocks` for one row: flips the row's bit in each column in which a block appeared or disappeared. */
function updateColumnsOfRow(row: u32): void {
  const address = gridRowAddress(row);
  const blocks = load<u32>(address, BLOCKS_OFFSET);
  let remaining = blocks ^ load<u32>(address, BLOCKS_IN_COLUMNS_OFFSET);
  for (; remaining != 0; remaining &= remaining - 1) {
    const column = columnBlocksAddress(ctz(remaining));
    store<u32>(column, load<u32>(column) ^ (1 << row));
  }
  store<u32>(address, blocks, BLOCKS_IN_COLUMNS_OFFSET);
}

@inline
function columnBlocksAddress(col: u32): usize {
  return columnBlocks + (<usize>col << 2);
}

/** Returns the symbol numbers of the cells at bits 0-15 of a row, one byte per cell. */
@inline
function symbolBytesOfBits0To15(lowPlanes: v128, highPlanes: v128): v128 {
  const plane0 = v128.shuffle<u8>(lowPlanes, lowPlanes, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  const plane1 = v128.shuffle<u8>(lowPlanes, lowPlanes, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5);
  const plane2 = v128.shuffle<u8>(lowPlanes, lowPlanes, 8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9);
  const plane3 = v128.shuffle<u8>(lowPlanes, lowPlanes, 12, 12, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 13, 13, 13);
  const plane4 = v128.shuffle<u8>(highPlanes, highPlanes, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  const plane5 = v128.shuffle<u8>(highPlanes, highPlanes, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5);
  const bits0And1 = v128.or(bytesOfPlane(plane0, 1), bytesOfPlane(plane1, 2));
  const bits2And3 = v128.or(bytesOfPlane(plane2, 4), bytesOfPlane(plane3, 8));
  return v128.or(v128.or(bits0And1, bits2And3), v128.or(bytesOfPlane(plane4, 16), bytesOfPlane(plane5, 32)));
}

/** Returns the symbol numbers of the cells at bits 16-31 of a row, one byte per cell. */
@inline
function symbolBytesOfBits16To31(lowPlanes: v128, highPlanes: v128): v128 {
  return symbolBytesOfBits0To15(i32x4.shr_u(lowPlanes, 16), i32x4.shr_u(highPlanes, 16));
}

/**
 * Returns a vector of 16 bytes, one for each of 16 cells. A byte is `value` if the cell's bit of a bit plane is set,
 * else 0. `plane` contains each of two bytes of the bit plane eight times, so its byte i contains the bit of cell i.
 */
@inline
function bytesOfPlane(plane: v128, value: u8): v128 {
  const bits = i64x2.splat(0x8040201008040201);
  return v128.and(i8x16.eq(v128.and(plane, bits), bits), i8x16.splat(value));
}

// --- Links of one segment --------------------------------------------------------------------------------

/** Returns the OR of the four u32 lanes of a vector. */
@inline
function orOfLanes(vector: v128): u32 {
  const halves = v128.or(vector, v128.shuffle<u32>(vector, vector, 2, 3, 0, 1));
  return i32x4.extract_lane(v128.or(halves, v128.shuffle<u32>(halves, halves, 1, 0, 3, 2)), 0);
}

/**
 * Finds the pair to pop among the links of one segment, and returns whether a link of one segment exists. The loop
 * goes through the rows from the bottom to the top, and also computes the sights to the south. The last row in which
 * the loop finds a link is the topmost row with a link.
 */
function findStraightLink(): bool {
  for (; rowsWithStaleWestSights != 0; rowsWithStaleWestSights &= rowsWithStaleWestSights - 1) {
    updateWestSights(ctz(rowsWithStaleWestSights));
  }
  let southSightsLow = i32x4.splat(NO_SYMBOL);
  let southSightsHigh = i32x4(NO_SYMBOL, NO_SYMBOL, 0, 0);
  let topRow: u32 = 0;
  let sameAsSouthInTopRow: u32 = 0;
  for (let row = rows; row > 0; row--) {
    const address = gridRowAddress(row);
    const lowPlanes = v128.load(address, PLANES_0_TO_3_OFFSET);
    const highPlanes = v128.load(address, PLANES_4_TO_5_OFFSET);
    const blocks = load<u32>(address, BLOCKS_OFFSET);
    v128.store(sightRowAddress(row), southSightsLow, SOUTH_SIGHTS_OFFSET);
    v128.store(sightRowAddress(row), southSightsHigh, SOUTH_SIGHTS_OFFSET + 16);
    const differingCells = orOfLanes(
      v128.or(v128.xor(lowPlanes, southSightsLow), v128.xor(highPlanes, southSightsHigh)),
    );
    const sameAsSouth = blocks & ~differingCells;
    if (sameAsSouth | load<u32>(address, SAME_AS_WEST_OFFSET)) {
      topRow = row;
      sameAsSouthInTopRow = sameAsSouth;
    }
    southSightsLow = v128.bitselect(lowPlanes, southSightsLow, i32x4.splat(blocks));
    southSightsHigh = v128.bitselect(highPlanes, southSightsHigh, i32x4.splat(blocks));
  }
  if (topRow == 0) return false;
  setStraightPair(topRow, sameAsSouthInTopRow);
  return true;
}

/**
 * Computes the sights to the west of all cells of a row: a carry takes the symbol of each block eastwards through the
 * empty cells after the block. Then the function finds the blocks that have the same symbol as the next block to the
 * west.
 */
function updateWestSights(row: u32): void {
  const address = gridRowAddress(row);
  const lowPlanes = v128.load(address, PLANES_0_TO_3_OFFSET);
  const highPlanes = v128.load(address, PLANES_4_TO_5_OFFSET);
  const blocks = load<u32>(address, BLOCKS_OFFSET);
  const emptyCells = i32x4.splat(~blocks);
  const westSightsLow = sightsToWest(lowPlanes, emptyCells);
  const westSightsHigh = sightsToWest(highPlanes, emptyCells);
  v128.store(sightRowAddress(row), westSightsLow, WEST_SIGHTS_OFFSET);
  v128.store(sightRowAddress(row), westSightsHigh, WEST_SIGHTS_OFFSET + 16);
  const differingLow = v128.xor(lowPlanes, i32x4.shl(v128.or(lowPlanes, westSightsLow), 1));
  const differingHigh = v128.xor(highPlanes, i32x4.shl(v128.or(highPlanes, westSightsHigh), 1));
  store<u32>(address, blocks & ~orOfLanes(v128.or(differingLow, differingHigh)), SAME_AS_WEST_OFFSET);
}

/**
 * Returns for each bit plane and each empty cell the plane's bit of the nearest block to the west. A run of empty
 * cells is a run of ones in `emptyCells`. Adding a bit at the west end of a run makes a carry that clears the whole
 * run. So the addition clears exactly the runs after a block whose bit is set.
 */
@inline
function sightsToWest(planes: v128, emptyCells: v128): v128 {
  const enteringBits = v128.and(i32x4.shl(planes, 1), emptyCells);
  return v128.andnot(emptyCells, i32x4.add(emptyCells, enteringBits));
}

/**
 * Sets the pair to pop to the leftmost block of the given row that has a link of one segment, and the partner of this
 * block. A partner in the same row is preferred to a partner in a lower row.
 */
function setStraightPair(row: u32, sameAsSouth: u32): void {
  const blocks = blocksOfRow(row);
  const sameAsWest = load<u32>(gridRowAddress(row), SAME_AS_WEST_OFFSET);
  const eastEndCol = ctz(sameAsWest);
  const horizontalLinkCol = sameAsWest ? highestBitBelow(blocks, eastEndCol) : NO_BLOCK;
  const verticalLinkCol = sameAsSouth ? ctz(sameAsSouth) : NO_BLOCK;
  if (horizontalLinkCol <= verticalLinkCol) {
    firstBlockCell = (row << 5) | horizontalLinkCol;
    secondBlockCell = (row << 5) | eastEndCol;
    return;
  }
  firstBlockCell = (row << 5) | verticalLinkCol;
  let rowBelow = row + 1;
  while (((blocksOfRow(rowBelow) >> verticalLinkCol) & 1) == 0) rowBelow++;
  secondBlockCell = (rowBelow << 5) | verticalLinkCol;
}

/** Returns the index of the highest set bit of `bits` below index `bit`. `bits` must have a set bit below `bit`. */
@inline
function highestBitBelow(bits: u32, bit: u32): u32 {
  return 31 - clz(bits & ((1 << bit) - 1));
}

/**
 * Returns the index of the lowest set bit of `bits` above index `bit`. `bits` must have a set bit above `bit`, and
 * `bit` is at most 30.
 */
@inline
function lowestBitAbove(bits: u32, bit: u32): u32 {
  return ctz(bits & (0xfffffffe << bit));
}

// --- Links of two segments -------------------------------------------------------------------------------

/** Finds the pair to pop among the links of two segments. Returns whether a link of two segments exists. */
function findLinkWithOneCorner(): bool {
  for (; rowsWithStaleEastSights != 0; rowsWithStaleEastSights &= rowsWithStaleEastSights - 1) {
    updateEastSights(ctz(rowsWithStaleEastSights));
  }
  if (!findCorners()) return false;
  setFirstBlockOfCornerLinks();
  setSecondBlockByCorner(firstBlockCell >> 5, firstBlockCell & 31);
  return true;
}

/**
 * Computes the sights to the east of all cells of a row. The carries of an addition run only from west to east. So
 * the function takes the symbols of the blocks to the west by shifts of 1, 1, 2, 4, 8 and 16 cells.
 */
function updateEastSights(row: u32): void {
  const address = gridRowAddress(row);
  const blockWithin1 = load<u32>(address, BLOCKS_OFFSET) >> 1;
  const blockWithin2 = blockWithin1 | (blockWithin1 >> 1);
  const blockWithin4 = blockWithin2 | (blockWithin2 >> 2);
  const blockWithin8 = blockWithin4 | (blockWithin4 >> 4);
  const blockWithin16 = blockWithin8 | (blockWithin8 >> 8);
  const lowPlanes = v128.load(address, PLANES_0_TO_3_OFFSET);
  const lowSights = sightsToEast(lowPlanes, blockWithin1, blockWithin2, blockWithin4, blockWithin8, blockWithin16);
  const highPlanes = v128.load(address, PLANES_4_TO_5_OFFSET);
  const highSights = sightsToEast(highPlanes, blockWithin1, blockWithin2, blockWithin4, blockWithin8, blockWithin16);
  v128.store(sightRowAddress(row), lowSights, EAST_SIGHTS_OFFSET);
  v128.store(sightRowAddress(row), highSights, EAST_SIGHTS_OFFSET + 16);
}

/**
 * Returns for each bit plane and each cell the plane's bit of the nearest block to the east. `blockWithinK` contains
 * the cells that have a block at most K cells to the east. The bits of these cells are already final when the function
 * shifts by K, so the shift must not change them.
 */
@inline
function sightsToEast(
  planes: v128,
  blockWithin1: u32,
  blockWithin2: u32,
  blockWithin4: u32,
  blockWithin8: u32,
  blockWithin16: u32,
): v128 {
  let eastSights = i32x4.shr_u(planes, 1);
  eastSights = v128.or(eastSights, v128.andnot(i32x4.shr_u(eastSights, 1), i32x4.splat(blockWithin1)));
  eastSights = v128.or(eastSights, v128.andnot(i32x4.shr_u(eastSights, 2), i32x4.splat(blockWithin2)));
  eastSights = v128.or(eastSights, v128.andnot(i32x4.shr_u(eastSights, 4), i32x4.splat(blockWithin4)));
  eastSights = v128.or(eastSights, v128.andnot(i32x4.shr_u(eastSights, 8), i32x4.splat(blockWithin8)));
  return v128.or(eastSights, v128.andnot(i32x4.shr_u(eastSights, 16), i32x4.splat(blockWithin16)));
}

/**
 * Fills the corner rows with the corners: the empty cells whose sight along the row equals their sight along the
 * column. Returns whether the board has a corner.
 */
function findCorners(): bool {
  let northSightsLow = i32x4.splat(NO_SYMBOL);
  let northSightsHigh = i32x4(NO_SYMBOL, NO_SYMBOL, 0, 0);
  let cornersOfAllRows = i32x4.splat(0);
  for (let row: u32 = 1; row <= rows; row++) {
    const address = gridRowAddress(row);
    const blockMask = v128.load_splat<u32>(address, BLOCKS_OFFSET);
    const unequalSights = cellsWithUnequalSights(sightRowAddress(row), northSightsLow, northSightsHigh);
    const equalSights = v128.not(v128.or(blockMask, unequalSights));
    v128.store(cornerRowAddress(row), equalSights);
    cornersOfAllRows = v128.or(cornersOfAllRows, equalSights);
    northSightsLow = v128.bitselect(v128.load(address, PLANES_0_TO_3_OFFSET), northSightsLow, blockMask);
    northSightsHigh = v128.bitselect(v128.load(address, PLANES_4_TO_5_OFFSET), northSightsHigh, blockMask);
  }
  return v128.any_true(cornersOfAllRows);
}

/** Returns, for each of the four pairs of directions of a corner row, the cells whose sights in them differ. */
@inline
function cellsWithUnequalSights(address: usize, northSightsLow: v128, northSightsHigh: v128): v128 {
  const westSightsLow = v128.load(address, WEST_SIGHTS_OFFSET);
  const westSightsHigh = v128.load(address, WEST_SIGHTS_OFFSET + 16);
  const eastSightsLow = v128.load(address, EAST_SIGHTS_OFFSET);
  const eastSightsHigh = v128.load(address, EAST_SIGHTS_OFFSET + 16);
  const southSightsLow = v128.load(address, SOUTH_SIGHTS_OFFSET);
  const southSightsHigh = v128.load(address, SOUTH_SIGHTS_OFFSET + 16);
  const westNorthDifference = v128.or(
    v128.xor(westSightsLow, northSightsLow),
    v128.xor(westSightsHigh, northSightsHigh),
  );
  const eastNorthDifference = v128.or(
    v128.xor(eastSightsLow, northSightsLow),
    v128.xor(eastSightsHigh, northSightsHigh),
  );
  const westSouthDifference = v128.or(
    v128.xor(westSightsLow, southSightsLow),
    v128.xor(westSightsHigh, southSightsHigh),
  );
  const eastSouthDifference = v128.or(
    v128.xor(eastSightsLow, southSightsLow),
    v128.xor(eastSightsHigh, southSightsHigh),
  );
  const northDifferences = halfOrOfLanes(westNorthDifference, eastNorthDifference);
  const southDifferences = halfOrOfLanes(westSouthDifference, eastSouthDifference);
  return v128.or(
    v128.shuffle<u32>(northDifferences, southDifferences, 0, 1, 4, 5),
    v128.shuffle<u32>(northDifferences, southDifferences, 2, 3, 6, 7),
  );
}

/** Returns the lanes a0 | a2, b0 | b2, a1 | a3, b1 | b3: the first half of computing the OR of all lanes of a and b. */
@inline
function halfOrOfLanes(a: v128, b: v128): v128 {
  return v128.or(v128.shuffle<u32>(a, b, 0, 4, 1, 5), v128.shuffle<u32>(a, b, 2, 6, 3, 7));
}

/**
 * Sets `firstBlockCell` to the topmost, then leftmost, end of all links of two segments. If one end of a link is north
 * of the link's corner, that end is the upper end. Else the upper end is in the row of the corner. The loop goes
 * through the rows from the bottom to the top. `climbingCols` contains the columns in which a link goes north from a
 * corner in a lower row, and has crossed only empty cells so far.
 */
function setFirstBlockOfCornerLinks(): void {
  let climbingCols: u32 = 0;
  let topRow: u32 = 0;
  let topUpperEnds: u32 = 0;
  for (let row = rows; row > 0; row--) {
    const blocks = blocksOfRow(row);
    const address = cornerRowAddress(row);
    const upperEndsOfRow = climbingCols & blocks;
    if (upperEndsOfRow | load<u32>(address, WEST_SOUTH_OFFSET) | load<u32>(address, EAST_SOUTH_OFFSET)) {
      topRow = row;
      topUpperEnds = upperEndsOfRow;
    }
    climbingCols =
      (climbingCols & ~blocks) | load<u32>(address, WEST_NORTH_OFFSET) | load<u32>(address, EAST_NORTH_OFFSET);
  }
  firstBlockCell = (topRow << 5) | leftmostUpperEndCol(topRow, topUpperEnds);
}

/** Returns the column of the leftmost upper end of a link in `row`, the topmost row that has an upper end. */
function leftmostUpperEndCol(row: u32, upperEnds: u32): u32 {
  const blocks = blocksOfRow(row);
  const westSouthCorners = load<u32>(cornerRowAddress(row), WEST_SOUTH_OFFSET);
  const eastSouthCorners = load<u32>(cornerRowAddress(row), EAST_SOUTH_OFFSET);
  let col = upperEnds ? ctz(upperEnds) : NO_BLOCK;
  if (westSouthCorners) col = min(col, highestBitBelow(blocks, ctz(westSouthCorners)));
  if (eastSouthCorners) col = min(col, lowestBitAbove(blocks, ctz(eastSouthCorners)));
  return col;
}

/**
 * Sets `secondBlockCell` to the topmost, then leftmost, block that a link of two segments joins to the first block of
 * the pair. The loop goes through the rows downwards from the first block. A link may go down from a corner in the row
 * of the first block: `fallingCols` contains the columns in which a link goes down. Or the link goes down from the
 * first block to a corner in the first block's column: `openColBelow` contains the bit of this column as long as all
 * cells below the first block are empty.
 */
function setSecondBlockByCorner(row: u32, col: u32): void {
  const blocksOfFirstRow = blocksOfRow(row);
  let fallingCols = load<u32>(cornerRowAddress(row), WEST_SOUTH_OFFSET) & emptyRunEastOf(blocksOfFirstRow, col);
  fallingCols |= load<u32>(cornerRowAddress(row), EAST_SOUTH_OFFSET) & emptyRunWestOf(blocksOfFirstRow, col);
  let openColBelow: u32 = 1 << col;
  let partnerCol = NO_BLOCK;
  while (partnerCol == NO_BLOCK) {
    const blocks = blocksOfRow(++row);
    const address = cornerRowAddress(row);
    openColBelow &= ~blocks;
    if (fallingCols & blocks) partnerCol = ctz(fallingCols & blocks);
    if (load<u32>(address, WEST_NORTH_OFFSET) & openColBelow) {
      partnerCol = min(partnerCol, highestBitBelow(blocks, col));
    } else if (load<u32>(address, EAST_NORTH_OFFSET) & openColBelow) {
      partnerCol = min(partnerCol, lowestBitAbove(blocks, col));
    }
  }
  secondBlockCell = (row << 5) | partnerCol;
}

/** Returns the empty cells between the cell at `bit` of a row and the next block to the east. `bit` is below 31. */
@inline
function emptyRunEastOf(blocks: u32, bit: u32): u32 {
  return ~blocks & ~(~blocks + (2 << bit));
}

/** Returns the empty cells between the cell at `bit` of a row and the next block to the west. */
@inline
function emptyRunWestOf(blocks: u32, bit: u32): u32 {
  const bitsToWest = ((<u32>1) << bit) - 1;
  // If no block is west of `bit`, clz returns 32, and the run of empty cells extends to bit 0.
  return bitsToWest & ~((<u32>((<u64>1) << (32 - clz(blocks & bitsToWest)))) - 1);
}

/** Returns the empty cells between the cell at `bit` of a row and the next blocks to the west and to the east. */
@inline
function emptyRunsBeside(blocks: u32, bit: u32): u32 {
  return emptyRunEastOf(blocks, bit) | emptyRunWestOf(blocks, bit);
}

// --- Links of three segments -----------------------------------------------------------------------------

/** Finds the pair to pop among the links of three segments. Returns whether a link of three segments exists. */
function findLinkWithTwoCorners(): bool {
  updateChangedCells();
  firstBlockCell = NO_BLOCK;
  sweepUpward();
  if (sweepEastward()) sweepWestward();
  if (firstBlockCell == NO_BLOCK) return false;
  setSecondBlockByTwoCorners(firstBlockCell >> 5, firstBlockCell & 31);
  return true;
}

/**
 * Finds the upper ends of the links whose middle segment lies in a column. The sweep goes from the bottom row to the
 * top row. A block is the upper end of a link if a lower block with the same symbol has an open view on the same empty
 * run of a column.
 */
function sweepUpward(): void {
  removeEndedRuns(0);
  for (let row = rows; row > 0; row--) sweepLine(blocksOfRow(row), row << 5, 0);
}

/**
 * Finds the east ends of the links whose middle segment lies in a row. Returns whether a link exists. Either end of
 * such a link may be the topmost, so `sweepWestward` must then find the west ends.
 */
function sweepEastward(): bool {
  removeEndedRuns(0);
  let linkedRuns: u32 = 0;
  for (let col: u32 = 1; col <= cols; col++) linkedRuns |= sweepLine(load<u32>(columnBlocksAddress(col)), col, 5);
  return linkedRuns != 0;
}

/** Finds the west ends of the links whose middle segment lies in a row. The sweep goes from east to west. */
function sweepWestward(): void {
  removeEndedRuns(0);
  for (let col = cols; col > 0; col--) sweepLine(load<u32>(columnBlocksAddress(col)), col, 5);
}

/**
 * Continues a sweep with the next line: a row of an upward sweep, or a column of a sideways sweep. The block at bit i
 * of the line is the cell `firstCellOfLine | i << shift`. Each block with an empty neighbour in the line has an open
 * view on the empty runs that cross the line next to the block. The function links the block to earlier blocks with
 * the same symbol that have a view on the same runs. Take two consecutive blocks that have an empty neighbour: the
 * cells between the two blocks are all empty or all blocks, so a subtraction of bits gives the empty cells. Returns
 * nonzero if a link was found.
 */
@inline
function sweepLine(blocks: u32, firstCellOfLine: u32, shift: u32): u32 {
  if (blocks == 0) return 0;
  const emptyCells = ~blocks;
  removeEndedRuns(emptyCells);
  let linkedRuns: u32 = 0;
  let remaining = blocks & ((emptyCells << 1) | (emptyCells >> 1));
  let blockBit = remaining & (0 - remaining);
  let emptyBefore = (blockBit - 1) & emptyCells;
  while (remaining != 0) {
    const cell = firstCellOfLine | (ctz(remaining) << shift);
    remaining &= remaining - 1;
    const nextBlockBit = remaining & (0 - remaining);
    // Subtracting twice the bit of this block from the bit of the next block sets the bits between the two blocks. If
    // no block follows, the subtraction sets all bits from this block up to bit 31.
    const emptyAfter = (nextBlockBit - (blockBit << 1)) & emptyCells;
    linkedRuns |= addView(cell, emptyBefore | emptyAfter);
    emptyBefore = emptyAfter;
    blockBit = nextBlockBit;
  }
  return linkedRuns;
}

/** Removes from `runsSeenBySymbol` the empty runs that end at a line: all runs whose bit in `emptyCells` is not set. */
@inline
function removeEndedRuns(emptyCells: u32): void {
  const mask = i32x4.splat(emptyCells);
  const end = runsSeenBySymbol + (<usize>symbolNumberEnd << 2);
  for (let address = runsSeenBySymbol; address < end; address += 16) {
    v128.store(address, v128.and(v128.load(address), mask));
  }
}

/**
 * Adds the empty runs in `visibleRuns`, on which the block at `cell` has an open view, to the runs of the block's
 * symbol. If an earlier block with this symbol has a view on one of the runs in `visibleRuns`, the block at `cell` is
 * the end of a link: the block may become the first block of the pair, and the function returns nonzero.
 */
@inline
function addView(cell: u32, visibleRuns: u32): u32 {
  const address = runsSeenBySymbol + (<usize>symbolAt(cell) << 2);
  const earlierRuns = load<u32>(address);
  if (earlierRuns & visibleRuns && cell < firstBlockCell) firstBlockCell = cell;
  store<u32>(address, earlierRuns | visibleRuns);
  return earlierRuns & visibleRuns;
}

/**
 * Sets `secondBlockCell` to the topmost, then leftmost, block that a link of three segments joins to the first block
 * of the pair. The middle segment of the link may lie in a column or in a row.
 */
function setSecondBlockByTwoCorners(row: u32, col: u32): void {
  fillSameSymbolAsFirst(row, col);
  secondBlockCell = min(partnerOverColumns(row, col), partnerOverRows(row, col));
}

/**
 * Fills `sameSymbolAsFirst` with the other blocks that have the symbol of the first block of the pair, for the row of
 * the first block and all rows below.
 */
function fillSameSymbolAsFirst(row: u32, col: u32): void {
  const symbol = symbolAt((row << 5) | col);
  for (let otherRow = row; otherRow <= rows; otherRow++) {
    let differingCells: u32 = 0;
    for (let plane: u32 = 0; plane < PLANE_COUNT; plane++)
      differingCells |= load<u32>(gridRowAddress(otherRow) + (<usize>plane << 2)) ^ (0 - ((symbol >> plane) & 1));
    store<u32>(sameSymbolAsFirst + (<usize>otherRow << 2), blocksOfRow(otherRow) & ~differingCells);
  }
  store<u32>(sameSymbolAsFirst + (<usize>row << 2), sameSymbolAsFirstIn(row) & ~(1 << col));
}

@inline
function sameSymbolAsFirstIn(row: u32): u32 {
  return load<u32>(sameSymbolAsFirst + (<usize>row << 2));
}

/**
 * Returns the topmost, then leftmost, block that a link with a middle segment in a column joins to the first block of
 * the pair. The loop goes down from the row of the first block. `openCols` contains the columns that are visible from
 * the first block along its row, and that are empty down to the current row. The search ends at the first block of the
 * same symbol from which one of these columns is visible along the row.
 */
function partnerOverColumns(row: u32, col: u32): u32 {
  let openCols = emptyRunsBeside(blocksOfRow(row), col);
  for (let rowBelow = row + 1; rowBelow <= rows && openCols != 0; rowBelow++) {
    const blocks = blocksOfRow(rowBelow);
    openCols &= ~blocks;
    for (let remaining = sameSymbolAsFirstIn(rowBelow); remaining != 0; remaining &= remaining - 1)
      if (openCols & emptyRunsBeside(blocks, ctz(remaining))) return (rowBelow << 5) | ctz(remaining);
  }
  return NO_BLOCK;
}

/**
 * Returns the topmost, then leftmost, block that a link with a middle segment in a row joins to the first block of
 * the pair. The link goes up or down from the first block, follows a row, and then goes up or down to the partner. The
 * partner is never above the row of the first block.
 */
function partnerOverRows(row: u32, col: u32): u32 {
  const visibleCells = emptyRunsBeside(load<u32>(columnBlocksAddress(col)), row);
  return min(partnerReachedDownward(row, col, visibleCells), partnerReachedUpward(row, col, visibleCells));
}

/**
 * Returns the topmost partner of the first block over links whose middle segment lies in a row and whose last segment
 * goes down. `fallingCols` contains the columns in which the last segment can go down.
 */
function partnerReachedDownward(row: u32, col: u32, visibleCells: u32): u32 {
  let fallingCols: u32 = 0;
  for (let otherRow: u32 = 0; otherRow <= rows; otherRow++) {
    const partners = otherRow < row ? 0 : fallingCols & sameSymbolAsFirstIn(otherRow);
    if (partners) return (otherRow << 5) | ctz(partners);
    fallingCols = (fallingCols & ~blocksOfRow(otherRow)) | visibleEmptyRun(visibleCells, otherRow, col);
  }
  return NO_BLOCK;
}

/**
 * Returns the topmost partner of the first block over links whose middle segment lies in a row and whose last segment
 * goes up. `risingCols` contains the columns in which the last segment can go up.
 */
function partnerReachedUpward(row: u32, col: u32, visibleCells: u32): u32 {
  let topmostPartner = NO_BLOCK;
  let risingCols = visibleEmptyRun(visibleCells, rows + 1, col);
  for (let otherRow = rows; otherRow >= row; otherRow--) {
    const partners = risingCols & sameSymbolAsFirstIn(otherRow);
    if (partners) topmostPartner = (otherRow << 5) | ctz(partners);
    risingCols = (risingCols & ~blocksOfRow(otherRow)) | visibleEmptyRun(visibleCells, otherRow, col);
  }
  return topmostPartner;
}

/**
 * Returns the run of empty cells of a row that contains column `col`, the column of the first block of the pair.
 * Returns 0 if the row's cell in this column is not in `visibleCells`, the cells that are visible from the first block.
 */
@inline
function visibleEmptyRun(visibleCells: u32, row: u32, col: u32): u32 {
  return (visibleCells >> row) & 1 ? emptyRunsBeside(blocksOfRow(row), col) | (1 << col) : 0;
}

// --- Popping and moving ----------------------------------------------------------------------------------

function popPair(): void {
  removeBlock(firstBlockCell);
  removeBlock(secondBlockCell);
}

/** Removes the block at a cell: clears the bit of the cell in all words of the cell's grid row. */
function removeBlock(cell: u32): void {
  const row = cell >> 5;
  const address = gridRowAddress(row);
  const otherCells = i32x4.splat(~(1 << (cell & 31)));
  v128.store(address, v128.and(v128.load(address, PLANES_0_TO_3_OFFSET), otherCells), PLANES_0_TO_3_OFFSET);
  v128.store(address, v128.and(v128.load(address, PLANES_4_TO_5_OFFSET), otherCells), PLANES_4_TO_5_OFFSET);
  v128.store(address, v128.and(v128.load(address, DIRECTIONS_OFFSET), otherCells), DIRECTIONS_OFFSET);
  store<u32>(address, load<u32>(address, BLOCKS_OFFSET) & ~(1 << (cell & 31)), BLOCKS_OFFSET);
  markRowsChanged(1 << row);
}

/** Marks rows as changed. The bits that are set in `changedRows` are the indices of these rows. */
@inline
function markRowsChanged(changedRows: u32): void {
  rowsWithStaleWestSights |= changedRows;
  rowsWithStaleEastSights |= changedRows;
  rowsWithStaleCells |= changedRows;
}

/**
 * Plays turns in which blocks move, until a turn moves no block. In the first turn, a block can move only if its row
 * is a row of the popped pair or a neighbour of such a row.
 */
function playTurns(): void {
  const poppedRows = ((<u32>1) << (firstBlockCell >> 5)) | ((<u32>1) << (secondBlockCell >> 5));
  rowsDueThisTurn = (poppedRows | (poppedRows << 1) | (poppedRows >> 1)) & maskOfAllRows();
  for (; rowsDueThisTurn != 0; rowsDueThisTurn = rowsDueNextTurn) playTurn();
}

/**
 * Plays one turn: moves the blocks row by row from the top. A block that has moved into another row in this turn does
 * not move again.
 */
function playTurn(): void {
  rowsDueNextTurn = 0;
  rowOfArrivals = 0;
  while (rowsDueThisTurn != 0) {
    const row = ctz(rowsDueThisTurn);
    rowsDueThisTurn &= rowsDueThisTurn - 1;
    moveBlocksOfRow(row, rowOfArrivals == row ? blocksArrivedThisTurn : 0);
  }
}

/**
 * Moves the blocks of one row from left to right, except the blocks in `arrivedBlocks`, which came from the row above
 * in this turn. A block moves up, down or right only into a cell that is free before the blocks of this row move. A
 * block that moves left may also enter the cell that its left neighbour has just left. So blocks that move left form
 * trains. The head of a train moves into a cell that was free or whose block has just moved up or down. Each other
 * block of the train follows its left neighbour.
 */
function moveBlocksOfRow(row: u32, arrivedBlocks: u32): void {
  const address = gridRowAddress(row);
  const freeCells = freeCellsOfGridRow(address);
  const up = load<u32>(address, UP_MOVERS_OFFSET) & freeCellsOfGridRow(address - GRID_ROW_BYTES) & ~arrivedBlocks;
  const down = load<u32>(address, DOWN_MOVERS_OFFSET) & freeCellsOfGridRow(address + GRID_ROW_BYTES) & ~arrivedBlocks;
  const right = load<u32>(address, RIGHT_MOVERS_OFFSET) & (freeCells >> 1) & ~arrivedBlocks;
  const leftMovers = load<u32>(address, LEFT_MOVERS_OFFSET) & ~arrivedBlocks;
  const trainHeads = leftMovers & (((freeCells & ~(right << 1)) | up | down) << 1);
  // Adding the bit of the head of a train makes a carry that flips the bits of all blocks of the train.
  const left = leftMovers & (((leftMovers + trainHeads) ^ leftMovers) | trainHeads);
  if ((up | down | left | right) == 0) return;
  storeMovedBlocks(address, up, down, left, right);
  markRowsDue(row, up, down, left, right);
  blocksArrivedThisTurn = down;
  rowOfArrivals = row + 1;
}

/** Returns the cells of a grid row that belong to the board and have no block. */
@inline
function freeCellsOfGridRow(address: usize): u32 {
  return load<u32>(address, BOARD_CELLS_OFFSET) & ~load<u32>(address, BLOCKS_OFFSET);
}

/** Moves the given blocks of a grid row: moves their bits in all words of this grid row and of its two neighbours. */
@inline
function storeMovedBlocks(address: usize, up: u32, down: u32, left: u32, right: u32): void {
  moveBitsOfFourWords(address + PLANES_0_TO_3_OFFSET, up, down, left, right);
  moveBitsOfFourWords(address + PLANES_4_TO_5_OFFSET, up, down, left, right);
  moveBitsOfFourWords(address + DIRECTIONS_OFFSET, up, down, left, right);
  const bitsThatStay = load<u32>(address, BLOCKS_OFFSET) & ~(up | down | left | right);
  store<u32>(address, bitsThatStay | (left >> 1) | (right << 1), BLOCKS_OFFSET);
  store<u32>(address - GRID_ROW_BYTES, load<u32>(address - GRID_ROW_BYTES, BLOCKS_OFFSET) | up, BLOCKS_OFFSET);
  store<u32>(address + GRID_ROW_BYTES, load<u32>(address + GRID_ROW_BYTES, BLOCKS_OFFSET) | down, BLOCKS_OFFSET);
}

/**
 * Moves the bits of the given blocks in four words of a grid row, which begin at `address`. The same four words of the
 * grid rows above and below are GRID_ROW_BYTES before and after `address`.
 */
@inline
function moveBitsOfFourWords(address: usize, up: u32, down: u32, left: u32, right: u32): void {
  const fourWords = v128.load(address);
  if (up) setBitsOfFourWords(address - GRID_ROW_BYTES, v128.and(fourWords, i32x4.splat(up)));
  if (down) setBitsOfFourWords(address + GRID_ROW_BYTES, v128.and(fourWords, i32x4.splat(down)));
  const bitsThatStay = v128.andnot(fourWords, i32x4.splat(up | down | left | right));
  const bitsMovedLeft = i32x4.shr_u(v128.and(fourWords, i32x4.splat(left)), 1);
  const bitsMovedRight = i32x4.shl(v128.and(fourWords, i32x4.splat(right)), 1);
  v128.store(address, v128.or(bitsThatStay, v128.or(bitsMovedLeft, bitsMovedRight)));
}

/** Sets the bits that are set in `fourWords` in the four words at `address`. */
@inline
function setBitsOfFourWords(address: usize, bits: v128): void {
  v128.store(address, v128.or(v128.load(address), bits));
}

/**
 * Marks the rows in which blocks may be able to move because blocks of one row have moved. A block in the row below may
 * move up into a vacated cell later in this turn. In the next turn, a block above or to the west of a vacated cell may
 * move into this cell, and a block that has moved may move again.
 */
@inline
function markRowsDue(row: u32, up: u32, down: u32, left: u32, right: u32): void {
  const address = gridRowAddress(row);
  const vacatedCells = up | down | left | right;
  if (vacatedCells & load<u32>(address + GRID_ROW_BYTES, UP_MOVERS_OFFSET)) rowsDueThisTurn |= 1 << (row + 1);
  if (up | (vacatedCells & load<u32>(address - GRID_ROW_BYTES, DOWN_MOVERS_OFFSET))) rowsDueNextTurn |= 1 << (row - 1);
  if (left | right | (vacatedCells & (load<u32>(address, RIGHT_MOVERS_OFFSET) << 1))) rowsDueNextTurn |= 1 << row;
  if (down) rowsDueNextTurn |= 1 << (row + 1);
  markRowsChanged((1 << row) | (up ? 1 << (row - 1) : 0) | (down ? 1 << (row + 1) : 0));
}
