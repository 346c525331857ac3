/** Tests of the default output validator. */
import { expect, test } from 'vitest';
import {
  compareOutput,
  parseComparisonFlags,
} from '../../../../../src/tools/judge/package/validators/default-validator.js';

function compare(answer: string, output: string, flags = ''): string | null {
  const words = flags.split(' ').filter((word) => word !== '');
  return compareOutput(
    Buffer.from(answer),
    Buffer.from(output),
    parseComparisonFlags(words, 'data/secret/1.in'),
  );
}

test.each([
  ['equal', '1 2\n', '1 2\n', ''],
  ['other whitespace', '1 2\n', '  1\r\n\n2', ''],
  ['other case', 'Yes\n', 'YES\n', ''],
  ['both empty', '', ' \n', ''],
  ['a number within the tolerance', '0.0314\n', '3.14000001e-2\n', 'float_tolerance 1e-6'],
  ['an absolute tolerance', '100\n', '100.5\n', 'float_absolute_tolerance 0.5'],
  ['a relative tolerance', '100\n', '101\n', 'float_relative_tolerance 1e-2'],
  [
    'either of both tolerances',
    '100\n',
    '101\n',
    'float_absolute_tolerance 1e-9 float_relative_tolerance 1e-2',
  ],
  ['words among numbers', 'x 1\n', 'X 1.0\n', 'float_tolerance 1e-9'],
  ['the last flag counts', '1\n', '1.1\n', 'float_tolerance 1e-9 float_tolerance 1'],
  ['a tolerance of 0', '1.0\n', '1\n', 'float_tolerance 0'],
  ['the same whitespace', 'a b\n', 'a b\n', 'space_change_sensitive'],
])('accepts: %s', (_what, answer, output, flags) => {
  expect(compare(answer, output, flags)).toBeNull();
});

test.each([
  ['other token', '1 2\n', '1 3\n', '', 'token 2: expected "2", got "3"'],
  ['too short', '1 2\n', '1\n', '', 'token 2: expected "2", got the end'],
  ['too long', '1\n', '1 2\n', '', 'token 2: expected the end, got "2"'],
  ['other case', 'Yes\n', 'YES\n', 'case_sensitive', 'token 1: expected "Yes", got "YES"'],
  ['numbers as texts', '1.0\n', '1\n', '', 'token 1: expected "1.0", got "1"'],
  ['too far', '100\n', '101\n', 'float_absolute_tolerance 0.5', 'token 1: expected "100", got "101"'],
  ['no number', '1\n', 'nan\n', 'float_tolerance 1', 'token 1: expected "1", got "nan"'],
  ['a hexadecimal number', '16\n', '0x10\n', 'float_tolerance 1', 'token 1: expected "16", got "0x10"'],
  ['an infinite number', '1e999\n', '2e999\n', 'float_tolerance 1', 'token 1: expected "1e999", got "2e999"'],
  ['a finite number', '1e999\n', '5\n', 'float_tolerance 1', 'token 1: expected "1e999", got "5"'],
  ['other whitespace', 'a b\n', 'a  b\n', 'space_change_sensitive', 'the whitespace before token 2 differ'],
  ['no last line end', 'a\n', 'a', 'space_change_sensitive', 'the whitespace before token 2 differ'],
])('refuses: %s', (_what, answer, output, flags, reason) => {
  expect(compare(answer, output, flags)).toBe(reason);
});

test('takes linear time for long tokens', () => {
  const digits = '1'.repeat(4 << 20);
  expect(compare('1\n', `${digits}x\n`, 'float_tolerance 1')).toContain('token 1');
  expect(compare(`${digits}x\n`, '1\n', 'float_tolerance 1')).toContain('token 1');
});

test.each([
  ['exact', 'data/secret/1.in: the default validator has no flag "exact"'],
  [
    'float_tolerance',
    "data/secret/1.in: expected a number after the validator's flag float_tolerance, got nothing",
  ],
  ['float_tolerance x', 'got "x"'],
  ['float_tolerance -1', 'got "-1"'],
  ['float_tolerance nan', 'got "nan"'],
  ['float_relative_tolerance 1e999', 'got "1e999"'],
])('refuses the flags %s', (flags, message) => {
  expect(() => compare('', '', flags)).toThrow(message);
});
