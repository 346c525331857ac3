/**
 * SIMD kernel of darkraft: computes the nimbers of all rectangles of sixteen boards at once, bottom-up
 * (Sprague-Grundy theory). Each board occupies one byte lane of the vectors.
 *
 *   nimber(rectangle) = mex over its letters { XOR of the nimbers of the parts that remain after the move }
 *
 * Each board is turned by 45 degrees, so that a move clears whole lines: the letter L clears its row, R clears its
 * column, and X clears its row and its column. The rules, the coordinates of the turned board, and the reason why all
 * positions are sums of rectangles, are in src/games/darkraft/README.md. All ranges of rows and columns in this
 * file are half open: "rows x1..x2" means x1 <= x < x2.
 *
 * Cost: one step for each pair of a rectangle and a cell in it, whatever the letters are: 2.5 million pairs for
 * boards of 20 x 20. Only rectangles that touch the turned board on all four sides need these steps. The kernel copies
 * the nimbers of all other rectangles. A step is two loads, an XOR, and a byte lookup and an OR for each eight values
 * that the mex may reach. The kernel solves two rectangles that begin at the same column together, so these two share
 * the first load.
 *
 * Why does the kernel not skip cells without an X, as the portable solver does? At nearly every cell, at least one of
 * the sixteen boards has an X. Why do the lanes not contain sixteen rectangles of one board? Then the kernel could
 * skip cells without an X. But because of the letter R, the kernel needs the nimbers of the narrower rectangles of the
 * same rows before it solves a rectangle. Waiting for these nimbers costs more time than the cells without an X.
 *
 * Reference: E. R. Berlekamp, J. H. Conway, R. K. Guy, "Winning Ways for your Mathematical Plays", volume 1.
 *
 * Letters. The sixteen boards share the same rectangles and cells, and differ only in their letters. So a letter is a
 * mask over the lanes. If a lane's board does not have the letter of a move, an XOR with the mask turns the result of
 * the move into NO_MOVE (128) or more. The sets of seen nimbers ignore results from 128 on. An XOR is enough if the
 * byte before the XOR with the mask is below NO_MOVE, even if it is a stale byte of another rectangle. "Large
 * rectangles" below describes what the kernel does if this byte may be 128 or more. A cell outside a lane's board has
 * no letter, so this cell allows no move and may be part of any rectangle. This is why a board that is smaller than
 * the frame, the grid that all sixteen boards share, may lie in the frame's top left corner. The XOR with the mask
 * also adds LOOKUP_BIAS, which `lookupIndex` needs.
 *
 * Splits. Take the rows x1..x2 and one row x of these rows. The split table of row x has one entry for each column
 * range: the XOR of the nimber of the rows above x and the nimber of the rows below x in these columns. The move L at
 * row x leads to the entry of all columns of the rectangle. The move X at cell (x, y) leads to the XOR of the entries
 * for the columns left of y and right of y. The move R at column y leads to the XOR of two nimbers of rows x1..x2: the
 * nimber of the columns left of y and the nimber of the columns right of y. So the result of every move X or R is an
 * XOR of two entries:
 *
 *   left[y1][x][slot(y)]    the entry of columns y1..y, made NO_MOVE if cell (x, y) is not an X
 *   right[y2][x][slot(y)]   the entry of columns y + 1..y2
 *
 * The turned board has A rows and B columns. Row x = 0 .. A - 1 of `left` and `right` is for the moves L and X in row
 * x of the board, and row A is for the moves R. One array `splits` contains both `left` and `right`, because a cell y
 * of a rectangle with the columns y1..y2 has y1 <= y < y2. Line z of the array `splits` belongs to `right` before
 * slot(z), and to `left` from slot(z) on. A slot is the place of one column in a row of `splits`. A cell has the same
 * offset in every line of `splits`:
 *
 *   slot       0       1 .. B               B + 1, B + 2
 *              spare   columns 0 .. B - 1   spare          (loops may write to the spare slots)
 *
 * So the kernel can write the X and R moves of a rectangle as a list of offsets in a line of `splits`, and this list
 * is the same for all boards. For each range of rows, the kernel writes one list of offsets of moves, column by
 * column. The moves of columns y1..y2 are the part of this list from firstMoveAddresses[y1] to firstMoveAddresses[y2].
 *
 * Two rectangles at once. Rectangle a has the columns y1..y2, and rectangle b has the columns y1..y2+1. Rectangle b
 * has all moves of rectangle a, and also the moves of column y2. A cell of column y2 has no columns of rectangle b to
 * its right. The move R at column y2 leaves rectangle a. So the kernel handles the moves of column y2 last, after it
 * knows the nimber of rectangle a.
 *
 * Example: the turned board of one row with the letters `L X` (A = 1, B = 2).
 *
 *   columns    moves                                                  results   mex
 *   0..1       L leaves nothing                                       0         1
 *   1..2       X leaves nothing                                       0         1
 *   0..2       L clears the row; X at column 1 also clears the row    0, 0      1
 *
 * Memory. The elements of the arrays are vectors of sixteen bytes, one byte a lane, unless a line of this table names
 * another type:
 *
 *   letters[i * cols + j]          letter of cell (i, j) of the unturned board, 0 = L, 1 = R, 2 = X, 3 = no cell;
 *                                  JavaScript fills this array
 *   notXMasks, notLMasks, notRMasks[x * B + y]   NO_MOVE in the lanes whose cell (x, y) is not an X (not an L, not an
 *                                  R), XOR LOOKUP_BIAS
 *   rowWithoutLMasksOfRanges[range(y1, y2) * A + x]   NO_MOVE in the lanes whose row x has no L in columns y1..y2,
 *                                  XOR LOOKUP_BIAS
 *   columnWithoutRMasks[y]           NO_MOVE in the lanes whose column y has no R in the current rows, XOR LOOKUP_BIAS
 *   splits[z][x][slot(y)]          `left` and `right`, see "Splits" above
 *   moveMasks[x][slot(y)]          the mask of the move X at cell (x, y), and in row A the mask of the move R at
 *                                  column y, laid out as a line of `splits`
 *   nimbers[range(x1, x2)][range(y1, y2)]   the nimber of each rectangle
 *   groupCountOfRange[range(y1, y2)]   u8: the number of groups of eight nimbers that the last mex computed for these
 *                                  columns needed, in any rows
 *   firstMoveAddresses[y]          u32: address in moveOffsets of the first move of column y
 *   moveOffsets                    u16: offsets in bytes from the beginning of a line of `splits`
 *
 * range(a, b) numbers the ranges in the order (0,0) (0,1) .. (0,n) (1,1) .. (n,n), empty ranges included. For boards
 * of 20 x 20, `nimbers` takes 833 KiB and all other arrays together take 340 KiB.
 *
 * Sets of seen nimbers. Nimbers are handled in groups of eight: a group is one vector, with one bit for each nimber.
 * For each rectangle, the kernel starts with as many groups as neighbouring rectangles needed. If some lane has seen
 * all nimbers of these groups, another pass over the moves looks at the next two groups.
 *
 * Large rectangles. A rectangle is large if its nimber is NO_MOVE (128) or more in some lane. Boards of mostly X have
 * large rectangles from 36 x 36 on. In a rectangle that contains no large rectangle, every result is below 128, so its
 * nimber is at most 128, and the usual passes over the moves find it. In a rectangle that contains a large one, a
 * result may be 128 or more, and then the XOR with the mask does not tell a move from no move. `solveAroundLarge`
 * solves these rectangles: it makes a result 255 if the lane's board does not have the move, and otherwise removes the
 * mask from the result. The kernel calls `solveAroundLarge` for every rectangle whose columns may contain the columns
 * of a large rectangle that it has found, whatever their rows are, because the stale bytes in `splits` for these
 * columns may be 128 or more. `lastStartOfLarge` and `firstEndOfLarge` say which columns these are. Only few
 * rectangles are solved this way, because large rectangles take up nearly the whole board. The kernel reports a lane
 * in which the nimbers would reach 8 * MAX_GROUP_COUNT (224) as overflowed, because the lane's answer is meaningless.
 * The largest known nimber is 135.
 */

