/** Tests of reading a package: its settings, its test data, its YAML files. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { BoardmillError } from '../../../../../src/core/errors.js';
import { MAX_YAML_WORD_BYTES, MAX_YAML_WORDS } from '../../../../../src/tools/judge/package/limits.js';
import { PackageConstants } from '../../../../../src/tools/judge/package/read/constants.js';
import {
  OTHER_FORMAT_MESSAGE,
  type PackageFormat,
} from '../../../../../src/tools/judge/package/read/known-keys.js';
import {
  assertLinksAllowed,
  assertNoDanglingLinks,
} from '../../../../../src/tools/judge/package/read/package-links.js';
import { readPackageSettings } from '../../../../../src/tools/judge/package/read/settings.js';
import { readTestData } from '../../../../../src/tools/judge/package/read/test-data.js';
import { readYamlFile } from '../../../../../src/tools/judge/package/read/yaml.js';
import {
  deriveTimeLimit,
  describeSlowness,
  statedTimeLimit,
} from '../../../../../src/tools/judge/package/time-limit.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import { type Files, writePackage } from '../package-folder.js';

const root = temporaryFolder();
let warnings: string[] = [];
const warn = (message: string) => void warnings.push(message);
beforeEach(() => {
  warnings = [];
});
let packages = 0;

const folderOf = (files: Files) => writePackage(join(root, `p${++packages}`), files);
const settingsOf = (yaml: string, files: Files = {}) =>
  readPackageSettings(folderOf({ 'problem.yaml': yaml, ...files }), warn);

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

  test.each([
    ['"a\\0b"'],
    ['["x", "a\\0b"]'],
    ['x'.repeat(MAX_YAML_WORD_BYTES)],
    [`[${'a,'.repeat(MAX_YAML_WORDS)}a]`],
  ])('have flags that no program can get: %.20s', (flags) => {
    expect(errorOf(() => settingsOf(`validator_flags: ${flags}\n`))).toContain(
      'input: DIR/problem.yaml: validator_flags: expected at most 10000 words of less than 131072 bytes, without NUL',
    );
  });

  test('are missing', () => {
    expect(errorOf(() => readPackageSettings(folderOf({ 'a.txt': '' }), warn))).toBe(
      'file: DIR is not a problem package: it has no problem.yaml',
    );
    expect(errorOf(() => readPackageSettings(join(root, 'p0'), warn))).toBe(
      'file: cannot open DIR: there is no such folder',
    );
  });

  test('deep and huge YAML files are refused', () => {
    expect(errorOf(() => settingsOf(`a: ${'['.repeat(100_000)}`))).toContain('maxDepth');
    expect(errorOf(() => settingsOf(`a: ${'x'.repeat(2 << 20)}`))).toContain('has more than 1048576 bytes');
  });

  test('keys of every object are only data', () => {
    const yaml = readYamlFile(join(folderOf({ 'a.yaml': '__proto__: {x: 1}\nconstructor: 2\n' }), 'a.yaml'))!;
    expect([yaml.text('constructor'), yaml.text('x'), yaml.has('toString')]).toEqual(['2', null, false]);
  });
});

describe('test data', () => {
  const dataOf = (files: Files, flags: string[] = [], format: PackageFormat = 'draft') =>
    readTestData(
      folderOf({ 'data/secret/z.in': '', 'data/secret/z.ans': '', ...files }),
      { format, validatorFlags: flags, constants: new PackageConstants([]) },
      warn,
    );

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

  test.each(['""', 'null', '', '{name: x, flags: ""}'])(
    'inherits nothing in place of a key that is stated: %j',
    (empty) => {
      const keys = ['args', 'input_validator_flags', 'output_validator_flags'];
      const stated = empty.startsWith('{') ? keys.slice(1) : keys;
      const [file] = dataOf({
        'data/testdata.yaml': keys.map((key) => `${key}: ${stated.includes(key) ? 'x' : '""'}\n`).join(''),
        'data/secret/testdata.yaml': stated.map((key) => `${key}: ${empty}\n`).join(''),
      });
      const inputFlags = file.inputFlags instanceof Map ? file.inputFlags.get('x') : file.inputFlags;
      expect([file.args, inputFlags, file.validatorFlags]).toEqual([[], [], []]);
    },
  );

  const MIXED: Files = {
    'data/secret/testdata.yaml': 'output_validator_flags: legacy\n',
    'data/secret/test_group.yaml': 'output_validator_args: [later]\nargs: [later]\n',
    'data/secret/z.yaml': 'output_validator_args: [test]\n',
    'data/secret/z.files/a': '',
  };

  test.each<[PackageFormat, flags: string, ignored: string]>([
    ['legacy', 'legacy', 'data/secret/test_group.yaml IGNORED, and so do 2 other files'],
    ['later', 'test', 'data/secret/testdata.yaml IGNORED'],
    ['draft', 'test', ''],
  ])('does not come from files of other formats than %s, which are warned of', (format, flags, ignored) => {
    const [file] = dataOf(MIXED, [], format);
    const isLegacy = format === 'legacy';
    expect(file).toMatchObject({ validatorFlags: [flags], args: isLegacy ? [] : ['later'] });
    expect(file.filesPath === null).toBe(isLegacy);
    expect(warnings.join().replace(OTHER_FORMAT_MESSAGE, 'IGNORED')).toBe(ignored);
  });

  test('does not come from keys of other formats, which are warned of', () => {
    const one = 'output_validator_flags: legacy\nhint: x\n';
    const other = 'output_validator_args: [later]\nargs: [x]\n';
    const [legacy] = dataOf({ 'data/testdata.yaml': one, 'data/secret/testdata.yaml': other }, [], 'legacy');
    expect(legacy).toMatchObject({ validatorFlags: ['legacy'], args: [] });
    const [later] = dataOf(
      { 'data/test_group.yaml': other, 'data/secret/test_group.yaml': one },
      [],
      'later',
    );
    expect(later).toMatchObject({ validatorFlags: ['later'], args: ['x'] });
    const unknown = (file: string, key: string) =>
      `data/${file}.yaml: unknown key "${key}", which ${OTHER_FORMAT_MESSAGE}`;
    expect(warnings).toEqual([
      unknown('testdata', 'hint'),
      unknown('secret/testdata', 'output_validator_args'),
      unknown('secret/testdata', 'args'),
      unknown('secret/test_group', 'output_validator_flags'),
    ]);
  });

  test('has answers without an input', () => {
    dataOf({ 'data/secret/1.ans': '', 'data/secret/2.ans.statement': '', 'data/secret/2.txt': '' });
    dataOf({ 'data/secret/a/1.ans': '', 'data/secret/a/2.ans': '', 'data/secret/a/b/3.ans': '' });
    expect(warnings).toEqual([
      'data/secret/1.ans has no input beside it, so there is no such test',
      'data/secret/a/1.ans and 2 other answer files have no input beside them, so there are no such tests',
    ]);
  });

  test('is missing', () => {
    expect(errorOf(() => readTestData(folderOf({ 'problem.yaml': '' }), settingsOf(''), warn))).toContain(
      'has no test data',
    );
    expect(errorOf(() => dataOf({ 'data/secret/1.in': '' }))).toBe(
      'file: cannot open DIR/data/secret/1.ans: there is no answer file for this input',
    );
  });
});

test.each([
  ['legacy', 'output_validators'],
  ['2023-07-draft', 'output_validators', 'output_validator'],
  ['2023-07', 'output_validators', 'output_validator'],
  ['2025-09', 'output_validator'],
])('the format %s has validators in %s', (version, ...known) => {
  for (const name of ['output_validators', 'output_validator']) {
    warnings = [];
    const validation = version === 'legacy' && known.includes(name) ? 'validation: custom\n' : '';
    const yaml = `problem_format_version: ${version}\n${validation}`;
    expect(settingsOf(yaml, { [`${name}/v.py`]: '' }).hasOwnValidator).toBe(known.includes(name));
    expect(warnings).toEqual(known.includes(name) ? [] : [`the folder ${name} ${OTHER_FORMAT_MESSAGE}`]);
  }
});

test('keys of other formats in problem.yaml change nothing', () => {
  const legacy = settingsOf('constants: {N: 1}\nlimits: {time_limit: 1}\n');
  expect(legacy.constants.replaceIn('{{N}}', '')).toBe('{{N}}');
  const keys = 'validator_flags: x\nvalidation: custom score\nlimits: {time_multiplier: 9}\n';
  const later = settingsOf(`problem_format_version: 2025-09\n${keys}`);
  expect(later).toMatchObject({ validatorFlags: [], isScoredByValidator: false, acToTimeLimit: 2 });
  expect(warnings.map((warning) => /"(.*)"/.exec(warning)?.[1])).toEqual([
    ...['constants', 'validator_flags', 'validation', 'limits: time_multiplier'],
  ]);
  warnings = [];
  const draft = settingsOf(`problem_format_version: 2023-07-draft\n${keys}constants: {N: 1}\n`);
  expect(draft).toMatchObject({ validatorFlags: ['x'], isScoredByValidator: true, acToTimeLimit: 9 });
  expect(draft.constants.replaceIn('{{N}}', '')).toBe('1');
  expect(warnings).toEqual([]);
});

test('validators that problem.yaml does not ask for are warned of', () => {
  const validator = { 'output_validators/v.py': '' };
  expect(settingsOf('', validator).hasOwnValidator).toBe(false);
  expect(warnings).toEqual([expect.stringContaining('so the default validator judges')]);
});

test('a static validator is warned of, because it is not run', () => {
  settingsOf('', { 'static_validator/v.py': '' });
  expect(warnings).toEqual([expect.stringContaining('the static validator of the package is not run')]);
});

test('a validator that only DOMjudge has is warned of', () => {
  settingsOf('', { 'domjudge-problem.ini': "timelimit = 2\ncolor = 'special_run='\n" });
  expect(warnings).toEqual([]);
  settingsOf('', { 'domjudge-problem.ini': "timelimit = 2\nspecial_compare='float'\n" });
  expect(warnings).toEqual([expect.stringContaining('special_compare names a program of DOMjudge')]);
});

describe('constants', () => {
  const replaced = (yaml: string, text: string) =>
    settingsOf(`problem_format_version: 2025-09\nconstants:\n${yaml}`).constants.replaceIn(text, 'a.py');

  test.each([
    ['  N: 100\n', '{{N}} {{N.value}} {{M}} {{ N }}', '100 100 {{M}} {{ N }}'],
    [
      '  N: {value: 5000, tex: "5,000"}\n',
      '{{N}} {{N.value}} {{N.tex}} {{N.md}}',
      '5000 5000 5,000 {{N.md}}',
    ],
    ['  N: "{{M}}"\n  M: 1\n', '{{N}}', '{{M}}'],
    ['  toString: x\n', '{{toString}} {{constructor}}', 'x {{constructor}}'],
  ])('%j in %j', (yaml, text, expected) => {
    expect(replaced(yaml, text)).toBe(expected);
  });

  test('are texts, or maps with a value', () => {
    expect(errorOf(() => replaced('  N: {tex: x}\n', ''))).toContain(
      'N: expected a value, or a map with the key "value", got a map',
    );
    expect(errorOf(() => replaced('  N: [1]\n', ''))).toContain('constants: N: expected a text, got [1]');
    expect(errorOf(() => replaced('  N: {value: {x: 1}}\n', ''))).toContain(
      'N: value: expected a text, got a map',
    );
  });

  test('also stand in the settings of groups', () => {
    const files = {
      'data/secret/z.in': '',
      'data/secret/z.ans': '',
      'data/secret/test_group.yaml': 'output_validator_args: [float_tolerance, "{{EPS.value}}"]\n',
    };
    const settings = settingsOf('problem_format_version: 2025-09\nconstants: {EPS: 1e-3}\n');
    const [{ validatorFlags }] = readTestData(folderOf(files), settings, warn);
    expect(validatorFlags).toEqual(['float_tolerance', '1e-3']);
  });
});

test('keys of the files of groups and tests that no format knows are warned of', () => {
  const files = {
    'data/test_group.yaml': 'output_validator_flag: [case_sensitive]\n',
    'data/secret/z.in': '',
    'data/secret/z.ans': '',
    'data/secret/z.yaml': 'hint: look\nxyzzy: 1\n',
    'data/secret/testdata.yaml': 'on_reject: break\ngrading: default\nrange: 0 1\n',
  };
  readTestData(folderOf(files), settingsOf('problem_format_version: 2023-07-draft\n'), warn);
  expect(warnings).toEqual([
    'data/test_group.yaml: unknown key "output_validator_flag"; did you mean output_validator_flags?',
    'data/secret/z.yaml: unknown key "xyzzy"',
  ]);
});

describe('what problem.yaml says and no format knows', () => {
  test.each([
    ['licence: cc0\n', ['unknown key "licence"; did you mean license?']],
    ['limits: {time_limt: 1}\n', ['unknown key "limits: time_limt"; did you mean time_limit?']],
    ['license: CC0\n', ['unknown value "CC0" of license; did you mean cc0?']],
    ['type: pass-fial\n', ['unknown value "pass-fial" of type; did you mean pass-fail?']],
    ['validation: costum\n', ['unknown value "costum" of validation; did you mean custom?']],
    ['problem_format_version: 2031-01\n', ['unknown value "2031-01" of problem_format_version']],
    ['grading: {objectiv: max}\n', ['unknown key "grading: objectiv"; did you mean objective?']],
    ['xyzzy: 1\n', ['unknown key "xyzzy"']],
    // Keys of another format.
    ['constants: {N: 1}\n', ['unknown key "constants"']],
    ['problem_format_version: 2025-09\nvalidator_flags: x\n', ['unknown key "validator_flags"']],
  ])('%j is warned of', (yaml, expected) => {
    settingsOf(yaml);
    expect(warnings.map((warning) => warning.replace('problem.yaml: ', '').replace(/ \(.*/, ''))).toEqual(
      expected.map((text) => expect.stringContaining(text)),
    );
  });

  test.each([
    'name: x\nauthor: a\nsource: s\nsource_url: u\nlicense: cc by-sa\nrights_owner: me\nkeywords: a b\nuuid: 1\n' +
      'type: scoring\nvalidation: custom score\nvalidator_flags: x\ngrading: {objective: min}\n' +
      'limits: {memory: 1, output: 1, code: 1, time_multiplier: 2, time_safety_margin: 3, time_limit: 1}\n',
    'problem_format_version: 2025-09\nname: {en: x, sv: y}\nuuid: 1\nversion: 2\ncredits: {authors: [a]}\n' +
      'source: [{name: x}]\nlicense: public domain\nembargo_until: 2026-01-01\nlanguages: all\n' +
      'allow_file_writing: false\nconstants: {N: 1}\ntype: [scoring, pass-fail]\n' +
      'limits: {time_multipliers: {ac_to_time_limit: 3}, time_limit: 1.5, validation_passes: 2, code: 64}\n',
  ])('and nothing else is warned of (%#)', (yaml) => {
    settingsOf(yaml);
    expect(warnings).toEqual([]);
  });

  test('scores and the limit on code are read', () => {
    expect(settingsOf('type: scoring\n').isScoring).toBe(true);
    expect(settingsOf('validation: custom score\n').isScoring).toBe(true);
    expect(settingsOf('').isScoring).toBe(false);
    expect(settingsOf('').codeBytes).toBe(128 * 1024);
    expect(settingsOf('limits: {code: 3}\n').codeBytes).toBe(3 * 1024);
  });
});

