import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { RunTally } from '../../src/engine/tally.js';

test.runIf(process.platform === 'linux')(
  'processor time that this thread uses is added to coordinatorCpuSeconds',
  () => {
    const tally = new RunTally();
    const before = tally.createStats('bt', 1);
    // The loop ends after 0.2 s of processor time, so it does not depend on the speed of the machine.
    const used = () => process.cpuUsage().user + process.cpuUsage().system;
    for (const end = used() + 200_000; used() < end; );
    const after = tally.createStats('bt', 1);
    expect(before.coordinatorCpuSeconds).toBeGreaterThanOrEqual(0);
    expect(after.coordinatorCpuSeconds).toBeGreaterThan(before.coordinatorCpuSeconds as number);
    expect(after.coordinatorCpuSeconds).toBeLessThanOrEqual(used() / 1e6 + 0.1);
  },
);

const MIB = 2 ** 20;
const MODULE = fileURLToPath(new URL('../../build/src/core/process-usage.js', import.meta.url));

test.runIf(process.platform === 'linux')(
  'the peak of memory is that of the process itself, not of the one that has started it',
  () => {
    const peakAfter = (bytes: number) => {
      const script = `Buffer.alloc(${bytes}, 1); import('${MODULE}').then((m) => console.log(m.peakMemoryBytes()));`;
      return Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
    };
    const held = Buffer.alloc(300 * MIB, 1);
    expect(process.resourceUsage().maxRSS * 1024).toBeGreaterThan(held.length);
    expect(peakAfter(0)).toBeLessThan(150 * MIB);
    expect(peakAfter(200 * MIB)).toBeGreaterThan(200 * MIB);
  },
);
