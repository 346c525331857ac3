/** Errors as commands of GitHub Actions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatErrorAnnotation } from '../../src/core/github-annotations.js';
import { runs } from '../support/random-tests.js';

test('an error names its place', () => {
  const place = { file: 'data/a.in', line: 3, column: 7 };
  expect(formatErrorAnnotation(place, 'case 2: expected 1, got 2')).toBe(
    '::error file=data/a.in,line=3,col=7::case 2: expected 1, got 2',
  );
});

test('characters that end a part of the command are escaped', () => {
  const place = { file: 'a,b:c%\n.in', line: 1, column: 1 };
  expect(formatErrorAnnotation(place, '50 %\r\n::warning::x')).toBe(
    '::error file=a%2Cb%3Ac%25%0A.in,line=1,col=1::50 %25%0D%0A::warning::x',
  );
});

/** Reads a command as the runner of GitHub Actions does: the properties end at the second `::`. */
function readCommand(line: string) {
  const match = /^::error file=([^,:]*),line=(\d+),col=(\d+)::([^\n\r]*)$/.exec(line);
  if (match === null) return null;
  const unescaped = (text: string) =>
    ['%0D', '\r', '%0A', '\n', '%3A', ':', '%2C', ',', '%25', '%'].reduce(
      (rest, code, index, all) => (index % 2 === 0 ? rest.replaceAll(code, all[index + 1]) : rest),
      text,
    );
  return { file: unescaped(match[1]), message: unescaped(match[4]) };
}

test('a name and a message are read again as they were', () => {
  const printable = fc.string({ unit: fc.constantFrom(...'ab:,%\n\r="0A2Cé') });
  const property = fc.property(printable, printable, (file, message) => {
    const line = formatErrorAnnotation({ file, line: 1, column: 2 }, message);
    expect(readCommand(line)).toEqual({ file, message });
  });
  fc.assert(property, { numRuns: runs(500) });
});

test('characters that a terminal obeys are shown', () => {
  const line = formatErrorAnnotation({ file: '\u001b[2J', line: 1, column: 1 }, 'x\u0000\u202e');
  expect(line).toBe('::error file=\\x1b[2J,line=1,col=1::x\\x00\\u202e');
});
