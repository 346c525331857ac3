import fc from 'fast-check';
import { expect, test } from 'vitest';
import { advance, EMPTY_SPAN, joinSpans, measureSpan, TEXT_START } from '../../src/core/location.js';
import { bytesOf } from '../support/inputs.js';

const anyText = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', ' ') });

/** Counts as a person would: walk there, byte by byte. */
function walk(text: string) {
  let [line, column] = [1, 1];
  for (const char of text) [line, column] = char === '\n' ? [line + 1, 1] : [line, column + 1];
  return { line, column };
}

function spanOf(text: string) {
  return measureSpan(bytesOf(text), 0, text.length);
}

test('the end of a text lies where a byte-by-byte count has it', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(advance(TEXT_START, spanOf(text))).toEqual(walk(text));
    }),
  );
});

test('spans of parts, joined in any grouping, are the span of the whole', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (a, b, c) => {
      const whole = spanOf(a + b + c);
      expect(joinSpans(joinSpans(spanOf(a), spanOf(b)), spanOf(c))).toEqual(whole);
      expect(joinSpans(spanOf(a), joinSpans(spanOf(b), spanOf(c)))).toEqual(whole);
      expect(joinSpans(EMPTY_SPAN, joinSpans(whole, EMPTY_SPAN))).toEqual(whole);
    }),
  );
});

test('two steps lead where one over both does', () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      expect(advance(advance(TEXT_START, spanOf(a)), spanOf(b))).toEqual(walk(a + b));
    }),
  );
});

test('a span counts only the bytes of its range', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (before, text, after) => {
      const bytes = bytesOf(before + text + after);
      expect(measureSpan(bytes, before.length, before.length + text.length)).toEqual(spanOf(text));
    }),
  );
});
