import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestAnswers, firstDifference } from '../../src/bench/answers.js';
import { temporaryFolder } from '../cli/boardmill.js';

const folder = temporaryFolder();

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Longer than one read of a file. */
const LONG = Array.from({ length: 60_000 }, (_, i) => `token${i}`);

test.each([
  ['line ends', 'WIN\nLOSE\n', 'WIN\r\nLOSE'],
  ['blanks and empty lines', 'Case #1: 7\n', '\n Case   #1:\t7\n\n'],
  ['nothing at all', '', ' \n'],
  ['many reads', LONG.join('\n'), LONG.join(' \n ')],
])('the same but for %s', async (_, one, other) => {
  const [first, second] = [file('one', one), file('other', other)];
  expect(await digestAnswers(first)).toBe(await digestAnswers(second));
  expect(await firstDifference(first, second)).toBe(null);
});

test.each([
  ['a token', 'a b c', 'a x c', { token: 2, expected: 'b', got: 'x' }],
  ['a blank inside one', 'ab', 'a b', { token: 1, expected: 'ab', got: 'a' }],
  ['a missing end', 'a b', 'a', { token: 2, expected: 'b', got: null }],
  ['something behind the end', 'a', 'a b', { token: 2, expected: null, got: 'b' }],
  [
    'the last of many',
    `${LONG.join(' ')} x`,
    `${LONG.join(' ')} y`,
    { token: 60_001, expected: 'x', got: 'y' },
  ],
])('different in %s', async (_, one, other, difference) => {
  const [first, second] = [file('one', one), file('other', other)];
  expect(await digestAnswers(first)).not.toBe(await digestAnswers(second));
  expect(await firstDifference(first, second)).toEqual(difference);
});