describe('links', () => {
  test('that lead nowhere are named, all of them', () => {
    const path = folderOf({
      'data/secret/1.in': '',
      'submissions/accepted/a.py': '',
      'include/default/x': '',
    });
    expect(() => assertNoDanglingLinks(path)).not.toThrow();
    symlinkSync('../gone.py', join(path, 'submissions/accepted/b.py'));
    symlinkSync('nothing', join(path, 'data/secret/2.ans'));
    // Links that lead somewhere, and those in parts that are not read.
    symlinkSync('a.py', join(path, 'submissions/accepted/c.py'));
    symlinkSync('nothing', join(path, 'attachment'));
    symlinkSync('nothing', join(path, 'submissions/accepted/.hidden'));
    expect(errorOf(() => assertNoDanglingLinks(path))).toBe(
      'file: links in the package lead nowhere: data/secret/2.ans -> nothing, submissions/accepted/b.py -> ../gone.py',
    );
  });

  test('in a loop are dangling, and folders that link to themselves end somewhere', () => {
    const path = folderOf({ 'submissions/accepted/a.py': '' });
    symlinkSync('.', join(path, 'submissions/accepted/self'));
    expect(() => assertNoDanglingLinks(path)).not.toThrow();
    symlinkSync('loop', join(path, 'submissions/accepted/loop'));
    expect(errorOf(() => assertNoDanglingLinks(path))).toBe(
      'file: a link in the package leads nowhere: submissions/accepted/loop -> loop',
    );
  });
});