import { lookUpBytes } from './shared/swizzle';

// @ts-ignore: decorator
@inline const LANES: i32 = 16;
/** Longest side of a frame, the grid of cells that all sixteen boards share. */
const MAX_SIDE: i32 = 40;

/** Codes of the letters L, R and X, as JavaScript writes them into the kernel's memory. */
const CODE_OF_L: i8 = 0;
const CODE_OF_R: i8 = 1;
const CODE_OF_X: i8 = 2;

/** Result of a move that a board does not have: 128 as an unsigned byte, above every XOR of nimbers below 128. */
const NO_MOVE: i8 = -128;
/** Constant that the masks of the letters add to the result of every move by XOR, because `lookupIndex` needs it. */
// @ts-ignore: decorator
@inline const LOOKUP_BIAS: i8 = ASC_FEATURE_RELAXED_SIMD ? 0x70 : 0;
const BIASED_NO_MOVE: i8 = NO_MOVE ^ LOOKUP_BIAS;
/** Smallest number of groups of eight nimbers for which `solveRectangles` has a specialised version. */
// @ts-ignore: decorator
@inline const MIN_GROUP_COUNT: i32 = 2;
/** Number of groups of eight nimbers for all nimbers below NO_MOVE (128). */
const SMALL_GROUP_COUNT: i32 = (<i32>NO_MOVE & 0xff) >> 3;
/**
 * Largest number of groups of eight nimbers in a set of seen nimbers. It is a multiple of four, because
 * `solveAroundLarge` takes four groups at a time, and it keeps all nimbers below 255, which stands for no move there.
 */
const MAX_GROUP_COUNT: i32 = 28;
/**
 * If a nimber is at most EXTRA_GROUP_MARGIN below 16 or 24, the kernel expects that the next rectangles need one more
 * group of eight nimbers. The extra group costs less than the second pass over the moves that a missing group would
 * cause.
 */
// @ts-ignore: decorator
@inline const EXTRA_GROUP_MARGIN: i32 = 2;

/** Bytes of one entry of `moveOffsets`. */
const MOVE_BYTES: i32 = sizeof<u16>();
/**
 * Bytes of a line of the array `splits`. The number is the same for all frames, so the next line is at a constant
 * distance.
 */
// @ts-ignore: decorator
@inline const LINE_BYTES: i32 = (MAX_SIDE + 1) * (MAX_SIDE + 3) * LANES;

/** Result of `solve`: a vector with the nimber of each lane's board, one byte a lane. */
const BOARD_NIMBERS: usize = memory.data(LANES, 16);
/** Result of `solve`: nonzero in each lane whose nimbers were too large, so that the lane's answer is meaningless. */
const OVERFLOWED: usize = memory.data(LANES, 16);
/** [x] u8: row x of the turned board has cells in columns FIRST_COL_OF_ROW[x]..END_COL_OF_ROW[x]. */
const FIRST_COL_OF_ROW: usize = memory.data(MAX_SIDE);
const END_COL_OF_ROW: usize = memory.data(MAX_SIDE);
/** [y] u8: column y of the turned board has cells in rows FIRST_ROW_OF_COL[y]..END_ROW_OF_COL[y]. */
const FIRST_ROW_OF_COL: usize = memory.data(MAX_SIDE);
const END_ROW_OF_COL: usize = memory.data(MAX_SIDE);

/** Number of rows and columns of the frame, the grid of all sixteen boards, before it is turned by 45 degrees. */
let frameRows: i32 = 0;
let frameCols: i32 = 0;
/** Number of rows and columns of the turned board, for the parity (of i + j) that `solve` is working on. */
let rows: i32 = 0;
let cols: i32 = 0;
/** Number of bytes that one row of the board takes in a line of the array `splits`. */
let splitRowBytes: i32 = 0;
/** Byte offset of row A in a line of the array `splits`. Row A has the splits for the moves R. */
let offsetOfRowA: i32 = 0;
/** Bytes of the nimbers of all rectangles with one range of rows. */
let bytesPerRowRange: i32 = 0;

/** Addresses of the arrays that the head of this file describes. `reserve` sets these addresses for each frame. */
let letters: usize = 0;
let notXMasks: usize = 0;
let notLMasks: usize = 0;
let notRMasks: usize = 0;
let rowWithoutLMasksOfRanges: usize = 0;
let columnWithoutRMasks: usize = 0;
let splits: usize = 0;
let moveMasks: usize = 0;
let nimbers: usize = 0;
let groupCountOfRange: usize = 0;
let firstMoveAddresses: usize = 0;
let moveOffsets: usize = 0;

