/** Tests of what `judge --package` prints, and of its exit codes. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { CRASHING, RIGHT, SUM_DATA, WRONG, writePackage } from '../tools/judge/package/package-folder.js';
import { ROOT } from './boardmill.js';

const folder = folderForEachTest();

const urlOf = (path: string) => pathToFileURL(join(ROOT, 'build/src/cli', path)).href;

/** Judges the package `package` once for each of these options, in one process. Each run ends with a line `exit CODE`. */
function judgeEach(options: readonly object[]): { stdout: string[]; stderr: string } {
  const script = `
    import { judgePackage } from ${JSON.stringify(urlOf('judge/judge-package.js'))};
    import { reportError } from ${JSON.stringify(urlOf('exit.js'))};
    const files = { keep: null, markdown: null, html: null, junit: null, force: false };
    const view = { matrix: null, json: false, quiet: false, hasLiveTable: false, hasProgressLines: false };
    const what = { only: [], runsAll: true, checkInputs: false, problem: null, grammarUse: {} };
    const common = { folder: 'package', timeoutSeconds: null, memoryLimitBytes: null, environmentNames: [], sandbox: null, jobs: 2, ...files, ...view, ...what };
    for (const each of ${JSON.stringify(options)}) {
      const code = await judgePackage({ ...common, ...each }).catch(reportError);
      process.stdout.write('exit ' + code + '\\n');
    }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: folder.at('cache'), NO_COLOR: '1' },
  });
  return { stdout: stdout.split(/(?<=^exit \d+\n)/m), stderr };
}

const FILES = {
  ...SUM_DATA,
  'submissions/accepted/right.sh': RIGHT,
  'submissions/accepted/\u001bwrong.sh': WRONG,
  'submissions/accepted/x.unknown': '',
  'submissions/mixed/any.sh': CRASHING,
  'submissions/run_time_error/right.sh': RIGHT,
};

test('a table, JSON, and errors', () => {
  writePackage(folder.at('package'), FILES);
  const { stdout, stderr } = judgeEach([
    {},
    { json: true, quiet: true },
    { matrix: 'cases', quiet: true },
    { folder: 'none', quiet: true },
  ]);
  // How long a run took, and so the slowest file and the widths of columns, differ from run to run.
  const table = stdout[0].replace(/\d+\.\d\d s data\/\S+/g, 'SLOWEST').replace(/ {2,}/g, '  ');
  expect(table.split('\n')).toEqual([
    'program  AC  WA  TLE  RTE  MLE  slowest  expected  fits',
    'submissions/accepted/\\x1bwrong.sh  1  1  0  0  0  SLOWEST  AC  NO',
    'submissions/accepted/right.sh  2  0  0  0  0  SLOWEST  AC  yes',
    'submissions/accepted/x.unknown  -  -  -  -  -  skipped  AC  -',
    'submissions/mixed/any.sh  1  0  0  1  0  SLOWEST  nothing  -',
    'submissions/run_time_error/right.sh  2  0  0  0  0  SLOWEST  some RTE  NO',
    'submissions/accepted/\\x1bwrong.sh: WA on data/secret/group/2.in: token 1: expected "42", got "3"',
    'submissions/accepted/x.unknown: boardmill knows no language with the ending .unknown',
    'submissions/run_time_error/right.sh: expected some RTE; got AC',
    'exit 1',
    '',
  ]);
  expect(stdout[2]).toBe('exit 2\n');
  expect(stdout[3]).toBe('exit 2\n');
  expect(stderr).toContain('boardmill: time limit 20 s (problem.yaml)\nboardmill: 1 submission skipped\n');
  expect(stderr).toContain('--matrix cases needs a <problem>');
  expect(stderr).toContain('cannot open none: there is no such folder');
  const lines = stdout[1].trimEnd().split('\n').slice(0, -1);
  const objects = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(objects).toHaveLength(9);
  expect(objects[1]).toEqual({
    program: 'submissions/accepted/\u001bwrong.sh',
    input: 'data/secret/group/2.in',
    case: null,
    verdict: 'WA',
    seconds: expect.any(Number),
    cpuSeconds: expect.any(Number),
    message: 'token 1: expected "42", got "3"',
    expectation: 'AC',
    permitted: false,
    fits: false,
  });
  expect(objects[4]).toEqual({
    program: 'submissions/accepted/x.unknown',
    input: null,
    case: null,
    verdict: null,
    status: 'skipped',
    reason: 'boardmill knows no language with the ending .unknown',
    expectation: 'AC',
    fits: null,
  });
});

test('an error that ends the run is in all reports', () => {
  writePackage(folder.at('package'), { ...SUM_DATA, 'submissions/accepted/x.unknown': '' });
  const { stdout, stderr } = judgeEach([{ junit: 'r.xml', markdown: 'r.md', html: 'r.html' }]);
  const error = 'none of the submissions can be run on this machine';
  expect([stdout[0], stderr]).toEqual([expect.stringMatching(/exit 4\n$/), expect.stringContaining(error)]);
  const sentence = `This run was ended by an error when 1 of 1 submission had been judged. ${error}`;
  for (const name of ['r.xml', 'r.md', 'r.html']) expect(folder.read(name)).toContain(sentence);
  expect(folder.read('r.xml')).toContain('errors="1"');
});

test('cases of a file, by the grammar in the package, also as JSON', () => {
  writePackage(folder.at('package'), {
    'problem.yaml': 'limits: {time_limit: 20}\n',
    'input_validators/v/sums.ctd': readFileSync(join(ROOT, 'tests/fixtures/own/counted.ctd'), 'utf8'),
    'data/secret/1.in': '3\n2\n1 2\n1\n7\n3\n1 1 1\n',
    'data/secret/1.ans': '3\n7\n3\n',
    'submissions/wrong_answer/three.sh': 'read t\nwhile [ $t -gt 0 ]; do echo 3; t=$((t - 1)); done\n',
  });
  const grammarUse = { multitest: true, casesLoop: null, answers: 'line' };
  const { stdout } = judgeEach([
    { matrix: 'cases', grammarUse },
    { matrix: 'cases', json: true, grammarUse },
  ]);
  expect(stdout[0]).toContain(
    'submissions/wrong_answer/three.sh fails on data/secret/1.in: case 2 WA\nexit 0\n',
  );
  const objects = stdout[1]
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(objects.map((each) => [each.case, each.verdict])).toEqual([
    [null, 'WA'],
    [1, 'AC'],
    [2, 'WA'],
    [3, 'AC'],
  ]);
});
