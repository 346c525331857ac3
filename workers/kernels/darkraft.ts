/**
 * Darkraft, sixteen boards of one size at a time, one in each byte lane.
 *
 * Nimbers of rectangles of the turned board, as in src/problems/darkraft/solve.ts: there are the rules, the
 * coordinates and the reasons. Here
 *  - a rectangle's nimber is one v128, a byte a board;
 *  - the boards differ in letters alone, so a letter is a mask: a move that a board does not have gets a bit
 *    that no nimber has, and then counts for nothing;
 *  - the seen set of a mex is kept in bands of sixteen values, a band being two vectors of eight bits a
 *    board. `swizzle` of the constants 1 << 0 .. 1 << 7 by a value gives its bit, and zero for a value outside
 *    the band. A rectangle starts with the bands its neighbour needed; where they are full it is done again
 *    with one more.
 *
 * Cost: a rectangle and a cell of it are two loads, an XOR and three or four instructions for each eight
 * values, for sixteen boards. A board of 20 x 20 has 2.5 million such pairs whatever its letters are.
 *
 * Why not one board with sixteen rectangles in the lanes, which would skip the cells without an X: an R
 * needs smaller rectangles of the same rows, so rectangles side by side wait for one another.
 *
 * Memory, in vectors of 16 bytes (A turned rows, B turned columns; ranges are half open):
 *
 *   letters[i * cols + j]                   written by the host: 0 = L, 1 = R, 2 = X
 *   nimber[rows x1..x2][columns y1..y2]     both ranges triangular: (0,0) (0,1) .. (0,A) (1,1) ..
 *   left[y1][x][.], right[y2][x][.]         the moves of the row range in work, B + 2 slots a line:
 *
 *     slot      0      1 + y, y < B                                 1 + B
 *     x < A   spill   X at (x, y): columns y1..y-1 | y+1..y2-1   L in row x: columns y1..y2-1 | 0
 *     x = A   spill   R in column y: likewise                        unused
 *
 * An entry of a row x < A is the nimber above row x XOR the one below; of x = A the nimber of all rows.
 * A move leaves left ^ right, both at one offset of the lines y1 and y2, so the moves of a rectangle are a
 * list of offsets, the same for all boards of a size:
 *
 *   moves[columns y1..y2]          offsets of the L and X moves in these columns, row by row, u16
 *   firstMove[columns y1..y2][x]   where those of row x begin, u32
 *
 * Rows x1..x2-1 are then one contiguous piece of the list, and a mex is one flat loop.
 */

// @ts-ignore: decorator
@inline const VECTOR: i32 = 16;
/** Bits no nimber has: one for `left`, another for `right`, so that their XOR cannot clear both. */
// @ts-ignore: decorator
@inline const NO_MOVE: i8 = -128;
// @ts-ignore: decorator
@inline const NO_COLUMN: i8 = 0x40;
// @ts-ignore: decorator
@inline const OVERSHOOT: i32 = 3;
/** Groups of eight values: 64 values, all below NO_COLUMN. */
// @ts-ignore: decorator
@inline const MIN_GROUPS: i32 = 2;
// @ts-ignore: decorator
@inline const FOUR_MOVES: usize = 8;
// @ts-ignore: decorator
@inline const MAX_GROUPS: i32 = 8;
// @ts-ignore: decorator
@inline const LETTER_L: i8 = 0;
// @ts-ignore: decorator
@inline const LETTER_R: i8 = 1;
// @ts-ignore: decorator
@inline const LETTER_X: i8 = 2;
// @ts-ignore: decorator
@inline const MAX_SIDE: i32 = 40;

/** The nimbers of the sixteen boards; for a board that needs more bands, a byte of ones in `overflow`. */
const nimbers = memory.data(16, 16);
const overflow = memory.data(16, 16);
/** Turned row x has cells in columns firstCol[x]..endCol[x]-1. */
const firstCol = memory.data(64);
const endCol = memory.data(64);

let rows: i32 = 0;
let cols: i32 = 0;
/** Sides of the turned class in work. */
let turnedRows: i32 = 0;
let turnedCols: i32 = 0;
/** Bytes of a row and a line of `left` and `right`, and of the nimbers of a row range. */
let rowSize: i32 = 0;
let lineSize: i32 = 0;
let tableSize: i32 = 0;

