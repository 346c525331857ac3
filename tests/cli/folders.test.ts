/** Tests of `solve` with folders and many files: which files it skips, refuses or solves again. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { lockFile } from '../../src/engine/output/lock.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const ONE_CASE = '1\n1 1\n.\n';
const TWO_CASES = '2\n1 1\n.\n1 2\n##\n';
const BAD_INPUT = '2\n1 1\n.\n1 2\n#?\n';
const ONE_ANSWER = 'Case #1: 2\n';
/** With the ending of its checkpoint, the name of the answers is longer than file systems allow. */
const LONG_NAME = 'x'.repeat(240);
const TWO_ANSWERS = 'Case #1: 2\nCase #2: 0\n';

const folder = folderForEachTest();
const { at, read, write } = folder;

const solve = (...args: string[]) => boardmill(['solve', 'bt', '-j', '1', ...args], { cwd: folder.path });
const linesOf = (stderr: string) => stderr.split('\n').slice(0, -1);

beforeEach(() => {
  write('data/sample/1.in', ONE_CASE);
  write('data/secret/a.in', TWO_CASES);
  write('data/secret/group/b.in', ONE_CASE);
  write('data/secret/group/notes.txt', 'no input');
});

/** Returns the outcome of a run in which all files were solved or were up to date. */
const summaryOutcome = (solved: number, upToDate = 0) => ({
  code: 0,
  stdout: '',
  stderr: `boardmill: ${solved} file${solved === 1 ? '' : 's'} solved${upToDate > 0 ? `, ${upToDate} up to date` : ''}\n`,
});

