/** Tests with unusual folders: links, loops, folders that are named like inputs, and names that are not UTF-8. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

const INPUT = '1\n1 1\n.\n';
const ANSWER = 'Case #1: 2\n';

const folder = folderForEachTest();
const { at, read, write } = folder;

beforeEach(() => {
  mkdirSync(at('data/sub'), { recursive: true });
  write('data/a.in', INPUT);
  write('data/sub/b.in', INPUT);
});

const solve = () => boardmill(['solve', 'bt', 'data'], { cwd: folder.path });
const validate = () => boardmill(['validate', 'bt', 'data'], { cwd: folder.path });
/** What validate prints about two valid files. */
const VALID_FILES = [
  'boardmill: data/a.in: no error in 1 case',
  'boardmill: data/sub/b.in: no error in 1 case',
  'boardmill: no error in 2 cases of 2 files; checked: layout, sizes, letters; not checked: limits of the contest (--contest)',
  '',
].join('\n');
/** Returns the outcome of a run that solved this number of files. */
const solvedOutcome = (files: number) => ({
  code: 0,
  stdout: '',
  stderr: `boardmill: ${files} files solved\n`,
});

describe('links to folders', () => {
  test.each([
    ['..', 'data/sub/up'],
    ['.', 'data/sub/self'],
    ['../..', 'data/sub/root'],
  ])('solve and validate visit a folder once if a link to %s makes a loop', async (target, link) => {
    symlinkSync(target, at(link));
    expect(await solve()).toEqual(solvedOutcome(2));
    expect((await validate()).stderr).toBe(VALID_FILES);
  });

  test('solve follows a link to a folder outside', async () => {
    mkdirSync(at('elsewhere'));
    write('elsewhere/c.in', INPUT);
    symlinkSync('../elsewhere', at('data/link'));
    expect(await solve()).toEqual(solvedOutcome(3));
    expect(read('elsewhere/c.ans')).toBe(ANSWER);
  });

  test('a folder with two links beside it is visited once, under its own name', async () => {
    symlinkSync('sub', at('data/before'));
    symlinkSync('sub', at('data/zebra'));
    const { stdout } = await boardmill(['validate', 'bt', 'data', '--json'], { cwd: folder.path });
    const { files } = JSON.parse(stdout) as { files: { file: string }[] };
    expect(files.map(({ file }) => file)).toEqual(['data/a.in', 'data/sub/b.in']);
  });
});

test('a folder whose path is too long is reported in one line, and the files elsewhere are read', async () => {
  const script = `const fs = require('node:fs'); for (let i = 0; i < 50; i++) { fs.mkdirSync('d'.repeat(100)); process.chdir('d'.repeat(100)); }`;
  execFileSync(process.execPath, ['-e', script], { cwd: at('data') });
  const [solved, validated] = [await solve(), await validate()];
  // Node cannot remove a folder whose path is too long, so rm does it.
  execFileSync('rm', ['-rf', at('data')]);
  for (const [{ code, stdout, stderr }, others] of [
    [solved, 'boardmill: 2 files solved, 1 failed\n'],
    [validated, VALID_FILES],
  ] as const) {
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^boardmill: cannot open data\/d+\S*: name too long\n/);
    expect(stderr.slice(stderr.indexOf('\n') + 1)).toBe(others);
  }
});

test('answers behind links that form a loop are an error of check, not an internal one', async () => {
  symlinkSync('loop', at('loop'));
  const { code, stderr } = await boardmill(['check', 'bt', 'data/a.in', 'loop/a.ans'], { cwd: folder.path });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'boardmill: cannot open loop/a.ans: too many symbolic links encountered\n',
  });
});

test('solve looks for inputs in a folder that is named x.in', async () => {
  mkdirSync(at('data/x.in'));
  write('data/x.in/c.in', INPUT);
  expect(await solve()).toEqual(solvedOutcome(3));
  expect(read('data/x.in/c.ans')).toBe(ANSWER);
});

describe('a folder with a file that cannot be an input', () => {
  const writeFileWithBadName = () => {
    const name = Buffer.concat([Buffer.from(at('data/caf')), Buffer.from([0xe9]), Buffer.from('.in')]);
    writeFileSync(name, INPUT);
  };

  test.each<[string, () => void, string]>([
    ['whose name is not UTF-8', writeFileWithBadName, 'cannot open data/caf\\xe9.in: its name is not UTF-8'],
    [
      'that is a link to nothing',
      () => symlinkSync('gone', at('data/l.in')),
      'cannot open data/l.in: it is a link to nothing',
    ],
    [
      'that is a FIFO',
      () => execFileSync('mkfifo', [at('data/f.in')]),
      'cannot open data/f.in: it is not a regular file',
    ],
  ])(
    'solve and validate report an input %s, process the others and exit with code 2',
    async (_, createEntry, message) => {
      createEntry();
      expect(await solve()).toEqual({
        code: 2,
        stdout: '',
        stderr: `boardmill: ${message}\nboardmill: 2 files solved, 1 failed\n`,
      });
      expect(read('data/a.ans')).toBe(ANSWER);
      const again = await solve();
      expect(again).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('0 files solved, 2 up to date, 1 failed'),
      });
      const { code, stderr } = await validate();
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `boardmill: ${message}\n${VALID_FILES}`,
      });
    },
  );

  test.each(['solve', 'validate'])(
    '%s reports an input that cannot be read if there is no other',
    async (command) => {
      mkdirSync(at('fifos'));
      execFileSync('mkfifo', [at('fifos/f.in')]);
      const outcome = await boardmill([command, 'bt', 'fifos'], { cwd: folder.path });
      const stderr = 'boardmill: cannot open fifos/f.in: it is not a regular file\n';
      expect(outcome).toEqual({ code: 2, stdout: '', stderr });
    },
  );

  test('solve ignores files without the ending .in, whatever their names, and hidden links to nothing', async () => {
    writeFileSync(Buffer.concat([Buffer.from(at('data/caf')), Buffer.from([0xe9, 0x2e, 0x74])]), 'no input');
    symlinkSync('gone', at('data/.link'));
    expect(await solve()).toEqual(solvedOutcome(2));
    expect(readdirSync(at('data/sub')).sort()).toEqual(['b.ans', 'b.in']);
  });
});
