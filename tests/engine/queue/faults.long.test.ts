/** Runs whose worker processes, Redis or coordinator fail. Each ends with the bytes of an undisturbed run. */
import { chmodSync, mkdirSync } from 'node:fs';
import { describe, expect, type TestContext, test } from 'vitest';
import { hasRedis, type Persistence } from '../../support/redis.js';
import { allowManyTestsTogether, allowSlowTests } from '../../support/slow-tests.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { Cluster, GRAMMAR, PROGRAM, sumsAnswers, sumsInput } from './processes.js';

allowSlowTests();
allowManyTestsTogether();
const root = temporaryFolder();
let clusters = 0;
const CASES = 1000;
/** Number of chunks into which `Cluster.solve` cuts so many cases. */
const CHUNKS = 12;

/** Starts a Redis server with a folder of its own. Worker processes and coordinators that use it end with the test. */
const newCluster = (context: TestContext, persistence?: Persistence, settings?: readonly string[]) =>
  Cluster.start(`${root}/${++clusters}`, context, persistence, settings);

describe.skipIf(!hasRedis).concurrent('a run on worker processes, on a real redis-server', () => {
  test('a worker process is killed while it solves a chunk', async (context) => {
    const cluster = await newCluster(context);
    cluster.write('a.in', sumsInput(CASES));
    const lost = cluster.workerProcess({ gate: 'gate' });
    const run = cluster.solve(['a.in', '-o', 'a.ans']);
    await cluster.programWaits('gate');
    lost.kill('SIGKILL');
    cluster.workerProcess();
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
    expect(cluster.read('a.ans')).toBe(sumsAnswers(CASES));
    expect(await cluster.leftovers()).toEqual([]);
  });

  test('a worker process is frozen for longer than its lock, and goes on later', async (context) => {
    const cluster = await newCluster(context);
    cluster.write('a.in', sumsInput(CASES));
    const frozen = cluster.workerProcess({ gate: 'gate' });
    const run = cluster.solve(['a.in', '-o', 'a.ans']);
    await cluster.programWaits('gate');
    frozen.kill('SIGSTOP');
    const other = cluster.workerProcess();
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
    expect(cluster.read('a.ans')).toBe(sumsAnswers(CASES));
    cluster.open('gate');
    frozen.kill('SIGCONT');
    other.kill('SIGTERM');
    expect((await other.ended).code).toBe(143);
    const next = cluster.solve(['a.in', '-o', 'b.ans']);
    expect(await next.ended).toMatchObject({ code: 0, stderr: '' });
    expect(cluster.read('b.ans')).toBe(sumsAnswers(CASES));
    expect(await cluster.leftovers()).toEqual([]);
  });

  test.for(['aof', 'none'] as const)(
    'Redis is killed and comes back (persistence: %s)',
    async (persistence, context) => {
      const cluster = await newCluster(context, persistence);
      cluster.write('a.in', sumsInput(CASES));
      const workerProcess = cluster.workerProcess({ gate: 'gate' });
      const run = cluster.solve(['a.in', '-o', 'a.ans']);
      await cluster.programWaits('gate');
      await cluster.redis.kill();
      cluster.open('gate');
      await cluster.redis.restart();
      expect(await run.ended).toMatchObject({ code: 0 });
      expect(cluster.read('a.ans')).toBe(sumsAnswers(CASES));
      expect(await cluster.leftovers()).toEqual([]);
      workerProcess.kill('SIGTERM');
      expect((await workerProcess.ended).code).toBe(143);
    },
  );

  test('the coordinator is killed, and resumes with the answers that the worker process has found meanwhile', async (context) => {
    const cluster = await newCluster(context);
    cluster.write('a.in', sumsInput(CASES));
    const workerProcess = cluster.workerProcess({ gate: 'gate' });
    const killed = cluster.solve(['a.in', '-o', 'a.ans']);
    await cluster.jobsAppear(CHUNKS);
    await cluster.programWaits('gate');
    killed.kill('SIGKILL');
    cluster.open('gate');
    await cluster.keysAppear('boardmill:answer:', CHUNKS);
    workerProcess.kill('SIGTERM');
    expect((await workerProcess.ended).code).toBe(143);
    const resumed = cluster.solve(['a.in', '-o', 'a.ans', '--resume']);
    expect(await resumed.ended).toMatchObject({ code: 0 });
    expect(cluster.read('a.ans')).toBe(sumsAnswers(CASES));
  });

  test('a slow worker process beside a fast one', async (context) => {
    const cluster = await newCluster(context);
    cluster.write('a.in', sumsInput(CASES));
    const slow = cluster.workerProcess({ gate: 'gate' });
    const run = cluster.solve(['a.in', '-o', 'a.ans']);
    await cluster.programWaits('gate');
    const fast = cluster.workerProcess();
    await until(() => (fast.health()?.chunksDone ?? 0) >= CHUNKS - 2);
    cluster.open('gate');
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
    expect(cluster.read('a.ans')).toBe(sumsAnswers(CASES));
    expect(slow.stderr).not.toContain('"level":"error"');
  });

  test('two runs of one input at the same time do not mix, beside a run of another input', async (context) => {
    const cluster = await newCluster(context);
    cluster.write('a.in', sumsInput(CASES));
    cluster.write('b.in', sumsInput(CASES, 8));
    const workerProcess = cluster.workerProcess({ gate: 'gate' });
    const runs = [['-o', 'a.ans'], []].map((output) => cluster.solve(['a.in', ...output]));
    const other = cluster.solve(['b.in', '-o', 'c.ans']);
    await cluster.jobsAppear(3 * CHUNKS);
    cluster.open('gate');
    for (const run of [...runs, other]) expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
    expect(cluster.read('a.ans')).toBe(sumsAnswers(CASES));
    expect(runs[1].stdout).toBe(sumsAnswers(CASES));
    expect(cluster.read('c.ans')).toBe(sumsAnswers(CASES, 8));
    workerProcess.kill('SIGTERM');
    await workerProcess.ended;
    expect(workerProcess.last('end')).toMatchObject({ chunksDone: 3 * CHUNKS, chunksFailed: 0 });
    expect(await cluster.leftovers()).toEqual([]);
  });

  test('a run is not disturbed by another one of the same command that is stopped', async (context) => {
    const cluster = await newCluster(context);
    cluster.write('a.in', sumsInput(CASES));
    const stopped = cluster.solve(['a.in']);
    await cluster.jobsAppear(CHUNKS);
    const run = cluster.solve(['a.in']);
    await cluster.jobsAppear(2 * CHUNKS);
    stopped.kill('SIGTERM');
    expect((await stopped.ended).code).toBe(143);
    expect(await cluster.jobs()).toHaveLength(CHUNKS);
    expect(await cluster.redis.keys('boardmill:chunk:')).toHaveLength(CHUNKS);
    cluster.workerProcess();
    expect(await run.ended).toMatchObject({ code: 0, stdout: sumsAnswers(CASES) });
    expect(await cluster.leftovers()).toEqual([]);
  });

  test.for([[['-o', 'a.ans', '--force']], [['-o', 'b.ans']], [[]]])(
    'a run with %j takes no answers that another run has left, and these expire',
    async ([output], context) => {
      const cluster = await newCluster(context);
      cluster.write('a.in', sumsInput(CASES));
      // What the program of the first worker process calls is not compared.
      mkdirSync(cluster.at('wrong'));
      cluster.write('wrong/awk', "#!/bin/sh\nexec /usr/bin/awk 'NR > 1 { print 0 }'\n");
      chmodSync(cluster.at('wrong/awk'), 0o755);
      const gate = { GATE: cluster.at('gate'), STARTED: cluster.at('gate-started') };
      const workerProcess = cluster.hostWith(['--problem', GRAMMAR, '--exec', PROGRAM], {
        ...gate,
        PATH: `${cluster.at('wrong')}:${process.env.PATH}`,
      });
      const killed = cluster.solve(['a.in', '-o', 'a.ans']);
      await cluster.jobsAppear(CHUNKS);
      await cluster.programWaits('gate');
      killed.kill('SIGKILL');
      cluster.open('gate');
      const left = await cluster.keysAppear('boardmill:answer:', CHUNKS);
      workerProcess.kill('SIGTERM');
      await workerProcess.ended;
      cluster.workerProcess();
      const { code, stdout } = await cluster.solve(['a.in', ...output]).ended;
      const [, file] = output;
      expect(code).toBe(0);
      expect(file === undefined ? stdout : cluster.read(file)).toBe(sumsAnswers(CASES));
      for (const key of left) expect(await cluster.redis.client.ttl(key)).toBeGreaterThan(0);
    },
  );

  test('garbage in chunks, answers and jobs', async (context) => {
    const cluster = await newCluster(context);
    cluster.write('a.in', sumsInput(CASES));
    const { client } = cluster.redis;
    const first = cluster.solve(['a.in', '-o', 'a.ans']);
    await cluster.jobsAppear(CHUNKS);
    const ids = (await cluster.keysAppear('boardmill:chunk:', CHUNKS)).map((key) => key.split(':')[2]);
    first.kill('SIGKILL');
    await first.ended;
    await client.del(ids.map((id) => `boardmill:chunk:${id}`));
    await client.set(`boardmill:answer:${ids[0]}`, 'garbage');
    await client.lpush(`boardmill:answer:${ids[1]}`, 'garbage');
    const run = cluster.solve(['a.in', '-o', 'a.ans', '--resume']);
    await cluster.keysAppear('boardmill:chunk:', CHUNKS);
    await client.set(`boardmill:chunk:${ids[2]}`, 'garbage');
    await client.del(`boardmill:chunk:${ids[3]}`);
    await client.del(`boardmill:chunk:${ids[4]}`);
    await client.lpush(`boardmill:chunk:${ids[4]}`, 'garbage');
    const [meta] = (await cluster.redis.keys('boardmill:run-')).filter((key) => key.endsWith(':meta'));
    const queue = meta.slice(0, -':meta'.length);
    await client.hset(`${queue}:stranger`, { name: 'x', data: 'no JSON', opts: '{}', timestamp: '0' });
    await client.lpush(`${queue}:wait`, 'stranger', 'without-a-hash');
    const workerProcess = cluster.workerProcess();
    expect(await run.ended).toMatchObject({ code: 0 });
    expect(cluster.read('a.ans')).toBe(sumsAnswers(CASES));
    const logged = workerProcess.events
      .filter(({ event }) => event.endsWith('-chunk'))
      .map(({ message }) => message);
    for (const id of [ids[2], ids[4]])
      expect(logged).toContain(`chunk ${id} in Redis is not as its run has written it`);
    expect(logged).toContain(`chunk ${ids[3]} is no longer in Redis`);
  });

  test('a run without worker processes says so, stops after a signal, and leaves nothing behind', async (context) => {
    const cluster = await newCluster(context);
    cluster.write('a.in', sumsInput(CASES));
    const run = cluster.solve(['a.in', '-o', 'a.ans']);
    await until(() => run.stderr.includes('waiting for a worker process: boardmill worker --queue'));
    await cluster.jobsAppear(CHUNKS);
    run.kill('SIGINT');
    const { code, stderr } = await run.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('stopped by SIGINT');
    expect(await cluster.leftovers()).toEqual([]);
    expect(await cluster.jobs()).toEqual([]);
  });

  test('a signal lets a run finish what is in flight, and then resume', async (context) => {
    const cluster = await newCluster(context);
    cluster.write('a.in', sumsInput(CASES));
    const workerProcess = cluster.workerProcess({ gate: 'gate' });
    const run = cluster.solve(['a.in', '-o', 'a.ans', '-j', '1']);
    await cluster.programWaits('gate');
    run.kill('SIGTERM');
    cluster.open('gate');
    const { code, stderr } = await run.ended;
    expect(code).toBe(143);
    expect(stderr).toContain('--resume continues');
    expect(await cluster.leftovers()).toEqual([]);
    const resumed = cluster.solve(['a.in', '-o', 'a.ans', '--resume']);
    expect(await resumed.ended).toMatchObject({ code: 0 });
    expect(cluster.read('a.ans')).toBe(sumsAnswers(CASES));
    workerProcess.kill('SIGTERM');
    expect((await workerProcess.ended).code).toBe(143);
  });

  test('a worker process that waits for Redis says so on SIGUSR2, and ends on SIGTERM', async (context) => {
    const cluster = await newCluster(context);
    await cluster.redis.kill();
    const workerProcess = cluster.workerProcess();
    await workerProcess.logged('redis');
    workerProcess.kill('SIGUSR2');
    expect(await workerProcess.logged('health')).toMatchObject({ message: 'waits for Redis' });
    workerProcess.kill('SIGTERM');
    expect((await workerProcess.ended).code).toBe(143);
  });

  test('a worker process that is told to end finishes its chunk, and a second signal ends it at once', async (context) => {
    const cluster = await newCluster(context);
    cluster.write('a.in', sumsInput(CASES));
    const draining = cluster.workerProcess({ gate: 'gate' });
    const run = cluster.solve(['a.in', '-o', 'a.ans']);
    await cluster.programWaits('gate');
    draining.kill('SIGTERM');
    await draining.logged('drain');
    draining.kill('SIGUSR2');
    expect(await draining.logged('health')).toMatchObject({ chunksFailed: 0 });
    cluster.open('gate');
    expect((await draining.ended).code).toBe(143);
    expect(draining.last('end')).toMatchObject({ unfinished: 0 });
    const impatient = cluster.workerProcess({ gate: 'never' });
    await cluster.programWaits('never');
    impatient.kill('SIGTERM');
    await impatient.logged('drain');
    impatient.kill('SIGTERM');
    expect((await impatient.ended).code).toBe(143);
    cluster.workerProcess();
    expect(await run.ended).toMatchObject({ code: 0 });
    expect(cluster.read('a.ans')).toBe(sumsAnswers(CASES));
  });
});
