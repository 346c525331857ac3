/** Tests of `boardmill census --set`: the cases of a set of a module, and no others, are counted. */
import { expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();
const { read, write } = folder;
const run = (line: string) => boardmill(line.split(' '), { cwd: folder.path });

test('--set counts the cases of a set, which may have one head where others have several', async () => {
  write(
    'sets.mjs',
    `import { defineProblem, formats } from 'boardmill';
    export default defineProblem({
      name: 'sets',
      input: formats.counted({ a: formats.int(0, 9) }, { head: { k: formats.int(0, 9) } }),
      contest: { sets: { small: { k: [3, 3], a: [0, 1] }, large: { k: [3, 3] } } },
      solve: ({ a }, head) => a * head.k,
    });`,
  );
  expect(await run('census ./sets.mjs')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('such as those of a set (--set), help'),
  });
  const line = (set: string) => `census ./sets.mjs --set ${set} -o a.json`;
  await run(line('small'));
  expect(JSON.parse(read('a.json'))).toMatchObject({ cases: 2, answers: { 0: 1, 3: 1 } });
  expect((await run(line('large'))).stderr).toBe('');
  expect(JSON.parse(read('a.json'))).toMatchObject({ cases: 10 });
  expect((await run(line('other'))).code).toBe(2);
});

test.each([
  ["a: int(0, 5), b: int(0, 'a')", 'b: [0, 3]', 18],
  ["a: int(0, 5), b: int('a', 15)", 'b: [0, 6]', 27],
  ["a: int(1, 3), b: int('a', '2*a')", 'b: [2, 3]', 4],
  ["a: int(-1, 2), b: int(-1, 'a')", 'a: [1, 4], b: [-1, 2]', 7],
  ["a: int(0, 9), b: formats.bigint(0, '10^30')", 'a: [-5, 2], b: [0, 1]', 6],
])('--set narrows also bounds that are expressions: %s with %s', async (fields, set, cases) => {
  write(
    'narrow.mjs',
    `import { defineProblem, formats } from 'boardmill';
    const { int } = formats;
    export default defineProblem({ name: 'narrow', input: formats.counted({ ${fields} }), valid: () => true, answer: formats.lines(2),
      contest: { sets: { small: { ${set} } } }, solve: () => '\\u001b[31m\\u202e\\nsecond' });`,
  );
  const { code, stdout } = await run('census ./narrow.mjs --set small');
  expect({ code, lines: stdout.split('\n').slice(0, 3) }).toEqual({
    code: 0,
    lines: [
      `narrow: ${cases} cases`,
      '  answers',
      `    \\x1b[31m\\u202e / second  ${String(cases).padStart(1)}  100.00 %`,
    ],
  });
  await run('generate ./narrow.mjs --profile all --set small -o all.in');
  expect((await run('validate ./narrow.mjs all.in --contest --set small')).code).toBe(0);
});
