/** Tests of `boardmill stress` with the flaws that stress.test.ts leaves out. */
import { describe } from 'vitest';
import { SEED, testFlaws } from './stress-searches.js';

describe(`stress with a wrong program (seed ${SEED})`, () => {
  testFlaws([
    { flaw: 'crash-on-1x1', what: 'the program was killed by SIGSEGV' },
    { flaw: 'leave-out-1x1', what: 'the program printed 0 answers for 1 case' },
  ]);
});
