/** A Redis server, worker processes and runs of one build of boardmill, for the measurements of the queue. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { QUEUED_CHUNK_TARGET_MS } from '../build/src/engine/queue/limits.js';
import { median } from '../build/src/tools/bench/statistics.js';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A chunk that takes no time, so that several share a job. It is for one worker. */
export const QUICK_CHUNK = { ms: 0, workers: 1 };

/** A chunk that takes long enough to be a job of its own. As its worker sleeps, many can be solved at a time on any machine. */
export const SLOW_CHUNK = { ms: QUEUED_CHUNK_TARGET_MS / 2 + 10, workers: 32 };

const TICK_MS = 10;

/**
 * A module whose cases are numbers. The worker thread of a case sleeps for that many milliseconds, which takes no processor
 * time, so that many slow chunks can be solved at a time on any machine.
 */
const SLEEPER = `
import { defineProblem, formats } from 'boardmill';
const { counted, int } = formats;
const nothing = new Int32Array(new SharedArrayBuffer(4));
export default defineProblem({
  name: 'sleeper',
  input: counted({ ms: int(0, 1000) }),
  solve: ({ ms }) => {
    if (ms > 0) Atomics.wait(nothing, 0, 0, ms);
    return ms;
  },
});
`;

export class QueueCluster {
  /** The folder of all files of the measurement. */
  folder = mkdtempSync(join(tmpdir(), 'boardmill-queue-'));
  url = `unix://${join(this.folder, 'redis.sock')}`;
  #main;
  #env = { ...process.env, XDG_STATE_HOME: join(this.folder, 'state') };
  #redis;
  #workerProcesses = [];

  /** `root` is the folder of a boardmill that was built. */
  constructor(root = ROOT) {
    this.#main = join(root, 'dist', 'src', 'cli', 'main.js');
    this.#redis = this.#startRedis();
    process.on('exit', () => this.#workerProcesses.forEach((each) => void each.kill('SIGKILL')));
  }

  #startRedis() {
    const socket = join(this.folder, 'redis.sock');
    const settings = [
      '--port',
      '0',
      '--unixsocket',
      socket,
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
    ];
    const redis = spawn('redis-server', settings, { stdio: 'ignore' });
    while (!existsSync(socket)) spawnSync('sleep', ['0.05']);
    return redis;
  }

  /** Starts worker processes of `jobs` workers each, and waits until they are ready. */
  async startWorkerProcesses(count, options = [], jobs = 1) {
    const args = [this.#main, 'worker', '--queue', this.url, '-j', `${jobs}`, '--log', 'json', ...options];
    for (let i = 0; i < count; i++)
      this.#workerProcesses.push(
        spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env: this.#env }),
      );
    for (const { stderr } of this.#workerProcesses) {
      await new Promise((resolve) => stderr.once('data', resolve));
      stderr.resume();
    }
  }