describe('solve with a folder', () => {
  test('a folder means all *.in files in the folder and its subfolders', async () => {
    expect(await solve('data')).toEqual(summaryOutcome(3));
    expect(read('data/sample/1.ans')).toBe(ONE_ANSWER);
    expect(read('data/secret/a.ans')).toBe(TWO_ANSWERS);
    expect(read('data/secret/group/b.ans')).toBe(ONE_ANSWER);
    expect(existsSync(at('data/secret/group/notes.ans'))).toBe(false);
  });

  test('the answers to the only input of a folder are written next to the input, and -q prints nothing', async () => {
    expect(await solve('data/sample', '--ext', '.out', '-q')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(read('data/sample/1.out')).toBe(ONE_ANSWER);
  });

  test.each<[string, string[], RegExp]>([
    ['a folder without any input', ['empty'], /the folder empty contains no \*\.in file/],
    ['a folder with -o', ['data/sample', '-o', 'x'], /--output takes one input/],
    [
      'a folder and an input in that folder',
      ['data/sample', 'data/sample/1.in'],
      /1\.ans would be written twice/,
    ],
    ['a folder and standard input', ['data/sample', '-'], /standard input \(-\) must be solved separately/],
  ])('solve refuses %s with exit code 2', async (_, words, message) => {
    mkdirSync(at('empty'));
    const { code, stderr } = await solve(...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(existsSync(at('data/sample/1.ans'))).toBe(false);
  });
});

describe('answers that are up to date', () => {
  beforeEach(async () => {
    await solve('data', '-q');
  });

  test('solve skips inputs whose answers are up to date', async () => {
    const before = statSync(at('data/sample/1.ans')).mtimeMs;
    expect(await solve('data')).toEqual(summaryOutcome(0, 3));
    expect(statSync(at('data/sample/1.ans')).mtimeMs).toBe(before);
  });

  /** Each change, the options of the next run, and how many inputs that run solves. */
  const CHANGES: readonly [string, () => void, string[], number][] = [
    ['an input of another size', () => write('data/sample/1.in', TWO_CASES), [], 1],
    [
      'an input of the same size with other bytes',
      () => write('data/sample/1.in', ONE_CASE.replace('.', '#')),
      [],
      1,
    ],
    ['answers that were removed', () => rmSync(at('data/sample/1.ans')), [], 1],
    ['a new input', () => write('data/secret/c.in', ONE_CASE), [], 1],
    ['other options', () => {}, ['--format', 'ndjson'], 3],
    ['--force', () => {}, ['--force'], 3],
    ['another solver', () => {}, ['--solver', 'portable', '--chunk', '1'], 0],
    ['an input that was only touched', () => utimesSync(at('data/sample/1.in'), 0, 0), [], 0],
    ['answers that were only touched', () => utimesSync(at('data/sample/1.ans'), 0, 0), [], 0],
  ];

  test('after each change, solve solves only the inputs whose answers are out of date', async () => {
    for (const [change, make, words, solved] of CHANGES) {
      make();
      const files = existsSync(at('data/secret/c.in')) ? 4 : 3;
      const allFiles = solved === 3 ? files : solved;
      const outcome = await solve('data', ...words);
      expect({ change, ...outcome }).toEqual({ change, ...summaryOutcome(allFiles, files - allFiles) });
      const again = await solve('data', ...words.filter((word) => word !== '--force'));
      expect({ change, ...again }).toEqual({ change, ...summaryOutcome(0, files) });
    }
  });

  test('solve replaces answers that it wrote for another problem', async () => {
    write('data/sample/1.in', '1 1\nL\n');
    rmSync(at('data/secret'), { recursive: true });
    expect(await boardmill(['solve', 'darkraft', 'data'], { cwd: folder.path })).toEqual(summaryOutcome(1));
    expect(read('data/sample/1.ans')).toBe('WIN\n');
  });

  test('an input with a marked case is solved again at each run, and the exit code is 1 each time', async () => {
    write('data/secret/a.in', BAD_INPUT);
    for (const solved of [3, 1]) {
      const { code, stderr } = await solve('data', '--on-error', 'mark');
      expect(code).toBe(1);
      expect(linesOf(stderr).at(-1)).toMatch(new RegExp(`^boardmill: ${solved} files? solved`));
    }
  });
});

describe('answers in other formats', () => {
  test.each([
    ['ndjson', '.ndjson', '{"case":1,"answer":2}\n'],
    ['csv', '.csv', 'case,answer\n1,2\n'],
  ])(
    'the answers in %s go to files that end in %s, beside those of the contest',
    async (format, ending, text) => {
      await solve('data', '-q');
      expect(await solve('data', '--format', format)).toEqual(summaryOutcome(3));
      expect(read(`data/sample/1${ending}`)).toBe(text);
      expect(read('data/sample/1.ans')).toBe(ONE_ANSWER);
      for (const words of [[], ['--format', format]])
        expect(await solve('data', ...words)).toEqual(summaryOutcome(0, 3));
    },
  );

  test.each([
    ['text', 'csv', 'an answer file that boardmill wrote'],
    ['csv', 'ndjson', 'a table that solve wrote with --format csv'],
    ['ndjson', 'text', 'a file that solve wrote with --format ndjson'],
  ])('answers in %s are not replaced by answers in %s', async (mine, other, name) => {
    const run = (format: string, ...words: string[]) =>
      solve('data/sample/1.in', '-o', 'x.out', '--format', format, ...words);
    expect(await run(mine)).toMatchObject({ code: 0 });
    const before = read('x.out');
    expect(await run(other)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('x.out exists and is not'),
    });
    expect(read('x.out')).toBe(before);
    expect(await run(mine)).toMatchObject({ code: 0 });
    expect(await run(other, '--force')).toMatchObject({ code: 0 });
    expect((await run(mine)).stderr).toContain(`x.out exists and is not ${name}`);
  });
});

describe('answers to inputs that workers scan themselves', () => {
  const CASES = 16_000;
  /** The least size of chunks at which workers scan. */
  const words = ['big', '--chunk', '256K'];

  beforeEach(async () => {
    mkdirSync(at('big'));
    const shape = ['--rows', '6', '--cols', '6'];
    await boardmill(['generate', 'bt', '--cases', `${CASES}`, '--seed', '1', ...shape, '-o', 'big/a.in'], {
      cwd: folder.path,
    });
    expect(await solve(...words)).toEqual(summaryOutcome(1));
  });

  test('an input is up to date until a byte behind the first chunks changes', async () => {
    expect(await solve(...words)).toEqual(summaryOutcome(0, 1));
    const bytes = readFileSync(at('big/a.in'));
    bytes[bytes.lastIndexOf('.')] = 0x23;
    writeFileSync(at('big/a.in'), bytes);
    const before = read('big/a.ans');
    expect(await solve(...words)).toEqual(summaryOutcome(1));
    expect(read('big/a.ans')).not.toBe(before);
    expect(await solve(...words)).toEqual(summaryOutcome(0, 1));
  });
});

describe('answer files that boardmill did not write', () => {
  beforeEach(() => write('data/secret/group/b.ans', 'by hand\n'));

  test('solve refuses answer files that it did not write before it solves anything', async () => {
    write('data/secret/a.ans', 'by hand too\n');
    const { code, stderr } = await solve('data');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /a\.ans exists and is not an answer file that boardmill wrote; --force overwrites it \(and 1 other file/,
    );
    expect(existsSync(at('data/sample/1.ans'))).toBe(false);
    expect(read('data/secret/group/b.ans')).toBe('by hand\n');
  });

  test('answer files that --force replaced are up to date in the next run', async () => {
    expect(await solve('data', '--force')).toEqual(summaryOutcome(3));
    expect(read('data/secret/group/b.ans')).toBe(ONE_ANSWER);
    expect(await solve('data')).toEqual(summaryOutcome(0, 3));
  });

  test('solve refuses an answer file that was edited after the run that wrote it', async () => {
    await solve('data', '--force');
    write('data/sample/1.ans', 'Case #1: 3\n');
    const { code, stderr } = await solve('data');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('sample/1.ans exists') });
  });

  test('answer files with another ending than --ext are left alone', async () => {
    expect(await solve('data', '--ext', '.out')).toEqual(summaryOutcome(3));
    expect(read('data/secret/group/b.ans')).toBe('by hand\n');
  });
});

