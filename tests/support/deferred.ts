/** Promises that a test settles itself, and a way to wait until nothing happens any more in this process. */

/** A promise with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function defer<T = void>(): Deferred<T> {
  let deferred!: Deferred<T>;
  const promise = new Promise<T>((resolve, reject) => {
    deferred = { resolve, reject } as Deferred<T>;
  });
  return Object.assign(deferred, { promise });
}

/** If the probed value does not change for this many turns of the event loop, the tests assume that it is final. */
const QUIET_TURNS = 5;

/** Calls `probe` until the returned value has stopped changing, and returns that value. */
export async function settled<T>(probe: () => T): Promise<T> {
  let last = probe();
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = probe();
    if (now !== last) quiet = -1;
    last = now;
  }
  return last;
}
