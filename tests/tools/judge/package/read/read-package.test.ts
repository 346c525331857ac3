/** Tests of reading a package: its settings, its test data, its YAML files. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BoardmillError } from '../../../../../src/core/errors.js';
import { readSettings } from '../../../../../src/tools/judge/package/read/settings.js';
import { readTestData } from '../../../../../src/tools/judge/package/read/test-data.js';
import { readYaml } from '../../../../../src/tools/judge/package/read/yaml.js';
import { deriveTimeLimit, statedTimeLimit } from '../../../../../src/tools/judge/package/time-limit.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import { type Files, writePackage } from '../package-folder.js';

const root = temporaryFolder();
let packages = 0;

const folderOf = (files: Files) => writePackage(join(root, `p${++packages}`), files);
const settingsOf = (yaml: string, files: Files = {}) =>
  readSettings(folderOf({ 'problem.yaml': yaml, ...files }));

/** Returns the kind and the message of the error, with `DIR` for the folder of the package. */
function errorOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (!(error instanceof BoardmillError)) throw error;
    return `${error.kind}: ${error.message.replace(/\S*\/p\d+/, 'DIR')}`;
  }
  return 'no error';
}

describe('settings', () => {
  test('of a legacy package', () => {
    const yaml =
      'name: x\nvalidation: custom score\nvalidator_flags: float_tolerance 1e-06\n' +
      'limits:\n  time_multiplier: 3\n  time_safety_margin: 4\n  memory: 64\n  output: 1\nunknown: [1]\n';
    expect(settingsOf(yaml)).toMatchObject({
      isLegacy: true,
      hasOwnValidator: true,
      isScoredByValidator: true,
      validatorFlags: ['float_tolerance', '1e-06'],
      timeLimit: null,
      acToTimeLimit: 3,
      timeLimitToTle: 4,
      memoryBytes: 64 << 20,
      outputBytes: 1 << 20,
    });
  });

  test('of a later package', () => {
    const yaml =
      'problem_format_version: 2023-07-draft\ntype: [pass-fail]\n' +
      'limits: {time_limit: 2.5, time_resolution: 0.1, time_multipliers: {ac_to_time_limit: 1.5}}\n';
    const files = { 'output_validator/validate.py': 'x' };
    expect(settingsOf(yaml, files)).toMatchObject({
      isLegacy: false,
      hasOwnValidator: true,
      timeLimit: 2.5,
      timeResolution: 0.1,
      acToTimeLimit: 1.5,
      timeLimitToTle: 1.5,
    });
  });

  test('have flags with quotes', () => {
    const yaml = `validator_flags: --say "more than one" x'y z' don't`;
    expect(settingsOf(yaml).validatorFlags).toEqual(['--say', 'more than one', 'xy z', "don't"]);
  });

  test('have defaults', () => {
    expect(settingsOf('# nothing\n')).toMatchObject({
      isLegacy: true,
      hasOwnValidator: false,
      acToTimeLimit: 5,
      timeLimitToTle: 2,
      memoryBytes: 2048 * 2 ** 20,
    });
  });

  test.each([
    ['.timelimit', { '.timelimit': '3\n' }, 3],
    [
      'domjudge-problem.ini',
      { 'domjudge-problem.ini': "name='x'\ntimelimit = '1.5'\n", '.timelimit': '9' },
      1.5,
    ],
  ])('take the time limit from %s', (_file, files, seconds) => {
    expect(settingsOf('limits:\n', files).timeLimit).toBe(seconds);
    expect(settingsOf('limits: {time_limit: 7}\n', files).timeLimit).toBe(7);
  });

  test.each([
    ['validation: custom interactive\n', 'an interactive problem'],
    ['validation: custom multi-pass\n', 'a multi-pass problem'],
    ['problem_format_version: 2025-09\ntype: interactive\n', 'an interactive problem'],
    [
      'problem_format_version: 2025-09\ntype:\n- multi-pass\n- interactive\n',
      'a multi-pass problem and an interactive problem',
    ],
    ['problem_format_version: 2025-09\ntype: submit-answer\n', 'a submit-answer problem'],
  ])('are refused: %j', (yaml, kind) => {
    expect(errorOf(() => settingsOf(yaml))).toBe(
      `usage: DIR/problem.yaml: this is ${kind}, which judge does not judge`,
    );
  });

  test.each([
    [
      'limits: {time_limit: soon}\n',
      'input: DIR/problem.yaml: limits: time_limit: expected a number above 0, got soon',
    ],
    ...['0', '-0', '1e999', '0x10', 'nan'].map((value) => [
      `limits: {time_limit: ${value}}\n`,
      `input: DIR/problem.yaml: limits: time_limit: expected a number above 0, got ${value}`,
    ]),
    ['limits: {memory: -1}\n', 'input: DIR/problem.yaml: limits: memory: expected a number above 0, got -1'],
    ['limits: 7\n', 'input: DIR/problem.yaml: limits: expected a map, got 7'],
    ['- a\n', 'input: DIR/problem.yaml: expected a map, got [a]'],
    ['a: 1\na: 2\n', 'input: DIR/problem.yaml:2:1: duplicated mapping key'],
    [
      'validator_flags: {a: b}\n',
      'input: DIR/problem.yaml: validator_flags: expected a text or a sequence of texts, got a map',
    ],
  ])('are wrong: %j', (yaml, message) => {
    expect(errorOf(() => settingsOf(yaml))).toBe(message);
  });

  test('are missing', () => {
    expect(errorOf(() => readSettings(folderOf({ 'a.txt': '' })))).toBe(
      'file: DIR is not a problem package: it has no problem.yaml',
    );
    expect(errorOf(() => readSettings(join(root, 'p0')))).toBe(
      'file: cannot open DIR: there is no such folder',
    );
  });

  test('deep and huge YAML files are refused', () => {
    expect(errorOf(() => settingsOf(`a: ${'['.repeat(100_000)}`))).toContain('maxDepth');
    expect(errorOf(() => settingsOf(`a: ${'x'.repeat(2 << 20)}`))).toContain('has more than 1048576 bytes');
  });

  test('keys of every object are only data', () => {
    const yaml = readYaml(join(folderOf({ 'a.yaml': '__proto__: {x: 1}\nconstructor: 2\n' }), 'a.yaml'))!;
    expect([yaml.text('constructor'), yaml.text('x'), yaml.has('toString')]).toEqual(['2', null, false]);
  });
});

