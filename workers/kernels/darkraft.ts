/**
 * SIMD kernel of darkraft: computes the nimbers of all rectangles of sixteen boards at once, bottom-up
 * (Sprague-Grundy theory). Each board occupies one byte lane of the vectors.
 *
 *   nimber(rectangle) = mex over its letters { XOR of the nimbers of the parts that remain }
 *
 * Each board is turned by 45 degrees, so that a move clears whole lines: the letter L clears its row, R clears its
 * column, and X clears both. The rules, the coordinates of the turned board, and the reason why all positions are
 * sums of rectangles, are in src/problems/darkraft/README.md. All ranges of rows and columns in this file are half
 * open: "rows x1..x2" means x1 <= x < x2.
 *
 * Cost: one step for each pair of a rectangle and a cell in it, whatever the letters are: 2.5 million pairs for
 * boards of 20 x 20. Only rectangles that touch the turned board on all four sides count, because all others are
 * copies. A step is two loads, an XOR, and a byte lookup and an OR for each eight values that the mex may reach. Two
 * rectangles that begin at the same column are solved together, and share the first load.
 *
 * Why not skip cells without an X, as the portable solver does? At nearly every cell, at least one of the sixteen
 * boards has an X. Why not sixteen rectangles of one board in the lanes? Then cells without an X could be skipped.
 * But through the letter R, each rectangle needs the narrower ones of the same rows first, and such waiting costs
 * more than the cells without an X do now.
 *
 * Reference: E. R. Berlekamp, J. H. Conway, R. K. Guy, "Winning Ways for your Mathematical Plays", volume 1.
 *
 * Letters. The sixteen boards share the same rectangles and cells, and differ only in their letters. So a letter is
 * a mask over the lanes. If a lane's board does not have the letter of a move, an XOR with the mask turns the
 * result of the move into NO_MOVE or more. No XOR of nimbers is that large, and the sets of seen nimbers ignore such
 * a result. An XOR is enough, because the value before it is always below NO_MOVE as an unsigned byte, even a stale one
 * of another rectangle. A cell outside a lane's board has no letter, so it allows no move and may be part of any
 * rectangle. This is why a board that is smaller than the frame of its batch may lie in the frame's top left
 * corner. The same XOR adds BIAS, which `lookupIndex` needs, to every result.
 *
 * Splits. Take the rows x1..x2 and one row x of them. The XOR of the nimbers above x and below x is a table with one
 * entry for each column range. The move L at row x leaves the entry of all columns of the rectangle. The move X at
 * cell (x, y) leaves the XOR of the entries left of y and right of y. The move R at column y leaves the same XOR,
 * but of a table with the nimbers of rows x1..x2 themselves. So the result of every X and R is an XOR of two
 * entries:
 *
 *   left[y1][x][slot(y)]    the entry of columns y1..y, made NO_MOVE if cell (x, y) is not an X
 *   right[y2][x][slot(y)]   the entry of columns y + 1..y2
 *
 * The turned board has A rows and B columns. Row x = 0 .. A - 1 of these arrays is for the moves L and X in row x of
 * the board, and row A is for the moves R. One array `splits` contains both `left` and `right`, because a cell y of
 * a rectangle with the columns y1..y2 has y1 <= y < y2. Line z of this array belongs to `right` before slot(z), and
 * to `left` from slot(z) on. A cell has the same offset in every line:
 *
 *   slot       0       1 .. B               B + 1, B + 2
 *              spare   columns 0 .. B - 1   spare          (loops may write to the spare slots)
 *
 * So the X and R moves of a rectangle are a list of offsets, and this list is the same for all boards. The kernel
 * writes one list for each row range, column by column. The moves of columns y1..y2 are the part of the list from
 * columnMoves[y1] to columnMoves[y2].
 *
 * Two at once. Rectangle a has the columns y1..y2, and rectangle b has the columns y1..y2+1. Rectangle b has all
 * moves of rectangle a, and also those of column y2. A cell of column y2 has no columns of b to its right. The move
 * R at column y2 leaves rectangle a, so the moves of column y2 come last, after the nimber of a is known.
 *
 * Example: the turned board of one row with the letters `L X` (A = 1, B = 2).
 *
 *   columns    moves                                                  results   mex
 *   0..1       L leaves nothing                                       0         1
 *   1..2       X leaves nothing                                       0         1
 *   0..2       L clears the row; X at column 1 also clears the row    0, 0      1
 *
 * Memory. The elements are vectors of sixteen bytes, one byte a lane, unless the table says otherwise:
 *
 *   letters[i * cols + j]             letter of cell (i, j) of the unturned board, 0 = L, 1 = R, 2 = X, 3 = no cell;
 *                                     the host fills this array
 *   notX, notL, notR[x * B + y]       NO_MOVE in the lanes whose cell (x, y) has not this letter, XOR BIAS
 *   rangesWithoutL[range(y1, y2) * A + x]   NO_MOVE in the lanes whose row x has no L in columns y1..y2, XOR BIAS
 *   columnsWithoutR[y]                NO_MOVE in the lanes whose column y has no R in the current rows, XOR BIAS
 *   splits[z][x][slot(y)]             `left` and `right`, see above
 *   nimbers[range(x1, x2)][range(y1, y2)]   the nimber of each rectangle
 *   groupsOfRange[range(y1, y2)]      u8: the groups of eight values that the last mex of these columns needed, in
 *                                     whichever rows it was
 *   columnMoves[y]                    u32: address in moveOffsets of the first move of column y
 *   moveOffsets                       u16: offsets in bytes from the beginning of a line of `splits`
 *
 * range(a, b) numbers the ranges in the order (0,0) (0,1) .. (0,n) (1,1) .. (n,n), empty ranges included. For boards
 * of 20 x 20, `nimbers` takes 833 KiB and all other arrays together take 340 KiB.
 *
 * Sets of seen nimbers. Nimbers are handled in groups of eight: a group is one vector, with one bit for each nimber.
 * For each rectangle, the kernel starts with as many groups as neighbouring rectangles needed. If some lane has seen
 * all nimbers of these groups, another pass over the moves looks at the next two groups. A lane in which the nimbers
 * would reach 8 * MAX_GROUPS is reported as overflowed, and its answer is meaningless. Boards of mostly X reach this
 * limit from 36 x 36 on.
 */

