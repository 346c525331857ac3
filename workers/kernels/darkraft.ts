/**
 * Darkraft, sixteen boards at once: nimbers of the rectangles of the turned board, bottom-up, one board in
 * each byte lane of a v128.
 *
 *   nimber(rectangle) = mex over its letters { what is left: L clears its row, R its column, X both }
 *
 * Rules, coordinates and the reason why rectangles are enough: src/problems/darkraft/solve.ts. All ranges are
 * half open.
 *
 * Cost: every rectangle that touches the turned board on all four sides, times its cells: 2.5 million pairs
 * at 20 x 20, whatever the letters. A pair is two loads, an XOR, and for each eight values a mex may reach a
 * swizzle and an OR. A scalar solver skips cells that are not X, but sixteen boards have an X somewhere.
 * Sixteen rectangles of one board in the lanes would skip them too, but R makes rectangles of the same rows
 * wait for one another, and letters cost less than that.
 *
 * Reference: Sprague-Grundy theory as in E. R. Berlekamp, J. H. Conway, R. K. Guy, "Winning Ways", volume 1.
 *
 * Letters. Boards differ in letters alone, so a letter is a mask: a move a board does not have leaves
 * NO_MOVE, which no XOR of nimbers can be and every seen set ignores. Cells with neither letter have no move
 * at all and may be part of any rectangle, so a board smaller than the frame of its batch lies in the frame's
 * top left corner.
 *
 * Splits. For rows x1..x2 and a row x of them, the XOR of what is above x and what is below it is one table
 * over all column ranges. An L at row x leaves the entry of all columns; an X at (x, y) the entry left of y
 * XOR the one right of y. An R leaves the same of a table that holds the nimbers of rows x1..x2 themselves.
 * So every X and R is left ^ right:
 *
 *   left[y1][x][slot(y)]    the entry of columns y1..y, or NO_MOVE if cell (x, y) is no X
 *   right[y2][x][slot(y)]   the entry of columns y+1..y2
 *
 * with A turned rows x of splits, and the table of R as row A. In both, a cell is at the same offset from the
 * line y1 or y2:
 *
 *   slot     0     1  2  3 .. B      B + 1
 *          spill   columns 0 .. B-1  spill      "spill" takes what loops write beyond the board
 *
 * Hence the X moves of a rectangle are a list of offsets, the same for all boards. It is laid out row by row
 * for each column range, and a rectangle's is the piece from firstMove[columns][x1] to
 * firstMove[columns][x2].
 *
 * Memory, all vectors of sixteen bytes but for the last three; A x B is the turned board:
 *
 *   letters[i * cols + j]             0 = L, 1 = R, 2 = X, 3 = no cell; the host fills it
 *   notX, notL, notR[x * B + y]       NO_MOVE in the lanes where cell (x, y) holds another letter
 *   noL[range(y1, y2) * A + x]        NO_MOVE where row x has no L in these columns
 *   noR[y]                            NO_MOVE where column y has no R in the rows in work
 *   left, right                       see above
 *   nimber[range(x1, x2)][range(y1, y2)]
 *   groupsOf[range(y1, y2)]           u8: the groups its last mex needed, be it of other rows
 *   firstMove[range(y1, y2) * (A + 1) + x]    u32: address in `moves`
 *   moves                             u16: offsets in bytes
 *
 * range(a, b) numbers ranges (0,0) (0,1) .. (0,n) (1,1) ..  At 20 x 20 `nimber` is 833 KiB and everything
 * else 600 KiB.
 *
 * Seen sets. Values are taken in groups of eight, a group being one vector, a bit a value. A rectangle starts
 * with as many groups as its neighbours needed; where a lane has them all full, the next two are looked at in
 * another pass. A lane that leaves no room for such a pass below NO_MOVE is reported as overflowed; its
 * answer means nothing. No board is known that does so.
 */

// @ts-ignore: decorator
@inline const LANES: i32 = 16;
/** Longest side of a frame. */
const MAX_SIDE: i32 = 40;

const LETTER_L: i8 = 0;
const LETTER_R: i8 = 1;
const LETTER_X: i8 = 2;

