/**
 * The built program does what the model says: a few scenarios of each story, so that everything which a story can show occurs
 * once. `npm run test:model` plays more of them.
 */
import { describe, expect, test } from 'vitest';
import { SEED } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { Coverage, playScenarios } from './check.js';
import { STORIES } from './stories/index.js';

allowSlowTests();

/** Scenarios that are drawn for a story at most. Those that show nothing new are not played. */
const DRAWN = 400;

const root = temporaryFolder();

describe.each(STORIES)('$what', (story) => {
  test('as the model says', async () => {
    const coverage = new Coverage([story]);
    for (let seed = SEED; seed < SEED + DRAWN && coverage.missing.length > 0; seed++) {
      const isWanted = coverage.add.bind(coverage);
      await playScenarios([story], root, { seed, runs: 1, isWanted });
    }
    expect(coverage.missing).toEqual([]);
  });
});