/** Regions, set by `reserve`. Index formulas are in the header and in the functions named alike below. */
let letters: usize = 0;
let notX: usize = 0;
let notL: usize = 0;
let notR: usize = 0;
let noL: usize = 0;
let noR: usize = 0;
let nimber: usize = 0;
let left: usize = 0;
let right: usize = 0;
let moves: usize = 0;
let firstMove: usize = 0;
let groupsOf: usize = 0;
let leftAt: usize = 0;
let rightAt: usize = 0;
let columns: usize = 0;
let columnsEnd: usize = 0;
let groups: i32 = 0;
let moves0: usize = 0;
let movesEnd: usize = 0;
let parts: usize = 0;
let withoutL: usize = 0;
let withoutLEnd: usize = 0;

/** The longest side of a board. */
export function maxSide(): i32 {
  return MAX_SIDE;
}

/** Where the answers are, after `solve`. */
export function nimbersAddress(): usize {
  return nimbers;
}

/** Where the lanes are named that have no answer, after `solve`. */
export function overflowAddress(): usize {
  return overflow;
}

/** Makes room for boards of that size, growing the memory if need be. Returns where the letters go. */
export function reserve(boardRows: i32, boardCols: i32): usize {
  rows = boardRows;
  cols = boardCols;
  const lines = (rows + cols) >> 1;
  const ranges = rangeCount(lines);
  const movesInRange = ((rows * cols + 1) >> 1) + 4 * lines;
  const line = ((lines + 1) * (lines + 2) + OVERSHOOT) * VECTOR;
  let end = (__heap_base + 15) & ~15;
  letters = end;
  notX = letters + rows * cols * VECTOR;
  notL = notX + lines * (lines + 1) * VECTOR;
  notR = notL + lines * lines * VECTOR;
  noL = notR + lines * lines * VECTOR;
  noR = noL + ranges * lines * VECTOR;
  left = noR + lines * VECTOR;
  right = left + lines * line;
  nimber = right + (lines + 2) * line;
  firstMove = nimber + ranges * ranges * VECTOR;
  moves = firstMove + ranges * (lines + 1) * sizeof<u32>();
  groupsOf = moves + ranges * movesInRange * sizeof<u16>();
  end = groupsOf + ranges;
  // * movesInRange * sizeof<u16>();
  const pages = <i32>((end + 0xffff) >> 16);
  if (pages > memory.size()) memory.grow(pages - memory.size());
  return letters;
}

/** Solves the sixteen boards in `letters`. */
export function solve(): void {
  v128.store(nimbers, i8x16.splat(0));
  v128.store(overflow, i8x16.splat(0));
  solveClass(0);
  solveClass(1);
}

function solveClass(parity: i32): void {
  turn(parity);
  listMoves();
  markRangesWithoutL();
  clearEmptyRanges();
  fill();
  const total = nimberAt(0, turnedRows) + rangeIndex(turnedCols, 0, turnedCols) * VECTOR;
  v128.store(nimbers, v128.xor(v128.load(nimbers), v128.load(total)));
}

/** The masks of the cells of one parity, and where they lie. A 1 x 1 board has none of parity 1. */
function turn(parity: i32): void {
  turnedRows = 0;
  turnedCols = 0;
  memory.fill(firstCol, 0xff, 64);
  memory.fill(endCol, 0, 64);
  for (let i = 0; i < rows; i++) {
    for (let j = (i + parity) & 1; j < cols; j += 2) {
      turnedRows = max(turnedRows, ((i + j) >> 1) + 1);
      turnedCols = max(turnedCols, ((i - j + cols - 1) >> 1) + 1);
    }
  }
  rowSize = (turnedCols + 2) * VECTOR;
  lineSize = (turnedRows + 1) * rowSize + OVERSHOOT * VECTOR;
  tableSize = rangeCount(turnedCols) * VECTOR;
  for (let i = 0; i < rows; i++) {
    for (let j = (i + parity) & 1; j < cols; j += 2) {
      const x = (i + j) >> 1;
      const y = (i - j + cols - 1) >> 1;
      store<u8>(firstCol + x, min(<i32>load<u8>(firstCol + x), y));
      store<u8>(endCol + x, max(<i32>load<u8>(endCol + x), y + 1));
      maskCell(x, y, v128.load(letters + (i * cols + j) * VECTOR));
    }
  }
}

