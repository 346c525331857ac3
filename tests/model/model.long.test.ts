/**
 * The built program does what the model says: many random scenarios. `npm run test:model` runs this file with other seeds, for
 * as long as it is told to.
 */
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../cli/boardmill.js';
import { Coverage, playScenarios } from './check.js';
import { type Scenario, STORIES } from './stories.js';

/** What run-model.mjs asks for. Without it, the test plays RUNS scenarios of one seed. */
const { MODEL_SEED = '2', MODEL_SECONDS, MODEL_PATH, MODEL_ONLY } = process.env;
const RUNS = 300;
const RUNS_PER_ROUND = 25;

// A search may go on without end. Only a search that hangs in one command line is ended, by the runner of command lines.
vi.setConfig({ testTimeout: 0 });

const root = temporaryFolder();
const stories = STORIES.filter(({ name }) => MODEL_ONLY === undefined || name === MODEL_ONLY);

test(`boardmill does what the model says, from seed ${MODEL_SEED} on`, async () => {
  const seed = Number(MODEL_SEED);
  const coverage = new Coverage(stories);
  const isWanted = (scenario: Scenario) => coverage.add(scenario) || true;
  if (MODEL_PATH !== undefined) {
    await playScenarios(stories, root, { seed, runs: 1, path: MODEL_PATH });
    return;
  }
  if (MODEL_SECONDS === undefined) {
    await playScenarios(stories, root, { seed, runs: RUNS, isWanted });
    expect(coverage.missing).toEqual([]);
    return;
  }
  const end = performance.now() + 1000 * Number(MODEL_SECONDS);
  let runs = 0;
  for (let round = 0; performance.now() < end; round++, runs += RUNS_PER_ROUND)
    await playScenarios(stories, root, { seed: seed + round, runs: RUNS_PER_ROUND });
  console.log(`${runs} scenarios from seed ${seed} on did what the model says`);
});
