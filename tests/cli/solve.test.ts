/** Tests of `boardmill solve` that run the build: answers, output formats, --stats and wrong usage. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { fixtureOf } from '../fixtures/problems.mjs';
import { bulkInput, STYLES, styleOf } from '../support/inputs.js';
import { SEED } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';
import { expectSampleAnswers, isUsual, layoutsOf, readSample, settingsOf } from './solve-matrix.js';

allowSlowTests();

/** Few enough for an input that in-turn.ts can write to standard input. */
const CASES = 600;

const folder = temporaryFolder();
mkdirSync(join(folder, 'empty'));

describe('the statement sample', () => {
  test.each(PROBLEMS.flatMap(({ name }, i) => layoutsOf(name).filter((_, k) => isUsual(i, k))))(
    'solve prints the answers of the statement sample of $problem if its input is $layout',
    expectSampleAnswers,
  );
});

describe.each(STYLES.map((style, i) => ({ ...settingsOf(style, CASES), name: style.name, i })))(
  'solve prints the same answers to $name with all settings',
  ({ settings, i, expectSameAnswers }) => {
    test.each(settings.filter((_, k) => k % STYLES.length === i))(
      'the answers are the same with -j $jobs --chunk $chunk --solver $solver and input from $from',
      expectSameAnswers,
    );
  },
);

describe('--format ndjson', () => {
  test.each(PROBLEMS)(
    '--format ndjson prints the answers to the statement sample of $name',
    async ({ name: problem }) => {
      const answers = fixtureOf(problem).sampleAnswers;
      const stdin = readSample(problem, 'in');
      const { stdout } = await boardmill(['solve', problem, '--format', 'ndjson'], { stdin });
      const lines = answers.map((answer, i) => `${JSON.stringify({ case: i + 1, answer })}\n`);
      expect(stdout).toBe(lines.join(''));
    },
  );

  test('--format ndjson prints one line for each case, in the order of the input', async () => {
    const input = bulkInput(styleOf('darkraft'), CASES, 4, SEED);
    writeFileSync(join(folder, 'many.in'), input);
    const args = [
      'solve',
      'darkraft',
      join(folder, 'many.in'),
      '--format',
      'ndjson',
      '-j',
      '2',
      '--chunk',
      '4K',
    ];
    const { code, stdout } = await boardmill(args);
    const cases = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { case: number }).case);
    expect(cases).toEqual(Array.from({ length: CASES }, (_, i) => i + 1));
    expect(code).toBe(0);
  });

  test('--format ndjson prints a marked case as an object with an error', async () => {
    const args = ['solve', 'darkraft', '--format', 'ndjson', '--on-error', 'mark'];
    const { code, stdout } = await boardmill(args, { stdin: '1 1\nL\n1 1\n?\n1 1\nX\n' });
    expect(
      stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { case: 1, answer: 'WIN' },
      {
        case: 2,
        error: { kind: 'input', line: 4, column: 1, expected: 'row 1 of 1 (1 of "LRX")', got: '"?"' },
      },
      { case: 3, answer: 'WIN' },
    ]);
    expect(code).toBe(1);
  });
});

describe('--stats', () => {
  const KEYS =
    'problem cases failedCases resumedCases bytes seconds casesPerSecond jobs solver fallbackCases chunks retries coordinatorCpuSeconds peakRssBytes slowestCases';

  test('with --stats - and -q, standard error has only the summary, which counts marked cases', async () => {
    const args = ['solve', 'bt', '--on-error', 'mark', '-q', '--stats', '-'];
    const { code, stderr } = await boardmill(args, { stdin: '2\n1 1\n.\n1 2\n#x\n' });
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ cases: 2, failedCases: 1 });
  });

  test('--stats FILE writes the summary to FILE', async () => {
    const file = join(folder, 'stats.json');
    const stdin = readSample('bacterial-tactics', 'in');
    const args = ['solve', 'bt', '-j', '2', '--solver', 'portable', '--stats', file];
    const outcome = await boardmill(args, { stdin });
    expect(outcome).toEqual({ code: 0, stdout: readSample('bacterial-tactics', 'ans'), stderr: '' });
    const stats = JSON.parse(readFileSync(file, 'utf8'));
    expect(Object.keys(stats)).toEqual(KEYS.split(' '));
    expect(stats).toMatchObject({
      problem: 'bacterial-tactics',
      cases: 5,
      failedCases: 0,
      resumedCases: 0,
      bytes: stdin.length,
      jobs: 2,
      solver: 'portable',
      fallbackCases: 0,
      retries: 0,
    });
    const slow = stats.slowestCases.map(
      (each: { file: string; case: number }) => `${each.file} ${each.case}`,
    );
    expect(slow.toSorted()).toEqual([1, 2, 3, 4, 5].map((number) => `<stdin> ${number}`));
    expect(stats.peakRssBytes).toBeGreaterThan(1e7);
  });

  test('--stats - prints the summary on standard error, even after invalid cases', async () => {
    const args = ['solve', 'darkraft', '--stats', '-', '--on-error', 'mark', '-q'];
    const { code, stderr } = await boardmill(args, { stdin: '1 1\n?\n1 1\nL\n' });
    const stats = JSON.parse(stderr.slice(stderr.indexOf('{')));
    expect(stats).toMatchObject({ cases: 2, failedCases: 1 });
    expect(code).toBe(1);
  });

  test('a run that ends at an invalid case writes --stats for the cases that it answered', async () => {
    const args = ['solve', 'darkraft', '--stats', '-', '--chunk', '1'];
    const { code, stderr } = await boardmill(args, { stdin: '1 1\nL\n1 1\n?\n1 1\nL\n' });
    expect(JSON.parse(stderr.slice(stderr.indexOf('{'), stderr.lastIndexOf('}') + 1))).toMatchObject({
      cases: 1,
    });
    expect(code).toBe(3);
  });
});