describe('links that lead out of the package', () => {
  test('are named, wherever they are in the parts that are read', () => {
    const path = folderOf({ 'data/secret/1.in': '', 'submissions/accepted/a/a.py': '', 'shared/b.py': '' });
    const links = [
      ...['data/secret/1.files', 'include', 'input_validators', 'submissions/accepted/a/b.py'],
      ...['data/secret/2.in', 'data/secret/3.files/.hidden'],
    ];
    mkdirSync(join(path, 'data/secret/3.files'));
    for (const name of links) symlinkSync(tmpdir(), join(path, name));
    // A link that stays in the package may lead to one that does not.
    symlinkSync('../../shared', join(path, 'submissions/accepted/c'));
    symlinkSync('/etc/hostname', join(path, 'shared/c.py'));
    const message = errorOf(() => assertLinksAllowed(path));
    expect(message).toMatch(
      /^file: links in the package lead out of it; a program in a sandbox could read what is there: /,
    );
    for (const name of [...links, 'submissions/accepted/c/c.py']) expect(message).toContain(`${name} -> `);
    expect(message.split(', ')).toHaveLength(links.length + 1);
  });

  test('do not count if they are in other parts, and those that stay in the package are followed', () => {
    const path = folderOf({ 'data/secret/1.in': '', 'submissions/accepted/a.py': '', 'shared/x': '' });
    symlinkSync(tmpdir(), join(path, 'attachment'));
    symlinkSync('../../shared', join(path, 'data/secret/1.files'));
    symlinkSync(join(path, 'shared'), join(path, 'include'));
    symlinkSync(join(path, 'submissions'), join(path, 'submissions/accepted/all'));
    expect(() => assertLinksAllowed(path)).not.toThrow();
  });
});

