/** Where a byte stands in a text, as people count: both from 1, columns in bytes. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

export const TEXT_START: Location = { line: 1, column: 1 };

/** The distance a run of bytes covers: whole lines, and bytes after the last line end. */
export interface Span {
  readonly lines: number;
  readonly tail: number;
}

export const EMPTY_SPAN: Span = { lines: 0, tail: 0 };

const LF = 0x0a;

export function measureSpan(bytes: Uint8Array, from: number, to: number): Span {
  let lines = 0;
  let lineStart = from;
  for (let at = from; at < to; at++) {
    if (bytes[at] === LF) {
      lines++;
      lineStart = at + 1;
    }
  }
  return { lines, tail: to - lineStart };
}

export function advance(position: Location, span: Span): Location {
  return span.lines === 0
    ? { line: position.line, column: position.column + span.tail }
    : { line: position.line + span.lines, column: 1 + span.tail };
}

export function joinSpans(first: Span, second: Span): Span {
  return second.lines === 0
    ? { lines: first.lines, tail: first.tail + second.tail }
    : { lines: first.lines + second.lines, tail: second.tail };
}
