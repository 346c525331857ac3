/** JUnit XML, as a reader from npm reads it. */
import fc from 'fast-check';
import { parse } from 'junit2json';
import { expect, test } from 'vitest';
import { formatJUnit, type JUnitTest } from '../../src/core/junit.js';
import { runs } from '../support/random-tests.js';

const testNamed = (name: string, outcome: JUnitTest['outcome'] = null, seconds: number | null = 0.25) => ({
  name,
  classname: 'class',
  seconds,
  outcome,
});

test('a document has suites, their tests, and what became of these', async () => {
  const xml = formatJUnit('all', [
    {
      name: 'first',
      tests: [
        testNamed('passes'),
        testNamed('fails', { kind: 'failure', message: 'WA\non 1.in', details: 'expected 1\n  got 2' }),
        testNamed('is skipped', { kind: 'skipped', message: 'not run' }, null),
      ],
    },
    { name: 'second', tests: [testNamed('cannot be tried', { kind: 'error', message: 'no such file' })] },
    { name: 'empty', tests: [] },
  ]);
  const document = await parse(xml);
  expect(document).toMatchObject({ name: 'all', tests: 4, failures: 1, errors: 1, time: 0.75 });
  if (document === undefined || document === null || !('testsuite' in document)) throw new Error('no suites');
  const [first, second, empty] = document.testsuite ?? [];
  expect(first).toMatchObject({ name: 'first', tests: 3, failures: 1, errors: 0, skipped: 1 });
  expect(first.testcase).toMatchObject([
    { name: 'passes', classname: 'class', time: 0.25 },
    { name: 'fails', failure: [{ message: 'WA on 1.in', inner: 'expected 1\n  got 2' }] },
    { name: 'is skipped', skipped: [{ message: 'not run' }] },
  ]);
  expect(second.testcase).toMatchObject([{ error: [{ message: 'no such file' }] }]);
  expect(empty).toMatchObject({ name: 'empty', tests: 0 });
});

test('a name of several lines begins no line of the document, and keeps its lines', async () => {
  const name = 'a\nforged: all right\r\u009bx\tb';
  const xml = formatJUnit('all', [{ name, tests: [testNamed(name)] }]);
  expect(xml).not.toMatch(/^forged/m);
  expect(xml).not.toContain('\u009b');
  const document = await parse(xml);
  expect(document).toMatchObject({ testsuite: [{ name: 'a\nforged: all right\r\ufffdx\tb' }] });
});

test('no name and no message breaks out of its place', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      ']]>',
      '"/><testcase name="',
      '&#0;&lt;',
      '<!--',
      '\u0000\u001b[2J',
      '\ud800',
      '<![CDATA[',
    ),
  );
  const property = fc.asyncProperty(hostile, hostile, hostile, async (name, message, details) => {
    const failing = testNamed(name, { kind: 'failure', message, details });
    const document = await parse(formatJUnit(name, [{ name, tests: [failing, testNamed(name)] }]));
    expect(document).toMatchObject({ tests: 2, failures: 1 });
    if (document === undefined || document === null || !('testsuite' in document))
      throw new Error('no suites');
    expect(document.testsuite).toHaveLength(1);
    expect(document.testsuite?.[0].testcase).toHaveLength(2);
    expect(document.testsuite?.[0].testcase?.[0].failure).toHaveLength(1);
  });
  await fc.assert(property, { numRuns: runs(200) });
});