/** Above every XOR of nimbers below 8 * MAX_GROUPS = 128. */
const NO_MOVE: i8 = -128;
/** The fewest that a mex is worth being specialised for. */
const MIN_GROUPS: i32 = 2;
const MAX_GROUPS: i32 = 16;

const MOVE: i32 = sizeof<u16>();
/**
 * So many moves are seen in a turn of the loop: the pieces of one row are padded to that by repeating moves.
 */
const TURN: i32 = 4 * MOVE;

/** A vector each: what `solve` leaves. */
const NIMBERS: usize = memory.data(LANES, 16);
const OVERFLOWED: usize = memory.data(LANES, 16);
/** Turned row x has cells in columns FIRST_COL[x]..END_COL[x]. */
const FIRST_COL: usize = memory.data(MAX_SIDE);
const END_COL: usize = memory.data(MAX_SIDE);

/** The frame, and the turned board of the parity in work. */
let frameRows: i32 = 0;
let frameCols: i32 = 0;
let rows: i32 = 0;
let cols: i32 = 0;
/** Bytes of one row and one line of `left` and `right`, and of the nimbers of one row range. */
let rowSize: i32 = 0;
let lineSize: i32 = 0;
let tableSize: i32 = 0;

/** Where the parts of the memory begin; `reserve` lays them out. */
let letters: usize = 0;
let notX: usize = 0;
let notL: usize = 0;
let notR: usize = 0;
let noL: usize = 0;
let noR: usize = 0;
let left: usize = 0;
let right: usize = 0;
let nimber: usize = 0;
let groupsOf: usize = 0;
let firstMove: usize = 0;
let moves: usize = 0;

/** The rectangle in work: its lines of `left` and `right`. */
let leftAt: usize = 0;
let rightAt: usize = 0;
/**
 * Its X moves in `moves`; its R moves, as offsets; its L moves, as masks in `noL` and their splits in
 * `right`.
 */
let firstX: usize = 0;
let endX: usize = 0;
let firstR: usize = 0;
let endR: usize = 0;
let firstL: usize = 0;
let endL: usize = 0;
let splitOfL: usize = 0;
/** The groups of values that its largest nimber needs, as far as is known. */
let groups: i32 = 0;

export function lanes(): i32 { return LANES; }
export function maxSide(): i32 { return MAX_SIDE; }
/** The letter of an empty lane or a cell beyond a lane's board. */
export function noCell(): i32 { return LETTER_X + 1; }
export function nimbersAt(): usize { return NIMBERS; }
export function overflowedAt(): usize { return OVERFLOWED; }

/** Makes room for a frame, growing the memory if need be, and returns where its letters go. */
export function reserve(boardRows: i32, boardCols: i32): usize {
  frameRows = boardRows;
  frameCols = boardCols;
  const lines = (boardRows + boardCols) >> 1;
  const ranges = rangeCount(lines);
  const cells = lines * lines * LANES;
  const line = (lines + 1) * (lines + 2) * LANES;
  letters = (__heap_base + LANES - 1) & -LANES;
  notX = letters + boardRows * boardCols * LANES;
  notL = notX + cells + LANES; // splitRow reads one vector beyond
  notR = notL + cells;
  noL = notR + cells;
  noR = noL + ranges * lines * LANES;
  left = noR + lines * LANES;
  right = left + lines * line;
  nimber = right + (lines + 2) * line; // splitRow writes one line beyond
  groupsOf = nimber + ranges * ranges * LANES;
  firstMove = (groupsOf + ranges + 3) & -4;
  moves = firstMove + ranges * (lines + 1) * sizeof<u32>();
  const end = moves + ranges * (((boardRows * boardCols + 1) >> 1) * MOVE + lines * TURN);
  const pages = <i32>((end + 0xffff) >> 16);
  if (pages > memory.size()) memory.grow(pages - memory.size());
  return letters;
}

