/** Connections to Redis: how they are opened, what the user is told about them, and when a run gives up. */
import { setTimeout as delay } from 'node:timers/promises';
import type * as BullMq from 'bullmq';
import type { Redis } from 'ioredis';
import { BoardmillError, OutageError } from '../../core/errors.js';
import { FULL_REDIS_RETRY_MS } from '../limits.js';

/** Where a Redis is. Passwords are in `options` only. */
export interface RedisAddress {
  /** The address as messages show it: host and port, or the path of a socket. */
  readonly label: string;
  readonly options: {
    readonly host?: string;
    readonly port?: number;
    readonly path?: string;
    readonly db?: number;
    readonly username?: string;
    readonly password?: string;
    readonly tls?: object;
  };
}

const DEFAULT_PORT = 6379;

/** Reads the URL of a Redis: `redis://`, `rediss://` (TLS) or `unix:///path`. Returns null if it is no such URL. */
export function parseRedisUrl(text: string): RedisAddress | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^(rediss?|unix):$/.test(url.protocol)) return null;
  const login = {
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
  };
  if (url.protocol === 'unix:') {
    const path = decodeURIComponent(url.pathname);
    return path.length < 2 ? null : { label: path, options: { ...login, path } };
  }
  const db = url.pathname.replace(/^\/$|^$/, '/0').slice(1);
  if (url.hostname === '' || !/^\d{1,4}$/.test(db)) return null;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const tls = url.protocol === 'rediss:' ? { tls: {} } : {};
  return { label: `${host}:${port}`, options: { ...login, host, port, db: Number(db), ...tls } };
}

/** The libraries that talk to Redis. They are not a part of boardmill, because only runs on several machines need them. */
export interface QueueLibraries {
  readonly bullmq: typeof BullMq;
  readonly Redis: typeof Redis;
}

export async function loadQueueLibraries(): Promise<QueueLibraries> {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, Redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new BoardmillError(
      'usage',
      '--queue needs the packages bullmq and ioredis beside boardmill: npm install bullmq@6 ioredis@6',
      { cause: error },
    );
  }
}

/** What Redis answers if it does not accept the login. Trying again would not help. */
const REFUSED_LOGIN = /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid password|Client sent AUTH))/;

/** What Redis answers if its memory is full, or if it cannot write to its disk. */
const FULL = /OOM command not allowed|^MISCONF|^OOM/;

export interface RedisLinkOptions {
  readonly address: RedisAddress;
  /** How long Redis may be away, in milliseconds, before `onLost` is called. */
  readonly patienceMs: number;
  /** Receives messages that the user should see although nothing failed yet. */
  readonly note: (message: string) => void;
}

/** A connection to Redis that survives its restarts, and notices when Redis stays away. */
export class RedisLink {
  readonly client: Redis;
  readonly libraries: QueueLibraries;
  /** Called once, when Redis has been away for too long or has refused the login. */
  onLost: (error: OutageError) => void = () => {};
  readonly #options: RedisLinkOptions;
  #awayTimer: NodeJS.Timeout | null = null;
  #lastReason = 'no connection';
  #isClosed = false;
  /** The time at which Redis last took bytes, in milliseconds by performance.now(). */
  #wroteAt = 0;
  #lost: OutageError | null = null;

  /** Connects to Redis. Fails with kind `worker` if that is not possible within the patience. */
  static async open(options: RedisLinkOptions): Promise<RedisLink> {
    const link = new RedisLink(await loadQueueLibraries(), options);
    await new Promise<void>((resolve, reject) => {
      link.onLost = (error) => {
        link.close();
        reject(error);
      };
      link.client.once('ready', resolve);
    });
    return link;
  }

  private constructor(libraries: QueueLibraries, options: RedisLinkOptions) {
    this.libraries = libraries;
    this.#options = options;
    this.client = new libraries.Redis({
      ...options.address.options,
      // A command waits until Redis is back. Whoever waits for it gives up when the patience is over.
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(1000, 50 * 2 ** attempt),
    });
    this.client.on('error', (error) => this.#recordError(error));
    this.client.on('close', () => this.#beginAbsence());
    this.client.on('ready', () => this.#endAbsence());
  }

  get label(): string {
    return this.#options.address.label;
  }

  /** The error of a Redis that has been away for too long; null while there is hope. */
  get lost(): OutageError | null {
    return this.#lost;
  }

  /**
   * Does what writes to Redis. While Redis is full, this tries again, because answers that are read make room, until nobody of
   * this process could write for the patience. Then it fails with kind `worker`.
   */
  async whenNotFull<Result>(write: () => Promise<Result>): Promise<Result> {
    const beganAt = performance.now();
    for (;;) {
      try {
        const result = await write();
        this.#wroteAt = performance.now();
        return result;
      } catch (error) {
        if (!(error instanceof Error) || !FULL.test(error.message)) throw error;
        if (performance.now() - Math.max(this.#wroteAt, beganAt) > this.#options.patienceMs) {
          const message = `Redis at ${this.label} takes no more bytes: ${error.message}`;
          throw new OutageError(message, { cause: error });
        }
        await delay(FULL_REDIS_RETRY_MS);
      }
    }
  }

  /** Ends the connection. Commands that wait for Redis fail. */
  close(): void {
    this.#isClosed = true;
    if (this.#awayTimer !== null) clearTimeout(this.#awayTimer);
    this.client.disconnect();
  }

  #recordError(error: Error): void {
    this.#lastReason = error.message.trim();
    if (REFUSED_LOGIN.test(this.#lastReason))
      this.#lose(`Redis at ${this.label} refuses the login: ${this.#lastReason}`);
  }

  #beginAbsence(): void {
    if (this.#awayTimer !== null || this.#isClosed) return;
    const { patienceMs, note } = this.#options;
    const seconds = patienceMs / 1000;
    // Most absences end at once, so the user hears of an absence only if a second attempt has failed.
    this.client.once('close', () => {
      if (this.#awayTimer !== null && !this.#isClosed)
        note(`Redis at ${this.label} cannot be reached (${this.#lastReason}); trying for ${seconds} s`);
    });
    this.#awayTimer = setTimeout(
      () => this.#lose(`Redis at ${this.label} could not be reached for ${seconds} s: ${this.#lastReason}`),
      patienceMs,
    );
  }

  #endAbsence(): void {
    if (this.#awayTimer !== null) clearTimeout(this.#awayTimer);
    this.#awayTimer = null;
  }

  #lose(message: string): void {
    if (this.#lost !== null || this.#isClosed) return;
    this.#lost = new OutageError(message);
    this.onLost(this.#lost);
  }
}
