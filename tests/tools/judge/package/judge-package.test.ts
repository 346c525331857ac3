/** Tests of judging whole packages. Most submissions are scripts of the shell, which start fast. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openProblem } from '../../../../src/catalog/open-problem.js';
import { grammarUseOf } from '../../../../src/problems/grammar-use.js';
import { createCaseCutter, findPackageGrammar } from '../../../../src/tools/judge/package/cut-cases.js';
import { ROOT } from '../../../cli/boardmill.js';
import { isGone } from '../../../support/processes.js';
import { allowSlowTests } from '../../../support/slow-tests.js';
import { folderForEachTest } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';
import {
  CRASHING,
  type Files,
  judge,
  LATER_YAML,
  RIGHT,
  SUM_DATA,
  summaryOf,
  WRONG,
  writePackage,
} from './package-folder.js';

allowSlowTests();

const folder = folderForEachTest();

/** Sets an environment variable until the end of the test. */
function setVariable(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

beforeEach(() => setVariable('XDG_CACHE_HOME', folder.at('cache')));

const packageOf = (files: Files) => writePackage(folder.at('package'), { ...SUM_DATA, ...files });
const judgeFiles = async (files: Files) => judge(packageOf(files));
const summaryOfFiles = async (files: Files) => summaryOf(await judgeFiles(files));

describe('verdicts', () => {
  test('are compared with the expected ones', async () => {
    const judged = await judgeFiles({
      'submissions/accepted/right.sh': RIGHT,
      'submissions/accepted/wrong.sh': WRONG,
      'submissions/mixed/tagged.sh': `# @EXPECTED_RESULTS@: CORRECT, RUN-ERROR\n${CRASHING}`,
      'submissions/run_time_error/crash.sh': CRASHING,
      'submissions/run_time_error/right.sh': RIGHT,
      'submissions/slow_accepted/any.sh': CRASHING,
      'submissions/wrong_answer/crash.sh': CRASHING,
      'submissions/wrong_answer/wrong.sh': WRONG,
    });
    expect(summaryOf(judged)).toEqual({
      'accepted/right.sh': 'AC AC, fits',
      'accepted/wrong.sh': 'AC WA, misfit',
      'mixed/tagged.sh': 'AC RTE, fits',
      'run_time_error/crash.sh': 'AC RTE, fits',
      'run_time_error/right.sh': 'AC AC, misfit',
      'slow_accepted/any.sh': 'AC RTE',
      'wrong_answer/crash.sh': 'AC RTE, misfit',
      'wrong_answer/wrong.sh': 'AC WA, fits',
    });
    expect(judged.isAsExpected).toBe(false);
    expect(judged.timeLimit).toEqual({ seconds: 20, origin: 'problem.yaml' });
    const [right, wrong] = judged.programs;
    expect(right.tests.map(({ input }) => input)).toEqual(['data/sample/1.in', 'data/secret/group/2.in']);
    expect(wrong.tests[1]).toMatchObject({
      message: 'token 1: expected "42", got "3"',
      isPermitted: false,
      cases: null,
    });
  });

  test('are as expected, with the expectations of submissions.yaml', async () => {
    const judged = await judgeFiles({
      'submissions/submissions.yaml':
        'other/*:\n  permitted: [AC, WA]\n  "secret/group":\n    required: [WA]\nother/main:\n  language: bash\n',
      'submissions/other/wrong.sh': WRONG,
      'submissions/accepted/right.sh': RIGHT,
    });
    expect(summaryOf(judged)).toEqual({
      'accepted/right.sh': 'AC AC, fits',
      'other/wrong.sh': 'AC WA, fits',
    });
    expect(judged.isAsExpected).toBe(true);
  });

  test('of programs that run too long, or out of memory', async () => {
    const judged = await judge(
      packageOf({
        'problem.yaml': 'limits: {time_safety_margin: 1}\n',
        'submissions/accepted/right.sh': RIGHT,
        'submissions/time_limit_exceeded/hang.sh': '[ "$(cat)" = "1 2" ] && echo 3 || sleep 1000',
        'submissions/run_time_error/memory.py': 'x = bytearray(1 << 30)',
      }),
      { timeoutSeconds: 2, memoryLimitBytes: 256 << 20 },
    );
    expect(summaryOf(judged)).toEqual({
      'accepted/right.sh': 'AC AC, fits',
      'run_time_error/memory.py': 'MLE MLE, fits',
      'time_limit_exceeded/hang.sh': 'AC TLE, fits',
    });
  });

  test('have a limit that is derived from the accepted submissions', async () => {
    const judged = await judgeFiles({
      'problem.yaml': 'limits: {time_multiplier: 1e4, time_resolution: 7}\n',
      'submissions/accepted/right.sh': RIGHT,
    });
    expect(judged.timeLimit.origin).toBe('10000 x the processor time of submissions/accepted/right.sh');
    expect(judged.timeLimit.seconds % 7).toBe(0);
    expect(summaryOf(judged)).toEqual({ 'accepted/right.sh': 'AC AC, fits' });
  });

  test('use the flags of the default validator', async () => {
    const files = { 'submissions/accepted/near.sh': 'read a b\necho $((a + b)).0001\n' };
    expect(await summaryOfFiles(files)).toEqual({ 'accepted/near.sh': 'WA WA, misfit' });
    const flags = { 'data/secret/group/testdata.yaml': 'output_validator_flags: float_tolerance 1e-3\n' };
    expect(await summaryOfFiles({ ...files, ...flags })).toEqual({ 'accepted/near.sh': 'WA AC, misfit' });
  });
});

describe('a run', () => {
  test('writes nothing into the package, and leaves no process and no file', async () => {
    const path = packageOf({
      'submissions/accepted/writer.sh': `sleep 1000 & echo $! >>${folder.at('pids')}; echo x >file; ${RIGHT}`,
      'submissions/accepted/tool/main.py': 'from other import add\nadd(*map(int, input().split()))\n',
      'submissions/accepted/tool/other.py': 'def add(a, b): print(a + b)\n',
    });
    // Other tests judge at the same time, in the usual folder.
    mkdirSync(folder.at('tmp'));
    setVariable('TMPDIR', folder.at('tmp'));
    const listing = () => readdirSync(path, { recursive: true }).sort();
    const before = listing();
    const scratch = () => readdirSync(tmpdir()).filter((name) => name.startsWith('boardmill-judge-'));
    const others = scratch();
    expect(summaryOf(await judge(path))).toEqual({
      'accepted/tool': 'AC AC, fits',
      'accepted/writer.sh': 'AC AC, fits',
    });
    expect(listing()).toEqual(before);
    expect(scratch().filter((name) => !others.includes(name))).toEqual([]);
    const pids = folder.read('pids').trim().split('\n');
    expect(pids).toHaveLength(2);
    await until(() => pids.every(isGone));
  });

  test('gets the arguments and files of its test', async () => {
    const judged = await judgeFiles({
      'problem.yaml': LATER_YAML,
      'data/secret/group/2.yaml': 'args: ["4 2", x]\n',
      'data/secret/group/2.files/part': '42',
      'submissions/accepted/a.sh': '[ "$1" = "4 2" ] && cat part || { [ $# = 0 ] && echo 3; }\n',
    });
    expect(summaryOf(judged)).toEqual({ 'accepted/a.sh': 'AC AC, fits' });
  });

  test('does not start after a signal', async () => {
    const path = packageOf({ 'submissions/accepted/a.sh': RIGHT });
    const stop = AbortSignal.abort('SIGTERM');
    await expect(judge(path, { stop })).rejects.toMatchObject({ kind: 'interrupted', signal: 'SIGTERM' });
  });
});

/** A validator that is right about everything but the output `3`. `$3` is the folder for feedback. */
const VALIDATOR = (wrongCode: number) =>
  `#!/bin/sh\n[ "$4" = flag ] || exit 9\n[ "$(cat)" = "3" ] || exit 42\necho no three >"$3judgemessage.txt"\nexit ${wrongCode}\n`;

test('a file of a test that is not a file is an error of the package', async () => {
  const path = packageOf({
    'problem.yaml': LATER_YAML,
    'data/secret/group/2.files/a.txt': '',
    'submissions/accepted/a.sh': RIGHT,
  });
  execFileSync('mkfifo', [join(path, 'data/secret/group/2.files/fifo')]);
  const reason = `cannot open ${join(path, 'data/secret/group/2.files/fifo')}: it is not a regular file`;
  await expect(judge(path)).rejects.toMatchObject({ kind: 'input', message: reason });
});

test('constants add a bounded number of bytes to a program', async () => {
  const judged = judgeFiles({
    'problem.yaml': `problem_format_version: 2025-09\nconstants: {LONG: ${'x'.repeat(900_000)}}\nlimits: {time_limit: 20}\n`,
    'submissions/accepted/a.sh': '{{LONG}}'.repeat(100),
  });
  await expect(judged).rejects.toThrow('the constants of the package add more than 67108864 bytes');
});

describe('validators of the package', () => {
  const files = { 'submissions/wrong_answer/three.sh': RIGHT };

  test('decide with the codes 42 and 43, in the legacy format', async () => {
    const judged = await judgeFiles({
      ...files,
      'problem.yaml': 'validation: custom\nvalidator_flags: flag\nlimits: {time_limit: 20}\n',
      'output_validators/check': VALIDATOR(43),
      'output_validators/readme.txt': 'not a program',
    });
    expect(summaryOf(judged)).toEqual({ 'wrong_answer/three.sh': 'WA AC, fits' });
    expect(judged.programs[0].tests[0].message).toBe('no three');
  });

  test('are one folder in the later formats, with scripts to build and run', async () => {
    const judged = await judgeFiles({
      ...files,
      'problem.yaml': 'problem_format_version: 2025-09\nlimits: {time_limit: 20}\n',
      'data/secret/test_group.yaml': 'output_validator_args: [flag]\n',
      'data/sample/test_group.yaml': 'output_validator_args: [flag]\n',
      'output_validator/nested/build': '#!/bin/sh\nmv source run\n',
      'output_validator/nested/source': VALIDATOR(43),
    });
    chmodSync(folder.at('package/output_validator/nested/build'), 0o644);
    expect(summaryOf(await judge(folder.at('package')))).toEqual(summaryOf(judged));
    expect(summaryOf(judged)).toEqual({ 'wrong_answer/three.sh': 'WA AC, fits' });
  });

  test('of testlib have their own protocol', async () => {
    const script = '#!/bin/sh\n# include "testlib.h"\n[ "$(cat "$2")" = "$(cat "$3")" ] && exit 0\nexit 1\n';
    const judged = await judgeFiles({
      'submissions/wrong_answer/wrong.sh': WRONG,
      'problem.yaml': 'validation: custom\nlimits: {time_limit: 20}\n',
      'output_validators/check/run': script,
    });
    expect(summaryOf(judged)).toEqual({ 'wrong_answer/wrong.sh': 'AC WA, fits' });
  });

  test('of testlib that was changed to use the codes 42 and 43 have the usual protocol', async () => {
    const judged = await judgeFiles({
      ...files,
      'problem.yaml': 'validation: custom\nvalidator_flags: flag\nlimits: {time_limit: 20}\n',
      'output_validators/check/run': `${VALIDATOR(43)}# include "testlib.h"\n`,
      'output_validators/check/testlib.h': '#define OK_EXIT_CODE 42\n',
    });
    expect(summaryOf(judged)).toEqual({ 'wrong_answer/three.sh': 'WA AC, fits' });
  });

  test('must all accept an output', async () => {
    const judged = await judgeFiles({
      ...files,
      'problem.yaml': 'validation: custom\nvalidator_flags: flag\nlimits: {time_limit: 20}\n',
      'output_validators/one': '#!/bin/sh\nexit 42\n',
      'output_validators/other': VALIDATOR(43),
      'output_validators/third': '#!/bin/sh\nexit 42\n',
    });
    expect(summaryOf(judged)).toEqual({ 'wrong_answer/three.sh': 'WA AC, fits' });
    expect(judged.programs[0].tests[0].message).toBe('no three');
  });

  test.each([
    ['exit with 0', 'exit 0', ': it exited with code 0'],
    ['exit with 1', 'echo oh >&2; exit 1', ': it exited with code 1; its last line on standard error: "oh"'],
    ['crash', 'kill -SEGV $$', 'SIGSEGV'],
  ])('fail if they %s, and still judge other submissions', async (_what, script, reason) => {
    const path = packageOf({
      ...files,
      'problem.yaml': 'validation: custom\nlimits: {time_limit: 20}\n',
      'output_validators/check': `#!/bin/sh\ngrep -q 7 && exit 43\n${script}\n`,
      'submissions/wrong_answer/with-seven.sh': 'echo 7\n',
    });
    // With one job, the other submission begins when the validator has failed.
    const judged = await judge(path, { jobs: 1 });
    expect(judged).toMatchObject({ unjudged: 1, isAsExpected: true });
    const [three, seven] = judged.programs;
    expect(seven).toMatchObject({
      program: 'submissions/wrong_answer/with-seven.sh',
      status: 'judged',
      fits: true,
    });
    const place = 'on data/sample/1.in with the output of submissions/wrong_answer/three.sh';
    expect(three).toMatchObject({ status: 'unjudged', fits: null, tests: [] });
    expect(three.reason).toContain(`the output validator output_validators/check failed ${place}: it `);
    expect(three.reason).toContain(reason);
  });

  test('fail in a run from which the time limit is derived, and still judge other submissions', async () => {
    const judged = await judgeFiles({
      'problem.yaml': 'validation: custom\n',
      'output_validators/check': '#!/bin/sh\ngrep -q 8 && exit 1\nexit 42\n',
      'submissions/accepted/good.sh': 'echo 7\n',
      'submissions/accepted/odd.sh': 'echo 8\n',
    });
    expect(judged).toMatchObject({ unjudged: 1, isAsExpected: true });
    expect(judged.programs.map(({ status }) => status)).toEqual(['judged', 'unjudged']);
    expect(judged.programs[1].reason).toContain('the output validator output_validators/check failed');
  });

  test('that give points may accept all that a partially accepted submission prints', async () => {
    const judged = await judgeFiles({
      'problem.yaml': 'problem_format_version: 2025-09\ntype: scoring\nlimits: {time_limit: 20}\n',
      'output_validator/run': '#!/bin/sh\nexit 42\n',
      'submissions/partially_accepted/half.sh': 'echo 7\n',
    });
    expect(judged.programs[0].fits).toBe(true);
  });

  test('are missing', async () => {
    await expect(judgeFiles({ ...files, 'problem.yaml': 'validation: custom\n' })).rejects.toMatchObject({
      kind: 'file',
    });
  });
});

/** A compiler that notes that it runs. It makes a program out of the script in the first source. */
const FAKE_COMPILER = (log: string) => `#!/bin/sh
echo run >>${log}
for source; do case "$source" in *.cpp) sources="$sources $source";; esac; done
while [ "$1" != -o ]; do shift; done
case "$(cat $sources)" in *mistake*) echo "a.cpp:1: error: mistake"; exit 1;; esac
{ echo '#!/bin/sh'; cat $sources; } >"$2"
chmod +x "$2"
`;

describe('builds', () => {
  /** Puts a compiler for C++ at the front of PATH. Returns a function that tells how often it ran. */
  function useFakeCompiler(): () => number {
    const log = folder.at('log');
    writeFileSync(log, '');
    writePackage(folder.at('bin'), { 'g++': FAKE_COMPILER(log) });
    setVariable('PATH', `${folder.at('bin')}${delimiter}${process.env.PATH}`);
    return () => readFileSync(log, 'utf8').split('\n').length - 1;
  }

  test('are kept, and made again if a source changes', async () => {
    const runs = useFakeCompiler();
    const files = {
      'submissions/accepted/one.cpp': RIGHT,
      'submissions/accepted/two/a.cpp': 'read a b\n',
      'submissions/accepted/two/b.cpp': 'echo $((a + b))\n',
      'submissions/accepted/two/b.h': 'x\n',
    };
    const expected = { 'accepted/one.cpp': 'AC AC, fits', 'accepted/two': 'AC AC, fits' };
    expect(await summaryOfFiles(files)).toEqual(expected);
    expect(runs()).toBe(2);
    expect(await summaryOfFiles(files)).toEqual(expected);
    expect(runs()).toBe(2);
    expect(await summaryOfFiles({ ...files, 'submissions/accepted/two/b.h': 'y\n' })).toEqual(expected);
    expect(runs()).toBe(3);
    const builds = readdirSync(folder.at('cache/boardmill/builds'));
    expect(builds.filter((name) => name.startsWith('unfinished'))).toEqual([]);
    expect(builds).toHaveLength(3);
  });

  test('fail, which a folder may expect', async () => {
    useFakeCompiler();
    const judged = await judgeFiles({
      'submissions/accepted/bad.cpp': 'mistake',
      'submissions/compiler_error/bad.cpp': 'mistake',
      'submissions/mixed/bad.cpp': 'mistake',
    });
    expect(summaryOf(judged)).toEqual({
      'accepted/bad.cpp': 'broken, misfit',
      'compiler_error/bad.cpp': 'broken, fits',
      // Nothing is expected of it, but it must compile.
      'mixed/bad.cpp': 'broken, misfit',
    });
    expect(judged.isAsExpected).toBe(false);
    expect(judged.programs[0].reason).toBe('exited with code 1: a.cpp:1: error: mistake');
  });

  test('are skipped if there is no tool', async () => {
    const tools = folder.at('tools');
    mkdirSync(tools);
    for (const name of ['sh', 'bash', 'rm', 'cat']) symlinkSync(`/bin/${name}`, join(tools, name));
    // A tool that only says that there is no such tool, as version managers install it.
    writePackage(tools, { python2: '#!/bin/sh\nexit 127\n', 'g++': '#!/bin/sh\nexit 127\n' });
    setVariable('PATH', tools);
    const judged = await judgeFiles({
      'submissions/accepted/a.cpp': 'int main() {}',
      'submissions/accepted/a.rs': 'fn main() {}',
      'submissions/accepted/a.sh': RIGHT,
      'submissions/accepted/a.xyz': 'x',
      'submissions/accepted/two.py': '#!/usr/bin/env python2\nprint 3\n',
    });
    expect(summaryOf(judged)).toEqual({
      'accepted/a.cpp': 'skipped',
      'accepted/a.rs': 'skipped',
      'accepted/a.sh': 'AC AC, fits',
      'accepted/a.xyz': 'skipped',
      'accepted/two.py': 'skipped',
    });
    expect(judged.isAsExpected).toBe(true);
    const reasons = judged.programs.map(({ reason }) => reason);
    expect(reasons[1]).toBe('there is no rustc that works');
    expect(reasons[3]).toBe('boardmill knows no language with the ending .xyz');
  });

  test('of C++, and with the constants of the package', async () => {
    const files = {
      'submissions/accepted/a.cc':
        '#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }\n',
      'submissions/accepted/{{name}}.sh': 'read a b\necho $((a + b + {{ZERO}}))\n',
      'include/cpp/unused.h': 'x\n',
      'problem.yaml': 'problem_format_version: 2025-09\nconstants: {ZERO: 0}\nlimits: {time_limit: 20}\n',
    };
    expect(await summaryOfFiles(files)).toEqual({
      'accepted/a.cc': 'AC AC, fits',
      'accepted/{{name}}.sh': 'AC AC, fits',
    });
  });
});

describe('cases', () => {
  test('are judged one by one in the files that a submission fails', async () => {
    const path = packageOf({
      'problem.yaml': 'limits: {time_limit: 20}\n',
      'input_format_validators/sums.ctd': readFileSync(join(ROOT, 'tests/fixtures/own/counted.ctd'), 'utf8'),
      'data/sample/1.in': '1\n2\n1 2\n',
      'data/sample/1.ans': '3\n',
      'data/secret/group/2.in': '3\n2\n1 2\n1\n7\n3\n1 1 1\n',
      'data/secret/group/2.ans': '3\n7\n3\n',
      'data/secret/bad.in': '2\n2\n1 2\n1\n7\n',
      'data/secret/bad.ans': '3\n',
      // Prints 3 for each case, and so fails on the second one.
      'submissions/wrong_answer/three.sh': 'read t\nwhile [ $t -gt 0 ]; do echo 3; t=$((t - 1)); done\n',
    });
    const warnings: string[] = [];
    const { problem } = await openProblem(findPackageGrammar(path)!, grammarUseOf({ multitest: true }));
    const cutCases = createCaseCutter(problem, (message) => void warnings.push(message));
    const judged = await judge(path, { cutCases });
    expect(summaryOf(judged)).toEqual({ 'wrong_answer/three.sh': 'AC WA WA, fits' });
    const verdicts = judged.programs[0].tests.map(
      ({ cases }) => cases?.map(({ caseNumber, verdict }) => `${caseNumber} ${verdict}`) ?? null,
    );
    expect(verdicts).toEqual([null, null, ['1 AC', '2 WA', '3 AC']]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^data\/secret\/bad\.in is not cut into cases: .*bad\.ans: it has no answer to case 2$/,
      ),
    ]);
  });
});

test('a cache folder that cannot be made is an error', async () => {
  setVariable('XDG_CACHE_HOME', '/proc/cache');
  await expect(judgeFiles({ 'submissions/accepted/a.sh': RIGHT })).rejects.toMatchObject({
    kind: 'file',
    message: 'cannot create /proc/cache: no such file or directory',
  });
});

test('the cache can only be read by its owner', async () => {
  await judgeFiles({ 'submissions/accepted/a.sh': RIGHT });
  expect(statSync(folder.at('cache/boardmill/builds')).mode & 0o77).toBe(0);
  expect(existsSync(folder.at('package/cache'))).toBe(false);
});
