/** Tests of `boardmill stress` with right programs and with programs that have a known flaw. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { program } from '../support/programs.js';
import { boardmill } from './in-turn.js';
import { createSearches, SEED, testFlaws } from './stress-searches.js';

const { folder, stress } = createSearches();

/** A program for darkraft that crashes at boards of 1x1, and calls all others lost. */
const LOSES_OR_DIES = `sh -c 'read -r size; [ "$size" != "1 1" ] && echo LOSE'`;

/** Returns the number of cells in an input of bacterial-tactics. */
const countCells = (input: string) => (input.match(/[.#]/g) ?? []).length;

describe(`stress with a right program (seed ${SEED})`, () => {
  test.each(PROBLEMS)(
    'stress finds no difference for a right program for $name, and prints the number of compared cases',
    async ({ name: problem }) => {
      const limits = ['--rounds', '2', '--exec-cases', '20', '-j', '1'];
      const { code, stdout, saved } = await stress(problem, program(problem), ...limits);
      expect(stdout).toMatch(/^no difference in \d+ cases, 2 rounds, boards up to \dx\d, seed 5\n$/);
      expect(code).toBe(0);
      expect(existsSync(saved('in'))).toBe(false);
    },
  );
});

describe(`stress with a wrong program (seed ${SEED})`, () => {
  test('stress shrinks the counterexample of a program that uses booleans as nimbers to at most 8 cells', async () => {
    const exec = program('bacterial-tactics', 'booleans');
    const { code, stdout, read, cwd } = await stress('bacterial-tactics', exec, '--time', '60', '-j', '1');
    expect(code).toBe(1);
    const input = read('in');
    expect(input).toMatch(/^1\n/);
    expect(countCells(input)).toBeLessThanOrEqual(8);
    expect(read('expected')).not.toBe(read('got'));
    const answers = ['check', 'bacterial-tactics', `stress-bacterial-tactics-${SEED}.in`];
    const ours = await boardmill([...answers, `stress-bacterial-tactics-${SEED}.expected`], { cwd });
    const theirs = await boardmill([...answers, '-'], { cwd, stdin: read('got') });
    expect([ours.code, theirs.code]).toEqual([0, 1]);
    expect(stdout).toContain(`< stress-bacterial-tactics-${SEED}.in | boardmill check bacterial-tactics`);
  });

  test('stress says that a program is right if it is run again, and keeps its wrong answers', async () => {
    // The first of its arguments is a file that its first run writes.
    const script = `if [ -e "$0" ]; then "$@"; else touch "$0"; "$@" | sed "s/LOSE/win/;s/WIN/LOSE/;s/win/WIN/"; fi`;
    const exec = `sh -c '${script}' ran ${program('darkraft')}`;
    const { code, stdout, read } = await stress('darkraft', exec, '--rounds', '1', '-j', '1');
    expect(code).toBe(1);
    expect(stdout).toContain('\nrun once more, the program was right: its answers change from run to run\n');
    const words = (text: string) => text.trimEnd().split('\n');
    expect(words(read('got'))).toEqual(
      words(read('expected')).map((word) => (word === 'WIN' ? 'LOSE' : 'WIN')),
    );
  });

  testFlaws([
    { flaw: 'exit-on-1x1', what: 'the program exited with code 3' },
    { flaw: 'garbage-on-1x1', what: 'the program printed a malformed answer' },
  ]);

  // The program hangs on every board, so the test does not depend on the speed of the machine.
  test('stress shrinks the counterexample of a program that hangs to a 1x1 board', async () => {
    const limits = ['--timeout', '0.1'];
    const { code, stdout, read, cwd } = await stress(
      'darkraft',
      'sleep 1000',
      '--exec-cases',
      '8',
      ...limits,
    );
    expect(code).toBe(1);
    expect(stdout).toContain('no answer within 0.1 s');
    expect(read('in')).toBe('1 1\nL\n');
    const again = ['solve', 'darkraft', `stress-darkraft-${SEED}.in`, '--exec', 'sleep 1000', ...limits];
    const repeated = await boardmill(again, { cwd });
    expect(repeated.code).toBe(4);
    expect(repeated.stderr).toContain('no answer within 0.1 s');
  });

  test('a failure on several cases together is repeated by the program itself, because solve would give it single cases', async () => {
    const right = program('bacterial-tactics');
    const script = `read -r t; [ "$t" = 1 ] || exit 3; (echo 1; cat) | ${right}`;
    const exec = `sh -c '${script}'`;
    const { code, stdout, read } = await stress('bacterial-tactics', exec, '--rounds', '1', '-j', '1');
    expect(code).toBe(1);
    expect(read('in')).toMatch(/^2\n/);
    const command = /repeat with:\n {2}(.*)\n$/.exec(stdout)?.[1] ?? '';
    expect(command).toMatch(/^sh -c .* < stress-bacterial-tactics-\d+\.in$/);
  });

  test('a name does not begin a line of its own in the report', async () => {
    const cwd = mkdtempSync(join(folder, 'run-'));
    writeFileSync(join(cwd, 'a\nforged: line'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const exec = ['--exec', "'./a\nforged: line'", '--rounds', '1', '-q'];
    const { code, stdout } = await boardmill(['stress', 'darkraft', ...exec], { cwd });
    expect({ code, forged: /^forged/m.test(stdout) }).toEqual({ code: 1, forged: false });
    expect(stdout).toContain('./a\\x0aforged: line');
  });

  test('stress ends if the reference fails while other batches wait for it', async () => {
    const words = ['--exec', 'cat', '--reference', 'false', '--exec-cases', '1', '--rounds', '1', '-q'];
    const { code, stderr } = await boardmill(['stress', 'darkraft', ...words], { cwd: folder });
    const file = /saved (reference-darkraft-\d+\.in);/.exec(stderr)?.[1];
    expect(stderr).toBe(
      `boardmill: the reference's fault, not the program's: false: exited with code 1; saved ${file}; ` +
        `repeat with: boardmill solve darkraft ${file} --exec false --timeout 10\n`,
    );
    expect(code).toBe(4);
  });

  test('a regression case is tried first, and a further failure gets files of its own', async () => {
    const cwd = mkdtempSync(join(folder, 'run-'));
    const run = (...args: string[]) =>
      boardmill(['stress', 'darkraft', '--seed', SEED, '-j', '1', ...args], { cwd });
    const exec = program('darkraft', 'exit-on-1x1');
    const saved = `stress-darkraft-${SEED}`;
    const first = await run('--exec', exec, '--rounds', '1');
    expect(first.stdout).toContain(`saved ${saved}.in, ${saved}.expected, ${saved}.got; repeat with:`);
    writeFileSync(join(cwd, 'stress-darkraft-bad.in'), '1 1\nQ\n');
    const again = await run('--exec', LOSES_OR_DIES, '--find', '2', '--rounds', '1');
    expect(again.code).toBe(1);
    expect(again.stdout).toContain(`${saved}.in, saved before: the program exited with code 1\n`);
    expect(again.stdout).toContain(`saved ${saved}-2.in, ${saved}-2.expected, ${saved}-2.got; repeat with:`);
    expect(again.stdout).toMatch(
      /\n2 different failures in \d+ cases, 1 round, 1 regression case, boards up to .*\n$/,
    );
    expect(again.stderr).toMatch(/^boardmill: stress-darkraft-bad.in:2:1: .*; the file is not tried\n$/);
    expect(readdirSync(cwd)).toHaveLength(7);
  });

  test('the inputs of a generator are tried, and a bad one is its fault', async () => {
    const cwd = mkdtempSync(join(folder, 'run-'));
    // Prints one board, and from the third run on a bad one.
    const text = `echo "$1" >> seeds
      printf '1 1\\n'; [ "$(wc -l < seeds)" -lt 3 ] && echo X || echo Q`;
    writeFileSync(join(cwd, 'gen.sh'), text);
    const run = (rounds: string, exec: string) => {
      const args = ['--generator', 'sh gen.sh', '--rounds', rounds, '--seed', SEED, '-j', '1'];
      return boardmill(['stress', 'darkraft', '--exec', exec, ...args], { cwd });
    };
    const right = await run('2', 'echo WIN');
    expect(right.stdout).toBe(`no difference in 2 cases, 2 rounds, boards up to 1x1, seed ${SEED}\n`);
    const seeds = readFileSync(join(cwd, 'seeds'), 'utf8').split('\n');
    expect(new Set(seeds).size).toBe(3);
    const bad = await run('1', 'echo WIN');
    expect(bad.code).toBe(4);
    expect(bad.stderr).toBe(
      `boardmill: <sh gen.sh ${seeds[0]}>:2:1: case 1: expected row 1 of 1 (1 of "LRX"), got "Q"; ` +
        `this is the generator's fault, repeat with: sh gen.sh ${seeds[0]} | boardmill validate darkraft\n`,
    );
    writeFileSync(join(cwd, 'seeds'), '');
    const wrong = await run('1', 'echo LOSE');
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain(`round 1 (sh gen.sh ${seeds[0]}), seed ${SEED}: expected "WIN"`);
  });

  test('--rows and --cols choose the sizes of random boards', async () => {
    const exec = `sh -c 'while read -r size; do echo "$size" >> sizes; read -r row; echo WIN; done'`;
    const { cwd } = await stress(
      'darkraft',
      exec,
      '--rows',
      '1',
      '--cols',
      '7..8',
      '--rounds',
      '2',
      '--exec-cases',
      '20',
    );
    const sizes = readFileSync(join(cwd, 'sizes'), 'latin1').trim().split('\n');
    // The program is wrong, so the search then makes its boards smaller.
    expect(new Set(sizes.slice(0, 20))).toEqual(new Set(['1 7', '1 8']));
    const refused = await stress('darkraft', 'cat', '--rows', '1..99');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--rows needs sizes from 1 to '),
    });
    const generated = await stress('darkraft', 'cat', '--rows', '1', '--generator', 'cat');
    expect(generated.code).toBe(2);
    expect(generated.stderr).toContain('--generator');
  });

  test('a seed that stress draws is short, and names the files', async () => {
    const cwd = mkdtempSync(join(folder, 'run-'));
    const words = ['stress', 'darkraft', '--exec', 'echo', '--rounds', '1', '--exec-cases', '1'];
    const { stderr } = await boardmill(words, { cwd });
    const [, seed] = /^boardmill: random seed (\d{1,6}) \(repeat with --seed \1\)$/m.exec(stderr)!;
    expect(readdirSync(cwd)).toContain(`stress-darkraft-${seed}.in`);
  });

  test('--profile all tries every board, and says how many are left if it ends early', async () => {
    const cwd = mkdtempSync(join(folder, 'run-'));
    const run = (exec: string, ...args: string[]) => {
      const all = ['--profile', 'all', '--rows', '1..2', '--cols', '1..2', '--exec-cases', '50', '-j', '1'];
      return boardmill(['stress', 'darkraft', '--exec', exec, ...all, ...args], { cwd });
    };
    const right = await run(program('darkraft'));
    const all = 3 + 2 * 3 ** 2 + 3 ** 4;
    expect(right).toMatchObject({
      code: 0,
      stdout: `no difference in all ${all} cases, 3 rounds, boards up to 2x2\n`,
    });
    const early = await run(program('darkraft'), '--rounds', '1');
    expect(early).toMatchObject({
      code: 4,
      stdout: `no difference in 50 cases, 1 round, boards up to 2x2, ${all - 50} boards are left\n`,
      stderr: `boardmill: the search ended early: ${all - 50} boards are left\n`,
    });
    const wrong = await run(program('darkraft', 'exit-on-1x1'), '--find', '2');
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain('saved stress-darkraft-all.in, ');
    expect(wrong.stdout).toContain(`1 failure in all ${all} cases, 3 rounds`);
  });

  // None of these searches has time to compare an answer, on whatever machine.
  test.each([
    { args: ['--exec-cases', '5'], message: 'compared; give it more with --time, or fewer cases per run' },
    { args: ['--reference', 'sleep 100'], message: 'compared; give it more with --time\n' },
    { args: ['--profile', 'all', '--rows', '1', '--cols', '1'], message: '; 3 boards are left' },
  ])('a search without time for a case blames nobody (%s)', async ({ args, message }) => {
    const limits = ['--time', '0.01', '--timeout', '0.2', '--exec', 'sleep 100'];
    const { code, stdout, stderr } = await boardmill(['stress', 'darkraft', ...limits, ...args, '-q'], {
      cwd: mkdtempSync(join(folder, 'run-')),
    });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^boardmill: the search of 0.01 s ended before /);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('fault');
  });

  test('--slowest saves the slowest case, which never counts as a failure', async () => {
    const cwd = mkdtempSync(join(folder, 'run-'));
    const run = (...args: string[]) => boardmill(['stress', 'darkraft', '--seed', SEED, ...args], { cwd });
    const exec = `sh -c 'read -r size; echo WIN'`;
    const found = await run('--slowest', '--exec', exec, '--rounds', '3');
    expect(found).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`saved slowest-darkraft-${SEED}.in;`),
    });
    expect(found.stdout).toMatch(/^slowest case: .*\nboard of \d+x\d+, 3 rounds, seed 5\n/);
    const late = await run('--slowest', '--exec', 'sleep 100', '--timeout', '0.1');
    expect(late).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^slowest case: no answer within 0.1 s/),
    });
    expect(readdirSync(cwd)).toEqual([`slowest-darkraft-${SEED}.in`]);
    expect((await run('--slowest', '--exec', 'false')).code).toBe(4);
    expect((await run('--slowest', '--exec', 'cat', '--reference', 'cat')).stderr).toContain(
      '--reference and --slowest cannot be used together',
    );
  });

  test('stress exits with code 2 if the program does not exist', async () => {
    const { code, stderr } = await boardmill(['stress', 'bt', '--exec', './no-such-program'], {
      cwd: folder,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('there is no such program');
  });
});
