/** Many files on one pool: what is skipped, what is refused, and what one bad file does to the others. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { boardmill, folderForEachTest } from './boardmill.js';

allowSlowTests();

const ONE = '1\n1 1\n.\n';
const TWO = '2\n1 1\n.\n1 2\n##\n';
const BAD = '2\n1 1\n.\n1 2\n#?\n';
const ANSWER_ONE = 'Case #1: 2\n';
const ANSWER_TWO = 'Case #1: 2\nCase #2: 0\n';

const folder = folderForEachTest();
const { at, read, write } = folder;

const solve = (...args: string[]) => boardmill(['solve', 'bt', '-j', '2', ...args], { cwd: folder.path });
const told = (stderr: string) => stderr.split('\n').slice(0, -1);

beforeEach(() => {
  write('data/sample/1.in', ONE);
  write('data/secret/a.in', TWO);
  write('data/secret/group/b.in', ONE);
  write('data/secret/group/notes.txt', 'no input');
});

const SUMMARY = (solved: number, upToDate = 0) => ({
  code: 0,
  stdout: '',
  stderr: `boardmill: ${solved} file${solved === 1 ? '' : 's'} solved${upToDate > 0 ? `, ${upToDate} up to date` : ''}\n`,
});

describe('a folder', () => {
  test('stands for all *.in in it and below', async () => {
    expect(await solve('data')).toEqual(SUMMARY(3));
    expect(read('data/sample/1.ans')).toBe(ANSWER_ONE);
    expect(read('data/secret/a.ans')).toBe(ANSWER_TWO);
    expect(read('data/secret/group/b.ans')).toBe(ANSWER_ONE);
    expect(existsSync(at('data/secret/group/notes.ans'))).toBe(false);
  });

  test('of one input still has its answers beside it, quietly with -q', async () => {
    expect(await solve('data/sample', '--ext', '.out', '-q')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(read('data/sample/1.out')).toBe(ANSWER_ONE);
  });

  test.each<[string, string[], RegExp]>([
    ['without any input', ['empty'], /the folder empty contains no \*\.in file/],
    ['with -o', ['data/sample', '-o', 'x'], /--output takes one input/],
    ['and an input in it', ['data/sample', 'data/sample/1.in'], /1\.ans would be written twice/],
    ['and standard input', ['data/sample', '-'], /standard input \(-\) must be solved separately/],
  ])('%s: exit 2', async (_, words, message) => {
    mkdirSync(at('empty'));
    const { code, stderr } = await solve(...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(existsSync(at('data/sample/1.ans'))).toBe(false);
  });
});

describe('what is up to date', () => {
  beforeEach(async () => {
    await solve('data', '-q');
  });

  test('is skipped', async () => {
    const before = statSync(at('data/sample/1.ans')).mtimeMs;
    expect(await solve('data')).toEqual(SUMMARY(0, 3));
    expect(statSync(at('data/sample/1.ans')).mtimeMs).toBe(before);
  });

  test.each<[string, () => void, string[], number]>([
    ['an input that changed', () => write('data/sample/1.in', TWO), [], 1],
    ['an input that changed in place', () => write('data/sample/1.in', ONE.replace('.', '#')), [], 1],
    ['answers that are gone', () => rmSync(at('data/sample/1.ans')), [], 1],
    ['a new input', () => write('data/secret/c.in', ONE), [], 1],
    ['other options', () => {}, ['--format', 'ndjson'], 3],
    ['--force', () => {}, ['--force'], 3],
    ['another solver', () => {}, ['--solver', 'portable', '--chunk', '1', '-j', '1'], 0],
    ['an input that was only touched', () => utimesSync(at('data/sample/1.in'), 0, 0), [], 0],
    ['answers that were only touched', () => utimesSync(at('data/sample/1.ans'), 0, 0), [], 0],
  ])('%s: solved anew as needed', async (_, change, words, solved) => {
    change();
    const args = words.includes('-j')
      ? ['solve', 'bt', 'data', ...words]
      : ['solve', 'bt', '-j', '2', 'data', ...words];
    const files = existsSync(at('data/secret/c.in')) ? 4 : 3;
    expect(await boardmill(args, { cwd: folder.path })).toEqual(SUMMARY(solved, files - solved));
    expect(
      await solve('data', ...words.filter((word) => word.includes('format') || word === 'ndjson')),
    ).toEqual(SUMMARY(0, files));
  });

  test('another problem: its own answers', async () => {
    write('data/sample/1.in', '1 1\nL\n');
    rmSync(at('data/secret'), { recursive: true });
    expect(await boardmill(['solve', 'darkraft', 'data'], { cwd: folder.path })).toEqual(SUMMARY(1));
    expect(read('data/sample/1.ans')).toBe('WIN\n');
  });

  test('answers with marked cases are made again, and the exit code says so each time', async () => {
    write('data/secret/a.in', BAD);
    for (const solved of [3, 1]) {
      const { code, stderr } = await solve('data', '--on-error', 'mark');
      expect(code).toBe(1);
      expect(told(stderr).at(-1)).toMatch(new RegExp(`^boardmill: ${solved} files? solved`));
    }
  });
});

describe('answers that boardmill did not make', () => {
  beforeEach(() => write('data/secret/group/b.ans', 'by hand\n'));

  test('are refused before anything is solved', async () => {
    write('data/secret/a.ans', 'by hand too\n');
    const { code, stderr } = await solve('data');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /a\.ans exists and is not an answer file that solve wrote; --force overwrites it \(and 1 other file/,
    );
    expect(existsSync(at('data/sample/1.ans'))).toBe(false);
    expect(read('data/secret/group/b.ans')).toBe('by hand\n');
  });

  test('are overwritten with --force, and are boardmill’s from then on', async () => {
    expect(await solve('data', '--force')).toEqual(SUMMARY(3));
    expect(read('data/secret/group/b.ans')).toBe(ANSWER_ONE);
    expect(await solve('data')).toEqual(SUMMARY(0, 3));
  });

  test('are boardmill’s no longer once edited', async () => {
    await solve('data', '--force');
    write('data/sample/1.ans', 'Case #1: 3\n');
    const { code, stderr } = await solve('data');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('sample/1.ans exists') });
  });

  test('do not matter under another name', async () => {
    expect(await solve('data', '--ext', '.out')).toEqual(SUMMARY(3));
    expect(read('data/secret/group/b.ans')).toBe('by hand\n');
  });
});

describe('one file of many that fails', () => {
  test('is told; the others are solved; the exit code is its own', async () => {
    write('data/secret/a.in', BAD);
    write('data/secret/z.in', '');
    const { code, stderr } = await solve('data');
    expect(code).toBe(3);
    expect(told(stderr)).toEqual([
      'boardmill: data/secret/a.in:5:2: case 2: expected one of ".#" in row 1 of 1, got "?"',
      'boardmill: data/secret/z.in:1:1: expected the number of cases, got an empty input',
      'boardmill: 2 files solved, 2 failed',
    ]);
    expect(read('data/secret/group/b.ans')).toBe(ANSWER_ONE);
    expect(existsSync(at('data/secret/a.ans'))).toBe(false);
    expect(read('data/secret/a.ans.partial')).toBe('Case #1: 2\n');
  });

  test('is gone on with after it was mended, with --resume', async () => {
    write('data/secret/a.in', BAD);
    await solve('data', '-q');
    write('data/secret/a.in', BAD.replace('?', '#'));
    const refused = await solve('data');
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('--resume continues'),
    });
    expect(await solve('data', '--resume')).toEqual(SUMMARY(1, 2));
    expect(read('data/secret/a.ans')).toBe(ANSWER_TWO);
  });

  test('because it is not there: exit 2, and nothing is solved', async () => {
    const { code, stderr } = await solve('data/sample/1.in', 'gone.in');
    expect(code).toBe(2);
    expect(stderr).toContain('cannot open gone.in: no such file or directory');
    expect(existsSync(at('data/sample/1.ans'))).toBe(false);
  });
});

test('many small files: each has its own answers, whatever overlaps', async () => {
  for (let i = 0; i < 60; i++) write(`many/${i}.in`, `1\n1 ${(i % 15) + 1}\n${'.'.repeat((i % 15) + 1)}\n`);
  expect(await solve('many')).toEqual(SUMMARY(60));
  const alone = await boardmill(['solve', 'bt', 'many/7.in', '-j', '1'], { cwd: folder.path });
  for (let i = 7; i < 60; i += 15) expect(read(`many/${i}.ans`)).toBe(alone.stdout);
  renameSync(at('many'), at('moved'));
  expect((await solve('moved')).code, 'another place, no longer known').toBe(2);
});
