/** The classes of a queue in this process, with little patience, on a real redis-server; and what needs no Redis at all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChunkTask } from '../../../src/engine/messages.js';
import { ByteBudget } from '../../../src/engine/queue/byte-budget.js';
import { QueueDispatcher, type QueueOptions } from '../../../src/engine/queue/queue-dispatcher.js';
import { parseRedisUrl, RedisLink } from '../../../src/engine/queue/redis.js';
import { idOfRequirements } from '../../../src/engine/queue/requirements.js';
import { SolvingSlots } from '../../../src/engine/queue/slots.js';
import { WorkerProcess } from '../../../src/engine/queue/worker-process.js';
import { defer, settled } from '../../support/deferred.js';
import { dispatcherOf } from '../../support/dispatchers.js';
import { hasRedis, RedisServer } from '../../support/redis.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until, untilAsync } from '../../support/until.js';
import { CuttingProxy } from './cutting-proxy.js';
import { FakeWorkers, needsOf, resultOf } from './fake-workers.js';
import { Cluster } from './processes.js';

const root = temporaryFolder();

const NEEDS = needsOf('darkraft');

/** A chunk of random bytes, which deflating does not make shorter. */
function chunkOf(firstCase: number, length: number): ChunkTask {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return {
    bytes,
    starts: Uint32Array.of(0, length),
    firstCase,
    head: { number: 1, bytes: null },
    settings: { outputFormat: 'text', columns: [], onError: 'stop' },
    origin: null,
    isSolvedOneByOne: false,
  };
}