function maskCell(x: i32, y: i32, letter: v128): void {
  const noMove = i8x16.splat(NO_MOVE);
  v128.store(notX + (x * turnedCols + y) * VECTOR, v128.and(noMove, i8x16.ne(letter, i8x16.splat(LETTER_X))));
  v128.store(notL + (x * turnedCols + y) * VECTOR, v128.and(noMove, i8x16.ne(letter, i8x16.splat(LETTER_L))));
  v128.store(notR + (x * turnedCols + y) * VECTOR, v128.and(noMove, i8x16.ne(letter, i8x16.splat(LETTER_R))));
}

/** Fills `moves` and `firstMove`. */
function listMoves(): void {
  let move = moves;
  let first = firstMove;
  for (let y1 = 0; y1 <= turnedCols; y1++) {
    for (let y2 = y1; y2 <= turnedCols; y2++) {
      for (let x = 0; x < turnedRows; x++, first += sizeof<u32>()) {
        store<u32>(first, <u32>move);
        const from = max(y1, <i32>load<u8>(firstCol + x));
        const end = min(y2, <i32>load<u8>(endCol + x));
        if (from >= end) continue;
        const line = x * (turnedCols + 2);
        for (let y = from; y < end; y++, move += sizeof<u16>()) store<u16>(move, (line + 1 + y) * <i32>VECTOR);
        for (let count = end - from; count < 4; count++, move += sizeof<u16>()) {
          store<u16>(move, load<u16>(move - sizeof<u16>()));
        }
      }
      store<u32>(first, <u32>move);
      first += sizeof<u32>();
    }
  }
}

/** noL[columns y1..y2][x]: NO_MOVE for the boards whose row x has no L in these columns. */
function markRangesWithoutL(): void {
  const line = turnedRows * VECTOR;
  let range = noL;
  for (let y1 = 0; y1 <= turnedCols; y1++) {
    for (let x = 0; x < turnedRows; x++) v128.store(range + x * VECTOR, i8x16.splat(NO_MOVE));
    range += line;
    for (let y2 = y1 + 1; y2 <= turnedCols; y2++, range += line) {
      for (let x = 0; x < turnedRows; x++) {
        const before = v128.load(range - line + x * VECTOR);
        const onBoard = <i32>load<u8>(firstCol + x) < y2 && y2 <= <i32>load<u8>(endCol + x);
        const added = notL + (x * turnedCols + y2 - 1) * VECTOR;
        v128.store(range + x * VECTOR, onBoard ? v128.and(before, v128.load(added)) : before);
      }
    }
  }
}

/** What is empty stays zero while the class is solved. */
function clearEmptyRanges(): void {
  for (let x = 0; x <= turnedRows; x++) memory.fill(nimberAt(x, x), 0, tableSize);
  memory.fill(left, 0, turnedCols * lineSize);
  memory.fill(right, 0, (turnedCols + 1) * lineSize);
  memory.fill(groupsOf, <u8>MIN_GROUPS, rangeCount(turnedCols));
  for (let x = 0; x < turnedRows; x++) {
    for (let y = <i32>load<u8>(firstCol + x); y < <i32>load<u8>(endCol + x); y++) {
      v128.store(leftLine(y) + x * rowSize + (1 + y) * VECTOR, v128.load(notX + (x * turnedCols + y) * VECTOR));
    }
  }
  for (let y2 = 0; y2 <= turnedCols; y2++) {
    const beyond = rightLine(y2) + turnedRows * rowSize + (1 + y2) * VECTOR;
    for (let k = 0; k < OVERSHOOT; k++) v128.store(beyond + k * VECTOR, i8x16.splat(NO_COLUMN));
  }
}

