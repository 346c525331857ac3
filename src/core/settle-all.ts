/**
 * Waits for all promises, and then throws the first error if there is one. `Promise.all` throws at once, so that the caller
 * might close what other promises still use.
 */
export async function awaitAllThenThrow<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