describe.skipIf(!hasRedis)('a queue in this process', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start(`${root}/redis`);
  });
  afterAll(() => redis.kill());

  const open = (options: Partial<QueueOptions> = {}) =>
    QueueDispatcher.open({
      address: parseRedisUrl(redis.url)!,
      requirements: NEEDS,
      maxWorkers: null,
      note: () => {},
      redisPatienceMs: 300,
      ...options,
    });

  const bytesOfChunks = async () => {
    const keys = await redis.keys('boardmill:chunk:');
    const lengths = await Promise.all(keys.map((key) => redis.client.strlen(key)));
    return lengths.reduce((sum, length) => sum + length, 0);
  };

  test('the chunks of a run without worker processes take no more bytes in Redis than allowed', async () => {
    const queue = await open({ maxBytesInRedis: 100_000 });
    const chunks = Array.from({ length: 30 }, (_, i) => queue.solve(chunkOf(i + 1, 9000)));
    for (const chunk of chunks) chunk.catch(() => {});
    await untilAsync(async () => (await redis.keys('boardmill:chunk:')).length === 10);
    expect(await settled(() => 0)).toBe(0);
    expect(await bytesOfChunks()).toBeLessThanOrEqual(100_000);
    await queue.close();
    expect(await redis.keys('boardmill:chunk:')).toEqual([]);
    await expect(Promise.all(chunks)).rejects.toThrow('the run has ended');
  });

  test('a chunk that alone exceeds the bound is in Redis alone', async () => {
    const queue = await open({ maxBytesInRedis: 1000 });
    const chunks = [chunkOf(1, 5000), chunkOf(2, 6000)].map((task) => queue.solve(task));
    for (const chunk of chunks) chunk.catch(() => {});
    // Which of the two is packed first is open.
    await untilAsync(async () => (await redis.keys('boardmill:chunk:')).length > 0);
    expect(await settled(() => 0)).toBe(0);
    expect(await redis.keys('boardmill:chunk:')).toHaveLength(1);
    await queue.close();
    await Promise.allSettled(chunks);
  });

  test('a connection that is cut while a chunk is being sent only costs time', async () => {
    const proxy = await CuttingProxy.start(redis.url, { pieceBytes: 20_000, cuts: 3, isAnswered: true });
    const queue = await open({ address: parseRedisUrl(proxy.url)!, redisPatienceMs: 60_000 });
    const outcome = queue.solve(chunkOf(1, 1_000_000)).catch((error: Error) => error.message);
    const isSent = untilAsync(async () => (await bytesOfChunks()) > 1_000_000).then(() => 'sent');
    expect(await Promise.race([outcome, isSent])).toBe('sent');
    expect(proxy.cuts).toBe(3);
    await queue.close();
    expect(await outcome).toContain('the run has ended');
    await proxy.close();
  });

  test.each([
    ['has been answered in part', true],
    ['has got no answer', false],
  ])('a connection that is cut each time a chunk %s ends the run', async (_, isAnswered) => {
    const rules = { pieceBytes: 20_000, cuts: Number.POSITIVE_INFINITY, isAnswered };
    const proxy = await CuttingProxy.start(redis.url, rules);
    // Long enough to connect again on a busy machine; else the absence of Redis would end the run first.
    const queue = await open({ address: parseRedisUrl(proxy.url)!, redisPatienceMs: 4000 });
    await expect(queue.solve(chunkOf(1, 1_000_000))).rejects.toMatchObject({
      kind: 'worker',
      message: expect.stringContaining('takes no more bytes'),
    });
    await queue.close();
    await proxy.close();
  });

  test('a Redis server that throws keys away is refused by name', async ({ onTestFinished }) => {
    onTestFinished(async () => void (await redis.client.config('SET', 'maxmemory-policy', 'noeviction')));
    const patient = { redisPatienceMs: 60_000 };
    await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const reason = /maxmemory-policy is allkeys-lru; set it to noeviction/;
    await expect(open(patient)).rejects.toThrow(reason);
    await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
    const queue = await open(patient);
    const chunk = queue.solve(chunkOf(1, 100));
    await redis.client.config('SET', 'maxmemory-policy', 'volatile-ttl');
    // The run connects again, and finds another setting.
    await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await expect(chunk).rejects.toThrow('maxmemory-policy is volatile-ttl');
    await queue.close();
  });

  test.each(['99', '16'])('database %s, which Redis does not have, is refused', async (db) => {
    const address = parseRedisUrl(redis.url)!;
    const missing = { ...address, options: { ...address.options, db: Number(db) } };
    const reason = { kind: 'worker', message: expect.stringContaining(`has no database ${db}: `) };
    await expect(open({ address: missing, redisPatienceMs: 60_000 })).rejects.toMatchObject(reason);
    const never = new AbortController().signal;
    const hostOptions = { address: missing, jobs: 1, admit: async () => ({ refusal: 'no' }), log: () => {} };
    await expect(WorkerProcess.open(hostOptions, never)).rejects.toMatchObject(reason);
    const last = { ...address, options: { ...address.options, db: 15 } };
    await (await open({ address: last })).close();
  });

  test('a run waits for its first worker process only as long as it may', async () => {
    const queue = await open({ waitWorkersMs: 10, redisPatienceMs: 60_000 });
    await expect(queue.solve(chunkOf(1, 100))).rejects.toMatchObject({
      kind: 'worker',
      message: expect.stringContaining('no worker process has accepted this run within 0.01 s'),
    });
    await queue.close();
  });

  test('a worker process that was killed does not count as the first worker process of a run', async () => {
    // It had accepted an earlier run with the same requirements, and its status is in Redis until it expires.
    const dead = { id: 'dead', name: 'd', jobs: 1, verdicts: { [idOfRequirements(NEEDS)]: null } };
    await redis.client.set('boardmill:workers:dead', JSON.stringify(dead));
    await redis.client.sadd('boardmill:workers', 'dead');
    const queue = await open({ waitWorkersMs: 10, redisPatienceMs: 60_000 });
    const solved = queue.solve(chunkOf(1, 100)).catch((error: Error) => error.message);
    await until(() => queue.mostWorkers === 1);
    await redis.client.del('boardmill:workers:dead');
    expect(await solved).toContain('no worker process has accepted this run within 0.01 s');
    await queue.close();
  });

  test('two worker processes with the same name and the same process number count as two', async () => {
    const workerProcesses = new FakeWorkers(redis.url);
    await workerProcesses.start(() => ({ solve: async (task) => resultOf(task) }));
    await workerProcesses.start(() => ({ solve: async (task) => resultOf(task) }));
    const queue = await open();
    await queue.solve(chunkOf(1, 100));
    await until(() => queue.mostWorkers === 2);
    await queue.close();
    await workerProcesses.close();
  });

  test('a worker process with one slot solves one chunk at a time, for all runs together', async () => {
    const running = { now: 0, most: 0 };
    const workerProcesses = new FakeWorkers(redis.url);
    const requirements = [1, 2, 3].map((timeoutSeconds) => ({ ...NEEDS, timeoutSeconds }));
    const areAllTaken = async () => {
      const lists = (await redis.keys('boardmill:run-')).filter((key) => key.endsWith(':active'));
      return lists.length === requirements.length;
    };
    let wasTaken = false;
    const solve = async (task: ChunkTask) => {
      running.most = Math.max(running.most, ++running.now);
      if (!wasTaken) await untilAsync(areAllTaken);
      wasTaken = true;
      await settled(() => running.now);
      running.now--;
      return resultOf(task);
    };
    const queues = await Promise.all(requirements.map((each) => open({ requirements: each })));
    const chunks = queues.flatMap((queue) => [1, 2, 3, 4].map((i) => queue.solve(chunkOf(i, 100))));
    await workerProcesses.start(() => ({ solve }));
    await Promise.all(chunks);
    expect(running.most).toBe(1);
    await Promise.all(queues.map((queue) => queue.close()));
    await workerProcesses.close();
  });

  test('a chunk for which a worker process has no slot goes to another worker process', async () => {
    const workerProcesses = new FakeWorkers(redis.url);
    const hanging = { ...NEEDS, timeoutSeconds: 1 };
    const ofHanging = await open({ requirements: hanging });
    const never = defer();
    const busy = await workerProcesses.start(({ timeoutSeconds }) => ({
      solve: async (task) => {
        if (timeoutSeconds === 1) await never.promise;
        return resultOf(task);
      },
    }));
    const stuck = ofHanging.solve(chunkOf(1, 100));
    await until(() => busy.health.inFlight === 1);
    const queue = await open();
    const chunk = queue.solve(chunkOf(1, 100));
    await until(() => busy.health.inFlight === 2);
    await workerProcesses.start(({ timeoutSeconds }) =>
      timeoutSeconds === 1 ? null : { solve: async (task) => resultOf(task) },
    );
    expect(await chunk).toMatchObject({ answeredCases: 1 });
    never.resolve();
    await stuck;
    await Promise.all([queue.close(), ofHanging.close()]);
    await workerProcesses.close();
  });

  test('a worker process that ends before its chunk is solved leaves no connection that keeps its process', async () => {
    const never = defer();
    const stop = new AbortController();
    const workerProcess = await WorkerProcess.open(
      {
        address: parseRedisUrl(redis.url)!,
        jobs: 1,
        admit: async () => ({
          open: async () => dispatcherOf((task) => never.promise.then(() => resultOf(task))),
        }),
        log: () => {},
        version: '9.9.9',
        drainMs: 1,
      },
      stop.signal,
    );
    const serving = workerProcess.serve(stop.signal);
    const queue = await open();
    const chunk = queue.solve(chunkOf(1, 100)).catch(() => {});
    await until(() => workerProcess.health.inFlight === 1);
    stop.abort('SIGTERM');
    await serving;
    expect(await workerProcess.close()).toBe(1);
    await queue.close();
    never.resolve();
    await chunk;
    await settled(() => workerProcess.health.inFlight);
    await untilAsync(
      async () => ((await redis.client.client('LIST')) as string).trim().split('\n').length === 1,
    );
  });

  test('a Redis server that stays full ends the run', async () => {
    await redis.client.config('SET', 'maxmemory', '1');
    const full = await open({ redisPatienceMs: 100 }).then(
      (queue) =>
        queue
          .solve(chunkOf(1, 5000))
          .catch((error) => error)
          .finally(() => queue.close()),
      (error) => error,
    );
    await redis.client.config('SET', 'maxmemory', '0');
    expect(full).toMatchObject({ kind: 'worker' });
    expect(full.message).toContain("OOM command not allowed when used memory > 'maxmemory'");
  });

  test('a Redis server that becomes full during a run ends the run and the worker process', async () => {
    const never = new AbortController().signal;
    const address = parseRedisUrl(redis.url)!;
    const hostOptions = { address, jobs: 1, admit: async () => ({ refusal: 'no' }), log: () => {} };
    const workerProcess = await WorkerProcess.open(
      { ...hostOptions, version: '9.9.9', patienceMs: 100 },
      never,
    );
    const serving = workerProcess.serve(never).catch((error) => error);
    const queue = await open({ redisPatienceMs: 100 });
    const solving = queue.solve(chunkOf(1, 50)).catch((error) => error);
    await redis.client.config('SET', 'maxmemory', '1');
    const errors = await Promise.all([solving, serving]);
    await Promise.all([queue.close(), workerProcess.close()]);
    await redis.client.config('SET', 'maxmemory', '0');
    for (const error of errors) expect(error.message).toContain('takes no more bytes: OOM');
  });

  test('a signal while Redis is away ends the run at once', async () => {
    const stop = new AbortController();
    const opening = open({
      address: parseRedisUrl(`unix://${root}/nothing.sock`)!,
      redisPatienceMs: 600_000,
      stop: stop.signal,
    });
    stop.abort('SIGTERM');
    await expect(opening).rejects.toMatchObject({ kind: 'interrupted', signal: 'SIGTERM' });
  });
});

