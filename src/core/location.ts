/** The location of a byte in a text, as people count: line and column begin at 1, and columns count bytes. */
export interface Location {
  /** The line, from 1. */
  readonly line: number;
  /** The column in bytes, from 1. */
  readonly column: number;
}

export const TEXT_START: Location = { line: 1, column: 1 };

/** The length of a piece of text: the number of line ends, and the number of bytes after the last line end. */
export interface Span {
  readonly lines: number;
  readonly bytesAfterLastLineEnd: number;
}

export const EMPTY_SPAN: Span = { lines: 0, bytesAfterLastLineEnd: 0 };

const LF = 0x0a;

/** Returns the span of bytes[from, to): its number of line ends, and its number of bytes after the last line end. */
export function measureSpan(bytes: Uint8Array, from: number, to: number): Span {
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
export function advance(location: Location, span: Span): Location {
  return span.lines === 0
    ? { line: location.line, column: location.column + span.bytesAfterLastLineEnd }
    : { line: location.line + span.lines, column: 1 + span.bytesAfterLastLineEnd };
}

/** The span of two pieces of text, one after the other. */
export function joinSpans(first: Span, second: Span): Span {
  return second.lines === 0
    ? {
        lines: first.lines,
        bytesAfterLastLineEnd: first.bytesAfterLastLineEnd + second.bytesAfterLastLineEnd,
      }
    : { lines: first.lines + second.lines, bytesAfterLastLineEnd: second.bytesAfterLastLineEnd };
}
