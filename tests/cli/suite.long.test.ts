/** Tests of `boardmill generate --suite` that run the build. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { program } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();
const { at, read, write, names, enter } = folder;
const run = (...args: string[]) => boardmill(args, { cwd: folder.path });

const SUMS = (solve: string) => `import { defineProblem, formats } from 'boardmill';
  export default defineProblem({
    name: 'sums',
    input: formats.counted({ n: formats.int(1, 50), a: formats.ints('n', -9, 9) }, { cases: formats.int(1, 30) }),
    ${solve}
    contest: { sets: { small: { n: [1, 3] } } },
  });`;

test('a suite is the same for the same seed, and its answers and its sets are right', async () => {
  const [one, two, other] = await Promise.all([
    run('generate', 'zu', '--suite', 'new/one', '--seed', '7'),
    run('generate', 'zu', '--suite', 'two', '--seed', '7', '--exec', program('river-pawn'), '-q'),
    run('generate', 'zu', '--suite', 'other', '--seed', '8', '--cases', '12'),
  ]);
  const tests = [
    'contest-max',
    'hard',
    'random',
    'sample',
    'set-1-4',
    'set-10-13',
    'set-14-20',
    'set-5-6',
    'set-7-9',
    'tiny',
  ];
  expect(one).toMatchObject({ code: 0, stderr: '' });
  expect(one.stdout.split('\n').slice(0, 2)).toEqual([
    'new/one/sample.in: sample of the statement',
    'new/one/tiny.in: 10 cases',
  ]);
  expect(two).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(other.stdout).toContain('other/set-7-9.in: 12 cases\n');
  for (const name of tests) {
    for (const ending of ['in', 'ans'])
      expect(read(`new/one/${name}.${ending}`)).toBe(read(`two/${name}.${ending}`));
  }
  expect(read('new/one/random.in')).not.toBe(read('other/random.in'));
  const [checked, valid] = await Promise.all([
    run('check', 'zu', 'new/one', '--exact'),
    run('validate', 'zu', '--contest', ...['5-6', '7-9', '10-13'].map((set) => `new/one/set-${set}.in`)),
  ]);
  expect(checked.stdout.trimEnd().split('\n').at(-1)).toMatch(/^10 files, 9\d cases: all answers agree$/);
  expect(valid.code).toBe(0);
});

test('files of the user are kept, and a run that fails leaves no half of a test', async () => {
  write('tests/hard.ans', 'mine');
  const refused = await run('generate', 'zu', '--suite', 'tests', '--seed', '7');
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('tests/hard.ans exists and is not'),
  });
  const failed = await run(
    'generate',
    'zu',
    '--suite',
    'failed',
    '--seed',
    '7',
    '--exec',
    program('river-pawn', 'exit-on-1x1').replace('river-pawn', 'bacterial-tactics'),
  );
  const conflict = await run('generate', 'zu', '--suite', 'x', '--profile', 'tiny', '--seed', '7');
  expect(failed.code).toBe(4);
  expect(conflict).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--suite and --profile cannot be used together'),
  });
  expect(existsSync(at('x'))).toBe(false);
  enter('tests');
  expect(names()).toEqual(['hard.ans']);
  enter('../failed');
  expect(names()).toEqual(['sample.ans', 'sample.in']);
});

test('a module has the profiles and sets that it allows, and answers only if somebody solves it', async () => {
  write('sums.mjs', SUMS('solve: ({ a }) => a.reduce((sum, value) => sum + value, 0),'));
  write('open.mjs', SUMS(''));
  const [own, open] = await Promise.all([
    run('generate', './sums.mjs', '--suite', 'own', '--seed', '7'),
    run('generate', './open.mjs', '--suite', 'open', '--seed', '7'),
  ]);
  expect(own).toMatchObject({ code: 0, stderr: '' });
  expect(own.stdout).toBe(
    'own/tiny.in: 30 cases\nown/random.in: 30 cases\nown/contest-max.in: 30 cases\nown/set-small.in: 30 cases\n',
  );
  expect(open).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('sums has no solver, so the tests get no answers'),
  });
  expect((await run('check', './sums.mjs', 'own')).code).toBe(0);
  expect(existsSync(at('open/random.in'))).toBe(true);
  expect(existsSync(at('open/random.ans'))).toBe(false);
});

test('the case of a suite on which a program fails is saved, as the message says', async () => {
  write('open.mjs', SUMS(''));
  const exec = ['--exec', "sh -c 'read t; exit 3'"];
  const { code, stderr } = await run('generate', './open.mjs', '--suite', 'new', '--seed', '7', ...exec);
  expect({ code, stderr }).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      /^boardmill: new\/tiny\.in:2:1: case 1: the program exited with code 3; case saved; repeat with: boardmill solve \.\/open\.mjs sums-tiny-case-1\.in /,
    ),
  });
  const again = await run('solve', './open.mjs', 'sums-tiny-case-1.in', ...exec);
  expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining('case 1: the program exited') });
  enter('new');
  expect(names()).toEqual([]);
});

test('a program that fails only on several cases together makes the answers, and a note says so', async () => {
  write('zero.sh', 'read cases; cat > /dev/null; [ "$cases" = 1 ] || exit 3; echo "Case #1: 0"\n');
  const suite = ['generate', 'bt', '--suite', 'suite', '--cases', '5', '--seed', '1'];
  const made = await run(...suite, '--exec', 'sh zero.sh');
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('together: the program exited') });
});
