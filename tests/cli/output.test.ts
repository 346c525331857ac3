/** Tests of the places to which solve writes answers: files, pipes and devices, and readers that stop. */
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { exitOf, start, textOf } from './boardmill.js';
import { writeBoards } from './endless-boards.js';
import { boardmill } from './in-turn.js';

const GOOD_INPUT = '2\n1 1\n.\n1 2\n##\n';
const ANSWERS = 'Case #1: 2\nCase #2: 0\n';
const BAD_INPUT = '2\n1 1\n.\n1 2\n#?\n';

const folder = folderForEachTest();
const { at, read, write } = folder;

beforeEach(() => {
  write('good.in', GOOD_INPUT);
  write('bad.in', BAD_INPUT);
});

/** Returns the names of the files in the folder, apart from the inputs. */
const outputNames = () => folder.names().filter((name) => !name.endsWith('.in'));
const solve = (...args: string[]) => boardmill(['solve', 'bt', '-j', '1', ...args], { cwd: folder.path });

describe('-o FILE', () => {
  test('-o FILE contains the answers, and boardmill leaves no other file', async () => {
    expect(await solve('good.in', '-o', 'answers')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(read('answers')).toBe(ANSWERS);
    expect(outputNames()).toEqual(['answers']);
  });

  test('-o - writes the answers to standard output', async () => {
    expect(await solve('good.in', '-o', '-')).toEqual({ code: 0, stdout: ANSWERS, stderr: '' });
  });

  test('if the input is bad, FILE does not appear, and FILE.partial has the answers before the invalid case', async () => {
    const { code, stderr } = await solve('bad.in', '-o', 'answers');
    expect(code).toBe(3);
    expect(stderr).toContain('bad.in:5:2: case 2: expected ');
    expect(existsSync(at('answers'))).toBe(false);
    expect(read('answers.partial')).toBe('Case #1: 2\n');
  });

  test('FILE appears if cases are marked, and the exit code is 1', async () => {
    expect((await solve('bad.in', '-o', 'answers', '--on-error', 'mark')).code).toBe(1);
    expect(read('answers')).toBe('Case #1: 2\nCase #2: ERROR\n');
    expect(outputNames()).toEqual(['answers']);
  });

  test('the partial file of an interrupted run is not discarded without --force', async () => {
    await solve('bad.in', '-o', 'answers');
    const before = read('answers.partial');
    const again = await solve('good.in', '-o', 'answers');
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('--force');
    expect(read('answers.partial')).toBe(before);
    expect((await solve('good.in', '-o', 'answers', '-f')).code).toBe(0);
    expect(read('answers')).toBe(ANSWERS);
    expect(outputNames()).toEqual(['answers']);
  });

  test('a file that boardmill did not write is overwritten only with --force', async () => {
    write('answers', 'precious\n');
    const { code, stderr } = await solve('good.in', '-o', 'answers');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'boardmill: answers exists and is not an answer file that boardmill wrote; --force overwrites it\n',
    });
    expect(read('answers')).toBe('precious\n');
    expect(outputNames()).toEqual(['answers']);
    expect((await solve('good.in', '-o', 'answers', '--force')).code).toBe(0);
    expect(read('answers')).toBe(ANSWERS);
  });

  test('answers that boardmill wrote are overwritten, unless somebody has changed them', async () => {
    await solve('good.in', '-o', 'answers');
    write('good.in', '1\n1 1\n#\n');
    expect((await solve('good.in', '-o', 'answers')).code).toBe(0);
    expect(read('answers')).toBe('Case #1: 0\n');
    write('answers', 'Case #1: 1\n');
    expect(await solve('good.in', '-o', 'answers')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'boardmill: answers exists: it was an answer file that boardmill wrote, and was changed since; --force overwrites it\n',
    });
    expect(read('answers')).toBe('Case #1: 1\n');
  });

  test('an empty file is overwritten without --force', async () => {
    write('answers', '');
    expect((await solve('good.in', '-o', 'answers')).code).toBe(0);
    expect(read('answers')).toBe(ANSWERS);
  });

  test('an input without cases gives an empty file', async () => {
    write('none.in', '0\n');
    expect((await solve('none.in', '-o', 'answers')).code).toBe(0);
    expect(read('answers')).toBe('');
  });

  test.each([
    [
      'an existing folder',
      'folder',
      /^boardmill: --output needs a file, and folder is a folder; type: .*\n$/,
    ],
    [
      'a file in a missing folder',
      'nowhere/answers',
      /^boardmill: cannot create nowhere\/answers\S*: no such file or directory\n$/,
    ],
    [
      'a file below a regular file',
      'good.in/answers',
      /^boardmill: cannot create good.in\/answers\S*: not a directory\n$/,
    ],
  ])('-o refuses %s with exit code 2 and one line', async (_, target, message) => {
    mkdirSync(at('folder'));
    const { code, stderr } = await solve('good.in', '-o', target);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  test('a missing input leaves no output file', async () => {
    expect((await solve('missing.in', '-o', 'answers')).code).toBe(2);
    expect(outputNames()).toEqual([]);
  });

  test('solve writes directly to a device', async () => {
    expect(await solve('good.in', '-o', '/dev/null')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('solve writes directly to a FIFO', async () => {
    execFileSync('mkfifo', [at('fifo')]);
    const received = textOf(createReadStream(at('fifo')));
    expect((await solve('good.in', '-o', 'fifo')).code).toBe(0);
    expect(await received).toBe(ANSWERS);
    expect(outputNames()).toEqual(['fifo']);
  });

  test.runIf(existsSync('/dev/full'))(
    'solve -o with a full device exits with code 4 and one line',
    async () => {
      expect(await solve('good.in', '-o', '/dev/full')).toEqual({
        code: 4,
        stdout: '',
        stderr: 'boardmill: cannot write /dev/full: no space left on device\n',
      });
    },
  );
});

describe('solve with several inputs', () => {
  beforeEach(() => {
    for (const name of ['a.in', 'b.in', 'c']) write(name, GOOD_INPUT);
  });

  test('the answers to several inputs are written next to the inputs', async () => {
    expect(await solve('a.in', 'b.in', 'c')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'boardmill: 3 files solved\n',
    });
    for (const name of ['a.ans', 'b.ans', 'c.ans']) expect(read(name)).toBe(ANSWERS);
  });

  test('--ext sets the ending of the answer files, also for a single input', async () => {
    expect((await solve('a.in', 'b.in', '--ext', '.out')).code).toBe(0);
    expect((await solve('c', '--ext', '.out')).code).toBe(0);
    for (const name of ['a.out', 'b.out', 'c.out']) expect(read(name)).toBe(ANSWERS);
  });

  test('case numbers start at 1 in each input', async () => {
    write('b.in', '1\n1 1\n.\n');
    await solve('a.in', 'b.in');
    expect(read('b.ans')).toBe('Case #1: 2\n');
  });

  test('a bad input is reported by its name, and the inputs before it have their answers', async () => {
    const { code, stderr } = await solve('a.in', 'bad.in');
    expect(code).toBe(3);
    expect(stderr).toContain('bad.in:5:2: case 2: ');
    expect(read('a.ans')).toBe(ANSWERS);
    expect(existsSync(at('bad.ans'))).toBe(false);
  });
});

test('solve ends silently with exit code 141 when the reader of its answers closes the pipe', async () => {
  const child = start(['solve', 'darkraft', '-j', '2']);
  writeBoards(child);
  child.stdout.once('data', () => child.stdout.destroy());
  const [code, stderr] = await Promise.all([exitOf(child), textOf(child.stderr)]);
  expect({ code, stderr }).toEqual({ code: 141, stderr: '' });
});