/** A row range needs those that begin later and those that end sooner. */
function fill(): void {
  for (let x1 = turnedRows - 1; x1 >= 0; x1--) {
    for (let y = 0; y < turnedCols; y++) v128.store(noR + y * VECTOR, i8x16.splat(NO_MOVE));
    let from = turnedCols;
    let end = 0;
    for (let x2 = x1 + 1; x2 <= turnedRows; x2++) {
      from = min(from, <i32>load<u8>(firstCol + x2 - 1));
      end = max(end, <i32>load<u8>(endCol + x2 - 1));
      narrowNoR(x2 - 1);
      fillRowRange(x1, x2, from, end);
    }
  }
}

/** noR[y]: NO_MOVE for the boards whose column y has no R in the rows so far. */
function narrowNoR(x: i32): void {
  for (let y = <i32>load<u8>(firstCol + x); y < <i32>load<u8>(endCol + x); y++) {
    const at = noR + y * VECTOR;
    v128.store(at, v128.and(v128.load(at), v128.load(notR + (x * turnedCols + y) * VECTOR)));
  }
  for (let y = 0; y < turnedCols; y++) {
    v128.store(leftLine(y) + turnedRows * rowSize + (1 + y) * VECTOR, v128.load(noR + y * VECTOR));
  }
}

/** The rectangles of rows x1..x2-1, whose cells lie in columns from..end-1; what reaches beyond is a copy. */
function fillRowRange(x1: i32, x2: i32, from: i32, end: i32): void {
  const table = nimberAt(x1, x2);
  for (let x = x1; x < x2; x++) splitRow(x, nimberAt(x1, x), nimberAt(x + 1, x2), from, end);
  for (let y1 = turnedCols; y1 >= 0; y1--) {
    const line = table + rangeIndex(turnedCols, y1, 0) * VECTOR;
    v128.store(line + y1 * VECTOR, i8x16.splat(0));
    if (y1 >= from) playColumnRanges(x1, x2, y1, end);
    const first = max(y1, from);
    for (let y2 = y1 < from ? y1 + 1 : max(y1, end) + 1; y2 <= turnedCols; y2++) {
      const clipped = table + rangeIndex(turnedCols, first, max(first, min(y2, end))) * VECTOR;
      v128.store(line + y2 * VECTOR, v128.load(clipped));
    }
  }
}

/** The rectangles of rows x1..x2-1 that begin with column y1 and end at or before `end`, narrow ones first. */
function playColumnRanges(x1: i32, x2: i32, y1: i32, end: i32): void {
  const table = nimberAt(x1, x2);
  const withoutTop = nimberAt(x1 + 1, x2) - table;
  const withoutBottom = nimberAt(x1, x2 - 1) - table;
  const line = lineSize;
  const listSize = (turnedRows + 1) * sizeof<u32>();
  const bottomRow = (x2 - x1) * sizeof<u32>();
  const lastRow = turnedRows * rowSize;
  let range = rangeIndex(turnedCols, y1, y1);
  let list = firstMove + range * listSize + x1 * sizeof<u32>();
  leftAt = leftLine(y1);
  rightAt = rightLine(y1);
  columns = lastRow + slot(y1);
  columnsEnd = columns;
  groups = MIN_GROUPS;
  for (let y2 = y1 + 1; y2 <= end; y2++) {
    range++;
    list += listSize;
    rightAt += line;
    columnsEnd += VECTOR;
    const at = table + range * VECTOR;
    let value: v128;
    if (isRowEmpty(x1, y1, y2)) value = v128.load(at + withoutTop);
    else if (isRowEmpty(x2 - 1, y1, y2)) value = v128.load(at + withoutBottom);
    else {
      moves0 = load<u32>(list);
      movesEnd = load<u32>(list + bottomRow);
      parts = rightAt + x1 * rowSize + slot(y1 - 1);
      withoutL = noL + (range * turnedRows + x1) * VECTOR;
      withoutLEnd = withoutL + (x2 - x1) * VECTOR;
      groups = max(groups, <i32>load<u8>(groupsOf + range));
      value = mex();
      store<u8>(groupsOf + range, groups);
    }
    v128.store(at, value);
    v128.store(rightAt + lastRow + slot(y1 - 1), value);
    if (y2 < turnedCols) v128.store(leftAt + columnsEnd, v128.or(value, v128.load(noR + y2 * VECTOR)));
  }
}

