/** Runs `boardmill stress` for tests, and declares the tests of programs that fail in one way. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../support/programs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

export const SEED = '5';

/** Returns a folder for the calling file, and a function that runs `boardmill stress` in a new folder below it. */
export function createSearches() {
  const folder = temporaryFolder();
  /** Returns the outcome of a search, and functions for the files of its counterexample. */
  const stress = async (problem: string, exec: string, ...args: string[]) => {
    const cwd = mkdtempSync(join(folder, 'run-'));
    const outcome = await boardmill(['stress', problem, '--exec', exec, '--seed', SEED, ...args], { cwd });
    const saved = (ending: string) => join(cwd, `stress-${problem}-${SEED}.${ending}`);
    const read = (ending: string) => readFileSync(saved(ending), 'latin1');
    return { ...outcome, cwd, saved, read };
  };
  return { folder, stress };
}

/** Declares a test for each flaw of a program. `what` is what boardmill says about the program. */
export function testFlaws(flaws: readonly { readonly flaw: string; readonly what: string }[]): void {
  const { stress } = createSearches();
  test.each(flaws)(
    'stress shrinks the counterexample of the flaw $flaw to a 1x1 board, and solve --exec fails on it',
    async ({ flaw, what }) => {
      const exec = program('darkraft', flaw);
      const limits = ['--rounds', '2', '--exec-cases', '8', '-j', '1'];
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
}
