/** What continuous integration reads: JUnit XML and annotations of `validate`, `check` and `judge`, and a matcher for editors. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'junit2json';
import { describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { ROOT } from './boardmill.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();
const { write, read, names } = folder;
const run = (...args: string[]) => boardmill(args, { cwd: folder.path });

const GOOD = '2\n1 1\n.\n1 2\n..\n';
const BAD = '2\n1 1\nx\n1  1\n.\n';
const ANSWERS = 'Case #1: 1\nCase #2: 2\n';

/** Solves the good input into its answer file. */
async function solveGood(name: string): Promise<void> {
  write(`${name}.in`, GOOD);
  expect((await run('solve', 'bt', `${name}.in`, '-o', `${name}.ans`)).code).toBe(0);
}

/** Writes an answer file in which the second answer is wrong. */
async function spoil(name: string): Promise<void> {
  await solveGood(name);
  write(`${name}.ans`, read(`${name}.ans`).replace(/#2: .*/, '#2: 99'));
}

describe('validate', () => {
  test('writes JUnit XML with a test for each file, and leaves out what it could not read', async () => {
    write('a/good.in', GOOD);
    write('a/bad.in', BAD);
    const { code } = await run('validate', 'bt', 'a', 'gone.in', '--junit', 'out.xml');
    expect(code).toBe(2);
    expect(await parse(read('out.xml'))).toMatchObject({
      name: 'boardmill validate',
      tests: 3,
      failures: 1,
      errors: 1,
      testsuite: [
        {
          name: 'bacterial-tactics',
          testcase: [
            {
              name: 'a/bad.in',
              failure: [
                { inner: expect.stringMatching(/^a\/bad\.in:3:1: case 1: .*\na\/bad\.in:4:4: case 2: /) },
              ],
            },
            { name: 'a/good.in' },
            { error: [{ message: expect.stringContaining('gone.in') }] },
          ],
        },
      ],
    });
  });

  test('prints annotations in place of its lines, with hostile names escaped', async () => {
    write('::error file=x::,%.in', BAD);
    const { code, stdout } = await run('validate', 'bt', '.', '--annotations', 'github');
    expect(code).toBe(3);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(
        /^::error file=%3A%3Aerror file=x%3A%3A%2C%25\.in,line=3,col=1::case 1: expected row 1 of 1 .*, got "x"$/,
      ),
      expect.stringMatching(/,line=4,col=4::case 2: /),
      '',
    ]);
  });

  test('counts errors that it does not list on lines that are not commands', async () => {
    write('::warning ::x.in', `20\n${'1  1\n.\n'.repeat(20)}`);
    const { stdout } = await run('validate', 'bt', '.', '--annotations', 'github');
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toMatch(/^also ::warning ::x\.in: 10 more [a-z-]+ errors$/);
    expect(lines.slice(0, -1).every((line) => line.startsWith('::error file='))).toBe(true);
  });
});