describe('solve with many files of which some fail', () => {
  test('solve reports each bad file, solves the others, and exits with code 3', async () => {
    write('data/secret/a.in', BAD_INPUT);
    write('data/secret/z.in', '');
    const { code, stderr } = await solve('data');
    expect(code).toBe(3);
    expect(linesOf(stderr)).toEqual([
      'boardmill: data/secret/a.in:5:2: case 2: expected one of ".#" in row 1 of 1, got "?"',
      'boardmill: data/secret/z.in:1:1: expected the number of cases, got an empty input',
      'boardmill: 2 files solved, 2 failed',
    ]);
    expect(read('data/secret/group/b.ans')).toBe(ONE_ANSWER);
    expect(existsSync(at('data/secret/a.ans'))).toBe(false);
    expect(read('data/secret/a.ans.partial')).toBe('Case #1: 2\n');
  });

  test.each([
    ['solve', []],
    ['stats', []],
    ['judge', ['--exec', 'cat']],
  ])(
    'the gravest failure decides the exit code of %s, whatever the order of the files',
    async (command, options) => {
      symlinkSync('nothing', at('data/a.in'));
      write('data/b.in', BAD_INPUT);
      symlinkSync('nothing', at('data/c.in'));
      const { code, stderr } = await boardmill([command, 'bt', 'data', ...options], { cwd: folder.path });
      expect(stderr).toContain('boardmill: cannot open data/c.in: it is a link to nothing');
      expect(stderr).toContain('boardmill: data/b.in:5:2: case 2: expected one of');
      expect(code).toBe(3);
    },
  );

  const LEFT = 'data/secret/a.ans.checkpoint is left from a run that failed';

  test('an interrupted file is counted as failed until --resume or a change, and new files are solved', async () => {
    write('data/secret/a.in', BAD_INPUT);
    await solve('data', '-q', '--chunk', '1');
    write('data/secret/c.in', ONE_CASE);
    expect(await solve('data')).toEqual({
      code: 2,
      stdout: '',
      stderr: `boardmill: ${LEFT}; --resume continues after 1 case, --force starts over\nboardmill: 1 file solved, 2 up to date, 1 failed\n`,
    });
    expect(read('data/secret/c.ans')).toBe(ONE_ANSWER);
    expect(read('data/secret/a.ans.partial')).toBe('Case #1: 2\n');
    const resumed = await solve('data', '--resume');
    expect({ ...resumed, stderr: linesOf(resumed.stderr) }).toEqual({
      code: 3,
      stdout: '',
      stderr: [
        expect.stringContaining('a.in:5:2: case 2'),
        'boardmill: 0 files solved, 3 up to date, 1 failed',
      ],
    });
  });

  test.each<[string, string[]]>([
    ['without --resume', []],
    ['with --resume', ['--resume']],
  ])('a file that was changed after its run was interrupted is solved anew, %s', async (_, words) => {
    write('data/secret/a.in', BAD_INPUT);
    await solve('data', '-q', '--chunk', '1');
    // Neither the answered part nor the size differs.
    write('data/secret/a.in', BAD_INPUT.replace('?', '#'));
    utimesSync(at('data/secret/a.in'), 1, 1);
    expect(await solve('data', ...words)).toEqual(summaryOutcome(1, 2));
    expect(read('data/secret/a.ans')).toBe(TWO_ANSWERS);
    expect(existsSync(at('data/secret/a.ans.partial'))).toBe(false);
    expect(existsSync(at('data/secret/a.ans.checkpoint'))).toBe(false);
  });

  test.each<[string, () => void, RegExp]>([
    [
      'a checkpoint that is a folder',
      () => {
        rmSync(at('data/secret/a.ans.checkpoint'));
        mkdirSync(at('data/secret/a.ans.checkpoint'));
      },
      /a\.ans\.checkpoint.*--force starts over/,
    ],
    [
      'a damaged checkpoint',
      () => write('data/secret/a.ans.checkpoint', 'x'),
      /a\.ans\.checkpoint is not a checkpoint/,
    ],
    [
      'an edited partial file',
      () => write('data/secret/a.ans.partial', 'Case #1: 3\n'),
      /a\.ans\.partial does not match its checkpoint/,
    ],
  ])('%s costs only its own file', async (_, damage, message) => {
    write('data/secret/a.in', BAD_INPUT);
    await solve('data', '-q', '--chunk', '1');
    write('data/secret/a.in', TWO_CASES);
    utimesSync(at('data/secret/a.in'), 1, 1);
    write('data/secret/c.in', ONE_CASE);
    damage();
    const { code, stderr } = await solve('data');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(linesOf(stderr).at(-1)).toBe('boardmill: 1 file solved, 2 up to date, 1 failed');
    expect(read('data/secret/c.ans')).toBe(ONE_ANSWER);
    expect(existsSync(at('data/secret/a.ans'))).toBe(false);
  });

  test('a file that another run is writing is not called interrupted, and costs only itself', async () => {
    write('data/secret/a.in', BAD_INPUT);
    await solve('data', '-q', '--chunk', '1');
    write('data/secret/c.in', ONE_CASE);
    const lock = await lockFile(at('data/secret/a.ans'));
    try {
      const { code, stderr } = await solve('data');
      expect({ code, stderr: linesOf(stderr) }).toEqual({
        code: 2,
        stderr: [
          'boardmill: data/secret/a.ans is being written by another run of boardmill',
          'boardmill: 1 file solved, 2 up to date, 1 failed',
        ],
      });
    } finally {
      await lock.release();
    }
  });

  test('an interrupted run whose input was changed lets no other format replace the answers', async () => {
    await solve('data', '-q');
    write('data/secret/a.in', BAD_INPUT);
    utimesSync(at('data/secret/a.in'), 1, 1);
    await solve('data', '-q');
    write('data/secret/a.in', TWO_CASES);
    const { code, stderr } = await solve('data', '--format', 'csv', '--ext', '.ans');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('.ans exists and is not') });
    expect(read('data/secret/a.ans')).toBe(TWO_ANSWERS);
  });

  test.each<[string, () => void, string]>([
    [
      'answers in the place of a folder',
      () => mkdirSync(at('data/secret/a.ans')),
      'cannot create data/secret/a.ans: it is a directory',
    ],
    [
      'answers whose name is too long',
      () => renameSync(at('data/secret/a.in'), at(`data/secret/${LONG_NAME}.in`)),
      `cannot create data/secret/${LONG_NAME}.ans: name too long`,
    ],
  ])('%s cost only their own file', async (_, damage, message) => {
    damage();
    expect(await solve('data')).toEqual({
      code: 2,
      stdout: '',
      stderr: `boardmill: ${message}\nboardmill: 2 files solved, 1 failed\n`,
    });
    expect(read('data/sample/1.ans')).toBe(ONE_ANSWER);
  });

  test.each([
    ['gone.in', 'no such file or directory'],
    ['loop/a.in', 'too many symbolic links encountered'],
  ])('an input that cannot be found (%s) keeps no other from being solved', async (name, reason) => {
    symlinkSync('loop', at('loop'));
    expect(await solve('data/sample/1.in', name)).toEqual({
      code: 2,
      stdout: '',
      stderr: `boardmill: cannot open ${name}: ${reason}\nboardmill: 1 file solved, 1 failed\n`,
    });
    expect(read('data/sample/1.ans')).toBe(ONE_ANSWER);
  });

  test('an ending that no answers can have is one mistake of the command line, even beside another failure', async () => {
    mkdirSync(at('data/secret/a.ans.gz'));
    const { code, stderr } = await solve('data', '--ext', '.ans.gz');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^boardmill: cannot create [^\n]*without \.gz[^\n]*; no file was solved\n$/,
      ),
    });
  });
});

