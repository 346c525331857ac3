/** Solves a pipe of several segments in the ways that tests/engine/parallel-scan/runs.test.ts leaves out. */
import { test } from 'vitest';
import { casesOverSegments, expectSame, expectSameFromSegments, FAILURES } from '../../support/range-runs.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

test.each([
  ['of one size', { chunkBytes: 1 << 17 }],
  ['whose size adapts', { chunkBytes: null, minRangeBytes: 1 << 14 }],
])('a pipe whose bytes fill several segments is answered as it is without ranges, with ranges %s', (_, how) =>
  expectSameFromSegments(how),
);

test.each([
  ['', null],
  [', also if a case in the middle is wrong', 0.6],
])('cases that fill segments of a pipe are answered as without ranges%s', async (_, damaged) => {
  const { inputFormat, input, pieces } = casesOverSegments();
  if (damaged !== null) input[Math.floor(damaged * input.length)] = 0x3f;
  await expectSame(inputFormat, input, { onError: 'mark', chunkBytes: 1 << 18, pieces, failures: FAILURES });
});
