/**
 * The dispatcher of `--queue`: worker processes solve the chunks, which they get through BullMQ on a Redis server. Order,
 * retries and recovery are the engine's, as with every dispatcher.
 *
 * BullMQ knows only jobs. A job has one chunk, or several consecutive chunks if they are solved quickly (see outbox.ts). If one
 * of several fails, the job ends with the answers to those before it. Each of the others is sent again, alone in a job.
 *
 * A chunk may be solved more than once, because a worker process may die, or lose its lock while it is frozen. That does no
 * harm: the id of a chunk is a digest of the run and of all that the answers depend on. So all answers to a chunk with the same
 * id are the same, and the run takes any of them.
 */
import { randomUUID } from 'node:crypto';
import { MIB } from '../../core/bytes.js';
import { type Interrupted, OutageError } from '../../core/errors.js';
import { type CaseRange, describeCaseRange } from '../../core/range.js';
import { interruptionError } from '../../core/stop.js';
import type { ChunkCutting } from '../cut/chunk-size.js';
import { ChunkFailure, Dispatcher } from '../dispatcher.js';
import type { ChunkResult, ChunkTask } from '../messages.js';
import { type ReceivedResult, readAnswerFrame, type SentChunk } from './answer-frame.js';
import { ByteBudget } from './byte-budget.js';
import { createChunkFrame, idOfChunk } from './chunk-frame.js';
import { RunExchange, withQueueFrame } from './exchange.js';
import { packQueueFrame, type QueueFrame } from './frame.js';
import { parseFailedAttempt } from './job-failure.js';
import { createJobFrame, idOfQueueJob } from './job-frame.js';
import { JobSize } from './job-size.js';
import { extendQueueExpiry, redisAnswerKey } from './keys.js';
import {
  MAX_QUEUED_CHUNK_BYTES,
  ORDERLY_END_MS,
  PRESENCE_INTERVAL_MS,
  PRESENCE_LOOK_INTERVAL_MS,
  QUEUED_CHUNK_TARGET_MS,
  REDIS_PATIENCE_MS,
} from './limits.js';
import { type ChunkForJob, JobOutbox } from './outbox.js';
import { announceRun } from './presence.js';
import { type RedisAddress, RedisLink } from './redis.js';
import { idOfRequirements, type RunRequirements } from './requirements.js';
import { RunQueue } from './run-queue.js';
import { SecondOpinion, type SolvingAttempt } from './second-opinion.js';
import { succeedsWithinTime } from './within-time.js';
import { WorkerWatch } from './worker-watch.js';

/**
 * Number of jobs that a run may have in Redis for each worker: one that the worker solves, one that its worker process has
 * fetched, and one that waits. If there are few workers, it may have MIN_QUEUED_JOBS.
 */
const QUEUED_JOBS_PER_WORKER = 3;
const MIN_QUEUED_JOBS = 16;

/**
 * Largest total size of the chunks that a run has in Redis, unless a single chunk is larger. The answers to these chunks come
 * on top; they are deleted as soon as the run has read them.
 */
const MAX_BYTES_IN_REDIS = 64 * MIB;

/**
 * Milliseconds after which the run tells the user that a worker process still has a chunk; again whenever the time has doubled.
 */
const LONG_CHUNK_NOTE_MS = 30_000;

/** Largest total size of the answers that a run unpacks at the same time, unless the answers to a single chunk are larger. */
const MAX_BYTES_OF_ANSWERS = 256 * MIB;

/**
 * Largest total size of the chunks that a run gives out before their answers arrive. It exceeds MAX_BYTES_IN_REDIS, because
 * Redis has chunks in packed form, and hardly any bytes of a shared input.
 */
const MAX_BYTES_GIVEN_OUT = 1024 * MIB;

/** Number of times that a run sends a chunk again whose answers it could not read. */
const MAX_LOST_ANSWERS = 5;

/** A chunk on its way to a worker process. */
interface OutgoingChunk extends SentChunk, ChunkForJob {
  readonly frame: QueueFrame;
  /** Whether a worker process may have got the chunk before: from the run that this run continues, or from this run. */
  readonly mayBeKnown: boolean;
  readonly isWanted: () => boolean;
}

