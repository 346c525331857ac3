/** Inputs that never end, and a run that reads one. */
import { expect } from 'vitest';
import { exitOf, start, textOf } from './boardmill.js';

export const MIB = 2 ** 20;

/** An input that begins with `head`, and goes on with `filling` for ever. */
export interface Endless {
  readonly of: string;
  readonly problem: string;
  readonly head: string;
  readonly filling: string;
}

/** Expects that `solve` refuses an endless input after a few MiB of it, in little memory. */
export async function expectRefusal({ problem, head, filling }: Endless): Promise<void> {
  const { code, stdout, stderr, writtenBytes, peak } = await feedEndlessly(problem, head, filling);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(/^boardmill: <stdin>:\d+:\d+: .*expected .*, got /m);
  expect(writtenBytes).toBeLessThan(8 * MIB);
  expect(peak).toBeLessThan(200 * MIB);
}

/**
 * Starts `solve`, writes `head` once, and then writes `filling` again and again until boardmill ends.
 * Returns the outcome, the number of bytes that were written, and the peak memory in bytes.
 */
async function feedEndlessly(problem: string, head: string, filling: string) {
  const child = start(['solve', problem, '-j', '1', '--stats', '-']);
  const ended = exitOf(child);
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const block = Buffer.from(filling.repeat(65536 / filling.length));
  let writtenBytes = 0;
  child.stdin.on('error', () => {});
  child.stdin.write(head);
  const writeUntilFull = () => {
    while (!child.stdin.destroyed && child.stdin.write(block)) writtenBytes += block.length;
    writtenBytes += block.length;
  };
  child.stdin.on('drain', writeUntilFull);
  writeUntilFull();
  const code = await ended;
  const stderrText = await stderr;
  const peak = Number(/"peakRssBytes": (\d+)/.exec(stderrText)?.[1]);
  return { code, stdout: await stdout, stderr: stderrText, writtenBytes, peak };
}

/** Expects that `--on-error mark` skips a line of this many MiB, and needs less than 250 MiB of memory. */
export async function expectSkippedLine(mebibytes: number): Promise<void> {
  const child = start(['solve', 'darkraft', '-j', '1', '--on-error', 'mark', '--stats', '-']);
  const ended = exitOf(child);
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const block = Buffer.alloc(MIB, 'L');
  child.stdin.write('2 2\nLL\n');
  for (let written = 0; written < mebibytes; written++) {
    if (!child.stdin.write(block)) await new Promise((resolve) => child.stdin.once('drain', resolve));
  }
  child.stdin.end('\n1 1\nL\n');
  expect(await ended).toBe(1);
  expect(await stdout).toBe('ERROR\nWIN\n');
  expect(Number(/"peakRssBytes": (\d+)/.exec(await stderr)?.[1])).toBeLessThan(250 * MIB);
}
