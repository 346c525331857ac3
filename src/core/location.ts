/** The location of a byte in a text, as people count: line and column begin at 1, and columns count bytes. */
export interface Location {
  /** The line, from 1. */
  readonly line: number;
  /** The column in bytes, from 1. */
  readonly column: number;
}

export const TEXT_START: Location = { line: 1, column: 1 };

/** The length of a piece of text: the number of line ends, and the number of bytes after the last line end. */
export interface TextSpan {
  readonly lines: number;
  readonly bytesAfterLastLineEnd: number;
}

export const EMPTY_SPAN: TextSpan = { lines: 0, bytesAfterLastLineEnd: 0 };

const LF = 0x0a;

/** Returns the span of bytes[from, to): its number of line ends, and its number of bytes after the last line end. */
export function measureSpan(bytes: Uint8Array, from: number, to: number): TextSpan {
  if (to - from < MIN_BYTES_FOR_WORDS) return measureShortSpan(bytes, from, to);
  const firstWord = from + ((4 - ((bytes.byteOffset + from) % 4)) % 4);
  const words = Math.floor((to - firstWord) / 4);
  const afterWords = firstWord + 4 * words;
  const lines =
    measureShortSpan(bytes, from, firstWord).lines +
    countInWords(new Int32Array(bytes.buffer, bytes.byteOffset + firstWord, words)) +
    measureShortSpan(bytes, afterWords, to).lines;
  return { lines, bytesAfterLastLineEnd: lines === 0 ? to - from : to - 1 - bytes.lastIndexOf(LF, to - 1) };
}

/** A span of at least this many bytes is measured four bytes at a time, which is three times as fast. */
const MIN_BYTES_FOR_WORDS = 256;

/**
 * Counts the line ends in bytes that are read four at a time, as 32-bit words. After `^`, the byte of a line end is 0. Adding
 * 0x7f to the lower seven bits of a byte sets its highest bit unless they are 0, so the highest bit of `isOther` is 0 only in
 * the byte of a line end.
 */
function countInWords(words: Int32Array): number {
  let lines = 0;
  for (let i = 0; i < words.length; i++) {
    const difference = words[i] ^ 0x0a0a0a0a;
    const isOther = ((difference & 0x7f7f7f7f) + 0x7f7f7f7f) | difference;
    const lineEnds = (~isOther >>> 7) & 0x01010101;
    // The multiplication adds the four bytes of `lineEnds`; the sum is in the highest byte of the product.
    lines += Math.imul(lineEnds, 0x01010101) >>> 24;
  }
  return lines;
}

function measureShortSpan(bytes: Uint8Array, from: number, to: number): TextSpan {
  let lines = 0;
  let lineStart = from;
  for (let at = from; at < to; at++) {
    if (bytes[at] === LF) {
      lines++;
      lineStart = at + 1;
    }
  }
  return { lines, bytesAfterLastLineEnd: to - lineStart };
}

/** The location at the end of a span that begins at `location`. */
export function locationAfter(location: Location, span: TextSpan): Location {
  return span.lines === 0
    ? { line: location.line, column: location.column + span.bytesAfterLastLineEnd }
    : { line: location.line + span.lines, column: 1 + span.bytesAfterLastLineEnd };
}

/** The span of two pieces of text, one after the other. */
export function joinSpans(first: TextSpan, second: TextSpan): TextSpan {
  return second.lines === 0
    ? {
        lines: first.lines,
        bytesAfterLastLineEnd: first.bytesAfterLastLineEnd + second.bytesAfterLastLineEnd,
      }
    : { lines: first.lines + second.lines, bytesAfterLastLineEnd: second.bytesAfterLastLineEnd };
}
