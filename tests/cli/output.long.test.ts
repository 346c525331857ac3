/** A test of the memory of a run whose answers nobody reads. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { until } from '../support/until.js';
import { exitOf, start } from './boardmill.js';
import { writeBoards } from './endless-boards.js';

test.runIf(existsSync('/proc/self/stat'))(
  'if nobody reads the answers, solve stops reading the input, and its memory stays bounded',
  async () => {
    const child = start(['solve', 'darkraft', '-j', '2', '--format', 'ndjson']);
    const ended = exitOf(child);
    const written = writeBoards(child);
    child.stdout.pause();
    await untilIdle(child.pid!);
    const { bytes } = written;
    expect(bytes).toBeGreaterThan(1e6);
    expect(bytes).toBeLessThan(40e6);
    expect(peakBytes(child.pid!)).toBeLessThan(400 * 2 ** 20);
    child.stdout.destroy();
    expect(await ended).toBe(141);
  },
);

/** Resolves when 40 checks in a row found that no thread of the process ran or used processor time. */
async function untilIdle(pid: number): Promise<void> {
  const threadStates = () => {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
      const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1').split(') ')[1].split(' ');
      return `${fields[0]}${fields[11]}${fields[12]}`;
    });
    return threads.join(' ');
  };
  let idleChecks = 0;
  let last = '';
  await until(() => {
    const now = threadStates();
    idleChecks = now !== last || now.includes('R') ? 0 : idleChecks + 1;
    last = now;
    return idleChecks === 40;
  });
}

/** Returns the peak memory of a process so far, in bytes. */
function peakBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)![1]) * 1024;
}
