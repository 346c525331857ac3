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

const GRAMMAR_WORDS = ['sums.ctd', '--multitest', '--answers', 'answer.ctd', ...EXEC];

/** Stops a run at an invalid case, and corrects the case. */
async function leaveCheckpoint(words: readonly string[]): Promise<void> {
  write('all.in', GOOD.replace('5 6', '5 x'));
  expect(await solve([...words, 'all.in', '-o', 'all.ans'])).toMatchObject({ code: 3 });
  expect(names()).toContain('all.ans.checkpoint');
  write('all.in', GOOD);
}

const resume = (words: readonly string[]) => solve([...words, 'all.in', '-o', 'all.ans', '--resume']);

/** Asserts that --resume refuses the checkpoint with a message that contains these texts, and leaves the answers as they are. */
async function expectRefusal(words: readonly string[], ...texts: readonly string[]): Promise<void> {
  const { code, stderr } = await resume(words);
  expect(code).toBe(2);
  for (const text of ['checkpoint', ...texts]) expect(stderr).toContain(text);
  expect(names()).toContain('all.ans.partial');
  expect(names()).not.toContain('all.ans');
}

/** Asserts that --resume refuses the checkpoint while a file has another text, for each of the files. */
async function expectRefusals(words: readonly string[], files: readonly string[]): Promise<void> {
  for (const file of files) {
    const text = read(file);
    write(file, `${text}${file.endsWith('.mjs') ? '//' : '#'} changed\n`);
    await expectRefusal(words, file);
    write(file, text);
  }
}

describe('--resume refuses the checkpoint if a file of the problem or of the program has changed, and else continues', () => {
  test('a module, and a file that it imports', async () => {
    writeFiles();
    await leaveCheckpoint(['sums.mjs']);
    await expectRefusals(['sums.mjs'], ['sums.mjs', 'lib/add.mjs']);
    write('unrelated.mjs', 'changed');
    expect(await resume(['sums.mjs'])).toMatchObject({ code: 0 });
    expect(read('all.ans')).toBe(RIGHT);
  });

  test('a module, with --exec', async () => {
    writeFiles();
    await leaveCheckpoint(['sums.mjs', ...EXEC]);
    await expectRefusals(['sums.mjs', ...EXEC], ['sums.mjs']);
  });

  test('a grammar, the grammar of an answer, and a program', async () => {
    writeFiles();
    await leaveCheckpoint(GRAMMAR_WORDS);
    await expectRefusals(GRAMMAR_WORDS, ['sums.ctd', 'answer.ctd', 'program.awk']);
    write('unrelated.mjs', 'changed');
    expect(await resume(GRAMMAR_WORDS)).toMatchObject({ code: 0 });
    expect(read('all.ans')).toBe(RIGHT);
  });

  test('a grammar that is used in another way', async () => {
    writeFiles();
    await leaveCheckpoint(GRAMMAR_WORDS);
    await expectRefusal(['sums.ctd', '--multitest', ...EXEC]);
    await expectRefusal(['sums.ctd', ...EXEC]);
  });
});

test('the version that an author states takes the place of the files', async () => {
  writeFiles();
  const versioned = (version: string) =>
    MODULE.replace("name: 'sums',", `name: 'sums', version: '${version}',`);
  write('sums.mjs', versioned('1'));
  await leaveCheckpoint(['sums.mjs']);
  write('sums.mjs', versioned('2'));
  await expectRefusal(['sums.mjs'], 'checkpoint does not fit this run: the version of sums.mjs was 1, is 2');
  write('sums.mjs', `${versioned('1')}// changed`);
  write('lib/add.mjs', `${ADD}// changed`);
  expect(await resume(['sums.mjs'])).toMatchObject({ code: 0 });
  expect(read('all.ans')).toBe(RIGHT);
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
