/** Tests of how many threads of a pool may work on a small input. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ThreadLimit } from '../../src/engine/thread-limit.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Opens the limit of a pool of four threads, whose inputs have this size. */
function openLimit(bytes: number | null): { limit: ThreadLimit; allowed: () => number } {
  const tasks = { concurrency: 4 };
  const limit = new ThreadLimit(tasks);
  limit.expectInputs(bytes);
  return { limit, allowed: () => tasks.concurrency };
}

test.each([null, 16 * 1024, 1e9])('all threads may work on inputs of %s bytes', (bytes) => {
  expect(openLimit(bytes).allowed()).toBe(4);
});

test('the first thread works on a small input alone until 50 ms after it has loaded its code', () => {
  const { limit, allowed } = openLimit(16 * 1024 - 1);
  vi.advanceTimersByTime(200);
  limit.noteLoaded();
  vi.advanceTimersByTime(49);
  expect(allowed()).toBe(1);
  // A thread that loads later changes nothing.
  limit.noteLoaded();
  vi.advanceTimersByTime(1);
  expect(allowed()).toBe(4);
});

test('if the first thread does not load its code within 250 ms, all threads may work', () => {
  const { limit, allowed } = openLimit(0);
  vi.advanceTimersByTime(249);
  expect(allowed()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(allowed()).toBe(4);
  limit.noteLoaded();
  expect(allowed()).toBe(4);
});

test('a size that is known only when the thread has loaded its code gives the thread 50 ms', () => {
  const { limit, allowed } = openLimit(null);
  limit.noteLoaded();
  limit.expectInputs(1000);
  vi.advanceTimersByTime(49);
  expect(allowed()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(allowed()).toBe(4);
});
