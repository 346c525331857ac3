/**
 * Tests of `solve` with so many files that it lists the names in their folders, instead of looking for each of them: it must
 * refuse and skip what a run over few files does.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { FEW_FILES } from '../../src/core/files/identity.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { exitOf, type Outcome, start, textOf } from './boardmill.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const ONE_CASE = '1\n1 1\n.\n';
const LATE_FAULT = '2\n1 1\n.\n1 2\n#?\n';
const LONG_NAME = 'x'.repeat(240);

const folder = folderForEachTest();
const { at, write } = folder;

const solve = (name: string, ...args: string[]) =>
  boardmill(['solve', 'bt', '-j', '1', name, ...args], { cwd: folder.path });

/** What lies beside an input `x.in` before the run, and the options of the run. */
const OBSTACLES: [what: string, prepare: (data: string) => Promise<void> | void, args?: string[]][] = [
  ['a file of the user', (data) => write(`${data}/x.ans`, 'mine')],
  ['a folder', (data) => void mkdirSync(at(`${data}/x.ans`))],
  ['a FIFO', (data) => void execFileSync('mkfifo', [at(`${data}/x.ans`)])],
  ['a link to nothing', (data) => symlinkSync('gone', at(`${data}/x.ans`))],
  ['a link to a file of the user', (data) => linkTo(data, 'mine')],
  ['a link to an empty file', (data) => linkTo(data, '')],
  ['a part of a file of the user', (data) => write(`${data}/x.ans.partial`, 'mine')],
  ['a checkpoint of the user', (data) => write(`${data}/x.ans.checkpoint`, 'mine')],
  ['a next checkpoint of the user', (data) => write(`${data}/x.ans.checkpoint.new`, 'mine')],
  ['the checkpoint of a run that failed', leaveCheckpoint],
  ['answers that are up to date', async (data) => void (await solve(`${data}/x.in`, '--ext', '.ans'))],
  ['a name that is too long with its endings', (data) => write(`${data}/${LONG_NAME}.in`, ONE_CASE)],
  ['an ending of compressed files', () => {}, ['--ext', '.gz']],
  ['a folder for the answers that cannot be made', () => {}, ['--out-dir', 'file/answers']],
];

function linkTo(data: string, text: string): void {
  write(`${data}.target`, text);
  symlinkSync(`../${data}.target`, at(`${data}/x.ans`));
}

async function leaveCheckpoint(data: string): Promise<void> {
  write(`${data}/x.in`, LATE_FAULT);
  expect((await solve(`${data}/x.in`, '--ext', '.ans', '--chunk', '1')).code).toBe(3);
}

/** Returns what a run says of the obstacle: neither the name of the folder of its inputs nor how many files it has. */
function describeRun({ code, stderr }: Outcome, data: string): unknown {
  const lines = stderr.replaceAll(`${data}/`, '').replaceAll(`${data}.`, '').split('\n');
  return {
    code,
    lines: lines.map((line) => line.replace(/\d+ (files solved|other files)/, 'N $1')),
  };
}

describe('solve of many files', () => {
  beforeEach(() => {
    write('file', '');
    for (const [data, count] of [
      ['few', 3],
      ['many', FEW_FILES + 4],
    ] as const) {
      write(`${data}/x.in`, ONE_CASE);
      for (let i = 1; i < count; i++) write(`${data}/${i}.in`, ONE_CASE);
    }
  });

  test.each(OBSTACLES)('finds %s, as a run over few files does', async (_, prepare, args = []) => {
    const runs: unknown[] = [];
    for (const data of ['few', 'many']) {
      await prepare(data);
      runs.push(describeRun(await solve(data, ...args), data));
    }
    expect(runs[1]).toEqual(runs[0]);
    expect(JSON.stringify(runs[0])).not.toBe(
      JSON.stringify({ code: 0, lines: ['boardmill: N files solved', ''] }),
    );
  });

  test('solves all of them if nothing lies there', async () => {
    expect(await solve('many')).toEqual({
      code: 0,
      stdout: '',
      stderr: `boardmill: ${FEW_FILES + 4} files solved\n`,
    });
    expect((await solve('many')).stderr).toBe(`boardmill: 0 files solved, ${FEW_FILES + 4} up to date\n`);
  });

  test.each<[what: string, place: (path: string) => void, reason: string]>([
    ['a link to a device', (path) => symlinkSync('/dev/null', path), 'it is not a regular file'],
    ['a FIFO', (path) => void execFileSync('mkfifo', [path]), 'it is not a regular file'],
    [
      'a link to nothing',
      (path) => symlinkSync('gone', path),
      'it is a link to a file that is missing or empty',
    ],
  ])('writes no answers into %s that comes after the outputs were chosen', async (_, place, reason) => {
    execFileSync('mkfifo', [at('first.in')]);
    const options = ['-j', '1', '--out-dir', 'out', '--force'];
    const child = start(['solve', 'bt', 'first.in', 'few', ...options], { cwd: folder.path });
    const [stderr, exit] = [textOf(child.stderr), exitOf(child)];
    // The folder is made when the outputs are chosen. The first input then keeps the others waiting.
    await until(() => existsSync(at('out')));
    place(at('out/x.ans'));
    writeFileSync(at('first.in'), ONE_CASE);
    expect(await exit).toBe(2);
    expect(await stderr).toBe(
      `boardmill: cannot create out/x.ans: ${reason}\nboardmill: 3 files solved, 1 failed\n`,
    );
  });
});