/** Solves the boards in `letters`. */
export function solve(): void {
  v128.store(NIMBERS, i8x16.splat(0));
  v128.store(OVERFLOWED, i8x16.splat(0));
  for (let parity = 0; parity < 2; parity++) {
    turn(parity);
    listMoves();
    markRangesWithoutL();
    clear();
    fill();
    const whole = nimberAt(0, rows) + rangeIndex(cols, 0, cols) * LANES;
    v128.store(NIMBERS, v128.xor(v128.load(NIMBERS), v128.load(whole)));
  }
}

/** Turns the cells of one parity. A 1 x 1 frame has none of parity 1. */
function turn(parity: i32): void {
  measure(parity);
  for (let i = 0; i < frameRows; i++) {
    for (let j = (i + parity) & 1; j < frameCols; j += 2) {
      maskCell((i + j) >> 1, (i - j + frameCols - 1) >> 1, v128.load(letters + (i * frameCols + j) * LANES));
    }
  }
}

function measure(parity: i32): void {
  rows = 0;
  cols = 0;
  memory.fill(FIRST_COL, 0xff, MAX_SIDE);
  memory.fill(END_COL, 0, MAX_SIDE);
  for (let i = 0; i < frameRows; i++) {
    for (let j = (i + parity) & 1; j < frameCols; j += 2) {
      const x = (i + j) >> 1;
      const y = (i - j + frameCols - 1) >> 1;
      rows = max(rows, x + 1);
      cols = max(cols, y + 1);
      store<u8>(FIRST_COL + x, min(firstCol(x), y));
      store<u8>(END_COL + x, max(endCol(x), y + 1));
    }
  }
  rowSize = (cols + 2) * LANES;
  lineSize = (rows + 1) * rowSize;
  tableSize = rangeCount(cols) * LANES;
}

function maskCell(x: i32, y: i32, letter: v128): void {
  const noMove = i8x16.splat(NO_MOVE);
  const cell = (x * cols + y) * LANES;
  v128.store(notX + cell, v128.and(noMove, i8x16.ne(letter, i8x16.splat(LETTER_X))));
  v128.store(notL + cell, v128.and(noMove, i8x16.ne(letter, i8x16.splat(LETTER_L))));
  v128.store(notR + cell, v128.and(noMove, i8x16.ne(letter, i8x16.splat(LETTER_R))));
}

function listMoves(): void {
  let move = moves;
  let first = firstMove;
  for (let y1 = 0; y1 <= cols; y1++) {
    for (let y2 = y1; y2 <= cols; y2++) {
      for (let x = 0; x < rows; x++, first += sizeof<u32>()) {
        store<u32>(first, <u32>move);
        move = listRow(move, x, max(y1, firstCol(x)), min(y2, endCol(x)));
      }
      store<u32>(first, <u32>move);
      first += sizeof<u32>();
    }
  }
}

function listRow(start: usize, x: i32, from: i32, end: i32): usize {
  if (from >= end) return start;
  let move = start;
  for (let y = from; y < end; y++, move += MOVE) store<u16>(move, x * rowSize + slot(y));
  for (; move < start + TURN; move += MOVE) store<u16>(move, load<u16>(move - MOVE));
  return move;
}

function markRangesWithoutL(): void {
  const line = rows * LANES;
  let marks = noL;
  for (let y1 = 0; y1 <= cols; y1++) {
    for (let x = 0; x < rows; x++) v128.store(marks + x * LANES, i8x16.splat(NO_MOVE));
    marks += line;
    for (let y2 = y1 + 1; y2 <= cols; y2++, marks += line) {
      for (let x = 0; x < rows; x++) {
        let mark = v128.load(marks - line + x * LANES);
        if (holdsCell(x, y2 - 1)) mark = v128.and(mark, v128.load(notL + (x * cols + y2 - 1) * LANES));
        v128.store(marks + x * LANES, mark);
      }
    }
  }
}

/**
 * Entries of empty ranges are 0 and stay so; those of columns y..y are the only ones of `left` that nobody
 * else writes.
 */
