/** Writes a case in canonical layout with its own tokens. For example, leading zeros of its numbers are kept. */
import { findTokenEnd, isDigit, skipWhitespace } from '../../core/bytes.js';
import { MINUS_BYTE, ZERO_BYTE } from './numbers.js';

/** Returns the tokens of `text` with the whitespace of `canonical`. Both have the same tokens, apart from leading zeros. */
export function withCanonicalWhitespace(text: Uint8Array, canonical: Uint8Array): Uint8Array {
  if (Buffer.compare(text, canonical) === 0) return canonical;
  const parts: Uint8Array[] = [];
  let at = 0;
  let canonicalAt = 0;
  for (;;) {
    const canonicalStart = skipWhitespace(canonical, canonicalAt, canonical.length);
    parts.push(canonical.subarray(canonicalAt, canonicalStart));
    if (canonicalStart === canonical.length) break;
    const start = skipWhitespace(text, at, text.length);
    at = findTokenEnd(text, start, text.length);
    canonicalAt = findTokenEnd(canonical, canonicalStart, canonical.length);
    parts.push(
      isNumberWithLeadingZero(text, start, at)
        ? canonical.subarray(canonicalStart, canonicalAt)
        : text.subarray(start, at),
    );
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** Whether the token text[from, to) is a number with leading zeros. */
export function isNumberWithLeadingZero(text: Uint8Array, from: number, to: number): boolean {
  const first = text[from] === MINUS_BYTE ? from + 1 : from;
  return text[first] === ZERO_BYTE && first + 1 < to && isDigit(text[first + 1]);
}
