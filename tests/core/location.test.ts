import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureSpan } from '../../src/core/location.js';
import { runs } from '../support/random-tests.js';

test('a span has the line ends of its bytes, wherever it begins and however long it is', () => {
  const anyByte = fc.constantFrom(0x0a, 0x0a, 0x0b, 0x8a, 0x4a, 0, 0x2e, 0xff, 0x09);
  const anyBytes = fc.array(anyByte, { maxLength: 700, size: 'max' });
  fc.assert(
    fc.property(anyBytes, fc.nat(9), fc.nat(9), fc.nat(3), (content, before, after, offset) => {
      const bytes = Uint8Array.from([...Array(offset).fill(0x0a), ...content]).subarray(offset);
      const from = Math.min(before, bytes.length);
      const to = Math.max(from, bytes.length - after);
      const lines = Buffer.from(bytes.subarray(from, to)).toString('latin1').split('\n');
      const expected = { lines: lines.length - 1, bytesAfterLastLineEnd: lines.at(-1)?.length };
      expect(measureSpan(bytes, from, to)).toEqual(expected);
    }),
    { numRuns: runs(300) },
  );
});
