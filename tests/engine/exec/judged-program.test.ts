/** How a program that `judge` tests is run and measured. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { JudgedExternalProgram } from '../../../src/engine/exec/judged-program.js';
import { ProgramRunner } from '../../../src/engine/exec/program.js';
import { defineProblem, formats } from '../../../src/index.js';
import { createModuleProblem } from '../../../src/problems/modules/module-problem.js';
import type { Problem } from '../../../src/problems/problem.js';
import { bytesOf } from '../../support/inputs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();

const { description } = defineProblem({
  name: 'squares',
  input: formats.counted({ a: formats.int() }),
  answer: { square: formats.int() },
}) as never as { description: Parameters<typeof createModuleProblem>[0] };
const squares = createModuleProblem(description, {
  typed: './squares.mjs',
  url: 'file:///squares.mjs',
}) as Problem;

/** Prepares to run a shell script, one run at a time. */
function openProgram(script: string, casesPerRun: number): Promise<JudgedExternalProgram> {
  return JudgedExternalProgram.open({
    problem: squares,
    name: 'mine',
    argv: ['sh', '-c', script],
    casesPerRun,
    timeoutSeconds: 20,
    memoryBytes: null,
    sandbox: null,
    limitRuns: pLimit(1),
    stop: new AbortController().signal,
  });
}

/** Returns cases with these numbers. */
function casesOf(numbers: readonly number[]) {
  const lines = numbers.map((number) => `${number}\n`);
  const starts = Uint32Array.from([0, ...lines.map((_, i) => lines.slice(0, i + 1).join('').length)]);
  const head = { number: 1, bytes: null };
  return { bytes: bytesOf(lines.join('')), starts, count: numbers.length, firstCase: 1, head };
}

/** Runs an awk program on the numbers. Returns the verdict of each case, and the numbers that each run got. */
async function judge(awk: string, numbers: readonly number[], casesPerRun: number) {
  const log = join(folder, `runs-${Math.random()}`);
  const program = await openProgram(`tee -a ${log} | awk '${awk}'`, casesPerRun);
  try {
    const outcomes = await program.run(casesOf(numbers), 1);
    const runs = readFileSync(log, 'utf8').trim().split('\n').map(Number);
    return { verdicts: outcomes.map(({ failure }) => failure?.verdict ?? 'answered'), runs, outcomes };
  } finally {
    program.close();
  }
}

const SQUARE = 'NR > 1 { print $1 * $1; fflush() }';

test('cases that all have an answer cost one run for each group', async () => {
  const { verdicts, runs } = await judge(SQUARE, [1, 2, 3], 2);
  expect(verdicts).toEqual(['answered', 'answered', 'answered']);
  expect(runs).toEqual([2, 1, 2, 1, 3]);
});

test('the cases of a run that fails are cut in halves, down to the case that did it', async () => {
  const { verdicts, runs } = await judge(`$1 == 7 && NR > 1 { exit 9 } ${SQUARE}`, [1, 2, 3, 7], 4);
  expect(verdicts).toEqual(['answered', 'answered', 'answered', 'RTE']);
  // Four cases, then the halves of two, then the second half one by one.
  const counts: number[] = [];
  for (let at = 0; at < runs.length; at += runs[at] + 1) counts.push(runs[at]);
  expect(counts.toSorted()).toEqual([1, 1, 2, 2, 4]);
});

test('an answer too few and an answer too many are wrong answers', async () => {
  expect((await judge('NR > 2 { print $1 * $1 }', [1], 1)).verdicts).toEqual(['WA']);
  expect((await judge(`${SQUARE} END { print 5 }`, [1], 1)).verdicts).toEqual(['WA']);
});

test('after the program is closed, no further run of it begins', async () => {
  const log = join(folder, 'closed');
  const program = await openProgram(`cat >>${log}`, 1);
  const judging = program.run(casesOf([1, 2]), 1);
  program.close();
  await expect(judging).rejects.toThrow('closed');
  expect(existsSync(log) ? readFileSync(log, 'utf8') : '').not.toContain('2');
});

test('a measured program reports its time, its processor time and the peak of its address space', async () => {
  const limit = 200 * 2 ** 20;
  const program = new ProgramRunner(['awk', 'BEGIN { s = "x"; while (1) s = s s }'], {
    memoryBytes: limit,
    isMeasured: true,
  });
  const { failure, usage } = await program.run(bytesOf(''), { timeoutMs: 60_000, outputBytes: 100 });
  program.close();
  expect(failure?.kind).toBe('crash');
  expect(usage!.peakBytes).toBeGreaterThan(0);
  expect(usage!.peakBytes).toBeLessThanOrEqual(limit);
  expect(usage!.seconds).toBeGreaterThan(0);
  expect(usage!.cpuSeconds).toBeGreaterThanOrEqual(0);
});
