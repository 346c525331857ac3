/** Tests of `boardmill stress` with right programs and with programs that have a known flaw. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/problems/registry.js';
import { compile, hasCompiler, program } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { boardmill, temporaryFolder } from './boardmill.js';

allowSlowTests();

const folder = temporaryFolder();
const SEED = '5';

/** Runs `boardmill stress` in a new folder. Returns its outcome, and functions for the counterexample's files. */
async function stress(problem: string, exec: string, ...args: string[]) {
  const cwd = mkdtempSync(join(folder, 'run-'));
  const outcome = await boardmill(['stress', problem, '--exec', exec, '--seed', SEED, ...args], { cwd });
  const saved = (ending: string) => join(cwd, `stress-${problem}-${SEED}.${ending}`);
  const read = (ending: string) => readFileSync(saved(ending), 'latin1');
  return { ...outcome, cwd, saved, read };
}

/** Returns the number of cells in an input of bacterial-tactics. */
const countCells = (input: string) => (input.match(/[.#]/g) ?? []).length;

describe(`stress with a right program (seed ${SEED})`, () => {
  test.concurrent.each(PROBLEMS)(
    'stress finds no difference for a right program for $name, and prints the number of compared cases',
    async ({ name: problem }) => {
      const { code, stdout, saved } = await stress(
        problem,
        program(problem),
        '--rounds',
        '2',
        '--exec-cases',
        '20',
      );
      expect(stdout).toMatch(/^no difference in \d+ cases, 2 rounds, seed 5\n$/);
      expect(code).toBe(0);
      expect(existsSync(saved('in'))).toBe(false);
    },
  );
});

describe(`stress with a wrong program (seed ${SEED})`, () => {
  test
    .skipIf(!hasCompiler)
    .concurrent(
      'stress shrinks the counterexample of a program that uses booleans as nimbers to at most 8 cells',
      async () => {
        const exec = compile('booleans', folder);
        const { code, stdout, read, cwd } = await stress('bacterial-tactics', exec, '--time', '60');
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
      },
    );

  test.concurrent.each([
    { flaw: 'exit-on-1x1', what: 'the program exited with code 3' },
    { flaw: 'crash-on-1x1', what: 'the program was killed by SIGSEGV' },
    { flaw: 'garbage-on-1x1', what: 'the program printed a malformed answer' },
    { flaw: 'leave-out-1x1', what: 'the program printed 0 answers for 1 case' },
  ])(
    'stress shrinks the counterexample of the flaw $flaw to a 1x1 board, and solve --exec fails on it',
    async ({ flaw, what }) => {
      const exec = program('darkraft', flaw);
      const limits = ['--rounds', '2', '--exec-cases', '8'];
      const { code, stdout, read, cwd } = await stress('darkraft', exec, ...limits);
      expect(code).toBe(1);
      expect(stdout).toContain(what);
      expect(read('in')).toBe('1 1\nL\n');
      expect(read('expected')).toBe('WIN\n');
      const again = ['solve', 'darkraft', `stress-darkraft-${SEED}.in`, '--exec', exec];
      const repeated = await boardmill(again, { cwd });
      expect(repeated.code).toBe(4);
      expect(repeated.stderr).toContain(what);
    },
  );

  // The program hangs on every board, so the test does not depend on the speed of the machine.
  test.concurrent('stress shrinks the counterexample of a program that hangs to a 1x1 board', async () => {
    const limits = ['--timeout', '0.2'];
    const { code, stdout, read, cwd } = await stress(
      'darkraft',
      'sleep 1000',
      '--exec-cases',
      '8',
      ...limits,
    );
    expect(code).toBe(1);
    expect(stdout).toContain('no answer within 0.2 s');
    expect(read('in')).toBe('1 1\nL\n');
    const again = ['solve', 'darkraft', `stress-darkraft-${SEED}.in`, '--exec', 'sleep 1000', ...limits];
    const repeated = await boardmill(again, { cwd });
    expect(repeated.code).toBe(4);
    expect(repeated.stderr).toContain('no answer within 0.2 s');
  });

  test.concurrent('stress ends if the reference fails while other batches wait for it', async () => {
    const words = ['--exec', 'cat', '--reference', 'false', '--exec-cases', '1', '--rounds', '1', '-q'];
    const { code, stderr } = await boardmill(['stress', 'darkraft', ...words], { cwd: folder });
    expect(stderr).toBe(
      'boardmill: the solver to compare with has no answer to case 1: the program exited with code 1\n',
    );
    expect(code).toBe(4);
  });

  test.concurrent('stress exits with code 2 if the program does not exist', async () => {
    const { code, stderr } = await boardmill(['stress', 'bt', '--exec', './no-such-program'], {
      cwd: folder,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('there is no such program');
  });
});