/** What has become of a chunk in a job. `lost`: it has no answers, and the run should send it again, alone. */
type ChunkEnd =
  | { readonly kind: 'tried'; readonly attempt: SolvingAttempt }
  | { readonly kind: 'unwanted' | 'lost' };

/** A job that the run has in Redis. */
interface SentJob {
  readonly id: string;
  readonly chunks: readonly OutgoingChunk[];
}

export interface QueueOptions {
  readonly address: RedisAddress;
  readonly requirements: RunRequirements;
  /** Number of workers, on all worker processes together, for which the run sends chunks at most; null if there is no limit. */
  readonly maxWorkers: number | null;
  /** Whether the user has chosen the size of the chunks; missing if it adapts to the cost of their cases. */
  readonly isChunkSizeFixed?: boolean;
  /** Receives messages that the user should see although nothing failed. */
  readonly note: (message: string) => void;
  /**
   * Aborted with the name of a signal that stops the run. After that, the run does not wait for chunks that no worker process
   * can finish.
   */
  readonly stop?: AbortSignal;
  /** Milliseconds that the run waits for its first worker process; missing or null if it waits without end. */
  readonly waitWorkersMs?: number | null;
  /** For tests, a value in place of REDIS_PATIENCE_MS. */
  readonly redisPatienceMs?: number;
  /** For tests, a value in place of LONG_CHUNK_NOTE_MS. */
  readonly longChunkNoteMs?: number;
  /** For tests, a value in place of MAX_BYTES_IN_REDIS. */
  readonly maxBytesInRedis?: number;
}

/**
 * Returns how an input is cut for a queue: a chunk takes about half a second, and a resumed run cuts the input at the same
 * places. A program gets as many cases in one run as without a queue.
 */
function cuttingFor({ program }: RunRequirements): ChunkCutting {
  return {
    targetMs: QUEUED_CHUNK_TARGET_MS,
    maxBytes: MAX_QUEUED_CHUNK_BYTES,
    isAligned: true,
    caseMultiple: program?.casesPerRun ?? 1,
  };
}

/** The end of the error message of a stopped run if no worker process could finish the last chunks. */
const WITHOUT_WORKERS = '; no worker process was there to finish what it had begun';

export class QueueDispatcher extends Dispatcher {
  readonly cutting: ChunkCutting;
  readonly maxCasesPerChunk = null;
  readonly narrowsByHalves: boolean;
  readonly solveByteRange = null;
  readonly #options: QueueOptions;
  readonly #link: RedisLink;
  readonly #requirementsId: string;
  readonly #queue: RunQueue;
  readonly #exchange: RunExchange;
  readonly #workerProcesses: WorkerWatch;
  readonly #budget: ByteBudget;
  readonly #answerBudget = new ByteBudget(MAX_BYTES_OF_ANSWERS);
  readonly #secondOpinion: SecondOpinion;
  /** The name of the run for chunks whose output no later run can continue. */
  readonly #runId = randomUUID();
  readonly #running = new Map<string, Promise<SolvingAttempt | null>>();
  /** Total size of the chunks that the run has given out and that are not solved yet, in bytes. */
  #bytesGivenOut = 0;
  readonly #jobSize: JobSize;
  readonly #outbox: JobOutbox<OutgoingChunk, ChunkEnd>;
  /** The jobs that the run has in Redis, by their ids. */
  readonly #sent = new Map<string, SentJob>();
  /** Milliseconds after which the run next tells the user that a chunk takes long. */
  #nextNoteMs: number;
  readonly #timers: NodeJS.Timeout[] = [];
  #failure: OutageError | Interrupted | null = null;

