/** Which of two failures counts. tests/engine/queue/second-opinion.long.test.ts has the rest, with a real Redis server. */
import { expect, test } from 'vitest';
import { ChunkFailure } from '../../../src/engine/dispatcher.js';
import type { ChunkResult, ChunkTask } from '../../../src/engine/messages.js';
import { SecondOpinion } from '../../../src/engine/queue/second-opinion.js';
import type { WorkerWatch } from '../../../src/engine/queue/worker-watch.js';
import { resultOf } from './fake-workers.js';

const NAMES = ['a', 'b'];
const TASK = { firstCase: 1, starts: Uint32Array.of(0, 9) } as unknown as ChunkTask;

/** Solves a chunk of which the worker processes a and b, in this order, say why it failed. */
async function failureAfter(kinds: readonly ChunkFailure['kind'][]) {
  const asked: (readonly string[])[] = [];
  const workerProcesses = {
    excluded: new Set<string>(),
    hasOther: () => asked.length < NAMES.length,
    lookNow: async () => {},
  } as unknown as WorkerWatch;
  const opinion = new SecondOpinion(
    workerProcesses,
    async (_, notOn) => {
      const index = asked.push(notOn) - 1;
      const outcome = new ChunkFailure(kinds[index], `said ${NAMES[index]}`, null);
      return { by: { id: NAMES[index], name: NAMES[index] }, outcome };
    },
    () => expect.unreachable(),
  );
  const reason = await opinion.solve(TASK).catch(({ message }: Error) => message);
  return { reason, asked };
}

test.each<[ChunkFailure['kind'][], string]>([
  [['crash', 'crash'], 'said b'],
  [['crash', 'timeout'], 'said b'],
  [['crash', 'no-start'], 'said a'],
  [['no-start', 'crash'], 'said b'],
])('of the failures %j, the one counts that says more about the cases: %s', async (kinds, expected) => {
  const { reason, asked } = await failureAfter(kinds);
  expect(reason).toBe(expected);
  // The second is asked of another worker process than the first.
  expect(asked).toEqual([[], ['a']]);
});

test.each([
  [true, ['a'], 'b'],
  [false, [], 'a'],
])(
  'a chunk that a must not solve goes to another worker process, if there is one: %s',
  async (hasOther, notOn, by) => {
    const asked: (readonly string[])[] = [];
    const workerProcesses = {
      excluded: new Set<string>(),
      hasOther: () => hasOther,
    } as unknown as WorkerWatch;
    const opinion = new SecondOpinion(
      workerProcesses,
      async (_, excluded) => {
        asked.push(excluded);
        return { by: { id: excluded.includes('a') ? 'b' : 'a', name: 'any' }, outcome: resultOf(TASK) };
      },
      () => expect.unreachable(),
    );
    const { solvedBy } = await opinion.solve({ ...TASK, notBy: 'a' });
    expect({ solvedBy, asked }).toEqual({ solvedBy: by, asked: [notOn] });
  },
);

/** Solves a chunk of three cases: a fails on its suspects, the first two, and b fails on the cases with these indices. */
async function opinionOf(kind: ChunkFailure['kind'], failedByB: readonly number[]) {
  const task = { firstCase: 1, starts: Uint32Array.of(0, 9, 18, 27), settings: {} } as unknown as ChunkTask;
  const excluded: string[] = [];
  const workerProcesses = {
    excluded: { has: (id: string) => excluded.includes(id), [Symbol.iterator]: () => excluded.values() },
    hasOther: (id: string) => excluded.length === 0 && id === 'a',
    lookNow: async () => {},
    exclude: (id: string) => void excluded.push(id),
  } as unknown as WorkerWatch;
  const faults = failedByB.map((index) => ({ index, cause: { kind: 'crash', reason: 'b failed' } }));
  const outcomes = [
    { by: { id: 'a', name: 'a' }, outcome: new ChunkFailure(kind, 'a failed', { from: 1, to: 2 }) },
    { by: { id: 'b', name: 'b' }, outcome: { ...resultOf(task), faults } as unknown as ChunkResult },
  ];
  const opinion = new SecondOpinion(
    workerProcesses,
    async () => outcomes.shift()!,
    () => {},
  );
  await opinion.solve(task);
  return excluded;
}

test('a worker process is excluded if another one has solved all suspects of its failure, and not if it has solved only some', async () => {
  expect(await opinionOf('crash', [])).toEqual(['a']);
  expect(await opinionOf('crash', [1])).toEqual([]);
});

test('one solved case is enough against a worker process that could not start', async () => {
  expect(await opinionOf('no-start', [1])).toEqual(['a']);
  expect(await opinionOf('no-start', [0, 1])).toEqual([]);
});
