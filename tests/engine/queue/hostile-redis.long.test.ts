/** What somebody who can write to Redis can make a worker process and a run do. The keys are forged with a client of Redis. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AllowedInputFolders } from '../../../src/engine/queue/allowed-inputs.js';
import { ByteBudget } from '../../../src/engine/queue/byte-budget.js';
import { withQueueFrame } from '../../../src/engine/queue/exchange.js';
import { packQueueFrame } from '../../../src/engine/queue/frame.js';
import {
  MAX_EXCLUDED_WORKER_PROCESSES,
  MAX_FRAME_BYTES,
  MAX_REQUIREMENTS_BYTES,
  MAX_WORKER_PROCESS_STATUS_BYTES,
} from '../../../src/engine/queue/limits.js';
import {
  listRequirementIds,
  listWorkers,
  MAX_RUNS_READ,
  readRequirementsText,
} from '../../../src/engine/queue/presence.js';
import { parseRedisUrl, RedisLink } from '../../../src/engine/queue/redis.js';
import {
  idOfRequirements,
  printRequirements,
  type RunRequirements,
  readRequirements,
} from '../../../src/engine/queue/requirements.js';
import type { WorkerEvent } from '../../../src/engine/queue/worker-log.js';
import {
  MAX_KNOWN_RUNS,
  MAX_REFUSAL_CHARS,
  MAX_RUNS_OF_WORKER_PROCESS,
  WorkerProcess,
} from '../../../src/engine/queue/worker-process.js';
import { WorkerWatch } from '../../../src/engine/queue/worker-watch.js';
import { dispatcherOf } from '../../support/dispatchers.js';
import { hasRedis, RedisServer } from '../../support/redis.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { untilAsync } from '../../support/until.js';
import { needsOf, VERSION } from './fake-workers.js';

const root = temporaryFolder();

const idleDispatcher = dispatcherOf(() => Promise.reject(new Error('solves nothing')));

describe.skipIf(!hasRedis)('a Redis server in which a stranger writes', () => {
  let redis: RedisServer;
  let link: RedisLink;
  beforeAll(async () => {
    redis = await RedisServer.start(`${root}/redis`);
    link = await RedisLink.open({ address: parseRedisUrl(redis.url)!, patienceMs: 5000, note: () => {} });
  });
  afterAll(async () => {
    link.close();
    await redis.kill();
  });

  test('a run is found among keys of other types, texts that are too long, and names that are not ids', async () => {
    const { client } = redis;
    const requirements = needsOf('a');
    const id = idOfRequirements(requirements);
    await client.set(`boardmill:needs:${id}`, printRequirements(requirements));
    await client.set('boardmill:needs:0000000000000001', 'x'.repeat(MAX_REQUIREMENTS_BYTES + 1));
    await client.lpush('boardmill:needs:0000000000000002', 'list');
    const strange = ['x'.repeat(1_000_000), '../../etc', '', 'needs:with:colons', '0000000000000003'];
    await client.sadd('boardmill:needs', id, '0000000000000001', '0000000000000002', ...strange);
    expect((await listRequirementIds(link)).sort()).toEqual(['0000000000000001', id].sort());
    expect(await readRequirementsText(link, id)).toBe(printRequirements(requirements));
    expect(await readRequirementsText(link, '0000000000000001')).toBeNull();
    expect(await readRequirementsText(link, '0000000000000002')).toBeNull();
    expect(readRequirements(id, printRequirements(requirements), VERSION)).toEqual({ requirements });
    expect(readRequirements('0000000000000001', printRequirements(requirements), VERSION)).toHaveProperty(
      'unreadable',
    );
    await client.flushall();
  });

  test('only so many runs are listed', async () => {
    const { client } = redis;
    for (let i = 0; i < 2 * MAX_RUNS_READ; i++) {
      const id = i.toString(16).padStart(16, '0');
      await client.sadd('boardmill:needs', id);
      await client.set(`boardmill:needs:${id}`, '{}');
    }
    expect(await listRequirementIds(link)).toHaveLength(MAX_RUNS_READ);
    await client.flushall();
  });

  /** Says something in the name of a worker process: its status, or any text. */
  async function say(name: string, status: unknown): Promise<void> {
    const { client } = redis;
    await client.sadd('boardmill:workers', name);
    const text = typeof status === 'string' ? status : JSON.stringify(status);
    await client.set(`boardmill:workers:${name}`, text);
  }

  test('a worker process is found among worker processes with another name, too many workers, and too much to say', async () => {
    const { client } = redis;
    const good = { id: 'good', name: 'good', jobs: 2, verdicts: {} };
    await say('good', good);
    await say('another', good);
    await say('many', { id: 'many', name: 'many', jobs: 1e9, verdicts: {} });
    await say('long', 'x'.repeat(MAX_WORKER_PROCESS_STATUS_BYTES + 1));
    await client.sadd('boardmill:workers', 'list');
    await client.lpush('boardmill:workers:list', 'x');
    expect(await listWorkers(link)).toEqual([good]);
    await client.flushall();
  });

  test('worker processes are found among statuses that are too long together', async () => {
    const { client } = redis;
    const good = Array.from({ length: 20 }, (_, i) => ({
      id: `g${i}`,
      name: `g${i}`,
      jobs: 1,
      verdicts: {},
    }));
    for (let i = 0; i < 40; i++) await say(`long${i}`, 'x'.repeat(MAX_WORKER_PROCESS_STATUS_BYTES + 1));
    for (const status of good) await say(status.id, status);
    const found = await listWorkers(link);
    expect(found.map(({ id }) => id).sort()).toEqual(good.map(({ id }) => id).sort());
    await client.flushall();
  });

  test('a run that has not waited yet has not been served', async () => {
    const watch = new WorkerWatch(link, 'needs', () => {}, -1);
    expect(await watch.look(false, false)).toBeNull();
    expect(await watch.look(true, false)).toMatchObject({
      message: expect.stringContaining('no worker process has accepted this run within'),
    });
  });

  test('a frame that states too much, or another length than it has, is not unpacked', async () => {
    const { client } = redis;
    const packed = await packQueueFrame(Buffer.alloc(1_000_000));
    const budget = new ByteBudget(10);
    const lengthOf = (key: string) =>
      withQueueFrame(link, key, budget, async (frame) => frame?.length ?? null);
    await client.set('boardmill:good', packed);
    expect(await lengthOf('boardmill:good')).toBe(1_000_000);
    for (const stated of [0, 10, 2_000_000, 2 ** 32 - 1]) {
      packed.writeUInt32LE(stated, 1);
      await client.set('boardmill:bad', packed);
      expect(await lengthOf('boardmill:bad')).toBeNull();
    }
    await client.lpush('boardmill:list', 'x');
    for (const key of ['boardmill:list', 'boardmill:missing']) expect(await lengthOf(key)).toBeNull();
    await client.flushall();
  });

  test('a frame that is too long, or that another one replaces or hides while it is read, is not unpacked', async () => {
    const { client } = redis;
    const read = vi.spyOn(link.client, 'getrangeBuffer');
    const budget = new ByteBudget(1);
    const isThere = () => withQueueFrame(link, 'boardmill:bad', budget, async (frame) => frame !== null);
    const packed = await packQueueFrame(Buffer.alloc(1_000_000));
    await client.set('boardmill:bad', packed);
    // The size of the frame is read with its first bytes.
    read.mockResolvedValueOnce(packed).mockResolvedValueOnce(await packQueueFrame(Buffer.alloc(10)));
    expect(await isThere()).toBe(false);
    // Redis itself never replies with nil here.
    read.mockResolvedValueOnce(null as never);
    expect(await isThere()).toBe(false);
    expect(await isThere()).toBe(true);
    read.mockClear();
    // So many bytes as a frame must not have, Redis itself accepts only with other settings.
    const length = vi.spyOn(link.client, 'strlen').mockResolvedValueOnce(MAX_FRAME_BYTES + 1);
    expect(await isThere()).toBe(false);
    expect(read).toHaveBeenCalledTimes(1);
    for (const spy of [read, length]) spy.mockRestore();
    await client.flushall();
  });

  test('of a frame whose size is not known yet, only its first bytes are read', async () => {
    const read = vi.spyOn(link.client, 'getrangeBuffer');
    const sizes = async (length: number, content: (size: number) => Buffer) => {
      await redis.client.set('boardmill:frame', await packQueueFrame(content(length)));
      read.mockClear();
      const frame = await withQueueFrame(
        link,
        'boardmill:frame',
        new ByteBudget(1e9),
        async (found) => found,
      );
      expect(frame?.equals(content(length))).toBe(true);
      return Promise.all(read.mock.results.map(async ({ value }) => (await value).length));
    };
    const zeros = (length: number) => Buffer.alloc(length);
    const noise = crypto.getRandomValues(Buffer.alloc(60_000));
    expect(await sizes(100, zeros)).toHaveLength(1);
    // A few bytes that inflate to many are inflated only when the budget has room for these many.
    expect(await sizes(1_000_000, zeros)).toHaveLength(2);
    const [first, whole] = await sizes(noise.length, () => noise);
    expect(first).toBeLessThan(whole);
    read.mockRestore();
  });

  test('frames are unpacked one after another if they are large together', async () => {
    await redis.client.set('boardmill:large', await packQueueFrame(Buffer.alloc(1_000_000)));
    const budget = new ByteBudget(3_000_000);
    let atOnce = 0;
    let most = 0;
    const works = Array.from({ length: 6 }, () =>
      withQueueFrame(link, 'boardmill:large', budget, async () => {
        most = Math.max(most, ++atOnce);
        await redis.client.ping();
        atOnce--;
      }),
    );
    await Promise.all(works);
    expect(most).toBe(1);
    await redis.client.flushall();
  });

  async function forgeRuns(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const requirements = needsOf(`forged-${i}`);
      await redis.client.sadd('boardmill:needs', idOfRequirements(requirements));
      await redis.client.set(
        `boardmill:needs:${idOfRequirements(requirements)}`,
        printRequirements(requirements),
      );
    }
  }

  test('a worker process remembers only so many refusals, and says only so much about each', async () => {
    await forgeRuns(MAX_KNOWN_RUNS + 10);
    const admit = async () => ({ refusal: 'x'.repeat(10 * MAX_REFUSAL_CHARS) });
    const options = { address: parseRedisUrl(redis.url)!, jobs: 1, inputs: AllowedInputFolders.none, admit };
    const workerProcess = await WorkerProcess.open(
      { ...options, version: VERSION, log: () => {} },
      new AbortController().signal,
    );
    const stop = new AbortController();
    const serving = workerProcess.serve(stop.signal);
    const refusals = async () => (await listWorkers(link)).flatMap(({ verdicts }) => Object.values(verdicts));
    await untilAsync(async () => (await refusals()).length > 0);
    expect(await refusals()).toEqual(Array(MAX_KNOWN_RUNS).fill('x'.repeat(MAX_REFUSAL_CHARS)));
    stop.abort();
    await serving;
    await workerProcess.close();
    await redis.client.flushall();
  });

  test('a worker process forgets refused runs that are over, and goes on', async () => {
    await forgeRuns(3);
    const options = { address: parseRedisUrl(redis.url)!, jobs: 1, inputs: AllowedInputFolders.none };
    const workerProcess = await WorkerProcess.open(
      { ...options, admit: async () => ({ refusal: 'no' }), version: VERSION, log: () => {} },
      new AbortController().signal,
    );
    const stop = new AbortController();
    const serving = workerProcess.serve(stop.signal);
    let failure: unknown = null;
    serving.catch((error) => {
      failure = error;
    });
    const refusedRuns = async () => {
      if (failure !== null) throw failure;
      return (await listWorkers(link)).flatMap(({ verdicts }) => Object.keys(verdicts)).length;
    };
    await untilAsync(async () => (await refusedRuns()) === 3);
    await redis.client.del('boardmill:needs');
    // The clock of this process jumps, so that the runs were not seen for long.
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000);
    await untilAsync(async () => (await refusedRuns()) === 0).finally(() => clock.mockRestore());
    stop.abort();
    await serving;
    await workerProcess.close();
    await redis.client.flushall();
  });

  test('a worker process solves for a bounded number of runs at the same time', async () => {
    await forgeRuns(3 * MAX_RUNS_OF_WORKER_PROCESS);
    const events: WorkerEvent[] = [];
    let opened = 0;
    const workerProcess = await WorkerProcess.open(
      {
        address: parseRedisUrl(redis.url)!,
        version: VERSION,
        jobs: 1,
        inputs: AllowedInputFolders.none,
        admit: async () => ({
          open: async () => {
            opened++;
            return idleDispatcher;
          },
        }),
        log: (event) => events.push(event),
      },
      new AbortController().signal,
    );
    const stop = new AbortController();
    const serving = workerProcess.serve(stop.signal);
    await untilAsync(async () =>
      (await listWorkers(link)).some(({ verdicts }) => Object.keys(verdicts).length > 0),
    );
    expect(opened).toBe(MAX_RUNS_OF_WORKER_PROCESS);
    expect(workerProcess.health.runs).toBe(MAX_RUNS_OF_WORKER_PROCESS);
    stop.abort();
    await serving;
    await workerProcess.close();
    expect(opened).toBe(MAX_RUNS_OF_WORKER_PROCESS);
    await redis.client.flushall();
  });
});

