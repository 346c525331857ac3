/** Sets a long time limit for test files with slow tests. Only a test that hangs reaches this limit. */
import { vi } from 'vitest';
import { LENGTH } from './random-tests.js';

const LIMIT_MS = 5 * 60_000 * Math.max(1, LENGTH);

/** Gives the tests and hooks of the calling file five minutes, instead of the default of vitest.config.ts. */
export function allowSlowTests(): void {
  vi.setConfig({ testTimeout: LIMIT_MS, hookTimeout: LIMIT_MS });
}

/** Lets the concurrent tests of the calling file run all together. It is for tests that mostly wait for timers of processes. */
export function allowManyTestsTogether(): void {
  vi.setConfig({ maxConcurrency: 16 });
}
