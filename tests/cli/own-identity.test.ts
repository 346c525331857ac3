/**
 * What identifies a problem of one's own: `--resume` refuses a checkpoint, and `solve` repeats finished work, if the files
 * that define the problem or the program have changed.
 */
import { describe, expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();
const { read, write, names } = folder;

const MODULE = `
  import { defineProblem, formats } from 'boardmill';
  import { add } from './lib/add.mjs';
  export default defineProblem({
    name: 'sums',
    input: formats.counted({ a: formats.int(), b: formats.int() }),
    solve: ({ a, b }) => add(a, b),
  });
`;
const ADD = 'export const add = (a, b) => a + b;\n';
const GRAMMAR = 'INT(0, 1000, t) NEWLINE REP(t) INT(0, 99, a) SPACE INT(0, 99) NEWLINE END EOF\n';
const ANSWERS = 'INT(0, 999) NEWLINE\n';
const PROGRAM = 'NR > 1 { print $1 + $2 }\n';
const GOOD = '3\n1 2\n3 4\n5 6\n';
const RIGHT = '3\n7\n11\n';

/** Writes all files of this test file's problems. */
function writeFiles(): void {
  write('sums.mjs', MODULE);
  write('lib/add.mjs', ADD);
  write('sums.ctd', GRAMMAR);
  write('answer.ctd', ANSWERS);
  write('program.awk', PROGRAM);
}

const solve = (args: readonly string[]) => boardmill(['solve', ...args, '-j', '1'], { cwd: folder.path });

const EXEC = ['--exec', 'awk -f program.awk'];

/** Stops a run at an invalid case, changes something, and returns what `--resume` does with the corrected input. */
async function resumeAfter(words: readonly string[], change: () => void) {
  write('all.in', GOOD.replace('5 6', '5 x'));
  expect(await solve([...words, 'all.in', '-o', 'all.ans'])).toMatchObject({ code: 3 });
  expect(names()).toContain('all.ans.checkpoint');
  write('all.in', GOOD);
  change();
  return solve([...words, 'all.in', '-o', 'all.ans', '--resume']);
}

const GRAMMAR_WORDS = ['sums.ctd', '--multitest', '--answers', 'answer.ctd', ...EXEC];

describe('--resume refuses the checkpoint', () => {
  test.each([
    ['a module', ['sums.mjs'], 'sums.mjs', () => write('sums.mjs', `${MODULE}// changed`)],
    [
      'a file that a module imports',
      ['sums.mjs'],
      'lib/add.mjs',
      () => write('lib/add.mjs', `${ADD}// changed`),
    ],
    [
      'a module, with --exec',
      ['sums.mjs', ...EXEC],
      'sums.mjs',
      () => write('sums.mjs', `${MODULE}// changed`),
    ],
    ['a grammar', GRAMMAR_WORDS, 'sums.ctd', () => write('sums.ctd', `${GRAMMAR}# changed\n`)],
    [
      'the grammar of an answer',
      GRAMMAR_WORDS,
      'answer.ctd',
      () => write('answer.ctd', `${ANSWERS}# changed\n`),
    ],
    ['a program', GRAMMAR_WORDS, 'program.awk', () => write('program.awk', `${PROGRAM}# changed`)],
  ] as const)('if %s has changed', async (_what, words, file, change) => {
    writeFiles();
    const { code, stderr } = await resumeAfter(words, change);
    expect(code).toBe(2);
    expect(stderr).toContain('checkpoint');
    expect(stderr).toContain(file);
    expect(names()).toContain('all.ans.partial');
    expect(names()).not.toContain('all.ans');
  });

  test('if a grammar is used in another way', async () => {
    writeFiles();
    write('all.in', GOOD.replace('5 6', '5 x'));
    await solve([...GRAMMAR_WORDS, 'all.in', '-o', 'all.ans']);
    for (const words of [['--multitest'], []]) {
      const { code, stderr } = await solve([
        'sums.ctd',
        ...words,
        ...EXEC,
        'all.in',
        '-o',
        'all.ans',
        '--resume',
      ]);
      expect(code).toBe(2);
      expect(stderr).toContain('checkpoint');
    }
  });

  test('if the author has stated another version', async () => {
    writeFiles();
    const versioned = (version: string) =>
      MODULE.replace("name: 'sums',", `name: 'sums', version: '${version}',`);
    write('sums.mjs', versioned('1'));
    const { code, stderr } = await resumeAfter(['sums.mjs'], () => write('sums.mjs', versioned('2')));
    expect(code).toBe(2);
    expect(stderr).toMatch(/checkpoint does not fit this run: the version of sums\.mjs was 1, is 2/);
  });
});

describe('--resume continues', () => {
  test.each([
    ['a module', ['sums.mjs']],
    ['a grammar and a program', GRAMMAR_WORDS],
  ])('%s that has not changed', async (_what, words) => {
    writeFiles();
    expect(await resumeAfter(words, () => write('unrelated.mjs', 'changed'))).toMatchObject({ code: 0 });
    expect(read('all.ans')).toBe(RIGHT);
  });

  test('a module of the same version, whatever its files contain', async () => {
    writeFiles();
    const versioned = MODULE.replace("name: 'sums',", "name: 'sums', version: '1',");
    write('sums.mjs', versioned);
    const change = () => {
      write('sums.mjs', `${versioned}// changed`);
      write('lib/add.mjs', `${ADD}// changed`);
    };
    expect(await resumeAfter(['sums.mjs'], change)).toMatchObject({ code: 0 });
    expect(read('all.ans')).toBe(RIGHT);
  });
});

test('inputs are solved again only if the module has changed', async () => {
  writeFiles();
  write('tests/one.in', GOOD);
  write('tests/two.in', '1\n20 22\n');
  const solveFolder = async () => {
    const { code, stderr } = await solve(['sums.mjs', 'tests', '--stats', 'stats.json']);
    const cases = JSON.parse(read('stats.json')).cases as number;
    return { code, stderr, cases, answers: read('tests/one.ans') + read('tests/two.ans') };
  };
  expect(await solveFolder()).toMatchObject({ code: 0, cases: 4, answers: `${RIGHT}42\n` });
  expect(await solveFolder()).toMatchObject({ code: 0, cases: 0, answers: `${RIGHT}42\n` });
  write('lib/add.mjs', ADD.replace('a + b', 'a * b'));
  expect(await solveFolder()).toMatchObject({ code: 0, cases: 4, answers: '2\n12\n30\n440\n' });
});
