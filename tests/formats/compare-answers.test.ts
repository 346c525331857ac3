/** Tests of comparing answers token by token, with and without a tolerance. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findTokenDifference,
  isDecimalNumber,
  rulesWithTolerance,
  SAME_TOKENS_RULES,
} from '../../src/formats/answers/compare-answers.js';
import { runs } from '../support/random-tests.js';

const differenceOf = (expected: string, got: string, tolerance: number | null) =>
  findTokenDifference(
    Buffer.from(expected),
    Buffer.from(got),
    tolerance === null ? SAME_TOKENS_RULES : rulesWithTolerance(tolerance),
  );

test.each([
  { expected: '', got: ' \n', tolerance: null },
  { expected: 'a b\n', got: ' a\r\n\tb', tolerance: null },
  { expected: '1.0', got: '1.0', tolerance: 0 },
  { expected: '1', got: '1.0000009', tolerance: 1e-6 },
  { expected: '1000000', got: '1000000.9', tolerance: 1e-6 },
  { expected: '4', got: '6', tolerance: 0.5 },
  { expected: '0.5', got: '0', tolerance: 0.5 },
  { expected: '-1e3', got: '-1000', tolerance: 1e-9 },
  { expected: '.5 x 2', got: '0.5 x 2.', tolerance: 1e-9 },
  { expected: 'nan', got: 'nan', tolerance: 1e-9 },
  { expected: 'nan NaN', got: 'NaN -NAN', tolerance: 1e-9 },
  { expected: 'Infinity -inf', got: '+inf -INFINITY', tolerance: 1e-9 },
  { expected: '1e400 0', got: '1e400 1e-400', tolerance: 1e-9 },
])('$expected and $got are equal within $tolerance', ({ expected, got, tolerance }) => {
  expect(differenceOf(expected, got, tolerance)).toBeNull();
});

test.each([
  { expected: '1', got: '1.0', tolerance: null, reason: 'expected "1", got "1.0"', offset: 0, tokens: 0 },
  { expected: '1', got: '01', tolerance: 0, reason: 'expected "1", got "01"', offset: 0, tokens: 0 },
  { expected: 'a b', got: 'a  c', tolerance: null, reason: 'expected "b", got "c"', offset: 3, tokens: 1 },
  { expected: 'ab', got: 'a b', tolerance: 1, reason: 'expected "ab", got "a"', offset: 0, tokens: 0 },
  {
    expected: 'a b',
    got: 'a\n',
    tolerance: null,
    reason: 'expected "b", got the end',
    offset: 2,
    tokens: 1,
  },
  {
    expected: 'a ',
    got: 'a 5',
    tolerance: 1,
    reason: 'expected the end, got "5"',
    offset: 2,
    tokens: 1,
  },
  { expected: '1', got: '1.1', tolerance: 0.05, reason: 'expected "1", got "1.1"', offset: 0, tokens: 0 },
  { expected: '1', got: 'inf', tolerance: 1, reason: 'expected "1", got "inf"', offset: 0, tokens: 0 },
  { expected: '1', got: '0x1', tolerance: 1, reason: 'expected "1", got "0x1"', offset: 0, tokens: 0 },
  { expected: 'YES', got: 'yes', tolerance: 1, reason: 'expected "YES", got "yes"', offset: 0, tokens: 0 },
])('$expected and $got differ', ({ expected, got, tolerance, ...difference }) => {
  const found = differenceOf(expected, got, tolerance)!;
  const reason = `expected ${found.expected ?? 'the end'}, got ${found.got ?? 'the end'}`;
  expect({ reason, offset: found.offset, tokens: found.tokens }).toEqual(difference);
  expect(found.isInWhitespace).toBe(false);
});

// A double holds no number that is larger than 1.8e308.
test.each([
  ['1e400', '5'],
  ['1e400', '-7'],
  ['-1e400', '5'],
  ['1e309', '0'],
  ['5', '1e400'],
  ['1e400', '-1e400'],
  ['1e400', '1e500'],
  [`1${'0'.repeat(400)}`, '5'],
  ['1e400', 'inf'],
  ['inf', '1e308'],
  ['inf', '-inf'],
  ['inf', 'nan'],
  ['nan', '0'],
])('%s and %s differ within every tolerance', (expected, got) => {
  expect([1e-6, 1, 1e308].map((tolerance) => differenceOf(expected, got, tolerance)?.offset)).toEqual([
    0, 0, 0,
  ]);
});

test('without a tolerance, answers are equal if their tokens are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '1', ' ', '\n'), { maxLength: 8 })
    .map((parts) => parts.join(''));
  const tokensOf = (answer: string) => answer.split(/\s+/).filter((token) => token !== '');
  fc.assert(
    fc.property(text, text, (expected, got) => {
      const isEqual = tokensOf(expected).join(' ') === tokensOf(got).join(' ');
      expect(differenceOf(expected, got, null) === null).toBe(isEqual);
    }),
  );
});

test('a decimal number is what the pattern matches', () => {
  const PATTERN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
  const token = fc.array(fc.constantFrom(...'0199..+-eEx'), { maxLength: 8 }).map((parts) => parts.join(''));
  const found = { numbers: 0, others: 0 };
  fc.assert(
    fc.property(token, (text) => {
      const isNumber = isDecimalNumber(text);
      expect([text, isNumber]).toEqual([text, PATTERN.test(text)]);
      found[isNumber ? 'numbers' : 'others']++;
    }),
    { numRuns: runs(3000) },
  );
  expect(Math.min(found.numbers, found.others)).toBeGreaterThan(runs(100));
});
