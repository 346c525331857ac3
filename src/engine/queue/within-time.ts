import { setTimeout as delay } from 'node:timers/promises';

/** Waits at most `ms` milliseconds for work that may never end. Returns whether the work has succeeded within this time. */
export async function succeedsWithinTime(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timeUp = new AbortController();
  const { signal } = timeUp;
  const isDone = work.then(
    () => true,
    () => false,
  );
  const isTooLate = delay(ms, false, { signal }).catch(() => false);
  return Promise.race([isDone, isTooLate]).finally(() => timeUp.abort());
}
