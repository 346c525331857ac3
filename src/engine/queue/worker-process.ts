/**
 * A worker process of `boardmill worker`: takes chunks from Redis, gives them to a dispatcher of its own, and writes the
 * answers back.
 *
 * The worker process's main thread never solves. It must renew its locks on the chunks, and BullMQ gives a chunk to another
 * worker process if a lock is not renewed in time.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { OutageError } from '../../core/errors.js';
import { version } from '../../core/version.js';
import type { Dispatcher } from '../dispatcher.js';
import { AllowedInputFolders } from './allowed-inputs.js';
import { ChunkMemoryBudget } from './chunk-memory.js';
import {
  ORDERLY_END_MS,
  PRESENCE_INTERVAL_MS,
  PRESENCE_LOOK_INTERVAL_MS,
  PRESENCE_SECONDS,
  REDIS_PATIENCE_MS,
  WORKER_SHUTDOWN_TIMEOUT_MS,
} from './limits.js';
import { announceWorker, listRequirementIds, readRequirementsText, removeWorker } from './presence.js';
import { type RedisAddress, RedisLink } from './redis.js';
import { type RunRequirements, readRequirements } from './requirements.js';
import { SolvingSlots } from './slots.js';
import { succeedsWithinTime } from './within-time.js';
import type { WorkerEvent } from './worker-log.js';
import { type ServiceCounts, WorkerService } from './worker-service.js';

/** Largest length of the reason why a worker process refuses a run, in characters. */
export const MAX_REFUSAL_CHARS = 500;

/** Largest number of runs that a worker process serves at the same time. Each has its own threads and connections. */
export const MAX_RUNS_OF_WORKER_PROCESS = 16;

/** Largest number of runs for which a worker process remembers whether it accepts them. */
export const MAX_KNOWN_RUNS = 100;

/** Milliseconds after which a worker process checks its files again for a run that it has refused and that is still present. */
const REFUSAL_REPEAT_MS = 1000;

/** Whether a worker process meets requirements: a function that opens a dispatcher for them, or the reason why it does not. */
export type Admission = { readonly open: () => Promise<Dispatcher> } | { readonly refusal: string };

export interface WorkerOptions {
  readonly address: RedisAddress;
  /** Number of chunks that the worker process solves at the same time, for all runs together. */
  readonly jobs: number;
  /** Decides whether the operator of the worker process allows it to solve a run with these requirements. */
  readonly admit: (requirements: RunRequirements) => Promise<Admission>;
  /** The inputs that the worker process may read for runs with `--shared-input`; missing if it may read none. */
  readonly inputs?: AllowedInputFolders;
  readonly log: (event: WorkerEvent) => void;
  /** For tests, a version in place of the version of this boardmill. */
  readonly version?: string;
  /** For tests, a value in place of REDIS_PATIENCE_MS. */
  readonly patienceMs?: number;
  /**
   * Milliseconds in which the worker process may finish chunks before it ends. If missing, WORKER_SHUTDOWN_TIMEOUT_MS less the
   * time for removing its data from Redis.
   */
  readonly drainMs?: number;
}

/** What a worker process has done so far, and what it is doing. */
export interface WorkerHealth extends ServiceCounts {
  readonly runs: number;
  readonly rssBytes: number;
  readonly uptimeSeconds: number;
}

/** Milliseconds for which a worker process keeps the worker threads for a run that is no longer present in Redis. */
const IDLE_SERVICE_MS = 2 * PRESENCE_SECONDS * 1000;

/** Redis deletes what a run needs soon after the run. Nobody but boardmill writes it, unless somebody forges it. */
const NO_REQUIREMENTS = 'what the run needs is no longer in Redis, or is not written as boardmill writes it';

