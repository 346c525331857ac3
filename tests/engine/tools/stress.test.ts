/** Tests when the search of `stress` ends. */
import { expect, test } from 'vitest';
import type { Dispatcher } from '../../../src/engine/dispatcher.js';
import { TOKEN_MATCHER } from '../../../src/engine/match.js';
import { Recovery } from '../../../src/engine/recover.js';
import { createDrawer } from '../../../src/engine/tools/draw.js';
import { type StressOptions, stress } from '../../../src/engine/tools/stress.js';
import { problem } from '../../../src/problems/darkraft/index.js';
import { InProcess } from '../../support/in-process.js';

const solver = new InProcess(problem);

const stuckSolver: Dispatcher = {
  maxChunksAtOnce: 1,
  solve: () => new Promise(() => {}),
  close: async () => {},
};

function search(tested: Dispatcher, limits: Partial<StressOptions>) {
  const recovery = (dispatcher: Dispatcher) => new Recovery(dispatcher, { retries: 0, onRetry: () => {} });
  return stress({
    problem,
    trustedSolver: recovery(solver),
    testedSolver: recovery(tested),
    matcher: TOKEN_MATCHER,
    seed: '1',
    rounds: Number.POSITIVE_INFINITY,
    jobs: 1,
    casesPerBatch: 40,
    openDrawer: (request) => createDrawer(problem, request),
    areValid: async () => true,
    searchSeconds: Number.POSITIVE_INFINITY,
    caseSeconds: 0,
    shrinkSeconds: 1,
    stop: new AbortController().signal,
    onRound: () => {},
    ...limits,
  });
}

test('a round that does not end in time is given up, and counts for nothing', async () => {
  const limits = { searchSeconds: 0.1, caseSeconds: 0.1 };
  expect(await search(stuckSolver, limits)).toEqual({
    rounds: 0,
    cases: 0,
    counterexample: null,
    isCutOff: true,
  });
});

test('a search without a time limit ends after its rounds', async () => {
  expect(await search(solver, { rounds: 3 })).toMatchObject({ rounds: 3, cases: 120, isCutOff: false });
});
