/** Tests of `--also-compare`: files that answers depend on, although the command line of the program does not name them. */
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { ROOT, shell } from './boardmill.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const { solveFile }: typeof import('../../src/index.js') = createRequire(import.meta.url)(
  join(ROOT, 'dist/src/index.js'),
);

const SCRIPT = '#!/bin/sh\ncat > /dev/null\n. ./lib/answer.sh\n';
const GOOD_INPUT = '2\n1 1\n.\n1 1\n.\n';
/** The run ends at the second case, and leaves a checkpoint behind. */
const BAD_INPUT = '2\n1 1\n.\n1 1\n?\n';

const folder = folderForEachTest();
const { at, write } = folder;

beforeEach(() => {
  for (const name of ['lib/deep', 'out', 'other']) mkdirSync(at(name), { recursive: true });
  write('mine.sh', SCRIPT);
  write('lib/answer.sh', 'echo "Case #1: 2"\n');
  write('lib/deep/table.txt', 'a table\n');
  write('bad.in', BAD_INPUT);
  write('good.in', GOOD_INPUT);
});

const solve = (input: string, ...args: string[]) =>
  boardmill(['solve', 'bt', input, '-j', '1', '--exec', 'sh mine.sh', '--exec-cases', '1', ...args], {
    cwd: folder.path,
  });
const LIB = ['-o', 'out/a.ans', '--also-compare', 'lib'];

describe('a run that is resumed', () => {
  test.each<[string, () => void]>([
    ['an imported file was edited', () => appendFileSync(at('lib/answer.sh'), '# new\n')],
    ['a file was added', () => void write('lib/deep/more.sh', '')],
    ['a file was removed', () => rmSync(at('lib/deep/table.txt'))],
    ['a file was renamed', () => renameSync(at('lib/deep/table.txt'), at('lib/deep/tables.txt'))],
    ['two files changed places', swapFiles],
  ])('is refused if %s', async (_, change) => {
    expect((await solve('bad.in', ...LIB)).code).toBe(3);
    change();
    const { code, stderr } = await solve('good.in', ...LIB, '--resume');
    expect(code).toBe(2);
    expect(stderr).toContain('out/a.ans.checkpoint does not fit this run: the content of lib was');
  });

  test('goes on if nothing was changed, although files have new times and a cache of Python', async () => {
    expect((await solve('bad.in', ...LIB)).code).toBe(3);
    write('lib/answer.sh', 'echo "Case #1: 2"\n');
    mkdirSync(at('lib/__pycache__'));
    write('lib/__pycache__/answer.pyc', 'compiled');
    const { code, stderr } = await solve('good.in', ...LIB, '--resume');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(folder.read('out/a.ans')).toBe('Case #1: 2\nCase #2: 2\n');
  });

  test('compares each file and folder that is named', async () => {
    const args = ['-o', 'out/a.ans', '--also-compare', 'lib/deep', '--also-compare', 'lib/answer.sh'];
    expect((await solve('bad.in', ...args)).code).toBe(3);
    appendFileSync(at('lib/answer.sh'), '# new\n');
    const { code, stderr } = await solve('good.in', ...args, '--resume');
    expect(code).toBe(2);
    expect(stderr).toContain('the content of lib/answer.sh was');
    expect(stderr).not.toContain('the content of lib/deep was');
  });
});

function swapFiles(): void {
  write('lib/answer.sh', 'a table\n');
  write('lib/deep/table.txt', 'echo "Case #1: 2"\n');
}

describe('a file that changes during the run', () => {
  test.each(['lib', 'lib/answer.sh'])('is noticed before FILE appears (--also-compare %s)', async (path) => {
    write(
      'lib/answer.sh',
      'echo "Case #1: 2"\n[ -e other/x ] || { : > other/x; echo "# new" >> lib/answer.sh; }\n',
    );
    const { code, stderr } = await solve('good.in', '-o', 'out/a.ans', '--also-compare', path);
    expect(stderr).toContain(`${path} changed during the run, so its answers may come from two programs`);
    expect({ code, isWritten: existsSync(at('out/a.ans')) }).toEqual({ code: 4, isWritten: false });
  });
});

