import { expect, test } from 'vitest';
import { rangeLength } from '../../src/core/range.js';

test.each([
  { from: 1, to: 1, length: 1 },
  { from: 2, to: 5, length: 4 },
  { from: 0, to: 9, length: 10 },
  { from: 1, to: 0, length: 0 },
  { from: 9, to: 2, length: 0 },
])('rangeLength of the range from $from to $to is $length', ({ length, ...range }) => {
  expect(rangeLength(range)).toBe(length);
});
