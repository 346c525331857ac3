/** Tests of `boardmill bench`. They run the build, and check what bench prints and writes, but no measured time. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { stageTable, summaryTable } from '../../src/tools/bench/tables.js';
import { countBlocks, createPrograms, longestLine, ONE_RUN, SAMPLE, TWO_RUNS } from './bench-runs.js';
import { exitOf, type Outcome, start } from './boardmill.js';
import { boardmill } from './in-turn.js';

const { folder, writeProgram, rightProgram } = createPrograms();

/** The numbers that bench writes with --export-json. */
interface Report {
  readonly results: {
    readonly command: string;
    readonly times: readonly number[];
    readonly min: number;
    readonly mean: number;
    readonly median: number;
    readonly casesPerSecond: number;
    readonly answers: unknown;
    readonly speed: unknown;
    readonly peakBytes: number;
    readonly processes: number;
  }[];
  readonly input: { readonly cases: number };
  readonly runs: number;
  readonly breakdowns: {
    readonly cases: number;
    readonly seconds: number;
    readonly stages: Readonly<Record<string, number>>;
    readonly setting: { readonly jobs: number };
    readonly utilization: number;
  }[];
  readonly coordinator: { readonly busySeconds: number };
}

const readReport = (name: string): Report => JSON.parse(readFileSync(join(folder, name), 'utf8'));