function clear(): void {
  for (let x = 0; x <= rows; x++) memory.fill(nimberAt(x, x), 0, tableSize);
  memory.fill(right, 0, (cols + 1) * lineSize);
  memory.fill(groupsOf, <u8>MIN_GROUPS, rangeCount(cols));
  for (let x = 0; x < rows; x++) {
    for (let y = firstCol(x); y < endCol(x); y++) {
      v128.store(leftLine(y) + x * rowSize + slot(y), v128.load(notX + (x * cols + y) * LANES));
    }
  }
}

/** A row range needs those that begin later and those that end sooner. */
function fill(): void {
  for (let x1 = rows - 1; x1 >= 0; x1--) {
    let from = cols;
    let end = 0;
    for (let y = 0; y < cols; y++) v128.store(noR + y * LANES, i8x16.splat(NO_MOVE));
    for (let x2 = x1 + 1; x2 <= rows; x2++) {
      from = min(from, firstCol(x2 - 1));
      end = max(end, endCol(x2 - 1));
      addRowToNoR(x2 - 1);
      for (let x = x1; x < x2; x++) splitRow(x, nimberAt(x1, x), nimberAt(x + 1, x2), from, end);
      fillRowRange(x1, x2, from, end);
    }
  }
}

function addRowToNoR(x: i32): void {
  for (let y = firstCol(x); y < endCol(x); y++) {
    const at = noR + y * LANES;
    v128.store(at, v128.and(v128.load(at), v128.load(notR + (x * cols + y) * LANES)));
  }
  for (let y = 0; y < cols; y++) {
    v128.store(leftLine(y) + rows * rowSize + slot(y), v128.load(noR + y * LANES));
  }
}

/**
 * What row x leaves above and below of every column range in from..end. Goes by twos, so maybe one range
 * beyond.
 */
function splitRow(x: i32, above: usize, below: usize, from: i32, end: i32): void {
  const line = lineSize;
  const twoLines = 2 * line;
  const notXOfRow = notX + x * cols * LANES;
  const endMask = notXOfRow + end * LANES;
  for (let y1 = from; y1 < end; y1++) {
    let range = rangeIndex(cols, y1, y1 + 1) * LANES;
    let mask = notXOfRow + (y1 + 1) * LANES;
    let leftSlot = leftLine(y1) + x * rowSize + slot(y1 + 1);
    let rightSlot = rightLine(y1 + 1) + x * rowSize + slot(y1 - 1);
    for (; mask <= endMask; mask += 2 * LANES) {
      const narrow = v128.xor(v128.load(above + range), v128.load(below + range));
      const wide = v128.xor(v128.load(above + range, LANES), v128.load(below + range, LANES));
      v128.store(leftSlot, v128.or(narrow, v128.load(mask)));
      v128.store(leftSlot, v128.or(wide, v128.load(mask, LANES)), LANES);
      v128.store(rightSlot, narrow);
      v128.store(rightSlot + line, wide);
      range += 2 * LANES;
      leftSlot += 2 * LANES;
      rightSlot += twoLines;
    }
  }
}

/**
 * The nimbers of rows x1..x2, whose cells lie in columns from..end; what reaches beyond is a copy of what is
 * inside.
 */
function fillRowRange(x1: i32, x2: i32, from: i32, end: i32): void {
  const table = nimberAt(x1, x2);
  for (let y1 = cols; y1 >= 0; y1--) {
    v128.store(table + rangeIndex(cols, y1, y1) * LANES, i8x16.splat(0));
    if (y1 >= from) playColumnRanges(x1, x2, y1, end);
    const first = max(y1, from);
    for (let y2 = y1 < from ? y1 + 1 : max(y1, end) + 1; y2 <= cols; y2++) {
      const inside = rangeIndex(cols, first, max(first, min(y2, end)));
      v128.store(table + rangeIndex(cols, y1, y2) * LANES, v128.load(table + inside * LANES));
    }
  }
}

/**
 * The rectangles of rows x1..x2 that begin with column y1 and end by `end`, narrow ones first, as R needs
 * those inside.
 */
