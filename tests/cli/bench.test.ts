/** `boardmill bench` on the build. What it measures depends on the machine; what it says about it does not. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { STAGE_HEADINGS, SUMMARY_HEADINGS } from '../../src/bench/tables.js';
import { HAS_BROWSER, IN_BROWSER, launchBrowser } from '../support/browser.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { boardmill, exitOf, MAIN, ROOT, start, temporaryFolder, textOf } from './boardmill.js';

allowSlowTests();

const folder = temporaryFolder();
const SAMPLE = join(ROOT, 'data/bacterial-tactics/sample/statement.in');
const ANSWERS = join(ROOT, 'data/bacterial-tactics/sample/statement.ans');

const QUICK = ['--runs', '2', '--warmup', '0'];

/** One board in 200 takes long. */
const SLOW_CASE = 77;
const slowInput = join(folder, 'slow.in');
const SLOW_BOARD = `20 20\n${`${'LRX'.repeat(7).slice(1)}\n`.repeat(20)}`;

/** A program that answers with what is in a file, whatever it is asked. */
function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, script);
  return `'${process.execPath}' '${path}'`;
}

beforeAll(() => {
  const boards = Array.from({ length: 200 }, (_, i) => (i + 1 === SLOW_CASE ? SLOW_BOARD : '1 1\nL\n'));
  writeFileSync(slowInput, boards.join(''));
});

test('settings and programs against each other, and the results as files', async () => {
  const right = program('right.cjs', `process.stdout.write(require('fs').readFileSync('${ANSWERS}'))`);
  const [json, markdown] = ['results.json', 'results.md'].map((name) => join(folder, name));
  const exports = ['--export-json', json, '--export-markdown', markdown];
  const settings = ['--jobs', '1,2', '--solver', 'simd,portable', '--vs', right];
  const outcome = await boardmill(['bench', 'bt', SAMPLE, ...settings, ...QUICK, ...exports]);
  expect(outcome.code).toBe(0);
  const { results, input, runs, breakdowns, coordinator } = JSON.parse(readFileSync(json, 'utf8'));
  const commands = [
    'boardmill -j 1 --solver simd',
    'boardmill -j 2 --solver simd',
    'boardmill -j 1 --solver portable',
    'boardmill -j 2 --solver portable',
  ];
  expect(results.map(({ command }: { command: string }) => command)).toEqual([
    ...commands,
    expect.stringContaining('right.cjs'),
  ]);
  for (const command of commands) expect(outcome.stdout).toContain(command);
  for (const result of results) {
    expect(result.times).toHaveLength(2);
    expect(result.min).toBe(Math.min(...result.times));
    expect(result.mean).toBeCloseTo((result.times[0] + result.times[1]) / 2, 12);
    expect(result.casesPerSecond).toBeCloseTo(5 / result.median, 6);
    expect(result.answers).toBe('same');
  }
  expect(results[0].speed).toEqual({ ratio: 1, low: 1, high: 1 });
  expect(results[0].peakBytes).toBeGreaterThan(1e7);
  expect({ cases: input.cases, runs }).toEqual({ cases: 5, runs: 2 });
  expect(breakdowns.map(({ cases }: { cases: number }) => cases)).toEqual([5, 5, 5, 5]);
  for (const { seconds, stages, setting, utilization } of breakdowns) {
    expect(Math.min(...(Object.values(stages) as number[]))).toBeGreaterThanOrEqual(0);
    expect(stages.read + stages.scan + stages.wait).toBeLessThanOrEqual(seconds);
    expect(stages.parse + stages.solve + stages.print).toBeLessThanOrEqual(setting.jobs * seconds);
    expect(utilization).toBeLessThanOrEqual(1);
  }
  expect(coordinator.busySeconds).toBeGreaterThan(0);
  expect(readFileSync(markdown, 'utf8').split('\n')).toHaveLength(2 + 5 + 1);
});

test('rounds are run in turn, A B B A', async () => {
  const { stderr } = await boardmill(['bench', 'bt', SAMPLE, '--jobs', '1,2', ...QUICK]);
  const order = [...stderr.matchAll(/round (\d) of 2: boardmill -j (\d)/g)].map(
    ([, round, jobs]) => round + jobs,
  );
  expect(order).toEqual(['11', '12', '22', '21']);
});

const LONG_NAME = `${'a-program-with-a-long-name-'.repeat(3)}.cjs`;
const rightAnswers = (name: string) =>
  program(name, `process.stdout.write(require('fs').readFileSync('${ANSWERS}'))`);

/** Needs `script` (util-linux), which gives a program a terminal. */
const HAS_SCRIPT = existsSync('/usr/bin/script');

