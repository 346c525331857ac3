/** Runs before each test file: gives random properties the seed of the run, and measures the processor time of the file. */
import fc from 'fast-check';
import { afterAll, type RunnerTestSuite, vi } from 'vitest';
import { processorSeconds } from './processor-time.js';
import { explainFailure, runs, SEED } from './random-tests.js';

/** How often a property is tried that does not say how often. */
const USUAL_RUNS = 100;

fc.configureGlobal({ seed: SEED, numRuns: runs(USUAL_RUNS), reporter: explainFailure });
// A file may have asked for other limits, and the next one runs in the same process.
vi.resetConfig();

const secondsBefore = processorSeconds();
// biome-ignore lint/correctness/noEmptyPattern: vitest gives the suite as the second argument, and wants a pattern before it
afterAll(({}, suite) => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  (suite as RunnerTestSuite).meta.processorSeconds = processorSeconds() - secondsBefore;
});

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of a test file and of the processes that it has started and that have ended. */
    processorSeconds?: number;
  }
}
