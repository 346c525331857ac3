/** The input validators of packages, and answers that no accepted program prints. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { findPackageGrammar } from '../../../../src/tools/judge/package/cut-cases.js';
import { findDisputedAnswers } from '../../../../src/tools/judge/package/disputed-answers.js';
import { withContestPackage } from '../../../../src/tools/judge/package/judge-package.js';
import { folderForEachTest } from '../../../support/temporary-folder.js';
import {
  type Files,
  judge,
  LATER_YAML,
  RIGHT,
  requestFor,
  SUM_DATA,
  WRONG,
  writePackage,
} from './package-folder.js';

const folder = folderForEachTest();

beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', folder.at('cache'));
  return () => void vi.unstubAllEnvs();
});

const packageOf = (files: Files) =>
  writePackage(folder.at('package'), { ...SUM_DATA, 'submissions/accepted/a.sh': RIGHT, ...files });

async function findingsIn(files: Files, warn = (_message: string) => {}) {
  const request = { ...requestFor(packageOf(files)), warn };
  const findings = await withContestPackage(request, (opened) => opened.checkInputs());
  return findings.map(({ input, validator, location, message }) => {
    const place = location === null ? '' : `:${location.line}:${location.column}`;
    return `${input}${place} ${validator}: ${message}`;
  });
}

const GRAMMAR = 'INT(1, {{MAX}}) SPACE INT(1, 100) NEWLINE EOF\n';
const YAML = (max: number) =>
  `problem_format_version: 2025-09\nlimits: {time_limit: 20}\nconstants: {MAX: {value: ${max}}}\n`;

/** Accepts an input whose first number is 1, unless it gets the argument \`any\`. It reads a file of its own. */
const PROGRAM = `#!/bin/sh
[ "$(cat mark)" = mark ] || exit 9
read a b
[ "$a" = 1 ] || [ "$1" = any ] && exit 42
echo "no: $a" >&2
exit 43
`;

describe('all inputs are checked', () => {
  test('by grammars, with the constants of the package, and the place is named', async () => {
    const files = { 'input_validators/sum.ctd': GRAMMAR };
    expect(await findingsIn({ ...files, 'problem.yaml': YAML(20) })).toEqual([]);
    expect(await findingsIn({ ...files, 'problem.yaml': YAML(5) })).toEqual([
      'data/secret/group/2.in:1:1 input_validators/sum.ctd: expected an integer from 1 to 5, got "20"',
    ]);
  });

  test('or end with an error if links beside the grammars lead around for ever', async () => {
    const path = packageOf({ 'input_validators/sum.ctd': GRAMMAR, 'problem.yaml': YAML(20) });
    for (const name of ['a', 'b']) symlinkSync('.', join(path, 'input_validators', name));
    const checked = withContestPackage(requestFor(path), (opened) => opened.checkInputs());
    await expect(checked).rejects.toMatchObject({ message: expect.stringContaining('too many folders') });
    expect(findPackageGrammar(path)).toBe(join(path, 'input_validators/sum.ctd'));
  });

  test('by programs, which get links and no files of the user where their builds have left links', async () => {
    folder.write('mine', '');
    const run = `#!/bin/sh\n[ -L mine ] && cat mark >&2\nexit 43\n`;
    const build = `#!/bin/sh\nln -s ${folder.at('mine')} mine\nmkfifo fifo\n`;
    const files = { 'input_validators/v/run': run, 'input_validators/v/build': build };
    const [finding] = await findingsIn({
      ...files,
      'problem.yaml': LATER_YAML,
      'data/sample/1.files/mark': 'ours',
    });
    expect(finding).toContain('"ours"');
  });

  test('by programs, which get the flags of their group and find their files', async () => {
    const files = { 'input_format_validators/v/run': PROGRAM, 'input_format_validators/v/mark': 'mark' };
    expect(await findingsIn(files)).toEqual([
      'data/secret/group/2.in input_format_validators/v: the validator exited with code 43; its last line on standard error: "no: 20"',
    ]);
    const flags = { 'data/secret/testdata.yaml': 'input_validator_flags: any\n' };
    expect(await findingsIn({ ...files, ...flags })).toEqual([]);
    const named = { 'data/secret/testdata.yaml': 'input_validator_flags: {name: v, flags: any}\n' };
    expect(await findingsIn({ ...files, ...named })).toEqual([]);
    const inLater = (args: string) =>
      findingsIn({
        ...files,
        'problem.yaml': LATER_YAML,
        'data/secret/test_group.yaml': `input_validator_args: ${args}\n`,
      });
    expect(await inLater('{w: [any]}')).toHaveLength(1);
    expect(await inLater('{v: [any]}')).toEqual([]);
  });

  test('by programs that are made with testlib, whose exit code 0 accepts', async () => {
    const script = '#!/bin/sh\n# include "testlib.h"\nread a b\n[ "$a" = 1 ] || exit 3\n';
    expect(await findingsIn({ 'input_validators/t/run': script })).toEqual([
      'data/secret/group/2.in input_validators/t: the validator exited with code 3',
    ]);
  });

  test('and those of data/invalid_input must be refused', async () => {
    const files = { 'problem.yaml': YAML(20), 'input_validators/sum.ctd': GRAMMAR };
    const invalid = { 'data/invalid_input/bad.in': '0 1\n', 'data/invalid_input/good.in': '1 1\n' };
    expect(await findingsIn({ ...files, ...invalid })).toEqual([
      'data/invalid_input/good.in null: no input validator refuses this input, which must be invalid',
    ]);
  });
});

