/**
 * Compares the layout of good text with its canonical layout: the same tokens, with the whitespace that programs usually
 * print between them. It works for the input format of any problem.
 */
import { findTokenEnd, isWhitespace, LF, SPACE, skipWhitespace } from '../../core/bytes.js';
import { isNumberWithLeadingZero } from '../../formats/tree/canonical-whitespace.js';
import { MINUS_BYTE, ZERO_BYTE } from '../../formats/tree/numbers.js';
import type { LayoutRule } from './layout.js';

interface LayoutDeviation {
  readonly rule: LayoutRule;
  /** Index in the text at which the layout deviates. */
  readonly offset: number;
  readonly what: string;
}

export const MISSING_LINE_MESSAGE = 'an empty line is missing here';

const CR = 0x0d;
const TAB = 0x09;

/**
 * Yields each place where the whitespace or the numbers of `text` differ from those of `canonical`, which has the same tokens.
 */
export function* findLayoutDeviations(text: Uint8Array, canonical: Uint8Array): Generator<LayoutDeviation> {
  let at = 0;
  let canonicalAt = 0;
  for (;;) {
    const tokenStart = skipWhitespace(text, at, text.length);
    const canonicalStart = skipWhitespace(canonical, canonicalAt, canonical.length);
    const isOver = tokenStart === text.length || canonicalStart === canonical.length;
    // The whitespace after the last token may belong to what follows the text.
    if (isOver && tokenStart === at) return;
    yield* findWhitespaceDeviations(
      text.subarray(at, tokenStart),
      canonical.subarray(canonicalAt, canonicalStart),
      at,
    );
    if (isOver) return;
    at = findTokenEnd(text, tokenStart, text.length);
    canonicalAt = findTokenEnd(canonical, canonicalStart, canonical.length);
    if (isNegativeZero(text, tokenStart, at) && !isNegativeZero(canonical, canonicalStart, canonicalAt))
      yield { rule: 'leading-zero', offset: tokenStart, what: 'a 0 has a needless minus' };
    const isPadded =
      at - tokenStart > canonicalAt - canonicalStart && isNumberWithLeadingZero(text, tokenStart, at);
    if (isPadded)
      yield { rule: 'leading-zero', offset: tokenStart, what: 'a number begins with a needless 0' };
  }
}

/** Whether the token text[from, to) is `-0`. */
function isNegativeZero(text: Uint8Array, from: number, to: number): boolean {
  return to - from === 2 && text[from] === MINUS_BYTE && text[from + 1] === ZERO_BYTE;
}

/** Yields what is wrong with the whitespace between two tokens. `offset` is the index of the first blank in the text. */
function* findWhitespaceDeviations(
  whitespace: Uint8Array,
  expected: Uint8Array,
  offset: number,
): Generator<LayoutDeviation> {
  if (Buffer.compare(whitespace, expected) === 0) return;
  yield* findOddWhitespace(whitespace, offset);
  const lineEnds = countLineEnds(whitespace);
  const expectedLineEnds = countLineEnds(expected);
  if (expectedLineEnds === 0) {
    if (lineEnds > 0 && offset === 0) yield { rule: 'empty-line', offset, what: 'an empty line' };
    else if (lineEnds > 0)
      yield { rule: 'words-a-line', offset, what: 'a line end where a space is expected' };
    else if (offset === 0) yield { rule: 'leading-blank', offset, what: 'a blank before the first token' };
    else if (whitespace.length > 1)
      yield { rule: 'double-blank', offset, what: `${whitespace.length} blanks between two tokens` };
    return;
  }
  if (lineEnds === 0) {
    yield { rule: 'words-a-line', offset, what: 'a space where a line end is expected' };
    return;
  }
  if (isInnerWhitespace(whitespace, 0))
    yield { rule: 'trailing-blank', offset, what: 'a blank at the end of the line' };
  if (whitespace[whitespace.length - 1] !== LF)
    yield {
      rule: 'leading-blank',
      offset: offset + whitespace.lastIndexOf(LF) + 1,
      what: 'a blank before the first token of the line',
    };
  if (lineEnds > expectedLineEnds)
    yield { rule: 'empty-line', offset: offset + whitespace.indexOf(LF) + 1, what: 'an empty line' };
  if (lineEnds < expectedLineEnds) yield { rule: 'words-a-line', offset, what: MISSING_LINE_MESSAGE };
}

/** Yields the line ends with CR, and the whitespace that is neither a space nor a line end. */
function* findOddWhitespace(whitespace: Uint8Array, offset: number): Generator<LayoutDeviation> {
  for (const [i, byte] of whitespace.entries()) {
    if (byte === CR && whitespace[i + 1] === LF)
      yield { rule: 'carriage-return', offset: offset + i, what: 'the line ends in CR LF' };
    else if (byte !== SPACE && byte !== LF) {
      const name = byte === TAB ? 'a tab' : `the byte \\x${byte.toString(16).padStart(2, '0')}`;
      yield { rule: 'odd-blank', offset: offset + i, what: `${name} instead of a space` };
    }
  }
}

/** Whether the byte is whitespace within a line: not LF, and not the CR before LF. */
function isInnerWhitespace(whitespace: Uint8Array, at: number): boolean {
  return (
    isWhitespace(whitespace[at]) &&
    whitespace[at] !== LF &&
    !(whitespace[at] === CR && whitespace[at + 1] === LF)
  );
}

function countLineEnds(whitespace: Uint8Array): number {
  return whitespace.reduce((count, byte) => count + (byte === LF ? 1 : 0), 0);
}
