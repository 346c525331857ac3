/** Tests of how long a run waits for a worker process that can solve it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WorkerStatus } from '../../../src/engine/queue/presence.js';
import type { RedisLink } from '../../../src/engine/queue/redis.js';
import { WorkerWatch } from '../../../src/engine/queue/worker-watch.js';

const RUN = 'the requirements';
let present: readonly Partial<WorkerStatus>[] = [];
vi.mock('../../../src/engine/queue/presence.js', () => ({ listWorkers: async () => present }));

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const worker = (verdict: string | null): Partial<WorkerStatus> => ({
  id: `${verdict}`,
  name: 'a worker',
  jobs: 1,
  verdicts: { [RUN]: verdict },
});

/** Returns the seconds after which a waiting run ends, looked at once a second; null if it does not within two minutes. */
async function secondsUntilEnd(waitSeconds: number | null, wasServed: boolean): Promise<number | null> {
  const link = { label: 'redis' } as RedisLink;
  const watch = new WorkerWatch(link, RUN, () => {}, waitSeconds === null ? null : waitSeconds * 1000);
  for (let seconds = 0; seconds < 120; seconds++) {
    if ((await watch.look(true, wasServed)) !== null) return seconds;
    vi.advanceTimersByTime(1000);
  }
  return null;
}

test.each([
  ['only worker processes that refuse it are there', ['no'], null, false, 4],
  ['it shall wait for its first worker process', ['no', 'neither'], 60, false, 61],
  ['it had a worker process before', ['no'], 60, true, 4],
  ['nobody is there', [], 60, false, 61],
  ['nobody is there, and it waits without end', [], null, false, null],
  ['one accepts it', ['no', null], 5, false, null],
])('a run for which %s', async (_, verdicts, waitSeconds, wasServed, expected) => {
  present = verdicts.map(worker);
  expect(await secondsUntilEnd(waitSeconds, wasServed)).toBe(expected);
});
