import { expect, test } from 'vitest';
import { Tally } from '../../src/engine/tally.js';

test.runIf(process.platform === 'linux')('work of this thread counts', () => {
  const tally = new Tally();
  const before = tally.stats('bt', 1);
  // However slow the machine is: so much of its time is used, not so much work done.
  for (const end = process.cpuUsage().user + 200_000; process.cpuUsage().user < end; );
  const after = tally.stats('bt', 1);
  expect(before.coordinatorCpuSeconds).toBeGreaterThanOrEqual(0);
  expect(after.coordinatorCpuSeconds).toBeGreaterThan(before.coordinatorCpuSeconds as number);
  expect(after.coordinatorCpuSeconds).toBeLessThanOrEqual(
    process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 + 0.1,
  );
});