/** What row x leaves above and below of every column range in from..end-1. */
function splitRow(x: i32, above: usize, below: usize, from: i32, end: i32): void {
  const line = lineSize;
  const withoutX = notX + x * turnedCols * VECTOR;
  for (let y1 = from; y1 < end; y1++) {
    let range = rangeIndex(turnedCols, y1, y1 + 1) * VECTOR;
    let leftX = leftLine(y1) + x * rowSize + (2 + y1) * VECTOR;
    let rightX = rightLine(y1 + 1) + x * rowSize + y1 * VECTOR;
    let mask = withoutX + (y1 + 1) * VECTOR;
    const last = withoutX + end * VECTOR;
    const pair = 2 * line;
    for (; mask <= last; mask += 2 * VECTOR) {
      const parts = v128.xor(v128.load(above + range), v128.load(below + range));
      const next = v128.xor(v128.load(above + range, 16), v128.load(below + range, 16));
      v128.store(leftX, v128.or(parts, v128.load(mask)));
      v128.store(leftX, v128.or(next, v128.load(mask, 16)), 16);
      v128.store(rightX, parts);
      v128.store(rightX + line, next);
      range += 2 * VECTOR;
      leftX += 2 * VECTOR;
      rightX += pair;
    }
  }
}

/** The nimbers of the rectangle in work. Leaves in `groups` how many the largest of them fills or is in. */
function mex(): v128 {
  let value: v128;
  if (groups == 2) value = mexBelow16();
  else if (groups == 3) value = mexBelow24();
  else if (groups == 4) value = mexBelow32();
  else { groups = 6; value = mexBelow48(); }
  while (v128.any_true(i8x16.eq(value, i8x16.splat(<i8>(groups << 3))))) {
    if (groups > MAX_GROUPS - 2) {
      v128.store(overflow, v128.or(v128.load(overflow), i8x16.eq(value, i8x16.splat(<i8>(groups << 3)))));
      return value;
    }
    value = mexAbove(value);
    groups += 2;
  }
  while (groups > MIN_GROUPS && !v128.any_true(i8x16.ge_u(value, i8x16.splat(<i8>((groups - 1) << 3))))) groups--;
  return value;
}

function mexBelow16(): v128 {
  return mexOfFew(2);
}

function mexBelow24(): v128 {
  return mexOfFew(3);
}

function mexBelow32(): v128 {
  return mexOfMany(4);
}

function mexBelow48(): v128 {
  return mexOfMany(6);
}

// @ts-ignore: decorator
@inline
function mexOfFew(groups: i32): v128 {
  const low = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  const high = i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128);
  const sixteen = i8x16.splat(16);
  const l = leftAt, r = rightAt, end = movesEnd, lastFour = end - FOUR_MOVES;
  let s0 = i8x16.splat(0), s1 = i8x16.splat(0), s2 = i8x16.splat(0);
  let move = moves0;
  do {
    const a = after(l, r, load<u16>(move)), b = after(l, r, load<u16>(move, 2));
    const c = after(l, r, load<u16>(move, 4)), d = after(l, r, load<u16>(move, 6));
    s0 = v128.or(s0, bits(low, a, b, c, d));
    s1 = v128.or(s1, bits(high, a, b, c, d));
    if (groups > 2) {
      s2 = v128.or(s2, bits(low, v128.xor(a, sixteen), v128.xor(b, sixteen), v128.xor(c, sixteen), v128.xor(d, sixteen)));
    }
    move += FOUR_MOVES;
    if (move >= end) break;
    move = min(move, lastFour);
  } while (true);
  for (let at = columns, e = columnsEnd; at < e; at += VECTOR) {
    const value = after(l, r, at);
    s0 = v128.or(s0, i8x16.swizzle(low, value));
    s1 = v128.or(s1, i8x16.swizzle(high, value));
    if (groups > 2) s2 = v128.or(s2, i8x16.swizzle(low, v128.xor(value, sixteen)));
  }
  for (let mask = withoutL, e = withoutLEnd, p = parts, row = rowSize; mask < e; mask += VECTOR, p += row) {
    const value = v128.or(v128.load(p), v128.load(mask));
    s0 = v128.or(s0, i8x16.swizzle(low, value));
    s1 = v128.or(s1, i8x16.swizzle(high, value));
    if (groups > 2) s2 = v128.or(s2, i8x16.swizzle(low, v128.xor(value, sixteen)));
  }
  let full = isFull(s0);
  let gap = v128.bitselect(s1, s0, full);
  let below = v128.and(full, i8x16.splat(8));
  if (groups > 2) {
    full = isFull(gap);
    gap = v128.bitselect(s2, gap, full);
    below = i8x16.add(below, v128.and(full, i8x16.splat(8)));
  }
  return i8x16.add(below, trailingOnes(gap));
}

