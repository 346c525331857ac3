/**
 * The service of a worker process for all runs with the same requirements: takes their chunks one by one, solves them, and
 * writes the answers.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Job, Worker } from 'bullmq';
import { OutageError } from '../../core/errors.js';
import { copyHeadToSharedMemory } from '../cut/task-head.js';
import type { Dispatcher } from '../dispatcher.js';
import type { ChunkResult, InputHeadOfTask } from '../messages.js';
import type { AllowedInputFolders } from './allowed-inputs.js';
import { createAnswerFrame } from './answer-frame.js';
import { ChunkBuffers } from './chunk-buffers.js';
import { BadChunkError, readSharedInputRange } from './chunk-frame.js';
import type { ChunkMemoryBudget } from './chunk-memory.js';
import { type PackedAnswers, withQueueFrame, writeAnswersToRedis } from './exchange.js';
import { packQueueFrame, type QueueFrame } from './frame.js';
import { createJobFailure, printJobFailure } from './job-failure.js';
import { type ChunkOfJob, readJobFrame } from './job-frame.js';
import { queueName, REDIS_KEY_PREFIX, redisKeyOfJobChunks } from './keys.js';
import { MAX_KEPT_FAILED_JOBS, ORDERLY_END_MS, QUEUED_CHUNK_TARGET_MS } from './limits.js';
import type { WorkerProcessIdentity } from './presence.js';
import { isConnectionError, type RedisLink } from './redis.js';
import type { SolvingSlots } from './slots.js';
import { succeedsWithinTime } from './within-time.js';
import type { WorkerEvent } from './worker-log.js';

/**
 * A worker process that has not renewed its lock on a chunk for LOCK_MS has lost it: another worker process gets the chunk, at
 * most twice LOCK_CHECK_MS later (BullMQ skips a check that comes a little too early). If more than MAX_LOST_WORKER_PROCESSES
 * worker processes have lost the same chunk, the chunk fails.
 */
const LOCK_MS = 10_000;
const LOCK_CHECK_MS = 2000;
const MAX_LOST_WORKER_PROCESSES = 3;

/**
 * If a worker process has no slot for a chunk within SLOT_PATIENCE_MS, it puts the chunk back for other worker processes. It
 * then takes no other chunk in its place for REST_MS. BullMQ renews the lock of a chunk later than that.
 */
const SLOT_PATIENCE_MS = 1000;
const REST_MS = 1000;

/**
 * Milliseconds after which a worker process begins no further chunk of a job. Several chunks take so long only if their cases
 * have become harder. The run then sends the others again, so that several workers share them.
 */
const MAX_SHARED_JOB_MS = 2 * QUEUED_CHUNK_TARGET_MS;

/** Milliseconds between two errors of BullMQ in the log. */
const ERROR_LOG_MS = 10_000;

/** Counts of chunks. Several chunks that came in one job count once while they are in flight. */
export interface ServiceCounts {
  readonly chunksDone: number;
  readonly chunksFailed: number;
  readonly inFlight: number;
}

interface ServiceOptions {
  /** The id of the requirements. */
  readonly id: string;
  readonly dispatcher: Dispatcher;
  /** Number of chunks that the worker process may solve at the same time. */
  readonly jobs: number;
  readonly inputs: AllowedInputFolders;
  /** The slots of the worker process, which all its services share. */
  readonly slots: SolvingSlots;
  /** Bounds the memory for chunks of all services of the worker process together. */
  readonly memory: ChunkMemoryBudget;
  /** The counts of chunks of the worker process, to which the service adds its own. */
  readonly counts: { chunksDone: number; chunksFailed: number };
  readonly log: (event: WorkerEvent) => void;
  /** The worker process itself. */
  readonly process: WorkerProcessIdentity;
}

/** Largest number of reasons for refused parts of shared inputs that are logged, each once. */
const MAX_LOGGED_SECRETS = 100;

/** Largest length of the id of a chunk, in characters. A job with a longer id was not written by boardmill. */
const MAX_ID_CHARS = 40;

/** The error of a chunk, beside other chunks of its job. */
class FailedChunk extends Error {
  constructor(
    readonly chunkId: string,
    override readonly cause: unknown,
  ) {
    super();
  }
}

/** The results of the first chunks of a job. */
interface SolvedInTurn {
  readonly results: readonly { readonly chunkId: string; readonly result: ChunkResult }[];
  /** The failure of the next chunk; null if the job has no more chunks, or no more time. */
  readonly failure: FailedChunk | null;
}

export class WorkerService {
  readonly #link: RedisLink;
  readonly #options: ServiceOptions;
  readonly #worker: Worker;
  readonly #buffers = new ChunkBuffers();
  #head: InputHeadOfTask = { number: 0, bytes: null };
  #inFlight = 0;
  #isSpoiled = false;
  /** The reasons that the service has logged why it could not read a shared input, and that the run is not told. */
  readonly #loggedSecrets = new Set<string>();
  #isClosed = false;
  /** When the next error of BullMQ may be logged, in milliseconds by performance.now(). */
  #mayLogErrorAt = 0;
  /** Aborted when the service takes no more chunks. */
  readonly #draining = new AbortController();

