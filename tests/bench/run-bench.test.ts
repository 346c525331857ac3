import { expect, test } from 'vitest';
import { describeShortRun } from '../../src/bench/run-bench.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

test.each([
  ['little solving', 0.3, 0.002, /^these runs measure start-up, not solving .*: use a larger input$/],
  ['little solving on a busy machine', 3, 0.049, /^these runs measure start-up, not solving /],
  ['a short run', 0.49, 0.2, /^start-up is a large part of each run .*: use a larger input$/],
])('%s is said', (_, run, solving, message) => {
  expect(describeShortRun(run, solving)).toMatch(message);
});

test('a run that is long enough needs no note', () => {
  expect(describeShortRun(0.5, 0.05)).toBeNull();
});
