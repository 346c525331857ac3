import { expect, test } from 'vitest';
import { RunTally } from '../../src/engine/tally.js';

test.runIf(process.platform === 'linux')(
  'processor time that this thread uses is added to coordinatorCpuSeconds',
  () => {
    const tally = new RunTally();
    const before = tally.createStats('bt', 1);
    // The loop ends after 0.2 s of processor time, so it does not depend on the speed of the machine.
    for (const end = process.cpuUsage().user + 200_000; process.cpuUsage().user < end; );
    const after = tally.createStats('bt', 1);
    expect(before.coordinatorCpuSeconds).toBeGreaterThanOrEqual(0);
    expect(after.coordinatorCpuSeconds).toBeGreaterThan(before.coordinatorCpuSeconds as number);
    expect(after.coordinatorCpuSeconds).toBeLessThanOrEqual(
      process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 + 0.1,
    );
  },
);
