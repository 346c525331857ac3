/** Tests of `boardmill bench`. They run the build, and check what bench prints and writes, but no measured time. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { stageTable, summaryTable } from '../../src/tools/bench/tables.js';
import { HAS_BROWSER, IN_BROWSER, launchBrowser } from '../support/browser.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { boardmill, exitOf, MAIN, ROOT, start, textOf } from './boardmill.js';

allowSlowTests();

const folder = temporaryFolder();
const SAMPLE = join(ROOT, 'data/bacterial-tactics/sample/statement.in');
const ANSWERS = join(ROOT, 'data/bacterial-tactics/sample/statement.ans');

/** Options for few runs, because the tests do not check measured times. */
const FEW_RUNS = ['--runs', '2', '--warmup', '0'];

/** Number of the case in `slowInputPath` that takes much longer than the 199 other cases. */
const SLOW_CASE = 77;
const slowInputPath = join(folder, 'slow.in');
const SLOW_BOARD = `20 20\n${`${'LRX'.repeat(7).slice(1)}\n`.repeat(20)}`;

/** Writes a Node script into the folder of this file's tests. Returns the command that runs it. */
function writeProgram(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, script);
  return `'${process.execPath}' '${path}'`;
}

beforeAll(() => {
  const boards = Array.from({ length: 200 }, (_, i) => (i + 1 === SLOW_CASE ? SLOW_BOARD : '1 1\nL\n'));
  writeFileSync(slowInputPath, boards.join(''));
});

test('bench times every combination of --jobs and --solver and a --vs program, and exports the results', async () => {
  const right = writeProgram('right.cjs', `process.stdout.write(require('fs').readFileSync('${ANSWERS}'))`);
  const [json, markdown] = ['results.json', 'results.md'].map((name) => join(folder, name));
  const exports = ['--export-json', json, '--export-markdown', markdown];
  const settings = ['--jobs', '1,2', '--solver', 'simd,portable', '--vs', right];
  const outcome = await boardmill(['bench', 'bt', SAMPLE, ...settings, ...FEW_RUNS, ...exports]);
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

test('bench reverses the order of the commands in every second round (A B B A)', async () => {
  const { stderr } = await boardmill(['bench', 'bt', SAMPLE, '--jobs', '1,2', ...FEW_RUNS]);
  const order = [...stderr.matchAll(/round (\d) of 2: boardmill -j (\d)/g)].map(
    ([, round, jobs]) => round + jobs,
  );
  expect(order).toEqual(['11', '12', '22', '21']);
});

const LONG_NAME = `${'a-program-with-a-long-name-'.repeat(3)}.cjs`;
/** Returns the command of a program that prints the right answers to SAMPLE. */
const rightProgram = (name: string) =>
  writeProgram(name, `process.stdout.write(require('fs').readFileSync('${ANSWERS}'))`);

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

describe('the tables that bench prints', () => {
  const args = () => [
    'bench',
    'bt',
    SAMPLE,
    '-j',
    '1,2',
    ...FEW_RUNS,
    '--details',
    '--vs',
    rightProgram(LONG_NAME),
  ];
  const longestLine = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
  /** Returns the number of blocks of columns into which the summary is broken. */
  const countBlocks = (text: string) => text.split('Where time goes')[0].match(/^program/gm)?.length;

  test('the tables of bench fit 80 columns if standard output is not a terminal', async () => {
    const { stdout } = await boardmill(args());
    expect(longestLine(stdout)).toBeLessThanOrEqual(80);
    expect(countBlocks(stdout)).toBeGreaterThan(1);
    const tables = [summaryTable([]), stageTable({ summaries: [], breakdowns: [] })];
    for (const [headings] of tables) for (const heading of headings) expect(stdout).toContain(heading);
    expect(stdout).toContain('The coordinator alone needs');
  });

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
        expect(shown).toMatch(/round 1 of 2: .*\.\.\..*\.cjs'?: [\d.]+ m?s/);
        expect(shown).toMatch(/^.*program +median .*[^ ]\n/m);
      });
    },
  );
});

test('if the input is too small to measure solving, bench prints one note that asks for a larger input', async () => {
  const { stderr } = await boardmill(['bench', 'bt', SAMPLE, '-j', '1', ...FEW_RUNS]);
  expect(stderr.match(/.*larger input.*/g)).toEqual([
    expect.stringMatching(
      /^boardmill: these runs measure start-up, not solving \(a run takes [\d.,]+ m?s, solving takes [\d.]+ [mu]s\): use a larger input$/,
    ),
  ]);
  expect(stderr).toContain('use --runs 6 or more for a reliable confidence interval\n');
});