describe('test data', () => {
  const dataOf = (files: Files, flags: string[] = []) =>
    readTestData(folderOf({ 'data/secret/z.in': '', 'data/secret/z.ans': '', ...files }), flags);

  test('is read in the order of names, with nested groups', () => {
    const names = ['sample/2', 'secret/10', 'secret/9', 'secret/a/b/1', 'secret/a/1', 'secret/a-1'];
    const files = Object.fromEntries(
      names.flatMap((name) => [
        [`data/${name}.in`, ''],
        [`data/${name}.ans`, ''],
      ]),
    );
    const other = { 'data/secret/1.hint': '', 'data/other/1.in': '', 'data/secret/10.files/x.in': '' };
    const read = dataOf({ ...files, ...other });
    expect(read.map(({ testName }) => testName)).toEqual([
      'sample/2',
      'secret/10',
      'secret/9',
      'secret/a/1',
      'secret/a/b/1',
      'secret/a-1',
      'secret/z',
    ]);
    expect(read[1].filesPath).toMatch(/secret\/10\.files$/);
  });

  test('inherits settings from groups', () => {
    const read = dataOf(
      {
        'data/testdata.yaml': 'output_validator_flags: case_sensitive\n',
        'data/secret/a/1.in': '',
        'data/secret/a/1.ans': '',
        'data/secret/a/testdata.yaml': 'output_validator_flags: {name: x, flags: float_tolerance 1e-4}\n',
        'data/secret/b/1.in': '',
        'data/secret/b/1.ans': '',
        'data/secret/b/1.yaml': 'output_validator_args: [float_tolerance, 1e-5]\nargs: ["a b", c]\n',
        'data/secret/b/test_group.yaml': 'output_validator_args: []\n',
        'data/secret/b/2.in': '',
        'data/secret/b/2.ans': '',
      },
      ['space_change_sensitive'],
    );
    expect(read.map(({ testName, validatorFlags }) => `${testName} ${validatorFlags.join(' ')}`)).toEqual([
      'secret/a/1 space_change_sensitive float_tolerance 1e-4',
      'secret/b/1 space_change_sensitive float_tolerance 1e-5',
      'secret/b/2 space_change_sensitive',
      'secret/z space_change_sensitive case_sensitive',
    ]);
    expect(read[1].args).toEqual(['a b', 'c']);
  });

  test('is missing', () => {
    expect(errorOf(() => readTestData(folderOf({ 'problem.yaml': '' }), []))).toContain('has no test data');
    expect(errorOf(() => dataOf({ 'data/secret/1.in': '' }))).toBe(
      'file: cannot open DIR/data/secret/1.ans: there is no answer file for this input',
    );
  });
});

describe('the time limit', () => {
  const settings = settingsOf('');
  const time = (seconds: number, submission = 'a') => ({ submission, testName: 'secret/1', seconds });

  test.each([
    [0.01, 1],
    [0.3, 2],
    [0.2, 1],
  ])('is derived from the slowest time, %d s', (seconds, limit) => {
    const derived = deriveTimeLimit(settings, [time(0.001), time(seconds, 'slow'), time(0.002)]);
    expect(derived).toEqual({ seconds: limit, origin: '5 x the time of slow' });
  });

  test('is a multiple of the resolution', () => {
    expect(deriveTimeLimit({ ...settings, timeResolution: 0.1 }, [time(0.05)]).seconds).toBe(0.3);
  });

  test('cannot be derived', () => {
    expect(errorOf(() => deriveTimeLimit(settings, []))).toContain('state one with --timeout');
  });

  test('is stated', () => {
    expect(statedTimeLimit(settings, null)).toBeNull();
    expect(statedTimeLimit(settingsOf('limits: {time_limit: 2}\n'), null)).toEqual({
      seconds: 2,
      origin: 'problem.yaml',
    });
    expect(statedTimeLimit(settingsOf('limits: {time_limit: 2}\n'), 3)?.seconds).toBe(3);
  });
});
