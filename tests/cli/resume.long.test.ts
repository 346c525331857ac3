/** Tests of `--resume` with the problems, options and inputs that resume.test.ts leaves out. */
import { describe } from 'vitest';
import { STYLES, styleOf } from '../support/inputs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { createRuns, testKilledRuns, testStrays } from './resumed-runs.js';

allowSlowTests();

const bt = styleOf('bacterial-tactics');
const runs = createRuns();

describe('after SIGKILL, --resume gives the bytes and the exit code of a run that was not interrupted', () => {
  testKilledRuns(
    STYLES.map((style) => ({ style, args: [] })),
    runs,
  );
  testKilledRuns(
    [
      { style: bt, args: ['--on-error', 'mark'], isDamaged: true },
      { style: styleOf('river-pawn'), args: ['--on-error', 'mark'], isDamaged: true },
      { style: bt, args: ['--format', 'ndjson'] },
      { style: bt, args: ['--format', 'csv', '--columns', 'line,rows,cols'] },
      { style: bt, args: ['--on-error', 'mark', '--format', 'csv', '--columns', 'line'], isDamaged: true },
      { style: bt, args: ['--on-error', 'stop'], isDamaged: true },
    ],
    runs,
  );
});

describe('a run that ended at an invalid case', () => {
  testStrays(
    [
      ['a word', 'stray\n', ''],
      ['a number', '7\n', ''],
    ],
    runs,
  );
});
