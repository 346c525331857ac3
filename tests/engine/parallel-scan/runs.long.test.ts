/** Solves a pipe of several segments in the ways that tests/engine/parallel-scan/runs.test.ts leaves out. */
import { test } from 'vitest';
import { expectSameFromSegments } from '../../support/range-runs.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

test.each([
  ['of one size', { chunkBytes: 1 << 17 }],
  ['whose size adapts', { chunkBytes: null, minRangeBytes: 1 << 14 }],
])('a pipe whose bytes fill several segments is answered as it is without ranges, with ranges %s', (_, how) =>
  expectSameFromSegments(how),
);
