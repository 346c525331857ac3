/** Which chunks share a job of a queue, and when a job is sent. Nothing here needs Redis. */
import { describe, expect, test } from 'vitest';
import { JobSize } from '../../../src/engine/queue/job-size.js';
import {
  MAX_CHUNKS_PER_JOB,
  MAX_QUEUED_CHUNK_BYTES,
  QUEUED_CHUNK_TARGET_MS,
} from '../../../src/engine/queue/limits.js';
import { type ChunkForJob, JobOutbox } from '../../../src/engine/queue/outbox.js';
import { type Deferred, defer, settled } from '../../support/deferred.js';

/** A chunk of one case. */
function chunkOf(firstCase: number, others: Partial<ChunkForJob> = {}): ChunkForJob {
  return { firstCase, cases: 1, bytes: 10, isAlone: false, notOn: [], ...others };
}

/** Returns chunks of one case each, which follow one another. */
const chunksFrom = (firstCase: number, count: number) =>
  Array.from({ length: count }, (_, index) => chunkOf(firstCase + index));

/** An outbox whose jobs end when the test says so. */
class TestBox {
  /** The sent jobs, as the first cases of their chunks. */
  readonly jobs: number[][] = [];
  readonly #ends: Deferred<string[]>[] = [];
  readonly #outbox: JobOutbox<ChunkForJob, string>;

  constructor(size: { mostChunks: number; fewestChunks: number }, enoughJobs = 3, maxJobs = 6) {
    this.#outbox = new JobOutbox({
      size,
      enoughJobs: () => enoughJobs,
      maxJobs: () => maxJobs,
      send: (chunks) => {
        const end = defer<string[]>();
        this.#ends.push(end);
        this.jobs.push(chunks.map(({ firstCase }) => firstCase));
        return end.promise;
      },
    });
  }

  add(chunks: readonly ChunkForJob[]): Promise<string>[] {
    const ends = chunks.map((chunk) => this.#outbox.send(chunk));
    for (const end of ends) end.catch(() => {});
    return ends;
  }

  /** Adds chunks, and returns the jobs that this makes the outbox send. */
  async sentAfter(chunks: readonly ChunkForJob[]): Promise<number[][]> {
    const before = this.jobs.length;
    this.add(chunks);
    await settled(() => this.jobs.length);
    return this.jobs.slice(before);
  }

  /** Ends a job, and returns the jobs that the outbox then sends. */
  async sentAfterEnd(job: number): Promise<number[][]> {
    const before = this.jobs.length;
    this.#ends[job].resolve(this.jobs[job].map((firstCase) => `end of ${firstCase}`));
    await settled(() => this.jobs.length);
    return this.jobs.slice(before);
  }

  fail(job: number, error: Error): void {
    this.#ends[job].reject(error);
  }

  failWaiting(error: Error): void {
    this.#outbox.failWaiting(error);
  }
}

