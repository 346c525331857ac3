/** Tests of what packages expect of submissions. */
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../../../src/engine/verdict.js';
import {
  assertRulesConsistent,
  describeExpectation,
  expectationOf,
  findExpectedResults,
  isExpectationFulfilled,
  isVerdictPermitted,
} from '../../../../../src/tools/judge/package/read/expectations.js';
import { GlobCompiler } from '../../../../../src/tools/judge/package/read/glob.js';
import { YamlMap } from '../../../../../src/tools/judge/package/read/yaml.js';

function mapOf(value: object): YamlMap {
  return new YamlMap('submissions.yaml', new Map(Object.entries(value)));
}

interface Given {
  readonly isLegacy?: boolean;
  readonly isScoredByValidator?: boolean;
  readonly comment?: string;
  readonly yaml?: object;
}

function expectationFor(path: string, { comment, yaml, ...given }: Given = {}) {
  const context = { isLegacy: false, isScoredByValidator: false, ...given };
  return expectationOf(path, comment ?? null, {
    ...context,
    yaml: yaml === undefined ? null : mapOf(yaml),
    globs: new GlobCompiler(),
  });
}

/** Whether a submission with these verdicts does what is expected. The tests are called secret/a, secret/b, ... */
function fits(path: string, verdicts: string, given: Given = {}): boolean | null {
  const tests = verdicts.split(' ').map((verdict, index) => ({
    testName: `secret/${'abc'[index]}`,
    verdict: verdict as Verdict,
    message: null,
  }));
  const expectation = expectationFor(path, given);
  return expectation === null ? null : isExpectationFulfilled(expectation, tests);
}

describe('folders', () => {
  test.each([
    ['accepted', 'AC AC', true],
    ['accepted', 'AC WA', false],
    ['wrong_answer', 'AC WA', true],
    ['wrong_answer', 'AC AC', false],
    ['wrong_answer', 'WA TLE', false],
    ['time_limit_exceeded', 'AC TLE', true],
    ['time_limit_exceeded', 'WA TLE', false],
    ['time_limit_exceeded', 'AC AC', false],
    ['run_time_error', 'AC RTE', true],
    ['run_time_error', 'WA RTE', false],
    ['run_time_error', 'AC MLE', true],
    ['rejected', 'AC WA', true],
    ['rejected', 'AC AC', false],
    ['brute_force', 'AC TLE', true],
    ['brute_force', 'RTE WA', false],
    ['partially_accepted', 'AC WA', true],
    ['partially_accepted', 'AC AC', false],
    ['partially_accepted', 'WA WA', false],
    ['slow_accepted', 'WA TLE', null],
    ['toString', 'WA', null],
  ])('%s with %s', (folder, verdicts, expected) => {
    expect(fits(`${folder}/a.py`, verdicts)).toBe(expected);
  });

  test.each([
    ['time_limit_exceeded', 'WA TLE', true],
    ['time_limit_exceeded', 'RTE TLE', false],
    ['run_time_error', 'WA TLE RTE', true],
    ['wrong_answer', 'WA RTE', false],
  ])('legacy: %s with %s', (folder, verdicts, expected) => {
    expect(fits(`${folder}/a.py`, verdicts, { isLegacy: true })).toBe(expected);
  });

  test('a validator that gives points may accept what is worth only a part of them', () => {
    expect(fits('partially_accepted/a.py', 'AC AC', { isScoredByValidator: true })).toBe(true);
  });
});

describe('@EXPECTED_RESULTS@', () => {
  test.each([
    ['WRONG-ANSWER, TIMELIMIT', 'AC TLE', true],
    ['WRONG-ANSWER, TIMELIMIT', 'AC RTE', false],
    ['WRONG-ANSWER', 'AC AC', false],
    ['CORRECT', 'AC AC', true],
    ['accepted, wrong_answer', 'AC WA', true],
    ['RUN-ERROR', 'AC MLE', true],
    ['MEMORY-LIMIT', 'AC RTE', true],
    ['NO-OUTPUT', 'WA AC', true],
    ['TIMELIMIT', 'WA TLE', false],
    ['CHECK-MANUALLY', 'WA', null],
    ['TIMELIMIT */', 'AC TLE', true],
    ['ACCEPTD', 'WA', null],
  ])('%s with %s', (comment, verdicts, expected) => {
    expect(fits('mixed/a.py', verdicts, { comment })).toBe(expected);
  });

  test('does not count in a folder that names a verdict', () => {
    expect(fits('accepted/a.py', 'AC WA', { comment: 'WRONG-ANSWER' })).toBe(false);
  });

  test.each(['RUN_EROR', '40', ''])('%j names no verdict, so the folder says what is expected', (comment) => {
    expect(fits('rejected/a.py', 'AC AC', { comment })).toBe(false);
    expect(fits('rejected/a.py', 'AC WA', { comment })).toBe(true);
  });

  test('is found in a comment of any language', () => {
    expect(findExpectedResults('// x\r\n// @EXPECTED_RESULTS@: CORRECT, TIMELIMIT\r\nint main')).toBe(
      'CORRECT, TIMELIMIT',
    );
    expect(findExpectedResults('print(1)')).toBeNull();
  });
});