import { lookUpBytes } from './shared/swizzle';

// @ts-ignore: decorator
@inline const LANES: i32 = 16;
/** Longest side of a frame. */
const MAX_SIDE: i32 = 40;

/** Codes of the letters, as the host writes them. */
const LETTER_L: i8 = 0;
const LETTER_R: i8 = 1;
const LETTER_X: i8 = 2;

/** Result of a move that a board does not have: 128 as an unsigned byte, above every XOR of nimbers below 128. */
const NO_MOVE: i8 = -128;
/** Constant that the masks add to the result of every move by XOR, because `lookupIndex` needs it. */
// @ts-ignore: decorator
@inline const BIAS: i8 = ASC_FEATURE_RELAXED_SIMD ? 0x70 : 0;
const BIASED_NO_MOVE: i8 = NO_MOVE ^ BIAS;
/** Fewest groups for which `playRectangles` has a specialised version. */
// @ts-ignore: decorator
@inline const MIN_GROUPS: i32 = 2;
/** Most groups that a set of seen nimbers may have, so that all nimbers stay below NO_MOVE. */
const MAX_GROUPS: i32 = 16;
/**
 * If a nimber is at most MARGIN below 16 or 24, the kernel expects that the next rectangles need one group more. The
 * extra group costs less than the second pass that a missing group would cause.
 */
// @ts-ignore: decorator
@inline const MARGIN: i32 = 2;

/** Bytes of one entry of `moveOffsets`. */
const MOVE_BYTES: i32 = sizeof<u16>();
/** Bytes of a line of `splits`. It is the same for all frames, so that the next line is at a constant distance. */
// @ts-ignore: decorator
@inline const LINE_BYTES: i32 = (MAX_SIDE + 1) * (MAX_SIDE + 3) * LANES;

/** Result of `solve`: the nimber of each lane's board, one vector. */
const BOARD_NIMBERS: usize = memory.data(LANES, 16);
/** Result of `solve`: nonzero in each lane whose nimbers were too large, so that its answer is meaningless. */
const OVERFLOWED: usize = memory.data(LANES, 16);
/** [x] u8: row x of the turned board has cells in columns FIRST_COL[x]..END_COL[x]. */
const FIRST_COL: usize = memory.data(MAX_SIDE);
const END_COL: usize = memory.data(MAX_SIDE);
/** [y] u8: column y of the turned board has cells in rows FIRST_ROW[y]..END_ROW[y]. */
const FIRST_ROW: usize = memory.data(MAX_SIDE);
const END_ROW: usize = memory.data(MAX_SIDE);

/** Size of the frame, before it is turned. */
let frameRows: i32 = 0;
let frameCols: i32 = 0;
/** Size of the turned board, for the parity that `solve` is working on. */
let rows: i32 = 0;
let cols: i32 = 0;
/** Bytes of one row in a line of `splits`. */
let rowBytes: i32 = 0;
/** Offset in a line of `splits` of row A, which has the splits for the moves R. */
let offsetOfRowA: i32 = 0;
/** Bytes of the nimbers of one row range. */
let tableBytes: i32 = 0;

/** Addresses of the arrays that the head of this file describes. `reserve` sets them for each frame. */
let letters: usize = 0;
let notX: usize = 0;
let notL: usize = 0;
let notR: usize = 0;
let rangesWithoutL: usize = 0;
let columnsWithoutR: usize = 0;
let splits: usize = 0;
let nimbers: usize = 0;
let groupsOfRange: usize = 0;
let columnMoves: usize = 0;
let moveOffsets: usize = 0;