describe('wrong usage', () => {
  test.each([
    ['solve', 'bt', 'good.in', '--also-compare', 'lib'],
    ['worker', '--queue', 'unix:///nowhere/redis.sock', '--also-compare', 'lib'],
  ])('%s needs --exec for it', async (...args) => {
    const { code, stderr } = await boardmill(args, { cwd: folder.path });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--also-compare needs --exec'),
    });
  });

  test.each([
    ['an output', ['-o', 'lib/a.ans'], 'lib/a.ans (output) lies in the folder lib of --also-compare'],
    ['an output in a folder below', ['-o', 'lib/deep/a.ans'], 'lies in the folder lib of --also-compare'],
    ['an output through a link', ['-o', 'link.ans'], 'lies in the folder lib of --also-compare'],
    [
      'the statistics',
      ['-o', 'out/a.ans', '--stats', 'lib/s.json'],
      'lib/s.json (--stats) lies in the folder',
    ],
  ])('%s inside a compared folder is refused', async (_, args, message) => {
    symlinkSync(at('lib/new.ans'), at('link.ans'));
    const { code, stderr } = await solve('good.in', ...args, '--also-compare', './lib/');
    expect(code).toBe(2);
    expect(stderr).toContain(message.replace('folder lib ', 'folder ./lib/ '));
  });

  test('a compared file cannot be the output', async () => {
    const { code, stderr } = await solve(
      'good.in',
      '-f',
      '-o',
      'lib/answer.sh',
      '--also-compare',
      'lib/answer.sh',
    );
    expect(code).toBe(2);
    expect(stderr).toContain('lib/answer.sh is both part of --also-compare and output');
  });

  test.each(['>', '2>'])(
    'a standard stream cannot go to a file in a compared folder (%s)',
    async (redirection) => {
      const command = `boardmill solve bt good.in --exec 'sh mine.sh' --also-compare lib ${redirection} lib/new.txt`;
      const { code, stderr } = await shell(command, { cwd: folder.path });
      expect(code).toBe(2);
      const shown = redirection === '>' ? stderr : folder.read('lib/new.txt');
      expect(shown).toContain('lib/new.txt is both part of the folder lib of --also-compare and standard');
    },
  );

  test.each<[string, () => void, string]>([
    ['nothing', () => rmSync(at('lib'), { recursive: true }), 'no such file or directory'],
    [
      'a link out of the folder',
      () => symlinkSync(at('mine.sh'), at('lib/x')),
      'lib/x leads out of the folder',
    ],
    [
      'a link to nothing',
      () => symlinkSync('nothing', at('lib/x')),
      'lib/x leads out of the folder, or to nothing',
    ],
    ['a link to a folder', () => symlinkSync('deep', at('lib/x')), 'lib/x is neither a regular file nor'],
    ['a link to a device', () => symlinkSync('/dev/zero', at('lib/x')), 'lib/x leads out of the folder'],
  ])('%s is refused', async (_, prepare, message) => {
    prepare();
    const { code, stderr } = await solve('good.in', ...LIB);
    expect(code).toBe(2);
    expect(stderr).toContain('--also-compare lib: ');
    expect(stderr).toContain(message);
  });

  test('a FIFO is refused, and not opened', async () => {
    const script = `mkfifo lib/pipe; boardmill solve bt good.in --exec 'sh mine.sh' --also-compare lib`;
    const { code, stderr } = await shell(script, { cwd: folder.path });
    expect(code).toBe(2);
    expect(stderr).toContain('lib/pipe is neither a regular file nor a folder');
  });
});

describe('the note on files that a script may import', () => {
  const NOTE =
    'tool/mine.sh may import other files in tool; --also-compare tool lets boardmill notice when one of them changes';
  const solveWithTool = (...args: string[]) =>
    boardmill(['solve', 'bt', 'good.in', '--exec', 'sh tool/mine.sh', '--exec-cases', '1', ...args], {
      cwd: folder.path,
    });

  beforeEach(() => {
    write('tool/mine.sh', SCRIPT);
    write('tool/helper.sh', '');
  });

  test('is printed once for a run that has a checkpoint', async () => {
    const { code, stderr } = await solveWithTool('-o', 'out/a.ans');
    expect(code).toBe(0);
    expect(stderr.split(NOTE)).toHaveLength(2);
  });

  test('is not printed for a script in the current folder', async () => {
    write('helper.sh', '');
    expect(await solve('good.in', '-o', 'out/a.ans')).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['with -q', ['-q', '-o', 'out/a.ans']],
    ['with --also-compare', LIB],
    ['if nothing is compared later', []],
  ])('is not printed %s', async (_, args) => {
    expect(await solveWithTool(...args)).toMatchObject({ code: 0, stderr: '' });
  });

  test('is not printed for a script that is alone in its folder', async () => {
    rmSync(at('tool/helper.sh'));
    expect(await solveWithTool('-o', 'out/a.ans')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('solveFile of the library', () => {
  const solveHere = (input: string, options = {}) =>
    solveFile('bt', at(input), at('out/a.ans'), {
      exec: ['sh', '-c', 'cat > /dev/null; echo "Case #1: 2"'],
      execCases: 1,
      alsoCompare: [at('lib')],
      ...options,
    });

  test('does not resume a run if a file of `alsoCompare` was changed', async () => {
    await expect(solveHere('bad.in')).rejects.toThrow();
    appendFileSync(at('lib/answer.sh'), '# new\n');
    await expect(solveHere('good.in', { resume: true })).rejects.toThrow(`the content of ${at('lib')} was`);
  });

  test('`alsoCompare` needs `exec`, and paths', async () => {
    await expect(solveFile('bt', at('good.in'), at('a'), { alsoCompare: ['x'] })).rejects.toThrow(
      'needs `exec`',
    );
    await expect(solveHere('good.in', { alsoCompare: 'lib' })).rejects.toThrow('must be an array of paths');
    await expect(solveHere('good.in', { alsoCompare: [join(at('lib'), 'none')] })).rejects.toThrow(
      'no such file',
    );
  });
});
