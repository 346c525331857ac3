/** Tests of `boardmill check` that run the build. */
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { program } from '../support/programs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { exitOf, ROOT, start } from './boardmill.js';
import { boardmill } from './in-turn.js';

const folder = temporaryFolder();

/**
 * Creates a folder with the problem's sample input as in.txt and the sample answers as out.txt.
 * `change` edits the answers. Returns the path of the folder.
 */
function sampleFolder(problem: string, change: (answers: string) => string = (answers) => answers): string {
  const cwd = mkdtempSync(join(folder, 'check-'));
  const sample = join(ROOT, 'data', problem, 'sample/statement');
  copyFileSync(`${sample}.in`, join(cwd, 'in.txt'));
  writeFileSync(join(cwd, 'out.txt'), change(readFileSync(`${sample}.ans`, 'utf8')));
  return cwd;
}

const check = (cwd: string, problem: string, args: readonly string[] = [], stdin = '') =>
  boardmill(['check', problem, 'in.txt', 'out.txt', '-j', '1', ...args], { cwd, stdin });

test.concurrent.each(PROBLEMS)(
  'check --exact finds no difference in the sample answers of $name',
  async ({ name: problem }) => {
    const { code, stdout, stderr } = await check(sampleFolder(problem), problem, ['--exact']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+ cases: all answers agree\n$/);
  },
);

test.concurrent('check --exact takes the answers that solve writes, also lines without a number', async () => {
  const cwd = mkdtempSync(join(folder, 'check-'));
  const module = `import { defineProblem, formats } from 'boardmill';
    const { counted, int, ints } = formats;
    export default defineProblem({ name: 'sevens', input: counted({ n: int(0, 3) }), answer: ints('n'),
      solve: ({ n }) => n, print: (n) => Array(n).fill(7).join(' ') + '\\n' });`;
  writeFileSync(join(cwd, 'sevens.mjs'), module);
  writeFileSync(join(cwd, 'in.txt'), '3\n0\n2\n0\n');
  writeFileSync(join(cwd, 'out.txt'), '\n7 7\n\n');
  const solved = await boardmill(['solve', './sevens.mjs', 'in.txt', '-j', '1'], { cwd });
  expect(solved.stdout).toBe('\n7 7\n\n');
  expect(await check(cwd, './sevens.mjs', ['--exact'])).toMatchObject({ code: 0, stderr: '' });
  writeFileSync(join(cwd, 'out.txt'), '7 7\n\n');
  expect((await check(cwd, './sevens.mjs', ['--exact'])).code).toBe(1);
});

test.concurrent('check takes a blank line after the last answer for no answer, though lines of answers may be empty', async () => {
  const cwd = mkdtempSync(join(folder, 'check-'));
  writeFileSync(
    join(cwd, 'lines.mjs'),
    `import { defineProblem, formats } from 'boardmill';
    const { counted, int, ints, until } = formats;
    export default defineProblem({ name: 'lines', input: counted({ n: int(0, 3) }), answer: ints(until('\\n')),
      solve: ({ n }) => n, print: (n) => Array(n).fill(7).join(' ') + '\\n' });`,
  );
  writeFileSync(join(cwd, 'in.txt'), '2\n0\n2\n');
  writeFileSync(join(cwd, 'out.txt'), '\n7 7\n\n\n');
  expect(await check(cwd, './lines.mjs')).toMatchObject({ code: 0, stderr: '' });
  expect((await check(cwd, './lines.mjs', ['--exact'])).code).toBe(1);
  writeFileSync(join(cwd, 'out.txt'), '\n7 7\n\n 8\n');
  const { code, stdout } = await check(cwd, './lines.mjs');
  expect({ code, first: stdout.split('\n')[0] }).toEqual({
    code: 1,
    first: 'out.txt:4:2: unexpected text after the last answer: 8',
  });
});

test.concurrent.each([
  {
    name: 'a wrong, a missing and an unexpected answer',
    change: (text: string) => `${text.replace('#3: 7', '#3: 8').replace('Case #4: 2\n', '')}Case #6: 1\n`,
    expectedLines: [
      'out.txt:3:10: case 3: expected Case #3: 7, got Case #3: 8',
      'out.txt:4:1: case 4: expected Case #4: 2, got no answer',
      'out.txt:5:1: unexpected text after the last answer: Case #6: 1',
      '5 cases: 1 differs, 1 without an answer, 1 unexpected answer',
    ],
  },
  {
    name: 'repeated answers as unexpected text',
    change: (text: string) => text.replace('Case #2: 0\n', 'Case #2: 0\nCase #2: 0\nCase #1: 0\n'),
    expectedLines: [
      'out.txt:3:1: unexpected text where "Case #3:" was due: Case #2: 0',
      'out.txt:4:1: unexpected text where "Case #3:" was due: Case #1: 0',
      '5 cases: 2 unexpected answers',
    ],
  },
  {
    name: 'only the first difference with --max 1',
    change: () => '',
    args: ['--max', '1'],
    expectedLines: [
      'out.txt:1:1: case 1: expected Case #1: 0, got no answer',
      '5 cases: 5 without an answer, only the first shown',
    ],
  },
  {
    name: 'an answer with terminal escape codes in escaped form',
    change: (text: string) => text.replace('#2: 0', '#2: \x1b[31m\u202e'),
    expectedLines: [
      'out.txt:2:10: case 2: expected Case #2: 0, got Case #2: \\x1b[31m\\u202e',
      '5 cases: 1 differs',
    ],
  },
  {
    name: 'a second blank with --exact',
    change: (text: string) => text.replace('#2: 0', '#2:  0'),
    args: ['--exact'],
    expectedLines: [
      'out.txt:2:10: case 2: expected "Case #2: 0\\n", got "Case #2:  0\\n"',
      '5 cases: 1 differs',
    ],
  },
])('check reports $name', async ({ change, args = [], expectedLines }) => {
  const outcome = await check(sampleFolder('bacterial-tactics', change), 'bt', args);
  expect(outcome).toEqual({ code: 1, stdout: `${expectedLines.join('\n')}\n`, stderr: '' });
});