/** The current strip: all rectangles of rows top..bottom whose first column is `stripStart`. */
let top: i32 = 0;
let bottom: i32 = 0;
let stripStart: i32 = 0;
/** Base address in `nimbers`: the strip's rectangle that ends at column y2 is at stripNimbers + y2 * LANES. */
let stripNimbers: usize = 0;
/** Base address in `groupsOfRange`: the entry for columns stripStart..y2 is at stripGroups + y2. */
let stripGroups: usize = 0;
/** Base address in `rangesWithoutL`: row `top` in columns stripStart..y2 is at stripWithoutL + y2 * rows * LANES. */
let stripWithoutL: usize = 0;
/** Number of groups of eight nimbers that the next rectangles of the strip are expected to need. */
let groups: i32 = 0;

/** Returns how many boards the kernel solves at once. */
export function lanes(): i32 { return LANES; }
/** Returns the longest side that a frame may have. */
export function maxSide(): i32 { return MAX_SIDE; }
/** Returns the letter code of a frame cell that is outside the lane's board, or whose lane has no board. */
export function noCell(): i32 { return LETTER_X + 1; }
/** Returns the address at which the host reads the nimber of each lane's board, one byte a lane. */
export function nimbersAt(): usize { return BOARD_NIMBERS; }
/** Returns the address of one byte for each lane: nonzero if the lane's nimber is meaningless. */
export function overflowedAt(): usize { return OVERFLOWED; }

/**
 * Lays out the memory for a frame of the given size, and grows the memory if it is too small. Returns the address at
 * which the host writes the letters.
 */
export function reserve(boardRows: i32, boardCols: i32): usize {
  frameRows = boardRows;
  frameCols = boardCols;
  const lines = (boardRows + boardCols) >> 1;
  const ranges = rangeCount(lines);
  const cells = lines * lines * LANES;
  letters = (__heap_base + LANES - 1) & -LANES;
  notX = letters + boardRows * boardCols * LANES;
  notL = notX + cells + LANES; // `splitRow` reads one vector beyond the end
  notR = notL + cells;
  rangesWithoutL = notR + cells;
  columnsWithoutR = rangesWithoutL + ranges * lines * LANES;
  splits = columnsWithoutR + (lines + 1) * LANES; // `storeNimber` reads one vector beyond the end
  nimbers = splits + (lines + 2) * LINE_BYTES; // `splitRow` writes one line beyond the end
  groupsOfRange = nimbers + ranges * ranges * LANES;
  columnMoves = (groupsOfRange + ranges + 3) & -4;
  moveOffsets = columnMoves + (lines + 1) * sizeof<u32>();
  const end = moveOffsets + (((boardRows * boardCols + 1) >> 1) + lines) * MOVE_BYTES;
  const pages = <i32>((end + 0xffff) >> 16);
  if (pages > memory.size()) memory.grow(pages - memory.size());
  return letters;
}

/**
 * Computes the nimbers of the boards in `letters`. Cells with even i + j and cells with odd i + j are independent
 * games, so the nimber of a board is the XOR of the nimbers of both.
 */
export function solve(): void {
  v128.store(BOARD_NIMBERS, i8x16.splat(0));
  v128.store(OVERFLOWED, i8x16.splat(0));
  for (let parity = 0; parity < 2; parity++) {
    turnBoard(parity);
    markRangesWithoutL();
    resetTables();
    fillAllRowRanges();
    const whole = nimbersOfRows(0, rows) + rangeIndex(cols, 0, cols) * LANES;
    v128.store(BOARD_NIMBERS, v128.xor(v128.load(BOARD_NIMBERS), v128.load(whole)));
  }
}

/**
 * Turns the cells (i, j) whose i + j is even (parity 0) or odd (parity 1) by 45 degrees, and writes their masks. A
 * 1 x 1 frame has no cells of parity 1.
 */
function turnBoard(parity: i32): void {
  measureTurnedBoard(parity);
  for (let i = 0; i < frameRows; i++) {
    for (let j = (i + parity) & 1; j < frameCols; j += 2) {
      maskCell((i + j) >> 1, (i - j + frameCols - 1) >> 1, v128.load(letters + (i * frameCols + j) * LANES));
    }
  }
}

/** Computes the size of the turned board, and which cells each of its rows and columns has. */
function measureTurnedBoard(parity: i32): void {
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
  rowBytes = (cols + 3) * LANES;
  offsetOfRowA = rows * rowBytes;
  tableBytes = rangeCount(cols) * LANES;
}

/** Stores the masks of cell (x, y) of the turned board for the three letters. */
function maskCell(x: i32, y: i32, letter: v128): void {
  const cell = (x * cols + y) * LANES;
  v128.store(notX + cell, maskOtherLetters(letter, LETTER_X));
  v128.store(notL + cell, maskOtherLetters(letter, LETTER_L));
  v128.store(notR + cell, maskOtherLetters(letter, LETTER_R));
}

