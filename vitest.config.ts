import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: './tests/support/global-setup.ts',
    reporters: ['default', './tests/support/summary-reporter.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most tests wait for a process of one thread: two files at a time keep two processors busy.
    maxWorkers: 2,
  },
});