function playColumnRanges(x1: i32, x2: i32, y1: i32, end: i32): void {
  const table = nimberAt(x1, x2);
  const withoutTop = nimberAt(x1 + 1, x2) - table;
  const withoutBottom = nimberAt(x1, x2 - 1) - table;
  const line = lineSize;
  const rowOfR = rows * rowSize;
  const listSize = (rows + 1) * sizeof<u32>();
  let range = rangeIndex(cols, y1, y1);
  let list = firstMove + range * listSize + x1 * sizeof<u32>();
  leftAt = leftLine(y1);
  rightAt = rightLine(y1);
  firstR = rowOfR + slot(y1);
  endR = firstR;
  groups = MIN_GROUPS;
  for (let y2 = y1 + 1; y2 <= end; y2++) {
    range++;
    list += listSize;
    rightAt += line;
    endR += LANES;
    const at = table + range * LANES;
    let value: v128;
    if (isRowEmpty(x1, y1, y2)) value = v128.load(at + withoutTop);
    else if (isRowEmpty(x2 - 1, y1, y2)) value = v128.load(at + withoutBottom);
    else {
      firstX = load<u32>(list);
      endX = load<u32>(list + (x2 - x1) * sizeof<u32>());
      firstL = noL + (range * rows + x1) * LANES;
      endL = firstL + (x2 - x1) * LANES;
      splitOfL = rightAt + x1 * rowSize + slot(y1 - 1);
      groups = max(groups, <i32>load<u8>(groupsOf + range));
      value = mex();
      store<u8>(groupsOf + range, groups);
    }
    v128.store(at, value);
    v128.store(rightAt + rowOfR + slot(y1 - 1), value);
    if (y2 < cols) v128.store(leftAt + endR, v128.or(value, v128.load(noR + y2 * LANES)));
  }
}

/**
 * The nimbers of the rectangle in work. Starts with the given number of groups and leaves what it should have
 * been.
 */
function mex(): v128 {
  let value: v128;
  if (groups == 2) value = mexBelow16();
  else if (groups == 3) value = mexBelow24();
  else if (groups == 4) value = mexBelow32();
  else {
    groups = 6;
    value = mexBelow48();
  }
  let full = i8x16.eq(value, i8x16.splat(<i8>(8 * groups)));
  while (v128.any_true(full)) {
    if (groups + 2 > MAX_GROUPS) {
      v128.store(OVERFLOWED, v128.or(v128.load(OVERFLOWED), full));
      return v128.andnot(value, full);
    }
    value = mexAbove(value, full);
    full = i8x16.eq(value, i8x16.splat(<i8>(8 * groups)));
  }
  while (groups > MIN_GROUPS && !reaches(value, 8 * (groups - 1))) groups--;
  return value;
}

/** Whether a lane of `value` is `bound` or more. */
// @ts-ignore: decorator
@inline
function reaches(value: v128, bound: i32): bool {
  return v128.any_true(i8x16.ge_u(value, i8x16.splat(<i8>bound)));
}

function mexBelow16(): v128 { return mexOfFew(2); }
function mexBelow24(): v128 { return mexOfFew(3); }
function mexBelow32(): v128 { return mexOfMany(4); }
function mexBelow48(): v128 { return mexOfMany(6); }

/**
 * The mex, or 8 * `count` where all groups are full. Each group has a swizzle of its own: swizzled by a value
 * beyond its table, a lane is 0. X moves go by fours, the last four overlapping those before, as seeing a
 * value twice does no harm.
 */