  /** Connects to Redis and writes the requirements of the run there. Fails with kind `worker` if Redis cannot be reached. */
  static async open(options: QueueOptions): Promise<QueueDispatcher> {
    const { address, note, stop, redisPatienceMs: patienceMs = REDIS_PATIENCE_MS } = options;
    const link = await RedisLink.open({ address, patienceMs, note }, stop);
    const dispatcher = new QueueDispatcher(link, options);
    try {
      await Promise.race([dispatcher.#begin(), link.whenLost.then((error) => Promise.reject(error))]);
      return dispatcher;
    } catch (error) {
      await dispatcher.close();
      throw link.describeError(error);
    }
  }

  private constructor(link: RedisLink, options: QueueOptions) {
    super();
    this.#options = options;
    this.cutting = cuttingFor(options.requirements);
    this.narrowsByHalves = options.requirements.program !== null;
    this.#link = link;
    this.#requirementsId = idOfRequirements(options.requirements);
    this.#queue = new RunQueue(link, this.#requirementsId);
    this.#exchange = new RunExchange(link);
    this.#budget = new ByteBudget(options.maxBytesInRedis ?? MAX_BYTES_IN_REDIS);
    this.#workerProcesses = new WorkerWatch(
      link,
      this.#requirementsId,
      options.note,
      options.waitWorkersMs ?? null,
    );
    this.#secondOpinion = new SecondOpinion(
      this.#workerProcesses,
      (...chunk) => this.#send(...chunk),
      options.note,
    );
    this.#jobSize = new JobSize(options.isChunkSizeFixed ?? false);
    this.#outbox = new JobOutbox({
      size: this.#jobSize,
      enoughJobs: () => Math.min(this.lastChunks, this.#maxJobs),
      maxJobs: () => this.#maxJobs,
      send: (chunks) => this.#sendJob(chunks),
    });
    this.#nextNoteMs = this.#firstNoteMs;
    void link.whenLost.then((error) => this.#fail(error));
  }

