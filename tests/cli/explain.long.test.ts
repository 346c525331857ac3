/** A proof that boardmill does not write because it would be too large: to find that out takes seconds. */
import { expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();

test('a proof that is too large costs its case, and the cases before it are explained', async () => {
  const large = `16 16\n${[`${'.'.repeat(14)}OO`, ...Array(14).fill('.'.repeat(16)), `${'.'.repeat(15)}X`].join('\n')}\n`;
  folder.write('z.in', `0 2\n2 2\nOO\n.X\n${large}`);
  const { code, stdout, stderr } = await boardmill(['explain', 'zu', 'z.in', '--json', '--proof'], {
    cwd: folder.path,
  });
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).case),
  ).toEqual([1]);
  expect(stderr).toMatch(
    /^boardmill: z\.in:5:1: case 2: its proof would list [\d,]+ positions, more than 2,000,000; leave --proof out for this case\n$/,
  );
  expect(code).toBe(4);
});
