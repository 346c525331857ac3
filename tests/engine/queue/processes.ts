/** Starts coordinators and worker processes as a user does, on a Redis of the test's own. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { assertNoStackTrace, exitOf, type Outcome, start } from '../../cli/boardmill.js';
import { type Persistence, RedisServer } from '../../support/redis.js';
import { until } from '../../support/until.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures/cluster', import.meta.url));
export const GRAMMAR = join(FIXTURES, 'sums.ctd');
export const PROGRAM = join(FIXTURES, 'sums.sh');
/** The keys of the jobs of chunks. */
const JOB_KEY = /^boardmill:run-.*:[0-9a-f]{40}$/;

/** Milliseconds between two looks at the keys of a Redis server. */
const POLL_MS = 50;

const WITH_PROGRAM = ['--exec', PROGRAM, '--exec-cases', '10'];

/** An input of sums.ctd. Case i has the numbers i and `summand`. */
export function sumsInput(cases: number, summand = 7): string {
  return `${cases}\n${Array.from({ length: cases }, (_, i) => `${i} ${summand}\n`).join('')}`;
}

export function sumsAnswers(cases: number, summand = 7): string {
  return Array.from({ length: cases }, (_, i) => `${i + summand}\n`).join('');
}

/**
 * What a run says about a chunk that takes long, and about a worker process that does not come for some seconds. On a loaded
 * machine, that may be any.
 */
const NOTES_OF_WAITING =
  /^boardmill: (?:cases? .* been with worker process|waiting for a worker process:) .*\n/gm;

/** A running coordinator or worker process. */
export class BoardmillProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Outcome>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
    this.child = start(args, { cwd, env });
    this.child.stdout.on('data', (text) => {
      this.stdout += text;
    });
    this.child.stderr.on('data', (text) => {
      this.stderr += text;
    });
    this.ended = exitOf(this.child).then((code) => {
      assertNoStackTrace(args, this.stderr);
      return { code, stdout: this.stdout, stderr: this.stderr.replace(NOTES_OF_WAITING, '') };
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

/** A worker process that logs JSON. */
export class HostProcess extends BoardmillProcess {
  /** The events of the log. Throws if a line is no JSON. */
  get events(): { readonly event: string; readonly [field: string]: unknown }[] {
    const lines = this.stderr.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  /** Returns the latest event of this name. */
  last(name: string): { readonly [field: string]: unknown } | undefined {
    return this.events.findLast(({ event }) => event === name);
  }

  /** Asks for the health of the worker process, and returns what it has answered before. */
  health(): { readonly chunksDone?: number; readonly chunksFailed?: number } | undefined {
    if (this.last('run') !== undefined) this.kill('SIGUSR2');
    return this.last('health');
  }

  /** Waits for an event. */
  logged(name: string): Promise<{ readonly [field: string]: unknown }> {
    return until(() => this.events.find(({ event }) => event === name));
  }
}

/** A Redis server with the coordinators and worker processes that a test starts, which all end with the test. */
export class Cluster {
  readonly folder: string;
  readonly redis: RedisServer;
  readonly #processes: BoardmillProcess[] = [];

  static async start(
    folder: string,
    { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
    persistence: Persistence = 'none',
    settings: readonly string[] = [],
  ): Promise<Cluster> {
    const cluster = new Cluster(folder, await RedisServer.start(folder, persistence, settings));
    onTestFinished(() => cluster.#end());
    return cluster;
  }

  private constructor(folder: string, redis: RedisServer) {
    this.folder = folder;
    this.redis = redis;
  }

  async #end(): Promise<void> {
    for (const each of this.#processes) each.kill('SIGKILL');
    await Promise.all([this.redis.kill(), ...this.#processes.map(({ ended }) => ended)]);
  }

  #keep<Started extends BoardmillProcess>(started: Started): Started {
    this.#processes.push(started);
    return started;
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  write(name: string, text: string): string {
    writeFileSync(this.at(name), text);
    return this.at(name);
  }

  remove(name: string): void {
    rmSync(this.at(name));
  }

  has(name: string): boolean {
    return existsSync(this.at(name));
  }

  /** Starts a worker process of the sums. If it has a gate, its programs wait until the file `gate` exists. */
  workerProcess({ gate, args = [] }: { gate?: string; args?: readonly string[] } = {}): HostProcess {
    const env = gate === undefined ? {} : { GATE: this.at(gate), STARTED: this.at(`${gate}-started`) };
    const sums = ['--problem', GRAMMAR, '--exec', PROGRAM];
    return this.hostWith([...sums, ...args], env);
  }

  hostWith(args: readonly string[], env: NodeJS.ProcessEnv = {}): HostProcess {
    const common = ['worker', '--queue', this.redis.url, '-j', '1', '--log', 'json'];
    return this.#keep(new HostProcess([...common, ...args], this.folder, env));
  }

  /** Starts boardmill with these arguments. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): BoardmillProcess {
    return this.#keep(new BoardmillProcess(args, this.folder, env));
  }

  /** Waits until a program of the worker process with this gate is waiting. */
  async programWaits(gate: string): Promise<void> {
    await until(() => this.has(`${gate}-started`));
  }

  open(gate: string): void {
    this.write(gate, '');
  }

  /** Starts `solve` of sums, with a program and chunks of about 100 cases. */
  solve(args: readonly string[]): BoardmillProcess {
    const chunks = ['--chunk', '600'];
    return this.solveWith([GRAMMAR, '--multitest', ...args, ...WITH_PROGRAM, ...chunks]);
  }

  solveWith(args: readonly string[]): BoardmillProcess {
    return this.start(['solve', ...args, '--queue', this.redis.url]);
  }

  /** Waits until so many keys have the prefix, and returns them. */
  keysAppear(prefix: string, count: number): Promise<string[]> {
    return this.#appear((key) => key.startsWith(prefix), count);
  }

  /** Waits until so many jobs are in the queues. */
  jobsAppear(count: number): Promise<string[]> {
    return this.#appear((key) => JOB_KEY.test(key), count);
  }

  async jobs(): Promise<string[]> {
    return (await this.redis.keys()).filter((key) => JOB_KEY.test(key));
  }

  async #appear(isWanted: (key: string) => boolean, count: number): Promise<string[]> {
    for (;;) {
      const keys = (await this.redis.keys()).filter(isWanted);
      if (keys.length >= count) return keys;
      await pause(POLL_MS);
    }
  }

  /** Returns the keys that Redis keeps for ever, and those of chunks and answers. */
  async leftovers(): Promise<string[]> {
    const keys = await this.redis.keys();
    const lives = await Promise.all(keys.map((key) => this.redis.client.ttl(key)));
    return keys.filter((key, i) => lives[i] === -1 || /^boardmill:(chunk|answer):/.test(key));
  }
}