  constructor(link: RedisLink, options: ServiceOptions) {
    this.#link = link;
    this.#options = options;
    const { Worker } = link.libraries.bullmq;
    this.#worker = new Worker(queueName(options.id), (job, token) => this.#process(job, token), {
      connection: link.client,
      prefix: REDIS_KEY_PREFIX,
      // By this name, a run learns from BullMQ which worker process has a chunk.
      name: options.process.name,
      // The service fetches one chunk more than there are workers, so that no worker has to wait for Redis.
      concurrency: options.jobs + 1,
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_CHECK_MS,
      maxStalledCount: MAX_LOST_WORKER_PROCESSES,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: MAX_KEPT_FAILED_JOBS, age: 3600 },
    });
    this.#worker.on('error', (error) => this.#logError(error));
    this.#worker.on('stalled', (id) =>
      this.#log('warn', 'lost-worker', `takes over chunk ${id} of a worker process that was lost`),
    );
  }

  /** Whether a file that the service depends on has changed, so that the worker process should check the requirements again. */
  get isSpoiled(): boolean {
    return this.#isSpoiled;
  }

  /** Number of chunks that the worker process has taken and not answered yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Takes no more chunks, and waits for the chunks that are being solved. */
  async drain(): Promise<void> {
    this.#draining.abort();
    // BullMQ's `pause` is not used: it would connect again when the last job ends, even after `close`, and keep the process
    // from ending.
    await this.#worker.close();
  }

  /** Ends the service and its workers. Chunks that are still being solved go to other worker processes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#draining.abort();
    await succeedsWithinTime(ORDERLY_END_MS, this.#worker.close(true));
    await this.#options.dispatcher.close();
  }

  async #process(job: Job, token: string | undefined): Promise<void> {
    if (this.#isSpoiled) return this.#putBack(job, token);
    this.#inFlight++;
    const isDone = await this.#solve(job.id!, job.stalledCounter > 0).finally(() => this.#inFlight--);
    if (!isDone) await this.#putBack(job, token);
  }

  /**
   * Solves the job with this id. `wasLost` says whether another worker process has lost it. Returns whether the job is done
   * with; if not, another worker process should get it.
   */
  async #solve(id: string, wasLost: boolean): Promise<boolean> {
    try {
      const { memory } = this.#options;
      return await withQueueFrame(this.#link, redisKeyOfJobChunks(id), memory.received, (frame) =>
        this.#solveFrame(id, frame, wasLost),
      );
    } catch (error) {
      if (this.#isClosed) return true;
      if (error instanceof OutageError) return this.#leave(error);
      this.#options.counts.chunksFailed++;
      throw error instanceof FailedChunk
        ? this.#failureOf(error.chunkId, error.cause)
        : this.#failureOf(id, error);
    }
  }

  /** Logs an error of BullMQ. It asks a Redis server that is full again without a pause, so most of its errors are left out. */
  #logError(error: Error): void {
    if (isConnectionError(error) || performance.now() < this.#mayLogErrorAt) return;
    this.#mayLogErrorAt = performance.now() + ERROR_LOG_MS;
    this.#log('warn', 'queue', `run ${this.#options.id}: BullMQ: ${error.message}`);
  }

  /** Takes no more chunks until the worker process has checked its files again. Returns false: the chunk was not answered. */
  #leave({ message }: OutageError): false {
    this.#isSpoiled = true;
    this.#log('warn', 'left', `leaves run ${this.#options.id}: ${message}`);
    return false;
  }

  /** Puts a chunk back into the queue, and pauses, so that another worker process gets the chunk. */
  async #putBack(job: Job, token: string | undefined): Promise<never> {
    // If this command fails, another worker process gets the chunk as soon as the lock on it has expired.
    await job.moveToWait(token).catch(() => {});
    await delay(REST_MS, null, { signal: this.#draining.signal }).catch(() => {});
    throw new this.#link.libraries.bullmq.WaitingError();
  }

  /**
   * Solves the job with this id from its frame. The frame is null if Redis has deleted it because no run has asked for it for a
   * long time, or if it has another size than it states. If the frame is null or was changed by somebody else, the job ends
   * without answers, and a run that still wants them sends the chunks again. Returns whether the job is done with.
   */
  async #solveFrame(id: string, frame: QueueFrame | null, wasLost: boolean): Promise<boolean> {
    const chunks = frame && readJobFrame(frame, id, this.#options.id);
    if (chunks === null) {
      await this.#logUnusable(id);
      return true;
    }
    if (chunks.some(({ notOn }) => notOn.includes(this.#options.process.id))) return false;
    if (chunks.length === 1) return this.#answerChunks(id, chunks);
    // One of the chunks may have ended the other worker process. Without answers, each of them is sent again alone.
    if (wasLost) return true;
    return this.#answerChunks(id, chunks);
  }

  async #logUnusable(id: string): Promise<void> {
    const isThere = (await this.#link.client.exists(redisKeyOfJobChunks(id))) === 1;
    const what = isThere ? 'in Redis is not as its run has written it' : 'is no longer in Redis';
    const event = isThere ? 'bad-chunk' : 'lost-chunk';
    this.#log('warn', event, `chunk ${id.slice(0, MAX_ID_CHARS)} ${what}`);
  }

  /** Solves chunks, and writes their answers into Redis. Returns whether there was a slot for them. */
  async #answerChunks(jobId: string, chunks: readonly ChunkOfJob[]): Promise<boolean> {
    const { memory, counts } = this.#options;
    const sharedBytes = chunks.reduce((sum, { range }) => sum + (range?.bytes ?? 0), 0);
    const solved = await memory.use({ bytes: sharedBytes }, async () => {
      const loaded = await this.#load(chunks);
      try {
        return await this.#solveInSlot(loaded);
      } finally {
        for (const { bytes } of loaded) this.#buffers.release(bytes);
      }
    });
    if (solved === null) return false;
    await writeAnswersToRedis(this.#link, jobId, await this.#packAnswers(solved));
    counts.chunksDone += solved.results.length;
    if (solved.failure !== null) throw solved.failure;
    return true;
  }

  /** Copies the bytes of chunks to shared memory, from Redis or from a shared input. */
  #load(chunks: readonly ChunkOfJob[]): Promise<ChunkOfJob[]> {
    const { inputs } = this.#options;
    return Promise.all(
      chunks.map(async (chunk) => {
        const { range } = chunk;
        const bytes = range === null ? chunk.bytes : await readSharedInputRange(range, inputs);
        return { ...chunk, bytes: this.#buffers.store(bytes) };
      }),
    );
  }

  /**
   * Solves chunks one after another; returns null if there was no slot. The slot is held only while chunks are solved, not
   * while their bytes are read or their answers are written.
   */
  async #solveInSlot(chunks: readonly ChunkOfJob[]): Promise<SolvedInTurn | null> {
    const { slots } = this.#options;
    if (!(await slots.take(SLOT_PATIENCE_MS))) return null;
    return this.#solveInTurn(chunks).finally(() => slots.giveBack());
  }

  /** Solves chunks one after another, until one fails. If there are several, it also ends when they take too long. */
  async #solveInTurn(chunks: readonly ChunkOfJob[]): Promise<SolvedInTurn> {
    const endAt = performance.now() + MAX_SHARED_JOB_MS;
    const results: { chunkId: string; result: ChunkResult }[] = [];
    for (const chunk of chunks) {
      if (results.length > 0 && performance.now() > endAt) break;
      try {
        results.push({ chunkId: chunk.id, result: await this.#solveChunk(chunk) });
      } catch (error) {
        if (error instanceof OutageError) throw error;
        return { results, failure: new FailedChunk(chunk.id, error) };
      }
    }
    return { results, failure: null };
  }

  #packAnswers({ results }: SolvedInTurn): Promise<PackedAnswers[]> {
    const { process } = this.#options;
    return Promise.all(
      results.map(async ({ chunkId, result }) => ({
        chunkId,
        bytes: await packQueueFrame(createAnswerFrame(chunkId, process, result)),
      })),
    );
  }

  #solveChunk({ id: _, range: __, notOn: ___, head, ...chunk }: ChunkOfJob): Promise<ChunkResult> {
    return this.#options.dispatcher.solve({ ...chunk, head: this.#shareHead(head) });
  }
  /** Returns the same object for all chunks with the same head, because workers then parse the head only once. */
  #shareHead(head: Uint8Array | null): InputHeadOfTask {
    const { bytes } = this.#head;
    const isSame = head !== null && bytes !== null && Buffer.compare(head, bytes) === 0;
    if (this.#head.number === 0 || !(isSame || (head === null && bytes === null)))
      this.#head = copyHeadToSharedMemory(head);
    return this.#head;
  }

  /** Returns the error with which a job ends because the chunk with this id has failed, and logs it. */
  #failureOf(id: string, error: unknown): Error {
    const failure = createJobFailure(this.#options.process, id, error);
    const secret = error instanceof BadChunkError ? error.secret : null;
    if (secret === null || this.#isNewSecret(secret)) {
      const reason = secret === null ? '' : `: ${secret}; it says so once`;
      this.#log('warn', 'chunk-failed', `has not solved chunk ${id}: ${failure.reason}${reason}`);
    }
    return new this.#link.libraries.bullmq.UnrecoverableError(printJobFailure(failure));
  }

  /**
   * Whether a reason was not logged before: if the worker process cannot read one part of a shared input, it mostly cannot
   * read the others either. After MAX_LOGGED_SECRETS reasons, which only a forged run has, no other one counts as new.
   */
  #isNewSecret(secret: string): boolean {
    if (this.#loggedSecrets.has(secret) || this.#loggedSecrets.size >= MAX_LOGGED_SECRETS) return false;
    this.#loggedSecrets.add(secret);
    return true;
  }

  #log(level: WorkerEvent['level'], event: string, message: string): void {
    this.#options.log({ level, event, message, run: this.#options.id });
  }
}
