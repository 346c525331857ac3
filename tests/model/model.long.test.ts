/**
 * The built program does what the model says: many random scenarios. `npm run test:model` runs this file for as long as it is
 * told to.
 */
import { test, vi } from 'vitest';
import { runs, SEED } from '../support/random-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { playScenarios } from './check.js';
import { STORIES } from './stories/index.js';

/** What run-model.mjs asks for. Without it, the test plays RUNS scenarios of the seed of the test run. */
const {
  BOARDMILL_MODEL_SECONDS: SECONDS,
  BOARDMILL_MODEL_PATH: PATH,
  BOARDMILL_MODEL_ONLY: ONLY,
} = process.env;
const RUNS = runs(75);
const RUNS_PER_ROUND = 25;

// A search may go on without end. If one command line hangs, the runner of command lines ends it.
vi.setConfig({ testTimeout: 0 });

const root = temporaryFolder();
const stories = STORIES.filter(({ name }) => ONLY === undefined || name === ONLY);

// playScenarios throws what differs.
test('boardmill does what the model says', async () => {
  if (PATH !== undefined) await playScenarios(stories, root, { seed: SEED, runs: 1, path: PATH });
  else if (SECONDS !== undefined) await search(Number(SECONDS));
  else await playScenarios(stories, root, { seed: SEED, runs: RUNS });
});

async function search(seconds: number): Promise<void> {
  const end = performance.now() + 1000 * seconds;
  let played = 0;
  for (let seed = SEED; performance.now() < end; seed++, played += RUNS_PER_ROUND)
    await playScenarios(stories, root, { seed, runs: RUNS_PER_ROUND });
  console.log(`${played} scenarios from seed ${SEED} on did what the model says`);
}