describe('links of submissions and of include to the tests', () => {
  test.each<[link: string, target: string, found: string]>([
    ['submissions/accepted/cheat/a', '../../../data/secret', 'a -> ../../../data/secret'],
    ['submissions/accepted/b.py', '../../data/secret/1.ans', 'b.py -> ../../data/secret/1.ans'],
    ['submissions/accepted/c', '../../shared', 'c/tests -> ../data'],
    ['submissions/accepted/d', '../..', 'd/data'],
    ['include/python3', '../data/secret', 'python3 -> ../data/secret'],
  ])('are named: %s -> %s', (link, target, found) => {
    const path = folderOf({
      'data/secret/1.ans': '',
      'submissions/accepted/cheat/a.py': '',
      'include/default/b.h': '',
      'shared/b.py': '',
      'data/a.py': '',
    });
    symlinkSync('../data', join(path, 'shared/tests'));
    symlinkSync('../submissions/accepted/cheat', join(path, 'data/programs'));
    expect(() => assertLinksAllowed(path)).not.toThrow();
    symlinkSync(target, join(path, link));
    const message = errorOf(() => assertLinksAllowed(path));
    expect(message).toMatch(
      /^file: .* from submissions or include to the tests; a submission in a sandbox could read right answers: /,
    );
    expect(message).toContain(`: ${dirname(link)}/${found}`);
  });
});

