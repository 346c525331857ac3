import { expect, test } from 'vitest';
import { describeShortRun } from '../../../src/tools/bench/run-bench.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

test.each([
  ['little solving time', 0.3, 0.002, /^these runs measure start-up, not solving .*: use a larger input$/],
  ['little solving time on a busy machine', 3, 0.049, /^these runs measure start-up, not solving /],
  [
    'a time so short that start-up is a large part of it',
    0.49,
    0.2,
    /^start-up is a large part of each run .*: use a larger input$/,
  ],
])('bench warns if its runs have %s', (_, run, solving, message) => {
  expect(describeShortRun(run, solving)).toMatch(message);
});

test('bench prints no warning if its runs are long enough', () => {
  expect(describeShortRun(0.5, 0.05)).toBeNull();
});