/** The current strip: all rectangles of rows top..bottom whose first column is `stripStart`. */
let top: i32 = 0;
let bottom: i32 = 0;
let stripStart: i32 = 0;
/** Base address in `nimbers`: the strip's rectangle that ends at column y2 is at nimbersOfStrip + y2 * LANES. */
let nimbersOfStrip: usize = 0;
/**
 * Base address in `groupCountOfRange`: the number of groups for columns stripStart..y2 is at groupCountsOfStrip + y2.
 */
let groupCountsOfStrip: usize = 0;
/**
 * Base address in `rowWithoutLMasksOfRanges`: the mask of row `top` in columns stripStart..y2 is at
 * rowWithoutLMasksOfStrip + y2 * rows * LANES.
 */
let rowWithoutLMasksOfStrip: usize = 0;
/** Number of groups of eight nimbers that the next rectangles of the strip are expected to need. */
let groupCount: i32 = 0;
/** The strip's rectangles that end after column `lastEndBeforeLarge` need `solveAroundLarge`. */
let lastEndBeforeLarge: i32 = 0;

/**
 * Every large rectangle y1..y2 that the kernel has found on the current turned board has y1 <= lastStartOfLarge and
 * y2 >= firstEndOfLarge. Until the kernel finds one, `lastStartOfLarge` is -1.
 */
let lastStartOfLarge: i32 = -1;
let firstEndOfLarge: i32 = MAX_SIDE;

/** Returns how many boards the kernel solves at once. */
export function lanes(): i32 { return LANES; }
/** Returns the longest side that a frame, the grid that all sixteen boards share, may have. */
export function maxSide(): i32 { return MAX_SIDE; }
/** Returns the letter code of a frame cell that is outside the lane's board, or whose lane has no board. */
export function outsideCellCode(): i32 { return CODE_OF_X + 1; }
/** Returns the address at which JavaScript reads the nimber of each lane's board, one byte a lane. */
export function nimbersAddress(): usize { return BOARD_NIMBERS; }
/** Returns the address of one byte for each lane: nonzero if the lane's nimber is meaningless. */
export function overflowedAddress(): usize { return OVERFLOWED; }

/**
 * Assigns addresses to all arrays for a frame of the given size, and grows the kernel's memory if it is too small.
 * Returns the address at which JavaScript writes the letters.
 */
export function reserve(boardRows: i32, boardCols: i32): usize {
  frameRows = boardRows;
  frameCols = boardCols;
  const turnedSide = (boardRows + boardCols) >> 1;
  const ranges = rangeCount(turnedSide);
  const cellMaskBytes = turnedSide * turnedSide * LANES;
  letters = (__heap_base + LANES - 1) & -LANES;
  notXMasks = letters + boardRows * boardCols * LANES;
  notLMasks = notXMasks + cellMaskBytes + LANES; // `storeSplitsOfRow` reads one vector beyond the end of notXMasks
  notRMasks = notLMasks + cellMaskBytes;
  rowWithoutLMasksOfRanges = notRMasks + cellMaskBytes;
  columnWithoutRMasks = rowWithoutLMasksOfRanges + ranges * turnedSide * LANES;
  splits = columnWithoutRMasks + (turnedSide + 1) * LANES; // `storeNimber` reads one vector beyond the end of this array
  moveMasks = splits + (turnedSide + 2) * LINE_BYTES; // `storeSplitsOfRow` writes one line beyond the end of `splits`
  nimbers = moveMasks + LINE_BYTES;
  groupCountOfRange = nimbers + ranges * ranges * LANES;
  firstMoveAddresses = (groupCountOfRange + ranges + 3) & -4;
  moveOffsets = firstMoveAddresses + (turnedSide + 1) * sizeof<u32>();
  const end = moveOffsets + (((boardRows * boardCols + 1) >> 1) + turnedSide) * MOVE_BYTES;
  const pages = <i32>((end + 0xffff) >> 16);
  if (pages > memory.size()) memory.grow(pages - memory.size());
  return letters;
}

/**
 * Computes the nimbers of the boards in `letters`. Cells with even i + j and cells with odd i + j are independent
 * games, so the nimber of a board is the XOR of the nimbers of these two games.
 */
export function solve(): void {
  v128.store(BOARD_NIMBERS, i8x16.splat(0));
  v128.store(OVERFLOWED, i8x16.splat(0));
  for (let parity = 0; parity < 2; parity++) {
    turnBoard(parity);
    fillNoLMasksOfRanges();
    resetArrays();
    fillAllRowRanges();
    const wholeBoardAt = nimbersOfRows(0, rows) + rangeIndex(cols, 0, cols) * LANES;
    v128.store(BOARD_NIMBERS, v128.xor(v128.load(BOARD_NIMBERS), v128.load(wholeBoardAt)));
  }
}

/**
 * Turns the cells (i, j) whose i + j is even (parity 0) or odd (parity 1) by 45 degrees, and writes the masks of
 * their letters. A 1 x 1 frame has no cells of parity 1.
 */
function turnBoard(parity: i32): void {
  measureTurnedBoard(parity);
  for (let i = 0; i < frameRows; i++) {
    for (let j = (i + parity) & 1; j < frameCols; j += 2) {
      storeCellMasks((i + j) >> 1, (i - j + frameCols - 1) >> 1, v128.load(letters + (i * frameCols + j) * LANES));
    }
  }
}

/** Computes the size of the turned board, and the first and last cell of each of its rows and columns. */
function measureTurnedBoard(parity: i32): void {
  rows = 0;
  cols = 0;
  memory.fill(FIRST_COL_OF_ROW, 0xff, MAX_SIDE);
  memory.fill(END_COL_OF_ROW, 0, MAX_SIDE);
  memory.fill(FIRST_ROW_OF_COL, 0xff, MAX_SIDE);
  memory.fill(END_ROW_OF_COL, 0, MAX_SIDE);
  for (let i = 0; i < frameRows; i++) {
    for (let j = (i + parity) & 1; j < frameCols; j += 2) {
      const x = (i + j) >> 1;
      const y = (i - j + frameCols - 1) >> 1;
      rows = max(rows, x + 1);
      cols = max(cols, y + 1);
      store<u8>(FIRST_COL_OF_ROW + x, min(firstCol(x), y));
      store<u8>(END_COL_OF_ROW + x, max(endCol(x), y + 1));
      store<u8>(FIRST_ROW_OF_COL + y, min(firstRow(y), x));
      store<u8>(END_ROW_OF_COL + y, max(endRow(y), x + 1));
    }
  }
  splitRowBytes = (cols + 3) * LANES;
  offsetOfRowA = rows * splitRowBytes;
  bytesPerRowRange = rangeCount(cols) * LANES;
}

