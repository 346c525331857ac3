/** Tests of the sets of contests that run the build: generate --set, validate --contest --set, problems. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();
const run = (...args: string[]) => boardmill(args, { cwd: folder.path });

const SUMS = `
  import { defineProblem, formats } from 'boardmill';
  const { counted, int, ints } = formats;
  export default defineProblem({
    name: 'sums',
    input: counted({ n: int(1, 9), a: ints('n', 0, 9) }, { total: { n: 10 } }),
    contest: { sets: { small: { n: [2, 3] } }, cases: 4, seconds: 1.5, megabytes: 64 },
    solve: ({ a }) => a.reduce((sum, value) => sum + value, 0),
  });`;

/** Solves sums, and appends the number of cases of each run to runs.txt. */
const PROGRAM = `
  import { appendFileSync, readFileSync } from 'node:fs';
  const [cases, ...rest] = readFileSync(0, 'utf8').split(/\\s+/).map(Number);
  appendFileSync('runs.txt', cases + ' ');
  for (let at = 0, k = 0; k < cases; k++) {
    const n = rest[at];
    console.log(rest.slice(at + 1, at + 1 + n).reduce((sum, value) => sum + value, 0));
    at += 1 + n;
  }`;

describe('a set of river-pawn', () => {
  test('generate --set writes an input that validate holds to this set', async () => {
    const made = await run('generate', 'zu', '--set', '5-6', '--cases', '4', '--seed', '7', '-o', 'a.in');
    expect(made).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(folder.read('a.in')).toMatch(/^5 4\n/);
    expect((await run('validate', 'zu', 'a.in', '--contest')).code).toBe(0);
    const other = await run('validate', 'zu', 'a.in', '--contest', '--set', '7-9', '-q');
    expect(other.code).toBe(3);
    expect(other.stdout).toMatch(
      /case 1: in the contest: expected the number of columns \(1 to 1\), got "\d+"/,
    );
  });
});

test('validate --contest --set holds the head of a module to the bounds of the set', async () => {
  folder.write(
    'head.mjs',
    `import { defineProblem, formats } from 'boardmill';
    const { counted, int } = formats;
    export default defineProblem({ name: 'head', solve: ({ n }) => n,
      input: counted({ n: int(0, 5) }, { head: { g: int(0, 9), h: int(0, 3) } }),
      contest: { sets: { one: { h: [1, 1] } } } });`,
  );
  folder.write('bad.in', '7 2 2\n1\n3\n');
  const args = ['validate', './head.mjs', '--contest', '--set', 'one', '-q'];
  expect(await run(...args, 'bad.in')).toMatchObject({
    code: 3,
    stdout: 'bad.in:1:3: in the contest: expected h (1 to 1), got "2" (set one)\n',
  });
  await run('generate', './head.mjs', '--set', 'one', '--cases', '3', '--seed', '1', '-o', 'good.in');
  expect((await run(...args, 'good.in')).code).toBe(0);
});

