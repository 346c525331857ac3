/** Adds the jobs of a run to BullMQ, and finds out how the jobs end. */
import type { Queue, QueueEvents } from 'bullmq';
import { queueName, REDIS_KEY_PREFIX, redisJobKey } from './keys.js';
import {
  MAX_FAILURE_REASON_BYTES,
  MAX_KEPT_EVENTS,
  MAX_KEPT_FAILED_JOBS,
  MAX_WORKER_PROCESS_NAME_BYTES,
  QUEUE_EXPIRY_SECONDS,
} from './limits.js';
import type { RedisLink } from './redis.js';

/** Milliseconds after which a run asks Redis again about a job whose end it may have missed. */
const REPEATED_LOOK_MS = 5000;

/**
 * How a job has ended. `unclear`: the job may have ended, so its caller should look for the answers. `unwanted`: its caller no
 * longer wants the answers.
 */
type JobEnd =
  | { readonly kind: 'unclear' | 'unwanted' }
  | { readonly kind: 'failed'; readonly reason: string };

/** A job that a worker process has had for a long time. */
interface LongJob {
  readonly id: string;
  readonly ms: number;
}

interface WaitingJob {
  /** Whether Redis has confirmed that the job was added. Until then, the job does not count as ended. */
  isAdded: boolean;
  /** Whether an event has said that the job failed. It may come before Redis has confirmed that the job was added. */
  mayHaveFailed: boolean;
  /** The time at which a worker process got the job, in milliseconds by performance.now(); null if none has it. */
  activeSince: number | null;
  readonly isWanted: () => boolean;
  readonly end: (end: JobEnd) => void;
  readonly fail: (error: Error) => void;
  /** The time at which the run last asked about the job, in milliseconds by performance.now(). */
  lookedAt: number;
}

/** The name of every job, which BullMQ requires. */
const JOB_NAME = 'chunk';

export class RunQueue {
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #link: RedisLink;
  readonly #requirementsId: string;
  readonly #waiting = new Map<string, WaitingJob>();
  #wasTaken = false;
  #failure: Error | null = null;

