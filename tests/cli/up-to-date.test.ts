/** Tests of what is done already: `solve` with one input and `--output` does not make the same answers again. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { program } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { shell } from './boardmill.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const INPUT = '2\n1 1\n.\n1 2\n##\n';
const BAD_INPUT = '2\n1 1\n.\n1 2\n#?\n';
const ANSWERS = 'Case #1: 2\nCase #2: 0\n';
const UP_TO_DATE = { code: 0, stdout: '', stderr: 'boardmill: big.ans is up to date\n' };
const SOLVED = { code: 0, stdout: '', stderr: '' };

const folder = folderForEachTest();
const { at, read, write } = folder;

const solve = (...args: string[]) => boardmill(['solve', 'bt', '-j', '1', ...args], { cwd: folder.path });
const solveFile = (...args: string[]) => solve('big.in', '-o', 'big.ans', ...args);

beforeEach(async () => {
  write('big.in', INPUT);
  expect(await solveFile()).toEqual(SOLVED);
});

describe('the answers to one input', () => {
  test('are not made again if nothing has changed', async () => {
    const before = statSync(at('big.ans')).mtimeMs;
    expect(await solveFile()).toEqual(UP_TO_DATE);
    expect(statSync(at('big.ans')).mtimeMs).toBe(before);
    expect(read('big.ans')).toBe(ANSWERS);
  });

  test('are not made again with other settings, or times of change', async () => {
    const changes: readonly [string, () => void, string[]][] = [
      ['--chunk and --solver', () => {}, ['--chunk', '1', '--solver', 'portable']],
      ['--timeout and --retries', () => {}, ['--timeout', '9', '--retries', '3']],
      ['--resume', () => {}, ['--resume']],
      ['an input that was only touched', () => utimesSync(at('big.in'), 0, 0), []],
      ['answers that were only touched', () => utimesSync(at('big.ans'), 0, 0), []],
    ];
    for (const [change, make, words] of changes) {
      make();
      expect({ change, ...(await solveFile(...words)) }).toEqual({ change, ...UP_TO_DATE });
    }
    const words = ['solve', 'bacterial-tactics', 'big.in', '-o', 'big.ans', '--jobs', '2'];
    expect(await boardmill(words, { cwd: folder.path })).toEqual(UP_TO_DATE);
  });

  test('are made again after each of these changes, and then are up to date', async () => {
    const changes: readonly [string, () => void, string[]][] = [
      ['--force', () => {}, ['--force']],
      ['an input of another size', () => write('big.in', '1\n1 1\n.\n'), []],
      ['an input of the same size', () => write('big.in', '1\n1 1\n#\n'), []],
      ['--on-error mark', () => {}, ['--on-error', 'mark']],
      ['answers that are missing', () => rmSync(at('big.ans')), []],
    ];
    for (const [change, make, words] of changes) {
      make();
      expect({ change, ...(await solveFile(...words)) }).toEqual({ change, ...SOLVED });
      const again = await solveFile(...words.filter((word) => word !== '--force'));
      expect({ change, ...again }).toEqual({ change, ...UP_TO_DATE });
    }
  });

  test('are not made again with -q, which prints nothing, and --stats says so', async () => {
    expect(await solveFile('-q')).toEqual(SOLVED);
    const { stderr } = await solveFile('-q', '--stats', '-');
    const nothing = { cases: 0, failedCases: 0, resumedCases: 0, bytes: 0, casesPerSecond: 0, chunks: 0 };
    const stats = {
      problem: 'bacterial-tactics',
      upToDate: true,
      solver: null,
      slowestCases: [],
      ...nothing,
    };
    expect(JSON.parse(stderr)).toMatchObject(stats);
    const solved = await solveFile('-q', '-f', '--stats', '-');
    expect(JSON.parse(solved.stderr)).toMatchObject({ cases: 2, solver: 'simd' });
  });

  test('that somebody has edited are not replaced', async () => {
    appendFileSync(at('big.ans'), 'mine\n');
    const { code, stderr } = await solveFile();
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('big.ans exists') });
  });

  test('in another format or with other columns are another output', async () => {
    for (const words of [
      ['ndjson'],
      ['csv'],
      ['csv', '--columns', 'file'],
      ['csv', '--columns', 'file,line'],
    ]) {
      const args = ['-o', 'table', '-f', '--format', ...words];
      expect(await solve('big.in', ...args)).toEqual(SOLVED);
      const again = await solve('big.in', ...args.filter((word) => word !== '-f'));
      expect(again.stderr).toBe('boardmill: table is up to date\n');
    }
    write('other.in', INPUT);
    // The column shows another name.
    const words = ['--format', 'csv', '--columns', 'file,line'];
    expect(await solve('other.in', '-o', 'table', ...words)).toEqual(SOLVED);
    // The name of the input is in no column.
    expect((await solve('other.in', '-o', 'big.ans')).stderr).toBe(UP_TO_DATE.stderr);
  });

  test('of a compressed input are compared by what is in it', async () => {
    writeFileSync(at('big.in.gz'), gzipSync(INPUT, { level: 1 }));
    expect((await solve('big.in.gz', '-o', 'big.ans')).stderr).toBe(UP_TO_DATE.stderr);
    writeFileSync(at('big.in.gz'), gzipSync(INPUT.replace('.', '#')));
    expect(await solve('big.in.gz', '-o', 'big.ans')).toEqual(SOLVED);
    expect(read('big.ans')).toBe('Case #1: 0\nCase #2: 0\n');
  });

  test('of a program, and those of a shard, are always made again', async () => {
    for (const words of [
      ['--exec', program('bacterial-tactics')],
      ['--shard', '1/1'],
    ]) {
      for (let round = 0; round < 2; round++)
        expect(await solve('big.in', '-o', 'other.ans', '-f', '-q', ...words)).toEqual(SOLVED);
      const { stderr } = await solve('big.in', '-o', 'other.ans', '--stats', '-', ...words);
      expect(stderr).not.toContain('upToDate');
      expect(stderr).toContain('"cases": 2');
    }
  });

  test('with marked cases are made again', async () => {
    write('big.in', BAD_INPUT);
    for (let round = 0; round < 2; round++) {
      const { code, stderr } = await solveFile('--on-error', 'mark');
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('big.in:5:2: case 2') });
    }
  });

  test('of standard input, and in what is no regular file, are always made again', async () => {
    const args = ['solve', 'bt', '-', '-j', '1', '-o', 'big.ans', '--stats', '-'];
    const { stderr } = await boardmill(args, { cwd: folder.path, stdin: INPUT });
    expect(JSON.parse(stderr)).toMatchObject({ cases: 2 });
    // The input on the disk has the same bytes.
    expect(JSON.parse((await solveFile('--stats', '-', '-q')).stderr)).toMatchObject({ upToDate: true });
    for (let round = 0; round < 2; round++) {
      expect(await solve('big.in', '-o', '/dev/stdout')).toEqual({ ...SOLVED, stdout: ANSWERS });
      expect(await solve('big.in', '-o', '/dev/null')).toEqual(SOLVED);
    }
  });

  test('of a FIFO are made again, and it is read only once', async () => {
    execFileSync('mkfifo', [at('fifo')]);
    const script = 'cat big.in > fifo & boardmill solve bt fifo -o big.ans; cat big.ans';
    expect((await shell(script, { cwd: folder.path })).stdout).toBe(ANSWERS);
  });

  test('at which a link leads are not made again', async () => {
    symlinkSync('big.ans', at('link'));
    expect((await solve('big.in', '-o', 'link')).stderr).toBe('boardmill: link is up to date\n');
    expect((await solve('big.in', '--ext', '.ans')).stderr).toBe('boardmill: 0 files solved, 1 up to date\n');
  });
});

describe('a run that has not ended', () => {
  test('is called failed after a failure, and is not up to date', async () => {
    await solveFile('-f');
    write('big.in', BAD_INPUT);
    expect((await solveFile('--chunk', '1')).code).toBe(3);
    expect((await solveFile()).stderr).toBe(
      'boardmill: big.ans.checkpoint is left from a run that failed; --resume continues after 1 case, --force starts over\n',
    );
    // With the input as it was, the answers are up to date, but what is left of the other run comes first.
    write('big.in', INPUT);
    expect((await solveFile()).code).toBe(2);
    expect(await solveFile('--resume')).toEqual(SOLVED);
    expect(await solveFile('--resume')).toEqual(UP_TO_DATE);
    expect(existsSync(at('big.ans.checkpoint'))).toBe(false);
  });
});
