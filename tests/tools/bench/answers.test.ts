import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestAnswers, findFirstTokenDifference } from '../../../src/tools/bench/answers.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();

function writeTestFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** So many tokens that a file with them needs more than one read. */
const LONG = Array.from({ length: 60_000 }, (_, i) => `token${i}`);

test.each([
  ['other line ends', 'WIN\nLOSE\n', 'WIN\r\nLOSE'],
  ['more whitespace and empty lines', 'Case #1: 7\n', '\n Case   #1:\t7\n\n'],
  ['blanks instead of nothing', '', ' \n'],
  ['other whitespace in a long file', LONG.join('\n'), LONG.join(' \n ')],
])('two outputs count as the same if one of them has %s', async (_, one, other) => {
  const [first, second] = [writeTestFile('one', one), writeTestFile('other', other)];
  expect(await digestAnswers(first)).toBe(await digestAnswers(second));
  expect(await findFirstTokenDifference(first, second)).toBe(null);
});

test.each([
  ['another token', 'a b c', 'a x c', { token: 2, expected: 'b', got: 'x' }],
  ['a whitespace character inside a token', 'ab', 'a b', { token: 1, expected: 'ab', got: 'a' }],
  ['fewer tokens', 'a b', 'a', { token: 2, expected: 'b', got: null }],
  ['more tokens', 'a', 'a b', { token: 2, expected: null, got: 'b' }],
  [
    'another last token in a long file',
    `${LONG.join(' ')} x`,
    `${LONG.join(' ')} y`,
    { token: 60_001, expected: 'x', got: 'y' },
  ],
])('two outputs count as different if one of them has %s', async (_, one, other, difference) => {
  const [first, second] = [writeTestFile('one', one), writeTestFile('other', other)];
  expect(await digestAnswers(first)).not.toBe(await digestAnswers(second));
  expect(await findFirstTokenDifference(first, second)).toEqual(difference);
});