  get #firstNoteMs(): number {
    return this.#options.longChunkNoteMs ?? LONG_CHUNK_NOTE_MS;
  }

  get maxChunksAtOnce(): number {
    if (this.#bytesGivenOut >= MAX_BYTES_GIVEN_OUT) return Math.max(1, this.#running.size);
    return this.#maxJobs * this.#jobSize.mostChunks;
  }

  /** Largest number of jobs that the run may have in Redis. */
  get #maxJobs(): number {
    const { maxWorkers } = this.#options;
    const wanted = Math.max(MIN_QUEUED_JOBS, QUEUED_JOBS_PER_WORKER * this.#workerProcesses.workers);
    return maxWorkers === null ? wanted : Math.min(wanted, QUEUED_JOBS_PER_WORKER * maxWorkers);
  }

  get lastChunks(): number {
    return QUEUED_JOBS_PER_WORKER * Math.max(1, this.#workerProcesses.workers);
  }

  get mostWorkers(): number {
    return this.#workerProcesses.mostWorkers;
  }

  solve(task: ChunkTask): Promise<ChunkResult> {
    return this.#secondOpinion.solve(task);
  }

  /** Lets a worker process solve a chunk. See `Send` for the parameters. */
  async #send(
    task: ChunkTask,
    notOn: readonly string[],
    isWanted: (() => boolean) | null,
  ): Promise<SolvingAttempt | null> {
    const named = { ...task, runId: task.run?.id ?? this.#runId };
    const frame = createChunkFrame(named, this.#options.requirements.isInputShared, notOn);
    const id = idOfChunk(this.#requirementsId, frame);
    // Two inputs of this run may have equal chunks with the same id, if no later run can continue this run.
    const running = this.#running.get(id);
    if (running !== undefined) return running;
    const result = this.#solveChunk({
      ...describeChunk(id, task),
      frame,
      notOn,
      isAlone: isWanted !== null,
      mayBeKnown: task.run?.isContinuation ?? false,
      isWanted: isWanted ?? (() => true),
    });
    this.#running.set(id, result);
    this.#bytesGivenOut += task.bytes.length;
    return result.finally(() => {
      this.#running.delete(id);
      this.#bytesGivenOut -= task.bytes.length;
    });
  }

  /** Removes the run's data from Redis, and closes the connection. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#link.client.status === 'ready') await succeedsWithinTime(ORDERLY_END_MS, this.#endInRedis());
    this.#link.close();
    await succeedsWithinTime(ORDERLY_END_MS, this.#queue.close());
  }

  async #begin(): Promise<void> {
    await this.#queue.open();
    await announceRun(this.#link, this.#options.requirements);
    this.#repeat(PRESENCE_INTERVAL_MS, () => announceRun(this.#link, this.#options.requirements));
    this.#repeat(PRESENCE_LOOK_INTERVAL_MS, () => this.#look());
  }

  /** Does the work at regular intervals. If the work fails because Redis is away, it is tried again the next time. */
  #repeat(intervalMs: number, work: () => Promise<void>): void {
    let isBusy = false;
    const timer = setInterval(async () => {
      if (isBusy || this.#link.client.status !== 'ready') return;
      isBusy = true;
      await work().catch(() => {});
      isBusy = false;
    }, intervalMs);
    this.#timers.push(timer.unref());
  }

  async #look(): Promise<void> {
    const refusal = await this.#workerProcesses.look(this.#running.size > 0, this.#queue.wasTaken);
    if (refusal !== null) this.#fail(refusal);
    const { stop } = this.#options;
    if (stop?.aborted && this.#workerProcesses.workers === 0)
      this.#fail(interruptionError(stop, WITHOUT_WORKERS));
    await this.#exchange.keep(await this.#queue.lookAgain());
    await this.#noteLongJob();
  }

  /**
   * Tells the user if a worker process has had a job for long, and which cases are in it: first after some time, then whenever
   * that time has doubled.
   */
  async #noteLongJob(): Promise<void> {
    const longest = this.#queue.findLongest();
    const job = longest === null ? undefined : this.#sent.get(longest.id);
    if (longest === null || longest.ms < this.#firstNoteMs) this.#nextNoteMs = this.#firstNoteMs;
    if (longest === null || job === undefined || longest.ms < this.#nextNoteMs) return;
    while (this.#nextNoteMs <= longest.ms) this.#nextNoteMs *= 2;
    const name = (await this.#queue.readHolder(longest.id)) ?? 'without a name';
    const { from } = rangeOf(job.chunks[0]);
    const { to } = rangeOf(job.chunks[job.chunks.length - 1]);
    const { note, requirements } = this.#options;
    const hint = requirements.timeoutSeconds === null ? '; --timeout SECONDS bounds the time of a case' : '';
    const seconds = Math.floor(longest.ms / 1000);
    note(
      `${describeCaseRange({ from, to })} ${from === to ? 'has' : 'have'} been with worker process ${name} for ${seconds} s${hint}`,
    );
  }

  giveUp(): void {
    const failure = new ChunkFailure('given-up', 'the run was stopped', null);
    this.#outbox.failWaiting(failure);
    this.#queue.failWaiting(failure);
  }

  /** Ends the run: all waiting chunks, and all chunks that are still to come, fail with the error. */
  #fail(error: OutageError | Interrupted): void {
    this.#failure ??= error;
    this.#outbox.failWaiting(error);
    this.#queue.failAll(error);
  }

  /** Sends a chunk until it is solved, has failed, or is no longer wanted. */
  async #solveChunk(chunk: OutgoingChunk): Promise<SolvingAttempt | null> {
    try {
      const kept = chunk.mayBeKnown ? await this.#readResult(chunk) : null;
      if (kept !== null) await this.#exchange.forget(chunk.id, [chunk.id]);
      return kept ?? (await this.#sendUntilTried(chunk));
    } catch (error) {
      throw this.#failure ?? this.#link.describeError(error);
    }
  }

  async #sendUntilTried(chunk: OutgoingChunk): Promise<SolvingAttempt | null> {
    const again = { ...chunk, isAlone: true, mayBeKnown: true };
    for (let attempt = 0; attempt < MAX_LOST_ANSWERS; attempt++) {
      if (this.#failure !== null) throw this.#failure;
      const end = await this.#outbox.send(attempt === 0 ? chunk : again);
      if (end.kind !== 'lost') return end.kind === 'tried' ? end.attempt : null;
    }
    throw new OutageError(
      `the answers to a chunk were lost ${MAX_LOST_ANSWERS} times on their way through Redis`,
    );
  }

  async #sendJob(chunks: readonly OutgoingChunk[]): Promise<ChunkEnd[]> {
    const bytes = await packQueueFrame(createJobFrame(chunks.map(({ frame }) => frame)));
    const job: SentJob = { id: idOfQueueJob(chunks.map(({ id }) => id)), chunks };
    return this.#budget.use(bytes.length, () => this.#solveJob(job, bytes));
  }

  /** Lets a worker process solve a job, and returns what has become of each of its chunks. */
  async #solveJob(job: SentJob, bytes: Buffer): Promise<ChunkEnd[]> {
    const { id, chunks } = job;
    const [first] = chunks;
    if (this.#failure !== null) throw this.#failure;
    this.#sent.set(id, job);
    await this.#exchange.put(id, bytes);
    const end = await this.#queue.solve(id, bytes.length, first.mayBeKnown, first.isWanted);
    const results = end.kind === 'unwanted' ? [] : await this.#readResults(chunks);
    await this.#forget(job);
    if (end.kind !== 'unclear') await this.#queue.remove(id);
    return chunks.map((chunk, index): ChunkEnd => {
      if (end.kind === 'unwanted') return { kind: 'unwanted' };
      const isOnly = chunks.length === 1;
      const failed = { id: chunk.id, cases: rangeOf(chunk), isOnly };
      const attempt =
        results[index] ?? (end.kind === 'failed' ? parseFailedAttempt(end.reason, failed) : null);
      return attempt === null ? { kind: 'lost' } : { kind: 'tried', attempt };
    });
  }

  /** Reads the results of chunks from Redis; null for each that is not there. */
  async #readResults(chunks: readonly OutgoingChunk[]): Promise<(ReceivedResult | null)[]> {
    const results = await Promise.all(chunks.map((chunk) => this.#readResult(chunk)));
    for (const [index, result] of results.entries())
      if (result !== null) this.#jobSize.record(chunks[index].bytes, result.outcome.times);
    return results;
  }

  /** Reads the result of a chunk from Redis; null if it is not there. */
  #readResult(chunk: SentChunk): Promise<ReceivedResult | null> {
    return withQueueFrame(this.#link, redisAnswerKey(chunk.id), this.#answerBudget, async (frame) =>
      frame === null ? null : readAnswerFrame(frame, chunk),
    );
  }

  async #forget({ id, chunks }: SentJob): Promise<void> {
    await this.#exchange.forget(
      id,
      chunks.map((chunk) => chunk.id),
    );
    this.#sent.delete(id);
  }

  /** Deletes a job from Redis and from BullMQ. */
  async #takeBack(job: SentJob): Promise<void> {
    await this.#forget(job);
    await this.#queue.remove(job.id);
  }

  /** Takes back the chunks of a run that ends early, so that no worker process solves them for nobody. */
  async #endInRedis(): Promise<void> {
    this.#fail(new OutageError('the run has ended'));
    await Promise.allSettled(this.#running.values());
    for (const job of this.#sent.values()) await this.#takeBack(job);
    // The run may end before it has looked for worker processes for the first time.
    await this.#workerProcesses.look(false, this.#queue.wasTaken);
    await extendQueueExpiry(this.#link, this.#requirementsId);
  }
}

/** Returns the facts about a chunk by which the run checks the answers to it. */
function describeChunk(id: string, { bytes, starts, firstCase, settings }: ChunkTask): SentChunk {
  const isStoppedByFaults = settings.onError === 'stop';
  return { id, firstCase, cases: starts.length - 1, bytes: bytes.length, isStoppedByFaults };
}

/** Returns the numbers of the cases of a chunk. */
function rangeOf({ firstCase, cases }: SentChunk): CaseRange {
  return { from: firstCase, to: firstCase + cases - 1 };
}
