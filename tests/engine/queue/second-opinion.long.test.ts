/**
 * What a run believes if worker processes fail, on a real redis-server: worker processes in this process, whose solvers the
 * test gives.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createChunkResult } from '../../../src/engine/chunk-result.js';
import { ChunkFailure, type Dispatcher } from '../../../src/engine/dispatcher.js';
import type { CaseFault, ChunkResult, ChunkTask } from '../../../src/engine/messages.js';
import { createChunkFrame, idOfChunk } from '../../../src/engine/queue/chunk-frame.js';
import { RunExchange } from '../../../src/engine/queue/exchange.js';
import { packQueueFrame } from '../../../src/engine/queue/frame.js';
import { announceRun } from '../../../src/engine/queue/presence.js';
import { QueueDispatcher, type QueueOptions } from '../../../src/engine/queue/queue-dispatcher.js';
import { parseRedisUrl, RedisLink } from '../../../src/engine/queue/redis.js';
import { idOfRequirements, type RunRequirements } from '../../../src/engine/queue/requirements.js';
import { RunQueue } from '../../../src/engine/queue/run-queue.js';
import { Recovery } from '../../../src/engine/recover.js';
import { defer, settled } from '../../support/deferred.js';
import { dispatcherOf } from '../../support/dispatchers.js';
import { hasRedis, RedisServer } from '../../support/redis.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until, untilAsync } from '../../support/until.js';
import { FakeWorkers, needsOf, resultOf } from './fake-workers.js';

const root = temporaryFolder();
const CASES = 4;
const CASE_BYTES = 10;
const SPAN = { lines: 0, bytesAfterLastLineEnd: 0 };
const NEEDS = needsOf('darkraft');

/** The chunk that begins with case `firstCase`, and has CASES cases. */
function chunkOf(firstCase: number, onError: 'stop' | 'mark'): ChunkTask {
  return {
    bytes: new Uint8Array(CASES * CASE_BYTES),
    starts: Uint32Array.from({ length: CASES + 1 }, (_, i) => i * CASE_BYTES),
    firstCase,
    head: { number: 1, bytes: null },
    settings: { outputFormat: 'text', columns: [], onError },
    origin: null,
    isSolvedOneByOne: false,
  };
}

const casesOf = ({ firstCase, starts }: ChunkTask) =>
  Array.from({ length: starts.length - 1 }, (_, index) => firstCase + index);

/** Ways in which a solver fails on some cases: it dies, or its result says so. */
const dies = async (): Promise<never> => {
  throw new ChunkFailure('crash', 'it died', null);
};
const throwsOn =
  (isInvalid: (number: number) => boolean): Dispatcher['solve'] =>
  async (task) => {
    const isStopped = task.settings.onError === 'stop';
    const bad = casesOf(task).flatMap((number, index) => (isInvalid(number) ? [index] : []));
    const reached = isStopped ? bad.slice(0, 1) : bad;
    const answeredCases = isStopped && bad.length > 0 ? bad[0] : casesOf(task).length - bad.length;
    const faults = reached.map(
      (index, before): CaseFault => ({
        cause: { kind: 'crash', reason: 'it threw' },
        index,
        span: SPAN,
        outputOffset: index - before,
        bytes: new Uint8Array(CASE_BYTES),
      }),
    );
    return createChunkResult({ faults, answeredCases, output: new Uint8Array(answeredCases), span: SPAN });
  };
const solves: Dispatcher['solve'] = async (task) => resultOf(task);