  constructor(link: RedisLink, requirementsId: string) {
    this.#link = link;
    this.#requirementsId = requirementsId;
    const { Queue, QueueEvents } = link.libraries.bullmq;
    const options = { connection: link.client, prefix: REDIS_KEY_PREFIX };
    this.#queue = new Queue(queueName(requirementsId), {
      ...options,
      streams: { events: { maxLen: MAX_KEPT_EVENTS } },
    });
    this.#events = new QueueEvents(queueName(requirementsId), options);
    // RedisLink reports lost connections, and BullMQ connects again by itself, so this event can be ignored.
    this.#queue.on('error', () => {});
    this.#events.on('error', () => {});
    this.#events.on('active', ({ jobId }) => this.#setActive(jobId, performance.now()));
    this.#events.on('waiting', ({ jobId }) => this.#setActive(jobId, null));
    this.#events.on('completed', ({ jobId }) => this.#end(jobId, { kind: 'unclear' }));
    // After an outage, the event of an earlier attempt may arrive while the job already waits for the next one.
    this.#events.on('failed', ({ jobId }) => {
      const waiting = this.#waiting.get(jobId);
      if (waiting !== undefined) waiting.mayHaveFailed = true;
      void this.#lookAt(jobId).catch(() => {});
    });
  }

  /** Waits until the run receives the events of BullMQ, so that it misses the end of no job. */
  async open(): Promise<void> {
    await this.#events.waitUntilReady();
  }

  /**
   * Adds a job, and resolves when the job ends, or when `isWanted` returns false. `mayExist` says whether a job with this id
   * may have been added before: by an interrupted run, or because its answers were lost. If it has not ended, it is not added
   * again. If it has, it is removed first, because BullMQ silently ignores a new job whose id it still knows.
   */
  async solve(
    id: string,
    bytes: number,
    mayExist = false,
    isWanted: () => boolean = () => true,
  ): Promise<JobEnd> {
    if (this.#failure !== null) throw this.#failure;
    const ended = new Promise<JobEnd>((end, fail) => {
      const lookedAt = performance.now();
      const waiting: WaitingJob = {
        end,
        fail,
        isWanted,
        lookedAt,
        isAdded: false,
        mayHaveFailed: false,
        activeSince: null,
      };
      this.#waiting.set(id, waiting);
      this.#addAnew(id, bytes, mayExist).then(() => {
        waiting.isAdded = true;
        if (waiting.mayHaveFailed) void this.#lookAt(id).catch(() => {});
      }, fail);
    });
    return ended.finally(() => this.#waiting.delete(id));
  }

  /** Asks about jobs that have not ended for a long time, because their end may have been missed. Returns their ids. */
  async lookAgain(): Promise<string[]> {
    for (const { isWanted, isAdded, end } of this.#waiting.values())
      if (isAdded && !isWanted()) end({ kind: 'unwanted' });
    const now = performance.now();
    const ids = [...this.#waiting]
      .filter(([, { lookedAt }]) => now - lookedAt > REPEATED_LOOK_MS)
      .map(([id]) => id);
    for (const id of ids) {
      const waiting = this.#waiting.get(id);
      if (waiting !== undefined) waiting.lookedAt = now;
      await this.#lookAt(id);
    }
    return ids;
  }

  /** Asks Redis about a job. If the job has ended, resolves the promise of its caller. */
  async #lookAt(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || !waiting.isAdded) return;
    const state = await this.#queue.getJobState(id);
    const reason =
      state === 'failed' ? await this.#readField(id, 'failedReason', MAX_FAILURE_REASON_BYTES) : '';
    if (this.#waiting.get(id) !== waiting) return;
    // The run may have missed the event about the job's start while Redis was away.
    this.#setActive(id, state === 'active' ? (waiting.activeSince ?? performance.now()) : null);
    if (state === 'failed') waiting.end({ kind: 'failed', reason });
    else if (state === 'unknown' || state === 'completed') waiting.end({ kind: 'unclear' });
  }

  /** Returns a field of a job, such as the reason of its failure; '' if no worker process writes such a long field. */
  async #readField(id: string, field: string, maxBytes: number): Promise<string> {
    const place = [redisJobKey(this.#requirementsId, id), field] as const;
    const { client } = this.#link;
    return (await client.hstrlen(...place)) > maxBytes ? '' : ((await client.hget(...place)) ?? '');
  }

  /** Returns the job that a worker process has had for the longest time; null if none has a job. */
  findLongest(): LongJob | null {
    let longest: LongJob | null = null;
    for (const [id, { activeSince }] of this.#waiting) {
      const ms = activeSince === null ? 0 : performance.now() - activeSince;
      if (ms > (longest?.ms ?? 0)) longest = { id, ms };
    }
    return longest;
  }

  /** Returns the name of the worker process that has a job; null if Redis has no valid name of a worker process for the job. */
  async readHolder(id: string): Promise<string | null> {
    // `pb` is the field in which BullMQ stores the name of the worker process.
    const name = await this.#readField(id, 'pb', MAX_WORKER_PROCESS_NAME_BYTES);
    return name === '' ? null : name;
  }

  /** Whether a worker process has taken a job of the run at any time. */
  get wasTaken(): boolean {
    return this.#wasTaken;
  }

  #setActive(id: string, since: number | null): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    waiting.activeSince = since;
    this.#wasTaken ||= since !== null;
  }

  /** Makes all waiting calls of `solve` fail with the error, and all later calls, too. */
  failAll(error: Error): void {
    this.#failure = error;
    this.failWaiting(error);
  }

  /** Makes all waiting calls of `solve` fail with the error, but not later calls. */
  failWaiting(error: Error): void {
    for (const { fail } of this.#waiting.values()) fail(error);
  }

  /** Removes a job, unless a worker process is solving it. */
  async remove(id: string): Promise<void> {
    await this.#queue.remove(id).catch(() => {});
  }

  async close(): Promise<void> {
    await Promise.all([this.#queue.close(), this.#events.close()]);
  }

  async #add(id: string, bytes: number): Promise<void> {
    await this.#queue.add(
      JOB_NAME,
      { bytes },
      {
        jobId: id,
        removeOnComplete: true,
        removeOnFail: { count: MAX_KEPT_FAILED_JOBS, age: 3600 },
        stackTraceLimit: 0,
      },
    );
    await this.#link.client.expire(redisJobKey(this.#requirementsId, id), QUEUE_EXPIRY_SECONDS);
  }

  /** Adds a job, even if BullMQ still knows an ended job with this id. */
  async #addAnew(id: string, bytes: number, mayExist: boolean): Promise<void> {
    const state = mayExist ? await this.#queue.getJobState(id) : 'unknown';
    if (state === 'failed' || state === 'completed') await this.remove(id);
    if (this.#failure !== null) throw this.#failure;
    await this.#link.write(() => this.#add(id, bytes));
  }

  #end(id: string, end: JobEnd): void {
    this.#waiting.get(id)?.end(end);
  }
}