describe('submissions.yaml', () => {
  test('adds a rule to that of the folder', () => {
    const yaml = { 'wrong_answer/a*.py': { 'secret/a': { permitted: ['AC'] } } };
    expect(fits('wrong_answer/abc.py', 'AC WA', { yaml })).toBe(true);
    expect(fits('wrong_answer/abc.py', 'WA AC', { yaml })).toBe(false);
    expect(fits('wrong_answer/other.py', 'WA AC', { yaml })).toBe(true);
  });

  test('replaces the rule of a folder by the key of its name, which inherits', () => {
    const yaml = { time_limit_exceeded: { permitted: ['AC', 'WA', 'TLE'] } };
    expect(fits('time_limit_exceeded/a.py', 'WA TLE', { yaml })).toBe(true);
    expect(fits('time_limit_exceeded/a.py', 'WA AC', { yaml })).toBe(false);
  });

  test('requires a verdict among the tests of a scope only', () => {
    const yaml = { 'mixed/a.py': { 'secret/{b,c}': { permitted: ['AC', 'TLE'], required: ['TLE'] } } };
    expect(fits('mixed/a.py', 'TLE AC AC', { yaml })).toBe(false);
    expect(fits('mixed/a.py', 'WA AC TLE', { yaml })).toBe(true);
  });

  test('wants a message of the validator', () => {
    const expectation = expectationFor('wrong_answer/a.py', {
      yaml: { wrong_answer: { message: 'too short' } },
    })!;
    const said = (message: string | null) =>
      isExpectationFulfilled(expectation, [{ testName: 'secret/a', verdict: 'WA', message }]);
    expect([said('answer is too short'), said('other'), said(null)]).toEqual([true, false, false]);
    expect(describeExpectation(expectation)).toBe('AC or WA, some WA, message "too short"');
  });

  test('says which verdicts a file may have', () => {
    const expectation = expectationFor('wrong_answer/a.py')!;
    const permitted = (verdict: Verdict) =>
      isVerdictPermitted(expectation, { testName: 'secret/a', verdict, message: null });
    expect((['AC', 'WA', 'TLE', 'MLE'] as const).map(permitted)).toEqual([true, true, false, false]);
  });

  test('has an unknown verdict', () => {
    expect(() => expectationFor('a/b', { yaml: { a: { permitted: ['AC', 'XY'] } } })).toThrow(
      'submissions.yaml: a: permitted: expected verdicts (AC, WA, TLE, RTE), got [AC, XY]',
    );
  });

  test('contradicts itself', () => {
    const yaml = { 'accepted/*': { 'secret/a': { permitted: ['WA'] } } };
    const expectation = expectationFor('accepted/a.py', { yaml })!;
    expect(() => assertRulesConsistent('a.py', expectation, ['secret/b'])).not.toThrow();
    expect(() => assertRulesConsistent('a.py', expectation, ['secret/a'])).toThrow('no verdict on secret/a');
  });

  test('requires what it does not permit', () => {
    const yaml = { 'accepted/*': { use_for_time_limit: 'upper' } };
    const expectation = expectationFor('accepted/a.py', { yaml })!;
    expect(() => assertRulesConsistent('a.py', expectation, ['secret/a'])).toThrow(
      'submissions.yaml requires TLE of a.py, and permits it on no test',
    );
    expect(() => assertRulesConsistent('a.py', expectation, [])).not.toThrow();
  });
});