/** Runs the command line on a terminal of so many columns; `streams`: what is redirected. Returns what it shows. */
async function onTerminal(columns: number, args: readonly string[], streams: string): Promise<string> {
  const words = [process.execPath, MAIN, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = `stty cols ${columns} rows 50; ${words.join(' ')} ${streams}`;
  const env = { ...process.env, CI: '', TERM: 'xterm', SHELL: '/bin/sh' };
  const child = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end();
  return (await textOf(child.stdout)).replaceAll('\r', '');
}

describe('tables fit', () => {
  const args = () => ['bench', 'bt', SAMPLE, '-j', '1,2', ...QUICK, '--vs', rightAnswers(LONG_NAME)];
  const longest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
  /** How many blocks the summary has. */
  const blocks = (text: string) => text.split('Where time goes')[0].match(/^program/gm)?.length;

  test('80 columns, where standard output is no terminal', async () => {
    const { stdout } = await boardmill(args());
    expect(longest(stdout)).toBeLessThanOrEqual(80);
    expect(blocks(stdout)).toBeGreaterThan(1);
    for (const heading of [...SUMMARY_HEADINGS, ...STAGE_HEADINGS]) expect(stdout).toContain(heading);
  });

  describe.skipIf(!HAS_SCRIPT)(
    `a terminal${HAS_SCRIPT ? '' : ': skipped, there is no script (util-linux)'}`,
    () => {
      test.each([40, 100])('of %i columns', async (columns) => {
        const shown = await onTerminal(columns, args(), '2>/dev/null');
        expect(shown).toContain('Where time goes');
        expect(longest(shown)).toBeLessThanOrEqual(columns);
      });

      test('of 250 columns, in one block', async () => {
        expect(blocks(await onTerminal(250, args(), '2>/dev/null'))).toBe(1);
      });

      test('that does not know its size', async () => {
        const shown = await onTerminal(0, args(), '');
        expect(shown).toContain('Where time goes');
        expect(longest(shown.slice(shown.indexOf('bacterial-tactics, 5 cases')))).toBeLessThanOrEqual(80);
      });

      test('with the table that is drawn anew: a long command gives way to its time', async () => {
        const shown = await onTerminal(60, args(), '>/dev/null');
        expect(shown).toMatch(/round 1 of 2: .*\.\.\..*\.cjs'?: [\d.]+ m?s/);
        expect(shown).toMatch(/^.*program +median .*[^ ]\n/m);
      });
    },
  );
});

test('an input that takes no time to solve: one note, which says what to do', async () => {
  const { stderr } = await boardmill(['bench', 'bt', SAMPLE, '-j', '1', ...QUICK]);
  expect(stderr.match(/.*larger input.*/g)).toEqual([
    expect.stringMatching(
      /^boardmill: these runs measure start-up, not solving \(a run takes [\d.,]+ m?s, solving takes [\d.]+ [mu]s\): use a larger input$/,
    ),
  ]);
  expect(stderr).toContain('use --runs 6 or more for a reliable confidence interval\n');
});

describe('other programs', () => {
  test.each([
    [
      'a wrong answer',
      `console.log('Case #1: 0\\nCase #2: 1')`,
      1,
      /answers differently from boardmill -j 1 at token 6: expected "0", got "1"/,
    ],
    [
      'no answer',
      '',
      1,
      /answers differently from boardmill -j 1 at token 1: expected "Case", got the end of the output/,
    ],
    ['a failure', `console.error('out of luck'); process.exit(3)`, 4, /ended with exit code 3: out of luck/],
  ])('%s is told', async (name, script, code, message) => {
    const command = program(`${name.replaceAll(' ', '-')}.cjs`, script);
    const outcome = await boardmill(['bench', 'bt', SAMPLE, '-j', '1', ...QUICK, '-q', '--vs', command]);
    expect(outcome.stderr).toMatch(message);
    expect(outcome.code).toBe(code);
  });

  test('one that is not there: exit 2', async () => {
    const outcome = await boardmill([
      'bench',
      'bt',
      SAMPLE,
      '-j',
      '1',
      ...QUICK,
      '-q',
      '--vs',
      './no-such-program',
    ]);
    expect(outcome).toEqual({
      code: 2,
      stdout: '',
      stderr: 'boardmill: cannot run ./no-such-program: there is no such program\n',
    });
  });
});

test('a bad input is told as solve tells it', async () => {
  const { code, stdout, stderr } = await boardmill(['bench', 'darkraft', '-', '-j', '1', '-q'], {
    stdin: '1 1\n?\n',
  });
  expect(stderr).toMatch(/:2:1: case 1: expected .*, got "\?"\n$/);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
});

test('an input without cases leaves nothing to measure', async () => {
  const { code, stderr } = await boardmill(['bench', 'bt', '-', '-j', '1', '-q'], { stdin: '0\n' });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'boardmill: the input has no cases: there is nothing to measure\n',
  });
});

