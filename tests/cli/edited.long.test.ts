/**
 * Tests of runs whose program, module or compared files are edited while they go on, and perhaps put back: no answer of the
 * edited files is written, and none gets into a checkpoint. Another program would edit them at any time; here the program of
 * the run itself calls `./edit` before and after its answer, which edits at a certain case.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { MAIN, boardmill as ownProcess, ROOT, shell } from './boardmill.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const { solveFile, solveStream }: typeof import('../../src/index.js') = createRequire(import.meta.url)(
  join(ROOT, 'dist/src/index.js'),
);

const CASES = 4;
const INPUT = `${CASES}\n${'1 1\n.\n'.repeat(CASES)}`;
const answersUpTo = (cases: number) =>
  Array.from({ length: cases }, (_, i) => `Case #${i + 1}: 2\n`).join('');

/** Answers one case. In the third run, `./edit` is called before and after the answer. */
const PROGRAM = `
cat > /dev/null
echo >> runs
isThird() { [ "$(wc -l < runs)" -eq 3 ]; }
if isThird; then ./edit before; fi
. ./lib/answer.sh
if isThird; then ./edit after; fi
`;
const RIGHT = 'echo "Case #1: 2"\n';
const WRONG = 'echo "Case #1: 1"\n';

const folder = folderForEachTest();
const { at, read, write } = folder;

beforeEach(() => {
  for (const name of ['lib/deep', 'other']) mkdirSync(at(name), { recursive: true });
  write('mine.sh', PROGRAM);
  write('lib/answer.sh', RIGHT);
  write('lib/deep/table.txt', 'a table\n');
  write('wrong.sh', WRONG);
  write('a.in', INPUT);
  editWith('');
});

/** Writes the script `./edit`. Its first argument says whether it is called before or after the answer. */
function editWith(script: string): void {
  write('edit', `#!/bin/sh\n${script}\n`);
  chmodSync(at('edit'), 0o755);
}

/** Edits a file before the third answer, and puts the same file back after it, with the same inode and the same times. */
const swapAndRestore = (path: string, by = 'wrong.sh') => `
if [ "$1" = before ]; then mv ${path} other/kept && cp ${by} ${path}; else mv other/kept ${path}; fi`;

/** Edits a file in place, and writes the same bytes with the same time of modification after the answer. */
const writeAndRestore = (path: string, by = 'wrong.sh') => `
if [ "$1" = before ]; then cp -p ${path} other/kept && cat ${by} > ${path}
else cat other/kept > ${path} && touch -r other/kept ${path}; fi`;

const SOLVE = ['solve', 'bt', 'a.in', '-o', 'a.ans', '-j', '1', '--exec-cases', '1'];
const solve = (...args: string[]) => boardmill([...SOLVE, ...args], { cwd: folder.path });
const LIB = ['--exec', 'sh mine.sh', '--also-compare', 'lib'];

/** Expects that the run has ended because `path` was changed, and that a resumed run gives the right answers. */
async function expectFirstAnswersKept(
  outcome: { code: unknown; stderr: string },
  path: string,
  args: readonly string[],
): Promise<void> {
  expect(outcome.stderr).toContain(
    `${path} changed during the run, so its answers may come from two programs; --resume continues once it is as it was, --force starts over\n`,
  );
  expect({ code: outcome.code, isWritten: existsSync(at('a.ans')) }).toEqual({ code: 4, isWritten: false });
  // On a busy machine, the edit may come before boardmill has looked at the second answer.
  expect(JSON.parse(read('a.ans.checkpoint')).position.scan.cases).toBeLessThanOrEqual(2);
  expect(await solve(...args, '--resume')).toMatchObject({ code: 0, stderr: '' });
  expect(read('a.ans')).toBe(answersUpTo(CASES));
}

test('without an edit, the run answers all cases', async () => {
  expect(await solve(...LIB)).toMatchObject({ code: 0, stderr: '' });
  expect(read('a.ans')).toBe(answersUpTo(CASES));
});

