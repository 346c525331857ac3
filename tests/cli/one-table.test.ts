/** Tests of `solve` with several inputs and `--output`: one table of all answers, with the column `file` first. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { program } from '../support/programs.js';
import { runs } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest, temporaryFolder } from '../support/temporary-folder.js';
import { exitOf, start, textOf } from './boardmill.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const ONE_CASE = '1\n1 1\n.\n';
const TWO_CASES = '2\n1 1\n.\n1 2\n##\n';
const NO_CASE = '0\n';
const BAD_INPUT = '2\n1 1\n.\n1 2\n#?\n';

const TABLE = `file,case,answer
data/a.in,1,2
data/b/1.in,1,2
data/b/1.in,2,0
data/c.in,1,2
`;

const folder = folderForEachTest();
const { at, read, write } = folder;

const solve = (...args: string[]) => boardmill(['solve', 'bt', '-j', '1', ...args], { cwd: folder.path });
const solveTable = (...args: string[]) => solve('data', '--format', 'csv', '-o', 'all.csv', ...args);

beforeEach(() => {
  write('data/a.in', ONE_CASE);
  write('data/b/1.in', TWO_CASES);
  write('data/b/2.in', NO_CASE);
  write('data/c.in', ONE_CASE);
});

describe('a table of several inputs', () => {
  test('names the file of each case, and counts the cases of each file', async () => {
    expect(await solveTable()).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(read('all.csv')).toBe(TABLE);
    expect(folder.names()).toEqual(['all.csv', 'data']);
  });

  test('has the inputs in the order of the arguments, on standard output too', async () => {
    const { stdout } = await solve('data/c.in', 'data/a.in', '--format', 'csv', '-o', '-');
    expect(stdout).toBe('file,case,answer\ndata/c.in,1,2\ndata/a.in,1,2\n');
  });

  test('has other columns behind the answer, wherever `file` is among them', async () => {
    const columns = ['--columns', 'line,file,nimber'];
    const { stdout } = await solve('data/b', 'data/a.in', '--format', 'ndjson', '-o', '-', ...columns);
    expect(stdout.split('\n')).toEqual([
      '{"file":"data/b/1.in","case":1,"answer":2,"line":2,"nimber":1}',
      '{"file":"data/b/1.in","case":2,"answer":0,"line":4,"nimber":0}',
      '{"file":"data/a.in","case":1,"answer":2,"line":2,"nimber":1}',
      '',
    ]);
    const csv = await solve('data/b', '--format', 'csv', '-o', '-', ...columns);
    expect(csv.stdout.split('\n')[0]).toBe('file,case,answer,line,nimber');
  });

  test('of inputs without cases is its heading', async () => {
    write('data/b/3.in', NO_CASE);
    expect((await solve('data/b/2.in', 'data/b/3.in', '--format', 'csv', '-o', 'all.csv')).code).toBe(0);
    expect(read('all.csv')).toBe('file,case,answer\n');
  });

  test('takes compressed inputs, and the answers of a program', async () => {
    writeFileSync(at('data/a.in.gz'), gzipSync(TWO_CASES));
    rmSync(at('data/a.in'));
    expect((await solveTable('--exec', program('bacterial-tactics'))).code).toBe(0);
    expect(read('all.csv')).toBe(TABLE.replace('data/a.in,1,2', 'data/a.in.gz,1,2\ndata/a.in.gz,2,0'));
  });

  test('of a folder with one input has the column too', async () => {
    const { stdout } = await solve('data/b', '--format', 'csv', '-o', '-');
    expect(stdout).toBe('file,case,answer\ndata/b/1.in,1,2\ndata/b/1.in,2,0\n');
  });

  test('says what is wrong with marked cases, and then has the exit code 1', async () => {
    write('data/b/1.in', BAD_INPUT);
    const { code } = await solveTable('--on-error', 'mark');
    expect({ code, table: read('all.csv').split('\n').slice(0, 5) }).toEqual({
      code: 1,
      table: [
        'file,case,answer,error',
        'data/a.in,1,2,',
        'data/b/1.in,1,2,',
        expect.stringMatching(/^data\/b\/1\.in,2,ERROR,"5:2: expected one of/),
        'data/c.in,1,2,',
      ],
    });
    const { stdout } = await solve('data', '--format', 'ndjson', '-o', '-', '--on-error', 'mark');
    expect(stdout.split('\n')[2]).toMatch(/^\{"file":"data\/b\/1\.in","case":2,"error":\{"kind":"input",/);
  });

  test('is up to date if nothing has changed', async () => {
    await solveTable();
    const again = await solveTable('--stats', '-');
    expect(again.stderr).toMatch(/^boardmill: all\.csv is up to date\n\{[\s\S]*"upToDate": true/);
    write('data/c.in', TWO_CASES);
    expect((await solveTable()).stderr).toBe('');
    expect(read('all.csv')).toBe(`${TABLE}data/c.in,2,0\n`);
    // The same inputs in another order, and fewer inputs, make another table.
    const other = await solve('data/c.in', 'data/a.in', '--format', 'csv', '-o', 'all.csv');
    expect(other.stderr).toBe('');
    expect((await solve('data/a.in', 'data/c.in', '--format', 'csv', '-o', 'all.csv')).stderr).toBe('');
  });

  test.each<[string, string[], RegExp]>([
    [
      'the format is text',
      ['data', '-o', 'x'],
      /--output takes one input in the format text; --out-dir DIR .* --format csv/,
    ],
    [
      'standard input is among them',
      ['data', '-', '--format', 'csv', '-o', 'x'],
      /standard input \(-\) must/,
    ],
    [
      'an input is named twice',
      ['data', './data/a.in', '--format', 'csv', '-o', 'x'],
      /a\.in is named twice/,
    ],
    [
      'a shard is wanted',
      ['data', '--format', 'csv', '-o', 'x', '--shard', '1/2'],
      /--shard takes one input/,
    ],
    ['an input is missing', ['data', 'no.in', '--format', 'csv', '-o', 'x'], /cannot open no\.in/],
    [
      'an input cannot be read',
      ['data', 'links', '--format', 'csv', '-o', 'x'],
      /cannot open links\/lost\.in/,
    ],
    ['the table is an input', ['data', '--format', 'csv', '-o', 'data/c.in'], /is both input and output/],
    [
      'the table would be an input of the next run',
      ['data', '--format', 'csv', '-o', 'data/b/all.in'],
      /data\/b\/all\.in would be an input of the next run/,
    ],
    ['a user wrote it', ['data', '--format', 'csv', '-o', 'notes'], /notes exists and is not a table/],
    [
      '--resume has no file',
      ['data', '--format', 'csv', '-o', '-', '--resume'],
      /--resume needs --output FILE/,
    ],
  ])('is refused if %s, and nothing is written', async (_, words, message) => {
    write('links/good.in', ONE_CASE);
    symlinkSync('nowhere', at('links/lost.in'));
    write('notes', 'mine');
    const { code, stdout, stderr } = await solve(...words);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(folder.names()).toEqual(['data', 'links', 'notes']);
    expect(read('notes')).toBe('mine');
  });
});

describe('a table that a run has not finished', () => {
  beforeEach(async () => {
    write('data/b/1.in', BAD_INPUT);
  });

  test('ends before the first bad case, and --resume continues it there', async () => {
    const { code, stderr } = await solveTable('--chunk', '1');
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^boardmill: data\/b\/1\.in:5:2: case 2: [^\n]*\n$/),
    });
    expect(read('all.csv.partial')).toBe(TABLE.split('\n').slice(0, 3).join('\n').concat('\n'));
    expect(existsSync(at('all.csv'))).toBe(false);
    expect((await solveTable()).stderr).toBe(
      'boardmill: all.csv.checkpoint is left from a run that failed; --resume continues after 2 cases, --force starts over\n',
    );
    write('data/b/1.in', TWO_CASES);
    const resumed = await solveTable('--resume', '--stats', '-');
    expect(JSON.parse(resumed.stderr)).toMatchObject({ cases: 4, resumedCases: 2 });
    expect(read('all.csv')).toBe(TABLE);
    expect((await solveTable()).stderr).toBe('boardmill: all.csv is up to date\n');
  });

  test('leaves nothing behind if it has no answers', async () => {
    write('data/a.in', NO_CASE);
    write('data/b/1.in', BAD_INPUT.replace('.', '?'));
    expect((await solveTable()).code).toBe(3);
    expect(folder.names()).toEqual(['data']);
  });

  test.each<[string, () => void, string[], RegExp]>([
    [
      'an input that was answered has changed',
      () => write('data/a.in', ONE_CASE.replace('.', '#')),
      [],
      /data\/a\.in does not match the checkpoint of all\.csv: it was changed/,
    ],
    [
      'the answered part of an input has changed',
      () => write('data/b/1.in', TWO_CASES.replace('.', '#')),
      [],
      /data\/b\/1\.in does not match the checkpoint: .* something differs/,
    ],
    [
      'an input was added',
      () => write('data/d.in', ONE_CASE),
      [],
      /the list of inputs was 4 files \(\w+\), is 5 files/,
    ],
    ['the format is another one', () => {}, ['--format', 'ndjson'], /--format was csv, is ndjson/],
    [
      'the answers have changed',
      () => write('all.csv.partial', TABLE.replace('2', '0')),
      [],
      /does not match its checkpoint/,
    ],
  ])('is not continued if %s', async (_, change, words, message) => {
    await solveTable('--chunk', '1');
    change();
    const args = ['data', '-o', 'all.csv', '--resume', ...(words.length > 0 ? words : ['--format', 'csv'])];
    const { code, stderr } = await solve(...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(existsSync(at('all.csv'))).toBe(false);
  });

  test('is continued after a signal', async () => {
    rmSync(at('data/c.in'));
    write('data/b/1.in', TWO_CASES);
    execFileSync('mkfifo', [at('c.in')]);
    const args = [
      'solve',
      'bt',
      '-j',
      '1',
      '--chunk',
      '1',
      'data',
      'c.in',
      '--format',
      'csv',
      '-o',
      'all.csv',
    ];
    const child = start(args, { cwd: folder.path });
    const message = textOf(child.stderr);
    const input = await open(at('c.in'), 'w');
    await input.write('3\n1 1\n.\n1 1\n.\n1');
    await vi.waitFor(() => expect(read('all.csv.partial')).toContain('c.in,1,2\n'), 30_000);
    child.kill('SIGINT');
    const code = await exitOf(child);
    await input.close();
    expect({ code, message: await message }).toEqual({
      code: 130,
      message: expect.stringMatching(/SIGINT after [45] cases; the same command with --resume continues\n$/),
    });
    rmSync(at('c.in'));
    write('c.in', '3\n1 1\n.\n1 1\n.\n1 2\n##\n');
    expect((await boardmill(args, { cwd: folder.path })).stderr).toMatch(
      /a run that was interrupted; --resume continues after [45] cases,/,
    );
    expect((await boardmill([...args, '--resume'], { cwd: folder.path })).code).toBe(0);
    expect(read('all.csv')).toBe(TABLE.replace('data/c.in,1,2', 'c.in,1,2\nc.in,2,2\nc.in,3,0'));
  });
});

describe('any inputs', () => {
  const root = temporaryFolder();
  const caseArbitrary = fc.constantFrom(
    { text: '1 1\n.\n', answer: 2 },
    { text: '1 2\n##\n', answer: 0 },
    { text: '2 2\n..\n.#\n', answer: 0 },
    { text: '1 3\n...\n', answer: 4 },
  );
  const inputArbitrary = fc.array(caseArbitrary, { maxLength: 5 });
  const speedArbitrary = fc
    .record({
      jobs: fc.constantFrom('1', '2', '3'),
      chunk: fc.constantFrom(['--chunk', '1'], ['--chunk', '12'], []),
    })
    .map(({ jobs, chunk }) => ['-j', jobs, ...chunk]);
  const printInput = (texts: readonly string[]) => `${texts.length}\n${texts.join('')}`;

  test('make the table of their answers, also if the run failed at any case and was resumed', async () => {
    const inputsArbitrary = fc.array(inputArbitrary, { minLength: 2, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        inputsArbitrary,
        fc.nat(),
        fc.nat(),
        speedArbitrary,
        speedArbitrary,
        async (inputs, file, index, speed, otherSpeed) => {
          fc.pre(inputs[file % inputs.length].length > 0);
          const cwd = mkdtempSync(join(root, 'run-'));
          const names = inputs.map((_, i) => `${i}.in`);
          const textsOf = (i: number): string[] => inputs[i].map(({ text }) => text);
          for (const [i, name] of names.entries()) writeFileSync(join(cwd, name), printInput(textsOf(i)));
          const rows = inputs.flatMap((cases, i) =>
            cases.map(({ answer }, j) => `${names[i]},${j + 1},${answer}\n`),
          );
          const wanted = `file,case,answer\n${rows.join('')}`;
          const broken = file % inputs.length;
          const texts = textsOf(broken);
          const badCase = index % texts.length;
          const badTexts = texts.with(badCase, texts[badCase].replace(/[.#]/, '?'));
          writeFileSync(join(cwd, names[broken]), printInput(badTexts));
          const table = (...words: string[]) =>
            boardmill(['solve', 'bt', ...names, '--format', 'csv', '-o', 'all.csv', ...words], { cwd });
          expect((await table(...speed)).code).toBe(3);
          const partial = join(cwd, 'all.csv.partial');
          if (existsSync(partial)) expect(wanted.startsWith(readFileSync(partial, 'utf8'))).toBe(true);
          writeFileSync(join(cwd, names[broken]), printInput(texts));
          expect((await table('--resume', ...otherSpeed)).code).toBe(0);
          expect(readFileSync(join(cwd, 'all.csv'), 'utf8')).toBe(wanted);
        },
      ),
      { numRuns: runs(5) },
    );
  });
});
