/** Generated inputs of the problems that generate.test.ts leaves out, solved by all solvers. */
import { expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { boardmill } from './in-turn.js';

test.each(PROBLEMS.slice(1))(
  'all solvers print the same answers to a generated input of $name',
  async ({ name }) => {
    const { stdout } = await boardmill(['generate', name, '--cases', '60', '--seed', 'any text']);
    const answers = await Promise.all(
      ['portable', 'auto'].map((solver) => boardmill(['solve', name, '--solver', solver], { stdin: stdout })),
    );
    expect(answers[0]).toMatchObject({ code: 0, stderr: '' });
    expect(answers[1]).toEqual(answers[0]);
  },
);