/** Stores the masks of the three letters for cell (x, y) of the turned board. */
function storeCellMasks(x: i32, y: i32, letter: v128): void {
  const cell = (x * cols + y) * LANES;
  v128.store(notXMasks + cell, maskOtherLetters(letter, CODE_OF_X));
  v128.store(notLMasks + cell, maskOtherLetters(letter, CODE_OF_L));
  v128.store(notRMasks + cell, maskOtherLetters(letter, CODE_OF_R));
}

/**
 * Returns the mask with NO_MOVE XOR LOOKUP_BIAS in the lanes whose letter is not `wanted`, and LOOKUP_BIAS in all
 * other lanes.
 */
function maskOtherLetters(letter: v128, wanted: i8): v128 {
  const noMove = v128.and(i8x16.splat(NO_MOVE), i8x16.ne(letter, i8x16.splat(wanted)));
  return v128.xor(noMove, i8x16.splat(LOOKUP_BIAS));
}

/** Fills `rowWithoutLMasksOfRanges`, going from each range of columns to the range that is one column wider. */
function fillNoLMasksOfRanges(): void {
  const line = rows * LANES;
  let marks = rowWithoutLMasksOfRanges;
  for (let y1 = 0; y1 <= cols; y1++) {
    for (let x = 0; x < rows; x++) v128.store(marks + x * LANES, i8x16.splat(BIASED_NO_MOVE));
    marks += line;
    for (let y2 = y1 + 1; y2 <= cols; y2++, marks += line) {
      for (let x = 0; x < rows; x++) {
        let mark = v128.load(marks - line + x * LANES);
        if (hasCell(x, y2 - 1)) mark = v128.and(mark, v128.load(notLMasks + (x * cols + y2 - 1) * LANES));
        v128.store(marks + x * LANES, mark);
      }
    }
  }
}

/**
 * Sets `nimbers`, `splits` and `groupCountOfRange` to their values before the first rectangle. A cell in the first or
 * last column of a rectangle has an empty range of columns on one side, whose entry in `splits` is 0. The entry of
 * `left` for this empty range still needs the mask of the cell's letter X. No other function writes the entries of
 * empty ranges.
 */
function resetArrays(): void {
  for (let x = 0; x <= rows; x++) memory.fill(nimbersOfRows(x, x), 0, bytesPerRowRange);
  for (let y = 0; y <= cols; y++) memory.fill(lineAddress(y), 0, (rows + 1) * splitRowBytes);
  memory.fill(groupCountOfRange, <u8>MIN_GROUP_COUNT, rangeCount(cols));
  lastStartOfLarge = -1;
  firstEndOfLarge = MAX_SIDE;
  for (let x = 0; x < rows; x++) {
    for (let y = firstCol(x); y < endCol(x); y++) {
      storeMoveMask(y, x * splitRowBytes + slotOffset(y), v128.load(notXMasks + (x * cols + y) * LANES));
    }
  }
}

/**
 * Stores the mask of the move X or R with this offset, which is in column y: in `moveMasks`, and as the entry of `left`
 * for the empty range of columns y..y.
 */
function storeMoveMask(y: i32, offset: i32, mask: v128): void {
  v128.store(lineAddress(y) + offset, mask);
  v128.store(moveMasks + offset, mask);
}

/**
 * Writes the offsets of the moves X and R of rows x1..x2 into `moveOffsets`. All cells of these rows lie in columns
 * from..end. The moves are listed column by column: the X moves of a column come first, and its R move comes last.
 */
function writeMoveOffsets(x1: i32, x2: i32, from: i32, end: i32): void {
  let move = moveOffsets;
  for (let y = from; y < end; y++) {
    store<u32>(firstMoveAddresses + y * sizeof<u32>(), <u32>move);
    const last = min(x2, endRow(y));
    for (let x = max(x1, firstRow(y)); x < last; x++, move += MOVE_BYTES)
      store<u16>(move, x * splitRowBytes + slotOffset(y));
    store<u16>(move, offsetOfRowA + slotOffset(y));
    move += MOVE_BYTES;
  }
  store<u32>(firstMoveAddresses + end * sizeof<u32>(), <u32>move);
}

/**
 * Computes the nimbers of all rectangles, one row range after another. A row range needs the results of the row
 * ranges inside this row range. So the outer loop moves the first row of the range upwards from the last row of the
 * board, and the inner loop goes from short ranges to long ranges.
 */
function fillAllRowRanges(): void {
  for (let x1 = rows - 1; x1 >= 0; x1--) {
    let from = cols;
    let end = 0;
    for (let y = 0; y < cols; y++) v128.store(columnWithoutRMasks + y * LANES, i8x16.splat(BIASED_NO_MOVE));
    for (let x2 = x1 + 1; x2 <= rows; x2++) {
      from = min(from, firstCol(x2 - 1));
      end = max(end, endCol(x2 - 1));
      addRowToNoRMasks(x2 - 1);
      for (let x = x1; x < x2; x++) storeSplitsOfRow(x, nimbersOfRows(x1, x), nimbersOfRows(x + 1, x2), from, end);
      writeMoveOffsets(x1, x2, from, end);
      fillRowRange(x1, x2, from, end);
    }
  }
}

/** Updates `columnWithoutRMasks` for a row range that has grown by row x, and copies the result to row A of `left`. */
function addRowToNoRMasks(x: i32): void {
  for (let y = firstCol(x); y < endCol(x); y++) {
    const at = columnWithoutRMasks + y * LANES;
    v128.store(at, v128.and(v128.load(at), v128.load(notRMasks + (x * cols + y) * LANES)));
  }
  for (let y = 0; y < cols; y++) {
    storeMoveMask(y, offsetOfRowA + slotOffset(y), v128.load(columnWithoutRMasks + y * LANES));
  }
}

/**
 * Stores the splits at row x: for each column range, the XOR of the nimbers above and below row x. Only the column
 * ranges in from..end that contain a cell of row x, or are next to a cell of row x, are needed. The loop handles two
 * column ranges at a time, so it may write one column range more than needed.
 */
