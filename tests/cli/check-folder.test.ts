/** Tests of `boardmill check PROBLEM FOLDER`, which compares every NAME.in with its NAME.ans. */

import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { program } from '../support/programs.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();
const { at, write } = folder;
const check = (problem: string, ...args: string[]) =>
  boardmill(['check', problem, ...args], { cwd: folder.path });

const INPUT = '2\n1 1\n.\n1 2\n..\n';
const ANSWERS = 'Case #1: 2\nCase #2: 2\n';

test('each file has a line, and a bad file does not stop the others', async () => {
  write('data/sample/1.in', INPUT);
  write('data/sample/1.ans', ANSWERS);
  writeFileSync(at('data/2.in.gz'), gzipSync(INPUT));
  write('data/2.ans', 'Case #1: 3\nCase #3: 2\n');
  write('data/3.in', INPUT);
  write('data/4.in', INPUT.replace('..', '.x'));
  write('data/4.ans', ANSWERS);
  write('data/5.in', INPUT);
  write('data/5.ans/not-a-file', '');
  const [text, shown, json] = await Promise.all([
    check('bt', 'data', '-j', '1'),
    check('bt', 'data', '-j', '3', '--chunk', '1', '--max', '1'),
    check('bt', 'data', '--json', '--max', '1', '--solver', 'portable'),
  ]);
  const lines = [
    'data/2.in.gz: 2 cases: 1 differs, 1 without an answer, 1 unexpected answer',
    'data/3.in: not checked',
    'data/4.in: not checked',
    'data/5.in: not checked',
    'data/sample/1.in: 2 cases: all answers agree',
    '5 files, 4 cases: 1 file agrees, 1 differs, 3 not checked',
  ];
  expect(text.stdout.trimEnd().split('\n')).toEqual(lines);
  expect(text.stderr.trimEnd().split('\n')).toEqual([
    'boardmill: data/3.in has no answer file: data/3.ans does not exist',
    expect.stringMatching(/^boardmill: data\/4\.in:5:2: case 2: expected .*, got "x"$/),
    'boardmill: cannot open data/5.ans: it is a directory',
  ]);
  // A bad input is graver than a missing file, which is graver than a difference.
  expect(text.code).toBe(3);
  expect(shown.stdout.trimEnd().split('\n').slice(0, 2)).toEqual([
    'data/2.ans:1:10: case 1: expected Case #1: 2, got Case #1: 3',
    `${lines[0]}, only the first shown`,
  ]);
  const { files, ...totals } = JSON.parse(json.stdout);
  expect(totals).toEqual({
    problem: 'bacterial-tactics',
    cases: 4,
    agree: false,
    agreeingFiles: 1,
    differingFiles: 1,
    failedFiles: 3,
  });
  expect(files).toMatchObject([
    { file: 'data/2.in.gz', answers: 'data/2.ans', agree: false, differs: 1, missing: 1, unexpected: 1 },
    { file: 'data/3.in', error: { kind: 'file', message: expect.stringContaining('data/3.ans') } },
    { file: 'data/4.in', error: { kind: 'input' } },
    { file: 'data/5.in', error: { kind: 'file' } },
    { file: 'data/sample/1.in', agree: true, cases: 2, differences: [] },
  ]);
  expect(files[0].differences).toHaveLength(1);
});

test('the options of a single file also hold for a folder', async () => {
  write('same/1.in', INPUT);
  write('same/1.ans', ANSWERS.replace(' 2', '\t2'));
  write('same/2.in', INPUT);
  write('same/2.ans', ANSWERS);
  write('empty/readme', '');
  write('checker.mjs', 'process.exit(0)');
  const [tokens, exact, own, checked, empty, lone] = await Promise.all([
    check('bt', 'same'),
    check('bt', 'same', '--exact'),
    check('bt', 'same', '--exec', program('bacterial-tactics'), '-j', '2'),
    check('bt', 'same', '--checker', `'${process.execPath}' checker.mjs`),
    check('bt', 'empty'),
    check('bt', 'same/1.in'),
  ]);
  expect(tokens).toEqual({
    code: 0,
    stdout:
      'same/1.in: 2 cases: all answers agree\nsame/2.in: 2 cases: all answers agree\n2 files, 4 cases: all answers agree\n',
    stderr: '',
  });
  expect(exact).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('2 files, 4 cases: 1 file agrees, 1 differs\n'),
  });
  expect([own.code, checked.code]).toEqual([0, 0]);
  expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('contains no *.in file') });
  expect(lone).toMatchObject({ code: 2, stderr: expect.stringContaining('missing argument <answer-file>') });
});

test.each([
  ['check', []],
  ['judge', ['--exec', program('bacterial-tactics')]],
])('%s names the input on which a checker fails', async (command, programs) => {
  write('two/1.in', INPUT);
  write('two/1.ans', ANSWERS);
  write('two/2.in', '1\n2 1\n.\n.\n');
  write('two/2.ans', 'Case #1: 2\n');
  write(
    'fussy.mjs',
    `import { readFileSync } from 'node:fs';
    process.exit(readFileSync(process.argv[2], 'utf8').includes('2 1') ? 3 : 0);`,
  );
  const checker = ['--checker', `'${process.execPath}' fussy.mjs`];
  const line = [command, 'bt', 'two', ...programs, ...checker];
  const { code, stderr } = await boardmill(line, { cwd: folder.path });
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: expect.stringContaining('boardmill: two/2.in: case 1: the checker exited with code 3\n'),
  });
});