describe('links of submissions to tests that are links themselves', () => {
  test.each([
    ['data/secret', '../tests', 'submissions/accepted/k', '../../tests/1.ans'],
    ['data/secret', '../tests', 'submissions/accepted/k', '../../tests'],
    ['data/secret/1.ans', '../../answers/1.ans', 'submissions/accepted/k', '../../answers/1.ans'],
    ['data/secret/1.ans', '../../answers/1.ans', 'include', 'answers'],
  ])('are named: %s -> %s, %s -> %s', (test, place, link, target) => {
    const path = folderOf({
      'tests/1.ans': '',
      'answers/1.ans': '',
      'submissions/accepted/a.py': '',
      'data/x': '',
    });
    mkdirSync(dirname(join(path, test)), { recursive: true });
    symlinkSync(place, join(path, test));
    expect(() => assertLinksAllowed(path)).not.toThrow();
    symlinkSync(target, join(path, link));
    expect(errorOf(() => assertLinksAllowed(path))).toContain(`from submissions or include to the tests`);
  });
});

test.each([
  ['data/secret', '../include/default'],
  ['data/secret/1.ans', '../../submissions/accepted/1.ans'],
])('tests that really lie beside submissions are refused: %s -> %s', (test, place) => {
  const path = folderOf({ 'include/default/1.ans': '', 'submissions/accepted/1.ans': '', 'data/x': '' });
  mkdirSync(dirname(join(path, test)), { recursive: true });
  symlinkSync(place, join(path, test));
  expect(errorOf(() => assertLinksAllowed(path))).toContain('from submissions or include to the tests');
});

