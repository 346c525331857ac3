/** How messages show an answer. */
import { expect, test } from 'vitest';
import { quoteAnswer } from '../../src/formats/answers/answer-text.js';

test.each([
  ['', '""'],
  [' 1\n\t2 \r\n', '"1 2"'],
  ['過河卒\n', '"過河卒"'],
  ['x'.repeat(60), `"${'x'.repeat(60)}"`],
  ['x'.repeat(61), `"${'x'.repeat(60)}"...`],
  ['ab '.repeat(100), `"${'ab '.repeat(20)}"...`],
])('%j is shown as %s', (text, quoted) => {
  const bytes = Buffer.from(text);
  expect(quoteAnswer(bytes, 0, bytes.length)).toBe(quoted);
});
