/** Tests of the shards of `boardmill census`, which `boardmill merge` joins. */
import { describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();
const { read, write } = folder;
const run = (line: string) => boardmill(line.split(' '), { cwd: folder.path });

describe('shards', () => {
  const shardsOf = async (count: number, sizes: string) => {
    for (let i = 1; i <= count; i++) {
      const { code } = await run(`census zu ${sizes} --shard ${i}/${count} -o part.${i} -j ${1 + (i % 2)}`);
      expect(code).toBe(0);
    }
  };
  const SIZES = '--rows 2..3 --cols 3..4';

  test('joined, they give the bytes of one run; a census without --json writes the same file', async () => {
    await run(`census zu ${SIZES} -o whole.json`);
    await shardsOf(3, SIZES);
    expect((await run('merge part.3 part.1 part.2 -o merged.json')).code).toBe(0);
    expect(read('merged.json')).toBe(read('whole.json'));
    expect((await run('merge part.1 part.2 part.3')).stdout).toBe(read('whole.json'));
    expect((await run(`census zu ${SIZES} --json`)).stdout).toBe(read('whole.json'));
  });

  test('parts that are missing, repeated, foreign or changed are refused', async () => {
    await shardsOf(2, SIZES);
    await run('census zu --rows 2 --cols 3 --shard 2/2 -o other.2');
    write('changed.2', read('part.2').replace('"done":', '"done": '));
    write('text.2', 'Case #1: 1\n');
    const expectRefusal = async (parts: string, message: string) => {
      const { code, stdout, stderr } = await run(`merge ${parts}`);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(message);
    };
    await expectRefusal('part.1', 'part 2 of 2 is missing');
    await expectRefusal('part.1 part.2 part.2', 'part 2 of 2 was given twice');
    await expectRefusal('part.1 other.2', 'not made in the same way: --rows was 2..3, is 2..2');
    await expectRefusal(
      'part.1 changed.2',
      'changed.2 is not a part that census --shard wrote, or was changed',
    );
    await expectRefusal('part.1 missing.2', 'cannot open missing.2: no such file or directory');
    write('one.in', '1\n3 3\n...\n...\n...\n');
    await run('solve bt one.in --shard 2/2 -o solved.2');
    const foreign = 'was written by solve --shard, but others are parts of a census';
    await expectRefusal('part.1 solved.2', `solved.2 ${foreign}`);
    await expectRefusal('part.1 solved.2.shard', `solved.2.shard ${foreign}`);
    await expectRefusal('part.1 text.2', 'text.2 is not a part that census --shard wrote, or was changed');
  });
});

test('a shard that is counted is not replaced by another census', async () => {
  await run('census darkraft --rows 2 --cols 3 --shard 1/2 -o sh.1');
  const shard = read('sh.1');
  for (const [other, difference] of [
    ['--cols 3 --shard 2/2', '--shard was 1/2, is 2/2'],
    ['--cols 2 --shard 1/2', '--cols was 3..3, is 2..2'],
    ['--cols 3', '--shard was 1/2, is not set'],
  ]) {
    expect(await run(`census darkraft --rows 2 ${other} -o sh.1`)).toEqual({
      code: 2,
      stdout: '',
      stderr: `boardmill: sh.1 is a shard that another census has counted: ${difference}; --force overwrites it\n`,
    });
  }
  expect(read('sh.1')).toBe(shard);
  expect((await run('census darkraft --rows 2 --cols 3 --shard 2/2 -o sh.1 --force')).code).toBe(0);
  expect(read('sh.1')).toContain('"shard":{"number":2');
});