describe('what was edited and put back while a case was solved', () => {
  test.each([
    ['replaced', swapAndRestore('lib/answer.sh')],
    ['written', writeAndRestore('lib/answer.sh')],
  ])('a file in a compared folder is noticed if it was %s', async (_, script) => {
    editWith(script);
    await expectFirstAnswersKept(await solve(...LIB), 'lib', LIB);
  });

  test('a compared file is noticed', async () => {
    editWith(writeAndRestore('lib/answer.sh'));
    const args = ['--exec', 'sh mine.sh', '--also-compare', 'lib/answer.sh'];
    await expectFirstAnswersKept(await solve(...args), 'lib/answer.sh', args);
  });

  test('a file of the program is noticed', async () => {
    editWith(swapAndRestore('lib/answer.sh'));
    const args = ['--exec', 'sh mine.sh lib/answer.sh'];
    await expectFirstAnswersKept(await solve(...args), 'lib/answer.sh', args);
  });

  test('a link to the program that leads elsewhere for a while is noticed', async () => {
    symlinkSync('mine.sh', at('link.sh'));
    editWith('if [ "$1" = before ]; then ln -sfn wrong.sh link.sh; else ln -sfn mine.sh link.sh; fi');
    const args = ['--exec', 'sh ./link.sh'];
    await expectFirstAnswersKept(await solve(...args), './link.sh', args);
  });

  test.each([
    ['a file that is added to a compared folder', 'lib/new.sh'],
    ['a file that is added to a folder in it', 'lib/deep/new.sh'],
  ])('%s and removed again is noticed', async (_, path) => {
    editWith(`if [ "$1" = before ]; then cp wrong.sh ${path}; else rm ${path}; fi`);
    await expectFirstAnswersKept(await solve(...LIB), 'lib', LIB);
  });

  test('a compared folder that made room for another one is noticed', async () => {
    editWith(`
      if [ "$1" = before ]; then mv lib other/kept; mkdir lib; cp wrong.sh lib/answer.sh
      else rm -r lib; mv other/kept lib; fi`);
    await expectFirstAnswersKept(await solve(...LIB), 'lib', LIB);
  });

  test('a file that was only touched ends the run, too, because nobody knows', async () => {
    editWith('touch lib/answer.sh');
    await expectFirstAnswersKept(await solve(...LIB), 'lib', LIB);
  });
});

describe('a cache of Python', () => {
  const cacheIn = (path: string) =>
    `mkdir -p ${path}/__pycache__; echo "$1" > ${path}/__pycache__/answer.pyc`;

  test('may appear in each compared folder during the run', async () => {
    editWith(`${cacheIn('lib')}; ${cacheIn('lib/deep')}`);
    expect(await solve(...LIB)).toMatchObject({ code: 0, stderr: '' });
  });

  test('hides no other new file', async () => {
    editWith(`${cacheIn('lib')}; cp wrong.sh lib/new.sh`);
    const { code, stderr } = await solve(...LIB);
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining('lib changed') });
  });

  test('hides no file that comes and goes after the cache was made', async () => {
    mkdirSync(at('lib/__pycache__'));
    editWith(`if [ "$1" = before ]; then cp wrong.sh lib/new.sh; else rm lib/new.sh; fi; ${cacheIn('lib')}`);
    await expectFirstAnswersKept(await solve(...LIB), 'lib', LIB);
  });
});

test.each(['INT', 'TERM'])(
  'a case that was answered with an edited file when SIG%s came is not in the checkpoint',
  async (signal) => {
    editWith(`[ "$1" = after ] || { cp wrong.sh lib/answer.sh; kill -${signal} "$(cat pid)"; }`);
    const words = [...SOLVE, ...LIB].map((word) => `'${word}'`).join(' ');
    const outcome = await shell(
      `(exec sh -c 'echo $$ > pid; exec "$@"' sh '${process.execPath}' '${MAIN}' ${words})`,
      {
        cwd: folder.path,
      },
    );
    write('lib/answer.sh', RIGHT);
    await expectFirstAnswersKept(outcome, 'lib', LIB);
  },
);