describe('an outbox', () => {
  test('sends a single chunk without waiting for others', async () => {
    const box = new TestBox({ mostChunks: 64, fewestChunks: 64 });
    expect(await box.sentAfter([chunkOf(1)])).toEqual([[1]]);
    expect(await box.sentAfter([chunkOf(2)])).toEqual([[2]]);
  });

  test('puts chunks that are given out together into one job, if they are solved quickly', async () => {
    const box = new TestBox({ mostChunks: 64, fewestChunks: 64 });
    expect(await box.sentAfter(chunksFrom(1, 5))).toEqual([[1, 2, 3, 4, 5]]);
  });

  test('gives each worker that has not enough jobs a share of chunks that take longer', async () => {
    const box = new TestBox({ mostChunks: 64, fewestChunks: 1 });
    expect(await box.sentAfter(chunksFrom(1, 6))).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    const another = new TestBox({ mostChunks: 64, fewestChunks: 1 });
    expect(await another.sentAfter(chunksFrom(1, 2))).toEqual([[1], [2]]);
  });

  test('lets chunks wait while all workers have enough jobs, and what has come together shares a job', async () => {
    const box = new TestBox({ mostChunks: 4, fewestChunks: 1 });
    for (const firstCase of [1, 2, 3])
      expect(await box.sentAfter([chunkOf(firstCase)])).toEqual([[firstCase]]);
    expect(await box.sentAfter(chunksFrom(4, 2))).toEqual([]);
    expect(await box.sentAfter([chunkOf(6)])).toEqual([]);
    expect(await box.sentAfterEnd(0)).toEqual([[4, 5, 6]]);
  });

  test('sends full jobs also if all workers have enough, but only as many as a run may have', async () => {
    const box = new TestBox({ mostChunks: 2, fewestChunks: 1 }, 1, 3);
    expect(await box.sentAfter(chunksFrom(1, 9))).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(await box.sentAfterEnd(1)).toEqual([[7, 8]]);
    // The last chunk would make no full job. It goes when a worker has not enough.
    for (const job of [0, 2]) expect(await box.sentAfterEnd(job)).toEqual([]);
    expect(await box.sentAfterEnd(3)).toEqual([[9]]);
  });

  test('never exceeds the number of jobs that a run may have, also with one chunk each', async () => {
    const box = new TestBox({ mostChunks: 1, fewestChunks: 1 }, 2, 2);
    expect(await box.sentAfter(chunksFrom(1, 4))).toEqual([[1], [2]]);
    expect(await box.sentAfterEnd(0)).toEqual([[3]]);
  });

  test('puts into one job only what may share it', async () => {
    const sent = (chunks: ChunkForJob[]) =>
      new TestBox({ mostChunks: 64, fewestChunks: 64 }, 9, 9).sentAfter(chunks);
    expect(await sent([chunkOf(1), chunkOf(2), chunkOf(7)])).toEqual([[1, 2], [7]]);
    expect(await sent([chunkOf(1), chunkOf(2, { notOn: ['a'] }), chunkOf(3, { notOn: ['a'] })])).toEqual([
      [1],
      [2, 3],
    ]);
    const half = { bytes: MAX_QUEUED_CHUNK_BYTES / 2 };
    expect(await sent([1, 2, 3].map((firstCase) => chunkOf(firstCase, half)))).toEqual([[1, 2], [3]]);
    expect(await sent([chunkOf(1, { bytes: 2 * MAX_QUEUED_CHUNK_BYTES }), chunkOf(2)])).toEqual([[1], [2]]);
  });

  test('sends a chunk that must be alone before the others', async () => {
    const box = new TestBox({ mostChunks: 64, fewestChunks: 64 }, 9, 9);
    expect(await box.sentAfter([...chunksFrom(1, 2), chunkOf(3, { isAlone: true })])).toEqual([[3], [1, 2]]);
  });

  test('says of each chunk how its job has ended', async () => {
    const box = new TestBox({ mostChunks: 2, fewestChunks: 2 }, 9, 9);
    const ends = box.add(chunksFrom(1, 4));
    await settled(() => box.jobs.length);
    await box.sentAfterEnd(0);
    box.fail(1, new Error('Redis is away'));
    expect(await Promise.allSettled(ends)).toEqual([
      { status: 'fulfilled', value: 'end of 1' },
      { status: 'fulfilled', value: 'end of 2' },
      { status: 'rejected', reason: new Error('Redis is away') },
      { status: 'rejected', reason: new Error('Redis is away') },
    ]);
  });

  test('gives up on the chunks that are in no job yet', async () => {
    const box = new TestBox({ mostChunks: 1, fewestChunks: 1 }, 1, 1);
    const [first, second] = box.add(chunksFrom(1, 2));
    await settled(() => box.jobs.length);
    box.failWaiting(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
    expect(await box.sentAfterEnd(0)).toEqual([]);
    expect(await first).toBe('end of 1');
  });
});

describe('the size of a job', () => {
  const sizeAfter = (bytes: number, ms: number) => {
    const size = new JobSize(true);
    size.record(bytes, { parse: ms / 4, solve: ms / 2, print: ms / 4 });
    return [size.mostChunks, size.fewestChunks];
  };

  test('is one chunk before any was solved, and of chunks that take as long as a job should', () => {
    const size = new JobSize(true);
    expect([size.mostChunks, size.fewestChunks]).toEqual([1, 1]);
    expect(sizeAfter(1, QUEUED_CHUNK_TARGET_MS)).toEqual([1, 1]);
    expect(sizeAfter(1, 100 * QUEUED_CHUNK_TARGET_MS)).toEqual([1, 1]);
  });

  test('is as many chunks as take as long as one chunk should, within bounds', () => {
    expect(sizeAfter(1, QUEUED_CHUNK_TARGET_MS / 10)).toEqual([10, 1]);
    expect(sizeAfter(1, 5)).toEqual([MAX_CHUNKS_PER_JOB, 5]);
    expect(sizeAfter(1, 0)).toEqual([MAX_CHUNKS_PER_JOB, MAX_CHUNKS_PER_JOB]);
    expect(sizeAfter(MAX_QUEUED_CHUNK_BYTES / 3, 0)).toEqual([3, 3]);
  });

  test('is one chunk if the size of chunks adapts', () => {
    const size = new JobSize(false);
    size.record(1, { parse: 0, solve: 0.1, print: 0 });
    expect([size.mostChunks, size.fewestChunks]).toEqual([1, 1]);
  });

  test('follows cases that become harder', () => {
    const size = new JobSize(true);
    size.record(1, { parse: 0, solve: 0.1, print: 0 });
    expect(size.mostChunks).toBe(MAX_CHUNKS_PER_JOB);
    for (let i = 0; i < 3; i++) size.record(1, { parse: 0, solve: 2 * QUEUED_CHUNK_TARGET_MS, print: 0 });
    expect(size.mostChunks).toBe(1);
  });
});
