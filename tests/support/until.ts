/** Waiting for a condition outside of this process, for which there is no event and no promise. */
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 5;

/**
 * Calls `probe` until it returns something true, and returns that. It pauses between two calls, so that the processes
 * it waits for get the processor. It never gives up: the time limit of the test ends it.
 */
export async function until<T>(probe: () => T): Promise<Exclude<T, undefined | null | false>> {
  for (;;) {
    const seen = probe();
    if (seen) return seen as Exclude<T, undefined | null | false>;
    await pause(PAUSE_MS);
  }
}
