/** Tests of the time that a run has after the first signal: a solver that never returns must not keep it alive. */
import { describe, expect, test, vi } from 'vitest';
import { stopOnSignal } from '../../src/cli/signals.js';
import { GIVE_UP_MS, SIGNAL_GRACE_MS } from '../../src/engine/limits.js';
import { until } from '../support/until.js';
import { exitOf, folderForEachTest, ROOT, start, textOf } from './boardmill.js';

const folder = folderForEachTest();

describe('after the first signal', () => {
  /** Sends the signal to this process, whose time is stopped, and returns what happened until `ms` later. */
  function eventsUntil(ms: number, options: { givesUp: boolean; isReleased?: boolean }): string[] {
    vi.useFakeTimers();
    const events: string[] = [];
    const signals = stopOnSignal({
      remind: () => events.push('remind'),
      end: (signal) => events.push(`end ${signal}`),
      ...(options.givesUp ? { giveUp: () => events.push('give up') } : {}),
    });
    try {
      process.emit('SIGTERM', 'SIGTERM');
      expect(signals.stop.reason).toBe('SIGTERM');
      if (options.isReleased) signals.release();
      vi.advanceTimersByTime(ms);
      return events;
    } finally {
      signals.release();
      vi.useRealTimers();
    }
  }

  test('the process ends when the grace period is over, and not before', () => {
    expect(eventsUntil(GIVE_UP_MS - 1, { givesUp: true })).toEqual(['remind']);
    expect(eventsUntil(SIGNAL_GRACE_MS - 1, { givesUp: true })).toEqual(['remind', 'give up']);
    expect(eventsUntil(SIGNAL_GRACE_MS, { givesUp: true })).toEqual(['remind', 'give up', 'end SIGTERM']);
  });

  test('a command without a grace period takes any time', () => {
    expect(eventsUntil(1e6, { givesUp: false })).toEqual(['remind']);
  });

  test('nothing happens if the run has ended', () => {
    expect(eventsUntil(1e6, { givesUp: true, isReleased: true })).toEqual([]);
  });
});

test.each([
  { what: 'a run whose solver never returns', target: 'a.ans', options: ['--chunk', '1'] },
  { what: 'a run that hangs in the middle of a chunk', target: 'a.ans', options: ['--chunk', '1M'] },
  { what: 'a run to standard output', target: '-', options: [] },
])('one signal ends $what, and the answers before are kept', async ({ target, options }) => {
  folder.write(
    'hangs.mjs',
    `import { defineProblem, formats } from '${ROOT}/dist/src/index.js';
    export default defineProblem({
      name: 'hangs',
      input: formats.counted({ n: formats.int() }),
      solve({ n }) {
        if (n !== 3) return n;
        console.error('hanging');
        return new Promise(() => {});
      },
    });`,
  );
  folder.write('a.in', '3\n1\n2\n3\n');
  const args = ['solve', './hangs.mjs', 'a.in', '-o', target, '-j', '1', ...options];
  const child = start(args, { cwd: folder.path });
  const [ended, stdout, stderr] = [exitOf(child), textOf(child.stdout), textOf(child.stderr)];
  let seen = '';
  child.stderr.on('data', (piece) => {
    seen += piece;
  });
  await until(() => seen.includes('hanging'));
  child.kill('SIGTERM');
  expect(await ended).toBe(143);
  expect(await stderr).toContain(
    'SIGTERM: a case is still being solved after 4 s; stopped without its answer',
  );
  expect(await stdout).toBe(target === '-' ? '1\n2\n' : '');
  if (target === '-') return;
  expect(folder.read('a.ans.partial')).toBe('1\n2\n');
  expect(folder.names()).toContain('a.ans.checkpoint');
});