/** Returns the mask with NO_MOVE in the lanes whose letter is not `wanted`. */
function maskOtherLetters(letter: v128, wanted: i8): v128 {
  const noMove = v128.and(i8x16.splat(NO_MOVE), i8x16.ne(letter, i8x16.splat(wanted)));
  return v128.xor(noMove, i8x16.splat(BIAS));
}

/** Fills `rangesWithoutL`, going from each range of columns to the range that is one column wider. */
function markRangesWithoutL(): void {
  const line = rows * LANES;
  let marks = rangesWithoutL;
  for (let y1 = 0; y1 <= cols; y1++) {
    for (let x = 0; x < rows; x++) v128.store(marks + x * LANES, i8x16.splat(BIASED_NO_MOVE));
    marks += line;
    for (let y2 = y1 + 1; y2 <= cols; y2++, marks += line) {
      for (let x = 0; x < rows; x++) {
        let mark = v128.load(marks - line + x * LANES);
        if (hasCell(x, y2 - 1)) mark = v128.and(mark, v128.load(notL + (x * cols + y2 - 1) * LANES));
        v128.store(marks + x * LANES, mark);
      }
    }
  }
}

/**
 * Sets the tables to their values before the first rectangle. A cell in the first or last column of a rectangle has
 * an empty range on one side, whose entry in `splits` is 0. The entry of `left` for this empty range still needs
 * the mask of the cell's letter X. No other function writes these entries.
 */
function resetTables(): void {
  for (let x = 0; x <= rows; x++) memory.fill(nimbersOfRows(x, x), 0, tableBytes);
  for (let y = 0; y <= cols; y++) memory.fill(lineAddress(y), 0, (rows + 1) * rowBytes);
  memory.fill(groupsOfRange, <u8>MIN_GROUPS, rangeCount(cols));
  for (let x = 0; x < rows; x++) {
    for (let y = firstCol(x); y < endCol(x); y++) {
      v128.store(lineAddress(y) + x * rowBytes + slotOffset(y), v128.load(notX + (x * cols + y) * LANES));
    }
  }
}

/**
 * Lists the moves of rows x1..x2, whose cells lie in columns from..end, in `moveOffsets`. The list goes column by
 * column: the X moves of a column come first, and its R move comes last.
 */
function listMoves(x1: i32, x2: i32, from: i32, end: i32): void {
  let move = moveOffsets;
  for (let y = from; y < end; y++) {
    store<u32>(columnMoves + y * sizeof<u32>(), <u32>move);
    const last = min(x2, endRow(y));
    for (let x = max(x1, firstRow(y)); x < last; x++, move += MOVE_BYTES)
      store<u16>(move, x * rowBytes + slotOffset(y));
    store<u16>(move, offsetOfRowA + slotOffset(y));
    move += MOVE_BYTES;
  }
  store<u32>(columnMoves + end * sizeof<u32>(), <u32>move);
}

/**
 * Computes the nimbers of all rectangles, one row range after another. A row range needs the results of the row
 * ranges inside it. So the loops go from the last first row to the first one, and from short ranges to long ones.
 */
function fillAllRowRanges(): void {
  for (let x1 = rows - 1; x1 >= 0; x1--) {
    let from = cols;
    let end = 0;
    for (let y = 0; y < cols; y++) v128.store(columnsWithoutR + y * LANES, i8x16.splat(BIASED_NO_MOVE));
    for (let x2 = x1 + 1; x2 <= rows; x2++) {
      from = min(from, firstCol(x2 - 1));
      end = max(end, endCol(x2 - 1));
      addRowToColumnsWithoutR(x2 - 1);
      for (let x = x1; x < x2; x++) splitRow(x, nimbersOfRows(x1, x), nimbersOfRows(x + 1, x2), from, end);
      listMoves(x1, x2, from, end);
      fillRowRange(x1, x2, from, end);
    }
  }
}

/** Updates `columnsWithoutR` for a row range that has become longer by row x, and copies it to row A of `left`. */
function addRowToColumnsWithoutR(x: i32): void {
  for (let y = firstCol(x); y < endCol(x); y++) {
    const at = columnsWithoutR + y * LANES;
    v128.store(at, v128.and(v128.load(at), v128.load(notR + (x * cols + y) * LANES)));
  }
  for (let y = 0; y < cols; y++) {
    v128.store(lineAddress(y) + offsetOfRowA + slotOffset(y), v128.load(columnsWithoutR + y * LANES));
  }
}

/**
 * Stores the splits at row x: for each column range, the XOR of the nimbers above and below row x. Only the column
 * ranges in from..end that contain a cell of row x, or are next to such a cell, are needed. The loop handles two
 * ranges at a time, so it may write one range more than needed.
 */