function storeSplitsOfRow(x: i32, above: usize, below: usize, from: i32, end: i32): void {
  const noXMasksOfRow = notXMasks + x * cols * LANES;
  const endMask = noXMasksOfRow + end * LANES;
  const first = firstCol(x), last = min(end - 1, endCol(x));
  for (let y1 = from; y1 <= last; y1++) {
    const y2 = max(y1 + 1, first);
    let range = rangeIndex(cols, y1, y2) * LANES;
    let mask = noXMasksOfRow + y2 * LANES;
    let leftSlot = lineAddress(y1) + x * splitRowBytes + slotOffset(y2);
    let rightSlot = lineAddress(y2) + x * splitRowBytes + slotOffset(y1 - 1);
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
 * Computes the nimbers of all rectangles with the rows x1..x2. These rows have cells only in columns from..end. For a
 * rectangle that reaches beyond columns from..end, the function copies the nimber of its part inside these columns.
 */
function fillRowRange(x1: i32, x2: i32, from: i32, end: i32): void {
  const nimbersOfRange = nimbersOfRows(x1, x2);
  top = x1;
  bottom = x2;
  for (let y1 = cols; y1 >= 0; y1--) {
    v128.store(nimbersOfRange + rangeIndex(cols, y1, y1) * LANES, i8x16.splat(0));
    if (y1 >= from) solveStrip(y1, end);
    const first = max(y1, from), last = max(first, end);
    const insideNimbers = nimbersOfRange + rangeIndex(cols, first, first) * LANES;
    let y2 = y1 < from ? y1 + 1 : last + 1;
    let at = nimbersOfRange + rangeIndex(cols, y1, y2) * LANES;
    for (; y2 <= cols; y2++, at += LANES) {
      v128.store(at, v128.load(insideNimbers + max(0, min(y2, last) - first) * LANES));
    }
  }
}

/**
 * Computes the nimbers of the rectangles with rows top..bottom whose first column is y1 and which end at or before
 * column `end`. Narrow rectangles come first, because an R move in a rectangle leaves narrower rectangles.
 */
function solveStrip(y1: i32, end: i32): void {
  const first = rangeIndex(cols, y1, 0);
  stripStart = y1;
  nimbersOfStrip = nimbersOfRows(top, bottom) + first * LANES;
  groupCountsOfStrip = groupCountOfRange + first;
  rowWithoutLMasksOfStrip = rowWithoutLMasksOfRanges + (first * rows + top) * LANES;
  groupCount = MIN_GROUP_COUNT;
  let y2 = copyRectanglesWithEmptyEdge(end);
  lastEndBeforeLarge = y1 > lastStartOfLarge ? end : min(end, max(y2, firstEndOfLarge) - 1);
  while (y2 <= lastEndBeforeLarge) {
    const last = lastEndBeforeLarge, isPair = y2 < last;
    raiseExpectedGroups(y2, isPair);
    const count = min(groupCount, SMALL_GROUP_COUNT);
    if (count > 4) y2 = solveOneBelow48(y2, last);
    else if (isPair && count == 2) y2 = solveTwoBelow16(y2, last);
    else if (isPair && count == 3) y2 = solveTwoBelow24(y2, last);
    else if (isPair) y2 = solveTwoBelow32(y2, last);
    else if (count == 2) y2 = solveOneBelow16(y2, last);
    else y2 = solveOneBelow32(y2, last);
  }
  for (y2 = lastEndBeforeLarge + 1; y2 <= end; y2++) solveAroundLarge(y2);
}

/**
 * Copies nimbers for the narrow rectangles of the strip that have no cell in their first row or in their last row. A
 * rectangle whose first or last row is empty has the nimber of the rectangle without this row. Returns the end column
 * of the first rectangle with a cell in its first row and a cell in its last row.
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
 * Raises the expected number of groups to the number that the columns stripStart..y2 needed last time, in other rows.
 * If `isPair` is true, the columns of the rectangle that is one column wider count, too.
 */
// @ts-ignore: decorator
@inline
function raiseExpectedGroups(y2: i32, isPair: bool): void {
  groupCount = max(groupCount, <i32>load<u8>(groupCountsOfStrip + y2));
  if (isPair) groupCount = max(groupCount, <i32>load<u8>(groupCountsOfStrip + y2, 1));
}

/**
 * Stores the nimber of the rectangle with columns stripStart..y2 in `nimbers`, and twice in row A of `splits`. An R
 * move at column y2 leaves this rectangle on its left, and an R move at column stripStart - 1 leaves this rectangle on
 * its right.
 */
// @ts-ignore: decorator
@inline
function storeNimber(y2: i32, nimber: v128): void {
  v128.store(nimbersOfStrip + y2 * LANES, nimber);
  v128.store(lineAddress(y2) + offsetOfRowA + slotOffset(stripStart - 1), nimber);
  const leftSplit = lineAddress(stripStart) + offsetOfRowA + slotOffset(y2);
  v128.store(leftSplit, v128.xor(nimber, v128.load(columnWithoutRMasks + y2 * LANES)));
}

// Each function `solve...Below...` is a copy of `solveRectangles` for a constant number of groups. "Below16" means that
// the function expects nimbers below 16. "Two" means that the function solves two rectangles at a time.
function solveOneBelow16(y2: i32, end: i32): i32 { return solveRectangles(2, false, y2, end); }
function solveOneBelow32(y2: i32, end: i32): i32 { return solveRectangles(4, false, y2, end); }
function solveOneBelow48(y2: i32, end: i32): i32 { return solveRectangles(6, false, y2, end); }
function solveTwoBelow16(y2: i32, end: i32): i32 { return solveRectangles(2, true, y2, end); }
function solveTwoBelow24(y2: i32, end: i32): i32 { return solveRectangles(3, true, y2, end); }
function solveTwoBelow32(y2: i32, end: i32): i32 { return solveRectangles(4, true, y2, end); }

/**
 * Computes the nimbers of the strip's rectangles with columns stripStart..y2, for y2 from `first` on. Stops when the
 * next rectangles are expected to need another number of groups than `count`. Returns the y2 at which the function
 * stopped.
 *
 * If `isPair` is false, the function solves one rectangle at a time. If `isPair` is true, the function solves two
 * rectangles at a time: rectangle a ends at y2, and rectangle b ends at y2 + 1. The variable `setAk` is the set of the
 * seen nimbers of group k of rectangle a, and `setBk` that of rectangle b. The first loop adds the moves X and R to the
 * sets, the second loop adds the moves L, and the third loop adds the moves of column y2, which only b has.
 *
 * Each group has its own byte lookup. The lookup returns 0 for a nimber that is not in the group, so this nimber adds
 * nothing to the group's set.
 */
// @ts-ignore: decorator
@inline
function solveRectangles(count: i32, isPair: bool, first: i32, end: i32): i32 {
  const lowerTable = lowerGroupTable(), upperTable = upperGroupTable();
  const sixteen = i8x16.splat(16), thirtyTwo = i8x16.splat(32);
  const leftLine = lineAddress(stripStart), rowStride = splitRowBytes, width = isPair ? 2 : 1;
  const maskLineBytes = rows * LANES, masksOfStrip = rowWithoutLMasksOfStrip, maskBytes = (bottom - top) * LANES;
  const firstMove = firstMoveOfColumn(stripStart), firstSplit = top * rowStride + slotOffset(stripStart - 1);
  let y2 = first;
  do {
    let setA0 = i8x16.splat(0), setA1 = setA0, setA2 = setA0, setA3 = setA0, setA4 = setA0, setA5 = setA0;
    let setB0 = setA0, setB1 = setA0, setB2 = setA0, setB3 = setA0;
    const rightLine = lineAddress(y2), endMove = firstMoveOfColumn(y2);
    for (let move = firstMove; move < endMove; move += MOVE_BYTES) {
      const offset = <usize>load<u16>(move);
      const leftPart = v128.load(leftLine + offset);
      const resultA = v128.xor(leftPart, v128.load(rightLine + offset));
      const indexA = lookupIndex(resultA), indexAFrom16 = lookupIndex(v128.xor(resultA, sixteen));
      setA0 = addToSet(setA0, lowerTable, indexA), setA1 = addToSet(setA1, upperTable, indexA);
      if (count > 2) setA2 = addToSet(setA2, lowerTable, indexAFrom16);
      if (count > 3) setA3 = addToSet(setA3, upperTable, indexAFrom16);
      const indexAFrom32 = lookupIndex(v128.xor(resultA, thirtyTwo));
      if (count > 4) setA4 = addToSet(setA4, lowerTable, indexAFrom32);
      if (count > 4) setA5 = addToSet(setA5, upperTable, indexAFrom32);
      if (isPair) {
        // With eight sets in registers, no register is left for `leftPart`, so the code loads it again.
        const partAgain = count > 3 ? v128.load(leftLine + offset) : leftPart;
        const resultB = v128.xor(partAgain, v128.load(rightLine + offset, LINE_BYTES));
        const indexB = lookupIndex(resultB), indexBFrom16 = lookupIndex(v128.xor(resultB, sixteen));
        setB0 = addToSet(setB0, lowerTable, indexB), setB1 = addToSet(setB1, upperTable, indexB);
        if (count > 2) setB2 = addToSet(setB2, lowerTable, indexBFrom16);
        if (count > 3) setB3 = addToSet(setB3, upperTable, indexBFrom16);
      }
    }
    let maskAt = masksOfStrip + y2 * maskLineBytes, splitAt = rightLine + firstSplit;
    for (const endMask = maskAt + maskBytes; maskAt < endMask; maskAt += LANES, splitAt += rowStride) {
      const resultA = v128.xor(v128.load(splitAt), v128.load(maskAt));
      const indexA = lookupIndex(resultA), indexAFrom16 = lookupIndex(v128.xor(resultA, sixteen));
      setA0 = addToSet(setA0, lowerTable, indexA), setA1 = addToSet(setA1, upperTable, indexA);
      if (count > 2) setA2 = addToSet(setA2, lowerTable, indexAFrom16);
      if (count > 3) setA3 = addToSet(setA3, upperTable, indexAFrom16);
      const indexAFrom32 = lookupIndex(v128.xor(resultA, thirtyTwo));
      if (count > 4) setA4 = addToSet(setA4, lowerTable, indexAFrom32);
      if (count > 4) setA5 = addToSet(setA5, upperTable, indexAFrom32);
      if (isPair) {
        const resultB = v128.xor(v128.load(splitAt, LINE_BYTES), v128.load(maskAt + maskLineBytes));
        const indexB = lookupIndex(resultB), indexBFrom16 = lookupIndex(v128.xor(resultB, sixteen));
        setB0 = addToSet(setB0, lowerTable, indexB), setB1 = addToSet(setB1, upperTable, indexB);
        if (count > 2) setB2 = addToSet(setB2, lowerTable, indexBFrom16);
        if (count > 3) setB3 = addToSet(setB3, upperTable, indexBFrom16);
      }
    }
    storeNimber(y2, completeMex(count, mexOf(count, setA0, setA1, setA2, setA3, setA4, setA5), y2));
    if (isPair) {
      const groupCountOfA = groupCount, endColumn = firstMoveOfColumn(y2 + 1);
      for (let move = endMove; move < endColumn; move += MOVE_BYTES) {
        const resultB = v128.load(leftLine + load<u16>(move));
        const indexB = lookupIndex(resultB), indexBFrom16 = lookupIndex(v128.xor(resultB, sixteen));
        setB0 = addToSet(setB0, lowerTable, indexB), setB1 = addToSet(setB1, upperTable, indexB);
        if (count > 2) setB2 = addToSet(setB2, lowerTable, indexBFrom16);
        if (count > 3) setB3 = addToSet(setB3, upperTable, indexBFrom16);
      }
      storeNimber(y2 + 1, completeMex(count, mexOf(count, setB0, setB1, setB2, setB3, setB3, setB3), y2 + 1));
      groupCount = max(groupCount, groupCountOfA);
    }
    y2 += width;
    if (y2 + width > end + 1) break;
    raiseExpectedGroups(y2, isPair);
  } while (groupCount == count);
  return y2;
}

/**
 * Completes the mex of columns stripStart..y2 in the lanes for which `count` groups of eight nimbers were not enough.
 * Stores the number of groups that the rectangle needed in `groupCount` and in `groupCountOfRange`. Returns the
 * completed mex.
 */
// @ts-ignore: decorator
@inline
function completeMex(count: i32, mex: v128, y2: i32): v128 {
  const full = i8x16.eq(mex, i8x16.splat(<i8>(8 * count)));
  let completedMex = mex;
  groupCount = 2 + <i32>anyLaneReaches(mex, 16 - EXTRA_GROUP_MARGIN);
  if (count > 2) groupCount += <i32>anyLaneReaches(mex, 24 - EXTRA_GROUP_MARGIN);
  if (count > 3) groupCount += <i32>anyLaneReaches(mex, 32);
  if (count > 4) groupCount += <i32>anyLaneReaches(mex, 40);
  if (v128.any_true(full)) completedMex = searchHigherGroups(count, mex, full, y2);
  store<u8>(groupCountsOfStrip + y2, groupCount);
  return completedMex;
}

/** Returns whether the byte of any lane of `value` is at least `bound`. */
// @ts-ignore: decorator
@inline
function anyLaneReaches(value: v128, bound: i32): bool {
  return v128.any_true(i8x16.gt_s(value, i8x16.splat(<i8>(bound - 1))));
}

/**
 * Returns the vector `mex` corrected in the lanes of `full`, which have seen all nimbers of `count` groups. Repeats
 * `mexFromNextGroups` until no lane is full, or until the sets of the full lanes have all nimbers below NO_MOVE. The
 * rectangle contains no large rectangle, so the nimber of these lanes is NO_MOVE.
 */
function searchHigherGroups(count: i32, mex: v128, full: v128, y2: i32): v128 {
  groupCount = count;
  do {
    groupCount = min(groupCount, SMALL_GROUP_COUNT - 2); // the sets must not reach NO_MOVE
    mex = v128.bitselect(mexFromNextGroups(y2, false), mex, full);
    full = i8x16.eq(mex, i8x16.splat(<i8>(8 * groupCount)));
    if (!v128.any_true(full)) return mex;
  } while (groupCount < SMALL_GROUP_COUNT);
  noteLargeRectangle(y2);
  return mex;
}

/**
 * Takes note that the rectangle with columns stripStart..y2 is large. If this rectangle was one of two that the kernel
 * solves together, the other one needs to be solved again, because it contains the large one.
 */
function noteLargeRectangle(y2: i32): void {
  lastStartOfLarge = max(lastStartOfLarge, stripStart);
  firstEndOfLarge = min(firstEndOfLarge, y2);
  lastEndBeforeLarge = min(lastEndBeforeLarge, y2);
}

/**
 * Computes the nimber of the rectangle with columns stripStart..y2, which may contain large rectangles. Marks lanes
 * in which the nimber would need more than MAX_GROUP_COUNT groups as overflowed.
 */
function solveAroundLarge(y2: i32): void {
  let mex = i8x16.splat(0), full = i8x16.splat(-1);
  groupCount = 0;
  do {
    mex = v128.bitselect(mexFromNextGroups(y2, true), mex, full);
    full = i8x16.eq(mex, i8x16.splat(<i8>(8 * groupCount)));
  } while (groupCount < MAX_GROUP_COUNT && v128.any_true(full));
  v128.store(OVERFLOWED, v128.or(v128.load(OVERFLOWED), full));
  storeNimber(y2, mex);
}

/**
 * Returns the mex of columns stripStart..y2 for lanes that have seen all nimbers below 8 * groupCount. The function
 * goes through the moves again, with sets for the next two groups of eight nimbers, and adds 2 to `groupCount`. If
 * `isAroundLarge` is true, the rectangle may contain large rectangles, and the function takes four groups, not two.
 */
// @ts-ignore: decorator
@inline
function mexFromNextGroups(y2: i32, isAroundLarge: bool): v128 {
  const lowerTable = lowerGroupTable(), upperTable = upperGroupTable(), base = i8x16.splat(<i8>(8 * groupCount));
  const leftLine = lineAddress(stripStart), rightLine = lineAddress(y2), rowStride = splitRowBytes;
  const endMove = firstMoveOfColumn(y2);
  const secondBase = i8x16.add(base, i8x16.splat(16));
  let set0 = i8x16.splat(0), set1 = set0, set2 = set0, set3 = set0;
  for (let move = firstMoveOfColumn(stripStart); move < endMove; move += MOVE_BYTES) {
    const offset = <usize>load<u16>(move);
    let result = v128.xor(v128.load(leftLine + offset), v128.load(rightLine + offset));
    if (isAroundLarge) result = markNoMove(result, v128.load(moveMasks + offset));
    const index = lookupIndexAbove(result, base), secondIndex = lookupIndexAbove(result, secondBase);
    set0 = addToSet(set0, lowerTable, index), set1 = addToSet(set1, upperTable, index);
    if (isAroundLarge) set2 = addToSet(set2, lowerTable, secondIndex), set3 = addToSet(set3, upperTable, secondIndex);
  }
  let maskAt = rowWithoutLMasksOfStrip + y2 * rows * LANES, splitAt = rightLine + top * rowStride + slotOffset(stripStart - 1);
  for (const endMask = maskAt + (bottom - top) * LANES; maskAt < endMask; maskAt += LANES, splitAt += rowStride) {
    const mask = v128.load(maskAt);
    let result = v128.xor(v128.load(splitAt), mask);
    if (isAroundLarge) result = markNoMove(result, mask);
    const index = lookupIndexAbove(result, base), secondIndex = lookupIndexAbove(result, secondBase);
    set0 = addToSet(set0, lowerTable, index), set1 = addToSet(set1, upperTable, index);
    if (isAroundLarge) set2 = addToSet(set2, lowerTable, secondIndex), set3 = addToSet(set3, upperTable, secondIndex);
  }
  groupCount += isAroundLarge ? 4 : 2;
  return i8x16.add(base, isAroundLarge ? mexOfFour(set0, set1, set2, set3) : mexOfTwo(set0, set1));
}

/**
 * Returns `result`, the XOR of the result of a move and the move's mask, with 255 XOR LOOKUP_BIAS in the lanes whose
 * board does not have the move.
 */
// @ts-ignore: decorator
@inline
function markNoMove(result: v128, mask: v128): v128 {
  const hasMove = i8x16.eq(mask, i8x16.splat(LOOKUP_BIAS));
  return v128.bitselect(result, i8x16.splat(LOOKUP_BIAS ^ -1), hasMove);
}

/** Returns the mex for a set of two groups of eight nimbers: the number of ones at the low end of the set. */
// @ts-ignore: decorator
@inline
function mexOfTwo(group0: v128, group1: v128): v128 {
  return i8x16.add(trailingOnes(group0), v128.and(isFull(group0), trailingOnes(group1)));
}
/** Returns the mex for a set of three groups of eight nimbers. */
// @ts-ignore: decorator
@inline
function mexOfThree(group0: v128, group1: v128, group2: v128): v128 {
  return i8x16.add(mexOfTwo(group0, group1), v128.and(isFull(v128.and(group0, group1)), trailingOnes(group2)));
}
/** Returns the mex for a set of four groups of eight nimbers. */
// @ts-ignore: decorator
@inline
function mexOfFour(group0: v128, group1: v128, group2: v128, group3: v128): v128 {
  return i8x16.add(mexOfTwo(group0, group1), v128.and(isFull(v128.and(group0, group1)), mexOfTwo(group2, group3)));
}

/** Returns the mex for a set of `count` groups of eight nimbers. `count` is 2, 3, 4 or 6. */
// @ts-ignore: decorator
@inline
function mexOf(count: i32, group0: v128, group1: v128, group2: v128, group3: v128, group4: v128, group5: v128): v128 {
  if (count == 2) return mexOfTwo(group0, group1);
  if (count == 3) return mexOfThree(group0, group1, group2);
  const lowerMex = mexOfFour(group0, group1, group2, group3);
  if (count == 4) return lowerMex;
  const isLowerFull = isFull(v128.and(v128.and(group0, group1), v128.and(group2, group3)));
  return i8x16.add(lowerMex, v128.and(mexOfTwo(group4, group5), isLowerFull));
}

/** Returns the table with 1 << n at entry n = 0..7, and 0 at entries 8..15. It selects the nimbers 0..7. */
// @ts-ignore: decorator
@inline function lowerGroupTable(): v128 { return i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0); }

/** Returns the table with 0 at entries 0..7, and 1 << (n - 8) at entry n = 8..15. It selects the nimbers 8..15. */
// @ts-ignore: decorator
@inline function upperGroupTable(): v128 { return i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128); }

