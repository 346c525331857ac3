/**
 * Several chunks that share a job of a queue, on a real redis-server, with worker processes in this process whose solvers the
 * test gives: what a chunk costs Redis, and what becomes of its chunks if something fails.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ChunkFailure, type Dispatcher } from '../../../src/engine/dispatcher.js';
import type { ChunkResult, ChunkTask, RunName } from '../../../src/engine/messages.js';
import { QueueDispatcher, type QueueOptions } from '../../../src/engine/queue/queue-dispatcher.js';
import { parseRedisUrl } from '../../../src/engine/queue/redis.js';
import { countCommands } from '../../support/count-commands.js';
import { defer } from '../../support/deferred.js';
import { hasRedis, RedisServer } from '../../support/redis.js';
import { allowSlowTests } from '../../support/slow-tests.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until, untilAsync } from '../../support/until.js';
import { CuttingProxy } from './cutting-proxy.js';
import { FakeWorkers, needsOf, resultOf } from './fake-workers.js';

allowSlowTests();

/** Largest number of commands of Redis that a quickly solved chunk may cost, with those of BullMQ and those inside scripts. */
const MAX_COMMANDS_PER_CHUNK = 5;
const MAX_ROUND_TRIPS_PER_CHUNK = 3;

const root = temporaryFolder();
const NEEDS = needsOf('darkraft');

/** A chunk of one case. */
function chunkOf(number: number, run?: RunName): ChunkTask {
  return {
    bytes: Uint8Array.of(number, number >> 8),
    starts: Uint32Array.of(0, 2),
    firstCase: number,
    head: { number: 1, bytes: null },
    settings: { outputFormat: 'text', columns: [], onError: 'mark' },
    origin: null,
    isSolvedOneByOne: false,
    ...(run === undefined ? {} : { run }),
  };
}

/** Returns chunks of one case each, which follow one another. */
const chunksFrom = (number: number, count: number, run?: RunName) =>
  Array.from({ length: count }, (_, index) => chunkOf(number + index, run));

/** The answer to a chunk, from which one sees which chunk it was. */
function answerTo(task: ChunkTask, ms = 0): ChunkResult {
  const times = { parse: 0, solve: ms, print: 0 };
  return { ...resultOf(task), output: Uint8Array.from(task.bytes), times };
}

const numberOf = ({ output }: ChunkResult) => output[0] + 256 * output[1];