test('each of 30 small files gets its own answers', async () => {
  for (let i = 0; i < 30; i++) write(`many/${i}.in`, `1\n1 ${(i % 15) + 1}\n${'.'.repeat((i % 15) + 1)}\n`);
  expect(await solve('many')).toEqual(summaryOutcome(30));
  const alone = await boardmill(['solve', 'bt', 'many/7.in', '-j', '1'], { cwd: folder.path });
  for (let i = 7; i < 30; i += 15) expect(read(`many/${i}.ans`)).toBe(alone.stdout);
  renameSync(at('many'), at('moved'));
  expect((await solve('moved')).code, 'after the move, boardmill does not know the answer files').toBe(2);
});

test('an input that was exchanged for one with the same XXH64 is solved again', () => {
  return expectSolvedAgain(
    'MQoxIDgKICAgICAgICAgICAgICAgICAgICAgICAgICAuLi4uLi4uLgogICAgICAgICAgICAgICAgICAgICAgICAJDQogCgogICAg' +
      'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAJCQogDSAJCSAgICAgICAgICAgICAg' +
      'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAK',
    'MQoxIDgKICAgICAgICAgICAgICAgICAgICAgICAgICAjLi4uLi4uLgogICAgICAgICAgICAgICAgICAgICAgIAoNIAkKICAgICAg' +
      'ICAgICAgICAgICAgICAgICAgICAgIAkgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAKCg0NIA0gCiAgICAgICAgICAgICAg' +
      'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAK',
  );
});

/** Solves one input in base64, then another one in its place, whose answer is different. */
async function expectSolvedAgain(before: string, after: string): Promise<void> {
  const answers: string[] = [];
  for (const input of [before, after]) {
    write('one.in', Buffer.from(input, 'base64').toString('latin1'));
    expect(await solve('one.in', '-o', 'one.ans')).toMatchObject({ code: 0 });
    answers.push(read('one.ans'));
  }
  expect(answers).toEqual(['Case #1: 8\n', 'Case #1: 4\n']);
}
