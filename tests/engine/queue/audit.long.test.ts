/** A worker process that alters one answer in a hundred is found by an audit, on a real redis-server. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadProblem } from '../../../src/catalog/registry.js';
import { WrongAnswerError } from '../../../src/core/errors.js';
import { Audit } from '../../../src/engine/audit/audit.js';
import { AuditedSink } from '../../../src/engine/audit/audited-sink.js';
import type { ChunkResult } from '../../../src/engine/messages.js';
import { QueueDispatcher } from '../../../src/engine/queue/queue-dispatcher.js';
import { parseRedisUrl } from '../../../src/engine/queue/redis.js';
import { solveInput } from '../../../src/engine/run.js';
import { RunTally } from '../../../src/engine/tally.js';
import { dispatcherOf } from '../../support/dispatchers.js';
import { InProcess } from '../../support/in-process.js';
import { bulkInput, styleOf } from '../../support/inputs.js';
import { Random } from '../../support/random.js';
import { SEED } from '../../support/random-tests.js';
import { hasRedis, RedisServer } from '../../support/redis.js';
import { MemorySink, runOptions, sourceOf } from '../../support/running.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { untilAsync } from '../../support/until.js';
import { FakeWorkers, needsOf } from './fake-workers.js';

const root = temporaryFolder();
const PROBLEM = 'bacterial-tactics';
const NEEDS = needsOf(PROBLEM);
/**
 * Whatever share of the cases the worker process gets that alters answers, it solves at least 2,000 cases or twins, and alters 20 of
 * their answers. All 20 would have to be answers to cases that are not in the sample.
 */
const CASES = 4000;
const SHARE = 0.5;
const ALTERED_ONE_IN = 100;

describe.skipIf(!hasRedis)('over a queue', () => {
  let redis: RedisServer;
  let workerProcesses: FakeWorkers;
  let queue: QueueDispatcher;
  let count = 0;
  beforeEach(async () => {
    redis = await RedisServer.start(`${root}/${++count}`);
    workerProcesses = new FakeWorkers(redis.url);
  });
  afterEach(async () => {
    await queue.close();
    await workerProcesses.close();
    await redis.kill();
  });

  /** Starts two worker processes, of which the second one alters answers. */
  async function start(alter: (result: ChunkResult) => ChunkResult): Promise<void> {
    const problem = await loadProblem(PROBLEM);
    for (const change of [(result: ChunkResult) => result, alter]) {
      const solver = new InProcess(problem);
      await workerProcesses.start(() => ({ solve: async (task) => change(await solver.solve(task)) }));
    }
    await untilAsync(async () => (await redis.keys('boardmill:workers:')).length === 2);
    queue = await QueueDispatcher.open({
      address: parseRedisUrl(redis.url)!,
      requirements: NEEDS,
      maxWorkers: null,
      note: () => {},
    });
  }

  /** Solves an input with an audit. Returns also who has solved twins, and who was not to solve them. */
  async function solve() {
    const problem = await loadProblem(PROBLEM);
    const random = new Random(SEED);
    const audit = new Audit({
      problem,
      share: SHARE,
      random: () => random.below(2 ** 30) / 2 ** 30,
      save: async () => 'saved',
    });
    const solvers: { readonly notBy: string; readonly solvedBy: string | undefined }[] = [];
    const dispatcher = dispatcherOf(async (task) => {
      const result = await queue.solve(task);
      if (task.notBy !== undefined) solvers.push({ notBy: task.notBy, solvedBy: result.solvedBy });
      return result;
    }, 8);
    const options = runOptions({ problem, chunkBytes: 400 });
    const sink = new AuditedSink(new MemorySink(), audit, dispatcher, 'test.in', options.settings);
    const input = bulkInput(styleOf(PROBLEM), CASES, 3, SEED);
    const failure = await solveInput(sourceOf(input), sink, dispatcher, options, new RunTally())
      .then(() => sink.settle())
      .catch((error: unknown) => error);
    return { failure, audit, solvers };
  }

  test('two honest worker processes agree, and none gets the twins of its own cases', async () => {
    await start((result) => result);
    const { failure, audit, solvers } = await solve();
    expect(failure).toBeUndefined();
    expect(audit.stats.pairs).toBeGreaterThan((CASES * SHARE) / 2);
    expect(solvers.length).toBeGreaterThan(1);
    for (const { notBy, solvedBy } of solvers) expect(solvedBy).not.toBe(notBy);
  });

  test('a worker process that alters one answer in a hundred is found within 4,000 cases', async () => {
    let answers = 0;
    await start((result) => {
      const lines = Buffer.from(result.output).toString('latin1').split('\n');
      const altered = lines.map((line) =>
        line === '' || ++answers % ALTERED_ONE_IN !== 0
          ? line
          : line.replace(/\d$/, (digit) => `${(Number(digit) + 1) % 10}`),
      );
      return { ...result, output: new Uint8Array(Buffer.from(altered.join('\n'), 'latin1')) };
    });
    const { failure } = await solve();
    expect(failure).toBeInstanceOf(WrongAnswerError);
  });
});