function splitRow(x: i32, above: usize, below: usize, from: i32, end: i32): void {
  const notXOfRow = notX + x * cols * LANES;
  const endMask = notXOfRow + end * LANES;
  const first = firstCol(x), last = min(end - 1, endCol(x));
  for (let y1 = from; y1 <= last; y1++) {
    const y2 = max(y1 + 1, first);
    let range = rangeIndex(cols, y1, y2) * LANES;
    let mask = notXOfRow + y2 * LANES;
    let leftSlot = lineAddress(y1) + x * rowBytes + slotOffset(y2);
    let rightSlot = lineAddress(y2) + x * rowBytes + slotOffset(y1 - 1);
    for (; mask <= endMask; mask += 2 * LANES) {
      const narrow = v128.xor(v128.load(above + range), v128.load(below + range));
      const wide = v128.xor(v128.load(above + range, LANES), v128.load(below + range, LANES));
      v128.store(leftSlot, v128.xor(narrow, v128.load(mask)));
      v128.store(leftSlot, v128.xor(wide, v128.load(mask, LANES)), LANES);
      v128.store(rightSlot, narrow);
      v128.store(rightSlot, wide, LINE_BYTES);
      range += 2 * LANES;
      leftSlot += 2 * LANES;
      rightSlot += 2 * LINE_BYTES;
    }
  }
}

/**
 * Computes the nimbers of all rectangles with the rows x1..x2. These rows have cells only in columns from..end. A
 * rectangle that reaches beyond these columns has the same nimber as its part inside them, which is copied.
 */
