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
 * swizzle and an OR; two rectangles that begin in one place share the first load. A scalar solver skips cells
 * that are not X, but sixteen boards have an X somewhere. Sixteen rectangles of one board in the lanes would
 * skip them too, but R makes rectangles of the same rows wait for one another, and letters cost less than that.
 *
 * Reference: Sprague-Grundy theory as in E. R. Berlekamp, J. H. Conway, R. K. Guy, "Winning Ways", volume 1.
 *
 * Letters. Boards differ in letters alone, so a letter is a mask: a move a board does not have leaves
 * NO_MOVE, which no XOR of nimbers can be and every seen set ignores. Cells with neither letter have no move
 * at all and may be part of any rectangle, so a board smaller than the frame of its batch lies in the frame's
 * top left corner. A mask is laid on by an XOR: what it is laid on, be it left over from another rectangle, is
 * below NO_MOVE. That XOR puts BIAS on every move as well.
 *
 * Splits. For rows x1..x2 and a row x of them, the XOR of what is above x and what is below it is one table
 * over all column ranges. An L at row x leaves the entry of all columns; an X at (x, y) the entry left of y
 * XOR the one right of y. An R leaves the same of a table that holds the nimbers of rows x1..x2 themselves.
 * So every X and R is left ^ right:
 *
 *   left[y1][x][slot(y)]    the entry of columns y1..y, or NO_MOVE if cell (x, y) is no X
 *   right[y2][x][slot(y)]   the entry of columns y+1..y2
 *
 * with A turned rows x of splits, and the table of R as row A. One array holds both, as y1 <= y < y2: line z
 * is `right` before slot(z) and `left` from there on. In both, a cell is at the same offset from the line:
 *
 *   slot     0     1  2  3 .. B      B + 1, B + 2
 *          spill   columns 0 .. B-1  spill      "spill" takes what loops write beyond the board
 *
 * Hence the X and R moves of a rectangle are a list of offsets, the same for all boards. It is laid out column
 * by column for each row range, and a rectangle's is the piece from movesAt[y1] to movesAt[y2].
 *
 * Two at once. Columns y1..y2 and y1..y2+1 have the moves of the former in common. The latter has those of
 * column y2 besides, with nothing to the right of the cell; R leaves the former there, and so comes last.
 *
 * Memory, all vectors of sixteen bytes but for the last three; A x B is the turned board:
 *
 *   letters[i * cols + j]             0 = L, 1 = R, 2 = X, 3 = no cell; the host fills it
 *   notX, notL, notR[x * B + y]       NO_MOVE in the lanes where cell (x, y) holds another letter, with BIAS
 *   noL[range(y1, y2) * A + x]        NO_MOVE where row x has no L in these columns
 *   noR[y]                            NO_MOVE where column y has no R in the rows in work
 *   splits[z][x][slot(y)]             `left` and `right`, see above
 *   nimber[range(x1, x2)][range(y1, y2)]
 *   groupsOf[range(y1, y2)]           u8: the groups its last mex needed, be it of other rows
 *   movesAt[y]                        u32: address in `moves`
 *   moves                             u16: offsets in bytes
 *
 * range(a, b) numbers ranges (0,0) (0,1) .. (0,n) (1,1) ..  At 20 x 20 `nimber` is 833 KiB and everything
 * else 340 KiB.
 *
 * Seen sets. Values are taken in groups of eight, a group being one vector, a bit a value. A rectangle starts
 * with as many groups as its neighbours needed; where a lane has them all full, the next two are looked at in
 * another pass. A lane that leaves no room for such a pass below NO_MOVE is reported as overflowed; its
 * answer means nothing. Boards of mostly X do so from 36 x 36 on.
 */

import { lookUp } from './shared/swizzle';

// @ts-ignore: decorator
@inline const LANES: i32 = 16;
/** Longest side of a frame. */
const MAX_SIDE: i32 = 40;

