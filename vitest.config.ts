import { defineConfig } from 'vitest/config';

/**
 * The tests of `npm run test:quick` (mode `quick`): those that find most mistakes for their time. Together with the
 * build they take less than a minute on two idle processors. A new file belongs here if it needs no more than three
 * seconds of processor time, and no browser and no terminal.
 */
const QUICK_TESTS = [
  'tests/smoke.test.ts',
  'tests/core/*.test.ts',
  'tests/engine/{chunk-*,merge,output-settings,read,recover,run,stage-times,warm-up}.test.ts',
  'tests/engine/exec/*.test.ts',
  'tests/tools/stress/{shrink,trial}.test.ts',
  'tests/tools/judge/package/{expectations,default-validator,read-package}.test.ts',
  'tests/formats/board-answers.test.ts',
  'tests/games/{every-game,lanes,symmetries}.test.ts',
  'tests/tools/bench/{statistics,tables,case-times,machine-prediction,plots,svg}.test.ts',
  'tests/cli/{commands,progress,status,save-case}.test.ts',
];

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'quick' ? QUICK_TESTS : ['tests/**/*.test.ts'],
    globalSetup: './tests/support/global-setup.ts',
    reporters: ['default', './tests/support/summary-reporter.ts'],
    // Four times what an ordinary test took on a machine with eight times more work than processors.
    // Files with slower tests ask for more: see tests/support/slow-tests.ts.
    testTimeout: 40_000,
    hookTimeout: 40_000,
    // Most tests wait for a process of one thread: two files at a time keep two processors busy.
    maxWorkers: 2,
  },
}));
