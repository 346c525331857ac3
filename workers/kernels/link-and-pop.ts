/**
 * link-and-pop, bit-sliced: a row of the board is one 32-bit word a plane, and every step of the game is a
 * few word operations on whole rows. AssemblyScript; boards up to 30 x 30, so that a row with its ring is a
 * word.
 *
 * No pair is tested. A link of two segments turns at an empty cell, and that cell sees one end along its row
 * and the other along its column. So we carry the symbol number of the nearest block in each direction, as
 * six bit planes, to all empty cells at once and compare: `corners` are the cells where a sideways sight
 * equals an upright one. The first block to pop is the smallest endpoint over all corners, for its partner
 * is an endpoint too. Links of three segments are found symbol by symbol: `seen` tells from which columns'
 * (or rows') current empty runs a block of the symbol was seen. A turn of moves is four masks a row.
 *
 * Why not cache each block's best link and redo only what a pop changed? The whole board is surveyed in about
 * a thousand vector instructions, which is less than it takes to tell which of the cached links still hold.
 *
 * Cost a pop: O(rows) vector instructions; O(blocks) words more where only three segments are left.
 * Reference: ACM ICPC Asia Regional, Shanghai 2004, "Link and Pop - the Block Game" (ZOJ 2391).
 *
 * Layout. Cell (row, col) of the board is bit col + 1 of grid row row + 1; the ring is bits 0 and cols + 1
 * and rows 0 and rows + 1; whatever lies beyond is empty as the ring is, which changes no link.
 *
 *   The one row AS BU CL is grid row 1:   bit      0  1  2  3  4     bits 0 and 4 are the ring
 *                                         plane 0  .  1  .  1  .     A = 1, B = 2, C = 3
 *                                         plane 1  .  .  1  1  .
 *                                         up       .  .  1  .  .
 *                                         left     .  .  .  1  .
 *                                         blocks   .  1  1  1  .
 *
 *   grid row, 64 bytes:   +0  planes 0-3 of the symbol numbers (u32 lanes)
 *                         +16 planes 4, 5 and two lanes of zeros
 *                         +32 blocks that go up, down, left, right (u32 lanes)
 *                         +48 blocks   +52 where blocks may be   +56 blocks whose next one westwards is alike
 *                         +60 blocks as `columns` has them
 *   sight row, 96 bytes:  +0  west  +32 east  +64 south: symbol numbers as planes, 0-3 then 4-5
 *   corner row, 16 bytes: empty cells where sights agree: west-north, east-north, west-south, east-south
 *
 * Invariants: planes, ways and blocks of a grid row are bits of the same cells, all within `inside`. A symbol
 * number is 1..52; "no block" is 0 to the west and east and NOWHERE to the north and south, so that nothing
 * is never alike to nothing. A row that changed is in `staleWest`, `staleEast` and `staleCells` until it
 * is redrawn. Three segments are looked for only where two do not link, and two where one does not.
 */

/** The longest side of a board that fits: two bits of a word are the ring. */
const MAX_SIDE: u32 = 30;
const GRID_ROWS: u32 = 32;
/** Symbol numbers are below this, four of them a vector; six planes hold one. */
const SYMBOLS: u32 = 56;
const PLANES: u32 = 6;
/** In every lane of a sight: a symbol number that no block has. */
const NOWHERE: u32 = 0xffffffff;
const NO_BLOCK: u32 = 0xffffffff;

// Offsets in a grid row.
const GRID_BYTES: usize = 64;
const LOW: usize = 0;
const HIGH: usize = 16;
const WAYS: usize = 32;
const GO_UP: usize = 32;
const GO_DOWN: usize = 36;
const GO_LEFT: usize = 40;
const GO_RIGHT: usize = 44;
const BLOCKS: usize = 48;
const INSIDE: usize = 52;
const LIKE_WEST: usize = 56;
const DRAWN: usize = 60;

// Offsets in a sight row: planes 0-3, and 16 bytes on planes 4 and 5.
const SIGHT_BYTES: usize = 96;
const WEST: usize = 0;
const EAST: usize = 32;
const SOUTH: usize = 64;

