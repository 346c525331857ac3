/**
 * Puts the chunks of a run into jobs, and sends the jobs. Nothing waits for a job to fill up: a chunk waits only while every
 * worker has jobs enough, and whatever has come together by then shares a job.
 */
import { MAX_QUEUED_CHUNK_BYTES } from './limits.js';

/** What the outbox must know about a chunk. */
export interface ChunkForJob {
  readonly firstCase: number;
  /** Number of cases. */
  readonly cases: number;
  /** Length of the chunk in bytes. */
  readonly bytes: number;
  /** Whether the chunk must not share a job with other chunks. */
  readonly isAlone: boolean;
  /** The ids of the worker processes that must leave the chunk to others. */
  readonly notOn: readonly string[];
}

interface OutboxOptions<Chunk, End> {
  /** As in JobSize. */
  readonly size: { readonly mostChunks: number; readonly fewestChunks: number };
  /** Number of jobs with which every worker has enough to do. */
  readonly enoughJobs: () => number;
  /** Largest number of jobs that the run may have in Redis. */
  readonly maxJobs: () => number;
  /** Sends a job with these chunks. Resolves with what has become of each of them. */
  readonly send: (chunks: readonly Chunk[]) => Promise<readonly End[]>;
}

interface Waiting<Chunk, End> {
  readonly chunk: Chunk;
  readonly end: (end: End) => void;
  readonly fail: (error: unknown) => void;
}

export class JobOutbox<Chunk extends ChunkForJob, End> {
  readonly #options: OutboxOptions<Chunk, End>;
  /** The chunks that are in no job yet. */
  #waiting: Waiting<Chunk, End>[] = [];
  /** Number of jobs that have not ended. */
  #jobs = 0;
  #isScheduled = false;

  constructor(options: OutboxOptions<Chunk, End>) {
    this.#options = options;
  }

  /** Sends a chunk, alone in a job or together with others. Resolves with what has become of it. */
  send(chunk: Chunk): Promise<End> {
    return new Promise((end, fail) => {
      const waiting = { chunk, end, fail };
      // A chunk that must be alone was mostly sent before, so that the run waits for it.
      if (chunk.isAlone) this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
      this.#schedule();
    });
  }

  /** Makes all calls of `send` fail with the error whose chunks are in no job yet. */
  failWaiting(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { fail } of waiting) fail(error);
  }

  /** Sends jobs after all that is happening now, so that chunks which the engine gives out one after another share a job. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#isJobDue()) void this.#sendJob(this.#takeJob());
    });
  }

  #isJobDue(): boolean {
    const { size, enoughJobs, maxJobs } = this.#options;
    if (this.#waiting.length === 0) return false;
    if (this.#jobs < enoughJobs()) return true;
    return this.#waiting.length >= size.mostChunks && this.#jobs < maxJobs();
  }

  /** Takes the chunks of the next job, which have consecutive cases and may go to the same worker processes. */
  #takeJob(): Waiting<Chunk, End>[] {
    const most = this.#chunksOfNextJob();
    let bytes = 0;
    const count = this.#waiting.slice(0, most).findIndex(({ chunk }, index) => {
      bytes += chunk.bytes;
      return (
        index > 0 && (bytes > MAX_QUEUED_CHUNK_BYTES || !mayShare(this.#waiting[index - 1].chunk, chunk))
      );
    });
    return this.#waiting.splice(0, count === -1 ? most : count);
  }

  /** Largest number of chunks in the next job, such that every worker that has not enough jobs gets a share. */
  #chunksOfNextJob(): number {
    const { size, enoughJobs } = this.#options;
    const missing = Math.max(1, enoughJobs() - this.#jobs);
    const share = Math.ceil(this.#waiting.length / missing);
    return Math.min(size.mostChunks, Math.max(size.fewestChunks, share));
  }

  async #sendJob(job: readonly Waiting<Chunk, End>[]): Promise<void> {
    this.#jobs++;
    try {
      const ends = await this.#options.send(job.map(({ chunk }) => chunk));
      for (const [index, { end }] of job.entries()) end(ends[index]);
    } catch (error) {
      for (const { fail } of job) fail(error);
    } finally {
      this.#jobs--;
      this.#schedule();
    }
  }
}

/** Whether two chunks, of which one came after the other, may be in the same job. */
function mayShare(before: ChunkForJob, after: ChunkForJob): boolean {
  return (
    !before.isAlone &&
    !after.isAlone &&
    before.firstCase + before.cases === after.firstCase &&
    before.notOn.join() === after.notOn.join()
  );
}