describe.skipIf(!hasRedis)('a Redis server that is killed for good', () => {
  test('ends the run and the worker process, with a clear error', async () => {
    const redis = await RedisServer.start(`${root}/killed`);
    const address = parseRedisUrl(redis.url)!;
    const notes: string[] = [];
    const options = {
      address,
      requirements: NEEDS,
      maxWorkers: null,
      redisPatienceMs: 400,
      note: (text: string) => notes.push(text),
    };
    const queue = await QueueDispatcher.open(options);
    const never = new AbortController().signal;
    const hostOptions = { address, jobs: 1, admit: async () => ({ refusal: 'no' }), log: () => {} };
    const workerProcess = await WorkerProcess.open({ ...hostOptions, patienceMs: 400 }, never);
    const serving = workerProcess.serve(never);
    const chunks = [1, 2, 3].map((number) => queue.solve(chunkOf(number, 100)));
    const outcomes = Promise.allSettled([...chunks, serving]);
    await untilAsync(async () => (await redis.keys('boardmill:chunk:')).length === 3);
    const late = redis.kill().then(() => queue.solve(chunkOf(4, 100)).catch((error) => error));
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'worker' } });
      expect(`${(outcome as PromiseRejectedResult).reason.message}`).toContain(
        'could not be reached for 0.4 s',
      );
    }
    expect(await late).toMatchObject({ kind: 'worker' });
    expect(notes).toHaveLength(1);
    await queue.close();
    await workerProcess.close();
  });
});

