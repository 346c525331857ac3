/** The signals that signals.test.ts leaves out. */
import { test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { expectEndAtOnce, expectOrderlyEnd } from './signal-runs.js';

allowSlowTests();

const folder = folderForEachTest();

test.each(['SIGINT', 'SIGHUP'] as const)(
  'after one %s, boardmill answers the cases it has read, and --resume continues',
  async (signal) => {
    await expectOrderlyEnd(folder, signal);
  },
);

test.each(['SIGTERM', 'SIGHUP'] as const)(
  'a second %s ends the run at once, even if nobody reads the answers',
  async (signal) => {
    await expectEndAtOnce(folder, signal);
  },
);