// Offsets in a corner row.
const WEST_NORTH: usize = 0;
const EAST_NORTH: usize = 4;
const WEST_SOUTH: usize = 8;
const EAST_SOUTH: usize = 12;

/** Two ASCII bytes a cell, row-major: what the host puts in. A row is read 64 bytes at a time. */
const board = memory.data(<i32>(2 * MAX_SIDE * MAX_SIDE + 64), 16);
/** One ASCII byte a cell and a line feed after each row: what the host takes out. */
const finalRows = memory.data(<i32>((MAX_SIDE + 1) * MAX_SIDE), 16);
const grid = memory.data(<i32>(GRID_ROWS * <u32>GRID_BYTES), 64);
const sights = memory.data(<i32>(GRID_ROWS * <u32>SIGHT_BYTES), 16);
const corners = memory.data(<i32>(GRID_ROWS * 16), 16);
/** [row * 32 + col] u8: symbol number of each cell, 0 where no block is. */
const symbols = memory.data(<i32>(GRID_ROWS * 32), 16);
/** [symbol] u32: the columns, or rows, from whose current empty run a block of the symbol was seen. */
const seen = memory.data(<i32>(SYMBOLS * 4), 16);
/** [col] u32: the blocks of a column, bit = grid row. */
const columns = memory.data(32 * 4, 16);
/** [row] u32: the blocks alike to the first one. */
const alike = memory.data(<i32>(GRID_ROWS * 4), 16);

let rows: u32 = 0;
let cols: u32 = 0;
/** No symbol number on the board reaches this: 32 where the last plane is empty. */
let symbolEnd: u32 = 0;
/** Rows (bits) that changed since their sights, or their part of `symbols` and `columns`, were drawn. */
let staleWest: u32 = 0;
let staleEast: u32 = 0;
let staleCells: u32 = 0;
/** The pair to pop, as row << 5 | col. */
let first: u32 = NO_BLOCK;
let second: u32 = NO_BLOCK;
/** Rows (bits) with a block that may still move in this turn, and in the next. */
let dueNow: u32 = 0;
let dueNext: u32 = 0;
/** Blocks that came down into the row below the one moved last: checked already in this turn. */
let cameDown: u32 = 0;
let cameDownTo: u32 = 0;

export function maxSide(): u32 {
  return MAX_SIDE;
}

export function boardAddress(): usize {
  return board;
}

export function finalRowsAddress(): usize {
  return finalRows;
}

/** Plays the board at `boardAddress` to its end and leaves its rows at `finalRowsAddress`. */
export function play(boardRows: u32, boardCols: u32): void {
  rows = boardRows;
  cols = boardCols;
  setUp();
  while (findStraight() || findByCorner() || findByTwoCorners()) {
    popPair();
    takeTurns();
  }
  drawFinalRows();
}

// --- Setting up and reading off --------------------------------------------------------------------------

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

function setUp(): void {
  memory.fill(grid, 0, <usize>GRID_ROWS * GRID_BYTES);
  memory.fill(columns, 0, 32 * 4);
  symbolEnd = 32;
  for (let row: u32 = 1; row <= rows; row++) readRow(gridRow(row), board + <usize>((row - 1) * cols * 2));
  staleWest = staleEast = staleCells = allRows();
}

/** The rows of the board, as bits. */
@inline
function allRows(): u32 {
  return (2 << rows) - 2;
}

/** Reads one row of the board, and whatever lies behind it, into the planes of a grid row. */
function readRow(at: usize, from: usize): void {
  const inside: u32 = (2 << cols) - 2;
  readSymbols(at, from, inside);
  readWays(at, from, inside);
  store<u32>(at, inside, BLOCKS);
  store<u32>(at, inside, INSIDE);
}

function readSymbols(at: usize, from: usize, inside: u32): void {
  const west = symbolNumbers(evenBytes(v128.load(from), v128.load(from, 16)));
  const east = symbolNumbers(evenBytes(v128.load(from, 32), v128.load(from, 48)));
  let bits: u32 = 0;
  for (let plane: i32 = 0; plane < <i32>PLANES; plane++) {
    bits = signBits(i8x16.shl(west, 7 - plane), i8x16.shl(east, 7 - plane)) & inside;
    store<u32>(at + (<usize>plane << 2), bits);
  }
  if (bits != 0) symbolEnd = SYMBOLS;
}