const LETTER_L: i8 = 0;
const LETTER_R: i8 = 1;
const LETTER_X: i8 = 2;

/** Above every XOR of nimbers below 8 * MAX_GROUPS = 128, and kept so by an XOR with one. */
const NO_MOVE: i8 = -128;
/** What the masks add to every move, to suit `index`. */
// @ts-ignore: decorator
@inline const BIAS: i8 = ASC_FEATURE_RELAXED_SIMD ? 0x70 : 0;
const BIASED_NO_MOVE: i8 = NO_MOVE ^ BIAS;
/** The fewest that a mex is worth being specialised for. */
// @ts-ignore: decorator
@inline const MIN_GROUPS: i32 = 2;
const MAX_GROUPS: i32 = 16;
/** A mex so close below 16 or 24 has one more group expected: that costs less than another pass would. */
// @ts-ignore: decorator
@inline const MARGIN: i32 = 2;

const MOVE: i32 = sizeof<u16>();
/** Bytes of a line of `splits`, the same for all frames, so that the next line is at a fixed distance. */
// @ts-ignore: decorator
@inline const LINE: i32 = (MAX_SIDE + 1) * (MAX_SIDE + 3) * LANES;

/** A vector each: what `solve` leaves. */
const NIMBERS: usize = memory.data(LANES, 16);
const OVERFLOWED: usize = memory.data(LANES, 16);
/** Turned row x has cells in columns FIRST_COL[x]..END_COL[x], turned column y in rows FIRST_ROW[y]..END_ROW[y]. */
const FIRST_COL: usize = memory.data(MAX_SIDE);
const END_COL: usize = memory.data(MAX_SIDE);
const FIRST_ROW: usize = memory.data(MAX_SIDE);
const END_ROW: usize = memory.data(MAX_SIDE);

/** The frame, and the turned board of the parity in work. */
let frameRows: i32 = 0;
let frameCols: i32 = 0;
let rows: i32 = 0;
let cols: i32 = 0;
/** Bytes of one row of `splits`, of the rows before that of R, and of the nimbers of one row range. */
let rowSize: i32 = 0;
let rowOfR: i32 = 0;
let tableSize: i32 = 0;

/** Where the parts of the memory begin; `reserve` lays them out. */
let letters: usize = 0;
let notX: usize = 0;
let notL: usize = 0;
let notR: usize = 0;
let noL: usize = 0;
let noR: usize = 0;
let splits: usize = 0;
let nimber: usize = 0;
let groupsOf: usize = 0;
let movesAt: usize = 0;
let moves: usize = 0;

/** The strip in work: the rectangles of rows top..bottom whose columns begin with `start`. */
let top: i32 = 0;
let bottom: i32 = 0;
let start: i32 = 0;
/** Its parts of `nimber`, `groupsOf` and `noL`: where an end y2 = 0 would be. */
let strip: usize = 0;
let stripGroups: usize = 0;
let stripNoL: usize = 0;
/** The groups of values that its rectangles need, as far as is known. */
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
  letters = (__heap_base + LANES - 1) & -LANES;
  notX = letters + boardRows * boardCols * LANES;
  notL = notX + cells + LANES; // splitRow reads one vector beyond
  notR = notL + cells;
  noL = notR + cells;
  noR = noL + ranges * lines * LANES;
  splits = noR + (lines + 1) * LANES; // keep reads one vector beyond
  nimber = splits + (lines + 2) * LINE; // splitRow writes one line beyond
  groupsOf = nimber + ranges * ranges * LANES;
  movesAt = (groupsOf + ranges + 3) & -4;
  moves = movesAt + (lines + 1) * sizeof<u32>();
  const end = moves + (((boardRows * boardCols + 1) >> 1) + lines) * MOVE;
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
  memory.fill(FIRST_ROW, 0xff, MAX_SIDE);
  memory.fill(END_ROW, 0, MAX_SIDE);
  for (let i = 0; i < frameRows; i++) {
    for (let j = (i + parity) & 1; j < frameCols; j += 2) {
      const x = (i + j) >> 1;
      const y = (i - j + frameCols - 1) >> 1;
      rows = max(rows, x + 1);
      cols = max(cols, y + 1);
      store<u8>(FIRST_COL + x, min(firstCol(x), y));
      store<u8>(END_COL + x, max(endCol(x), y + 1));
      store<u8>(FIRST_ROW + y, min(firstRow(y), x));
      store<u8>(END_ROW + y, max(endRow(y), x + 1));
    }
  }
  rowSize = (cols + 3) * LANES;
  rowOfR = rows * rowSize;
  tableSize = rangeCount(cols) * LANES;
}

