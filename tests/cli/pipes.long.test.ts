/** More ways in which a large input comes than those of pipes.test.ts, and how its run ends early. */
import { spawnSync } from 'node:child_process';
import { readFileSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { beforeEach, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { boardmill, shell, textOf } from './boardmill.js';
import { ANSWERS, CASE_LENGTH, CASES, PART, startWithFifo, WHOLE } from './pipe-runs.js';

allowSlowTests();

const folder = folderForEachTest();

beforeEach(() => {
  expect(spawnSync('mkfifo', [folder.at('fifo')]).status).toBe(0);
});

async function endInput(writer: WriteStream): Promise<void> {
  writer.end();
  await finished(writer);
}

test.each([
  ['standard input that is a file', 'boardmill solve darkraft - -j 4 --chunk 300K -o answers.out < whole.in'],
  ['a FIFO', 'cat whole.in > fifo & boardmill solve darkraft fifo -j 4 --chunk 300K -o answers.out'],
  [
    'standard input, in pieces of odd sizes',
    'dd if=whole.in bs=7777 status=none | boardmill solve darkraft - -j 4 --chunk 300K -o answers.out',
  ],
])('a large input through %s is answered completely and in order', async (_, script) => {
  folder.write('whole.in', WHOLE);
  const { code, stderr } = await shell(script, { cwd: folder.path });
  expect([code, stderr]).toEqual([0, '']);
  expect(folder.read('answers.out')).toBe(await ANSWERS);
});

test('an input that ends within a case is truncated, as a file is', async () => {
  const text = WHOLE.slice(0, PART.length + CASE_LENGTH - 5);
  folder.write('short.in', text);
  const { stdout, stderr } = await boardmill(['solve', 'darkraft', 'short.in'], { cwd: folder.path });
  const run = startWithFifo(folder, text);
  await endInput(run.writer);
  expect(await textOf(run.child.stdout)).toBe(stdout);
  expect(await run.ended).toBe(3);
  expect(await run.stderr).toBe(stderr.replace('short.in', 'fifo'));
});

test('after a signal a run ends at once, and another one continues it from the whole pipe', async () => {
  const { child, writer, ended, stderr } = startWithFifo(folder, PART, ['-o', 'answers.out']);
  await until(
    () => folder.names().includes('answers.out.partial') && folder.read('answers.out.partial') !== '',
  );
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(await stderr).toMatch(/stopped by SIGINT after [\d,]+ cases?/);
  // As long as this writer has the FIFO open, the next run would read its end when this writer closes it.
  writer.destroy();
  await until(() => writer.closed);
  const second = startWithFifo(folder, WHOLE, ['-o', 'answers.out', '--resume', '--stats', 'stats.json']);
  // If the run ends early, what it says is the reason, not that its input broke.
  await endInput(second.writer).catch(() => {});
  expect({ code: await second.ended, stderr: await second.stderr }).toEqual({ code: 0, stderr: '' });
  expect(folder.read('answers.out')).toBe(await ANSWERS);
  const { cases, resumedCases } = JSON.parse(readFileSync(folder.at('stats.json'), 'utf8'));
  expect(cases).toBe(CASES);
  expect(resumedCases).toBeGreaterThan(0);
});
