/** Tests that a function of a module that hangs, apart from `solve`, costs its thread and is the author's mistake. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { AuthorFunctionName } from '../../src/engine/author-messages.js';
import { copyHeadToSharedMemory } from '../../src/engine/cut/task-head.js';
import { LocalPool } from '../../src/engine/local-pool.js';
import { ANY_BOARDS } from '../../src/problems/problem.js';
import { ROOT } from '../cli/boardmill.js';
import { bytesOf } from '../support/inputs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';

allowSlowTests();

const folder = folderForEachTest();
const pools: LocalPool[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

/** Each function of this module hangs on the third case that it gets, which is the case 3. */
const MODULE = `
  import { defineProblem, formats } from 'boardmill';
  const unless = (isHanging, value) => { while (isHanging) {} return value; };
  export default defineProblem({
    name: 'stuck',
    input: formats.counted({ n: formats.int() }),
    answer: formats.int(),
    equal: (expected, got, { n }) => unless(n === 3, true),
    valid: ({ n }) => unless(n === 3, true),
    generate: ({ index }) => unless(index === 2, { n: 1 }),
  });`;

function openPool(): LocalPool {
  folder.write('stuck.mjs', MODULE);
  const url = pathToFileURL(folder.at('stuck.mjs')).href;
  const workerFile = pathToFileURL(join(ROOT, 'build/workers/run-job.js')).href;
  const settings = { problem: { kind: 'module', url, typed: './stuck.mjs' }, solver: 'auto' } as const;
  const pool = new LocalPool(settings, { jobs: 1, timeoutSeconds: 0.2, workerFile });
  pools.push(pool);
  return pool;
}

const caseOf = (n: number) => bytesOf(`${n}\n`);

test('if a function hangs, the message names the case, and the next call gets a new thread', async () => {
  const pool = openPool();
  const head = copyHeadToSharedMemory(null);
  const answer = bytesOf('1\n');
  const request = {
    profile: 'random',
    maxSize: null,
    set: null,
    boards: ANY_BOARDS,
    seed: '1',
  } as const;
  const call = (name: AuthorFunctionName, task: object) =>
    pool.callAuthor(name, task as never, (index) => index + 101);
  const expectHang = (called: Promise<unknown>, functionName: string, caseNumber: number) =>
    expect(called).rejects.toMatchObject({
      kind: 'usage',
      message: `./stuck.mjs: \`${functionName}\` has not returned within 0.2 s for case ${caseNumber}`,
    });
  const equalTask = (n: number) => ({
    caseNumber: n,
    caseBytes: caseOf(n),
    head,
    expected: answer,
    got: answer,
  });
  await expectHang(call('callEqual', equalTask(3)), 'equal', 101);
  expect(await call('callEqual', equalTask(2))).toBeNull();
  await expectHang(call('callValid', { head, cases: [1, 2, 3, 4].map(caseOf) }), 'valid', 103);
  expect(await call('callValid', { head, cases: [1, 2].map(caseOf) })).toEqual([null, null]);
  await expectHang(
    call('callGenerate', { request: { ...request, cases: 4 }, from: 0, count: 4 }),
    'generate',
    103,
  );
  expect(await call('callGenerate', { request: { ...request, cases: 2 }, from: 0, count: 2 })).toMatchObject({
    bytes: expect.anything(),
  });
});