// @ts-ignore: decorator
@inline
function mexOfMany(groups: i32): v128 {
  const bit = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const seven = i8x16.splat(7);
  const l = leftAt, r = rightAt, end = movesEnd, lastTwo = end - FOUR_MOVES / 2;
  let s0 = i8x16.splat(0), s1 = i8x16.splat(0), s2 = i8x16.splat(0), s3 = i8x16.splat(0), s4 = i8x16.splat(0), s5 = i8x16.splat(0);
  let move = moves0;
  do {
    const a = after(l, r, load<u16>(move)), b = after(l, r, load<u16>(move, 2));
    const ga = v128.andnot(a, seven), gb = v128.andnot(b, seven);
    const ba = i8x16.swizzle(bit, v128.and(a, seven)), bb = i8x16.swizzle(bit, v128.and(b, seven));
    s0 = v128.or(v128.or(s0, ifIn(0, ga, ba)), ifIn(0, gb, bb));
    s1 = v128.or(v128.or(s1, ifIn(1, ga, ba)), ifIn(1, gb, bb));
    s2 = v128.or(v128.or(s2, ifIn(2, ga, ba)), ifIn(2, gb, bb));
    s3 = v128.or(v128.or(s3, ifIn(3, ga, ba)), ifIn(3, gb, bb));
    if (groups > 4) {
      s4 = v128.or(v128.or(s4, ifIn(4, ga, ba)), ifIn(4, gb, bb));
      s5 = v128.or(v128.or(s5, ifIn(5, ga, ba)), ifIn(5, gb, bb));
    }
    move += FOUR_MOVES / 2;
    if (move >= end) break;
    move = min(move, lastTwo);
  } while (true);
  for (let at = columns, e = columnsEnd; at < e; at += VECTOR) {
    const a = after(l, r, at), ga = v128.andnot(a, seven), ba = i8x16.swizzle(bit, v128.and(a, seven));
    s0 = v128.or(s0, ifIn(0, ga, ba));
    s1 = v128.or(s1, ifIn(1, ga, ba));
    s2 = v128.or(s2, ifIn(2, ga, ba));
    s3 = v128.or(s3, ifIn(3, ga, ba));
    if (groups > 4) { s4 = v128.or(s4, ifIn(4, ga, ba)); s5 = v128.or(s5, ifIn(5, ga, ba)); }
  }
  for (let mask = withoutL, e = withoutLEnd, p = parts, row = rowSize; mask < e; mask += VECTOR, p += row) {
    const a = v128.or(v128.load(p), v128.load(mask)), ga = v128.andnot(a, seven), ba = i8x16.swizzle(bit, v128.and(a, seven));
    s0 = v128.or(s0, ifIn(0, ga, ba));
    s1 = v128.or(s1, ifIn(1, ga, ba));
    s2 = v128.or(s2, ifIn(2, ga, ba));
    s3 = v128.or(s3, ifIn(3, ga, ba));
    if (groups > 4) { s4 = v128.or(s4, ifIn(4, ga, ba)); s5 = v128.or(s5, ifIn(5, ga, ba)); }
  }
  const eight = i8x16.splat(8);
  let full = isFull(s0);
  let below = v128.and(full, eight);
  let gap = v128.bitselect(s1, s0, full); full = isFull(gap); below = i8x16.add(below, v128.and(full, eight));
  gap = v128.bitselect(s2, gap, full); full = isFull(gap); below = i8x16.add(below, v128.and(full, eight));
  gap = v128.bitselect(s3, gap, full);
  if (groups > 4) {
    full = isFull(gap); below = i8x16.add(below, v128.and(full, eight)); gap = v128.bitselect(s4, gap, full);
    full = isFull(gap); below = i8x16.add(below, v128.and(full, eight)); gap = v128.bitselect(s5, gap, full);
  }
  return i8x16.add(below, trailingOnes(gap));
}

