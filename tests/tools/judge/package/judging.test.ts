/** How submissions are run: until when, which of them, and within which limits. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { folderForEachTest } from '../../../support/temporary-folder.js';
import {
  CRASHING,
  type Files,
  judge,
  RIGHT,
  SUM_DATA,
  summaryOf,
  WRONG,
  writePackage,
} from './package-folder.js';

const folder = folderForEachTest();

beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', folder.at('cache'));
  return () => void vi.unstubAllEnvs();
});

/** Four tests; the right answer is the sum. */
const FOUR: Files = {
  ...SUM_DATA,
  'data/secret/3.in': '5 1\n',
  'data/secret/3.ans': '6\n',
  'data/secret/4.in': '2 2\n',
  'data/secret/4.ans': '4\n',
};

const packageOf = (files: Files, data = FOUR) => writePackage(folder.at('package'), { ...data, ...files });

describe('a submission', () => {
  const files = {
    'submissions/accepted/right.sh': RIGHT,
    'submissions/accepted/wrong.sh': WRONG,
    'submissions/rejected/crash.sh': CRASHING,
    'submissions/wrong_answer/wrong.sh': WRONG,
    'submissions/other/wrong.sh': WRONG,
  };

  test('ends with the verdict that decides whether it fits', async () => {
    for (const jobs of [1, 3]) {
      const judged = await judge(packageOf(files), { runsAll: false, jobs });
      expect(summaryOf(judged)).toEqual({
        'accepted/right.sh': 'AC AC AC AC, fits',
        'accepted/wrong.sh': 'AC WA, misfit',
        'other/wrong.sh': 'AC WA',
        'rejected/crash.sh': 'AC RTE, fits',
        'wrong_answer/wrong.sh': 'AC WA WA WA, fits',
      });
      expect(judged.programs.map(({ notRun }) => notRun)).toEqual([0, 2, 2, 2, 0]);
    }
  });

  test('runs on all files if that is wanted', async () => {
    const judged = await judge(packageOf(files), { runsAll: true });
    expect(summaryOf(judged)['accepted/wrong.sh']).toBe('AC WA WA WA, misfit');
    expect(judged.programs.every(({ notRun }) => notRun === 0)).toBe(true);
  });

  test('is chosen by patterns, of which each must match', async () => {
    const only = ['submissions/wrong_answer/*', './submissions/{accepted,x}/right.sh'];
    expect(summaryOf(await judge(packageOf(files), { only }))).toEqual({
      'accepted/right.sh': 'AC AC AC AC, fits',
      'wrong_answer/wrong.sh': 'AC WA WA WA, fits',
    });
    await expect(judge(packageOf(files), { only: ['submissions/none/*'] })).rejects.toMatchObject({
      kind: 'usage',
      message: '--only submissions/none/*: no submission has such a path',
    });
  });

  test.each([
    ['right.sh', "; did you mean 'submissions/*/right.sh'?"],
    ['**/{right,left}.sh', "; did you mean 'submissions/*/{right,left}.sh'?"],
    ['accepted/left.sh', ''],
    ['submissions/[a-z]', ''],
  ])('%s chooses none, and the pattern that was probably meant is named', async (pattern, hint) => {
    await expect(judge(packageOf(files), { only: [pattern] })).rejects.toMatchObject({
      message: `--only ${pattern}: no submission has such a path${hint}`,
    });
  });

  test.each([
    ['of the cache', 'XDG_CACHE_HOME'],
    ['for temporary files', 'TMPDIR'],
  ])('runs if the path of the folder %s is relative', async (_what, variable) => {
    mkdirSync(folder.at('named'));
    vi.stubEnv('HOME', folder.at('home'));
    vi.stubEnv(variable, relative(process.cwd(), folder.at('named')));
    const judged = await judge(packageOf({ 'submissions/accepted/a.sh': RIGHT }, SUM_DATA));
    expect(summaryOf(judged)).toEqual({ 'accepted/a.sh': 'AC AC, fits' });
  });

  test('that is not chosen still gives the time limit', async () => {
    const yaml = { 'problem.yaml': 'limits: {time_resolution: 7}\n' };
    const judged = await judge(packageOf({ ...files, ...yaml }), { only: ['submissions/wrong_answer'] });
    expect(judged.timeLimit.origin).toMatch(/^5 x the processor time of submissions\/accepted\//);
    expect(judged.programs.map(({ program }) => program)).toEqual(['submissions/wrong_answer/wrong.sh']);
  });

  test('is told of while it runs, and the first ones are finished first', async () => {
    const events: string[] = [];
    await judge(packageOf(files), {
      jobs: 1,
      runsAll: false,
      only: ['submissions/accepted'],
      onBegin: (programs, count) => void events.push(`begin ${programs.length} x ${count}`),
      onActivity: (activity) => void events.push(activity.replaceAll('submissions/accepted/', '')),
      onTest: (program, { verdict }) => void events.push(`${program.split('/').at(-1)} ${verdict}`),
    });
    expect(events).toEqual([
      'begin 2 x 4',
      'building right.sh',
      'building wrong.sh',
      ...['sample/1', 'secret/3', 'secret/4', 'secret/group/2'].flatMap((name) => [
        `running right.sh on data/${name}.in`,
        'right.sh AC',
      ]),
      'running wrong.sh on data/sample/1.in',
      'wrong.sh AC',
      'running wrong.sh on data/secret/3.in',
      'wrong.sh WA',
    ]);
  });

  test('that is finished is reported, although the judge is stopped', async () => {
    const controller = new AbortController();
    const reported: string[] = [];
    const judging = judge(packageOf(files), {
      jobs: 1,
      stop: controller.signal,
      onTest: (program) => program.includes('rejected') && controller.abort('SIGTERM'),
      onProgram: async ({ program }) => void reported.push(program),
    });
    await expect(judging).rejects.toMatchObject({ kind: 'interrupted' });
    // The submission whose run ended last was not finished.
    expect(reported).toEqual(
      ['accepted/right.sh', 'accepted/wrong.sh', 'other/wrong.sh'].map((name) => `submissions/${name}`),
    );
  });
});

describe('limits', () => {
  test('a submission that waits is too slow by the wall limit, whatever little processor time it uses', async () => {
    const files = { 'submissions/time_limit_exceeded/wait.sh': 'exec sleep 1000\n' };
    const yaml = { 'problem.yaml': 'limits: {time_limit: 0.1, time_safety_margin: 1}\n' };
    const judged = await judge(packageOf({ ...files, ...yaml }, SUM_DATA));
    expect(summaryOf(judged)).toEqual({ 'time_limit_exceeded/wait.sh': 'TLE TLE, fits' });
    const [{ message, countedSeconds, cpuSeconds }] = judged.programs[0].tests;
    expect(message).toMatch(/^ran for 1\.\d\d s, .* time limit 0\.1 s, wall limit 1\.2 s$/);
    expect(countedSeconds).toBeGreaterThanOrEqual(1.2);
    expect(cpuSeconds).toBeLessThan(countedSeconds);
  });

  test('a submission that computes is ended by its processor time, long before the wall limit', async () => {
    const files = {
      'submissions/time_limit_exceeded/busy.sh': 'while :; do :; done\n',
      'problem.yaml': 'limits: {time_limit: 1, time_safety_margin: 1}\n',
    };
    const judged = await judge(packageOf(files, SUM_DATA));
    expect(summaryOf(judged)).toEqual({ 'time_limit_exceeded/busy.sh': 'TLE TLE, fits' });
    const [{ message, cpuSeconds }] = judged.programs[0].tests;
    expect(message).toMatch(/^used \d+\.\d\d s of processor time; time limit 1 s$/);
    // At the wall limit of 3 s, of which waiting does not count, it would have used 3 s.
    expect(cpuSeconds).toBeLessThan(2);
  });

  test('the files of a submission may have as many bytes as `code` says', async () => {
    const files = {
      'problem.yaml': 'limits: {time_limit: 20, code: 1}\n',
      'submissions/accepted/long/main.sh': RIGHT,
      'submissions/accepted/long/text': 'x'.repeat(1024),
      'submissions/accepted/short.sh': RIGHT,
    };
    const judged = await judge(packageOf(files, SUM_DATA));
    expect(summaryOf(judged)).toEqual({
      'accepted/long': 'broken, misfit',
      'accepted/short.sh': 'AC AC, fits',
    });
    expect(judged.programs[0].reason).toMatch(/^its files have \d{4} bytes; the limit "code" is 1024$/);
  });

  test('standard error counts as output', async () => {
    const chatty = `i=0; while [ $i -lt 150000 ]; do echo "debug $i" >&2; i=$((i + 1)); done\n${RIGHT}`;
    const files = {
      'problem.yaml': 'limits: {time_limit: 20, output: 1}\n',
      'submissions/run_time_error/chatty.sh': chatty,
      'submissions/accepted/quiet.sh': `echo debug >&2\n${RIGHT}`,
    };
    const judged = await judge(packageOf(files, SUM_DATA));
    expect(summaryOf(judged)).toEqual({
      'accepted/quiet.sh': 'AC AC, fits',
      'run_time_error/chatty.sh': 'RTE RTE, fits',
    });
    expect(judged.programs[1].tests[0].message).toBe(
      'printed more than 1048576 bytes on standard output and standard error',
    );
  });
});

describe('what the package lacks is said', () => {
  const only = { 'submissions/accepted/a.sh': RIGHT };

  test('secret data', async () => {
    const samples = Object.fromEntries(Object.entries(SUM_DATA).filter(([name]) => !name.includes('secret')));
    const { warnings } = await judge(packageOf(only, samples));
    expect(warnings).toEqual([
      `${folder.at('package')} has no secret data (data/secret/*.in), so only the samples are judged`,
    ]);
    expect((await judge(packageOf(only))).warnings).toEqual([]);
  });

  test('scores are not judged', async () => {
    const yaml = { 'problem.yaml': 'type: scoring\nlimits: {time_limit: 20}\n' };
    expect((await judge(packageOf({ ...only, ...yaml }))).hasScores).toBe(true);
    expect((await judge(packageOf({ ...only, 'problem.yaml': SUM_DATA['problem.yaml'] }))).hasScores).toBe(
      false,
    );
  });

  test('the target of a link', async () => {
    const path = packageOf(only);
    symlinkSync('../lost.sh', `${path}/submissions/accepted/b.sh`);
    await expect(judge(path)).rejects.toMatchObject({
      kind: 'file',
      message: 'a link in the package leads nowhere: submissions/accepted/b.sh -> ../lost.sh',
    });
    writeFileSync(`${path}/submissions/lost.sh`, RIGHT);
    expect(summaryOf(await judge(path))).toEqual({
      'accepted/a.sh': 'AC AC AC AC, fits',
      'accepted/b.sh': 'AC AC AC AC, fits',
    });
  });
});
