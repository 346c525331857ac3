/** More workers than any machine of ours has processors: the same bytes, and nothing on standard error. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bulkInput, STYLES, styleOf } from '../support/inputs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { boardmill, ROOT, shell, temporaryFolder } from './boardmill.js';

allowSlowTests();

const cwd = temporaryFolder();
const JOBS = 16;

describe.each(STYLES)('$name with -j 16', (style) => {
  const input = bulkInput(style, 400, 4, 6);

  test('standard output on a file: the bytes of one worker, and only the summary on standard error', async () => {
    const one = await boardmill(['solve', style.name, '-j', '1'], { stdin: input });
    // Chunks of a case or two, so that every worker gets some.
    const command = `boardmill solve ${style.name} -j ${JOBS} --chunk 16 --stats - > answers-${style.name}`;
    const { code, stderr } = await shell(command, { cwd, stdin: input });
    expect(code).toBe(0);
    expect(JSON.parse(stderr)).toMatchObject({ cases: 400, jobs: JOBS, retries: 0 });
    expect(readFileSync(join(cwd, `answers-${style.name}`), 'utf8')).toBe(one.stdout);
  });
});

test('a folder, check and bench', async () => {
  const sample = join(ROOT, 'data/darkraft/sample/random');
  const script = [
    `cp ${sample}.in a.in && cp ${sample}.in b.in`,
    `boardmill solve darkraft a.in b.in -j ${JOBS} -q > solved`,
    `boardmill check darkraft a.in b.ans -j ${JOBS} > checked`,
    `boardmill bench darkraft a.in -j ${JOBS} --runs 1 --warmup 0 -q > measured`,
  ];
  expect(await shell(script.join(' &&\n'), { cwd })).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(readFileSync(join(cwd, 'a.ans'))).toEqual(readFileSync(`${sample}.ans`));
});

test.each([
  {
    jobs: '1000',
    says: /^boardmill: --jobs 1000: this machine has \d+ processors?; boardmill starts only \d+ workers\n$/,
  },
  {
    jobs: '100000',
    says: /^boardmill: --jobs 100000: this machine has \d+ processors?; boardmill starts only \d+ workers\n$/,
  },
])('-j $jobs is bounded, and says so; -q does not', async ({ jobs, says }) => {
  const stdin = bulkInput(styleOf('bacterial-tactics'), 50, 3, 1);
  const { stdout } = await boardmill(['solve', 'bt', '-j', '1'], { stdin });
  const loud = await boardmill(['solve', 'bt', '-j', jobs], { stdin });
  expect(loud).toEqual({ code: 0, stdout, stderr: expect.stringMatching(says) });
  const quiet = await boardmill(['solve', 'bt', '-j', jobs, '-q', '--stats', '-'], { stdin });
  expect(JSON.parse(quiet.stderr).jobs).toBeLessThan(1000);
});