describe('the time limit', () => {
  const settings = settingsOf('');
  const time = (cpuSeconds: number, submission = 'a') => ({
    submission,
    seconds: cpuSeconds * 100,
    cpuSeconds,
    waitingSeconds: 0,
  });

  test.each([
    [0.01, 1],
    [0.3, 2],
    [0.2, 1],
  ])('is derived from the slowest time, %d s', (seconds, limit) => {
    const derived = deriveTimeLimit(settings, [time(0.001), time(seconds, 'slow'), time(0.002)]);
    expect(derived).toEqual({ seconds: limit, origin: '5 x the processor time of slow' });
  });

  test('does not depend on how long a run waited', () => {
    const waited = { ...time(0.3), seconds: 50, waitingSeconds: 49 };
    expect(deriveTimeLimit(settings, [waited]).seconds).toBe(2);
    const unknown = { ...time(0.3), seconds: 0.5, cpuSeconds: null };
    expect(deriveTimeLimit(settings, [unknown]).seconds).toBe(3);
  });

  test.each<[what: string, times: Parameters<typeof describeSlowness>[0], slow: string | null]>([
    ['a fast run', { seconds: 0.5, cpuSeconds: 0.4, waitingSeconds: 0 }, null],
    ['a run of all its time', { seconds: 2, cpuSeconds: 2, waitingSeconds: 0 }, null],
    [
      'a run of more',
      { seconds: 2.5, cpuSeconds: 2.01, waitingSeconds: 0 },
      'used 2.01 s of processor time; time limit 2 s',
    ],
    [
      'several threads',
      { seconds: 1, cpuSeconds: 3, waitingSeconds: 0 },
      'used 3.00 s of processor time; time limit 2 s',
    ],
    ['a run that sleeps a little', { seconds: 5, cpuSeconds: 0, waitingSeconds: 0 }, null],
    [
      'a run that sleeps',
      { seconds: 5.01, cpuSeconds: 0.01, waitingSeconds: 0 },
      'ran for 5.01 s, of which it used 0.01 s of processor time; time limit 2 s, wall limit 5 s',
    ],
    ['a run on a busy machine', { seconds: 60, cpuSeconds: 1.9, waitingSeconds: 58 }, null],
    [
      'a run whose processor time is not known',
      { seconds: 2.1, cpuSeconds: null, waitingSeconds: 0 },
      'used 2.10 s of processor time; time limit 2 s',
    ],
  ])('of 2 s and %s', (_what, times, slow) => {
    expect(describeSlowness(times, 2)).toBe(slow);
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