// @ts-ignore: decorator
@inline
function mexOfFew(count: i32): v128 {
  const low = lowBits(), high = highBits(), sixteen = i8x16.splat(16);
  const l = leftAt, r = rightAt, row = rowSize, lastX = endX - TURN, rEnd = endR, lEnd = endL;
  let s0 = i8x16.splat(0), s1 = s0, s2 = s0;
  for (let x = firstX; ; x = min(x + TURN, lastX)) {
    let a = leftBy(l, r, load<u16>(x)), b = leftBy(l, r, load<u16>(x, MOVE));
    let c = leftBy(l, r, load<u16>(x, 2 * MOVE)), d = leftBy(l, r, load<u16>(x, 3 * MOVE));
    s0 = v128.or(s0, bitsOf(low, a, b, c, d));
    s1 = v128.or(s1, bitsOf(high, a, b, c, d));
    if (count > 2) {
      a = v128.xor(a, sixteen), b = v128.xor(b, sixteen), c = v128.xor(c, sixteen), d = v128.xor(d, sixteen);
      s2 = v128.or(s2, bitsOf(low, a, b, c, d));
    }
    if (x == lastX) break;
  }
  for (let at = firstR; at < rEnd; at += LANES) {
    const value = leftBy(l, r, at);
    s0 = v128.or(s0, i8x16.swizzle(low, value));
    s1 = v128.or(s1, i8x16.swizzle(high, value));
    if (count > 2) s2 = v128.or(s2, i8x16.swizzle(low, v128.xor(value, sixteen)));
  }
  for (let mask = firstL, split = splitOfL; mask < lEnd; mask += LANES, split += row) {
    const value = v128.or(v128.load(split), v128.load(mask));
    s0 = v128.or(s0, i8x16.swizzle(low, value));
    s1 = v128.or(s1, i8x16.swizzle(high, value));
    if (count > 2) s2 = v128.or(s2, i8x16.swizzle(low, v128.xor(value, sixteen)));
  }
  return count == 2 ? mexOfTwo(s0, s1) : mexOfThree(s0, s1, s2);
}

/**
 * The same for four groups or six, where it takes less to make the bit once, by the low three bits of the
 * value, and to put it into the one group that the others say.
 */
// @ts-ignore: decorator
@inline
function mexOfMany(count: i32): v128 {
  const table = v128.or(lowBits(), highBits()), seven = i8x16.splat(7);
  const l = leftAt, r = rightAt, row = rowSize, xEnd = endX, rEnd = endR, lEnd = endL;
  let s0 = i8x16.splat(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0;
  let x = firstX, at = firstR, mask = firstL, split = splitOfL;
  while (true) {
    let value = s0;
    if (x < xEnd) {
      value = leftBy(l, r, load<u16>(x));
      x += MOVE;
    } else if (at < rEnd) {
      value = leftBy(l, r, at);
      at += LANES;
    } else if (mask < lEnd) {
      value = v128.or(v128.load(split), v128.load(mask));
      mask += LANES, split += row;
    } else break;
    const bit = i8x16.swizzle(table, v128.and(value, seven)), group = v128.andnot(value, seven);
    s0 = v128.or(s0, v128.and(bit, i8x16.eq(group, i8x16.splat(0))));
    s1 = v128.or(s1, v128.and(bit, i8x16.eq(group, i8x16.splat(8))));
    s2 = v128.or(s2, v128.and(bit, i8x16.eq(group, i8x16.splat(16))));
    s3 = v128.or(s3, v128.and(bit, i8x16.eq(group, i8x16.splat(24))));
    if (count > 4) s4 = v128.or(s4, v128.and(bit, i8x16.eq(group, i8x16.splat(32))));
    if (count > 4) s5 = v128.or(s5, v128.and(bit, i8x16.eq(group, i8x16.splat(40))));
  }
  const low = mexOfFour(s0, s1, s2, s3);
  if (count == 4) return low;
  return v128.bitselect(i8x16.add(low, mexOfTwo(s4, s5)), low, i8x16.eq(low, i8x16.splat(32)));
}

/** In the lanes of `full`, which have seen all of the groups so far, the mex with two groups more. */
function mexAbove(value: v128, full: v128): v128 {
  const low = lowBits(), high = highBits(), base = i8x16.splat(<i8>(8 * groups));
  const l = leftAt, r = rightAt, row = rowSize, xEnd = endX, rEnd = endR, lEnd = endL;
  let s0 = i8x16.splat(0), s1 = s0;
  let x = firstX, at = firstR, mask = firstL, split = splitOfL;
  while (true) {
    let next = s0;
    if (x < xEnd) {
      next = leftBy(l, r, load<u16>(x));
      x += MOVE;
    } else if (at < rEnd) {
      next = leftBy(l, r, at);
      at += LANES;
    } else if (mask < lEnd) {
      next = v128.or(v128.load(split), v128.load(mask));
      mask += LANES, split += row;
    } else break;
    next = i8x16.sub(next, base);
    s0 = v128.or(s0, i8x16.swizzle(low, next));
    s1 = v128.or(s1, i8x16.swizzle(high, next));
  }
  groups += 2;
  return v128.bitselect(i8x16.add(base, mexOfTwo(s0, s1)), value, full);
}

/** What the X or R move at `offset` leaves. */
// @ts-ignore: decorator
@inline
function leftBy(l: usize, r: usize, offset: usize): v128 {
  return v128.xor(v128.load(l + offset), v128.load(r + offset));
}

// @ts-ignore: decorator
@inline
function mexOfTwo(s0: v128, s1: v128): v128 {
  const full = isFull(s0);
  return i8x16.add(v128.and(full, i8x16.splat(8)), trailingOnes(v128.bitselect(s1, s0, full)));
}

// @ts-ignore: decorator
@inline
function mexOfThree(s0: v128, s1: v128, s2: v128): v128 {
  const full = isFull(s0);
  const above = v128.bitselect(mexOfTwo(s1, s2), trailingOnes(s0), full);
  return i8x16.add(v128.and(full, i8x16.splat(8)), above);
}

// @ts-ignore: decorator
@inline
function mexOfFour(s0: v128, s1: v128, s2: v128, s3: v128): v128 {
  const full = isFull(v128.and(s0, s1));
  const first = v128.bitselect(s2, s0, full);
  const second = v128.bitselect(s3, s1, full);
  return i8x16.add(v128.and(full, i8x16.splat(16)), mexOfTwo(first, second));
}

// @ts-ignore: decorator
@inline function lowBits(): v128 { return i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0); }

