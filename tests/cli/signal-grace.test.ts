/** Tests of the time that a run has after the first signal: a solver that never returns must not keep it alive. */
import { describe, expect, test, vi } from 'vitest';
import { GIVE_UP_MS, runWithSignals, SIGNAL_GRACE_MS, stopOnSignal } from '../../src/cli/signals.js';
import type { GracefulStop } from '../../src/core/stop.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { expectEnd } from './hanging-run.js';

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

  test('a run says what it gives up', async () => {
    vi.useFakeTimers();
    const notes: string[] = [];
    const givenUp = { unfinished: 'boards are still being counted', missing: 'them' };
    const untilGivenUp = ({ giveUp }: GracefulStop) =>
      new Promise<void>((resolve) => {
        giveUp.addEventListener('abort', () => resolve());
        process.emit('SIGTERM', 'SIGTERM');
        vi.advanceTimersByTime(GIVE_UP_MS);
      });
    try {
      await runWithSignals('finishing', (message) => notes.push(message), untilGivenUp, givenUp);
    } finally {
      vi.useRealTimers();
    }
    expect(notes.at(-1)).toBe('SIGTERM: boards are still being counted after 4 s; stopped without them');
  });

  test('nothing happens if the run has ended', () => {
    expect(eventsUntil(1e6, { givesUp: true, isReleased: true })).toEqual([]);
  });
});

test('one signal ends a run whose solver never returns, and the answers before are kept', async () => {
  await expectEnd(folder, { what: 'a run to a file', target: 'a.ans', options: ['--chunk', '1'] });
});
