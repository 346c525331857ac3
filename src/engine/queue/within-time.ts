import { setTimeout as delay } from 'node:timers/promises';

/** Waits for work that may never end, but only for so long. Returns whether it has been done; if it has failed, it has not. */
export async function withinTime(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timeUp = new AbortController();
  const { signal } = timeUp;
  const isDone = work.then(
    () => true,
    () => false,
  );
  const isTooLate = delay(ms, false, { signal }).catch(() => false);
  return Promise.race([isDone, isTooLate]).finally(() => timeUp.abort());
}