describe('a module that a new worker thread would load from edited files', () => {
  /** At the third case for the first time, the helper is edited, and the thread dies. */
  const MODULE = `
    import { copyFileSync, existsSync } from 'node:fs';
    import { defineProblem, formats } from 'boardmill';
    import { add } from './helper.mjs';
    const file = (name) => new URL(name, import.meta.url);
    export default defineProblem({
      name: 'sums',
      input: formats.counted({ a: formats.int(), b: formats.int() }),
      solve({ a, b }) {
        if (a === 3 && !existsSync(file('right.mjs'))) {
          copyFileSync(file('helper.mjs'), file('right.mjs'));
          copyFileSync(file('wrong.mjs'), file('helper.mjs'));
          process.exit(1);
        }
        return add(a, b);
      },
    });
  `;
  const RUN = ['./sums.mjs', 'a.in', '-o', 'a.ans', '-j', '1', '--chunk', '1'];
  // The process that other command lines share starts no threads before it has read the command line.
  const solveSums = (...args: string[]) => ownProcess(['solve', ...RUN, ...args], { cwd: folder.path });

  beforeEach(() => {
    write('sums.mjs', MODULE);
    write('helper.mjs', 'export const add = (a, b) => a + b;\n');
    write('wrong.mjs', 'export const add = () => 0;\n');
    write('a.in', '4\n1 1\n2 2\n3 3\n4 4\n');
  });

  test('ends the run, which can be resumed when they are as they were', async () => {
    const { code, stderr } = await solveSums();
    expect(stderr).toContain('helper.mjs changed during the run, so its answers may come from two programs');
    expect({ code, isWritten: existsSync(at('a.ans')) }).toEqual({ code: 4, isWritten: false });
    copyFileSync(at('right.mjs'), at('helper.mjs'));
    expect(await solveSums('--resume')).toMatchObject({ code: 0, stderr: '' });
    expect(read('a.ans')).toBe('2\n4\n6\n8\n');
  });

  test('reads other files, too, and a change of these ends the run unless the author states a version', async () => {
    const reading = (version: string) => `
      import { readFileSync, writeFileSync } from 'node:fs';
      import { defineProblem, formats } from 'boardmill';
      const file = new URL('./factor.txt', import.meta.url);
      const factor = Number(readFileSync(file, 'utf8'));
      export default defineProblem({
        name: 'products',
        ${version}
        input: formats.counted({ a: formats.int(), b: formats.int() }),
        solve({ a, b }) {
          if (a === 3 && factor === 1) {
            writeFileSync(file, '2');
            process.exit(1);
          }
          return factor * (a + b);
        },
      });
    `;
    write('sums.mjs', reading(''));
    write('factor.txt', '1');
    const watched = await solveSums();
    expect(watched.stderr).toContain('factor.txt changed during the run');
    expect(watched.code).toBe(4);
    write('sums.mjs', reading("version: '1',"));
    write('factor.txt', '1');
    expect(await solveSums('--force')).toMatchObject({ code: 0 });
  });

  test('ends solveFile and solveStream', async () => {
    const options = { jobs: 1, chunkBytes: 1 };
    await expect(solveFile(at('sums.mjs'), at('a.in'), at('a.ans'), options)).rejects.toThrow(
      'helper.mjs changed during the run',
    );
    copyFileSync(at('right.mjs'), at('helper.mjs'));
    rmSync(at('right.mjs'));
    const answers: unknown[] = [];
    const stream = async () => {
      for await (const { answer } of solveStream(at('sums.mjs'), at('a.in'), options)) answers.push(answer);
    };
    await expect(stream()).rejects.toThrow('helper.mjs changed during the run');
    // The second case may be looked at when the third one has begun.
    expect(answers).toEqual(['2', '4'].slice(0, answers.length));
  });
});