test('without an input one is made, and how', async () => {
  const { code, stdout, stderr } = await boardmill([
    'bench',
    'zu',
    '-j',
    '1',
    '--runs',
    '1',
    '--warmup',
    '0',
  ]);
  const [command, cases] =
    /boardmill generate river-pawn --cases (\d+) --seed bench --profile contest-max/.exec(stderr) ?? [];
  expect(command).toBeDefined();
  expect(stdout).toContain(`river-pawn, ${Number(cases).toLocaleString('en-US')} cases`);
  expect(code).toBe(0);
});

test('--export-slowest: a well-formed input, the slow case first', async () => {
  const slowest = join(folder, 'slowest.in');
  const args = [
    '--solver',
    'portable',
    '-j',
    '1',
    '--runs',
    '1',
    '--warmup',
    '0',
    '--export-slowest',
    slowest,
  ];
  expect((await boardmill(['bench', 'darkraft', slowInput, ...args])).code).toBe(0);
  expect(readFileSync(slowest, 'utf8').startsWith(SLOW_BOARD)).toBe(true);
  expect((await boardmill(['validate', 'darkraft', slowest])).stderr).toContain('no error in 10 cases');
});

describe('wrong usage: exit 2, one line, before anything is measured', () => {
  test.concurrent.each([
    ['no number of workers', ['--jobs', '1,0'], /--jobs needs a whole number of at least 1, got "0"/],
    [
      'an unknown solver',
      ['--solver', 'simd,magic'],
      /--solver needs a list of auto, simd, portable, got "magic"/,
    ],
    ['no runs', ['--runs', '0'], /--runs needs/],
    [
      'an export nowhere',
      ['--html', 'nowhere/report.html'],
      /cannot create nowhere\/report.html: no such file/,
    ],
    ['an export over the input', ['--export-slowest', SAMPLE], /is both input and --export-slowest/],
    ['a missing input', [], /cannot open missing.in: no such file or directory/, 'missing.in'],
  ])('%s', async (_, words, message, input = SAMPLE) => {
    const { code, stdout, stderr } = await boardmill(['bench', 'bt', input, ...words, '-q'], { cwd: folder });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^boardmill: [^\n]*\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

test('the first signal ends it, and what it runs', async () => {
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch);
  const child = start(['bench', 'bt', SAMPLE, '-j', '1', ...QUICK, '--vs', 'sleep 1000'], {
    env: { ...process.env, TMPDIR: scratch },
  });
  const ended = exitOf(child);
  let said = '';
  child.stderr.on('data', (data: Buffer) => {
    const before = said.includes('round 1');
    said += data;
    if (!before && said.includes('round 1')) child.kill('SIGINT');
  });
  expect(await ended).toBe(130);
  expect(said).toContain('boardmill: stopped by SIGINT\n');
  expect(readdirSync(scratch)).toEqual([]);
});

describe(`--html in ${IN_BROWSER}`, () => {
  test.skipIf(!HAS_BROWSER)('one page that needs nothing else, with plots that are drawn', async () => {
    const html = join(folder, 'report.html');
    const wrong = program('wrong.cjs', `console.log('<b>no</b>')`);
    const args = ['--jobs', '1,2', '--runs', '2', '--warmup', '0', '--vs', wrong, '--html', html];
    expect((await boardmill(['bench', 'darkraft', slowInput, ...args])).code).toBe(1);
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
      const asked: string[] = [];
      const said: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(error.message));
      await page.goto(pathToFileURL(html).href);
      expect(asked).toEqual([pathToFileURL(html).href]);
      expect(said).toEqual([]);
      for (const what of [
        'throughput by worker threads',
        "the coordinator's time",
        "the workers' time",
        'distribution of time per case',
        'time of every run',
      ]) {
        const svg = page.getByRole('img', { name: what }).locator('svg:visible');
        const box = await svg.boundingBox();
        expect(box?.height, what).toBeGreaterThan(80);
        expect(await svg.locator('path, rect, circle, line').count(), what).toBeGreaterThan(5);
        expect(await svg.evaluate((node) => node.outerHTML), what).not.toMatch(/NaN|undefined/);
      }
      expect(await page.locator('.wrong').innerText()).toContain('expected "WIN", got "<b>no</b>"');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1000);
    } finally {
      await browser.close();
    }
  });
});