describe('wrong usage of solve', () => {
  writeFileSync(join(folder, 'same.in'), '0\n');
  test.concurrent.each<[string, string[], string | RegExp]>([
    [
      'a mistyped command',
      ['slove', 'bt'],
      'unknown command slove; did you mean solve?; see `boardmill --help`',
    ],
    [
      'a command line without a problem',
      ['solve'],
      /missing argument <problem>; the problems are .*; type, for example: boardmill solve bacterial-tactics$/m,
    ],
    [
      'a mistyped problem',
      ['solve', 'bacterial-tactic'],
      /no problem is named "bacterial-tactic"; type: boardmill solve bacterial-tactics$/m,
    ],
    ['an unknown problem', ['solve', 'chess'], /no problem is named "chess"/],
    ['a mistyped option', ['solve', 'bt', '--jbos', '2'], 'unknown option --jbos; did you mean --jobs?; see'],
    ['-j 0', ['solve', 'bt', '-j', '0'], /--jobs needs a whole number of at least 1, got "0"/],
    ['-j 1.5', ['solve', 'bt', '-j', '1.5'], /--jobs needs/],
    ['a repeated -j', ['solve', 'bt', '-j', '1', '-j', '2'], /--jobs was given 2 times/],
    ['--chunk 0', ['solve', 'bt', '--chunk', '0'], /--chunk needs a size/],
    ['--chunk 4X', ['solve', 'bt', '--chunk', '4X'], /--chunk needs a size/],
    ['an unknown solver', ['solve', 'bt', '--solver', 'magic'], /solver/],
    ['an unknown output format', ['solve', 'bt', '--format', 'xml'], /format/],
    ['an unknown error policy', ['solve', 'bt', '--on-error', 'ignore'], /on-error/],
    [
      '--output together with --ext',
      ['solve', 'bt', 'a.in', '-o', 'x', '--ext', '.y'],
      /cannot be used together/,
    ],
    ['--output for two inputs', ['solve', 'bt', 'a.in', 'b.in', '-o', 'x'], /--output takes one input/],
    ['one answer file for two inputs', ['solve', 'bt', 'a.in', 'a'], 'a.ans would be written twice'],
    [
      'an output that is the input',
      ['solve', 'bt', 'same.in', '-o', 'same.in'],
      'same.in is both input and output',
    ],
    ['standard input together with a file', ['solve', 'bt', '-', 'a.in'], /standard input/],
    ['a missing input', ['solve', 'bt', 'missing.in'], /cannot open missing.in: no such file or directory/],
    ['a folder without inputs', ['solve', 'bt', 'empty'], /the folder empty contains no \*\.in file/],
  ])('solve refuses %s with exit code 2 and one line', async (_, args, message) => {
    const { code, stdout, stderr } = await boardmill(args, { cwd: folder });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^boardmill: [^\n]*\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('messages of solve on standard error', () => {
  test('solve -q prints errors', async () => {
    const { code, stderr } = await boardmill(['solve', 'bt', '-q'], { stdin: '' });
    expect(stderr).toBe('boardmill: <stdin>:1:1: expected the number of cases, got an empty input\n');
    expect(code).toBe(3);
  });

  const withColours = { ...process.env, CI: '', FORCE_COLOR: '1', NO_COLOR: undefined };

  test('a failure is red, and what is no failure is not', async () => {
    const red = '\x1b[31mboardmill:\x1b[39m ';
    const stdin = '2\n1 1\n?\n1 1\n.\n';
    const { stderr } = await boardmill(['solve', 'bt', '--on-error', 'mark'], { stdin, env: withColours });
    expect(stderr.startsWith(`${red}<stdin>:3:1: case 1: `)).toBe(true);
    const made = await boardmill(['generate', 'bt', '--cases', '1'], { env: withColours });
    expect(made.stderr).toMatch(/^boardmill: random seed /);
  });

  test('solve shows no progress bar without a terminal, even with FORCE_COLOR', async () => {
    const { stderr } = await boardmill(['solve', 'bt'], {
      stdin: readSample('bacterial-tactics', 'in'),
      env: withColours,
    });
    expect(stderr).toBe('');
  });
});
