/** How much memory a worker process uses for chunks depends on its worker threads. */
import { expect, test } from 'vitest';
import { MIB } from '../../../src/core/bytes.js';
import { ChunkMemoryBudget } from '../../../src/engine/queue/chunk-memory.js';
import { defer, settled } from '../../support/deferred.js';

test.each([
  [1, 512],
  [32, 512],
  [57, 57 * 16],
])('with %i worker threads, chunks of %i MiB are in memory', async (jobs, mib) => {
  const memory = new ChunkMemoryBudget(jobs);
  const end = defer<void>();
  let begun = 0;
  const work = () => {
    begun++;
    return end.promise;
  };
  // A chunk of a shared input counts twice, because the worker threads get a copy.
  const useHalves = () => [
    memory.received.use((mib / 2) * MIB, work),
    memory.use({ bytes: (mib / 4) * MIB }, work),
  ];
  const chunks = [...useHalves(), ...useHalves()];
  expect(await settled(() => begun)).toBe(4);
  chunks.push(memory.received.use(1, work), memory.use({ bytes: 1 }, work));
  expect(await settled(() => begun)).toBe(4);
  end.resolve();
  await Promise.all(chunks);
  expect(begun).toBe(6);
});
