import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { copyHeadToSharedMemory } from '../../src/engine/cut/task-head.js';
import { LocalPool } from '../../src/engine/local-pool.js';
import type { ChunkTask } from '../../src/engine/messages.js';
import { ROOT } from '../cli/boardmill.js';
import { folderForEachTest } from '../support/temporary-folder.js';

const BYTES = Buffer.from('1 1\n.\n');
const TASK: ChunkTask = {
  bytes: new Uint8Array(BYTES),
  starts: Uint32Array.of(0, BYTES.length),
  firstCase: 1,
  head: copyHeadToSharedMemory(null),
  settings: { outputFormat: 'text', columns: [], onError: 'stop' },
  origin: null,
  isSolvedOneByOne: false,
};

const folder = folderForEachTest();

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

test('the threads load their modules with import(), because Node aborts if a thread ends while require() loads one', async () => {
  const workerFile = new URL('../fixtures/stack-worker.mjs', import.meta.url).href;
  const pool = new LocalPool(
    { problem: { kind: 'built-in', name: 'unused' }, solver: 'auto' },
    { jobs: 1, workerFile },
  );
  try {
    const { output } = await pool.solve(TASK);
    expect(String(output)).toMatch(/^Error: loaded\n +at file:.*stack-worker\.mjs/);
    expect(String(output)).not.toContain('loadESMFromCJS');
  } finally {
    await pool.close();
  }
});

test('a pool that is closed ends no thread that still loads, because Node would never close the files that it reads', async () => {
  const file = folder.at('loaded');
  vi.stubEnv('BOARDMILL_TEST_LOADED', file);
  const workerFile = new URL('../fixtures/slow-loading-worker.mjs', import.meta.url).href;
  const settings = { problem: { kind: 'built-in', name: 'unused' }, solver: 'auto' } as const;
  const pool = new LocalPool(settings, { jobs: 2, inputBytes: 1e9, workerFile });
  await pool.close();
  expect(readFileSync(file, 'utf8')).toBe('loaded\nloaded\n');
});

test.each([
  [16 * 1024 - 1, 1],
  [16 * 1024, 2],
])(
  'for inputs of %d bytes whose chunks are solved soon, %d of two threads start',
  async (inputBytes, threads) => {
    // No time goes by in which the first thread works alone.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const file = folder.at('loaded');
    vi.stubEnv('BOARDMILL_TEST_LOADED', file);
    const workerFile = new URL('../fixtures/quick-worker.mjs', import.meta.url).href;
    const settings = { problem: { kind: 'built-in', name: 'unused' }, solver: 'auto' } as const;
    const pool = new LocalPool(settings, { jobs: 2, inputBytes, workerFile });
    await Promise.all([pool.solve(TASK), pool.solve(TASK)]);
    await pool.close();
    expect(readFileSync(file, 'utf8')).toBe('loaded\n'.repeat(threads));
  },
);

test('a thread that never gets its code loaded is ended, and its chunk fails', async () => {
  const workerFile = new URL('../fixtures/stuck-worker.mjs', import.meta.url).href;
  const settings = { problem: { kind: 'built-in', name: 'unused' }, solver: 'auto' } as const;
  const pool = new LocalPool(settings, { jobs: 1, loadingCheckMs: 5, workerFile });
  try {
    await expect(pool.solve(TASK)).rejects.toMatchObject({
      kind: 'no-start',
      reason: 'it did not load its code within 60 s',
    });
  } finally {
    await pool.close();
  }
});

test('a thread that cannot load the module of the problem fails its chunk with the error of the module', async () => {
  folder.write('worker.mjs', "export default () => { throw new Error('no second licence'); };");
  const workerFile = pathToFileURL(folder.at('worker.mjs')).href;
  const settings = { problem: { kind: 'built-in', name: 'unused' }, solver: 'auto' } as const;
  const pool = new LocalPool(settings, { jobs: 1, workerFile });
  try {
    await expect(pool.solve(TASK)).rejects.toMatchObject({ kind: 'no-start', reason: 'no second licence' });
  } finally {
    await pool.close();
  }
});

describe('a chunk that one of the threads must not solve', () => {
  test.each([
    [2, false],
    [1, true],
  ])('of %s threads, the same one solves it: %s', async (jobs, isSame) => {
    const settings = {
      problem: { kind: 'built-in', name: 'bacterial-tactics' },
      solver: 'portable',
    } as const;
    const pool = new LocalPool(settings, {
      jobs,
      workerFile: pathToFileURL(join(ROOT, 'build/workers/run-job.js')).href,
    });
    try {
      const { solvedBy } = await pool.solve(TASK);
      expect(solvedBy).toMatch(/^\d+$/);
      const { solvedBy: other, output } = await pool.solve({ ...TASK, notBy: solvedBy! });
      expect(other === solvedBy).toBe(isSame);
      expect(Buffer.from(output).toString()).toBe('Case #1: 2\n');
      // Tasks that any thread may solve keep the pool busy meanwhile, and none of them waits for ever.
      const many = Array.from({ length: 20 }, (_, i) =>
        pool.solve(i % 2 === 0 ? TASK : { ...TASK, notBy: other! }),
      );
      expect(await Promise.all(many)).toHaveLength(20);
    } finally {
      await pool.close();
    }
  });
});
