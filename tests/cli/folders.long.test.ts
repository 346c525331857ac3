/** More inputs than in folders.test.ts that workers scan themselves, and whose answers are up to date or not. */
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();
const { at, read } = folder;

const solve = (...args: string[]) => boardmill(['solve', 'bt', '-j', '2', ...args], { cwd: folder.path });

/** Returns the outcome of a run in which the input was solved or was up to date. */
const summaryOutcome = (solved: number, upToDate = 0) => ({
  code: 0,
  stdout: '',
  stderr: `boardmill: ${solved} file${solved === 1 ? '' : 's'} solved${upToDate > 0 ? `, ${upToDate} up to date` : ''}\n`,
});

describe('answers to inputs that workers scan themselves', () => {
  const CASES = 40_000;
  /** The least size of chunks at which workers scan. */
  const words = ['big', '--chunk', '256K'];
  const cutInput = () => truncateSync(at('big/a.in'), statSync(at('big/a.in')).size >> 1);

  beforeEach(async () => {
    mkdirSync(at('big'));
    const shape = ['--rows', '6', '--cols', '6'];
    await boardmill(['generate', 'bt', '--cases', `${CASES}`, '--seed', '1', ...shape, '-o', 'big/a.in'], {
      cwd: folder.path,
    });
    expect(await solve(...words)).toEqual(summaryOutcome(1));
  });

  test('a compressed input is up to date until a byte behind the first chunks changes', async () => {
    const bytes = readFileSync(at('big/a.in'));
    rmSync(at('big/a.in'));
    writeFileSync(at('big/a.in.gz'), gzipSync(bytes));
    expect(await solve(...words)).toEqual(summaryOutcome(0, 1));
    bytes[bytes.lastIndexOf('.')] = 0x23;
    writeFileSync(at('big/a.in.gz'), gzipSync(bytes));
    const before = read('big/a.ans');
    expect(await solve(...words)).toEqual(summaryOutcome(1));
    expect(read('big/a.ans')).not.toBe(before);
    expect(await solve(...words)).toEqual(summaryOutcome(0, 1));
  });

  test('an input that was cut is not up to date', async () => {
    cutInput();
    const { code, stderr } = await solve(...words);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/1 failed/) });
  });
});
