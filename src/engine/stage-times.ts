/**
 * Measures how long each stage of a run takes. The clock is read only a few times per chunk, so the times are
 * measured in every run.
 */
import type { ChunkTimes } from './messages.js';

/** The stages of a run, in the order in which a case passes through them. */
export const STAGES = [
  /** The coordinator waits for bytes of the input. */
  'read',
  /** The coordinator finds where cases end. */
  'scan',
  /** The coordinator waits until a worker can take another chunk. In a good run this takes most of the time. */
  'wait',
  /** Chunks are sent to a worker, wait until the worker is free, and their results are sent back. */
  'dispatch',
  'parse',
  'solve',
  'print',
  /** Answers wait for the answers of an earlier chunk. */
  'merge',
  /** Answers are written. */
  'write',
] as const;

export type Stage = (typeof STAGES)[number];

/**
 * Milliseconds per stage. `read`, `scan` and `wait` are times of the coordinator and follow one another. The other
 * stages are sums over all chunks, many of which are solved at the same time. If workers read and scan ranges of the
 * input, their times are added to `read` and `scan`.
 */
export class StageTimes implements Record<Stage, number> {
  read = 0;
  scan = 0;
  wait = 0;
  dispatch = 0;
  parse = 0;
  solve = 0;
  print = 0;
  merge = 0;
  write = 0;

  /** Adds the duration of `work` to the time of a stage. The duration ends when the promise of `work` is settled. */
  async measure<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    try {
      return await work();
    } finally {
      this[stage] += performance.now() - begin;
    }
  }

  /** Adds the times that a worker took to read and scan a range, and subtracts their sum from `dispatch`. Returns the sum. */
  addRangeTimes(readMs: number, scanMs: number): number {
    this.read += readMs;
    this.scan += scanMs;
    this.dispatch -= readMs + scanMs;
    return readMs + scanMs;
  }

  /**
   * Adds the times that a worker measured for a chunk, and returns their sum. `dispatch` is reduced by that sum,
   * because the coordinator measures `dispatch` around the worker's own time.
   */
  addWorkerTimes({ parse, solve, print }: ChunkTimes): number {
    const workMs = parse + solve + print;
    this.parse += parse;
    this.solve += solve;
    this.print += print;
    this.dispatch -= workMs;
    return workMs;
  }

  /**
   * Yields all items, and adds the time of waiting for each item to `stage`. If `outer` is given, it is a stage whose
   * measured time includes this waiting; its time is reduced by the same amount.
   */
  async *measureEach<T>(
    stage: Stage,
    items: AsyncIterable<T>,
    outer: Stage | null = null,
  ): AsyncGenerator<T> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        const before = this[stage];
        const next = await this.measure(stage, () => iterator.next());
        if (outer !== null) this[outer] -= this[stage] - before;
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
}
