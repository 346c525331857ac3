/** Sets a long time limit for test files with slow tests. Only a test that hangs reaches this limit. */
import { vi } from 'vitest';

const MINUTE_MS = 60_000;

/** Gives the tests and hooks of the calling file five minutes, instead of the default of vitest.config.ts. */
export function allowSlowTests(): void {
  vi.setConfig({ testTimeout: 5 * MINUTE_MS, hookTimeout: 5 * MINUTE_MS });
}

/** Lets the concurrent tests of the calling file run all together. It is for tests that mostly wait for timers of processes. */
export function allowManyTestsTogether(): void {
  vi.setConfig({ maxConcurrency: 16 });
}
