/** Tests with more workers than the machine has processors: boardmill prints the same answers and no error. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bulkInput, STYLES, styleOf } from '../support/inputs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { boardmill, ROOT, shell } from './boardmill.js';

allowSlowTests();

const cwd = temporaryFolder();
const JOBS = 16;

describe.each(STYLES)('$name with -j 16', (style) => {
  const input = bulkInput(style, 400, 4, 6);

  test('16 workers write the same answers to a file as one worker, and only the summary to standard error', async () => {
    const one = await boardmill(['solve', style.name, '-j', '1'], { stdin: input });
    // A chunk of about 16 bytes has one or two cases, so every worker gets chunks.
    const command = `boardmill solve ${style.name} -j ${JOBS} --chunk 16 --stats - > answers-${style.name}`;
    const { code, stderr } = await shell(command, { cwd, stdin: input });
    expect(code).toBe(0);
    expect(JSON.parse(stderr)).toMatchObject({ cases: 400, jobs: JOBS, retries: 0 });
    expect(readFileSync(join(cwd, `answers-${style.name}`), 'utf8')).toBe(one.stdout);
  });
});

test('solve with many files, check and bench succeed with 16 workers', async () => {
  const sample = join(ROOT, 'data/darkraft/sample/random');
  const script = [
    `cp ${sample}.in a.in && cp ${sample}.in b.in`,
    `mkdir many && for i in $(seq 30); do cp a.in many/$i.in; done`,
    `boardmill solve darkraft a.in b.in many -j ${JOBS} -q > solved`,
    `boardmill check darkraft a.in b.ans -j ${JOBS} > checked`,
    `boardmill bench darkraft a.in -j ${JOBS} --runs 1 --warmup 0 -q > measured`,
  ];
  expect(await shell(script.join(' &&\n'), { cwd })).toEqual({ code: 0, stdout: '', stderr: '' });
  for (const name of ['a', 'b', 'many/1', 'many/30'])
    expect(readFileSync(join(cwd, `${name}.ans`))).toEqual(readFileSync(`${sample}.ans`));
});

test.each([
  {
    jobs: '1000',
    note: /^boardmill: --jobs 1000: this machine has \d+ processors?; boardmill starts only \d+ workers\n$/,
  },
  {
    jobs: '100000',
    note: /^boardmill: --jobs 100000: this machine has \d+ processors?; boardmill starts only \d+ workers\n$/,
  },
])(
  'with -j $jobs, boardmill starts fewer workers and prints a note, which -q suppresses',
  async ({ jobs, note }) => {
    const stdin = bulkInput(styleOf('bacterial-tactics'), 50, 3, 1);
    const { stdout } = await boardmill(['solve', 'bt', '-j', '1'], { stdin });
    const withNote = await boardmill(['solve', 'bt', '-j', jobs], { stdin });
    expect(withNote).toEqual({ code: 0, stdout, stderr: expect.stringMatching(note) });
    const quiet = await boardmill(['solve', 'bt', '-j', jobs, '-q', '--stats', '-'], { stdin });
    expect(JSON.parse(quiet.stderr).jobs).toBeLessThan(1000);
  },
);
