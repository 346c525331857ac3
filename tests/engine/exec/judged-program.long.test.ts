/** Tests of the time that a program waits for a processor, which keep a processor busy for some seconds. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ProgramRunner } from '../../../src/engine/exec/program.js';
import { bytesOf } from '../../support/inputs.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

const canMeasureWaiting =
  existsSync('/proc/self/schedstat') && spawnSync('taskset', ['-c', '0', 'true']).status === 0;

test.skipIf(!canMeasureWaiting)(
  'a program waits while its child or thread has no processor, because another process has it (needs taskset and /proc/self/schedstat)',
  async () => {
    // The program's child and a rival share one processor. The child works until it has waited for 1.5 s.
    const rival = spawn('taskset', ['-c', '0', 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore' });
    const work =
      'waited=0; while [ $waited -lt 1500000000 ]; do read -r _ waited _ </proc/self/schedstat; done';
    const program = new ProgramRunner(['taskset', '-c', '0', 'sh', '-c', `(${work}); exit 0`], {
      isMeasured: true,
    });
    try {
      const limits = { timeoutMs: 60_000, cpuMs: 60_000, outputBytes: 100 };
      const { failure, usage } = await program.run(bytesOf(''), limits);
      expect(failure).toBeNull();
      // What comes after the last look at the child is not seen. On a busy machine that may be much.
      expect(usage!.waitingSeconds).toBeGreaterThan(0.3);
      expect(usage!.waitingSeconds).toBeLessThanOrEqual(usage!.seconds);
    } finally {
      program.close();
      rival.kill('SIGKILL');
    }
  },
);