describe('check', () => {
  test('writes JUnit XML of a folder, also of files without answers', async () => {
    await solveGood('good');
    await spoil('wrong');
    write('lonely.in', GOOD);
    const { code, stdout } = await run('check', 'bt', '.', '--junit', 'out.xml');
    expect(code).toBe(2);
    expect(stdout).not.toContain('expected');
    expect(await parse(read('out.xml'))).toMatchObject({
      tests: 3,
      failures: 1,
      errors: 1,
      testsuite: [
        {
          testcase: [
            { name: 'good.in' },
            { name: 'lonely.in', error: [{ message: expect.stringContaining('no answer file') }] },
            {
              name: 'wrong.in',
              failure: [
                { message: '2 cases: 1 differs', inner: expect.stringContaining('wrong.ans:2:10: case 2') },
              ],
            },
          ],
        },
      ],
    });
  });

  test('writes JUnit XML of one file, whether its answers agree, differ, or cannot be compared', async () => {
    await solveGood('good');
    await spoil('wrong');
    write('bad.in', BAD);
    const outcomes = [];
    for (const name of ['good', 'wrong', 'bad']) {
      const { code } = await run('check', 'bt', `${name}.in`, 'good.ans', '--junit', `${name}.xml`);
      const document = await parse(read(`${name}.xml`));
      if (document === undefined || document === null || !('failures' in document))
        throw new Error('no suites');
      outcomes.push([code, document.tests, document.failures, document.errors]);
    }
    expect(outcomes).toEqual([
      [0, 1, 0, 0],
      [0, 1, 0, 0],
      [3, 1, 0, 1],
    ]);
    const { code } = await run('check', 'bt', 'good.in', 'wrong.ans', '--junit', 'out.xml', '--json');
    expect([code, await parse(read('out.xml'))]).toMatchObject([1, { tests: 1, failures: 1 }]);
  });

  test('prints annotations at the places in the answer files', async () => {
    await spoil('wrong');
    const file = await run('check', 'bt', 'wrong.in', 'wrong.ans', '--annotations', 'github');
    expect(file.stdout).toBe(
      '::error file=wrong.ans,line=2,col=10::case 2: expected Case #2: 2, got Case #2: 99\n2 cases: 1 differs\n',
    );
    const all = await run('check', 'bt', '.', '--annotations', 'github');
    expect(all.stdout).toBe(
      '::error file=wrong.ans,line=2,col=10::case 2: expected Case #2: 2, got Case #2: 99\n' +
        'compared wrong.in: 2 cases: 1 differs\n1 file, 2 cases: 0 files agree, 1 differs\n',
    );
  });

  test('prints annotations at inputs whose answers cannot be compared', async () => {
    write('bad.in', '1\n1 1\n?\n');
    write('bad.ans', '');
    write('lone.in', '1\n1 1\n.\n');
    const invalid = '::error file=bad.in,line=3,col=1::case 1: expected ';
    const file = await run('check', 'bt', 'bad.in', 'bad.ans', '--annotations', 'github');
    expect([file.code, file.stdout]).toEqual([3, expect.stringContaining(invalid)]);
    const { stdout } = await run('check', 'bt', '.', '--annotations', 'github');
    expect(stdout).toContain(invalid);
    expect(stdout).toContain('::error file=lone.in,line=1,col=1::lone.in has no answer file: lone.ans');
  });

  test('has no annotations in JSON, and replaces no file of the user', async () => {
    await solveGood('good');
    write('mine.xml', 'precious');
    const args = ['check', 'bt', 'good.in', 'good.ans'];
    expect((await run(...args, '--json', '--annotations', 'github')).code).toBe(2);
    expect((await run(...args, '--junit', 'mine.xml')).code).toBe(2);
    expect((await run(...args, '--junit', 'good.ans')).code).toBe(2);
    expect([read('mine.xml'), read('good.ans')]).toEqual(['precious', expect.stringContaining('Case #1')]);
    expect((await run(...args, '--junit', 'mine.xml', '--force')).code).toBe(0);
    expect(names().filter((name) => name.includes('partial'))).toEqual([]);
  });
});

describe('judge', () => {
  const NODE = `'${process.execPath}' `;

  test('writes JUnit XML and a page of programs on inputs, with a smaller failing case', async () => {
    write('two.in', `3\n2 2\n..\n..\n3 3\n...\n...\n...\n1 1\n#\n`);
    await solveGood('good');
    // It answers 1 to every case.
    write(
      'one.mjs',
      "import { readFileSync } from 'node:fs';\nconst t = parseInt(readFileSync(0));\nfor (let k = 1; k <= t; k++) console.log('Case #' + k + ': 1');\n",
    );
    const programs = ['--exec', `${NODE}one.mjs`, '--exec', `${NODE}one.mjs again`];
    const reports = ['--html', 'page.html', '--junit', 'out.xml'];
    const { code, stdout } = await run(
      'judge',
      'bt',
      'good.in',
      'two.in',
      ...programs,
      ...reports,
      '-j',
      '1',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('these 2 print the same on all cases: ');
    const document = await parse(read('out.xml'));
    expect(document).toMatchObject({ name: 'boardmill judge', tests: 4 });
    expect(document).toMatchObject({
      testsuite: [{ testcase: [{ name: 'good.in' }, { name: 'two.in' }] }, {}],
    });
    const page = read('page.html');
    expect(page).toContain('<h2>Smallest failing cases</h2>');
    expect(page).toMatch(/WA \(made smaller from (good|two)\.in:\d\)|WA \((good|two)\.in:\d\)/);
  });
});

describe('the problem matcher of docs/testing-programs.md', () => {
  test('matches what validate and check print', async () => {
    const page = readFileSync(join(ROOT, 'docs/testing-programs.md'), 'utf8');
    const block = /```json\n([^`]*"problemMatcher"[^`]*)```/.exec(page)?.[1];
    const { regexp, file, line, column, message } = JSON.parse(block ?? '{}').tasks[0].problemMatcher.pattern;
    const matcher = new RegExp(regexp);
    write('bad.in', BAD);
    await spoil('wrong');
    const { stdout } = await run('validate', 'bt', 'bad.in');
    const found = stdout
      .trimEnd()
      .split('\n')
      .map((text) => matcher.exec(text));
    expect(found.map((match) => [match?.[file], match?.[line], match?.[column]])).toEqual([
      ['bad.in', '3', '1'],
      ['bad.in', '4', '4'],
    ]);
    expect(found[0]?.[message]).toMatch(/^case 1: expected row 1/);
    const checked = matcher.exec((await run('check', 'bt', 'wrong.in', 'wrong.ans')).stdout.split('\n')[0]);
    expect([checked?.[file], checked?.[line], checked?.[column]]).toEqual(['wrong.ans', '2', '10']);
    expect(matcher.exec(ANSWERS)).toBeNull();
  });
});
