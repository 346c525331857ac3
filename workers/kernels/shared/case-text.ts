/**
 * The text of a batch of cases in the memory of a kernel. JavaScript copies whole cases here, and the kernel takes from them
 * the boards of those cases that are in canonical layout:
 *
 *     rows cols     one or two digits each, with one space between them
 *     ..#.          a line for each row, with one byte for each cell
 *
 * Each line ends with a line feed, and the case with its last row. The kernel never says that a case is invalid: a case that it
 * does not take goes to the parser.
 */

/** Largest number of cases whose text fits into TEXT. A kernel may have room for fewer boards. */
export const MAX_CASES: i32 = 8192;
/** Largest size of the text of a batch, in bytes. */
const MAX_TEXT_BYTES: i32 = 1 << 20;
/** Bytes after the text that a vector which begins in the text may read. Their contents do not matter. */
const BYTES_PAST_TEXT: i32 = 32;

/** The text of a batch. JavaScript fills this array. */
const TEXT: usize = memory.data(MAX_TEXT_BYTES + BYTES_PAST_TEXT, 16);
/**
 * [case] u32: offset at which the case begins in the text that JavaScript has, and after the last case the offset at which it
 * ends. TEXT begins with the first case.
 */
const STARTS: usize = memory.data((MAX_CASES + 1) * 4, 16);

export const LINE_FEED: i32 = 0x0a;
const SPACE: i32 = 0x20;
const ZERO: i32 = 0x30;
/** Bytes of the shortest case, a board of one cell. No header of two numbers with two digits each is longer. */
const MIN_CASE_BYTES: usize = 6;

export function maxTextBytes(): i32 {
  return MAX_TEXT_BYTES;
}

/** Returns the address of TEXT. */
export function textAddress(): usize {
  return TEXT;
}

/** Returns the address of STARTS. */
export function startsAddress(): usize {
  return STARTS;
}

/** Results of `readHeader`: the numbers of rows and columns, and the address at which the first row begins. */
export let rows: i32 = 0;
export let cols: i32 = 0;
export let firstRow: usize = 0;

/**
 * Reads the header of a case. Returns whether it is canonical, its numbers are at most `maxSide` and not 0, and the rest of
 * the case has exactly the bytes of the rows.
 */
// @ts-ignore: decorator
@inline
export function readHeader(index: i32, maxSide: i32): bool {
  const textStart = TEXT - load<u32>(STARTS);
  let at = textStart + load<u32>(STARTS + index * 4);
  const end = textStart + load<u32>(STARTS + index * 4, 4);
  if (at + MIN_CASE_BYTES > end) return false;
  rows = <i32>load<u8>(at) - ZERO;
  if (<u32>rows > 9) return false;
  let next = <i32>load<u8>(at, 1);
  at += 2;
  if (next != SPACE) {
    if (<u32>(next - ZERO) > 9 || load<u8>(at++) != SPACE) return false;
    rows = rows * 10 + next - ZERO;
  }
  cols = <i32>load<u8>(at) - ZERO;
  if (<u32>cols > 9) return false;
  next = <i32>load<u8>(at, 1);
  at += 2;
  if (next != LINE_FEED) {
    if (<u32>(next - ZERO) > 9 || load<u8>(at++) != LINE_FEED) return false;
    cols = cols * 10 + next - ZERO;
  }
  firstRow = at;
  return rows >= 1 && rows <= maxSide && cols >= 1 && cols <= maxSide && <i32>(end - at) == rows * (cols + 1);
}

/** Returns a number whose bit `i` is set if byte `i` of the vector is the letter. */
// @ts-ignore: decorator
@inline
export function cellsEqualTo(row: v128, letter: i8): u32 {
  return i8x16.bitmask(i8x16.eq(row, i8x16.splat(letter)));
}

/** Number of line ends in the cases that the last call of `takeCases` has taken. */
let lineEnds: i32 = 0;

export function lineEndsTaken(): i32 {
  return lineEnds;
}

/** Sets the count of line ends to 0. */
export function forgetLineEnds(): void {
  lineEnds = 0;
}

/** Adds the line ends of a case that the kernel has taken to their count. */
// @ts-ignore: decorator
@inline
export function countLineEnds(rows: i32): void {
  lineEnds += rows + 1;
}
