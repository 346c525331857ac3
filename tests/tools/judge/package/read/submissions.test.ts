/** Which submissions a package has, how submissions.yaml says that they are run, and the warnings about this file. */
import { describe, expect, test } from 'vitest';
import { MAX_SUBMISSION_KEYS } from '../../../../../src/tools/judge/package/limits.js';
import { describeExpectation } from '../../../../../src/tools/judge/package/read/expectations.js';
import { readPackageSettings } from '../../../../../src/tools/judge/package/read/settings.js';
import { readSubmissions, type Submission } from '../../../../../src/tools/judge/package/read/submissions.js';
import { folderForEachTest } from '../../../../support/temporary-folder.js';
import { type Files, writePackage } from '../package-folder.js';

const folder = folderForEachTest();

/** Reads the submissions of a package with these files in `submissions/`, and the warnings about them. */
function read(files: Files): { submissions: Submission[]; warnings: string[] } {
  const inFolder = Object.entries(files).map(([name, text]) => [`submissions/${name}`, text]);
  writePackage(folder.path, { 'problem.yaml': '', ...Object.fromEntries(inFolder) });
  const warnings: string[] = [];
  const submissions = readSubmissions(
    folder.path,
    readPackageSettings(folder.path, () => {}),
    (each) => warnings.push(each),
  );
  return { submissions, warnings };
}

test('submissions are the files and folders in the folders, in the order of their paths', () => {
  const { submissions, warnings } = read({
    'wrong_answer/b.py': '',
    'accepted/z.py': '',
    'accepted/many/a.py': '',
    'accepted/many/b.py': '',
    'accepted/.hidden.py': '',
    'accepted/__pycache__/z.pyc': '',
    '.git/hooks/update': '#!/bin/sh\n',
    '__pycache__/z.pyc': '',
    'readme.md': '',
  });
  expect(submissions.map(({ name }) => name)).toEqual([
    'submissions/accepted/many',
    'submissions/accepted/z.py',
    'submissions/wrong_answer/b.py',
  ]);
  expect(warnings).toEqual([]);
});

test.each<[string, Files]>([
  ['has no folder of submissions', {}],
  ['has only files beside the folders', { 'a.py': '', 'submissions.yaml': '' }],
])('a package that %s is refused', (_what, files) => {
  expect(() => read(files)).toThrow(expect.objectContaining({ kind: 'file' }));
});

test('sources beside the folders of submissions are warned of', () => {
  const { submissions, warnings } = read({ 'accepted/a.py': '', 'b.py': '', 'notes.txt': '', '.c.py': '' });
  expect(submissions).toHaveLength(1);
  expect(warnings).toEqual([
    'submissions/b.py is not judged, because it lies in no folder such as accepted/',
  ]);
});

test.each<[Files, string[]]>([
  [
    { 'acepted/a.py': '', 'Accepted/a.py': '' },
    [
      ...['Accepted', 'acepted'].map(
        (name) =>
          `submissions/${name}/ is a folder that no package format knows, so nothing is expected of its submissions; did you mean accepted?`,
      ),
      'no submission is expected to be accepted, as those in submissions/accepted/ are',
    ],
  ],
  [{ 'mixed/a.py': '# @EXPECTED_RESULTS@: CORRECT\n' }, []],
  [
    { 'mixed/a.py': '# @EXPECTED_RESULTS@: CORRECT\n', 'mixed/b.py': '' },
    [
      'submissions/mixed/ is a folder that no package format knows, so nothing is expected of its submissions without an expectation of their own',
    ],
  ],
  [{ 'mine/a.py': '', 'submissions.yaml': 'mine: {permitted: [AC]}\n' }, []],
  [
    { 'rejected/a.py': '', 'mine/a.py': '', 'submissions.yaml': 'mine: {language: python3}\n' },
    ['no submission is expected to be accepted, as those in submissions/accepted/ are'],
  ],
])('folders that nobody knows, and no accepted submission, are warned of: %j', (files, expected) => {
  expect(read(files).warnings).toEqual(expected);
});

test('a comment in any file of a submission says what is expected', () => {
  const { submissions } = read({ 'mixed/x/a.py': '', 'mixed/x/b.py': '# @EXPECTED_RESULTS@: TIMELIMIT\n' });
  expect(describeExpectation(submissions[0].expectation!)).toBe('overall TLE');
});

test('a comment with names of no result is warned of', () => {
  const { warnings } = read({
    'accepted/a.py': '',
    'mixed/a.py': '# @EXPECTED_RESULTS@: WRONG-ANSWR, TIMELIMIT\n',
    'mixed/b.c': '/* @EXPECTED_RESULTS@: wrong_answer, check-manually */\n',
    'partially_accepted/c.py': '# @EXPECTED_SCORE@: 40\n',
  });
  expect(warnings).toEqual([
    'submissions/mixed/a.py: @EXPECTED_RESULTS@ has the unknown result "WRONG-ANSWR", which means nothing',
  ]);
});

describe('submissions.yaml', () => {
  const SUBMISSION = { 'accepted/a.py': '' };

  test('says how a submission is run, and a later key says more or something else', () => {
    const yaml =
      'accepted: {language: python3, entrypoint: one}\n"accepted/*.py": {entrypoint: two}\nwrong_answer: {language: c}\n';
    const { submissions } = read({ ...SUBMISSION, 'wrong_answer/b': '', 'submissions.yaml': yaml });
    expect(submissions.map(({ source }) => source.hints)).toEqual([
      { language: 'python3', entryPoint: 'two' },
      { language: 'c', entryPoint: null },
    ]);
  });

  test('has keys that mean nothing', () => {
    const yaml = 'acepted: {}\naccepted: {premitted: [AC], "secret/a": {permitted: [AC]}, score: 7}\n';
    expect(read({ ...SUBMISSION, 'submissions.yaml': yaml }).warnings).toEqual([
      'submissions.yaml: no submission matches "acepted"',
      'submissions.yaml: "accepted" has the unknown key "premitted", which means nothing',
    ]);
  });

  const keys = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}`);
  const nested = (count: number) =>
    `accepted:\n${keys(count)
      .map((key) => `  ${key}: {}\n`)
      .join('')}`;
  const flat = (count: number) =>
    keys(count)
      .map((key) => `${key}:\n`)
      .join('');

  test.each([
    ['keys', flat(MAX_SUBMISSION_KEYS + 1)],
    ['keys of a map', nested(MAX_SUBMISSION_KEYS + 1)],
    ['keys in both ways', `${nested(MAX_SUBMISSION_KEYS)}one-more:\n`],
  ])('is refused if it has too many %s', (_what, yaml) => {
    expect(() => read({ ...SUBMISSION, 'submissions.yaml': yaml })).toThrow(
      expect.objectContaining({
        kind: 'input',
        message: `submissions.yaml has more than ${MAX_SUBMISSION_KEYS} rules`,
      }),
    );
  });

  test('is read if it has as many keys as it may have', () => {
    const yaml = nested(MAX_SUBMISSION_KEYS);
    expect(read({ ...SUBMISSION, 'submissions.yaml': yaml }).submissions).toHaveLength(1);
  });
});