/**
 * Returns the index for `lookUpBytes` for the result of a move. The index is the nimber itself if the nimber is below
 * 16, else an index for which `lookUpBytes` returns 0.
 *
 * With plain SIMD, `lookUpBytes` returns 0 for every index from 16 to 255, and LOOKUP_BIAS is 0, so the result of the
 * move is the index. With relaxed SIMD, the result for an index from 16 to 127 is not defined, so the kernel must
 * avoid these indices. An XOR with LOOKUP_BIAS (112) turns the nimbers below 16 into 112..127, and all other nimbers
 * into numbers below 112. NO_MOVE is negative as a signed byte. The kernel then subtracts 112 with saturation: a nimber
 * below 16 gives an index from 0 to 15, and every other nimber, like NO_MOVE, gives a negative number, which is 128 or
 * more as an unsigned byte.
 */
// @ts-ignore: decorator
@inline
function lookupIndex(move: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? i8x16.sub_sat_s(move, i8x16.splat(LOOKUP_BIAS)) : move;
}

/** Returns the index for `lookUpBytes` for the result of a move minus `base`, as `lookupIndex` does. */
// @ts-ignore: decorator
@inline
function lookupIndexAbove(move: v128, base: v128): v128 {
  const bias = i8x16.splat(LOOKUP_BIAS);
  return lookupIndex(v128.xor(i8x16.sub(v128.xor(move, bias), base), bias));
}