describe.skipIf(!hasRedis)('a worker process of another version', () => {
  test('refuses the run, which says so', async (context) => {
    const cluster = await Cluster.start(`${root}/version`, context);
    const workerProcess = cluster.hostWith([]);
    const queue = await QueueDispatcher.open({
      address: parseRedisUrl(cluster.redis.url)!,
      requirements: NEEDS,
      maxWorkers: null,
      note: () => {},
    });
    const reason = /the worker process has boardmill \d+\.\d+\.\d+, and the run needs boardmill 9\.9\.9/;
    await expect(queue.solve(chunkOf(1, 100))).rejects.toThrow(reason);
    expect((await workerProcess.logged('refused')).message).toMatch(reason);
    await queue.close();
  });
});

describe('the slots of a worker process', () => {
  test('are taken in the order of arrival, and nobody waits for longer than it wants', async () => {
    const slots = new SolvingSlots(1);
    expect(await slots.take(0)).toBe(true);
    expect(await slots.take(0)).toBe(false);
    const order: string[] = [];
    const first = slots.take(60_000).then(() => order.push('first'));
    const second = slots.take(60_000).then(() => order.push('second'));
    slots.giveBack();
    await first;
    slots.giveBack();
    await second;
    expect(order).toEqual(['first', 'second']);
    slots.giveBack();
    expect(await slots.take(0)).toBe(true);
  });
});

describe('a budget of bytes', () => {
  test('lets work begin in the order of arrival, and large work alone', async () => {
    const budget = new ByteBudget(100);
    const begun: number[] = [];
    const works = [60, 50, 10, 300, 20].map((bytes) => ({ bytes, end: defer() }));
    const all = works.map(({ bytes, end }) =>
      budget.use(bytes, () => {
        begun.push(bytes);
        return end.promise;
      }),
    );
    const begunNow = async () => {
      await settled(() => begun.length);
      return [...begun];
    };
    expect(await begunNow()).toEqual([60]);
    works[0].end.resolve();
    expect(await begunNow()).toEqual([60, 50, 10]);
    works[2].end.resolve();
    works[1].end.reject(new Error('fails'));
    await expect(all[1]).rejects.toThrow('fails');
    expect(await begunNow()).toEqual([60, 50, 10, 300]);
    works[3].end.resolve();
    expect(await begunNow()).toEqual([60, 50, 10, 300, 20]);
    works[4].end.resolve();
    await Promise.all([0, 2, 3, 4].map((i) => all[i]));
  });
});

describe('the URL of a Redis server', () => {
  test.each([
    ['redis://queue.local', 'queue.local:6379', { host: 'queue.local', port: 6379, db: 0 }],
    ['redis://[::1]:7000/3', '::1:7000', { host: '::1', port: 7000, db: 3 }],
    [
      'rediss://me:p%40ss@h',
      'h:6379',
      { host: 'h', port: 6379, db: 0, username: 'me', password: 'p@ss', tls: {} },
    ],
    ['unix:///run/r.sock', '/run/r.sock', { path: '/run/r.sock' }],
    ['unix://:word@/run/r.sock', '/run/r.sock', { path: '/run/r.sock', password: 'word' }],
  ])('%s', (url, label, options) => {
    expect(parseRedisUrl(url)).toEqual({ label, options });
  });

  test.each([
    '',
    'queue.local',
    'http://h',
    'redis://',
    'redis://h/x',
    'redis://h:99999',
    'redis://:%zz@h',
    'unix://',
  ])('"%s" is none', (url) => {
    expect(parseRedisUrl(url)).toBeNull();
  });
});

test('a connection that never comes about is given up after the patience', async () => {
  const address = parseRedisUrl(`unix://${root}/nothing.sock`)!;
  const opening = RedisLink.open({ address, patienceMs: 200, note: () => {} });
  await expect(opening).rejects.toThrow(/could not be reached for 0.2 s: connect ENOENT/);
});