describe('bounds of the time limit', () => {
  const boundsOf = (path: string, given: Given = {}) =>
    expectationFor(path, given)?.rules.map(({ timeBound }) => timeBound);

  test.each([
    ['accepted/a', ['lower']],
    ['wrong_answer/a', ['lower']],
    ['time_limit_exceeded/a', ['upper']],
    ['brute_force/a', [null]],
  ])('%s', (path, bounds) => {
    expect(boundsOf(path)).toEqual(bounds);
  });

  test('wrong submissions give none in the legacy format', () => {
    expect(boundsOf('accepted/a', { isLegacy: true })).toEqual(['lower']);
    expect(boundsOf('time_limit_exceeded/a', { isLegacy: true })).toEqual(['upper']);
    expect(boundsOf('wrong_answer/a', { isLegacy: true })).toEqual([null]);
  });

  test('use_for_time_limit decides', () => {
    expect(boundsOf('accepted/a', { yaml: { accepted: { use_for_time_limit: 'false' } } })).toEqual([null]);
    expect(boundsOf('x/a', { yaml: { x: { use_for_time_limit: 'upper' } } })).toEqual([null, 'upper']);
    expect(boundsOf('x/a', { yaml: { x: { use_for_time_limit: 'true', permitted: ['AC'] } } })).toEqual([
      'lower',
    ]);
    expect(() => boundsOf('x/a', { yaml: { x: { use_for_time_limit: 'maybe' } } })).toThrow(
      'expected true, false, lower or upper, got maybe',
    );
  });

  test('use_for_time_limit implies what the bound needs', () => {
    const upper = { yaml: { x: { use_for_time_limit: 'upper' } } };
    expect([fits('x/a', 'AC TLE', upper), fits('x/a', 'AC WA', upper)]).toEqual([true, false]);
    const lower = { yaml: { x: { use_for_time_limit: 'lower' } } };
    expect([fits('x/a', 'AC WA RTE', lower), fits('x/a', 'AC TLE', lower)]).toEqual([true, false]);
    const ofGroup = { yaml: { x: { 'secret/b': { use_for_time_limit: 'upper' } } } };
    expect([fits('x/a', 'TLE AC AC', ofGroup), fits('x/a', 'AC TLE AC', ofGroup)]).toEqual([false, true]);
  });
});

describe('globs', () => {
  test.each([
    ['accepted', 'accepted/a.py', true],
    ['accepted/', 'accepted/a.py', true],
    ['acc', 'accepted/a.py', false],
    ['*/a.py', 'accepted/a.py', true],
    ['*', 'accepted/a.py', true],
    ['accepted/*.py', 'accepted/a.cpp', false],
    ['accepted/{a,b}.{py,cpp}', 'accepted/b.cpp', true],
    ['accepted/a*b*c', 'accepted/aXbYbZc', true],
    ['accepted/a*b*c', 'accepted/aXc', false],
    ['accepted/a*b*c*d', 'accepted/aXcXbXd', false],
    ['accepted/a*bb*d', 'accepted/abbd', true],
    ['accepted/a*b*b*d', 'accepted/abd', false],
    ['accepted/a*a', 'accepted/a', false],
    ['accepted/*/main.py', 'accepted/main.py', false],
    ['accepted/{a, b}.py', 'accepted/b.py', true],
    ['accepted/{a,b}.py', 'accepted/c.py', false],
    ['accepted/my {a,b}.py', 'accepted/my b.py', true],
    ['accepted/my {a,b}.py', 'accepted/myb.py', false],
    ['accepted/{a,b}{.py', 'accepted/b{.py', true],
    ['{accepted', '{accepted/a.py', true],
    ['{accepted', 'accepte/a.py', false],
    ['accepted/[a].py', 'accepted/a.py', false],
    ['*a*a*a*a*a*a*a*b', 'a'.repeat(5000), false],
  ])('%s and %s', (glob, path, matches) => {
    expect(new GlobCompiler().compile(glob).test(path)).toBe(matches);
  });

  test('with too many braces are refused', () => {
    expect(() => new GlobCompiler().compile('{a,b,c}'.repeat(50))).toThrow(
      'stands for more than 100 patterns',
    );
  });
});

describe('all patterns of a file', () => {
  const hundred = (name: string) => `${name}{${Array.from({ length: 100 }, (_, i) => i).join(',')}}`;

  test('are compiled once each, however many submissions there are', () => {
    const globs = new GlobCompiler();
    expect(globs.compile('accepted/*.py')).toBe(globs.compile('accepted/*.py'));
    // If each submission compiled the pattern anew, these would be more than 10,000 patterns.
    for (let submission = 0; submission < 300; submission++)
      expect(globs.compile(hundred('a')).test('a99/x')).toBe(true);
  });

  test('together stand for a bounded number of patterns', () => {
    const globs = new GlobCompiler();
    for (let i = 0; i < 100; i++) globs.compile(hundred(`${i}-`));
    expect(() => globs.compile('one-more')).toThrow(
      'the patterns of submissions.yaml stand for more than 10000 patterns',
    );
  });
});