test('a run excludes only so many worker processes', () => {
  const watch = new WorkerWatch(null as never, 'needs', () => {}, null);
  for (let i = 0; i < MAX_EXCLUDED_WORKER_PROCESSES; i++) watch.exclude(`host-${i}`, 'it lies');
  expect(() => watch.exclude('another', 'it lies')).toThrow('cannot solve this run: it lies');
});

describe('what a run needs', () => {
  const grammar = (answers: string): RunRequirements => ({
    ...needsOf('g'),
    problem: {
      kind: 'grammar',
      name: 'g',
      digest: 'd',
      multitest: true,
      casesLoop: null,
      answers: { text: answers },
    },
  });
  const program = { words: [], compared: [], casesPerRun: 1, memoryBytes: null, isSandboxed: false };

  test.each<[string, RunRequirements]>([
    ['the path of a grammar as --answers', grammar('/etc/secret.ctd')],
    ['an endless time limit', { ...needsOf('a'), timeoutSeconds: 1e300 }],
    ['no time at all', { ...needsOf('a'), timeoutSeconds: 1e-9 }],
    ['an endless memory limit', { ...needsOf('a'), program: { ...program, memoryBytes: 1e300 } }],
    ['too long a text', needsOf('x'.repeat(MAX_REQUIREMENTS_BYTES))],
    ['half a case', { ...needsOf('a'), program: { ...program, casesPerRun: 0.5 } }],
  ])('is not read with %s', (_, requirements) => {
    expect(
      readRequirements(idOfRequirements(requirements), printRequirements(requirements), VERSION),
    ).toHaveProperty('unreadable');
  });

  test('is read as it was written', () => {
    for (const requirements of [grammar('lines:n'), needsOf('a'), { ...needsOf('a'), program }])
      expect(
        readRequirements(idOfRequirements(requirements), printRequirements(requirements), VERSION),
      ).toEqual({ requirements });
  });
});