export class WorkerProcess {
  readonly #options: WorkerOptions;
  readonly #link: RedisLink;
  readonly #id = randomUUID();
  readonly #name = `${hostname()} (process ${process.pid}, ${this.#id.slice(0, 4)})`;
  readonly #services = new Map<string, WorkerService>();
  readonly #verdicts = new Map<string, string | null>();
  readonly #counts = { chunksDone: 0, chunksFailed: 0 };
  readonly #slots: SolvingSlots;
  readonly #memory: ChunkMemoryBudget;
  readonly #seenAt = new Map<string, number>();
  /** The time at which the worker process last checked requirements, by their id, in milliseconds by performance.now(). */
  readonly #judgedAt = new Map<string, number>();
  readonly #startedAt = performance.now();
  #isStopping = false;

  /** Connects to Redis. Fails with kind `worker` if Redis cannot be reached, and with kind `interrupted` after a signal. */
  static async open(options: WorkerOptions, stop: AbortSignal): Promise<WorkerProcess> {
    const note = (message: string) => options.log({ level: 'warn', event: 'redis', message });
    const { address, patienceMs = REDIS_PATIENCE_MS } = options;
    return new WorkerProcess(options, await RedisLink.open({ address, patienceMs, note }, stop));
  }

  private constructor(options: WorkerOptions, link: RedisLink) {
    this.#options = options;
    this.#memory = new ChunkMemoryBudget(options.jobs);
    this.#link = link;
    this.#slots = new SolvingSlots(options.jobs);
  }

  get name(): string {
    return this.#name;
  }