describe('bench with a program given by --vs', () => {
  test.each([
    [
      'prints a wrong answer',
      `console.log('Case #1: 0\\nCase #2: 1')`,
      1,
      /answers differently from boardmill -j 1 at token 6: expected "0", got "1"/,
    ],
    [
      'prints no answer',
      '',
      1,
      /answers differently from boardmill -j 1 at token 1: expected "Case", got the end of the output/,
    ],
    [
      'exits with code 3',
      `console.error('out of luck'); process.exit(3)`,
      4,
      /ended with exit code 3: out of luck/,
    ],
  ])('bench reports that the --vs program %s', async (name, script, code, message) => {
    const command = writeProgram(`${name.replaceAll(' ', '-')}.cjs`, script);
    const outcome = await boardmill(['bench', 'bt', SAMPLE, '-j', '1', ...FEW_RUNS, '-q', '--vs', command]);
    expect(outcome.stderr).toMatch(message);
    expect(outcome.code).toBe(code);
  });

  test('bench exits with code 2 if the --vs program does not exist', async () => {
    const outcome = await boardmill([
      'bench',
      'bt',
      SAMPLE,
      '-j',
      '1',
      ...FEW_RUNS,
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

test('a --vs program for a contest of one case a file gets each case in a process of its own', async () => {
  // The program reads only the first board of its input, as the contest allows.
  const first = writeProgram(
    'first.cjs',
    "process.stdout.write(require('fs').readFileSync(0, 'latin1').split('\\n')[1].includes('X') ? 'WIN\\n' : 'LOSE\\n')",
  );
  const json = join(folder, 'single.json');
  writeFileSync(join(folder, 'boards.in'), '1 1\nX\n2 1\nL\nR\n1 1\nX\n');
  const args = ['darkraft', join(folder, 'boards.in'), '-j', '1', ...FEW_RUNS, '-q', '--vs', first];
  const { code, stdout, stderr } = await boardmill(['bench', ...args, '--export-json', json]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^program +processes /m);
  expect(stdout).not.toContain('Where time goes');
  const { results } = JSON.parse(readFileSync(json, 'utf8'));
  expect(results.map(({ processes }: { processes: number }) => processes)).toEqual([1, 3]);
});

test('a --vs program that prints without end is stopped', async () => {
  const { code, stderr } = await boardmill([
    'bench',
    'bt',
    SAMPLE,
    '-j',
    '1',
    ...FEW_RUNS,
    '-q',
    '--vs',
    'yes',
  ]);
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: expect.stringMatching(/^boardmill: yes printed more than \d+ bytes, and was stopped\n$/),
  });
});

describe('bench with --tolerance or --checker', () => {
  beforeAll(() => {
    writeFileSync(
      join(folder, 'thirds.mjs'),
      `import { defineProblem, formats } from 'boardmill';
       const { counted, int, number } = formats;
       export default defineProblem({ name: 'thirds', input: counted({ n: int() }), answer: number(), solve: ({ n }) => n / 3 });`,
    );
    writeFileSync(join(folder, 'thirds.in'), '3\n1\n2\n4\n');
    writeFileSync(
      join(folder, 'checker.cjs'),
      `const [, output, answer] = process.argv.slice(2).map((path) => Number(require('fs').readFileSync(path, 'utf8')));
       if (output < 0) { console.error('it is negative'); process.exit(1); }
       process.exit(Math.abs(output - answer) < 1e-3 ? 0 : 1);`,
    );
  });
  const near = () => writeProgram('near.cjs', "console.log('0.33333333 0.66666667\\n1.33333333')");
  const far = () => writeProgram('far.cjs', "console.log('0.33333333 -0.6 1.33333333')");
  const compare = (...options: readonly string[]) =>
    boardmill(
      [
        'bench',
        './thirds.mjs',
        'thirds.in',
        '-j',
        '1',
        ...FEW_RUNS,
        '-q',
        '--vs',
        near(),
        '--vs',
        far(),
        ...options,
      ],
      { cwd: folder },
    );

  test('answers that agree are not difference, and others are reported with their case', async () => {
    const { code, stderr } = await compare('--tolerance', '1e-6', '--export-json', 'tolerance.json');
    expect(stderr).toMatch(
      /^boardmill: .*far\.cjs.* answers differently from boardmill -j 1 at case 2: expected "0\.6666666666666666", got "-0\.6"\n$/,
    );
    expect(code).toBe(1);
    const { results } = JSON.parse(readFileSync(join(folder, 'tolerance.json'), 'utf8'));
    expect(results.map(({ answers }: { answers: unknown }) => answers)).toEqual([
      'same',
      'same',
      { different: { case: 2, expected: '0.6666666666666666', got: '-0.6', reason: null } },
    ]);
  });

  test('a checker decides which answers agree, and says why one does not', async () => {
    const { code, stderr } = await compare('--checker', `'${process.execPath}' checker.cjs`);
    expect(stderr).toMatch(/^boardmill: .*far\.cjs.* at case 2: expected .*, got "-0\.6": it is negative\n$/);
    expect(code).toBe(1);
  });
});

test('bench reports a bad input with the message and the exit code of solve', async () => {
  const { code, stdout, stderr } = await boardmill(['bench', 'darkraft', '-', '-j', '1', '-q'], {
    stdin: '1 1\n?\n',
  });
  expect(stderr).toMatch(/:2:1: case 1: expected .*, got "\?"\n$/);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
});

test('bench refuses an input without cases', async () => {
  const { code, stderr } = await boardmill(['bench', 'bt', '-', '-j', '1', '-q'], { stdin: '0\n' });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'boardmill: the input has no cases: there is nothing to measure\n',
  });
});

test('without an input file, bench generates an input and prints the generate command', async () => {
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

test('--export-slowest writes a valid input that starts with the slowest case', async () => {
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
  expect((await boardmill(['bench', 'darkraft', slowInputPath, ...args])).code).toBe(0);
  expect(readFileSync(slowest, 'utf8').startsWith(SLOW_BOARD)).toBe(true);
  expect((await boardmill(['validate', 'darkraft', slowest])).stderr).toContain('no error in 10 cases');
});

describe('bench exits with code 2 and one line before it measures anything', () => {
  test.concurrent.each([
    ['--jobs with 0 in its list', ['--jobs', '1,0'], /--jobs needs a whole number of at least 1, got "0"/],
    [
      '--solver with an unknown solver',
      ['--solver', 'simd,magic'],
      /--solver needs a list of auto, simd, portable, got "magic"/,
    ],
    ['--runs 0', ['--runs', '0'], /--runs needs/],
    [
      '--html in a folder that does not exist',
      ['--html', 'nowhere/report.html'],
      /cannot create nowhere\/report.html: no such file/,
    ],
    [
      '--export-slowest that names the input',
      ['--export-slowest', SAMPLE],
      /is both input and --export-slowest/,
    ],
    ['an input that does not exist', [], /cannot open missing.in: no such file or directory/, 'missing.in'],
  ])('bench refuses %s', async (_, words, message, input = SAMPLE) => {
    const { code, stdout, stderr } = await boardmill(['bench', 'bt', input, ...words, '-q'], { cwd: folder });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^boardmill: [^\n]*\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

test('the first signal ends bench and the program that it runs, and no temporary file remains', async () => {
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch);
  const child = start(['bench', 'bt', SAMPLE, '-j', '1', ...FEW_RUNS, '--vs', 'sleep 1000'], {
    env: { ...process.env, TMPDIR: scratch },
  });
  const ended = exitOf(child);
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => {
    const hadBegun = stderr.includes('round 1');
    stderr += data;
    if (!hadBegun && stderr.includes('round 1')) child.kill('SIGINT');
  });
  expect(await ended).toBe(130);
  expect(stderr).toContain('boardmill: stopped by SIGINT\n');
  expect(readdirSync(scratch)).toEqual([]);
});

describe(`the --html report in ${IN_BROWSER}`, () => {
  test.skipIf(!HAS_BROWSER)(
    'the --html report is one page that loads no other file, and draws all plots',
    async () => {
      const html = join(folder, 'report.html');
      const wrong = writeProgram('wrong.cjs', `console.log('<b>no</b>')`);
      const args = ['--jobs', '1,2', '--runs', '2', '--warmup', '0', '--vs', wrong, '--html', html];
      const input = join(folder, 'plotted.in');
      await boardmill(['generate', 'bt', '--cases', '500', '--seed', '1', '-o', input]);
      expect((await boardmill(['bench', 'bt', input, ...args])).code).toBe(1);
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
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
        await browser.close();
      }
    },
  );
});
