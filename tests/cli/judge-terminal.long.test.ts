/** The live table of `judge --package` on a real terminal of 80 columns. */
import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { hasTmux, PATIENCE, Terminal } from '../support/terminal.js';
import { until } from '../support/until.js';
import { RIGHT, SUM_DATA, writePackage } from '../tools/judge/package/package-folder.js';
import { MAIN } from './boardmill.js';

allowSlowTests();

const folder = folderForEachTest();
let terminal: Terminal;
afterEach(() => terminal.close());

const COLUMNS = 80;
const LONG = 'a-solution-with-a-name-that-is-long-enough-to-wrap';

/** Judges a package whose third submission waits until it is killed. */
async function judgeInTerminal(rows: number): Promise<void> {
  const files = Object.fromEntries(
    Array.from({ length: 31 }, (_, index) => [`submissions/accepted/${LONG}-${index + 10}.sh`, RIGHT]),
  );
  const waiting = `echo >"${folder.at('started')}"; exec sleep 1000\n`;
  writePackage(folder.at('sum'), {
    ...SUM_DATA,
    ...files,
    [`submissions/accepted/${LONG}-12.sh`]: waiting,
  });
  const command = `exec env XDG_CACHE_HOME='${folder.at('cache')}' '${process.execPath}' '${MAIN}' judge --package sum -j 1`;
  writeFileSync(folder.at('go'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  terminal = await Terminal.open({ cwd: folder.path, columns: COLUMNS, rows });
  await terminal.type('./go', 'Enter');
  await until(() => existsSync(folder.at('started')));
}

describe.skipIf(!hasTmux)('the live table', () => {
  test('fits into 80 columns, shows what runs, and leaves the finished rows when it is stopped', async () => {
    await judgeInTerminal(24);
    const expected = [
      expect.stringMatching(/^program +AC +WA +TLE +RTE +MLE +slowest +fits$/),
      expect.stringMatching(/^submissions.*\.\.\..*-10\.sh +2 +0 +0 +0 +0 +0\.\d\d s +yes$/),
      expect.stringMatching(/^submissions.*\.\.\..*-11\.sh +2 +0 +0 +0 +0 +0\.\d\d s +yes$/),
    ];
    await vi.waitFor(async () => {
      const screen = (await terminal.screen()).filter((line) => line !== '');
      const table = screen.slice(screen.findIndex((line) => line.startsWith('program')));
      expect(table).toEqual([
        ...expected,
        expect.stringMatching(/^2 of 31 submissions, 4 of 62 runs; running submissions\/accepted\/a-sol/),
      ]);
      expect(table.filter((line) => line.length >= COLUMNS)).toEqual([]);
    }, PATIENCE);
    await terminal.type('C-c');
    await vi.waitFor(async () => {
      const lines = await terminal.lines();
      const from = lines.findIndex((line) => line.startsWith('program'));
      expect(lines.slice(from, from + 4)).toEqual([...expected, 'boardmill: stopped by SIGINT']);
    }, PATIENCE);
  });

  test('shows its last rows if the terminal is low', async () => {
    await judgeInTerminal(5);
    await vi.waitFor(async () => {
      const screen = (await terminal.screen()).filter((line) => line !== '');
      expect(screen.at(-1)).toMatch(/^2 of 31 submissions/);
      expect(screen.length).toBeLessThanOrEqual(5);
    }, PATIENCE);
  });
});