/**
 * Returns `set` with the nimbers added that `indices` select from `table`, whose entries are sets of at most one bit.
 */
// @ts-ignore: decorator
@inline
function addToSet(set: v128, table: v128, indices: v128): v128 {
  return v128.or(set, lookUpBytes(table, indices));
}

/** Returns a vector with all bits set in each lane that has seen all eight nimbers of the group `set`. */
// @ts-ignore: decorator
@inline function isFull(set: v128): v128 { return i8x16.eq(set, i8x16.splat(-1)); }

/** Returns the number of ones (0 to 8) at the low end of the byte of each lane. */
// @ts-ignore: decorator
@inline
function trailingOnes(set: v128): v128 {
  return i8x16.popcnt(v128.andnot(set, i8x16.add(set, i8x16.splat(1))));
}

// @ts-ignore: decorator
@inline function firstCol(x: i32): i32 { return load<u8>(FIRST_COL_OF_ROW + x); }

// @ts-ignore: decorator
@inline function endCol(x: i32): i32 { return load<u8>(END_COL_OF_ROW + x); }

// @ts-ignore: decorator
@inline function firstRow(y: i32): i32 { return load<u8>(FIRST_ROW_OF_COL + y); }

// @ts-ignore: decorator
@inline function endRow(y: i32): i32 { return load<u8>(END_ROW_OF_COL + y); }

