/** Where the time of a run goes. A few looks at the clock a chunk, so it is always kept. */
import type { ChunkTimes } from './messages.js';

/** In the order in which a case meets them. */
export const STAGES = [
  /** The coordinator waits for bytes of the input. */
  'read',
  /** The coordinator finds where cases end. */
  'scan',
  /** The coordinator waits until a worker can take more, as it should most of the time. */
  'wait',
  /** Chunks travel to a worker, wait until it is free, and travel back. */
  'dispatch',
  'parse',
  'solve',
  'print',
  /** Answers wait for those of an earlier chunk. */
  'merge',
  /** Answers are written. */
  'write',
] as const;

export type Stage = (typeof STAGES)[number];

/**
 * Milliseconds by stage. `read`, `scan` and `wait` are the coordinator's own and follow one another; the others
 * are sums over all chunks, many of which are under way at a time.
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

  /** The stage begins with the work, not with its first wait, and goes on until it is done. */
  async during<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    try {
      return await work();
    } finally {
      this[stage] += performance.now() - begin;
    }
  }

  /** What a worker spent on a chunk, in all: that is no part of the way there and back. */
  addWork({ parse, solve, print }: ChunkTimes): number {
    const workMs = parse + solve + print;
    this.parse += parse;
    this.solve += solve;
    this.print += print;
    this.dispatch -= workMs;
    return workMs;
  }

  /** Passes the items on; the stage is the wait for each. `outer` is a stage that waits meanwhile and does not count it. */
  async *each<T>(stage: Stage, items: AsyncIterable<T>, outer: Stage | null = null): AsyncGenerator<T> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        const before = this[stage];
        const next = await this.during(stage, () => iterator.next());
        if (outer !== null) this[outer] -= this[stage] - before;
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
}
