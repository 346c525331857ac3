import { expect, test } from 'vitest';
import { LocalPool } from '../../src/engine/local-pool.js';
import type { ChunkTask } from '../../src/engine/messages.js';

test('the threads load their modules with import(), because Node aborts if a thread ends while require() loads one', async () => {
  const workerFile = new URL('../fixtures/stack-worker.mjs', import.meta.url).href;
  const pool = new LocalPool(
    { problem: { kind: 'built-in', name: 'unused' }, solver: 'auto' },
    { jobs: 1, workerFile },
  );
  try {
    const stack = String(await pool.solve({} as ChunkTask));
    expect(stack).toMatch(/^Error: loaded\n +at file:.*stack-worker\.mjs/);
    expect(stack).not.toContain('loadESMFromCJS');
  } finally {
    await pool.close();
  }
});
