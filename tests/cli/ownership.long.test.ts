/** More redirections, changes during a run and links than those of ownership.test.ts, and `split`. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { ANSWERS, startHalfway } from './halfway.js';
import { ownedFolder } from './owned-folder.js';

allowSlowTests();

const { folder, run, solve, expectRefusal, expectSilentRefusal, expectNoOutputAfter } = ownedFolder();
const { at, read, write } = folder;

describe('an output that is also an input or another output of the same run', () => {
  beforeEach(() => {
    linkSync(at('g.in'), at('hard.in'));
  });

  test.each([
    ['input and standard output', 'boardmill solve bt < g.in >> g.in'],
    ['input and standard output', 'boardmill validate bt g.in >> g.in'],
    ['input and --stats', 'boardmill solve bt -f --stats g.in < g.in'],
    ['output and standard output', 'boardmill solve bt hard.in -f -o out > out'],
    ['input and output', 'boardmill extract bt --cases 1 -f -o g.in < g.in'],
  ])('boardmill refuses a file that is both %s: %s', expectRefusal);

  test.each([['validate bt g.in 2>> g.in'], ['solve bt 2>> g.in < g.in']])(
    'if standard error is redirected to the input, boardmill refuses without a message: %s',
    expectSilentRefusal,
  );
});

test.each<[string, () => void]>([
  [
    'replaced',
    () => {
      unlinkSync(at('out.partial'));
      write('out.partial', 'Case #1: 2\n');
    },
  ],
  ['removed', () => unlinkSync(at('out.partial'))],
  ['truncated', () => write('out.partial', '')],
  ['extended', () => appendFileSync(at('out.partial'), 'more\n'.repeat(20))],
])('if FILE.partial is %s by another program, FILE does not appear and the exit code is 4', (_, change) =>
  expectNoOutputAfter(change),
);

test('a run succeeds if another program overwrites FILE.partial with the same bytes', async () => {
  const { finish } = await startHalfway(folder);
  write('out.partial', read('out.partial'));
  expect(await finish()).toEqual({ code: 0, stderr: '' });
  expect(read('out')).toBe(ANSWERS);
});

describe('a second split into the same folder', () => {
  const split = (every: string) => run('split', 'bt', 'g.in', '--every', every, '--dir', 'parts');

  test('split removes parts of an earlier split that it does not replace, and the answers to them', async () => {
    await split('1');
    await solve('parts');
    expect(readdirSync(at('parts'))).toHaveLength(4);
    expect((await split('2')).code).toBe(0);
    expect(readdirSync(at('parts')).sort()).toEqual(['part-0001.ans', 'part-0001.in']);
  });

  test('split keeps answers to a removed part if they were changed, and prints a note', async () => {
    await split('1');
    await solve('parts');
    appendFileSync(at('parts/part-0002.ans'), 'a note\n');
    const { stderr } = await split('2');
    expect(stderr).toContain(
      'part-0002.ans belongs to no part of this split, but boardmill did not write it, so it was kept',
    );
    expect(readdirSync(at('parts')).sort()).toEqual(['part-0001.ans', 'part-0001.in', 'part-0002.ans']);
  });

  test('split creates no folder if the first case of the input is bad', async () => {
    write('bad.in', '1\n1 1\nx\n');
    expect((await run('split', 'bt', 'bad.in', '--every', '1', '--dir', 'new/parts')).code).toBe(3);
    expect(existsSync(at('new'))).toBe(false);
  });

  test('split refuses an input that is a part in the output folder', async () => {
    await split('2');
    copyFileSync(at('parts/part-0001.in'), at('copy.in'));
    const { code } = await run('split', 'bt', 'parts/part-0001.in', '--every', '1', '--dir', 'parts');
    expect(code).toBe(2);
    expect(read('parts/part-0001.in')).toBe(read('copy.in'));
  });
});

describe('an output file that is a link', () => {
  test.each(['answers', 'folder/answers'])(
    'solve -o with a link to the missing file %s creates that file',
    async (target) => {
      mkdirSync(at('folder'));
      symlinkSync(target, at('link'));
      expect((await solve('g.in', '-o', 'link')).code).toBe(0);
      expect(read(target)).toBe(ANSWERS);
      expect(read('link')).toBe(ANSWERS);
      unlinkSync(at('link'));
      expect(read(target)).toBe(ANSWERS);
    },
  );

  test('solve -o refuses a loop of links', async () => {
    symlinkSync('one', at('two'));
    symlinkSync('two', at('one'));
    const { code, stderr } = await solve('g.in', '-o', 'one');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^boardmill: cannot create one: .*\n$/);
  });
});
