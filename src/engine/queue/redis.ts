/** Connections to Redis: opens them, tells the user about outages, and decides when a run gives up. */
import { setTimeout as delay } from 'node:timers/promises';
import type * as BullMq from 'bullmq';
import type { ChainableCommander, Redis } from 'ioredis';
import { BoardmillError, type Interrupted, OutageError } from '../../core/errors.js';
import { interruptionError } from '../../core/stop.js';

/** Milliseconds without an answer after which a connection to Redis counts as lost. BullMQ asks for answers within 10 s. */
const REDIS_SILENCE_MS = 30_000;

/** Milliseconds between two attempts to connect to Redis, at most. */
const REDIS_RECONNECT_MS = 1000;

/** Milliseconds that boardmill waits for Redis to confirm the end of a connection. */
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
  // If a socket's URL has a login, a host is added, because a URL with a login must have a host.
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

/** Decodes escapes such as %40 in a text. Returns null if an escape is malformed. */
function decodePercents(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The libraries that talk to Redis. They are not installed with boardmill, because only runs on several machines need them. */
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

/** Matches what Redis answers if the user may not use a command. Trying again would not help. */
const REFUSED_COMMAND = /^NOPERM/;
/** Matches what Redis answers if it does not accept the login. Trying again would not help. */
const REFUSED_LOGIN = /^(WRONGPASS|NOAUTH|ERR (AUTH|invalid password|Client sent AUTH))/;

/** Matches what Redis answers if it has no database with the number in the URL. ioredis would go on with database 0. */
const NO_DATABASE = /DB index is out of range|SELECT is not allowed/;

/** Matches what Redis answers if its memory is full, or if it cannot write to its disk. */
const FULL = /OOM command not allowed|^MISCONF|^OOM/;

/** The setting `maxmemory-policy` of a Redis server that never deletes keys to make room. */
const KEEPS_KEYS = 'noeviction';

/** The names of the errors of ioredis for commands that Redis has refused, or that have lost their connection. */
const REDIS_ERRORS = new Set(['ReplyError', 'AbortError', 'InterruptError', 'MaxRetriesPerRequestError']);

/** Matches the messages of ioredis and BullMQ about ended connections. Errors of the system have a code instead. */
const ENDED_CONNECTION = /^(Connection is closed|Socket timeout|Command aborted)/;

/**
 * Whether the error of a command means that there is no connection to Redis. Callers can ignore such an error, because the
 * RedisLink itself reports a lost connection.
 */
export function isConnectionError({ message, code }: NodeJS.ErrnoException): boolean {
  return ENDED_CONNECTION.test(message) || /^E[A-Z]+$/.test(code ?? '');
}

interface RedisLinkOptions {
  readonly address: RedisAddress;
  /** Milliseconds for which Redis may be away before the link counts as lost. */
  readonly patienceMs: number;
  /** Receives messages that the user should see although nothing failed yet. */
  readonly note: (message: string) => void;
}

/** A call of `write` that has not ended. */
interface UnfinishedWrite {
  /** The time at which it began, in milliseconds by performance.now(). */
  readonly beganAt: number;
  /** Number of connections that were there and have ended since. */
  endedConnections: number;
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
  /** The timer that runs while Redis is away; null while Redis is there. */
  #awayTimer: NodeJS.Timeout | null = null;
  /** Number of connections that have failed or ended since Redis was last there. */
  #failedConnections = 0;
  #lastReason = 'no connection';
  /** The time at which Redis last took bytes, in milliseconds by performance.now(). */
  #wroteAt = 0;
  readonly #unfinishedWrites = new Set<UnfinishedWrite>();
  /** Whether there is a connection over which commands are sent. */
  #isReady = false;

  /**
   * Connects to Redis. Fails with kind `worker` if there is no connection after `patienceMs`, and with kind `interrupted` if
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
      // Connections that BullMQ has duplicated from this one end together with it, even while they are still connecting.
      retryStrategy: (attempt) => (this.#isClosed ? null : Math.min(REDIS_RECONNECT_MS, 50 * 2 ** attempt)),
      // Without this timeout, connections to a machine that has vanished would never end.
      socketTimeout: REDIS_SILENCE_MS,
      // ioredis always waits this long for the end of a connection, even if the connection has already ended.
      disconnectTimeout: REDIS_DISCONNECT_MS,
    });
    this.client.on('error', (error) => this.#recordError(error));
    this.client.on('close', () => this.#recordEnd());
    this.client.on('ready', () => {
      if (this.#isClosed) this.client.disconnect();
      else {
        this.#isReady = true;
        this.#endAbsence();
      }
      // After an outage, the Redis server may have other settings than before.
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

  /**
   * Returns an error as the user should see it: an error that Redis has answered becomes an OutageError, because it is no
   * internal error of boardmill.
   */
  describeError(error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof BoardmillError) return error;
    if (this.#lost !== null && isConnectionError(error)) return this.#lost;
    if (!REDIS_ERRORS.has(error.name) && !isConnectionError(error)) return error;
    return new OutageError(`Redis at ${this.label} failed: ${error.message}`, { cause: error });
  }

  /**
   * Calls `work`, which writes to Redis, and calls it again while Redis is full (reading answers makes room), or if the
   * connection has ended meanwhile. So calling `work` twice must do no harm. Gives Redis up after `patienceMs`, and fails with
   * kind `worker`, if the connection ended each time, or if Redis was full and no write of this process succeeded.
   */
  async write<Result>(work: () => Promise<Result>): Promise<Result> {
    const call: UnfinishedWrite = { beganAt: performance.now(), endedConnections: 0 };
    this.#unfinishedWrites.add(call);
    try {
      for (;;) {
        try {
          const result = await work();
          this.#wroteAt = performance.now();
          return result;
        } catch (error) {
          const reason = this.#isClosed ? null : reasonToRetry(error);
          if (reason === null) {
            for (const each of errorsIn(error)) this.#recordError(each);
            throw error;
          }
          const since = FULL.test(reason) ? Math.max(this.#wroteAt, call.beganAt) : call.beganAt;
          if (performance.now() - since > this.#options.patienceMs) {
            const message = this.#describeRefusal(reason);
            this.#lose(message);
            throw new OutageError(message, { cause: error });
          }
          await delay(REDIS_RETRY_MS);
        }
      }
    } finally {
      this.#unfinishedWrites.delete(call);
    }
  }

  /**
   * Sends several commands to Redis as one transaction, and sends them again if the connection ends meanwhile. ioredis resends
   * a single command by itself, but not a transaction of which Redis has answered a part.
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
    // If ioredis is waiting to reconnect, a disconnect now would leave the waiting commands without a result. They fail after
    // the next attempt to connect.
    if (this.client.status !== 'reconnecting') this.client.disconnect();
  }

  /** Gives up on a Redis server that deletes chunks and jobs when its memory is full. */
  async #refuseUnfit(): Promise<void> {
    const info = await this.client.info().catch((error: Error) => {
      // If the connection has ended meanwhile, this is done again. BullMQ cannot work without the right to ask for this.
      this.#recordError(error);
      return '';
    });
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? KEEPS_KEYS;
    if (policy !== KEEPS_KEYS)
      this.#lose(
        `Redis at ${this.label} may throw chunks away: its maxmemory-policy is ${policy}; set it to ${KEEPS_KEYS}: redis-cli config set maxmemory-policy ${KEEPS_KEYS}`,
      );
  }

  #recordError(error: Error): void {
    this.#lastReason = reasonOf(error);
    if (REFUSED_COMMAND.test(this.#lastReason))
      this.#lose(
        `Redis at ${this.label} refuses the user a command that boardmill needs: ${this.#lastReason}`,
      );
    if (REFUSED_LOGIN.test(this.#lastReason))
      this.#lose(`Redis at ${this.label} refuses the login: ${describeLogin(this.#lastReason)}`);
    if (NO_DATABASE.test(this.#lastReason)) {
      const { db } = this.#options.address.options;
      this.#lose(`Redis at ${this.label} has no database ${db}: ${this.#lastReason}`);
    }
  }

  #recordEnd(): void {
    if (this.#isClosed) return;
    const { patienceMs, note } = this.#options;
    // ioredis sends commands again if Redis has answered none of them, so their call does not fail, however often that happens.
    if (this.#isReady) for (const call of this.#unfinishedWrites) call.endedConnections++;
    this.#isReady = false;
    const isRefused = [...this.#unfinishedWrites].some(
      ({ beganAt, endedConnections }) => endedConnections > 1 && performance.now() - beganAt > patienceMs,
    );
    if (isRefused) {
      this.#lose(this.#describeRefusal('the connection ended each time'));
      return;
    }
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

  #describeRefusal(reason: string): string {
    return `Redis at ${this.label} takes no more bytes: ${reason}`;
  }

  #lose(message: string): void {
    if (this.#isClosed) return;
    this.#lost = new OutageError(message);
    this.close();
    this.#resolveLost(this.#lost);
  }
}

/** Redis answers to a missing password with a paragraph about its protocol. */
function describeLogin(reason: string): string {
  return reason.startsWith('NOAUTH')
    ? 'it wants a password, as in redis://:password@host or redis://user:password@host'
    : reason;
}

/** Returns the error itself, and the errors that an error of a transaction contains. */
function errorsIn(error: unknown): Error[] {
  const { previousErrors = [] } = error as { previousErrors?: readonly unknown[] };
  return [error, ...previousErrors].filter((each) => each instanceof Error);
}

/**
 * Returns the reason why a failed write can be tried again: Redis is full, or the connection has ended. Returns null for any
 * other error.
 */
function reasonToRetry(error: unknown): string | null {
  return errorsIn(error).find((each) => FULL.test(each.message) || isConnectionError(each))?.message ?? null;
}

/**
 * Returns the reason why a connection failed. If a host name has several addresses and all of them failed, Node's error has no
 * message of its own.
 */
function reasonOf(error: Error): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message.trim() || code || 'no connection';
}

/** Returns a promise that resolves with an Interrupted when a signal stops the run. */
function whenStopped(stop: AbortSignal): Promise<Interrupted> {
  if (stop.aborted) return Promise.resolve(interruptionError(stop));
  return new Promise((resolve) =>
    stop.addEventListener('abort', () => resolve(interruptionError(stop)), { once: true }),
  );
}
