/** Starts real Redis servers for tests. Each has a folder of its own, and listens on a Unix socket in it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from './until.js';

/** Whether redis-server is installed. Tests that need it are skipped without it. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** With `aof`, a Redis server that is killed keeps all that it has answered. With `none`, it loses all keys. */
export type Persistence = 'aof' | 'none';

export class RedisServer {
  readonly #folder: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | null = null;
  #client: Redis | null = null;

  /** Starts a server in a new folder. `settings` are arguments of redis-server. */
  static async start(
    folder: string,
    persistence: Persistence = 'none',
    settings: readonly string[] = [],
  ): Promise<RedisServer> {
    mkdirSync(folder, { recursive: true });
    const aof = ['--appendonly', 'yes', '--appendfsync', 'always'];
    const server = new RedisServer(folder, [...(persistence === 'aof' ? aof : []), ...settings]);
    await server.restart();
    return server;
  }

  private constructor(folder: string, settings: readonly string[]) {
    this.#folder = folder;
    this.#settings = settings;
  }

  get url(): string {
    return `unix://${this.#socket}`;
  }

  /** A connection of the test, which is closed when the server is killed. */
  get client(): Redis {
    this.#client ??= new Redis({ path: this.#socket, maxRetriesPerRequest: null });
    return this.#client;
  }

  get #socket(): string {
    return join(this.#folder, 'redis.sock');
  }

  /** Starts the server, which must not be running, and waits until it accepts connections. */
  async restart(): Promise<void> {
    const settings = ['--port', '0', '--unixsocket', this.#socket, '--dir', this.#folder, '--save', ''];
    const child = spawn('redis-server', [...settings, ...this.#settings]);
    this.#process = child;
    let log = '';
    child.stdout.on('data', (text) => {
      log += text;
    });
    await until(() => {
      if (child.exitCode !== null) throw new Error(`redis-server has not started:\n${log}`);
      return /ready to accept connections/i.test(log);
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Kills the server. With persistence `none`, its keys are lost. */
  async kill(): Promise<void> {
    this.#client?.disconnect();
    this.#client = null;
    const child = this.#process;
    if (child === null) return;
    this.#process = null;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Returns the names of all keys that begin with the prefix. */
  async keys(prefix = ''): Promise<string[]> {
    return (await this.client.keys(`${prefix}*`)).sort();
  }
}
