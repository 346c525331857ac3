/** Tests of `boardmill bench` that need a terminal or a browser, or that take some seconds. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { HAS_BROWSER, IN_BROWSER, openContext } from '../support/browser.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { countBlocks, createPrograms, longestLine, ONE_RUN, SAMPLE, TWO_RUNS } from './bench-runs.js';
import { boardmill, MAIN, textOf } from './boardmill.js';

allowSlowTests();

const { folder, writeProgram, rightProgram } = createPrograms();

test('without an input file, bench generates an input and prints the generate command', async () => {
  const { code, stdout, stderr } = await boardmill(['bench', 'zu', '-j', '1', ...ONE_RUN]);
  const [command, cases] =
    /boardmill generate river-pawn --cases (\d+) --seed bench --profile contest-max/.exec(stderr) ?? [];
  expect(command).toBeDefined();
  expect(stdout).toContain(`river-pawn, ${Number(cases).toLocaleString('en-US')} cases`);
  expect(code).toBe(0);
});

/** Whether `script` (util-linux) is installed. It runs a program on a terminal. */
const HAS_SCRIPT = existsSync('/usr/bin/script');

/**
 * Runs boardmill on a terminal with this number of columns, and returns what the terminal shows.
 * `redirections` is shell syntax, such as `2>/dev/null`.
 */
async function onTerminal(columns: number, args: readonly string[], redirections: string): Promise<string> {
  const words = [process.execPath, MAIN, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = `stty cols ${columns} rows 50; ${words.join(' ')} ${redirections}`;
  const env = { ...process.env, CI: '', TERM: 'xterm', SHELL: '/bin/sh' };
  const child = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end();
  return (await textOf(child.stdout)).replaceAll('\r', '');
}

test('a --vs program that prints without end is stopped', async () => {
  const { code, stderr } = await boardmill([
    'bench',
    'bt',
    SAMPLE,
    '-j',
    '1',
    ...ONE_RUN,
    '-q',
    '--vs',
    'yes',
  ]);
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: expect.stringMatching(/^boardmill: yes printed more than \d+ bytes, and was stopped\n$/),
  });
});

const args = () => ['bench', 'bt', SAMPLE, '-j', '1,2', ...TWO_RUNS, '--details', '--vs', rightProgram()];

describe.skipIf(!HAS_SCRIPT)(
  `on a terminal${HAS_SCRIPT ? '' : ' (skipped: script of util-linux is not installed)'}`,
  () => {
    test.each([40, 100])('the tables of bench fit a terminal of %i columns', async (columns) => {
      const shown = await onTerminal(columns, args(), '2>/dev/null');
      expect(shown).toContain('Where time goes');
      expect(longestLine(shown)).toBeLessThanOrEqual(columns);
    });

    test('on a terminal of 250 columns, the summary of bench is one block', async () => {
      expect(countBlocks(await onTerminal(250, args(), '2>/dev/null'))).toBe(1);
    });

    test('the tables of bench fit 80 columns on a terminal that reports no size', async () => {
      const shown = await onTerminal(0, args(), '');
      expect(shown).toContain('Where time goes');
      expect(longestLine(shown.slice(shown.indexOf('bacterial-tactics, 5 cases')))).toBeLessThanOrEqual(80);
    });

    test('the progress line of bench shortens a long command, and shows its time in full', async () => {
      const shown = await onTerminal(60, args(), '>/dev/null');
      expect(shown).toMatch(/round 1 of 2: .*\.\.\..*\.sh'?: [\d.]+ m?s/);
      expect(shown).toMatch(/^.*program +median .*[^ ]\n/m);
    });
  },
);

describe(`the --html report in ${IN_BROWSER}`, () => {
  test.skipIf(!HAS_BROWSER)(
    'the --html report is one page that loads no other file, and draws all plots',
    async () => {
      const html = join(folder, 'report.html');
      const wrong = writeProgram('wrong', "echo '<b>no</b>'");
      const args = ['--jobs', '1,2', ...TWO_RUNS, '--vs', wrong, '--html', html];
      const input = join(folder, 'plotted.in');
      await boardmill(['generate', 'bt', '--cases', '500', '--seed', '1', '-o', input]);
      expect((await boardmill(['bench', 'bt', input, ...args])).code).toBe(1);
      const context = await openContext({ viewport: { width: 1000, height: 800 } });
      try {
        const page = await context.newPage();
        const requestedUrls: string[] = [];
        const consoleMessages: string[] = [];
        page.on('request', (request) => requestedUrls.push(request.url()));
        page.on('console', (message) => consoleMessages.push(message.text()));
        page.on('pageerror', (error) => consoleMessages.push(error.message));
        await page.goto(pathToFileURL(html).href);
        expect(requestedUrls).toEqual([pathToFileURL(html).href]);
        expect(consoleMessages).toEqual([]);
        for (const plot of [
          'throughput by worker threads',
          "the coordinator's time",
          "the workers' time",
          'distribution of time per case',
          'time of every run',
        ]) {
          const svg = page.getByRole('img', { name: plot }).locator('svg:visible');
          const box = await svg.boundingBox();
          expect(box?.height, plot).toBeGreaterThan(80);
          expect(await svg.locator('path, rect, circle, line').count(), plot).toBeGreaterThan(5);
          expect(await svg.evaluate((node) => node.outerHTML), plot).not.toMatch(/NaN|undefined/);
        }
        expect(await page.locator('.wrong').innerText()).toContain('expected "Case", got "<b>no</b>"');
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1000);
      } finally {
        await context.close();
      }
    },
  );
});
