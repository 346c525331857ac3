/** Tests which tests a suite has, and that the samples in the program are those in data/. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadProblem, PROBLEMS } from '../../../src/catalog/registry.js';
import type { Problem } from '../../../src/problems/problem.js';
import { createRandomCaseGenerator } from '../../../src/tools/cases/draw.js';
import { drawRandomTestInput, planTestSuite, type RandomTest } from '../../../src/tools/cases/suite.js';

const SEED = { seed: '7', cases: null };

/** Returns what the suite of a problem has, as `name x cases` for each drawn test. */
function planOf(problem: Problem, options = SEED): string[] {
  return planTestSuite(problem, options).map((each) =>
    'request' in each ? `${each.name} x ${each.request.cases}` : each.name,
  );
}

async function boards(name: string): Promise<Problem> {
  return (await loadProblem(name)) as unknown as Problem;
}

test.each(PROBLEMS)('the samples of $name are those of its statement', async ({ name }) => {
  const path = (ending: string) =>
    new URL(`../../../data/${name}/sample/statement.${ending}`, import.meta.url);
  const { samples } = await loadProblem(name);
  expect(samples).toEqual([
    { input: readFileSync(path('in'), 'utf8'), answers: readFileSync(path('ans'), 'utf8') },
  ]);
});

describe('the tests of a suite', () => {
  test('a suite has samples, profiles and sets, with as many cases as a contest file', async () => {
    expect(planOf(await boards('river-pawn'))).toEqual([
      'sample',
      ...['tiny', 'random', 'contest-max', 'hard'].map((name) => `${name} x 10`),
      ...['1-4', '5-6', '7-9', '10-13', '14-20'].map((set) => `set-${set} x 10`),
    ]);
    expect(planOf(await boards('bacterial-tactics')).slice(-2)).toEqual(['set-1 x 100', 'set-2 x 100']);
    expect(planOf(await boards('bacterial-tactics'), { seed: '7', cases: 5 as never })).toContain(
      'tiny-2 x 5',
    );
  });

  test('if a contest file has one case, there are several files of each kind', async () => {
    const names = planOf(await boards('darkraft'));
    expect(names).toHaveLength(1 + 5 * 10);
    expect(names.slice(1, 4)).toEqual(['tiny-01 x 1', 'tiny-02 x 1', 'tiny-03 x 1']);
    expect(names.at(-1)).toBe('set-1-10 x 1');
  });

  test('names of sets become names of files that differ, whatever the author calls the sets', async () => {
    const sets = { 'a/b': {}, 'a b': {}, '..': {}, A_B: {} };
    const bacteria = await boards('bacterial-tactics');
    const data = { sets, cases: 20, seconds: null, megabytes: null };
    const problem = { ...bacteria, contest: { ...bacteria.contest!, data }, samples: [] };
    expect(planOf(problem).slice(4)).toEqual(
      ['set-a_b', 'set-a_b-2', 'set-..', 'set-A_B-3'].map((name) => `${name} x 20`),
    );
  });
});

describe('the input of a test', () => {
  test('the files of one kind have different cases', async () => {
    const problem = await boards('darkraft');
    const tiny = planTestSuite(problem, SEED).filter(({ name }) => name.startsWith('tiny')) as RandomTest[];
    const inputs = tiny.map((each) =>
      drawRandomTestInput(problem, each, createRandomCaseGenerator(problem, each.request), () => {}),
    );
    const texts = (await Promise.all(inputs)).map(({ bytes }) => Buffer.from(bytes).toString());
    // The profile tiny has 16 shapes, and every file the next one.
    expect(new Set(texts.map((text) => text.slice(0, 3))).size).toBe(10);
  });

  test('drawing ends when the user stops it', async () => {
    const problem = await boards('darkraft');
    const drawn = planTestSuite(problem, SEED)[1] as RandomTest;
    const stopped = () => {
      throw new Error('stopped');
    };
    await expect(
      drawRandomTestInput(problem, drawn, createRandomCaseGenerator(problem, drawn.request), stopped),
    ).rejects.toThrow('stopped');
  });
});
