import { configDefaults, defineConfig } from 'vitest/config';

/**
 * The name of a test file says when it runs:
 *
 * - `NAME.test.ts` runs with `npm test`;
 * - `NAME.long.test.ts` runs with `npm run test:all` only (mode `long`), because it takes long or needs a program that a machine
 *   may lack, such as Redis, Chromium, tmux, or another shell;
 * - of the first, those of folders that test sources, not programs, also run with `npm run test:quick` (mode `quick`), where random
 *   tests are a quarter as long.
 */
const LONG_TESTS = 'tests/**/*.long.test.ts';
const ALL_TESTS = 'tests/**/*.test.ts';
/** The folders of tests that run the built program or other programs, or read what belongs to the whole repository. */
const TESTS_OF_THE_WHOLE = 'tests/{cli,docs,library,model,package,release,tools/judge}/**';
const QUICK_LENGTH = '0.25';

const TIME_LIMIT_MS = 40_000 * Math.max(1, Number(process.env.BOARDMILL_TEST_LENGTH ?? 1));

export default defineConfig(({ mode }) => ({
  test: {
    include: [mode === 'long' ? LONG_TESTS : ALL_TESTS],
    exclude: [
      ...configDefaults.exclude,
      ...(mode === 'long' ? [] : [LONG_TESTS]),
      ...(mode === 'quick' ? [TESTS_OF_THE_WHOLE] : []),
    ],
    env: mode === 'quick' ? { BOARDMILL_TEST_LENGTH: process.env.BOARDMILL_TEST_LENGTH ?? QUICK_LENGTH } : {},
    globalSetup: './tests/support/global-setup.ts',
    setupFiles: './tests/support/setup.ts',
    reporters: ['default', './tests/support/summary-reporter.ts'],
    // Four times what an ordinary test took on a machine with eight times more work than processors.
    // Files with slower tests ask for more: see tests/support/slow-tests.ts.
    testTimeout: TIME_LIMIT_MS,
    hookTimeout: TIME_LIMIT_MS,
    // One second, which is usual, is too short for a browser on a busy machine.
    expect: { poll: { timeout: TIME_LIMIT_MS } },
    // Most tests wait for a process of one thread. Two files at a time leave a seventh of two processors idle.
    maxWorkers: 3,
    // Files that run in the same process share the modules that they import, which saves a fifth of the processor time.
    isolate: false,
  },
}));
