/** Tests of `Checker`, which runs the program of `--checker` once for each case. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DeadlinePassedError } from '../../../src/core/deadline.js';
import { type AnswerPair, limitComparisons } from '../../../src/engine/comparators.js';
import { copyHeadToSharedMemory } from '../../../src/engine/cut/task-head.js';
import { Checker } from '../../../src/engine/exec/checker.js';
import { defer } from '../../support/deferred.js';
import { bytesOf } from '../../support/inputs.js';
import { isGone } from '../../support/processes.js';
import { widthProblem } from '../../support/running.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const folder = temporaryFolder();

function pairOf(got = '7', caseNumber = 5) {
  const range = (text: string) => ({ bytes: bytesOf(text), from: 0, to: text.length });
  const head = copyHeadToSharedMemory(null);
  return { caseNumber, caseBytes: bytesOf('1 1\nL\n'), head, expected: range('1'), got: range(got) };
}

/** Opens a checker that is a script of sh: $1, $2 and $3 are the input, the output and the answer. */
async function open(script: string, timeoutSeconds = 60): Promise<Checker> {
  const argv = ['sh', '-c', script, 'checker'];
  const checker = await Checker.open({ problem: widthProblem, argv, timeoutSeconds });
  onTestFinished(() => checker.close());
  return checker;
}

const verdictOf = async (script: string, timeoutSeconds?: number) =>
  (await open(script, timeoutSeconds)).ask(pairOf());

describe('the verdict', () => {
  test.each([
    ['accepts', 'exit 0', null],
    ['refuses', 'exit 1', { equalBytes: 0, reason: null }],
    ['refuses with a reason', 'echo one >&2; echo "two " >&2; exit 2', { equalBytes: 0, reason: 'two' }],
    [
      'sees an input, the output and the answer',
      'echo $(cat "$1" "$2" "$3") >&2; exit 1',
      { equalBytes: 0, reason: '1 1 L 7 1' },
    ],
    ['is known although a child of the checker goes on', 'sleep 1000 & exit 0', null],
    ['is known although the checker prints much', 'yes | head -c 3000000; exit 0', null],
    [
      'has a reason although the checker prints much',
      'yes | head -c 3000000 >&2; echo last >&2; exit 1',
      { equalBytes: 0, reason: 'last' },
    ],
  ])('of a checker that %s', async (_what, script, verdict) => {
    expect(await verdictOf(script)).toEqual(verdict);
  });

  test.each([
    ['exits with 3', 'echo why >&2; exit 3', 'case 5: the checker exited with code 3: why'],
    ['is killed', 'kill -SEGV $$', 'case 5: the checker was killed by SIGSEGV'],
  ])('is missing if the checker %s', async (_what, script, message) => {
    await expect(verdictOf(script)).rejects.toMatchObject({ kind: 'worker', message });
  });

  test.each([
    ['hangs', 'sleep 1000'],
    ['waits for a process that hangs', 'sleep 1000; exit 0'],
    ['prints for ever', 'yes >&2'],
    ['ignores signals', 'trap "" TERM INT HUP; while :; do :; done'],
  ])('is missing if the checker %s', async (_what, script) => {
    const message = 'case 5: the checker has not ended within 0.2 s';
    await expect(verdictOf(script, 0.2)).rejects.toMatchObject({ kind: 'worker', message });
  });
});

test('when a checker is closed, the processes that are running end, and their files are removed', async () => {
  const pids = join(folder, 'pids');
  const checker = await open(`sleep 1000 & echo "$1 $$ $!" > ${pids}.new; mv ${pids}.new ${pids}; wait`);
  const asked = checker.ask(pairOf()).catch((error) => error);
  await until(() => existsSync(pids));
  const [input, ...running] = readFileSync(pids, 'utf8').trim().split(' ');
  checker.close();
  await until(() => running.every(isGone));
  expect(existsSync(input)).toBe(false);
  expect(await asked).toMatchObject({ message: expect.stringContaining('SIGKILL') });
  await expect(checker.ask(pairOf())).rejects.toThrow();
});

test('a checker that is given up keeps nobody waiting, not even by a process that has left its group', async () => {
  const pids = join(folder, 'pids-given-up');
  const leave = 'echo "$PPID $$" > "$0.new"; mv "$0.new" "$0"; exec sleep 1000';
  const checker = await open(`setsid sh -c '${leave}' ${pids} & wait`);
  const asked = checker.ask(pairOf()).catch((error) => error);
  await until(() => existsSync(pids));
  const [own, left] = readFileSync(pids, 'utf8').trim().split(' ');
  onTestFinished(() => void process.kill(Number(left), 'SIGKILL'));
  checker.giveUp();
  expect(await asked).toMatchObject({ message: expect.stringContaining('SIGKILL') });
  await until(() => isGone(own));
  await expect(checker.ask(pairOf())).rejects.toThrow();
});

test('a comparison that waits for others starts only if there is time left', async () => {
  let allowed = 2;
  const compared: number[] = [];
  const beforeComparison = () => {
    if (allowed-- === 0) throw new DeadlinePassedError();
  };
  const compare = async ({ caseNumber }: AnswerPair) => {
    compared.push(caseNumber);
    return null;
  };
  const match = limitComparisons(compare, 1, { beforeComparison });
  const outcomes = await Promise.allSettled([1, 2, 3].map((k) => match(pairOf('7', k))));
  expect(compared).toEqual([1, 2]);
  expect(outcomes[2]).toMatchObject({ status: 'rejected', reason: expect.any(DeadlinePassedError) });
});

test('after a signal, the comparisons that are running end, and no other starts', async () => {
  const stop = new AbortController();
  const gates = [defer(), defer()];
  const started: number[] = [];
  const match = limitComparisons(
    async ({ caseNumber }) => {
      started.push(caseNumber);
      await gates[caseNumber].promise;
      return null;
    },
    2,
    { stop: stop.signal },
  );
  const outcomes = [0, 1, 2, 3].map((k) => match(pairOf('7', k)).catch((error) => error));
  await until(() => started.length === 2);
  stop.abort('SIGTERM');
  for (const gate of gates) gate.resolve();
  expect(await Promise.all(outcomes)).toMatchObject([
    null,
    null,
    { signal: 'SIGTERM', kind: 'interrupted' },
    { signal: 'SIGTERM', kind: 'interrupted' },
  ]);
  expect(started).toEqual([0, 1]);
});
