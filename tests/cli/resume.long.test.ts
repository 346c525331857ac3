/** Tests of `--resume` with the problems, options and inputs that resume.test.ts leaves out. */
import { describe, expect, test } from 'vitest';
import { STYLES, styleOf } from '../support/inputs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { createRuns, FILE, input, testKilledRuns, testStrays } from './resumed-runs.js';

allowSlowTests();

const bt = styleOf('bacterial-tactics');
const runs = createRuns();
const { folder, solve, checkpointedCases, killRun, outcomeWithoutInterruption } = runs;
const { read } = folder;

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

  test('a run that is killed twice is completed by a run with other chunks and workers', async () => {
    for (const part of [3, 1.5]) {
      await killRun('bt', ['--resume'], input.slice(0, input.length / part), checkpointedCases() + 1);
    }
    expect((await solve('bt', ['-', '-o', FILE, '--resume', '--chunk', '7'], input)).code).toBe(0);
    expect({ code: 0, answers: read(FILE) }).toEqual(await outcomeWithoutInterruption('bt', [], input));
    expect(folder.names()).toEqual([FILE]);
  });
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
