/** Tests of the search for cases that kill mutants, with programs that are not run. */
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { openProblem } from '../../../src/catalog/open-problem.js';
import { Deadline } from '../../../src/core/deadline.js';
import { DEFAULT_GRAMMAR_USE } from '../../../src/problems/grammar-use.js';
import { AuthorFunctionPool } from '../../../src/tools/cases/author-pool.js';
import type { GradedMutant } from '../../../src/tools/grade/grade.js';
import type { ProgramVariant } from '../../../src/tools/grade/mutated-program.js';
import { type NewTest, SurvivorSearch } from '../../../src/tools/grade/survivor-search.js';
import type { ProgramStarter, StartedProgram } from '../../../src/tools/grade/trial.js';
import type { TrialFailure } from '../../../src/tools/stress/trial.js';

const FAILURE: TrialFailure = {
  kind: 'wrong',
  description: 'expected 1, got 2',
  index: 0,
  expected: Buffer.from('Case #1: 1\n'),
  got: Buffer.from('Case #1: 2\n'),
};

/** Returns a mutant that fails on every case if it has this name. */
function mutantCalled(name: string, right: ProgramVariant): GradedMutant {
  const mutant = { number: 1, operator: name } as GradedMutant['built']['mutant'];
  const built = { mutant, argv: [name], environment: {}, countsHits: false };
  return { program: { name: 'right.c', right, mutants: [built], refused: 0 }, built };
}

/** Runs a search for which `seconds` pass with each run of a program. The programs `failing` fail, until there were `failures`. */
async function search(
  names: readonly string[],
  failing: readonly string[],
  seconds: number,
  kind: TrialFailure['kind'] = 'wrong',
  failures = Number.POSITIVE_INFINITY,
) {
  const { problem } = await openProblem('bacterial-tactics', DEFAULT_GRAMMAR_USE);
  let now = 0;
  const deadline = new Deadline(10, new AbortController().signal, () => now * 1000);
  const trials = {
    problem,
    casesPerRun: 5,
    undecided: 0,
    with: (program: ProgramVariant, _limit: number, work: (trial: StartedProgram) => Promise<unknown>) =>
      work({
        async failureOn() {
          now += seconds;
          return failing.includes(program.argv[0]) && failures-- > 0 ? { ...FAILURE, kind } : null;
        },
      } as unknown as StartedProgram),
  } as unknown as ProgramStarter;
  const right = { argv: ['right'], environment: {} };
  const tests: NewTest[] = [];
  const found = await new SurvivorSearch(
    names.map((name) => mutantCalled(name, right)),
    {
      trials,
      timeoutSeconds: 1,
      author: new AuthorFunctionPool(problem, 1),
      seed: 'any',
      jobs: 1,
      limitRuns: pLimit(1),
      deadline,
      onProgress: () => {},
      onTest: async (each) => void tests.push(each),
    },
  ).run();
  return { found, tests };
}

const namesOf = (mutants: readonly GradedMutant[]) => mutants.map(({ built }) => built.argv[0]);

test('a case that was found becomes a test, also if the time is up before it is smaller', async () => {
  const { found, tests } = await search(['wrong'], ['wrong'], 20);
  expect(tests.map(({ kills }) => namesOf(kills))).toEqual([['wrong']]);
  expect(found).toMatchObject({ isCut: true, undecided: [], tests });
});

test('when the time is up, all mutants that have failed on the same cases get one test', async () => {
  const { tests } = await search(['wrong', 'wrong too', 'same'], ['wrong', 'wrong too'], 4);
  expect(tests.map(({ kills }) => namesOf(kills))).toEqual([['wrong', 'wrong too']]);
});

test('a test kills all mutants that fail on it, and the others are equal up to the sizes that were all tried', async () => {
  const { found, tests } = await search(['wrong', 'same', 'wrong too'], ['wrong', 'wrong too'], 0.0001);
  expect(tests.map(({ kills, cases }) => [namesOf(kills), cases.length])).toEqual([
    [['wrong', 'wrong too'], 1],
  ]);
  expect(found.isCut).toBe(false);
  expect(found.undecided.map(({ mutant, equalOn }) => [mutant.built.argv[0], equalOn])).toEqual([
    ['same', 'up to 3x3'],
  ]);
});

test('nobody is called equal if the time is up before the smallest cases were tried', async () => {
  const { found } = await search(['same'], [], 20);
  expect(found).toMatchObject({ isCut: true, undecided: [{ equalOn: null }] });
});

test('cases for which the right program takes too long as well say nothing about the mutants that fail on them', async () => {
  const { found, tests } = await search(['slow', 'same'], ['slow', 'right'], 0.0001, 'timeout');
  expect(tests).toEqual([]);
  expect(found.undecided.map(({ equalOn }) => equalOn)).toEqual([null, 'up to 3x3']);
});

test('a mutant that has failed once and then no more is not called equal', async () => {
  const { found, tests } = await search(['once'], ['once'], 0.0001, 'wrong', 1);
  expect(tests).toEqual([]);
  expect(found.undecided.map(({ equalOn }) => equalOn)).toEqual([null]);
});

test('a program that is itself wrong on a drawn case is refused', async () => {
  await expect(search(['wrong'], ['wrong', 'right'], 0.001)).rejects.toThrow(
    'right.c is not right on 5 drawn cases: expected 1, got 2',
  );
});