describe('a module that is edited while one of its functions is called', () => {
  /** A module whose function `edits` edits the module itself. Only `solve` is always there. */
  const moduleWhose = (edits: string) => {
    const body = (name: string, result: string) => `{ ${name === edits ? 'edit(); ' : ''}return ${result}; }`;
    const functions: Record<string, string> = {
      solve: `solve({ a, b }) ${body('solve', 'a + b')},`,
      equal: `equal(expected, got) ${body('equal', 'expected === got')},`,
      valid: `valid() ${body('valid', 'true')},`,
      generate: `generate() ${body('generate', '{ a: 1, b: 2 }')},`,
    };
    const wanted = ['solve', edits].map((name) => functions[name]);
    return `
      import { appendFileSync } from 'node:fs';
      import { defineProblem, formats } from 'boardmill';
      const edit = () => appendFileSync(new URL(import.meta.url), '// Edited.\\n');
      export default defineProblem({
        name: 'sums',
        input: formats.counted({ a: formats.int(0, 9), b: formats.int(0, 9) }),
        ${[...new Set(wanted)].join('\n')}
      });
    `;
  };

  beforeEach(() => {
    mkdirSync(at('data'));
    write('data/b.in', '2\n1 1\n2 2\n');
    write('a.in', '2\n1 1\n2 2\n');
    write('a.ans', '2\n5\n');
    write('sum.py', 'for _ in range(int(input())): print(sum(map(int, input().split())))\n');
  });

  const JUDGED = ['--exec', 'python3 sum.py'];
  const STRESSED = [...JUDGED, '--seed', '1', '--time', '20'];

  test.each([
    ['solve', 'solve', 'a.in'],
    ['solve', 'check', 'a.in', 'a.ans'],
    ['equal', 'check', 'a.in', 'a.ans'],
    ['solve', 'stats', 'a.in'],
    ['solve', 'judge', 'data/b.in', ...JUDGED],
    ['equal', 'judge', 'a.in', ...JUDGED],
    ['solve', 'stress', ...STRESSED],
    ['valid', 'stress', ...STRESSED],
    ['generate', 'stress', ...STRESSED],
    ['solve', 'bench', 'a.in', '--runs', '1'],
    ['generate', 'generate', '--cases', '3', '--seed', '1'],
    ['valid', 'generate', '--cases', '3', '--seed', '1'],
    ['valid', 'generate', '--profile', 'all'],
    ['valid', 'validate', 'a.in'],
    ['solve', 'census'],
    ['solve', 'grade', 'data', '--program', 'sum.py', '--time', '20'],
  ])('by `%s` ends `%s`', async (edits, command, ...args) => {
    write('sums.mjs', moduleWhose(edits));
    const { code, stderr } = await boardmill([command, './sums.mjs', ...args], { cwd: folder.path });
    expect(stderr).toContain(
      './sums.mjs changed during the run, so its answers may come from two programs; run it again\n',
    );
    expect(code).toBe(4);
  });

  test('gives no false verdict if its thread ends', async () => {
    write('sums.mjs', moduleWhose('solve').replace('edit();', 'if (a === 2) { edit(); process.exit(1); }'));
    const { code, stdout, stderr } = await boardmill(['stats', './sums.mjs', 'a.in', '-j', '1'], {
      cwd: folder.path,
    });
    expect(stderr).toContain('./sums.mjs changed during the run');
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  });
});

test('a grammar that is edited while a case is solved ends the run', async () => {
  write('g.ctd', 'INT(0, 9, t) NEWLINE REP(t) INT(0, 9) NEWLINE END EOF\n');
  write('other.ctd', 'INT(0, 9, t) NEWLINE REP(t) INT(0, 8) NEWLINE END EOF\n');
  write('a.in', '4\n1\n2\n3\n4\n');
  editWith(writeAndRestore('g.ctd', 'other.ctd'));
  const run = ['solve', 'g.ctd', '--multitest', 'a.in', '-o', 'a.ans', '-j', '1', '--exec-cases', '1'];
  const { code, stderr } = await boardmill([...run, '--exec', 'sh mine.sh'], { cwd: folder.path });
  expect({ code, stderr }).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('g.ctd changed during'),
  });
});

test('`check` says nothing about answers if the program was edited and put back', async () => {
  write('a.ans', answersUpTo(CASES));
  editWith(swapAndRestore('lib/answer.sh'));
  const args = [
    'check',
    'bt',
    'a.in',
    'a.ans',
    '-j',
    '1',
    '--exec-cases',
    '1',
    '--exec',
    'sh mine.sh lib/answer.sh',
  ];
  const { code, stderr } = await boardmill(args, { cwd: folder.path });
  expect({ code, stderr }).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(
      'lib/answer.sh changed during the run, so its answers may come from two programs; run it again\n',
    ),
  });
});
