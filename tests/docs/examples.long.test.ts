/** Tests of the examples with other commands than `solve`, which examples.test.ts tries. */
import { expect, test } from 'vitest';
import { boardmill } from '../cli/in-turn.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { FOLDER, PROBLEMS, withoutEnding } from './example-problems.js';

allowSlowTests();

test.each(PROBLEMS)('validate finds no error in the input of %s', async (problem) => {
  const words = ['validate', problem, `${withoutEnding(problem)}.in`];
  expect(await boardmill(words, { cwd: FOLDER })).toMatchObject({ code: 0, stdout: '' });
});

test.each([['roll-call.mjs'], ['warehouse.mjs'], ['lights/lights.ctd', '--multitest']])(
  'generate makes valid inputs of %s',
  async (...problem) => {
    const generated = await boardmill(['generate', ...problem, '--cases', '20', '--seed', '1'], {
      cwd: FOLDER,
    });
    expect(generated).toMatchObject({ code: 0, stderr: '' });
    const validated = await boardmill(['validate', ...problem, '-q'], {
      cwd: FOLDER,
      stdin: generated.stdout,
    });
    expect(validated).toEqual({ code: 0, stdout: '', stderr: '' });
  },
);
