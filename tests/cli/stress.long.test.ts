/** Tests of `boardmill stress` with the flaws and boards that stress.test.ts leaves out. */
import { describe, expect, test } from 'vitest';
import { program } from '../support/programs.js';
import { createSearches, SEED, testFlaws } from './stress-searches.js';

const { stress } = createSearches();

describe(`stress with a wrong program (seed ${SEED})`, () => {
  testFlaws([
    { flaw: 'crash-on-1x1', what: 'the program was killed by SIGSEGV' },
    { flaw: 'leave-out-1x1', what: 'the program printed 0 answers for 1 case' },
  ]);
});

test('--rows chooses the number of rows of a problem whose boards need several columns', async () => {
  const pawns = await stress('river-pawn', program('river-pawn'), '--rows', '2', '--rounds', '1', '-j', '1');
  expect(pawns.stdout).toMatch(/^no difference in \d+ cases, 1 round, boards up to 2x/);
});
