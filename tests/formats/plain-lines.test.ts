/** A fast look at an output says that it is as boardmill would print it. Then reading and printing each answer changes nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import type { AnswerExtent } from '../../src/formats/answer-format.js';
import { TreeAnswerFormat } from '../../src/formats/answers/answers.js';
import { parseExpression } from '../../src/formats/language/expression.js';
import type { AnswerTree } from '../../src/formats/language/tree.js';
import { runs } from '../support/random-tests.js';

const words = (count: string, letters: string | null = null): AnswerTree => ({
  label: null,
  body: { kind: 'words', count: parseExpression(count), letters },
});

const FORMATS: Readonly<Record<string, AnswerTree>> = {
  'a line': { label: null, body: { kind: 'line', mayBeEmpty: false } },
  'one token': words('1'),
  'three tokens': words('1+2'),
};

/** Reads an output answer by answer, and prints the answers. Returns null if an answer is malformed. */
function readAndPrint(format: TreeAnswerFormat, bytes: Uint8Array): { text: string; answers: number } | null {
  const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  const out = new ByteWriter();
  let answers = 0;
  while (format.find(bytes, extent.end, bytes.length, true, extent, null)) {
    const answer = format.parse(bytes, extent, null);
    if (answer === null) return null;
    format.print(answer, ++answers, out);
  }
  return { text: Buffer.from(out.take()).toString('latin1'), answers };
}

const piece = fc.constantFrom(
  '1',
  '23',
  'abc',
  'ERROR',
  'E',
  ' ',
  '  ',
  '\n',
  '\n',
  '\n',
  '\t',
  '\r\n',
  '\0',
  'ä',
  '\x7f',
);
const output = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1'));
const plainLine = fc.array(fc.constantFrom('1', '-2', 'abc', 'WIN'), { minLength: 1, maxLength: 3 });
const plainOutput = fc
  .array(plainLine, { maxLength: 5 })
  .map((lines) => Buffer.from(lines.map((line) => `${line.join(' ')}\n`).join('')));

test.each(Object.entries(FORMATS))('%s', (_, tree) => {
  const format = new TreeAnswerFormat(tree);
  let asPrinted = 0;
  const check = (bytes: Buffer, wanted: number) => {
    const read = readAndPrint(format, bytes);
    const answers = read?.answers ?? wanted;
    if (format.isAsPrinted(bytes, answers)) {
      asPrinted++;
      expect(read).toEqual({ text: bytes.toString('latin1'), answers });
    }
    expect(format.isAsPrinted(bytes, answers + 1)).toBe(false);
  };
  fc.assert(fc.property(fc.oneof(output, plainOutput), fc.nat(4), check), { numRuns: runs(2000) });
  expect(asPrinted).toBeGreaterThan(runs(20));
});

test('the fast look says no where an answer is more or something else than plain lines', () => {
  const text = Buffer.from('ab\n');
  expect(new TreeAnswerFormat(words('1')).isAsPrinted(text, 1)).toBe(true);
  for (const tree of [
    words('1', 'xyz'),
    words('n'),
    words('0'),
    { label: 'Case #', body: null },
    { label: null, body: null },
    { label: null, body: { kind: 'line', mayBeEmpty: true } },
  ] satisfies AnswerTree[])
    expect(new TreeAnswerFormat(tree).isAsPrinted(text, 1), JSON.stringify(tree)).toBe(false);
});
