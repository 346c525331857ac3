/** Tests that `solve --exec` with a right program prints what boardmill prints without it. */
import { expect, test } from 'vitest';
import { bulkInput, STYLES, type Style } from '../support/inputs.js';
import { program } from '../support/programs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

const SEED = 20;
const inputOf = (style: Style) => bulkInput(style, 9, 4, SEED);

const OPTIONS: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['default options', []],
  ['few cases per run of the program', ['--exec-cases', '4', '-j', '3', '--format', 'ndjson']],
  ['small chunks', ['--exec-cases', '1000', '--chunk', '60', '-j', '2']],
];

/** Declares the tests of the chosen pairs of a problem and options, which are given by their indices. */
export function testRightPrograms(isChosen: (problem: number, options: number) => boolean): void {
  const pairs = STYLES.flatMap((style, i) =>
    OPTIONS.filter((_, j) => isChosen(i, j)).map(([name, args]) => ({
      problem: style.name,
      style,
      name,
      args,
    })),
  );
  const cwd = temporaryFolder();
  test.each(pairs)(
    `--exec with a right program for $problem prints the answers of boardmill: $name (seed ${SEED})`,
    async ({ style, args }) => {
      const format = args.includes('ndjson') ? ['--format', 'ndjson'] : [];
      const solve = (...words: string[]) =>
        boardmill(['solve', style.name, ...words], { cwd, stdin: inputOf(style) });
      const own = await solve('-j', '1', ...format);
      expect(await solve(...args, '--exec', program(style.name))).toEqual({
        code: 0,
        stdout: own.stdout,
        stderr: '',
      });
      expect(own.stdout).not.toBe('');
    },
  );
}

/** Declares the test of an invalid case of a problem. */
export function testInvalidCase(style: Style): void {
  const cwd = temporaryFolder();
  test(`${style.name}: solve reports an invalid case in the same way with and without --exec`, async () => {
    const stdin = inputOf(style).replace(/\n\d+ \d+\n\S+(?![\s\S]*\n\d+ \d+\n\S)/, '$&?');
    for (const policy of ['stop', 'mark']) {
      const solve = (...words: string[]) =>
        boardmill(['solve', style.name, '-j', '1', '--on-error', policy, ...words], { cwd, stdin });
      const own = await solve();
      expect(await solve('--exec', program(style.name))).toEqual(own);
      expect(own.code).toBe(policy === 'stop' ? 3 : 1);
    }
  });
}