test.concurrent('check shows expected and given boards side by side if they differ', async () => {
  const outcome = await check(
    sampleFolder('link-and-pop', (text) => text.replace('.F.', '.G.')),
    'link-and-pop',
  );
  expect(outcome.stdout).toBe(`out.txt:4:1: case 1 differs:
    expected | got
    Case 1   | Case 1
    ...      | ...
    ...      | ...
  > .F.      | .G.
2 cases: 1 differs
`);
});

test.concurrent('check --json prints one document with the counts and all differences', async () => {
  const cwd = sampleFolder('river-pawn', (text) => text.replace('Red 75', 'Red 77'));
  const { code, stdout } = await check(cwd, 'zu', ['--json']);
  expect(code).toBe(1);
  const difference = { kind: 'differs', case: 5, line: 5, column: 5, expected: 'Red 75', got: 'Red 77' };
  expect(JSON.parse(stdout)).toEqual({
    problem: 'river-pawn',
    cases: 5,
    agree: false,
    differs: 1,
    missing: 0,
    unexpected: 0,
    differences: [difference],
  });
});

describe('check with standard input', () => {
  test.concurrent('check reads the answers or the input from standard input', async () => {
    const cwd = sampleFolder('darkraft');
    const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
    const agreeing = { code: 0, stdout: '2 cases: all answers agree\n', stderr: '' };
    expect(await boardmill(['check', 'darkraft', 'in.txt', '-'], { cwd, stdin: read('out.txt') })).toEqual(
      agreeing,
    );
    expect(await boardmill(['check', 'darkraft', '-', 'out.txt'], { cwd, stdin: read('in.txt') })).toEqual(
      agreeing,
    );
  });

  test.concurrent('check refuses standard input for both the input and the answers', async () => {
    const outcome = await boardmill(['check', 'darkraft', '-', '-']);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain('<input> and <answer-file> cannot both be standard input');
  });
});

test.concurrent('check prints the differences before an invalid case, then reports that case', async () => {
  const cwd = sampleFolder('bacterial-tactics', (text) => text.replace('#1: 0', '#1: 1'));
  const input = readFileSync(join(cwd, 'in.txt'), 'utf8');
  writeFileSync(join(cwd, 'in.txt'), input.replace('....', '..?.'));
  const { code, stdout, stderr } = await check(cwd, 'bt');
  expect(code).toBe(3);
  expect(stdout).toBe('out.txt:1:10: case 1: expected Case #1: 0, got Case #1: 1\n');
  expect(stderr).toContain('in.txt:12:3: case 3: expected one of ".#" in row 2 of 3, got "?"');
});

test.concurrent.each(['in.txt', 'out.txt'])('check exits with code 2 if %s does not exist', async (name) => {
  const cwd = sampleFolder('darkraft');
  const args = ['in.txt', 'out.txt'].map((file) => (file === name ? 'gone.txt' : file));
  const outcome = await boardmill(['check', 'darkraft', ...args], { cwd });
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toContain('cannot open gone.txt: no such file or directory');
});

test.concurrent('check --exec compares with a program, and exits with code 4 if it fails', async () => {
  const cwd = sampleFolder('bacterial-tactics');
  expect((await check(cwd, 'bt', ['--exec', program('bacterial-tactics')])).code).toBe(0);
  const failed = await check(cwd, 'bt', [
    '--exec',
    program('bacterial-tactics', 'crash-on-1x1'),
    '--retries',
    '0',
  ]);
  expect(failed.code).toBe(4);
  expect(failed.stderr).toContain('in.txt:14:1: case 4: the program was killed by SIGSEGV');
});

test.concurrent('check ends silently with exit code 141 if the reader closes the pipe', async () => {
  const cwd = sampleFolder('darkraft');
  const cases = 20_000;
  writeFileSync(join(cwd, 'in.txt'), '1 1\nL\n'.repeat(cases));
  const child = start(['check', 'darkraft', 'in.txt', 'out.txt', '--max', `${cases}`], { cwd });
  child.stdin.end();
  child.stdout.once('data', () => child.stdout.destroy());
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  expect([await exitOf(child), stderr]).toEqual([141, '']);
});