// @ts-ignore: decorator
@inline function highBits(): v128 { return i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128); }

// @ts-ignore: decorator
@inline
function bitsOf(table: v128, a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = v128.or(i8x16.swizzle(table, a), i8x16.swizzle(table, b));
  return v128.or(ab, v128.or(i8x16.swizzle(table, c), i8x16.swizzle(table, d)));
}

// @ts-ignore: decorator
@inline function isFull(seen: v128): v128 { return i8x16.eq(seen, i8x16.splat(-1)); }

// @ts-ignore: decorator
@inline
function trailingOnes(seen: v128): v128 {
  return i8x16.popcnt(v128.andnot(seen, i8x16.add(seen, i8x16.splat(1))));
}

// @ts-ignore: decorator
@inline function firstCol(x: i32): i32 { return load<u8>(FIRST_COL + x); }

// @ts-ignore: decorator
@inline function endCol(x: i32): i32 { return load<u8>(END_COL + x); }

// @ts-ignore: decorator
@inline function holdsCell(x: i32, y: i32): bool { return firstCol(x) <= y && y < endCol(x); }

// @ts-ignore: decorator
@inline function isRowEmpty(x: i32, y1: i32, y2: i32): bool { return firstCol(x) >= y2 || endCol(x) <= y1; }

/** How many ranges of `lines` lines there are, empty ones among them. */
// @ts-ignore: decorator
@inline function rangeCount(lines: i32): i32 { return ((lines + 1) * (lines + 2)) >> 1; }

/** The number of the range from..end among those. */
// @ts-ignore: decorator
@inline
function rangeIndex(lines: i32, from: i32, end: i32): i32 {
  return from * (lines + 1) - ((from * (from - 1)) >> 1) + end - from;
}

/** The nimbers of rows x1..x2. */
// @ts-ignore: decorator
@inline function nimberAt(x1: i32, x2: i32): usize { return nimber + rangeIndex(rows, x1, x2) * tableSize; }

// @ts-ignore: decorator
@inline function leftLine(y1: i32): usize { return left + y1 * lineSize; }

// @ts-ignore: decorator
@inline function rightLine(y2: i32): usize { return right + y2 * lineSize; }

/** Where column y is in a row of `left` or `right`; column -1 is the spill. */
// @ts-ignore: decorator
@inline function slot(y: i32): i32 { return (1 + y) * LANES; }
