/** Tests of `validate` on formats of users, whose layout is compared with the canonical one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../../src/core/bytes.js';
import { TreeCaseSource } from '../../../src/formats/cases/draw.js';
import { formats } from '../../../src/formats/language/formats.js';
import { TreeInputFormat } from '../../../src/formats/tree/tree-format.js';
import { defineProblem } from '../../../src/problems/modules/define-problem.js';
import { createModuleProblem } from '../../../src/problems/modules/module-problem.js';
import type { Problem } from '../../../src/problems/problem.js';
import { validateInput } from '../../../src/tools/validate/validate.js';
import { ANY_LAYOUT } from '../../support/any-layout.js';
import { bytesOf } from '../../support/inputs.js';
import { runs } from '../../support/random-tests.js';
import { inPieces } from '../../support/scanning.js';

const { counted, grid, int, ints, line, untilEnd, untilTerminator, words } = formats;

/** Returns the findings of an input as `line:column rule`. The input arrives in pieces of `pieceBytes` bytes. */
async function findingsOf(input: Parameters<typeof defineProblem>[0]['input'], text: string, pieceBytes = 7) {
  return (await validate(input, text, pieceBytes)).findings;
}

/** Returns the findings of an input as `line:column rule`, and how many are not reported, by their rules. */
async function validate(input: Parameters<typeof defineProblem>[0]['input'], text: string, pieceBytes = 7) {
  const { description } = defineProblem({ name: 'own', input });
  const problem = createModuleProblem(description, { typed: './own.mjs', url: 'file:///own.mjs' }) as Problem;
  const findings: string[] = [];
  const pieces = inPieces(bytesOf(text), pieceBytes);
  const run = validateInput(pieces, problem, { contest: false, set: null });
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { findings, omitted: Object.fromEntries(value.omitted) };
    findings.push(`${value.line}:${value.column} ${value.rule}`);
  }
}

describe('an input whose last line is empty because a list has no elements', () => {
  const input = untilEnd({ n: int(0, 4), w: words('n', 'abc') });

  test.each([1, 2, 3, 100])('is canonical, in pieces of %i bytes', async (pieceBytes) => {
    expect(await findingsOf(input, '2\na b\n0\n\n', pieceBytes)).toEqual([]);
    expect(await findingsOf(input, '0\n\n1\nc\n', pieceBytes)).toEqual([]);
  });

  test.each([1, 2, 3, 100])('is canonical after a line, in pieces of %i bytes', async (pieceBytes) => {
    const lines = counted({ n: int(0, 4), l: line(), a: ints('n') });
    expect(await findingsOf(lines, '2\n1\nb\n5\n0\na b\n\n', pieceBytes)).toEqual([]);
    expect(await findingsOf(lines, '2\n0\na b\n\n1\nb\n5\n', pieceBytes)).toEqual([]);
    expect(await findingsOf(lines, '2\n0\na b\n1\nb\n5\n', pieceBytes)).toEqual(['3:4 words-a-line']);
    expect(await findingsOf(lines, '1\n0\na b\n\n\n', pieceBytes)).toEqual(['5:1 empty-line']);
  });

  test('has one empty line too many', async () => {
    expect(await findingsOf(input, '2\na b\n0\n\n\n')).toEqual(['5:1 empty-line']);
  });
});

test('of many findings in a case, the first ten of each rule are reported and the others are counted', async () => {
  const input = counted({ n: int(), a: ints('n') });
  const ten = (rule: string, place: (i: number) => string) =>
    Array.from({ length: 10 }, (_, i) => `${place(i)} ${rule}`);
  const blanks = `1\n30\n${'5  '.repeat(29)}5\n`;
  expect(await validate(input, blanks)).toEqual({
    findings: ten('double-blank', (i) => `3:${2 + 3 * i}`),
    omitted: { 'double-blank': 19 },
  });
  const lines = `1\n30\n${'5\n'.repeat(30)}`;
  expect(await validate(input, lines)).toEqual({
    findings: ten('words-a-line', (i) => `${3 + i}:2`),
    omitted: { 'words-a-line': 19 },
  });
  // How the numbers of an invalid case should be divided into lines is not known.
  const invalid = `2\n30\n${'5\n'.repeat(29)}x\n1\n5  \n`;
  expect(await validate(input, invalid)).toEqual({
    findings: ['32:1 format', '34:2 trailing-blank'],
    omitted: {},
  });
});

test('the minus of a zero is not canonical', async () => {
  expect(await findingsOf(counted({ n: int() }), '3\n-0\n0\n-1\n')).toEqual(['2:1 leading-zero']);
});

test('an empty line at the end of each case is part of the layout', async () => {
  const input = counted([{ r: int(), c: int() }, { g: grid('r', 'c', 'xy') }, {}]);
  expect(await findingsOf(input, '2\n1 2\nxy\n\n1 1\nx\n\n')).toEqual([]);
});