/** Goes on where `value` is 8 * groups, all below being seen, with the sixteen values from there. */
function mexAbove(value: v128): v128 {
  const low = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  const high = i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128);
  const base = i8x16.splat(<i8>(groups << 3));
  let s0 = i8x16.splat(0), s1 = i8x16.splat(0);
  for (let move = moves0; move < movesEnd; move += sizeof<u16>()) {
    const v = i8x16.sub(after(leftAt, rightAt, load<u16>(move)), base);
    s0 = v128.or(s0, i8x16.swizzle(low, v));
    s1 = v128.or(s1, i8x16.swizzle(high, v));
  }
  for (let at = columns; at < columnsEnd; at += VECTOR) {
    const v = i8x16.sub(after(leftAt, rightAt, at), base);
    s0 = v128.or(s0, i8x16.swizzle(low, v));
    s1 = v128.or(s1, i8x16.swizzle(high, v));
  }
  for (let mask = withoutL, p = parts; mask < withoutLEnd; mask += VECTOR, p += rowSize) {
    const v = i8x16.sub(v128.or(v128.load(p), v128.load(mask)), base);
    s0 = v128.or(s0, i8x16.swizzle(low, v));
    s1 = v128.or(s1, i8x16.swizzle(high, v));
  }
  const full = isFull(s0);
  const gap = v128.bitselect(s1, s0, full);
  const found = i8x16.add(base, i8x16.add(v128.and(full, i8x16.splat(8)), trailingOnes(gap)));
  return v128.bitselect(found, value, i8x16.eq(value, base));
}

/** What the move at `offset` leaves. */
// @ts-ignore: decorator
@inline
function after(l: usize, r: usize, offset: usize): v128 {
  return v128.xor(v128.load(l + offset), v128.load(r + offset));
}

// @ts-ignore: decorator
@inline
function ifIn(k: i32, group: v128, bit: v128): v128 {
  return v128.and(bit, i8x16.eq(group, i8x16.splat(<i8>(8 * k))));
}

// @ts-ignore: decorator
@inline
function isFull(s: v128): v128 {
  return i8x16.eq(s, i8x16.splat(-1));
}

// @ts-ignore: decorator
@inline
function bits(table: v128, a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = v128.or(i8x16.swizzle(table, a), i8x16.swizzle(table, b));
  const cd = v128.or(i8x16.swizzle(table, c), i8x16.swizzle(table, d));
  return v128.or(ab, cd);
}

// @ts-ignore: decorator
@inline
function trailingOnes(bits: v128): v128 {
  return i8x16.popcnt(v128.andnot(bits, i8x16.add(bits, i8x16.splat(1))));
}

/** Where column y is in a row of `left` or `right`. */
// @ts-ignore: decorator
@inline
function slot(y: i32): i32 {
  return (1 + y) * VECTOR;
}

// @ts-ignore: decorator
@inline
function isRowEmpty(x: i32, y1: i32, y2: i32): bool {
  return <i32>load<u8>(firstCol + x) >= y2 || <i32>load<u8>(endCol + x) <= y1;
}

/** How many half-open ranges of `lines` lines there are, empty ones among them. */
// @ts-ignore: decorator
@inline
function rangeCount(lines: i32): i32 {
  return (((lines + 1) * (lines + 2)) >> 1);
}

/** The place of range from..end-1 among those. */
// @ts-ignore: decorator
@inline
function rangeIndex(lines: i32, from: i32, end: i32): i32 {
  return (from * (lines + 1) - ((from * (from - 1)) >> 1) + end - from);
}

/** The table of columns of rows x1..x2-1. */
// @ts-ignore: decorator
@inline
function nimberAt(x1: i32, x2: i32): usize {
  return nimber + rangeIndex(turnedRows, x1, x2) * tableSize;
}

// @ts-ignore: decorator
@inline
function leftLine(y1: i32): usize {
  return left + y1 * lineSize;
}

// @ts-ignore: decorator
@inline
function rightLine(y2: i32): usize {
  return right + y2 * lineSize;
}
