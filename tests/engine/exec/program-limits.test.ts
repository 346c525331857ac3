/** The limits of runs that a judge needs: processor time beside time, and what is printed on standard error. */
import { describe, expect, test } from 'vitest';
import { ProgramRunner } from '../../../src/engine/exec/program.js';
import type { ProgramLimits } from '../../../src/engine/exec/program-shell.js';

const NO_INPUT = new Uint8Array(0);

async function run(script: string, limits: Partial<ProgramLimits>) {
  const program = new ProgramRunner(['sh', '-c', script], { isMeasured: true });
  try {
    return await program.run(NO_INPUT, { timeoutMs: null, outputBytes: 1 << 20, ...limits });
  } finally {
    program.close();
  }
}

describe('the limit on processor time', () => {
  test('ends a program that computes without end, however much time it has', async () => {
    const { failure, usage } = await run('while :; do :; done', { timeoutMs: 3_600_000, cpuMs: 300 });
    expect(failure).toEqual({ kind: 'timeout', reason: 'ran too long' });
    expect(usage?.cpuSeconds).toBeGreaterThan(0.3);
    // Checks are rare on a busy machine, but this is far from all the time that it had.
    expect(usage?.cpuSeconds).toBeLessThan(30);
  });

  test('does not end a program that uses little of it', async () => {
    const { failure, usage } = await run('echo 1', { timeoutMs: 3_600_000, cpuMs: 60_000 });
    expect(failure).toBeNull();
    expect(usage?.cpuSeconds).toBeLessThan(60);
  });

  test('leaves a program that waits to the limit on time', async () => {
    const { failure, usage } = await run('exec sleep 1000', { timeoutMs: 200, cpuMs: 60_000 });
    expect(failure?.kind).toBe('timeout');
    expect(usage?.seconds).toBeGreaterThanOrEqual(0.2);
    // On a busy machine, the time may be up before the shell has said which process the program is: then it is not known.
    expect(usage?.cpuSeconds ?? 0).toBeLessThan(60);
  });
});

describe('what is printed on standard error', () => {
  const script = 'i=0; while [ $i -lt 3000 ]; do echo "line $i" >&2; i=$((i + 1)); done; echo 12';

  test('counts if that is wanted, also beyond what a pipe holds', async () => {
    const { failure } = await run(script, { outputBytes: 1000, countsErrors: true });
    expect(failure).toEqual({
      kind: 'crash',
      reason: 'printed more than 1000 bytes on standard output and standard error',
    });
    expect(
      (await run(`${script}; ${script}`, { outputBytes: 50_000, countsErrors: true })).failure,
    ).not.toBeNull();
  });

  test('does not count otherwise, and not from run to run', async () => {
    expect((await run(script, { outputBytes: 1000 })).failure).toBeNull();
    const program = new ProgramRunner(['sh', '-c', 'echo 12345 >&2'], { isMeasured: true });
    try {
      for (let round = 0; round < 3; round++)
        expect(
          (await program.run(NO_INPUT, { timeoutMs: null, outputBytes: 6, countsErrors: true })).failure,
        ).toBeNull();
    } finally {
      program.close();
    }
  });
});