test('a validator that exceeds its time limit is named with the limit', async () => {
  const files = {
    'problem.yaml': 'limits: {validation_time: 0.1}\n',
    'input_validators/v': '#!/bin/sh\nexec sleep 1000\n',
  };
  const reason = 'the validator ran for more than 0.1 s (validation_time)';
  const [finding] = await findingsIn(files);
  expect(finding).toBe(`data/sample/1.in input_validators/v: ${reason}`);
});

test('inputs are not checked without a validator, and that is said', async () => {
  const warnings: string[] = [];
  const invalid = { 'data/invalid_input/bad.in': '0 1\n' };
  expect(await findingsIn(invalid, (message) => void warnings.push(message))).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('has no input validators')]);
});

describe('input validators cannot be used', () => {
  test.each<[what: string, files: Files, error: object]>([
    [
      'because one is a VIVA validator',
      { 'input_validators/x.viva': '{ integer n; }', 'input_validators/sum.ctd': GRAMMAR },
      { kind: 'usage', message: 'input_validators/x.viva is a VIVA validator, and judge does not run those' },
    ],
    [
      'because one cannot be run',
      { 'input_validators/v': '#!/opt/none\n' },
      {
        kind: 'worker',
        message:
          'the input validator input_validators/v cannot be run: v needs /opt/none, which is not installed',
      },
    ],
  ])('%s', async (_what, files, error) => {
    await expect(findingsIn(files)).rejects.toMatchObject(error);
  });

  test('because a grammar is wrong, which is said with its place', async () => {
    await expect(findingsIn({ 'input_validators/sum.ctd': 'INT(1, 2\n' })).rejects.toThrow(
      /^input_validators\/sum\.ctd:\d+:\d+: /,
    );
  });
});

describe('answers that no accepted program prints', () => {
  const disputesOf = async (files: Files, request = {}) =>
    findDisputedAnswers((await judge(packageOf(files), request)).programs).map(
      ({ answer, programs, message }) => `${answer} ${programs.length} ${message}`,
    );

  test('are named if all accepted programs print the same', async () => {
    const second = { 'submissions/accepted/b.sh': `${RIGHT}echo\n` };
    expect(await disputesOf({ 'data/secret/group/2.ans': '43\n', ...second })).toEqual([
      'data/secret/group/2.ans 2 token 1: expected "43", got "42"',
    ]);
    expect(await disputesOf({ 'data/secret/group/2.ans': '42\n', ...second })).toEqual([]);
  });

  test('are all named, although accepted programs otherwise end with the first of them', async () => {
    const files = { 'data/sample/1.ans': '4\n', 'data/secret/group/2.ans': '43\n' };
    expect(await disputesOf(files, { runsAll: false, checkInputs: true })).toHaveLength(2);
    expect(await disputesOf(files, { runsAll: false })).toHaveLength(1);
  });

  test('are not named if the programs disagree, or if other programs are wrong', async () => {
    const files = { 'data/secret/group/2.ans': '43\n', 'submissions/wrong_answer/c.sh': WRONG };
    expect(await disputesOf({ ...files, 'submissions/accepted/b.sh': WRONG })).toEqual([]);
    mkdirSync(folder.at('package/submissions/rejected'), { recursive: true });
    expect(await disputesOf({ ...files, 'data/secret/group/2.ans': '42\n' })).toEqual([]);
  });
});