test.each([
  [
    ['generate', 'zu', '--cases', '1', '--set', '4'],
    /river-pawn has no set "4"; its sets are 1-4, 5-6, 7-9,/,
  ],
  [['generate', 'bt', '--cases', '1', '--set', '1', '--rows', '5'], /--rows needs sizes from 1 to 4, got 5/],
  [['generate', 'bt', '--cases', '1', '--set', '1', '--set', '2'], /--set was given 2 times/],
  [['validate', 'bt', '-', '--set', '1'], /--set needs --contest/],
  [['validate', 'bt', '-', '--contest', '--set', '3'], /bacterial-tactics has no set "3"; its sets are 1, 2/],
])('boardmill refuses the arguments %j with exit code 2', async (words, message) => {
  const { code, stdout, stderr } = await run(...words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test.each([
  ['a module', './plain.mjs', SUMS.replace(/, \{ total.*\n.*\n/, '),\n')],
  ['a grammar', './plain.ctd', 'INT(1, 9) NEWLINE EOF\n'],
])('validate --contest is refused by name for %s without limits of a contest', async (_, problem, text) => {
  folder.write(problem, text);
  folder.write('a.in', '1\n1\n5\n');
  const { code, stderr } = await run('validate', problem, 'a.in', '--contest', '-q');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(
      /^boardmill: --contest has no limits to check: (sums|plain) states none of a contest; see /,
    ),
  });
});

describe('a module', () => {
  test('has sets, and bounds sums over the cases of a file', async () => {
    folder.write('sums.mjs', SUMS);
    const made = await run('generate', './sums.mjs', '--set', 'small', '--cases', '3', '--seed', '1');
    const sizes = made.stdout
      .split('\n')
      .filter((_, line) => line % 2 === 1)
      .slice(0, 3);
    expect(sizes.every((size) => size === '2' || size === '3')).toBe(true);
    folder.write('a.in', '2\n9\n1 1 1 1 1 1 1 1 1\n4\n2 2 2 2\n');
    const { code, stdout } = await run('validate', './sums.mjs', 'a.in', '--contest', '--set', 'small', '-q');
    expect({ code, lines: stdout.trim().split('\n') }).toEqual({
      code: 3,
      lines: [
        'a.in:2:1: case 1: in the contest: expected n (2 to 3), got "9" (set small)',
        'a.in:4:1: case 2: in the contest: expected n (2 to 3), got "4" (set small)',
        'a.in:6:1: in the contest: expected a sum of n over all cases of at most 10, got 13 (set small)',
      ],
    });
  });

  test('lets each run of --exec have no more than the bounded sums, but at least one case', async () => {
    folder.write('sums.mjs', SUMS.replace('int(1, 9)', 'int(1, 12)'));
    folder.write('program.mjs', PROGRAM);
    const sizes = [4, 6, 1, 12, 9, 2, 3, 1, 1, 1, 1, 1];
    const cases = sizes.map((n) => `${n}\n${Array(n).fill(1).join(' ')}\n`);
    folder.write('a.in', `${sizes.length}\n${cases.join('')}`);
    const words = ['solve', './sums.mjs', 'a.in', '--exec', `${process.execPath} program.mjs`];
    const { code, stdout, stderr } = await run(...words, '--exec-cases', '5', '-j', '1', '--chunk', '64K');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(sizes.map((n) => `${n}\n`).join(''));
    // The runs have the cases 4 6, 1, 12, 9, 2 3 1 1 1, and 1 1, unless a chunk ends earlier.
    const runs = readFileSync(folder.at('runs.txt'), 'utf8').trim().split(' ').map(Number);
    let at = 0;
    for (const count of runs) {
      const part = sizes.slice(at, at + count);
      expect(part.length === 1 || part.reduce((sum, n) => sum + n, 0) <= 10, `${part}`).toBe(true);
      at += count;
    }
    expect(at).toBe(sizes.length);
    expect(Math.max(...runs)).toBeGreaterThan(1);
  });
});

describe('boardmill problems', () => {
  test('--json lists the sets and limits of the contests', async () => {
    const list = JSON.parse((await run('problems', '--json')).stdout) as Record<string, never>[];
    const [bt, darkraft, links, pawn] = list;
    const bounds = { minRows: 1, maxRows: 4, minCols: 1, maxCols: 4, maxCells: 16 };
    expect(bt).toMatchObject({
      contest: { cases: 100 },
      sets: { '1': bounds },
      seconds: 30,
      megabytes: 1024,
    });
    expect(Object.keys(bt.sets)).toEqual(['1', '2']);
    expect(darkraft).toMatchObject({ sets: { '1': { maxRows: 20 } }, seconds: null, megabytes: null });
    expect(links).toMatchObject({ contest: { cases: 30 }, seconds: 10, megabytes: 32 });
    expect(Object.keys(pawn.sets)).toEqual(['1-4', '5-6', '7-9', '10-13', '14-20']);
    expect(pawn.sets['7-9']).toEqual({
      ...bounds,
      minRows: 2,
      maxRows: 10,
      maxCols: 1,
      maxCells: 10,
      ids: [7, 9],
    });
  });

  test.each(PROBLEMS)('describes $name, by each of its names', async ({ name, aliases, rules }) => {
    const { code, stdout, stderr } = await run('problems', aliases[0] ?? name);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const part of [
      rules,
      '\nInput:\n',
      '\nSample:\n',
      '\nAnswers to the sample:\n',
      '\nSets of the contest',
    ])
      expect(stdout).toContain(part);
    expect(stdout.startsWith(`${name}: `)).toBe(true);
  });

  test('describes a module and a grammar', async () => {
    folder.write('sums.mjs', SUMS);
    const module = await run('problems', './sums.mjs');
    expect(module).toMatchObject({ code: 0, stderr: '' });
    expect(module.stdout).toContain('Limits of the contest: at most 4 cases in a file, 1.5 s, 64 MB\n');
    expect(module.stdout).toContain('  small  n from 2 to 3\n');
    expect(module.stdout).toContain('In a contest file, the sum of n over all test cases is at most 10.\n');
    expect(JSON.parse((await run('problems', './sums.mjs', '--json')).stdout)).toMatchObject({
      name: 'sums',
      contest: { cases: 4 },
      sets: { small: { n: [2, 3] } },
      profiles: ['tiny', 'random', 'contest-max', 'all'],
      input: expect.stringContaining('test cases, each with:\n'),
    });
    folder.write(
      'sums.ctd',
      'INT(1,9,t) NEWLINE\nREP(t)\n  INT(1,9,n) SPACE INT(-n,2*n,k) NEWLINE\nEND\nEOF\n',
    );
    const grammar = await run('problems', './sums.ctd', '--multitest');
    expect(grammar.code).toBe(0);
    expect(grammar.stdout).toContain(
      [
        'Input:',
        '  The grammar ./sums.ctd describes the input.',
        '  The test cases are the iterations of the loop at ./sums.ctd:2:1.',
        '  Their number t is an integer from 1 to 9.',
        '  Integers of a test case:',
        '    n  an integer from 1 to 9',
        '    k  an integer from -n to 2*n',
        '',
      ].join('\n'),
    );
  });
});