describe('bench with every combination of --jobs and --solver, and with a --vs program', () => {
  const commands = [
    'boardmill -j 1 --solver simd',
    'boardmill -j 2 --solver simd',
    'boardmill -j 1 --solver portable',
    'boardmill -j 2 --solver portable',
  ];
  let outcome: Outcome;
  let report: Report;

  beforeAll(async () => {
    const settings = ['--jobs', '1,2', '--solver', 'simd,portable', '--vs', rightProgram(), '--details'];
    const exports = ['--export-json', 'all.json', '--export-markdown', 'all.md', '--html', 'all.html'];
    outcome = await boardmill(['bench', 'bt', SAMPLE, ...settings, ...ONE_RUN, ...exports], { cwd: folder });
    expect(outcome.code).toBe(0);
    report = readReport('all.json');
  });

  test('bench times every command, and compares its answers', () => {
    const { results, input, runs } = report;
    expect(results.map(({ command }) => command)).toEqual([
      ...commands,
      expect.stringContaining('a-program-with-a-long-name-'),
    ]);
    for (const command of commands) expect(outcome.stdout).toContain(command);
    for (const { answers, casesPerSecond, median } of results) {
      expect(answers).toBe('same');
      expect(casesPerSecond).toBeCloseTo(5 / median, 6);
    }
    expect(results[0].speed).toEqual({ ratio: 1, low: 1, high: 1 });
    expect(results[0].peakBytes).toBeGreaterThan(1e7);
    expect({ cases: input.cases, runs }).toEqual({ cases: 5, runs: 1 });
  });

  test('bench measures where the time goes', () => {
    const { breakdowns, coordinator } = report;
    expect(breakdowns.map(({ cases }) => cases)).toEqual([5, 5, 5, 5]);
    for (const { seconds, stages, setting, utilization } of breakdowns) {
      expect(Math.min(...Object.values(stages))).toBeGreaterThanOrEqual(0);
      expect(stages.read + stages.scan + stages.wait).toBeLessThanOrEqual(seconds);
      expect(stages.parse + stages.solve + stages.print).toBeLessThanOrEqual(setting.jobs * seconds);
      expect(utilization).toBeLessThanOrEqual(1);
    }
    expect(coordinator.busySeconds).toBeGreaterThan(0);
  });

  test('bench exports a table and a page', () => {
    expect(readFileSync(join(folder, 'all.md'), 'utf8').split('\n')).toHaveLength(2 + 5 + 1);
    // bench.long.test.ts looks at the page in a browser.
    const page = readFileSync(join(folder, 'all.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/i);
    for (const command of commands) expect(page).toContain(command);
  });

  test('the tables of bench fit 80 columns if standard output is not a terminal', () => {
    const { stdout } = outcome;
    expect(longestLine(stdout)).toBeLessThanOrEqual(80);
    expect(countBlocks(stdout)).toBeGreaterThan(1);
    const tables = [summaryTable([]), stageTable({ summaries: [], breakdowns: [] })];
    for (const [headings] of tables) for (const heading of headings) expect(stdout).toContain(heading);
    expect(stdout).toContain('The coordinator alone needs');
  });

  test('if the input is too small to measure solving, bench prints one note that asks for a larger input', () => {
    expect(outcome.stderr.match(/.*larger input.*/g)).toEqual([
      expect.stringMatching(
        /^boardmill: these runs measure start-up, not solving \(a run takes [\d.,]+ m?s, solving takes [\d.]+ [mu]s\): use a larger input$/,
      ),
    ]);
    expect(outcome.stderr).toContain('use --runs 6 or more for a reliable confidence interval\n');
  });
});

describe('bench with a program given by --vs', () => {
  const benchWith = (...programs: readonly string[]) =>
    boardmill([
      'bench',
      'bt',
      SAMPLE,
      '-j',
      '1',
      ...ONE_RUN,
      '-q',
      ...programs.flatMap((each) => ['--vs', each]),
    ]);

  test('bench reports that the --vs program prints a wrong answer, or no answer', async () => {
    const programs = [
      '--vs',
      writeProgram('wrong', "echo 'Case #1: 0\nCase #2: 1'"),
      '--vs',
      writeProgram('silent', ''),
    ];
    const args = ['-j', '1', ...TWO_RUNS, ...programs, '--export-json', 'two-rounds.json'];
    const { code, stderr } = await boardmill(['bench', 'bt', SAMPLE, ...args], { cwd: folder });
    const differs = 'answers differently from boardmill -j 1 at token';
    expect(stderr).toMatch(new RegExp(`wrong\\.sh.* ${differs} 6: expected "0", got "1"`));
    expect(stderr).toMatch(
      new RegExp(`silent\\.sh.* ${differs} 1: expected "Case", got the end of the output`),
    );
    expect(code).toBe(1);
    // The order of the commands is reversed in every second round: A B C C B A.
    const order = [...stderr.matchAll(/round (\d) of 2: .*?(boardmill -j 1|wrong|silent)/g)];
    expect(order.map(([, round, name]) => `${round} ${name}`)).toEqual([
      '1 boardmill -j 1',
      '1 wrong',
      '1 silent',
      '2 silent',
      '2 wrong',
      '2 boardmill -j 1',
    ]);
    for (const { times, min, mean } of readReport('two-rounds.json').results) {
      expect(times).toHaveLength(2);
      expect(min).toBe(Math.min(...times));
      expect(mean).toBeCloseTo((times[0] + times[1]) / 2, 12);
    }
  });

  test('bench reports that the --vs program exits with code 3', async () => {
    const { code, stderr } = await benchWith(writeProgram('exits', 'echo out of luck >&2; exit 3'));
    expect(stderr).toMatch(/^boardmill: sh .* ended with exit code 3: out of luck/m);
    expect(code).toBe(4);
  });

  test.each([
    { failure: 'exits with code 3', script: 'exit 3', reason: 'exited with code 3' },
    { failure: 'answers too much', script: 'echo 1 2 3', reason: 'printed a malformed answer: expected ' },
  ])('without an input, bench says that the program of --exec $failure', async ({ script, reason }) => {
    const exec = ['--exec', writeProgram('fails', script)];
    const { code, stderr } = await boardmill(['bench', 'darkraft', ...exec], { cwd: folder });
    expect(stderr).toContain(
      `boardmill: on 512 random cases with which bench measures the speed: the program ${reason}`,
    );
    expect(code).toBe(4);
  });

  test('bench exits with code 2 if the --vs program does not exist', async () => {
    expect(await benchWith('./no-such-program')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'boardmill: cannot run ./no-such-program: there is no such program\n',
    });
  });

  test('a --vs program for a contest of one case a file gets each case in a process of its own', async () => {
    // The program reads only the first board of its input, as the contest allows.
    const first = writeProgram('first', 'read -r size; read -r row; [ "$row" = X ] && echo WIN || echo LOSE');
    writeFileSync(join(folder, 'boards.in'), '1 1\nX\n2 1\nL\nR\n1 1\nX\n');
    const args = ['boards.in', '-j', '1', ...ONE_RUN, '-q', '--vs', first, '--export-json', 'single.json'];
    const { code, stdout, stderr } = await boardmill(['bench', 'darkraft', ...args], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^program +processes /m);
    expect(stdout).not.toContain('Where time goes');
    expect(readReport('single.json').results.map(({ processes }) => processes)).toEqual([1, 3]);
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
  });
  const near = () => writeProgram('near', "printf '0.33333333 0.66666667\\n1.33333333\\n'");
  const far = () => writeProgram('far', "echo '0.33333333 -0.6 1.33333333'");
  const compare = (programs: readonly string[], ...options: readonly string[]) => {
    const vs = programs.flatMap((each) => ['--vs', each]);
    const args = ['./thirds.mjs', 'thirds.in', '-j', '1', ...ONE_RUN, '-q', ...vs, ...options];
    return boardmill(['bench', ...args], { cwd: folder });
  };

  test('answers that agree are no difference, and others are reported with their case', async () => {
    const { code, stderr } = await compare(
      [near(), far()],
      '--tolerance',
      '1e-6',
      '--export-json',
      'tolerance.json',
    );
    expect(stderr).toMatch(
      /^boardmill: .*far\.sh.* answers differently from boardmill -j 1 at case 2: expected "0\.6666666666666666", got "-0\.6"\n$/,
    );
    expect(code).toBe(1);
    const { results } = readReport('tolerance.json');
    expect(results.map(({ answers }) => answers)).toEqual([
      'same',
      'same',
      { different: { case: 2, expected: '0.6666666666666666', got: '-0.6', reason: null } },
    ]);
  });

  test('a checker decides which answers agree, and says why one does not', async () => {
    const checker = `sh -c 'read -r name k got < "$2"; [ "$got" = 6 ] || exit 0; echo it is six >&2; exit 1' sh`;
    const others = writeProgram('others', `printf 'Case #%d: %d\\n' 1 5 2 6 3 7 4 8 5 9`);
    const args = ['-j', '1', ...ONE_RUN, '-q', '--vs', others, '--checker', checker];
    const { code, stderr } = await boardmill(['bench', 'bt', SAMPLE, ...args]);
    expect(stderr).toMatch(
      /^boardmill: .*others\.sh.* at case 2: expected "Case #2: [^6]", got "Case #2: 6": it is six\n$/,
    );
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

test('--export-slowest writes a valid input that starts with the slowest case', async () => {
  const slowBoard = `11 11\n${`${'LRX'.repeat(4).slice(1)}\n`.repeat(11)}`;
  const boards = Array.from({ length: 40 }, (_, i) => (i === 26 ? slowBoard : '1 1\nL\n'));
  writeFileSync(join(folder, 'slow.in'), boards.join(''));
  const args = ['slow.in', '--solver', 'portable', '-j', '1', ...ONE_RUN, '--export-slowest', 'slowest.in'];
  expect((await boardmill(['bench', 'darkraft', ...args], { cwd: folder })).code).toBe(0);
  expect(readFileSync(join(folder, 'slowest.in'), 'utf8').startsWith(slowBoard)).toBe(true);
  const { stderr } = await boardmill(['validate', 'darkraft', 'slowest.in'], { cwd: folder });
  expect(stderr).toContain('no error in 10 cases');
});

describe('bench exits with code 2 and one line before it measures anything', () => {
  test.each([
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
  const child = start(['bench', 'bt', SAMPLE, '-j', '1', ...ONE_RUN, '--vs', 'sleep 1000'], {
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