  get health(): WorkerHealth {
    const inFlight = [...this.#services.values()].reduce((sum, { inFlight }) => sum + inFlight, 0);
    return {
      ...this.#counts,
      inFlight,
      runs: this.#services.size,
      rssBytes: process.memoryUsage.rss(),
      uptimeSeconds: Math.round((performance.now() - this.#startedAt) / 1000),
    };
  }

  /** Serves runs until `stop` is aborted. Fails with kind `worker` if Redis is away for too long. */
  async serve(stop: AbortSignal): Promise<void> {
    if (stop.aborted) return;
    const stopped = once(stop, 'abort').then(() => null);
    const lost = await Promise.race([this.#link.whenLost, this.#serveRuns(), stopped]);
    if (lost !== null) throw lost;
  }

  /** Looks for runs, and writes signs of life into Redis, until the worker process stops. */
  async #serveRuns(): Promise<null> {
    let announcedAt = Number.NEGATIVE_INFINITY;
    while (!this.#isStopping) {
      try {
        const hasNews = await this.#lookForRuns();
        if (hasNews || performance.now() - announcedAt > PRESENCE_INTERVAL_MS) {
          await this.#announce();
          announcedAt = performance.now();
        }
      } catch (error) {
        // Redis may be unreachable for a moment. If it stays away, RedisLink reports it.
        if (!(this.#link.describeError(error) instanceof OutageError)) throw error;
      }
      await delay(PRESENCE_LOOK_INTERVAL_MS);
    }
    return null;
  }

  /**
   * Finishes the chunks that are being solved, and ends, within WORKER_SHUTDOWN_TIMEOUT_MS. Returns the number of chunks that
   * it has not finished.
   */
  async close(): Promise<number> {
    this.#isStopping = true;
    const services = [...this.#services.values()];
    // If Redis is away, a worker process that has no chunks ends without waiting for Redis.
    const { drainMs = WORKER_SHUTDOWN_TIMEOUT_MS - ORDERLY_END_MS } = this.#options;
    const patienceMs = this.health.inFlight === 0 ? ORDERLY_END_MS : drainMs;
    if (this.#link.lost === null) await succeedsWithinTime(patienceMs, this.#drain(services));
    const unfinished = this.health.inFlight;
    await Promise.all(services.map((service) => service.close()));
    this.#link.close();
    return unfinished;
  }

  async #drain(services: readonly WorkerService[]): Promise<void> {
    await Promise.all([removeWorker(this.#link, this.#id), ...services.map((service) => service.drain())]);
  }

  /** Begins to serve new runs, and ends its service for runs that are over. Returns whether there was a new run. */
  async #lookForRuns(): Promise<boolean> {
    let hasNews = false;
    const now = performance.now();
    for (const id of await listRequirementIds(this.#link)) {
      const before = this.#verdicts.get(id);
      if (before !== undefined) this.#seenAt.set(id, now);
      if (!this.#isDue(id) || !this.#hasRoomFor(before)) continue;
      this.#seenAt.set(id, now);
      const verdict = await this.#begin(id, before);
      this.#verdicts.set(id, verdict);
      this.#judgedAt.set(id, performance.now());
      hasNews ||= verdict !== before;
    }
    for (const [id, seenAt] of this.#seenAt) {
      const isOver = now - seenAt > IDLE_SERVICE_MS || this.#services.get(id)?.isSpoiled === true;
      if (isOver) await this.#end(id);
    }
    return hasNews;
  }

  /**
   * Whether the worker process should check the requirements with this id: if they are new, or if it has refused them and its
   * operator may have repaired the files since.
   */
  #isDue(id: string): boolean {
    const verdict = this.#verdicts.get(id);
    if (typeof verdict !== 'string') return verdict === undefined;
    return performance.now() - (this.#judgedAt.get(id) ?? 0) > REFUSAL_REPEAT_MS;
  }

  /**
   * Whether the worker process can serve another run, on which it had the verdict `before`. If not, the run waits until other
   * runs are over.
   */
  #hasRoomFor(before: string | null | undefined): boolean {
    const isKnown = before !== undefined || this.#verdicts.size < MAX_KNOWN_RUNS;
    return isKnown && this.#services.size < MAX_RUNS_OF_WORKER_PROCESS && !this.#isStopping;
  }

  /**
   * Begins to serve the runs with the requirements of this id. Returns null, or the reason why the worker process refuses them.
   * `before` is the result of the previous call for this id.
   */
  async #begin(id: string, before?: string | null): Promise<string | null> {
    const text = await readRequirementsText(this.#link, id);
    const found = text === null ? NO_REQUIREMENTS : await this.#tryToBegin(id, text);
    const refusal = found?.slice(0, MAX_REFUSAL_CHARS) ?? null;
    if (refusal === before) return refusal;
    const { log } = this.#options;
    if (refusal === null) log({ level: 'info', event: 'run', message: `solves run ${id}`, run: id });
    else
      log({
        level: 'warn',
        event: 'refused',
        message: `refuses run ${id}: ${refusal}`,
        run: id,
        reason: refusal,
      });
    return refusal;
  }

  async #tryToBegin(id: string, text: string): Promise<string | null> {
    const { jobs, admit, inputs = AllowedInputFolders.none, log } = this.#options;
    const read = readRequirements(id, text, this.#options.version ?? version());
    if ('unreadable' in read) return read.unreadable;
    try {
      const verdict = await admit(read.requirements);
      if ('refusal' in verdict) return verdict.refusal;
      const dispatcher = await verdict.open();
      if (this.#isStopping) {
        await dispatcher.close();
        return 'the worker process is ending';
      }
      const service = new WorkerService(this.#link, {
        id,
        dispatcher,
        jobs,
        inputs,
        slots: this.#slots,
        memory: this.#memory,
        counts: this.#counts,
        log,
        process: { id: this.#id, name: this.#name },
      });
      this.#services.set(id, service);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #end(id: string): Promise<void> {
    const service = this.#services.get(id);
    if (service !== undefined && service.inFlight > 0) return;
    this.#seenAt.delete(id);
    this.#verdicts.delete(id);
    this.#judgedAt.delete(id);
    this.#services.delete(id);
    await service?.close();
  }

  async #announce(): Promise<void> {
    // A sign of life that is written after the worker process has removed its data would stay in Redis for PRESENCE_SECONDS.
    if (this.#isStopping) return;
    const { jobs } = this.#options;
    const verdicts = Object.fromEntries(this.#verdicts);
    await announceWorker(this.#link, { id: this.#id, name: this.#name, jobs, verdicts });
  }
}