function maskCell(x: i32, y: i32, letter: v128): void {
  const cell = (x * cols + y) * LANES;
  v128.store(notX + cell, maskOfOthers(letter, LETTER_X));
  v128.store(notL + cell, maskOfOthers(letter, LETTER_L));
  v128.store(notR + cell, maskOfOthers(letter, LETTER_R));
}

function maskOfOthers(letter: v128, wanted: i8): v128 {
  const noMove = v128.and(i8x16.splat(NO_MOVE), i8x16.ne(letter, i8x16.splat(wanted)));
  return v128.xor(noMove, i8x16.splat(BIAS));
}

function markRangesWithoutL(): void {
  const line = rows * LANES;
  let marks = noL;
  for (let y1 = 0; y1 <= cols; y1++) {
    for (let x = 0; x < rows; x++) v128.store(marks + x * LANES, i8x16.splat(BIASED_NO_MOVE));
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
 * What is right or left of a cell at the end of a rectangle is empty: 0, and `left` says as ever where there is
 * no X. Nobody else writes these.
 */
function clear(): void {
  for (let x = 0; x <= rows; x++) memory.fill(nimberAt(x, x), 0, tableSize);
  for (let y = 0; y <= cols; y++) memory.fill(lineAt(y), 0, (rows + 1) * rowSize);
  memory.fill(groupsOf, <u8>MIN_GROUPS, rangeCount(cols));
  for (let x = 0; x < rows; x++) {
    for (let y = firstCol(x); y < endCol(x); y++) {
      v128.store(lineAt(y) + x * rowSize + slot(y), v128.load(notX + (x * cols + y) * LANES));
    }
  }
}

/** Lists the moves of rows x1..x2, whose cells lie in columns from..end, column by column, R last. */
function listMoves(x1: i32, x2: i32, from: i32, end: i32): void {
  let move = moves;
  for (let y = from; y < end; y++) {
    store<u32>(movesAt + y * sizeof<u32>(), <u32>move);
    const last = min(x2, endRow(y));
    for (let x = max(x1, firstRow(y)); x < last; x++, move += MOVE) store<u16>(move, x * rowSize + slot(y));
    store<u16>(move, rowOfR + slot(y));
    move += MOVE;
  }
  store<u32>(movesAt + end * sizeof<u32>(), <u32>move);
}

/** A row range needs those that begin later and those that end sooner. */
function fill(): void {
  for (let x1 = rows - 1; x1 >= 0; x1--) {
    let from = cols;
    let end = 0;
    for (let y = 0; y < cols; y++) v128.store(noR + y * LANES, i8x16.splat(BIASED_NO_MOVE));
    for (let x2 = x1 + 1; x2 <= rows; x2++) {
      from = min(from, firstCol(x2 - 1));
      end = max(end, endCol(x2 - 1));
      addRowToNoR(x2 - 1);
      for (let x = x1; x < x2; x++) splitRow(x, nimberAt(x1, x), nimberAt(x + 1, x2), from, end);
      listMoves(x1, x2, from, end);
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
    v128.store(lineAt(y) + rowOfR + slot(y), v128.load(noR + y * LANES));
  }
}

/**
 * What row x leaves above and below of those column ranges in from..end that hold a cell of the row or are
 * next to one. Goes by twos, so maybe one range beyond.
 */
function splitRow(x: i32, above: usize, below: usize, from: i32, end: i32): void {
  const notXOfRow = notX + x * cols * LANES;
  const endMask = notXOfRow + end * LANES;
  const first = firstCol(x), last = min(end - 1, endCol(x));
  for (let y1 = from; y1 <= last; y1++) {
    const y2 = max(y1 + 1, first);
    let range = rangeIndex(cols, y1, y2) * LANES;
    let mask = notXOfRow + y2 * LANES;
    let leftSlot = lineAt(y1) + x * rowSize + slot(y2);
    let rightSlot = lineAt(y2) + x * rowSize + slot(y1 - 1);
    for (; mask <= endMask; mask += 2 * LANES) {
      const narrow = v128.xor(v128.load(above + range), v128.load(below + range));
      const wide = v128.xor(v128.load(above + range, LANES), v128.load(below + range, LANES));
      v128.store(leftSlot, v128.xor(narrow, v128.load(mask)));
      v128.store(leftSlot, v128.xor(wide, v128.load(mask, LANES)), LANES);
      v128.store(rightSlot, narrow);
      v128.store(rightSlot, wide, LINE);
      range += 2 * LANES;
      leftSlot += 2 * LANES;
      rightSlot += 2 * LINE;
    }
  }
}

/**
 * The nimbers of rows x1..x2, whose cells lie in columns from..end; what reaches beyond is a copy of what is
 * inside.
 */
function fillRowRange(x1: i32, x2: i32, from: i32, end: i32): void {
  const table = nimberAt(x1, x2);
  top = x1;
  bottom = x2;
  for (let y1 = cols; y1 >= 0; y1--) {
    v128.store(table + rangeIndex(cols, y1, y1) * LANES, i8x16.splat(0));
    if (y1 >= from) playStrip(y1, end);
    const first = max(y1, from), last = max(first, end);
    const inside = table + rangeIndex(cols, first, first) * LANES;
    let y2 = y1 < from ? y1 + 1 : last + 1;
    let at = table + rangeIndex(cols, y1, y2) * LANES;
    for (; y2 <= cols; y2++, at += LANES) {
      v128.store(at, v128.load(inside + max(0, min(y2, last) - first) * LANES));
    }
  }
}

/**
 * The rectangles of rows top..bottom that begin with column y1 and end by `end`, narrow ones first, as R needs
 * those inside.
 */
function playStrip(y1: i32, end: i32): void {
  const first = rangeIndex(cols, y1, 0);
  start = y1;
  strip = nimberAt(top, bottom) + first * LANES;
  stripGroups = groupsOf + first;
  stripNoL = noL + (first * rows + top) * LANES;
  groups = MIN_GROUPS;
  let y2 = copyShorter(end);
  while (y2 <= end) {
    const both = y2 < end;
    expectGroups(y2, both);
    if (groups > 4) y2 = playBelow48(y2, end);
    else if (both && groups == 2) y2 = playTwoBelow16(y2, end);
    else if (both && groups == 3) y2 = playTwoBelow24(y2, end);
    else if (both) y2 = playTwoBelow32(y2, end);
    else if (groups == 2) y2 = playBelow16(y2, end);
    else y2 = playBelow32(y2, end);
  }
}

/** Copies the rectangles that have no cell in the first row or the last, and returns where others begin. */
function copyShorter(end: i32): i32 {
  const first = rangeIndex(cols, start, 0) * LANES;
  const withoutTop = nimberAt(top + 1, bottom) + first, withoutBottom = nimberAt(top, bottom - 1) + first;
  let y2 = start + 1;
  for (; y2 <= end; y2++) {
    if (isRowEmpty(top, start, y2)) keep(y2, v128.load(withoutTop + y2 * LANES));
    else if (isRowEmpty(bottom - 1, start, y2)) keep(y2, v128.load(withoutBottom + y2 * LANES));
    else break;
  }
  return y2;
}

/** Expects that a rectangle, or two, need what neighbours did. */
// @ts-ignore: decorator
@inline
function expectGroups(y2: i32, both: bool): void {
  groups = max(groups, <i32>load<u8>(stripGroups + y2));
  if (both) groups = max(groups, <i32>load<u8>(stripGroups + y2, 1));
}

/** Stores the nimber of columns start..y2, also as what R leaves beside the cells of column y2 or start - 1. */
// @ts-ignore: decorator
@inline
function keep(y2: i32, value: v128): void {
  v128.store(strip + y2 * LANES, value);
  v128.store(lineAt(y2) + rowOfR + slot(start - 1), value);
  v128.store(lineAt(start) + rowOfR + slot(y2), v128.xor(value, v128.load(noR + y2 * LANES)));
}

function playBelow16(y2: i32, end: i32): i32 { return play(2, false, y2, end); }
function playBelow32(y2: i32, end: i32): i32 { return play(4, false, y2, end); }
function playBelow48(y2: i32, end: i32): i32 { return play(6, false, y2, end); }
function playTwoBelow16(y2: i32, end: i32): i32 { return play(2, true, y2, end); }
function playTwoBelow24(y2: i32, end: i32): i32 { return play(3, true, y2, end); }
function playTwoBelow32(y2: i32, end: i32): i32 { return play(4, true, y2, end); }

/**
 * Plays columns start..y2 for y2 from `first` on, as long as `count` groups are what is expected, and returns
 * where it stopped. Goes one by one or, with `both`, by twos: y2 is a, y2 + 1 is b.
 *
 * Each group has a swizzle of its own: swizzled by a value beyond its table, a lane is 0.
 */
// @ts-ignore: decorator
@inline
function play(count: i32, both: bool, first: i32, end: i32): i32 {
  const low = lowBits(), high = highBits(), sixteen = i8x16.splat(16), thirtyTwo = i8x16.splat(32);
  const l = lineAt(start), row = rowSize, width = both ? 2 : 1;
  const maskLine = rows * LANES, masks = stripNoL, maskSize = (bottom - top) * LANES;
  const firstMove = firstMoveOf(start), firstSplit = top * row + slot(start - 1);
  let y2 = first;
  do {
    let a0 = i8x16.splat(0), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    const r = lineAt(y2), endMove = firstMoveOf(y2);
    for (let move = firstMove; move < endMove; move += MOVE) {
      const offset = <usize>load<u16>(move);
      const part = v128.load(l + offset);
      const a = v128.xor(part, v128.load(r + offset));
      const aAt = index(a), aAbove = index(v128.xor(a, sixteen));
      a0 = seen(a0, low, aAt), a1 = seen(a1, high, aAt);
      if (count > 2) a2 = seen(a2, low, aAbove);
      if (count > 3) a3 = seen(a3, high, aAbove);
      const aTop = index(v128.xor(a, thirtyTwo));
      if (count > 4) a4 = seen(a4, low, aTop), a5 = seen(a5, high, aTop);
      if (both) {
        // Next to eight sets there is no register for `part`.
        const b = v128.xor(count > 3 ? v128.load(l + offset) : part, v128.load(r + offset, LINE));
        const bAt = index(b), bAbove = index(v128.xor(b, sixteen));
        b0 = seen(b0, low, bAt), b1 = seen(b1, high, bAt);
        if (count > 2) b2 = seen(b2, low, bAbove);
        if (count > 3) b3 = seen(b3, high, bAbove);
      }
    }
    let mask = masks + y2 * maskLine, split = r + firstSplit;
    for (const endMask = mask + maskSize; mask < endMask; mask += LANES, split += row) {
      const a = v128.xor(v128.load(split), v128.load(mask));
      const aAt = index(a), aAbove = index(v128.xor(a, sixteen));
      a0 = seen(a0, low, aAt), a1 = seen(a1, high, aAt);
      if (count > 2) a2 = seen(a2, low, aAbove);
      if (count > 3) a3 = seen(a3, high, aAbove);
      const aTop = index(v128.xor(a, thirtyTwo));
      if (count > 4) a4 = seen(a4, low, aTop), a5 = seen(a5, high, aTop);
      if (both) {
        const b = v128.xor(v128.load(split, LINE), v128.load(mask + maskLine));
        const bAt = index(b), bAbove = index(v128.xor(b, sixteen));
        b0 = seen(b0, low, bAt), b1 = seen(b1, high, bAt);
        if (count > 2) b2 = seen(b2, low, bAbove);
        if (count > 3) b3 = seen(b3, high, bAbove);
      }
    }
    keep(y2, settle(count, mexOf(count, a0, a1, a2, a3, a4, a5), y2));
    if (both) {
      const groupsOfA = groups, endColumn = firstMoveOf(y2 + 1);
      for (let move = endMove; move < endColumn; move += MOVE) {
        const b = v128.load(l + load<u16>(move));
        const bAt = index(b), bAbove = index(v128.xor(b, sixteen));
        b0 = seen(b0, low, bAt), b1 = seen(b1, high, bAt);
        if (count > 2) b2 = seen(b2, low, bAbove);
        if (count > 3) b3 = seen(b3, high, bAbove);
      }
      keep(y2 + 1, settle(count, mexOf(count, b0, b1, b2, b3, b3, b3), y2 + 1));
      groups = max(groups, groupsOfA);
    }
    y2 += width;
    if (y2 + width > end + 1) break;
    expectGroups(y2, both);
  } while (groups == count);
  return y2;
}

/** Notes how many groups the mex of columns start..y2 takes, and goes on where `count` were too few. */
// @ts-ignore: decorator
@inline
function settle(count: i32, value: v128, y2: i32): v128 {
  const full = i8x16.eq(value, i8x16.splat(<i8>(8 * count)));
  let settled = value;
  groups = 2 + <i32>reaches(value, 16 - MARGIN);
  if (count > 2) groups += <i32>reaches(value, 24 - MARGIN);
  if (count > 3) groups += <i32>reaches(value, 32);
  if (count > 4) groups += <i32>reaches(value, 40);
  if (v128.any_true(full)) settled = goOn(count, value, full, y2);
  store<u8>(stripGroups + y2, groups);
  return settled;
}

/** Whether a lane of `value` is `bound` or more. */
// @ts-ignore: decorator
@inline
function reaches(value: v128, bound: i32): bool {
  return v128.any_true(i8x16.gt_s(value, i8x16.splat(<i8>(bound - 1))));
}

/** In the lanes of `full`, which have seen all of `count` groups, the mex with as many more as it takes. */
function goOn(count: i32, value: v128, full: v128, y2: i32): v128 {
  groups = count;
  do {
    if (groups + 2 > MAX_GROUPS) {
      v128.store(OVERFLOWED, v128.or(v128.load(OVERFLOWED), full));
      return v128.andnot(value, full);
    }
    value = v128.bitselect(mexAbove(y2), value, full);
    full = i8x16.eq(value, i8x16.splat(<i8>(8 * groups)));
  } while (v128.any_true(full));
  return value;
}

/** The mex of columns start..y2 where all of `groups` are full, with two groups more. */
function mexAbove(y2: i32): v128 {
  const low = lowBits(), high = highBits(), base = i8x16.splat(<i8>(8 * groups));
  const l = lineAt(start), r = lineAt(y2), row = rowSize, endMove = firstMoveOf(y2);
  let s0 = i8x16.splat(0), s1 = s0;
  for (let move = firstMoveOf(start); move < endMove; move += MOVE) {
    const offset = <usize>load<u16>(move);
    const at = indexAbove(v128.xor(v128.load(l + offset), v128.load(r + offset)), base);
    s0 = seen(s0, low, at), s1 = seen(s1, high, at);
  }
  let mask = stripNoL + y2 * rows * LANES, split = r + top * row + slot(start - 1);
  for (const endMask = mask + (bottom - top) * LANES; mask < endMask; mask += LANES, split += row) {
    const at = indexAbove(v128.xor(v128.load(split), v128.load(mask)), base);
    s0 = seen(s0, low, at), s1 = seen(s1, high, at);
  }
  groups += 2;
  return i8x16.add(base, mexOfTwo(s0, s1));
}

// @ts-ignore: decorator
@inline
function mexOfTwo(s0: v128, s1: v128): v128 {
  return i8x16.add(trailingOnes(s0), v128.and(isFull(s0), trailingOnes(s1)));
}
// @ts-ignore: decorator
@inline
function mexOfThree(s0: v128, s1: v128, s2: v128): v128 {
  return i8x16.add(mexOfTwo(s0, s1), v128.and(isFull(v128.and(s0, s1)), trailingOnes(s2)));
}
// @ts-ignore: decorator
@inline
function mexOfFour(s0: v128, s1: v128, s2: v128, s3: v128): v128 {
  return i8x16.add(mexOfTwo(s0, s1), v128.and(isFull(v128.and(s0, s1)), mexOfTwo(s2, s3)));
}

// @ts-ignore: decorator
@inline
function mexOf(count: i32, s0: v128, s1: v128, s2: v128, s3: v128, s4: v128, s5: v128): v128 {
  if (count == 2) return mexOfTwo(s0, s1);
  if (count == 3) return mexOfThree(s0, s1, s2);
  const low = mexOfFour(s0, s1, s2, s3);
  if (count == 4) return low;
  return i8x16.add(low, v128.and(mexOfTwo(s4, s5), isFull(v128.and(v128.and(s0, s1), v128.and(s2, s3)))));
}

// @ts-ignore: decorator
@inline function lowBits(): v128 { return i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0); }

// @ts-ignore: decorator
@inline function highBits(): v128 { return i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128); }

/**
 * Where a move is in a table of sixteen: beyond it for values of 16 and more, which `seen` leaves out.
 *
 * Where it is relaxed, `lookUp` may do as it likes with indices from 16 to 127. Biased, values below 16 are 112 to 127,
 * other nimbers are less, and NO_MOVE is negative: less 112, with saturation, all but the first are negative.
 */
// @ts-ignore: decorator
@inline
function index(move: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? i8x16.sub_sat_s(move, i8x16.splat(BIAS)) : move;
}

/** The same with `base` taken off the value. */
// @ts-ignore: decorator
@inline
function indexAbove(move: v128, base: v128): v128 {
  const bias = i8x16.splat(BIAS);
  return index(v128.xor(i8x16.sub(v128.xor(move, bias), base), bias));
}

// @ts-ignore: decorator
@inline
function seen(set: v128, table: v128, index: v128): v128 {
  return v128.or(set, lookUp(table, index));
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
@inline function firstRow(y: i32): i32 { return load<u8>(FIRST_ROW + y); }

// @ts-ignore: decorator
@inline function endRow(y: i32): i32 { return load<u8>(END_ROW + y); }

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
@inline function lineAt(y: i32): usize { return splits + y * LINE; }

// @ts-ignore: decorator
@inline function firstMoveOf(y: i32): usize { return load<u32>(movesAt + y * sizeof<u32>()); }

/** Where column y is in a row of `splits`; column -1 is the spill. */
// @ts-ignore: decorator
@inline function slot(y: i32): i32 { return (1 + y) * LANES; }
