/** Waits for a condition outside of this process, such as a file of another process, which gives no event. */
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 5;

/**
 * Calls `probe` until the returned value is true or an object, and returns that value. A pause between two calls gives
 * other processes time to work. The function has no time limit of its own; the test's time limit ends the wait.
 */
export async function until<T>(probe: () => T): Promise<Exclude<T, undefined | null | false>> {
  for (;;) {
    const seen = probe();
    if (seen) return seen as Exclude<T, undefined | null | false>;
    await pause(PAUSE_MS);
  }
}

/** Calls `probe` until its promise resolves with true. */
export async function untilAsync(probe: () => Promise<boolean>): Promise<void> {
  while (!(await probe())) await pause(PAUSE_MS);
}
