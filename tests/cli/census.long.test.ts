/** Tests of `boardmill census` with signals, and with sizes that take some seconds. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { boardmill, exitOf, start } from './boardmill.js';

allowSlowTests();

/** A census that takes some seconds, because it solves each board with portable code. */
const SLOW = ['census', 'bt', '--rows', '4', '--cols', '4..5', '--solver', 'portable', '-o'];

describe('a census that is', () => {
  test.each([
    ['stopped by a signal', 'SIGINT', 130],
    ['killed', 'SIGKILL', 'SIGKILL'],
  ] as const)('%s is continued by --resume, with the counts of one that was not', async (_, signal, code) => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.json');
    const child = start([...SLOW, file, '-j', '1']);
    child.stderr.resume();
    const end = exitOf(child);
    // FILE.census is written for the first time after half a second.
    await until(() => existsSync(`${file}.census`));
    child.kill(signal);
    expect(await end).toBe(code);
    expect(existsSync(file)).toBe(false);
    const { done, slices } = JSON.parse(readFileSync(`${file}.census`, 'utf8'));
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(slices);
    const again = await boardmill([...SLOW, file]);
    expect([again.code, again.stderr]).toEqual([
      2,
      `boardmill: ${file}.census is there from an interrupted census; --resume continues it, --force starts over\n`,
    ]);
    const other = [
      'census',
      'bt',
      '--rows',
      '4',
      '--cols',
      '4',
      '--solver',
      'portable',
      '-o',
      file,
      '--resume',
    ];
    expect((await boardmill(other)).stderr).toContain('does not fit this census: --cols was 4..5, is 4..4');
    expect((await boardmill([...SLOW, file, '--resume'])).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['a.json']);
    const fast = await boardmill(['census', 'bt', '--rows', '4', '--cols', '4..5', '--json']);
    expect(readFileSync(file, 'utf8')).toBe(fast.stdout);
  });
});
