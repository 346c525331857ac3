/** How programs are measured that read one case at a time. */
import { expect, test } from 'vitest';
import { inputFormat } from '../../../src/games/darkraft/format.js';
import { measureCaseByCase } from '../../../src/tools/bench/measure-cases.js';
import { folderForEachTest } from '../../support/temporary-folder.js';

const folder = folderForEachTest();

test('all that the program prints for the cases, however much, is joined', async () => {
  folder.write('two.in', '1 1\nL\n1 1\nR\n');
  const never = new AbortController().signal;
  const run = {
    inputFormat,
    input: folder.at('two.in'),
    output: folder.at('two.out'),
    folder: folder.path,
    maxOutputBytes: () => 1e6,
  };
  const program = ['awk', 'NR == 2 { for (i = 0; i < 100000; i++) print $0 i }'];
  const { processes } = await measureCaseByCase(program, run, { stop: never, giveUp: never });
  const printed = (letter: string) => Array.from({ length: 100_000 }, (_, i) => `${letter}${i}\n`).join('');
  expect(folder.read('two.out') === printed('L') + printed('R')).toBe(true);
  expect(processes).toBe(2);
});
