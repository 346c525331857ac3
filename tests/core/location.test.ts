import fc from 'fast-check';
import { expect, test } from 'vitest';
import { advance, EMPTY_SPAN, joinSpans, measureSpan, TEXT_START } from '../../src/core/location.js';
import { bytesOf } from '../support/inputs.js';

const anyText = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', ' ') });

/** Returns the line and column of the end of a text, by counting byte by byte. */
function locationOfEnd(text: string) {
  let [line, column] = [1, 1];
  for (const char of text) [line, column] = char === '\n' ? [line + 1, 1] : [line, column + 1];
  return { line, column };
}

function spanOf(text: string) {
  return measureSpan(bytesOf(text), 0, text.length);
}

test('measureSpan and advance find the same end of a text as counting byte by byte', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(advance(TEXT_START, spanOf(text))).toEqual(locationOfEnd(text));
    }),
  );
});

test('joinSpans is associative: the joined spans of three parts are the span of the whole text', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (a, b, c) => {
      const whole = spanOf(a + b + c);
      expect(joinSpans(joinSpans(spanOf(a), spanOf(b)), spanOf(c))).toEqual(whole);
      expect(joinSpans(spanOf(a), joinSpans(spanOf(b), spanOf(c)))).toEqual(whole);
      expect(joinSpans(EMPTY_SPAN, joinSpans(whole, EMPTY_SPAN))).toEqual(whole);
    }),
  );
});

test('advancing by the spans of two parts leads to the same location as advancing by the span of both', () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      expect(advance(advance(TEXT_START, spanOf(a)), spanOf(b))).toEqual(locationOfEnd(a + b));
    }),
  );
});

test('measureSpan counts only the bytes of the given range', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (before, text, after) => {
      const bytes = bytesOf(before + text + after);
      expect(measureSpan(bytes, before.length, before.length + text.length)).toEqual(spanOf(text));
    }),
  );
});
