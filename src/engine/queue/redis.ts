/** Connections to Redis: how they are opened, what the user is told about them, and when a run gives up. */
import { setTimeout as delay } from 'node:timers/promises';
import type * as BullMq from 'bullmq';
import type { ChainableCommander, Redis } from 'ioredis';
import { BoardmillError, type Interrupted, OutageError } from '../../core/errors.js';
import { interruptedBy } from '../../core/stop.js';

/** Milliseconds without an answer after which a connection to Redis counts as lost. BullMQ asks for answers within 10 s. */
const REDIS_SILENCE_MS = 30_000;

/** Milliseconds between two attempts to connect to Redis, at most. */
const REDIS_RECONNECT_MS = 1000;

/** Milliseconds that Redis has to confirm the end of a connection. */
const REDIS_DISCONNECT_MS = 250;

/**
 * Milliseconds between two attempts to write to a Redis server whose memory is full, or whose connection has ended meanwhile.
 */
const REDIS_RETRY_MS = 500;

/** Where a Redis server is. Passwords are in `options` only. */
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

/**
 * Reads the URL of a Redis server: `redis://`, `rediss://` (TLS) or `unix:///path`. Returns null if it is no such URL.
 */
export function parseRedisUrl(text: string): RedisAddress | null {
  // A URL with a login must have a host.
  const complete = text.replace(/^(unix:\/\/[^/]*@)\//, '$1localhost/');
  const url = URL.canParse(complete) ? new URL(complete) : null;
  if (url === null || !/^(rediss?|unix):$/.test(url.protocol)) return null;
  const [username, password, path] = [url.username, url.password, url.pathname].map(decodePercents);
  if (username === null || password === null || path === null) return null;
  const login = { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
  if (url.protocol === 'unix:') return path.length < 2 ? null : { label: path, options: { ...login, path } };
  const db = path.replace(/^\/?/, '') || '0';
  if (url.hostname === '' || !/^\d{1,4}$/.test(db)) return null;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const tls = url.protocol === 'rediss:' ? { tls: {} } : {};
  return { label: `${host}:${port}`, options: { ...login, host, port, db: Number(db), ...tls } };
}

/** Returns the text for which a text with escapes such as %40 stands; null if there is none. */
function decodePercents(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The libraries that talk to Redis. They are not a part of boardmill, because only runs on several machines need them. */
interface QueueLibraries {
  readonly bullmq: typeof BullMq;
  readonly Redis: typeof Redis;
}

async function loadQueueLibraries(): Promise<QueueLibraries> {
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

/** What Redis answers if it has no database of the number in the URL. ioredis would go on with database 0. */
const NO_DATABASE = /DB index is out of range|SELECT is not allowed/;

/** What Redis answers if its memory is full, or if it cannot write to its disk. */
const FULL = /OOM command not allowed|^MISCONF|^OOM/;

/** The maxmemory-policy of a Redis server that never throws keys away. */
const KEEPS_KEYS = 'noeviction';

/** The names of the errors of ioredis for commands that Redis has refused, or that have lost their connection. */
const REDIS_ERRORS = new Set(['ReplyError', 'AbortError', 'InterruptError', 'MaxRetriesPerRequestError']);

/** The messages of ioredis and BullMQ for connections that have ended. The errors of the system have a code instead. */
const ENDED_CONNECTION = /^(Connection is closed|Socket timeout|Command aborted)/;

/** Whether the error of a command says that there is no connection to Redis. The link itself reports that. */
export function isConnectionError({ message, code }: NodeJS.ErrnoException): boolean {
  return ENDED_CONNECTION.test(message) || /^E[A-Z]+$/.test(code ?? '');
}

interface RedisLinkOptions {
  readonly address: RedisAddress;
  /** How long Redis may be away, in milliseconds, before the link is lost. */
  readonly patienceMs: number;
  /** Receives messages that the user should see although nothing failed yet. */
  readonly note: (message: string) => void;
}

/** A connection to Redis that survives its restarts, and notices when Redis stays away. */
export class RedisLink {
  readonly client: Redis;
  readonly libraries: QueueLibraries;
  /** Resolves when Redis has been away for too long or has refused the login. All commands that wait for Redis fail then. */
  readonly whenLost: Promise<OutageError>;
  readonly #options: RedisLinkOptions;
  #resolveLost: (error: OutageError) => void = () => {};
  #lost: OutageError | null = null;
  #isClosed = false;
  /** Runs while Redis is away. */
  #awayTimer: NodeJS.Timeout | null = null;
  /** Number of connections that have failed or ended since Redis was there. */
  #failedConnections = 0;
  #lastReason = 'no connection';
  /** The time at which Redis last took bytes, in milliseconds by performance.now(). */
  #wroteAt = 0;

  /**
   * Connects to Redis. Fails with kind `worker` if that is not possible within the patience, and with kind `interrupted` if
   * `stop` is aborted before.
   */
  static async open(options: RedisLinkOptions, stop?: AbortSignal): Promise<RedisLink> {
    const link = new RedisLink(await loadQueueLibraries(), options);
    const failure = await Promise.race([
      new Promise<OutageError | null>((resolve) =>
        link.client.once('ready', () => link.#refuseUnfit().then(() => resolve(link.lost))),
      ),
      link.whenLost,
      ...(stop === undefined ? [] : [whenStopped(stop)]),
    ]);
    if (failure === null) return link;
    link.close();
    throw failure;
  }

  private constructor(libraries: QueueLibraries, options: RedisLinkOptions) {
    this.libraries = libraries;
    this.#options = options;
    this.whenLost = new Promise((resolve) => {
      this.#resolveLost = resolve;
    });
    this.client = new libraries.Redis({
      ...options.address.options,
      // A command waits until Redis is back, or until the link is lost.
      maxRetriesPerRequest: null,
      // The connections that BullMQ duplicates from this one end with it, also if they are just connecting.
      retryStrategy: (attempt) => (this.#isClosed ? null : Math.min(REDIS_RECONNECT_MS, 50 * 2 ** attempt)),
      // A machine that vanishes does not end its connections.
      socketTimeout: REDIS_SILENCE_MS,
      // ioredis waits so long for the end of a connection, also if it has ended before.
      disconnectTimeout: REDIS_DISCONNECT_MS,
    });
    this.client.on('error', (error) => this.#recordError(error));
    this.client.on('close', () => this.#recordEnd());
    this.client.on('ready', () => {
      if (this.#isClosed) this.client.disconnect();
      else this.#endAbsence();
      // It may have other settings than before.
      void this.#refuseUnfit();
    });
  }

  get label(): string {
    return this.#options.address.label;
  }

  /** The error of a Redis server that has been away for too long; null while there is hope. */
  get lost(): OutageError | null {
    return this.#lost;
  }

  /** Returns the error as the user should see it: what Redis answers is not an internal error of boardmill. */
  describeError(error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof BoardmillError) return error;
    if (this.#lost !== null && isConnectionError(error)) return this.#lost;
    if (!REDIS_ERRORS.has(error.name) && !isConnectionError(error)) return error;
    return new OutageError(`Redis at ${this.label} failed: ${error.message}`, { cause: error });
  }

  /**
   * Does what writes to Redis, and does it again while Redis is full, because answers that are read make room, or if the
   * connection has ended meanwhile. So it must do no harm if it is done twice. Fails with kind `worker` after the patience: if
   * the connection ended each time, or if Redis was full and nobody of this process could write.
   */
  async write<Result>(work: () => Promise<Result>): Promise<Result> {
    const beganAt = performance.now();
    for (;;) {
      try {
        const result = await work();
        this.#wroteAt = performance.now();
        return result;
      } catch (error) {
        const reason = this.#isClosed ? null : reasonToRetry(error);
        if (reason === null) throw error;
        const since = FULL.test(reason) ? Math.max(this.#wroteAt, beganAt) : beganAt;
        if (performance.now() - since > this.#options.patienceMs)
          throw new OutageError(`Redis at ${this.label} takes no more bytes: ${reason}`, { cause: error });
        await delay(REDIS_RETRY_MS);
      }
    }
  }

  /**
   * Does several commands as one transaction, again if the connection ends meanwhile. ioredis sends a single command again by
   * itself, but it gives up a transaction of which Redis has answered a part.
   */
  async writeTogether(fill: (transaction: ChainableCommander) => ChainableCommander): Promise<void> {
    await this.write(async () => {
      const replies = await fill(this.client.multi()).exec();
      for (const [error] of replies ?? []) if (error !== null) throw error;
    });
  }

  /** Ends the connection. Commands that wait for Redis fail. */
  close(): void {
    this.#isClosed = true;
    this.#endAbsence();
    // Between two attempts to connect, ioredis would keep the commands that wait. After the next attempt, they fail.
    if (this.client.status !== 'reconnecting') this.client.disconnect();
  }

  /** Gives up a Redis server that throws chunks and jobs away when it is full. */
  async #refuseUnfit(): Promise<void> {
    // A login may have no right to ask. Then the user must know.
    const info = await this.client.info().catch(() => '');
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? KEEPS_KEYS;
    if (policy !== KEEPS_KEYS)
      this.#lose(
        `Redis at ${this.label} may throw chunks away: its maxmemory-policy is ${policy}; set it to ${KEEPS_KEYS}: redis-cli config set maxmemory-policy ${KEEPS_KEYS}`,
      );
  }

  #recordError(error: Error): void {
    this.#lastReason = reasonOf(error);
    if (REFUSED_LOGIN.test(this.#lastReason))
      this.#lose(`Redis at ${this.label} refuses the login: ${this.#lastReason}`);
    if (NO_DATABASE.test(this.#lastReason)) {
      const { db } = this.#options.address.options;
      this.#lose(`Redis at ${this.label} has no database ${db}: ${this.#lastReason}`);
    }
  }

  #recordEnd(): void {
    if (this.#isClosed) return;
    const { patienceMs, note } = this.#options;
    const seconds = patienceMs / 1000;
    this.#failedConnections++;
    // Most absences end at once, so the user hears of an absence only if a second connection has failed.
    if (this.#failedConnections === 2)
      note(`Redis at ${this.label} cannot be reached (${this.#lastReason}); trying for ${seconds} s`);
    this.#awayTimer ??= setTimeout(
      () => this.#lose(`Redis at ${this.label} could not be reached for ${seconds} s: ${this.#lastReason}`),
      patienceMs,
    );
  }

  #endAbsence(): void {
    if (this.#awayTimer !== null) clearTimeout(this.#awayTimer);
    this.#awayTimer = null;
    this.#failedConnections = 0;
  }

  #lose(message: string): void {
    if (this.#isClosed) return;
    this.#lost = new OutageError(message);
    this.close();
    this.#resolveLost(this.#lost);
  }
}

/**
 * Returns why a write can be tried again: Redis is full, or the connection has ended. Null if the error says something else. A
 * transaction has several errors.
 */
function reasonToRetry(error: unknown): string | null {
  const { previousErrors = [] } = error as { previousErrors?: readonly unknown[] };
  const errors = [error, ...previousErrors].filter((each) => each instanceof Error);
  return errors.find((each) => FULL.test(each.message) || isConnectionError(each))?.message ?? null;
}

/** Returns why a connection failed. Node has no message for a host name that has several addresses, all of which failed. */
function reasonOf(error: Error): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message.trim() || code || 'no connection';
}

/** Resolves with the error of a run that a signal stops. */
function whenStopped(stop: AbortSignal): Promise<Interrupted> {
  if (stop.aborted) return Promise.resolve(interruptedBy(stop));
  return new Promise((resolve) =>
    stop.addEventListener('abort', () => resolve(interruptedBy(stop)), { once: true }),
  );
}