function readWays(at: usize, from: usize, inside: u32): void {
  const west = oddBytes(v128.load(from), v128.load(from, 16));
  const east = oddBytes(v128.load(from, 32), v128.load(from, 48));
  store<u32>(at, cellsThatGo(0x55 /* U */, west, east) & inside, GO_UP);
  store<u32>(at, cellsThatGo(0x44 /* D */, west, east) & inside, GO_DOWN);
  store<u32>(at, cellsThatGo(0x4c /* L */, west, east) & inside, GO_LEFT);
  store<u32>(at, cellsThatGo(0x52 /* R */, west, east) & inside, GO_RIGHT);
}

@inline
function evenBytes(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}

@inline
function oddBytes(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

/** The top bit of each byte as a word of a grid row, whose bit 0 is the ring. */
@inline
function signBits(west: v128, east: v128): u32 {
  return (i8x16.bitmask(west) | (i8x16.bitmask(east) << 16)) << 1;
}

@inline
function cellsThatGo(way: u8, west: v128, east: v128): u32 {
  return signBits(i8x16.eq(west, i8x16.splat(way)), i8x16.eq(east, i8x16.splat(way)));
}

/** A-Z are 1..26, a-z are 27..52. */
@inline
function symbolNumbers(letters: v128): v128 {
  const isSmall = i8x16.ge_u(letters, i8x16.splat(0x61));
  const inAlphabet = v128.and(letters, i8x16.splat(31));
  return i8x16.add(inAlphabet, v128.and(isSmall, i8x16.splat(26)));
}

function drawFinalRows(): void {
  redraw();
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

/** Brings the cell-wise symbols and the columns up to date with the rows that changed. */
function redraw(): void {
  for (; staleCells != 0; staleCells &= staleCells - 1) {
    const row = ctz(staleCells);
    drawSymbols(row);
    drawColumns(row);
  }
}

/** From planes to one byte a cell. */
function drawSymbols(row: u32): void {
  const low = v128.load(gridRow(row), LOW);
  const high = v128.load(gridRow(row), HIGH);
  v128.store(symbols + (<usize>row << 5), symbolBytesWest(low, high), 0);
  v128.store(symbols + (<usize>row << 5), symbolBytesEast(low, high), 16);
}

/** Flips the row's bit in the columns where a block has come or gone since it was drawn there. */
function drawColumns(row: u32): void {
  const at = gridRow(row);
  const blocks = load<u32>(at, BLOCKS);
  for (let left = blocks ^ load<u32>(at, DRAWN); left != 0; left &= left - 1) {
    const column = columnAt(ctz(left));
    store<u32>(column, load<u32>(column) ^ (1 << row));
  }
  store<u32>(at, blocks, DRAWN);
}

@inline
function columnAt(col: u32): usize {
  return columns + (<usize>col << 2);
}

/** Symbol numbers of bits 0-15. */
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

/** Symbol numbers of bits 16-31: the same of the upper half of every word. */
@inline
function symbolBytesEast(low: v128, high: v128): v128 {
  return symbolBytesWest(i32x4.shr_u(low, 16), i32x4.shr_u(high, 16));
}

/** `value` in each byte whose bit of the plane is set; the plane's bytes stand eight times each. */
@inline
function planeBytes(plane: v128, value: u8): v128 {
  const bits = i64x2.splat(0x8040201008040201);
  return v128.and(i8x16.eq(v128.and(plane, bits), bits), i8x16.splat(value));
}

// --- Links of one segment --------------------------------------------------------------------------------

/** The lanes of a vector OR-ed together. */
@inline
function anyLane(v: v128): u32 {
  const halves = v128.or(v, v128.shuffle<u32>(v, v, 2, 3, 0, 1));
  return i32x4.extract_lane(v128.or(halves, v128.shuffle<u32>(halves, halves, 1, 0, 3, 2)), 0);
}

/** Finds the topmost row with a straight link's first end while drawing the sights to the south, upwards. */
function findStraight(): bool {
  for (; staleWest != 0; staleWest &= staleWest - 1) lookWest(ctz(staleWest));
  let southLow = i32x4.splat(NOWHERE);
  let southHigh = i32x4(NOWHERE, NOWHERE, 0, 0);
  let topRow: u32 = 0;
  let topLikeSouth: u32 = 0;
  for (let row = rows; row > 0; row--) {
    const at = gridRow(row);
    const low = v128.load(at, LOW);
    const high = v128.load(at, HIGH);
    const blocks = load<u32>(at, BLOCKS);
    v128.store(sightRow(row), southLow, SOUTH);
    v128.store(sightRow(row), southHigh, SOUTH + 16);
    const differ = anyLane(v128.or(v128.xor(low, southLow), v128.xor(high, southHigh)));
    const likeSouth = blocks & ~differ;
    if (likeSouth | load<u32>(at, LIKE_WEST)) {
      topRow = row;
      topLikeSouth = likeSouth;
    }
    southLow = v128.bitselect(low, southLow, i32x4.splat(blocks));
    southHigh = v128.bitselect(high, southHigh, i32x4.splat(blocks));
  }
  if (topRow == 0) return false;
  pairStraight(topRow, topLikeSouth);
  return true;
}

/** Draws a row's sights to the west: a block's symbol is carried through the empty run after it. */
function lookWest(row: u32): void {
  const at = gridRow(row);
  const low = v128.load(at, LOW);
  const high = v128.load(at, HIGH);
  const blocks = load<u32>(at, BLOCKS);
  const empty = i32x4.splat(~blocks);
  const westLow = nearestWest(low, empty);
  const westHigh = nearestWest(high, empty);
  v128.store(sightRow(row), westLow, WEST);
  v128.store(sightRow(row), westHigh, WEST + 16);
  const differLow = v128.xor(low, i32x4.shl(v128.or(low, westLow), 1));
  const differHigh = v128.xor(high, i32x4.shl(v128.or(high, westHigh), 1));
  store<u32>(at, blocks & ~anyLane(v128.or(differLow, differHigh)), LIKE_WEST);
}

/** A carry that enters an empty run at its west end clears the whole run. */
@inline
function nearestWest(planes: v128, empty: v128): v128 {
  const entering = v128.and(i32x4.shl(planes, 1), empty);
  return v128.andnot(empty, i32x4.add(empty, entering));
}

/** Of the topmost row: its first block with a straight link, and the partner, rather on the same row. */
function pairStraight(row: u32, likeSouth: u32): void {
  const blocks = blocksOf(row);
  const likeWest = load<u32>(gridRow(row), LIKE_WEST);
  const eastEnd = ctz(likeWest);
  const sideways = likeWest ? lastBelow(blocks, eastEnd) : NO_BLOCK;
  const upright = likeSouth ? ctz(likeSouth) : NO_BLOCK;
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

/** The highest bit of `set` below `bit`; there must be one. */
@inline
function lastBelow(set: u32, bit: u32): u32 {
  return 31 - clz(set & ((1 << bit) - 1));
}

/** The lowest bit of `set` above `bit` (at most 30); there must be one. */
@inline
function firstAbove(set: u32, bit: u32): u32 {
  return ctz(set & (0xfffffffe << bit));
}

// --- Links of two segments -------------------------------------------------------------------------------

function findByCorner(): bool {
  for (; staleEast != 0; staleEast &= staleEast - 1) lookEast(ctz(staleEast));
  if (!markCorners()) return false;
  firstByCorner();
  partnerByCorner(first >> 5, first & 31);
  return true;
}

/** Draws a row's sights to the east: a fill in doubling steps, for carries only run upwards. */
function lookEast(row: u32): void {
  const at = gridRow(row);
  const near1 = load<u32>(at, BLOCKS) >> 1;
  const near2 = near1 | (near1 >> 1);
  const near4 = near2 | (near2 >> 2);
  const near8 = near4 | (near4 >> 4);
  const near16 = near8 | (near8 >> 8);
  const low = nearestEast(v128.load(at, LOW), near1, near2, near4, near8, near16);
  const high = nearestEast(v128.load(at, HIGH), near1, near2, near4, near8, near16);
  v128.store(sightRow(row), low, EAST);
  v128.store(sightRow(row), high, EAST + 16);
}

/** `nearK` are the cells with a block at most K to the east, which steps beyond K leave as they are. */
@inline
function nearestEast(planes: v128, near1: u32, near2: u32, near4: u32, near8: u32, near16: u32): v128 {
  let east = i32x4.shr_u(planes, 1);
  east = v128.or(east, v128.andnot(i32x4.shr_u(east, 1), i32x4.splat(near1)));
  east = v128.or(east, v128.andnot(i32x4.shr_u(east, 2), i32x4.splat(near2)));
  east = v128.or(east, v128.andnot(i32x4.shr_u(east, 4), i32x4.splat(near4)));
  east = v128.or(east, v128.andnot(i32x4.shr_u(east, 8), i32x4.splat(near8)));
  return v128.or(east, v128.andnot(i32x4.shr_u(east, 16), i32x4.splat(near16)));
}

/** Marks the empty cells whose sideways and upright sights agree; tells whether there are any. */
function markCorners(): bool {
  let northLow = i32x4.splat(NOWHERE);
  let northHigh = i32x4(NOWHERE, NOWHERE, 0, 0);
  let found = i32x4.splat(0);
  for (let row: u32 = 1; row <= rows; row++) {
    const at = gridRow(row);
    const isBlock = v128.load_splat<u32>(at, BLOCKS);
    const agree = v128.not(v128.or(isBlock, sightsDiffer(sightRow(row), northLow, northHigh)));
    v128.store(cornerRow(row), agree);
    found = v128.or(found, agree);
    northLow = v128.bitselect(v128.load(at, LOW), northLow, isBlock);
    northHigh = v128.bitselect(v128.load(at, HIGH), northHigh, isBlock);
  }
  return v128.any_true(found);
}

/** The cells whose sights differ, in the lanes of a corner row. */
@inline
function sightsDiffer(sight: usize, northLow: v128, northHigh: v128): v128 {
  const westLow = v128.load(sight, WEST);
  const westHigh = v128.load(sight, WEST + 16);
  const eastLow = v128.load(sight, EAST);
  const eastHigh = v128.load(sight, EAST + 16);
  const southLow = v128.load(sight, SOUTH);
  const southHigh = v128.load(sight, SOUTH + 16);
  const westNorth = v128.or(v128.xor(westLow, northLow), v128.xor(westHigh, northHigh));
  const eastNorth = v128.or(v128.xor(eastLow, northLow), v128.xor(eastHigh, northHigh));
  const westSouth = v128.or(v128.xor(westLow, southLow), v128.xor(westHigh, southHigh));
  const eastSouth = v128.or(v128.xor(eastLow, southLow), v128.xor(eastHigh, southHigh));
  const north = orAcross(westNorth, eastNorth);
  const south = orAcross(westSouth, eastSouth);
  return v128.or(v128.shuffle<u32>(north, south, 0, 1, 4, 5), v128.shuffle<u32>(north, south, 2, 3, 6, 7));
}

/** Half-way to the lanes of each OR-ed together: a0 | a2, b0 | b2, a1 | a3, b1 | b3. */
@inline
function orAcross(a: v128, b: v128): v128 {
  return v128.or(v128.shuffle<u32>(a, b, 0, 4, 1, 5), v128.shuffle<u32>(a, b, 2, 6, 3, 7));
}

/**
 * The smallest endpoint: in the topmost row that has one, above a corner or on a corner's row. What a corner
 * sees northwards climbs, row by row from the bottom, until a block stops it.
 */
function firstByCorner(): void {
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
  first = (topRow << 5) | firstEndpoint(topRow, topUpperEnds);
}

function firstEndpoint(row: u32, upperEnds: u32): u32 {
  const blocks = blocksOf(row);
  const westSouth = load<u32>(cornerRow(row), WEST_SOUTH);
  const eastSouth = load<u32>(cornerRow(row), EAST_SOUTH);
  let col = upperEnds ? ctz(upperEnds) : NO_BLOCK;
  if (westSouth) col = min(col, lastBelow(blocks, ctz(westSouth)));
  if (eastSouth) col = min(col, firstAbove(blocks, ctz(eastSouth)));
  return col;
}

/** Goes down row by row: from the corners on the block's row, and to the corners under the block. */
function partnerByCorner(row: u32, col: u32): void {
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

/** The empty cells after `bit` up to the next block; `bit` is below 31. */
@inline
function eastRun(blocks: u32, bit: u32): u32 {
  return ~blocks & ~(~blocks + (2 << bit));
}

/** The empty cells before `bit` down to the block before. */
@inline
function westRun(blocks: u32, bit: u32): u32 {
  const before = ((<u32>1) << bit) - 1;
  // With no block before, clz is 32 and nothing is cut off.
  return before & ~((<u32>((<u64>1) << (32 - clz(blocks & before)))) - 1);
}

/** The empty cells seen from `bit` on either side. */
@inline
function bothRuns(blocks: u32, bit: u32): u32 {
  return eastRun(blocks, bit) | westRun(blocks, bit);
}

// --- Links of three segments -----------------------------------------------------------------------------

function findByTwoCorners(): bool {
  redraw();
  first = NO_BLOCK;
  sweepUpward();
  if (sweepEastward()) sweepWestward();
  if (first == NO_BLOCK) return false;
  partnerByTwoCorners(first >> 5, first & 31);
  return true;
}

/** Middle segments along columns: a block is an upper end if its symbol was seen further down. */
function sweepUpward(): void {
  keepSeen(0);
  for (let row = rows; row > 0; row--) sweepLine(blocksOf(row), row << 5, 0);
}

/** Middle segments along rows; tells whether there are any. Of a pair, either end may be the first. */
function sweepEastward(): bool {
  keepSeen(0);
  let met: u32 = 0;
  for (let col: u32 = 1; col <= cols; col++) met |= sweepLine(load<u32>(columnAt(col)), col, 5);
  return met != 0;
}

/** The same from the other side, for the ends that eastward met nothing yet. */
function sweepWestward(): void {
  keepSeen(0);
  for (let col = cols; col > 0; col--) sweepLine(load<u32>(columnAt(col)), col, 5);
}

/**
 * Moves the sweep on to the next row or column, whose block at bit i is cell `line | i << shift`, and lets
 * each block beside an empty cell meet what was seen along the empty runs on its two sides. Between two such
 * blocks all cells are empty or none is. Tells whether any link was met.
 */
@inline
function sweepLine(blocks: u32, line: u32, shift: u32): u32 {
  if (blocks == 0) return 0;
  const empty = ~blocks;
  keepSeen(empty);
  let met: u32 = 0;
  let left = blocks & ((empty << 1) | (empty >> 1));
  let block = left & (0 - left);
  let before = (block - 1) & empty;
  while (left != 0) {
    const cell = line | (ctz(left) << shift);
    left &= left - 1;
    const next = left & (0 - left);
    // From one block's bit to the next a subtraction sets the bits between; after the last, up to bit 31.
    const after = (next - (block << 1)) & empty;
    met |= meet(cell, before | after);
    before = after;
    block = next;
  }
  return met;
}

/** Drops what was seen along runs that end at this line; with no empty cells at all, everything. */
@inline
function keepSeen(empty: u32): void {
  const mask = i32x4.splat(empty);
  const end = seen + (<usize>symbolEnd << 2);
  for (let at = seen; at < end; at += 16) v128.store(at, v128.and(v128.load(at), mask));
}

/** Links a block to where its symbol was seen from, if it sees one of those runs, and notes its own sight. */
@inline
function meet(cell: u32, sight: u32): u32 {
  const entry = seen + (<usize>symbolAt(cell) << 2);
  const before = load<u32>(entry);
  if (before & sight && cell < first) first = cell;
  store<u32>(entry, before | sight);
  return before & sight;
}

/** The smallest partner: the topmost row that the first block reaches, by either kind of middle segment. */
function partnerByTwoCorners(row: u32, col: u32): void {
  drawAlike(row, col);
  second = min(partnerByColumns(row, col), partnerByRows(row, col));
}

/** Marks the other blocks of the first block's symbol, from its own row on. */
function drawAlike(row: u32, col: u32): void {
  const symbol = symbolAt((row << 5) | col);
  for (let at = row; at <= rows; at++) {
    let differ: u32 = 0;
    for (let plane: u32 = 0; plane < PLANES; plane++)
      differ |= load<u32>(gridRow(at) + (<usize>plane << 2)) ^ (0 - ((symbol >> plane) & 1));
    store<u32>(alike + (<usize>at << 2), blocksOf(at) & ~differ);
  }
  store<u32>(alike + (<usize>row << 2), alikeIn(row) & ~(1 << col));
}

@inline
function alikeIn(row: u32): u32 {
  return load<u32>(alike + (<usize>row << 2));
}

/** Down the columns that the block sees sideways, until a like block sees one of them too. */
function partnerByColumns(row: u32, col: u32): u32 {
  let open = bothRuns(blocksOf(row), col);
  for (let below = row + 1; below <= rows && open != 0; below++) {
    const blocks = blocksOf(below);
    open &= ~blocks;
    for (let left = alikeIn(below); left != 0; left &= left - 1)
      if (open & bothRuns(blocks, ctz(left))) return (below << 5) | ctz(left);
  }
  return NO_BLOCK;
}

/** Along the rows that the block sees upright, then down or up, not past its own row. */
function partnerByRows(row: u32, col: u32): u32 {
  const sight = bothRuns(load<u32>(columnAt(col)), row);
  return min(partnerFalling(row, col, sight), partnerRising(row, col, sight));
}

function partnerFalling(row: u32, col: u32, sight: u32): u32 {
  let falling: u32 = 0;
  for (let at: u32 = 0; at <= rows; at++) {
    const hit = at < row ? 0 : falling & alikeIn(at);
    if (hit) return (at << 5) | ctz(hit);
    falling = (falling & ~blocksOf(at)) | crossing(sight, at, col);
  }
  return NO_BLOCK;
}

function partnerRising(row: u32, col: u32, sight: u32): u32 {
  let best = NO_BLOCK;
  let rising = crossing(sight, rows + 1, col);
  for (let at = rows; at >= row; at--) {
    const hit = rising & alikeIn(at);
    if (hit) best = (at << 5) | ctz(hit);
    rising = (rising & ~blocksOf(at)) | crossing(sight, at, col);
  }
  return best;
}

/** The empty run of row `at` through the column, if the block sees that cell. */
@inline
function crossing(sight: u32, at: u32, col: u32): u32 {
  return (sight >> at) & 1 ? bothRuns(blocksOf(at), col) | (1 << col) : 0;
}

// --- Popping and moving ----------------------------------------------------------------------------------

function popPair(): void {
  vacate(first);
  vacate(second);
}

function vacate(cell: u32): void {
  const row = cell >> 5;
  const at = gridRow(row);
  const others = i32x4.splat(~(1 << (cell & 31)));
  v128.store(at, v128.and(v128.load(at, LOW), others), LOW);
  v128.store(at, v128.and(v128.load(at, HIGH), others), HIGH);
  v128.store(at, v128.and(v128.load(at, WAYS), others), WAYS);
  store<u32>(at, load<u32>(at, BLOCKS) & ~(1 << (cell & 31)), BLOCKS);
  markStale(1 << row);
}

@inline
function markStale(changed: u32): void {
  staleWest |= changed;
  staleEast |= changed;
  staleCells |= changed;
}

/** Turns of checking until nothing moves. */
function takeTurns(): void {
  const popped = ((<u32>1) << (first >> 5)) | ((<u32>1) << (second >> 5));
  dueNow = (popped | (popped << 1) | (popped >> 1)) & allRows();
  for (; dueNow != 0; dueNow = dueNext) takeTurn();
}

/** One turn: rows from the top, each with the blocks that stood there when the turn began. */
function takeTurn(): void {
  dueNext = 0;
  cameDownTo = 0;
  while (dueNow != 0) {
    const row = ctz(dueNow);
    dueNow &= dueNow - 1;
    moveRow(row, cameDownTo == row ? cameDown : 0);
  }
}

/**
 * Moves one row's blocks in their order, but for those that `arrived` in this turn. Only a block to the left
 * can make room in time, so all ways but left are decided by the row as it stands; lefts then move in trains,
 * whose head follows a cell that was free or has just been left.
 */
function moveRow(row: u32, arrived: u32): void {
  const at = gridRow(row);
  const free = freeOf(at);
  const up = load<u32>(at, GO_UP) & freeOf(at - GRID_BYTES) & ~arrived;
  const down = load<u32>(at, GO_DOWN) & freeOf(at + GRID_BYTES) & ~arrived;
  const right = load<u32>(at, GO_RIGHT) & (free >> 1) & ~arrived;
  const leftward = load<u32>(at, GO_LEFT) & ~arrived;
  const heads = leftward & (((free & ~(right << 1)) | up | down) << 1);
  // The carry of a head runs to the end of its train.
  const left = leftward & (((leftward + heads) ^ leftward) | heads);
  if ((up | down | left | right) == 0) return;
  moveBlocks(at, up, down, left, right);
  callRows(row, up, down, left, right);
  cameDown = down;
  cameDownTo = row + 1;
}

@inline
function freeOf(at: usize): u32 {
  return load<u32>(at, INSIDE) & ~load<u32>(at, BLOCKS);
}

@inline
function moveBlocks(at: usize, up: u32, down: u32, left: u32, right: u32): void {
  moveAttributes(at + LOW, up, down, left, right);
  moveAttributes(at + HIGH, up, down, left, right);
  moveAttributes(at + WAYS, up, down, left, right);
  const stay = load<u32>(at, BLOCKS) & ~(up | down | left | right);
  store<u32>(at, stay | (left >> 1) | (right << 1), BLOCKS);
  store<u32>(at - GRID_BYTES, load<u32>(at - GRID_BYTES, BLOCKS) | up, BLOCKS);
  store<u32>(at + GRID_BYTES, load<u32>(at + GRID_BYTES, BLOCKS) | down, BLOCKS);
}

/** Four words at `at`, in a grid row, of which those above and below lie one grid row away. */
@inline
function moveAttributes(at: usize, up: u32, down: u32, left: u32, right: u32): void {
  const all = v128.load(at);
  if (up) addLanes(at - GRID_BYTES, v128.and(all, i32x4.splat(up)));
  if (down) addLanes(at + GRID_BYTES, v128.and(all, i32x4.splat(down)));
  const stay = v128.andnot(all, i32x4.splat(up | down | left | right));
  const wentLeft = i32x4.shr_u(v128.and(all, i32x4.splat(left)), 1);
  const wentRight = i32x4.shl(v128.and(all, i32x4.splat(right)), 1);
  v128.store(at, v128.or(stay, v128.or(wentLeft, wentRight)));
}

@inline
function addLanes(at: usize, lanes: v128): void {
  v128.store(at, v128.or(v128.load(at), lanes));
}

/**
 * What a row's moves make due. Blocks below that go up are checked later in this turn; blocks above and to
 * the west that point at a cell left, and all that moved, in the next.
 */
@inline
function callRows(row: u32, up: u32, down: u32, left: u32, right: u32): void {
  const at = gridRow(row);
  const vacated = up | down | left | right;
  if (vacated & load<u32>(at + GRID_BYTES, GO_UP)) dueNow |= 1 << (row + 1);
  if (up | (vacated & load<u32>(at - GRID_BYTES, GO_DOWN))) dueNext |= 1 << (row - 1);
  if (left | right | (vacated & (load<u32>(at, GO_RIGHT) << 1))) dueNext |= 1 << row;
  if (down) dueNext |= 1 << (row + 1);
  markStale((1 << row) | (up ? 1 << (row - 1) : 0) | (down ? 1 << (row + 1) : 0));
}
