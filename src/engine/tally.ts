/** Counts what goes through a run: for `--stats` and for the progress bar. */

import { mainThreadCpuSeconds } from '../core/thread-cpu.js';
import { STATS_SLOWEST_CASES } from './limits.js';
import type { AnsweredBy, ChunkResult, SlowCase } from './messages.js';
import type { RunPosition } from './position.js';
import { StageTimes } from './stage-times.js';

/** What `--stats` writes. */
export interface Stats {
  readonly problem: string;
  readonly cases: number;
  readonly failedCases: number;
  readonly resumedCases: number;
  /** Bytes of input read. */
  readonly bytes: number;
  readonly seconds: number;
  readonly casesPerSecond: number;
  readonly jobs: number;
  readonly solver: AnsweredBy | null;
  /** Cases that the kernel could not serve and the portable solver did. */
  readonly fallbackCases: number;
  readonly chunks: number;
  readonly retries: number;
  /** Processor time of the coordinator's thread; null where the system does not say. */
  readonly coordinatorCpuSeconds: number | null;
  readonly peakRssBytes: number;
  readonly slowestCases: readonly SlowCase[];
}

export class Tally {
  /** Bytes of input read so far. */
  bytes = 0;
  /** Size of all inputs, null where unknown. */
  inputBytes: number | null = null;
  /** Bytes of input whose answers are written. */
  answeredBytes = 0;
  /** Those of them that an earlier run has answered. */
  resumedBytes = 0;
  /** Cases the preambles promised, null where they do not say. */
  promised: number | null = null;
  /** Cases written so far, bad ones included. */
  cases = 0;
  failedCases = 0;
  resumedCases = 0;
  chunks = 0;
  retries = 0;
  fallbackCases = 0;
  solver: AnsweredBy | null = null;
  slowest: SlowCase[] = [];
  readonly stages = new StageTimes();
  readonly #begin = performance.now();
  readonly #cpuAtBegin = mainThreadCpuSeconds();

  get seconds(): number {
    return (performance.now() - this.#begin) / 1000;
  }

  get #coordinatorCpuSeconds(): number | null {
    const now = mainThreadCpuSeconds();
    return now === null || this.#cpuAtBegin === null ? null : now - this.#cpuAtBegin;
  }

  async *count(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.bytes += piece.length;
      yield piece;
    }
  }

  addPromised(cases: number | null): void {
    if (cases !== null) this.promised = (this.promised ?? 0) + cases;
  }

  /** A cut-off run has come so far; the cases that failed there still count. */
  resume({ scan, failedCases }: RunPosition): void {
    this.cases += scan.cases;
    this.resumedCases += scan.cases;
    this.failedCases += failedCases;
    this.answeredBytes += scan.offset;
    this.resumedBytes += scan.offset;
    this.addPromised(scan.promised);
  }

  /** A chunk was written. */
  add(result: ChunkResult, marked: number, inputBytes: number): void {
    this.answeredBytes += inputBytes;
    this.cases += result.answered + marked;
    this.failedCases += marked;
    this.chunks++;
    this.fallbackCases += result.fallbackCases;
    this.solver = result.solver ?? this.solver;
    this.slowest = [...this.slowest, ...result.slowest]
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, STATS_SLOWEST_CASES);
  }

  stats(problem: string, jobs: number): Stats {
    const seconds = this.seconds;
    return {
      problem,
      cases: this.cases,
      failedCases: this.failedCases,
      resumedCases: this.resumedCases,
      bytes: this.bytes,
      seconds,
      casesPerSecond: (this.cases - this.resumedCases) / seconds,
      jobs,
      solver: this.solver,
      fallbackCases: this.fallbackCases,
      chunks: this.chunks,
      retries: this.retries,
      coordinatorCpuSeconds: this.#coordinatorCpuSeconds,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
      slowestCases: this.slowest,
    };
  }
}
