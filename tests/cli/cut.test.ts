/** Tests of `extract`, `split` and `validate` that run the build. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { ROOT } from './boardmill.js';
import { boardmill } from './in-turn.js';

const THREE_CASES = '7 3\n2 2\nOO\nX.\n2 2\nOO\n.X\n3 1\nO\nO\nX\n';
const BAD_INPUT = THREE_CASES.replace('.X', '.Y');

const folder = folderForEachTest();
const { at, read, write } = folder;

beforeEach(() => {
  write('three.in', THREE_CASES);
  write('bad.in', BAD_INPUT);
});

const run = (...words: string[]) => boardmill(words, { cwd: folder.path });

describe('extract', () => {
  test('extract prints the cases after a first line that counts only them', async () => {
    const outcome = await run('extract', 'zu', 'three.in', '--cases', '2..3');
    expect(outcome).toEqual({ code: 0, stdout: '7 2\n2 2\nOO\n.X\n3 1\nO\nO\nX\n', stderr: '' });
  });

  test('extract -o FILE needs --force to replace a file that boardmill did not write', async () => {
    write('x.in', 'mine');
    expect((await run('extract', 'zu', 'three.in', '--cases', '1', '-o', 'x.in')).code).toBe(2);
    expect(read('x.in')).toBe('mine');
    expect((await run('extract', 'zu', 'three.in', '--cases', '1', '-o', 'x.in', '--force')).code).toBe(0);
    expect(read('x.in')).toBe('7 1\n2 2\nOO\nX.\n');
    expect((await run('extract', 'zu', 'three.in', '--cases', '3', '-o', 'x.in')).code).toBe(0);
    expect(read('x.in')).toBe('7 1\n3 1\nO\nO\nX\n');
  });

  test.each<[string, string[], number, RegExp]>([
    ['cases after the last one', ['three.in', '--cases', '2..4'], 2, /three\.in has only 3 cases/],
    ['a range that runs backwards', ['three.in', '--cases', '3..2'], 2, /--cases needs a range/],
    ['a range that starts at 0', ['three.in', '--cases', '0..2'], 2, /--cases needs a range/],
    ['a command line without --cases', ['three.in'], 2, /cases/],
    [
      'an output that is the input',
      ['three.in', '--cases', '1', '-o', 'three.in', '--force'],
      2,
      /both input and output/,
    ],
    ['a case after an invalid case', ['bad.in', '--cases', '3'], 3, /bad\.in:7:2: case 2: expected one of/],
    ['an input that does not exist', ['gone.in', '--cases', '3'], 2, /cannot open gone\.in/],
  ])('extract refuses %s with one line and writes no file', async (_, words, code, message) => {
    const outcome = await run('extract', 'zu', ...words, ...(words.includes('-o') ? [] : ['-o', 'x.in']));
    expect(outcome).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) });
    expect(folder.names()).toEqual(['bad.in', 'three.in']);
    expect(read('three.in')).toBe(THREE_CASES);
  });
});

describe('split', () => {
  const parts = () => readdirSync(at('parts'));
  const split = (...words: string[]) => run('split', 'zu', 'three.in', '--dir', 'parts', ...words);

  test('split creates the folder, and numbers the parts so that their names sort', async () => {
    const outcome = await split('--every', '2');
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: 'boardmill: 3 cases in 2 parts\n' });
    expect(read('parts/part-0001.in')).toBe('7 2\n2 2\nOO\nX.\n2 2\nOO\n.X\n');
    expect(read('parts/part-0002.in')).toBe('7 1\n3 1\nO\nO\nX\n');
    expect(parts()).toHaveLength(2);
  });

  test('split replaces all parts of an earlier split', async () => {
    await split('--every', '1');
    await split('--every', '3', '-q');
    expect(parts()).toEqual(['part-0001.in']);
    expect(read('parts/part-0001.in')).toBe(THREE_CASES);
  });

  test('split refuses a folder with foreign parts, and keeps them even with --force', async () => {
    mkdirSync(at('parts'));
    write('parts/part-0002.in', 'mine');
    const { code, stderr } = await split('--every', '2');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('part-0002.in exists') });
    expect(parts()).toEqual(['part-0002.in']);
    expect((await split('--every', '3', '--force')).stderr).toContain(
      'part-0002.in belongs to no part of this split',
    );
    expect(read('parts/part-0002.in')).toBe('mine');
  });

  test('split ends at an invalid case and keeps the parts before it', async () => {
    const outcome = await run('split', 'zu', 'bad.in', '--every', '1', '--dir', 'parts');
    expect(outcome).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(/bad\.in:7:2: case 2/) });
    expect(parts()).toEqual(['part-0001.in']);
  });

  test('solving the parts of a split gives the answers to the whole input', async () => {
    await split('--every', '1');
    await run('solve', 'zu', 'parts');
    const whole = await run('solve', 'zu', 'three.in', '-j', '1');
    const joined = [1, 2, 3].map((number) => read(`parts/part-000${number}.ans`)).join('');
    expect(joined).toBe(whole.stdout);
  });
});

describe('validate', () => {
  test('validate prints nothing on standard output for a valid input, and exits with code 0', async () => {
    const outcome = await run('validate', 'zu', 'three.in', '--contest', '--set', '14-20');
    const checked =
      'checked: layout, sizes, letters, limits of set 14-20 of the contest; not checked: number of cases';
    const stderr = `boardmill: no error in 3 cases of 1 file; ${checked}\n`;
    expect(outcome).toEqual({ code: 0, stdout: '', stderr });
  });

  test('validate prints every error with file, line and column, and exits with code 3', async () => {
    write('bad.in', BAD_INPUT.replace('3 1', ' 3 1').replace('OO\nX.', 'O\nXX'));
    expect(await run('validate', 'zu', '.', '-q')).toEqual({
      code: 3,
      stderr: '',
      stdout: [
        'bad.in:3:1: case 1: expected row 1 of 2 (2 of ".#XO"), got 1: "O"',
        'bad.in:7:2: case 2: expected one of ".#XO" in row 2 of 2, got "Y"',
        'bad.in:8:2: case 3: a blank before the first token of the line',
        '',
      ].join('\n'),
    });
  });

  test('if every line has the same error, validate prints the first ones and counts the others', async () => {
    write('crlf.in', THREE_CASES.replaceAll('\n', '\r\n'));
    const { code, stdout } = await run('validate', 'zu', 'crlf.in');
    expect(code).toBe(3);
    expect(stdout.split('\n').slice(-3)).toEqual([
      'crlf.in:10:2: case 3: the line ends in CR LF',
      'crlf.in: 1 more carriage-return error',
      '',
    ]);
  });

  test('validate --contest refuses a small letter in link-and-pop, which validate and solve accept', async () => {
    write('small.in', '2 2\nAD BU\nAU bL\n1 2\nCS CS\n0 0\n');
    expect(await run('validate', 'link-and-pop', 'small.in')).toMatchObject({ code: 0 });
    expect(await run('solve', 'link-and-pop', 'small.in')).toMatchObject({ code: 0 });
    expect(await run('validate', 'link-and-pop', 'small.in', '--contest', '-q')).toEqual({
      code: 3,
      stdout: 'small.in:3:4: case 1: in the contest: expected a capital letter as symbol, got "b"\n',
      stderr: '',
    });
  });

  test('validate --json prints one JSON document, even if an input is missing', async () => {
    write('crlf.in', THREE_CASES.replaceAll('\n', '\r\n'));
    const { code, stdout } = await run(
      'validate',
      'zu',
      'bad.in',
      'gone.in',
      'crlf.in',
      'three.in',
      '--json',
    );
    expect(code).toBe(2);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ problem: 'river-pawn', contest: false, valid: false });
    const [bad, crlf, good] = document.files;
    expect(bad).toEqual({
      file: 'bad.in',
      cases: 3,
      omitted: {},
      errors: [
        {
          line: 7,
          column: 2,
          case: 2,
          rule: 'format',
          what: 'expected one of ".#XO" in row 2 of 2, got "Y"',
        },
      ],
    });
    expect(crlf).toMatchObject({ file: 'crlf.in', cases: 3, omitted: { 'carriage-return': 1 } });
    expect(good).toEqual({ file: 'three.in', cases: 3, omitted: {}, errors: [] });
  });

  test('validate calls standard input <stdin> in its findings', async () => {
    const outcome = await boardmill(['validate', 'zu', '-q'], { cwd: folder.path, stdin: BAD_INPUT });
    expect(outcome).toMatchObject({ code: 3, stdout: expect.stringMatching(/^<stdin>:7:2: case 2: /) });
  });

  test('validate --contest finds no error in the bundled samples of all problems', async () => {
    for (const { name: problem } of PROBLEMS) {
      const folder = join(ROOT, 'data', problem, 'sample');
      expect(existsSync(folder)).toBe(true);
      expect(await run('validate', problem, folder, '--contest')).toMatchObject({ code: 0, stdout: '' });
    }
  });
});