function fillRowRange(x1: i32, x2: i32, from: i32, end: i32): void {
  const table = nimbersOfRows(x1, x2);
  top = x1;
  bottom = x2;
  for (let y1 = cols; y1 >= 0; y1--) {
    v128.store(table + rangeIndex(cols, y1, y1) * LANES, i8x16.splat(0));
    if (y1 >= from) solveStrip(y1, end);
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
 * Computes the nimbers of the rectangles with rows top..bottom whose first column is y1 and which end at or before
 * `end`. Narrow rectangles come first, because an R move in a rectangle leaves narrower ones.
 */
function solveStrip(y1: i32, end: i32): void {
  const first = rangeIndex(cols, y1, 0);
  stripStart = y1;
  stripNimbers = nimbersOfRows(top, bottom) + first * LANES;
  stripGroups = groupsOfRange + first;
  stripWithoutL = rangesWithoutL + (first * rows + top) * LANES;
  groups = MIN_GROUPS;
  let y2 = copyRectanglesWithEmptyEdge(end);
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

/**
 * Copies the nimbers of the rectangles in the strip that have no cell in their first row or in their last row. Such
 * a rectangle has the nimber of the rectangle without this row. Returns the end column of the first other rectangle.
 */
function copyRectanglesWithEmptyEdge(end: i32): i32 {
  const first = rangeIndex(cols, stripStart, 0) * LANES;
  const withoutTop = nimbersOfRows(top + 1, bottom) + first, withoutBottom = nimbersOfRows(top, bottom - 1) + first;
  let y2 = stripStart + 1;
  for (; y2 <= end; y2++) {
    if (isRowEmpty(top, stripStart, y2)) storeNimber(y2, v128.load(withoutTop + y2 * LANES));
    else if (isRowEmpty(bottom - 1, stripStart, y2)) storeNimber(y2, v128.load(withoutBottom + y2 * LANES));
    else break;
  }
  return y2;
}

/**
 * Raises the number of expected groups to what the same columns needed last time, in other rows. With `both`, this
 * includes the rectangle that is one column wider.
 */
// @ts-ignore: decorator
@inline
function expectGroups(y2: i32, both: bool): void {
  groups = max(groups, <i32>load<u8>(stripGroups + y2));
  if (both) groups = max(groups, <i32>load<u8>(stripGroups + y2, 1));
}

/**
 * Stores the nimber of the rectangle with columns stripStart..y2. It goes to `nimbers`, and twice to row A of
 * `splits`: an R move at column y2 leaves this rectangle on its left, and one at column stripStart - 1 leaves it on
 * its right.
 */
// @ts-ignore: decorator
@inline
function storeNimber(y2: i32, value: v128): void {
  v128.store(stripNimbers + y2 * LANES, value);
  v128.store(lineAddress(y2) + offsetOfRowA + slotOffset(stripStart - 1), value);
  const left = lineAddress(stripStart) + offsetOfRowA + slotOffset(y2);
  v128.store(left, v128.xor(value, v128.load(columnsWithoutR + y2 * LANES)));
}

// Each of these functions is a copy of `playRectangles` for a constant number of groups. "Below16" means nimbers
// below 16. "Two" means two rectangles at a time.
function playBelow16(y2: i32, end: i32): i32 { return playRectangles(2, false, y2, end); }
function playBelow32(y2: i32, end: i32): i32 { return playRectangles(4, false, y2, end); }
function playBelow48(y2: i32, end: i32): i32 { return playRectangles(6, false, y2, end); }
function playTwoBelow16(y2: i32, end: i32): i32 { return playRectangles(2, true, y2, end); }
function playTwoBelow24(y2: i32, end: i32): i32 { return playRectangles(3, true, y2, end); }
function playTwoBelow32(y2: i32, end: i32): i32 { return playRectangles(4, true, y2, end); }

/**
 * Computes the nimbers of the strip's rectangles with columns stripStart..y2, for y2 from `first` on. Stops when the
 * next rectangles are expected to need another number of groups than `count`. Returns the y2 at which it stopped.
 *
 * Without `both`, it handles one rectangle at a time. With `both`, it handles two: a ends at y2 and b ends at
 * y2 + 1. The set of group k of rectangle a is the variable `ak`. The first loop adds the moves X and R to the sets, the
 * second loop adds the moves L, and the third loop adds the moves of column y2, which only b has.
 *
 * Each group has its own byte lookup: a nimber that is not in the group gives 0, so it adds nothing to the set.
 */
// @ts-ignore: decorator
@inline
function playRectangles(count: i32, both: bool, first: i32, end: i32): i32 {
  const low = oneHotLow(), high = oneHotHigh(), sixteen = i8x16.splat(16), thirtyTwo = i8x16.splat(32);
  const l = lineAddress(stripStart), row = rowBytes, width = both ? 2 : 1;
  const maskLine = rows * LANES, masks = stripWithoutL, maskSize = (bottom - top) * LANES;
  const firstMove = firstMoveOfColumn(stripStart), firstSplit = top * row + slotOffset(stripStart - 1);
  let y2 = first;
  do {
    let a0 = i8x16.splat(0), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    const r = lineAddress(y2), endMove = firstMoveOfColumn(y2);
    for (let move = firstMove; move < endMove; move += MOVE_BYTES) {
      const offset = <usize>load<u16>(move);
      const part = v128.load(l + offset);
      const a = v128.xor(part, v128.load(r + offset));
      const aAt = lookupIndex(a), aAbove = lookupIndex(v128.xor(a, sixteen));
      a0 = addToSet(a0, low, aAt), a1 = addToSet(a1, high, aAt);
      if (count > 2) a2 = addToSet(a2, low, aAbove);
      if (count > 3) a3 = addToSet(a3, high, aAbove);
      const aTop = lookupIndex(v128.xor(a, thirtyTwo));
      if (count > 4) a4 = addToSet(a4, low, aTop), a5 = addToSet(a5, high, aTop);
      if (both) {
        // With eight sets in registers, no register is left for `part`, so it is loaded again.
        const b = v128.xor(count > 3 ? v128.load(l + offset) : part, v128.load(r + offset, LINE_BYTES));
        const bAt = lookupIndex(b), bAbove = lookupIndex(v128.xor(b, sixteen));
        b0 = addToSet(b0, low, bAt), b1 = addToSet(b1, high, bAt);
        if (count > 2) b2 = addToSet(b2, low, bAbove);
        if (count > 3) b3 = addToSet(b3, high, bAbove);
      }
    }
    let mask = masks + y2 * maskLine, split = r + firstSplit;
    for (const endMask = mask + maskSize; mask < endMask; mask += LANES, split += row) {
      const a = v128.xor(v128.load(split), v128.load(mask));
      const aAt = lookupIndex(a), aAbove = lookupIndex(v128.xor(a, sixteen));
      a0 = addToSet(a0, low, aAt), a1 = addToSet(a1, high, aAt);
      if (count > 2) a2 = addToSet(a2, low, aAbove);
      if (count > 3) a3 = addToSet(a3, high, aAbove);
      const aTop = lookupIndex(v128.xor(a, thirtyTwo));
      if (count > 4) a4 = addToSet(a4, low, aTop), a5 = addToSet(a5, high, aTop);
      if (both) {
        const b = v128.xor(v128.load(split, LINE_BYTES), v128.load(mask + maskLine));
        const bAt = lookupIndex(b), bAbove = lookupIndex(v128.xor(b, sixteen));
        b0 = addToSet(b0, low, bAt), b1 = addToSet(b1, high, bAt);
        if (count > 2) b2 = addToSet(b2, low, bAbove);
        if (count > 3) b3 = addToSet(b3, high, bAbove);
      }
    }
    storeNimber(y2, finishMex(count, mexOf(count, a0, a1, a2, a3, a4, a5), y2));
    if (both) {
      const groupsOfA = groups, endColumn = firstMoveOfColumn(y2 + 1);
      for (let move = endMove; move < endColumn; move += MOVE_BYTES) {
        const b = v128.load(l + load<u16>(move));
        const bAt = lookupIndex(b), bAbove = lookupIndex(v128.xor(b, sixteen));
        b0 = addToSet(b0, low, bAt), b1 = addToSet(b1, high, bAt);
        if (count > 2) b2 = addToSet(b2, low, bAbove);
        if (count > 3) b3 = addToSet(b3, high, bAbove);
      }
      storeNimber(y2 + 1, finishMex(count, mexOf(count, b0, b1, b2, b3, b3, b3), y2 + 1));
      groups = max(groups, groupsOfA);
    }
    y2 += width;
    if (y2 + width > end + 1) break;
    expectGroups(y2, both);
  } while (groups == count);
  return y2;
}

/**
 * Completes the mex of columns stripStart..y2 in the lanes for which `count` groups were not enough. Stores how many
 * groups the rectangle needed, in `groups` and in `groupsOfRange`. Returns the completed mex.
 */
// @ts-ignore: decorator
@inline
function finishMex(count: i32, value: v128, y2: i32): v128 {
  const full = i8x16.eq(value, i8x16.splat(<i8>(8 * count)));
  let settled = value;
  groups = 2 + <i32>anyLaneReaches(value, 16 - MARGIN);
  if (count > 2) groups += <i32>anyLaneReaches(value, 24 - MARGIN);
  if (count > 3) groups += <i32>anyLaneReaches(value, 32);
  if (count > 4) groups += <i32>anyLaneReaches(value, 40);
  if (v128.any_true(full)) settled = continueMex(count, value, full, y2);
  store<u8>(stripGroups + y2, groups);
  return settled;
}

/** Returns whether any lane of `value` is at least `bound`. */
// @ts-ignore: decorator
@inline
function anyLaneReaches(value: v128, bound: i32): bool {
  return v128.any_true(i8x16.gt_s(value, i8x16.splat(<i8>(bound - 1))));
}

/**
 * Returns `value` with the mex corrected in the lanes of `full`, which have seen all nimbers of `count` groups.
 * Repeats `mexAbove` until no lane is full. Lanes that would need more than MAX_GROUPS are marked as overflowed.
 */
function continueMex(count: i32, value: v128, full: v128, y2: i32): v128 {
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

/**
 * Returns the mex of columns stripStart..y2 for lanes that have seen all nimbers below 8 * groups. Goes through the
 * moves again, with sets for the next two groups, and adds two to `groups`.
 */
function mexAbove(y2: i32): v128 {
  const low = oneHotLow(), high = oneHotHigh(), base = i8x16.splat(<i8>(8 * groups));
  const l = lineAddress(stripStart), r = lineAddress(y2), row = rowBytes, endMove = firstMoveOfColumn(y2);
  let s0 = i8x16.splat(0), s1 = s0;
  for (let move = firstMoveOfColumn(stripStart); move < endMove; move += MOVE_BYTES) {
    const offset = <usize>load<u16>(move);
    const at = lookupIndexAbove(v128.xor(v128.load(l + offset), v128.load(r + offset)), base);
    s0 = addToSet(s0, low, at), s1 = addToSet(s1, high, at);
  }
  let mask = stripWithoutL + y2 * rows * LANES, split = r + top * row + slotOffset(stripStart - 1);
  for (const endMask = mask + (bottom - top) * LANES; mask < endMask; mask += LANES, split += row) {
    const at = lookupIndexAbove(v128.xor(v128.load(split), v128.load(mask)), base);
    s0 = addToSet(s0, low, at), s1 = addToSet(s1, high, at);
  }
  groups += 2;
  return i8x16.add(base, mexOfTwo(s0, s1));
}

/** Returns the mex for a set of two groups: the number of ones at its low end. */
// @ts-ignore: decorator
@inline
function mexOfTwo(s0: v128, s1: v128): v128 {
  return i8x16.add(trailingOnes(s0), v128.and(isFull(s0), trailingOnes(s1)));
}
/** Returns the mex for a set of three groups. */
// @ts-ignore: decorator
@inline
function mexOfThree(s0: v128, s1: v128, s2: v128): v128 {
  return i8x16.add(mexOfTwo(s0, s1), v128.and(isFull(v128.and(s0, s1)), trailingOnes(s2)));
}
/** Returns the mex for a set of four groups. */
// @ts-ignore: decorator
@inline
function mexOfFour(s0: v128, s1: v128, s2: v128, s3: v128): v128 {
  return i8x16.add(mexOfTwo(s0, s1), v128.and(isFull(v128.and(s0, s1)), mexOfTwo(s2, s3)));
}

/** Returns the mex for a set of `count` groups: 2, 3, 4 or 6. */
// @ts-ignore: decorator
@inline
function mexOf(count: i32, s0: v128, s1: v128, s2: v128, s3: v128, s4: v128, s5: v128): v128 {
  if (count == 2) return mexOfTwo(s0, s1);
  if (count == 3) return mexOfThree(s0, s1, s2);
  const low = mexOfFour(s0, s1, s2, s3);
  if (count == 4) return low;
  return i8x16.add(low, v128.and(mexOfTwo(s4, s5), isFull(v128.and(v128.and(s0, s1), v128.and(s2, s3)))));
}

/** Returns the table with 1 << n at entry n = 0..7, and 0 at 8..15: nimbers of the lower of two groups. */
// @ts-ignore: decorator
@inline function oneHotLow(): v128 { return i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0); }

/** Returns the table with 0 at entry n = 0..7, and 1 << (n - 8) at 8..15: nimbers of the upper of two groups. */
// @ts-ignore: decorator
@inline function oneHotHigh(): v128 { return i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128); }

/**
 * Returns the table index for the result of a move: the nimber itself if it is below 16, else an index for which
 * `lookUpBytes` returns 0.
 *
 * With plain SIMD, every index from 16 to 255 gives 0, and BIAS is 0, so the result of the move is the index. With
 * relaxed SIMD, an index from 16 to 127 has no defined result, and must be avoided. BIAS (112) makes the values
 * below 16 to 112..127, and all other nimbers to values below 112. NO_MOVE is negative as a signed byte. So a
 * saturating subtraction of 112 gives 0..15 for the values below 16, and a negative number, which is 128 or more as
 * an unsigned byte, for everything else.
 */
// @ts-ignore: decorator
@inline
function lookupIndex(move: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? i8x16.sub_sat_s(move, i8x16.splat(BIAS)) : move;
}

/** Returns the table index for the result of a move minus `base`, as `lookupIndex` does. */
// @ts-ignore: decorator
@inline
function lookupIndexAbove(move: v128, base: v128): v128 {
  const bias = i8x16.splat(BIAS);
  return lookupIndex(v128.xor(i8x16.sub(v128.xor(move, bias), base), bias));
}

/** Returns `set` with the nimbers added that `indices` select from a table of one-bit sets. */
// @ts-ignore: decorator
@inline
function addToSet(set: v128, table: v128, indices: v128): v128 {
  return v128.or(set, lookUpBytes(table, indices));
}

/** Returns all ones in each lane whose group is full, that is, has seen all its eight nimbers. */
// @ts-ignore: decorator
@inline function isFull(set: v128): v128 { return i8x16.eq(set, i8x16.splat(-1)); }

/** Returns the number of ones at the low end of each lane, 0 to 8. */
// @ts-ignore: decorator
@inline
function trailingOnes(set: v128): v128 {
  return i8x16.popcnt(v128.andnot(set, i8x16.add(set, i8x16.splat(1))));
}

// @ts-ignore: decorator
@inline function firstCol(x: i32): i32 { return load<u8>(FIRST_COL + x); }

// @ts-ignore: decorator
@inline function endCol(x: i32): i32 { return load<u8>(END_COL + x); }

// @ts-ignore: decorator
@inline function firstRow(y: i32): i32 { return load<u8>(FIRST_ROW + y); }

// @ts-ignore: decorator
@inline function endRow(y: i32): i32 { return load<u8>(END_ROW + y); }

/** Returns whether the turned board has a cell at (x, y). */
// @ts-ignore: decorator
@inline function hasCell(x: i32, y: i32): bool { return firstCol(x) <= y && y < endCol(x); }

/** Returns whether row x of the turned board has no cells in columns y1..y2. */
// @ts-ignore: decorator
@inline function isRowEmpty(x: i32, y1: i32, y2: i32): bool { return firstCol(x) >= y2 || endCol(x) <= y1; }

/** Returns the number of ranges of `lines` rows or columns, empty ranges included. */
// @ts-ignore: decorator
@inline function rangeCount(lines: i32): i32 { return ((lines + 1) * (lines + 2)) >> 1; }

/** Returns the index of the range from..end among all ranges of `lines` rows or columns. */
// @ts-ignore: decorator
@inline
function rangeIndex(lines: i32, from: i32, end: i32): i32 {
  return from * (lines + 1) - ((from * (from - 1)) >> 1) + end - from;
}

/** Returns the address of the nimbers of the rectangles with the rows x1..x2. */
// @ts-ignore: decorator
@inline function nimbersOfRows(x1: i32, x2: i32): usize { return nimbers + rangeIndex(rows, x1, x2) * tableBytes; }

/** Returns the address of line y of `splits`. */
// @ts-ignore: decorator
@inline function lineAddress(y: i32): usize { return splits + y * LINE_BYTES; }

/** Returns the address in `moveOffsets` of the first move of column y. */
// @ts-ignore: decorator
@inline function firstMoveOfColumn(y: i32): usize { return load<u32>(columnMoves + y * sizeof<u32>()); }

/** Returns the byte offset of column y in a row of `splits`. Column -1 is the spare slot. */
// @ts-ignore: decorator
@inline function slotOffset(y: i32): i32 { return (1 + y) * LANES; }