describe.skipIf(!hasRedis)('a failure on a worker process', () => {
  let redis: RedisServer;
  let workerProcesses: FakeWorkers;
  let queue: QueueDispatcher;
  let notes: string[];
  let count = 0;
  beforeEach(async () => {
    redis = await RedisServer.start(`${root}/${++count}`);
    workerProcesses = new FakeWorkers(redis.url);
    notes = [];
  });
  afterEach(async () => {
    await queue.close();
    await workerProcesses.close();
    await redis.kill();
  });

  const open = async (options: Partial<QueueOptions> = {}) => {
    const address = parseRedisUrl(redis.url)!;
    const note = (text: string) => void notes.push(text);
    queue = await QueueDispatcher.open({ address, requirements: NEEDS, maxWorkers: null, note, ...options });
    return new Recovery(queue, { retries: 1, onRetry: () => {} });
  };

  /** Starts worker processes with these solvers, and waits until all of them are there. Returns what each has been given. */
  const startWorkers = async (...solvers: Dispatcher['solve'][]) => {
    const given = solvers.map((): ChunkTask[] => []);
    const started = await Promise.all(
      solvers.map((solve, i) =>
        workerProcesses.start(() => ({
          solve: (task) => {
            given[i].push(task);
            return solve(task);
          },
        })),
      ),
    );
    await untilAsync(async () => (await redis.keys('boardmill:workers:')).length === solvers.length);
    return { given, names: started.map(({ name }) => name) };
  };

  test.each([
    ['stop', 'dies', dies],
    ['mark', 'dies', dies],
    ['stop', 'throws', throwsOn(() => true)],
    ['mark', 'throws', throwsOn(() => true)],
    ['mark', 'throws on some cases', throwsOn((number) => number % 2 === 0)],
    ['mark', 'cannot start', () => Promise.reject(new ChunkFailure('no-start', 'no memory', null))],
  ] as const)('is not believed if another one solves the cases (%s, it %s)', async (onError, _, fails) => {
    const hasFailed = defer();
    const bad: Dispatcher['solve'] = (task) => {
      hasFailed.resolve();
      return fails(task);
    };
    // The good worker process lets the bad one have chunks.
    const good: Dispatcher['solve'] = (task) => hasFailed.promise.then(() => resultOf(task));
    const { given, names } = await startWorkers(bad, good);
    const recovery = await open();
    const solve = (numbers: number[]) =>
      Promise.all(numbers.map(async (i) => (await recovery.solve(chunkOf(1 + i * CASES, onError))).result!));
    const all: ChunkResult[] = await solve([0, 1, 2, 3, 4, 5]);
    const before = given[0].length;
    all.push(...(await solve([6, 7, 8, 9])));
    for (const result of all) expect(result).toMatchObject({ answeredCases: CASES, faults: [] });
    expect(given[0]).toHaveLength(before);
    expect(notes).toHaveLength(1);
    expect(notes[0].replace(/cases? \d+( to \d+)?/, 'CASES')).toBe(
      `worker process ${names[0]} failed on CASES, which ${names[1]} solved; it gets no more chunks of this run`,
    );
  });

  test.each([
    ['dies', (task: ChunkTask) => (casesOf(task).includes(3) ? dies() : solves(task))],
    ['throws', throwsOn((number) => number === 3)],
  ] as const)('is believed if another one fails, too (it %s)', async (_, solve) => {
    const { given } = await startWorkers(solve, solve);
    const recovery = await open();
    const { result } = await recovery.solve(chunkOf(1, 'mark'));
    expect(result).toMatchObject({ answeredCases: CASES - 1, faults: [{ index: 2 }] });
    for (const tasks of given) expect(tasks.some((task) => casesOf(task).includes(3))).toBe(true);
    expect(notes).toEqual([]);
  });

  test('is believed at once if there is no other one', async () => {
    const { given } = await startWorkers(dies);
    await open();
    await expect(queue.solve(chunkOf(1, 'mark'))).rejects.toMatchObject({ reason: 'it died' });
    expect(given[0]).toHaveLength(1);
    expect(notes).toEqual([]);
  });

  test('is noticed at once, also if it comes before Redis has confirmed the job', async () => {
    await startWorkers(dies);
    const address = parseRedisUrl(redis.url)!;
    const link = await RedisLink.open({ address, patienceMs: 60_000, note: () => {} });
    // The last command that adds a job ends after the event of its failure.
    const emit = vi.spyOn(link.libraries.bullmq.QueueEvents.prototype, 'emit');
    vi.spyOn(link.client, 'expire').mockImplementation(async () => {
      await until(() => emit.mock.calls.some(([event]) => event === 'failed'));
      await settled(() => emit.mock.calls.length);
      return 1;
    });
    await announceRun(link, NEEDS);
    const id = idOfRequirements(NEEDS);
    const runs = new RunQueue(link, id);
    await runs.open();
    const frame = createChunkFrame({ ...chunkOf(1, 'stop'), runId: randomUUID() }, false);
    const chunk = idOfChunk(id, frame);
    await new RunExchange(link).put(chunk, await packQueueFrame(frame));
    expect(await runs.solve(chunk, 1)).toMatchObject({ kind: 'failed' });
    await runs.close();
    link.close();
    queue = await QueueDispatcher.open({ address, requirements: NEEDS, maxWorkers: null, note: () => {} });
    vi.restoreAllMocks();
  });

  test('needs no opinion of a worker process that has ended while it looked at the run', async () => {
    const [end, begun, judged] = [defer(), defer(), defer()];
    const busy: RunRequirements = { ...NEEDS, timeoutSeconds: 1 };
    const ending = await workerProcesses.startWith(async ({ timeoutSeconds }) => {
      if (timeoutSeconds === 1)
        return { open: async () => dispatcherOf((task) => end.promise.then(() => resultOf(task))) };
      begun.resolve();
      await judged.promise;
      return { refusal: 'it has ended' };
    });
    await open({ requirements: busy });
    const ofBusy = queue;
    const solved = ofBusy.solve(chunkOf(1, 'mark'));
    await until(() => ending.health.inFlight === 1);
    await open();
    await begun.promise;
    const closing = ending.close();
    await untilAsync(async () => (await redis.keys('boardmill:workers')).length === 0);
    judged.resolve();
    await settled(() => 0);
    end.resolve();
    await solved;
    expect(await redis.keys('boardmill:workers')).toEqual([]);
    await Promise.all([closing, ofBusy.close()]);
  });

  test('is believed if the other one refuses the run before it has tried', async () => {
    const { given } = await startWorkers(dies);
    const ghost = (verdicts: object) =>
      redis.client.set(
        'boardmill:workers:ghost',
        JSON.stringify({ id: 'ghost', name: 'g', jobs: 1, verdicts }),
      );
    await redis.client.sadd('boardmill:workers', 'ghost');
    await ghost({ [idOfRequirements(NEEDS)]: null });
    await open();
    const solved = queue.solve(chunkOf(1, 'mark')).catch((error: ChunkFailure) => error.reason);
    await until(() => given[0].length === 1);
    await untilAsync(async () => {
      const [first] = await redis.keys('boardmill:chunk:');
      return first !== undefined && (await redis.client.getrange(first, 0, -1)).includes('"notOn":["');
    });
    await ghost({ [idOfRequirements(NEEDS)]: 'it does not want to' });
    expect(await solved).toBe('it died');
    expect(given[0]).toHaveLength(1);
  });

  test('a chunk that a worker process has for long is named, each time after twice the time', async () => {
    const end = defer();
    const { names } = await startWorkers((task) => end.promise.then(() => resultOf(task)));
    const begin = performance.now();
    const recovery = await open({ longChunkNoteMs: 1 });
    const solved = recovery.solve(chunkOf(101, 'stop'));
    await until(() => notes.length >= 2);
    const seen = [...notes];
    expect(seen.length).toBeLessThanOrEqual(1 + Math.log2(performance.now() - begin));
    end.resolve();
    await solved;
    for (const note of seen)
      expect(note.replace(/\d+ s;/, 'N s;')).toBe(
        `cases 101 to 104 have been with worker process ${names[0]} for N s; --timeout SECONDS bounds the time of a case`,
      );
  });
});