/** Returns whether the turned board has a cell at (x, y). */
// @ts-ignore: decorator
@inline function hasCell(x: i32, y: i32): bool { return firstCol(x) <= y && y < endCol(x); }

/** Returns whether row x of the turned board has no cells in columns y1..y2. */
// @ts-ignore: decorator
@inline function isRowEmpty(x: i32, y1: i32, y2: i32): bool { return firstCol(x) >= y2 || endCol(x) <= y1; }

/**
 * Returns the number of ranges of adjacent rows (or columns) of a board with `lines` rows (or columns), empty ranges
 * included.
 */
// @ts-ignore: decorator
@inline function rangeCount(lines: i32): i32 { return ((lines + 1) * (lines + 2)) >> 1; }

/** Returns the index of the range from..end among all ranges of a board's `lines` rows (or columns). */
// @ts-ignore: decorator
@inline
function rangeIndex(lines: i32, from: i32, end: i32): i32 {
  return from * (lines + 1) - ((from * (from - 1)) >> 1) + end - from;
}

/** Returns the address of the nimbers of the rectangles with the rows x1..x2. */
// @ts-ignore: decorator
@inline
function nimbersOfRows(x1: i32, x2: i32): usize { return nimbers + rangeIndex(rows, x1, x2) * bytesPerRowRange; }

/** Returns the address of line y of the array `splits`. */
// @ts-ignore: decorator
@inline function lineAddress(y: i32): usize { return splits + y * LINE_BYTES; }

/** Returns the address in `moveOffsets` of the first move of column y. */
// @ts-ignore: decorator
@inline function firstMoveOfColumn(y: i32): usize { return load<u32>(firstMoveAddresses + y * sizeof<u32>()); }

/** Returns the byte offset of column y in a row of the array `splits`. Column -1 is the spare slot 0. */
// @ts-ignore: decorator
@inline function slotOffset(y: i32): i32 { return (1 + y) * LANES; }
