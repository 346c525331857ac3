/** Tests with all malformed inputs of invalid-inputs.ts through the program. */
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { boardmill } from './in-turn.js';
import { folderOf, linesOf, runsOf, withoutAdvice } from './invalid-inputs.js';

allowSlowTests();

describe.each(PROBLEMS)('malformed inputs of $name', ({ name: problem }) => {
  test.concurrent.each(runsOf(problem))(
    'solve --on-error $policy has the expected outcome for $name.in',
    async ({ name, policy, code, stdout, stderr }) => {
      const args = ['solve', problem, `${name}.in`, '-j', '1', '--solver', 'portable', '--on-error', policy];
      const outcome = await boardmill(args, { cwd: folderOf(problem) });
      const messages = linesOf(outcome.stderr).map(withoutAdvice);
      expect({ ...outcome, stdout: linesOf(outcome.stdout), stderr: messages }).toEqual({
        code,
        stdout,
        stderr: stderr.map((line) => `boardmill: ${line}`),
      });
    },
  );
});
