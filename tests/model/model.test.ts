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
import type { Scenario } from './stories/story.js';

allowSlowTests();

/** Scenarios that are drawn for a story at most. Those that show too little that is new are not played. */
const DRAWN = 400;

/** How many new features a scenario must show to be played: first many, so that few scenarios show everything. */
const leastNew = (drawn: number) => Math.max(1, 4 - Math.floor(drawn / 4));

const root = temporaryFolder();

describe.each(STORIES.filter(({ isSlow }) => isSlow !== true))('$what', (story) => {
  test('as the model says', async () => {
    const coverage = new Coverage([story]);
    for (let drawn = 0; drawn < DRAWN && coverage.missing.length > 0; drawn++) {
      const isWanted = (scenario: Scenario) => coverage.add(scenario, leastNew(drawn));
      await playScenarios([story], root, { seed: SEED + drawn, runs: 1, isWanted });
    }
    expect(coverage.missing).toEqual([]);
  });
});