  async stopWorkerProcesses() {
    const stopped = this.#workerProcesses.splice(0).map((each) => {
      const ended = new Promise((resolve) => each.once('exit', resolve));
      each.kill('SIGTERM');
      return ended;
    });
    await Promise.all(stopped);
  }

  /** Runs `solve`. Returns its time, the processor time of the whole process, its statistics and the digest of its answers. */
  solve(args) {
    const out = join(this.folder, 'out');
    const cpuBefore = childCpuMs();
    const begin = performance.now();
    const { status, stderr } = spawnSync(
      process.execPath,
      [this.#main, 'solve', ...args, '-o', out, '-f', '-q', '--stats', '-'],
      { env: this.#env, encoding: 'utf8' },
    );
    const ms = performance.now() - begin;
    if (status !== 0) throw new Error(`solve ${args.join(' ')} failed: ${stderr}`);
    const cpuMs = childCpuMs() - cpuBefore;
    const digest = spawnSync('sha256sum', [out], { encoding: 'utf8' }).stdout.split(' ')[0];
    return { ms, cpuMs, stats: JSON.parse(stderr), digest };
  }

  /** Runs `solve` over the queue. Returns the processor time in milliseconds of all that take part, too. */
  solveOverQueue(args) {
    const [redis, workerProcess] = [this.#redis, this.#workerProcesses[0]];
    const before = { redis: cpuMsOf(redis.pid), workerProcess: cpuMsOf(workerProcess.pid) };
    const run = this.solve([...args, '--queue', this.url]);
    const coordinator = 1000 * run.stats.coordinatorCpuSeconds;
    const cpu = {
      coordinator,
      coordinatorThreads: run.cpuMs - coordinator,
      redis: cpuMsOf(redis.pid) - before.redis,
      workerProcess: cpuMsOf(workerProcess.pid) - before.workerProcess,
    };
    return { ...run, cpu, chunks: run.stats.chunks };
  }

  /**
   * Writes the module of sleeping cases and an input of it, in which each of `count` cases takes `ms` milliseconds. Returns the
   * arguments with which each case is a chunk.
   */
  writeSleepers(count, ms) {
    const input = join(this.folder, `sleep-${count}-${ms}.in`);
    writeFileSync(this.sleeper, SLEEPER);
    writeFileSync(input, `${count}\n${`${ms}\n`.repeat(count)}`);
    return [this.sleeper, input, '--chunk', '1'];
  }

  get sleeper() {
    return join(this.folder, 'sleeper.mjs');
  }

  /**
   * Counts the commands of Redis while `work` runs: those that Redis executes, with those inside scripts; those that clients
   * send; and the requests among these, where a transaction counts as one.
   */
  countCommands(work) {
    const socket = join(this.folder, 'redis.sock');
    const log = join(this.folder, 'monitor.log');
    const logFile = openSync(log, 'w');
    const monitor = spawn('redis-cli', ['-s', socket, 'monitor'], { stdio: ['ignore', logFile, 'inherit'] });
    const isLogged = (word) => readFileSync(log, 'latin1').includes(word);
    while (!isLogged('OK')) spawnSync('sleep', ['0.05']);
    work();
    const end = `end-of-work-${process.hrtime.bigint()}`;
    spawnSync('redis-cli', ['-s', socket, 'echo', end]);
    while (!isLogged(end)) spawnSync('sleep', ['0.05']);
    monitor.kill();
    closeSync(logFile);
    const counts = { executed: 0, sent: 0, requests: 0 };
    const openTransactions = new Set();
    for (const line of readFileSync(log, 'latin1').split('\n')) countLine(line, counts, openTransactions);
    return counts;
  }

  close() {
    this.#redis.kill();
    rmSync(this.folder, { recursive: true });
  }
}

/** What is measured of a chunk of sleepers: runs of `once` and `twice` as many chunks. */
export async function openSleepers(cluster, { ms, workers }, chunks) {
  const [once, twice] = [chunks, 2 * chunks].map((count) => cluster.writeSleepers(count, ms));
  await cluster.startWorkerProcesses(1, ['--problem', cluster.sleeper], workers);
  // The first run fills the caches.
  cluster.solveOverQueue(once);
  return { once, twice };
}

/**
 * Measures once what a chunk costs, in milliseconds: the elapsed time, and the processor time of all that take part. It is the
 * difference between two runs, so that what a run costs apart from its chunks drops out. Returns the digests of the answers, too.
 */
export function measureChunk(cluster, { once, twice }) {
  const [few, many] = [once, twice].map((args) => cluster.solveOverQueue(args));
  const chunks = many.chunks - few.chunks;
  const cpu = Object.keys(few.cpu).map((who) => [who, (many.cpu[who] - few.cpu[who]) / chunks]);
  const cost = { ms: (many.ms - few.ms) / chunks, ...Object.fromEntries(cpu) };
  return { cost, digests: [few.digest, many.digest] };
}

/** Returns the medians of what `measureChunk` has measured. */
export function mediansOf(costs) {
  return Object.fromEntries(
    Object.keys(costs[0]).map((name) => [name, median(costs.map((each) => each[name]))]),
  );
}

/** Returns what a chunk of this kind costs: medians of some rounds. */
export async function costOfChunk(cluster, kind, chunks, rounds) {
  const sleepers = await openSleepers(cluster, kind, chunks);
  const costs = Array.from({ length: rounds }, () => measureChunk(cluster, sleepers).cost);
  await cluster.stopWorkerProcesses();
  return mediansOf(costs);
}

/** Counts a line of `redis-cli monitor`: `1700000000.000000 [0 unix:/path] "SET" "key" "value"`, or with `[0 lua]`. */
function countLine(line, counts, openTransactions) {
  const [, client, name] = /^\d+\.\d+ \[\d+ ([^\]]*)\] "([^"]*)"/.exec(line) ?? [];
  if (client === undefined) return;
  counts.executed++;
  if (client === 'lua') return;
  counts.sent++;
  const command = name.toLowerCase();
  if (command === 'exec') openTransactions.delete(client);
  if (!openTransactions.has(client) && command !== 'exec') counts.requests++;
  if (command === 'multi') openTransactions.add(client);
}

/** Returns the processor time in milliseconds that a process has used, with its threads. */
function cpuMsOf(pid) {
  const fields = statsOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Returns the processor time in milliseconds of all child processes that have ended. */
function childCpuMs() {
  const fields = statsOf('self');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

function statsOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
}
