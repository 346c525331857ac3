/**
 * When a submission may end early: compared with a slow search through all verdicts that the remaining tests might have.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../../../src/engine/verdict.js';
import {
  type Expectation,
  expectationOf,
  isExpectationDecided,
  isExpectationFulfilled,
} from '../../../../../src/tools/judge/package/read/expectations.js';
import { GlobCompiler } from '../../../../../src/tools/judge/package/read/glob.js';
import { YamlMap } from '../../../../../src/tools/judge/package/read/yaml.js';
import { runs } from '../../../../support/random-tests.js';

const POSSIBLE = ['AC', 'WA', 'TLE', 'RTE', 'MLE'] as const satisfies readonly Verdict[];
const NAMES = ['sample/1', 'secret/a/1', 'secret/a/2', 'secret/b/1'];

interface Given {
  readonly isLegacy?: boolean;
  readonly comment?: string | null;
  readonly yaml?: object;
}

function expectationFor(path: string, { isLegacy = false, comment = null, yaml }: Given = {}) {
  return expectationOf(path, comment, {
    isLegacy,
    isScoredByValidator: false,
    yaml: yaml === undefined ? null : new YamlMap('submissions.yaml', new Map(Object.entries(yaml))),
    globs: new GlobCompiler(),
  });
}

const testsOf = (verdicts: readonly Verdict[]) =>
  verdicts.map((verdict, index) => ({ testName: NAMES[index], verdict, message: null }));

/** Returns all ways in which a list of verdicts can go on until there is one for each name. */
function* completionsOf(verdicts: readonly Verdict[]): Generator<readonly Verdict[]> {
  if (verdicts.length === NAMES.length) yield verdicts;
  else for (const next of POSSIBLE) yield* completionsOf([...verdicts, next]);
}

/** Returns whether the submission fits if that is the same for all completions; null if it is not. */
function fitOfAllCompletions(expectation: Expectation, verdicts: readonly Verdict[]): boolean | null {
  const fits = new Set(
    [...completionsOf(verdicts)].map((all) => isExpectationFulfilled(expectation, testsOf(all))),
  );
  return fits.size === 1 ? [...fits][0] : null;
}

const verdictLists = fc.uniqueArray(fc.constantFrom('AC', 'WA', 'TLE', 'RTE'), { minLength: 1 });
const rules = fc.record(
  {
    permitted: verdictLists,
    required: verdictLists,
    'secret/a': fc.record({ permitted: verdictLists, required: verdictLists }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const givens = fc.record({
  folder: fc.constantFrom('accepted', 'rejected', 'wrong_answer', 'run_time_error', 'brute_force', 'other'),
  isLegacy: fc.boolean(),
  comment: fc.constantFrom(null, 'WRONG-ANSWER', 'CORRECT, RUN-ERROR', 'ACCEPTED'),
  yaml: fc.option(fc.record({ '{accepted,rejected,other}': rules }), { nil: undefined }),
});
const prefixes = fc.array(fc.constantFrom(...POSSIBLE), { minLength: 1, maxLength: NAMES.length });

describe('a submission that ends early', () => {
  test('fits as it would whatever came later', () => {
    let decided = 0;
    const property = fc.property(givens, prefixes, ({ folder, ...given }, verdicts) => {
      const { yaml, ...others } = given;
      const expectation = expectationFor(`${folder}/a.py`, yaml === undefined ? others : { ...others, yaml });
      const tests = testsOf(verdicts);
      if (expectation === null || !isExpectationDecided(expectation, tests, NAMES.slice(verdicts.length)))
        return;
      decided++;
      expect(fitOfAllCompletions(expectation, verdicts)).toBe(isExpectationFulfilled(expectation, tests));
    });
    fc.assert(property, { numRuns: runs(1500) });
    expect(decided).toBeGreaterThan(runs(1500) / 20);
  });

  test.each<[folder: string, isLegacy: boolean, verdicts: Verdict[], ends: boolean]>([
    ['accepted', false, ['AC'], false],
    ['accepted', false, ['AC', 'WA'], true],
    ['accepted', false, ['MLE'], true],
    // A wrong answer is not the end: the other files may not be too slow.
    ['wrong_answer', false, ['WA'], false],
    ['wrong_answer', false, ['WA', 'RTE'], true],
    ['rejected', false, ['AC', 'AC'], false],
    ['rejected', false, ['AC', 'TLE'], true],
    ['run_time_error', false, ['RTE'], false],
    ['run_time_error', true, ['RTE'], true],
    ['run_time_error', true, ['WA'], false],
    // The slowest of all runs counts.
    ['time_limit_exceeded', false, ['TLE'], false],
    ['time_limit_exceeded', false, ['TLE', 'WA'], true],
    ['other', false, ['AC'], false],
    ['other', false, ['AC', 'WA'], true],
  ])('of %s (legacy: %s) after %j: %s', (folder, isLegacy, verdicts, ends) => {
    const expectation = expectationFor(`${folder}/a.py`, { isLegacy });
    expect(isExpectationDecided(expectation, testsOf(verdicts), NAMES.slice(verdicts.length))).toBe(ends);
  });

  test('does not end before the tests of a rule, nor before the message that a rule wants', () => {
    const scoped = expectationFor('other/a.py', { yaml: { other: { 'secret/b': { required: ['WA'] } } } });
    expect(isExpectationDecided(scoped, testsOf(['WA']), NAMES.slice(1))).toBe(false);
    expect(isExpectationDecided(scoped, testsOf(['AC', 'AC', 'AC', 'WA']), [])).toBe(true);
    const wanting = expectationFor('other/a.py', { yaml: { other: { message: 'too long' } } });
    expect(isExpectationDecided(wanting, testsOf(['WA']), NAMES.slice(1))).toBe(false);
    const said = [{ testName: NAMES[0], verdict: 'WA' as const, message: 'it is too long' }];
    expect(isExpectationDecided(wanting, said, NAMES.slice(1))).toBe(true);
  });
});