test('an empty line at the start of each case is part of the layout', async () => {
  const input = counted([{}, { n: int(0, 9) }]);
  expect(await findingsOf(input, '2\n\n1\n\n2\n')).toEqual([]);
  expect(await findingsOf(input, '0\n')).toEqual([]);
  expect(await findingsOf(input, '2\n1\n\n2\n')).toEqual(['1:2 words-a-line']);
  expect(await findingsOf(input, '2\n\n1\n2\n')).toEqual(['3:2 words-a-line']);
  expect(await findingsOf(input, '2\n\n1\n\n\n2\n')).toEqual(['4:1 empty-line']);
  expect(await findingsOf(untilEnd([{}, { n: int() }]), '\n1\n\n2\n')).toEqual([]);
});

test('arrays without elements at the start of a case have no line', async () => {
  const input = counted({ a: ints('h = 1'), w: words(1, 'ab') }, { head: { h: int() } });
  expect(await findingsOf(input, '0 2\na\nb\n')).toEqual([]);
  expect(await findingsOf(input, '1 2\n7\na\n7\nb\n')).toEqual([]);
  expect(await findingsOf(input, '0 2\n\na\nb\n')).toEqual(['2:1 empty-line']);
  const lines = counted([{ a: ints('h = 1') }, {}, { w: words(1, 'ab') }], { head: { h: int() } });
  expect(await findingsOf(lines, '0 2\na\nb\n')).toEqual([]);
  expect(await findingsOf(lines, '1 1\n7\n\na\n')).toEqual([]);
});

test('what boardmill prints in any format is canonical', async () => {
  await fc.assert(
    fc.asyncProperty(ANY_LAYOUT, fc.nat(), fc.integer({ min: 1, max: 30 }), async (layout, seed, bytes) => {
      const rest = { profile: 'random', cases: 4, maxSize: null } as const;
      const source = new TreeCaseSource(layout, { ...rest, seed: String(seed) }, () => bytesOf(''));
      const format = new TreeInputFormat(layout);
      const out = new ByteWriter();
      format.printHeadValue(source.headValue, 4, out);
      for (let index = 0; index < 4; index++) format.printCase(source.caseAt(index), out);
      const text = Buffer.from(out.take()).toString();
      expect(await findingsOf(layout as never, text, bytes), text).toEqual([]);
    }),
    { numRuns: runs(150) },
  );
});

describe('the number of cases', () => {
  const numbers = (count: number) => `${count}\n${'5\n'.repeat(count)}`;

  test.each([1, 3, 100])('is held to its bounds, in pieces of %i bytes', async (pieceBytes) => {
    const input = counted({ n: int() }, { cases: int(2, 3) });
    expect(await findingsOf(input, numbers(2), pieceBytes)).toEqual([]);
    expect(await findingsOf(input, numbers(1), pieceBytes)).toEqual(['1:1 format']);
    expect(await findingsOf(input, numbers(4), pieceBytes)).toEqual(['1:1 format']);
    expect(await findingsOf(input, `\n  ${numbers(0)}`, pieceBytes)).toContain('2:3 format');
  });

  test('is held to the bounds of the int of the head that it is', async () => {
    const input = counted({ n: int() }, { head: [{ k: int() }, { t: int(1, 3), u: int() }], cases: 't' });
    expect(await findingsOf(input, '7\n3 9\n5\n5\n5\n')).toEqual([]);
    expect(await findingsOf(input, '7\n4 9\n5\n5\n5\n5\n')).toEqual(['2:1 format']);
    const depending = counted({ n: int() }, { head: { k: int(), t: int(1, 'k') }, cases: 't' });
    expect(await findingsOf(depending, '1 2\n5\n5\n')).toEqual([]);
  });

  test('has no bounds for `solve`', () => {
    const { description } = defineProblem({
      name: 'own',
      input: counted({ n: int() }, { cases: int(2, 3) }),
    });
    const problem = createModuleProblem(description, { typed: './own.mjs', url: 'file:///own.mjs' });
    const scanner = problem.inputFormat.createScanner();
    for (const count of [0, 1, 4]) {
      const bytes = bytesOf(numbers(count));
      expect(scanner.readHead(bytes, bytes.length, true)).toMatchObject({ cases: count });
    }
    expect(problem).toMatchObject({ cases: { countBounds: { min: 2, max: 3 } }, casesPerRun: 3 });
  });
});

test('a bad value before the terminator is one error', async () => {
  const input = untilTerminator('0', { n: int(1, 3), v: int(1, 'n') });
  expect(await findingsOf(input, '1 1\n2 5\n0\n')).toEqual(['2:3 format']);
});