describe.skipIf(!hasRedis)('chunks that share a job', () => {
  let redis: RedisServer;
  let workerProcesses: FakeWorkers;
  let queue: QueueDispatcher;
  let count = 0;
  beforeEach(async () => {
    redis = await RedisServer.start(`${root}/${++count}`);
    workerProcesses = new FakeWorkers(redis.url);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await queue.close();
    await workerProcesses.close();
    await redis.kill();
  });

  const open = (options: Partial<QueueOptions> = {}) =>
    QueueDispatcher.open({
      address: parseRedisUrl(redis.url)!,
      requirements: NEEDS,
      maxWorkers: null,
      isChunkSizeFixed: true,
      note: () => {},
      ...options,
    });

  /** Starts a worker process, and returns the numbers of the chunks that it has been given. */
  const startWorker = async (solve: Dispatcher['solve'], jobs = 1) => {
    const given: number[] = [];
    const workerProcess = await workerProcesses.start(
      () => ({
        solve: (task) => {
          given.push(task.firstCase);
          return solve(task);
        },
      }),
      jobs,
    );
    return { given, workerProcess };
  };

  /** Returns the number of chunks in each job that is in Redis. */
  const chunksOfJobs = async () => {
    const keys = await redis.keys('boardmill:chunk:');
    const frames = await Promise.all(keys.map((key) => redis.client.get(key)));
    return frames.map((frame) => frame?.split('boardmill/chunk/1').length ?? 0).map((parts) => parts - 1);
  };

  const solveAll = async (tasks: readonly ChunkTask[]) =>
    (await Promise.all(tasks.map((task) => queue.solve(task)))).map(numberOf);

  test('cost Redis five commands each at most, with those of BullMQ and those inside scripts', async () => {
    await startWorker(async (task) => answerTo(task));
    queue = await open();
    await queue.solve(chunkOf(1));
    const CHUNKS = 640;
    const { executed, sent } = await countCommands(redis.client, async () => {
      expect(await solveAll(chunksFrom(2, CHUNKS))).toEqual(
        chunksFrom(2, CHUNKS).map(({ firstCase }) => firstCase),
      );
    });
    expect(executed / CHUNKS).toBeLessThanOrEqual(MAX_COMMANDS_PER_CHUNK);
    expect(sent / CHUNKS).toBeLessThanOrEqual(MAX_ROUND_TRIPS_PER_CHUNK);
    expect(await redis.keys('boardmill:chunk:')).toEqual([]);
    expect(await redis.keys('boardmill:answer:')).toEqual([]);
  });

  test('leave an idle worker process nothing to wait for, if they take long enough', async () => {
    const MS = 100;
    const isOpen = defer();
    const solve = async (task: ChunkTask) => {
      if (task.firstCase > 1) await isOpen.promise;
      return answerTo(task, MS);
    };
    const workers = [await startWorker(solve), await startWorker(solve)];
    queue = await open();
    await queue.solve(chunkOf(1));
    await until(() => queue.mostWorkers === 2);
    const solved = solveAll(chunksFrom(2, 4));
    await until(() => workers.every(({ given }) => given.some((number) => number > 1)));
    isOpen.resolve();
    expect(await solved).toEqual([2, 3, 4, 5]);
  });

  test('fail alone: the failure of one counts at once, and those after it are sent again', async () => {
    const { given } = await startWorker(async (task) => {
      if (task.firstCase === 4) throw new ChunkFailure('crash', 'it died', null);
      return answerTo(task);
    });
    queue = await open();
    await queue.solve(chunkOf(1));
    const outcomes = await Promise.allSettled(chunksFrom(2, 5).map((task) => queue.solve(task)));
    const shown = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? numberOf(outcome.value) : outcome.reason.reason,
    );
    expect(shown).toEqual([2, 3, 'it died', 5, 6]);
    // The chunk that failed was tried once, as the promise about cases that time out demands.
    expect(given.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(given.slice(4).sort()).toEqual([5, 6]);
  });

  test('are sent again alone if the worker process with their job is lost', async () => {
    const isHeld = defer();
    const first = await startWorker(async (task) => {
      if (task.firstCase > 1) await isHeld.promise;
      return answerTo(task);
    });
    queue = await open();
    await queue.solve(chunkOf(1));
    const solved = solveAll(chunksFrom(2, 3));
    await until(() => first.given.length > 1);
    expect(await chunksOfJobs()).toEqual([3]);
    expect(await first.workerProcess.close()).toBe(1);
    // Otherwise the lock on the job would expire some seconds later.
    await redis.client.del((await redis.keys('boardmill:run-')).filter((key) => key.endsWith(':lock')));
    const isOpen = defer();
    const second = await startWorker(async (task) => {
      await isOpen.promise;
      return answerTo(task);
    });
    await until(() => second.given.length > 0);
    expect(await chunksOfJobs()).toEqual([1, 1, 1]);
    isOpen.resolve();
    expect(await solved).toEqual([2, 3, 4]);
    isHeld.resolve();
  });

  test('are given to other workers if they take much longer than expected', async () => {
    const now = performance.now.bind(performance);
    let passedMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    const { given } = await startWorker(async (task) => {
      if (task.firstCase > 2) passedMs += 600;
      return answerTo(task);
    });
    queue = await open();
    await queue.solve(chunkOf(1));
    expect(await solveAll(chunksFrom(2, 6))).toEqual([2, 3, 4, 5, 6, 7]);
    // The job ends after chunk 4, and the other chunks come alone.
    expect(given.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(given.slice(4).sort()).toEqual([5, 6, 7]);
  });

  test('are found by a run that continues, however that run puts them into jobs', async () => {
    const proxy = await CuttingProxy.start(redis.url, { pieceBytes: 1e9, cuts: 0, isAnswered: true });
    const isOpen = defer();
    const { given } = await startWorker(async (task) => {
      if (task.firstCase > 1) await isOpen.promise;
      return answerTo(task);
    });
    const id = randomUUID();
    const run = { id, isContinuation: false };
    const killed = await open({ address: parseRedisUrl(proxy.url)!, redisPatienceMs: 600_000 });
    await killed.solve(chunkOf(1, run));
    for (const task of chunksFrom(2, 4, run)) killed.solve(task).catch(() => {});
    await until(() => given.length > 1);
    // For Redis and for the worker process, the run has been killed.
    await proxy.close();
    isOpen.resolve();
    await untilAsync(async () => (await redis.keys('boardmill:answer:')).length === 4);
    queue = await open();
    const continued = { id, isContinuation: true };
    expect(await solveAll(chunksFrom(4, 3, continued))).toEqual([4, 5, 6]);
    expect(given).toEqual([1, 2, 3, 4, 5, 6]);
    await killed.close();
  });

  test('are all given up when the run is told to', async () => {
    const isHeld = defer();
    const { given } = await startWorker(async (task) => {
      if (task.firstCase > 1) await isHeld.promise;
      return answerTo(task);
    });
    queue = await open();
    await queue.solve(chunkOf(1));
    const solved = Promise.allSettled(chunksFrom(2, 500).map((task) => queue.solve(task)));
    await until(() => given.length > 1);
    queue.giveUp();
    for (const outcome of await solved)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'given-up' } });
    isHeld.resolve();
    expect(await queue.solve(chunkOf(1000)).then(numberOf)).toBe(1000);
  });
});
