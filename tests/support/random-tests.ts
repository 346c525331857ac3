/**
 * What all random tests have in common: the seed of a test run, and how long they run.
 *
 * A run draws one seed, which it prints. A test that fails prints the line that repeats it. `BOARDMILL_TEST_SEED` sets the seed, and
 * `BOARDMILL_TEST_LENGTH` multiplies how often random tests try something: 100 searches a hundred times longer than usual.
 */
import fc, { type RunDetails } from 'fast-check';
import { expect } from 'vitest';

/** The seed of this test run, which tests/support/global-setup.ts has drawn. */
export const SEED = Number(process.env.BOARDMILL_TEST_SEED);

/** How many times longer than usual random tests run. */
export const LENGTH = Number(process.env.BOARDMILL_TEST_LENGTH ?? 1);

/** Returns how often a random test tries something that it usually tries `usual` times. */
export function runs(usual: number): number {
  return Math.max(1, Math.round(usual * LENGTH));
}

/** Throws what fast-check reports about a property that failed, with the line that repeats the test. */
export function explainFailure(details: RunDetails<unknown>): void {
  const message = fc.defaultReportMessage(details);
  if (message === undefined) return;
  throw new Error(`${message}\nRepeat it with:\n  ${repetition()}`, { cause: details.errorInstance });
}

/** Returns the command line that runs the current test again with the same seed. */
function repetition(): string {
  const { currentTestName = '', testPath = '' } = expect.getState();
  const file = testPath.slice(testPath.lastIndexOf('/tests/') + 1);
  const length = LENGTH === 1 ? '' : `BOARDMILL_TEST_LENGTH=${LENGTH} `;
  const mode = file.includes('.long.') ? ' --mode long' : '';
  // Vitest takes the name as a pattern, in which names of groups and of the test stand without the ` > ` between them.
  const name = currentTestName.replaceAll(/[^\w ]/g, '.').replaceAll(' . ', '.*');
  return `BOARDMILL_TEST_SEED=${SEED} ${length}npx vitest run${mode} ${file} -t '${name}'`;
}
