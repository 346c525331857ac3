/** Counts the cases and bytes of a run, for `--stats` and for the progress bar. */
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
  /** Number of cases that the portable solver solved because the kernel could not. */
  readonly fallbackCases: number;
  readonly chunks: number;
  readonly retries: number;
  /** Processor time of the coordinator's thread in seconds; null if the system does not report this time. */
  readonly coordinatorCpuSeconds: number | null;
  readonly peakRssBytes: number;
  readonly slowestCases: readonly SlowCase[];
}

export class Tally {
  /** Bytes of input read so far. */
  bytesRead = 0;
  /** Total size of all inputs in bytes; null if the size is not known. */
  inputBytes: number | null = null;
  /** Bytes of input whose answers are written, including those that the interrupted run answered. */
  answeredBytes = 0;
  /** Bytes of input whose answers the interrupted run had written. */
  resumedBytes = 0;
  /** Total number of cases that the heads of the inputs promise; null if no head states a number. */
  promisedCases: number | null = null;
  /** Number of cases whose answers or errors are written, including those of the interrupted run. */
  cases = 0;
  failedCases = 0;
  resumedCases = 0;
  chunks = 0;
  retries = 0;
  fallbackCases = 0;
  solver: AnsweredBy | null = null;
  slowestCases: SlowCase[] = [];
  readonly stages = new StageTimes();
  readonly #startTime = performance.now();
  readonly #cpuSecondsAtStart = mainThreadCpuSeconds();

  get seconds(): number {
    return (performance.now() - this.#startTime) / 1000;
  }

  get #coordinatorCpuSeconds(): number | null {
    const now = mainThreadCpuSeconds();
    return now === null || this.#cpuSecondsAtStart === null ? null : now - this.#cpuSecondsAtStart;
  }

  async *countBytes(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.bytesRead += piece.length;
      yield piece;
    }
  }

  addPromised(cases: number | null): void {
    if (cases !== null) this.promisedCases = (this.promisedCases ?? 0) + cases;
  }

  /**
   * Adds the cases that the interrupted run had answered before this run continued it. Failed cases of the
   * interrupted run count as failed.
   */
  addResumed({ scan, failedCases }: RunPosition): void {
    this.cases += scan.cases;
    this.resumedCases += scan.cases;
    this.failedCases += failedCases;
    this.answeredBytes += scan.offset;
    this.resumedBytes += scan.offset;
    this.addPromised(scan.promised);
  }

  /** Adds a chunk whose answers were written. `marked` is the number of cases of the chunk without an answer. */
  addChunk(result: ChunkResult, marked: number, inputBytes: number): void {
    this.answeredBytes += inputBytes;
    this.cases += result.answeredCases + marked;
    this.failedCases += marked;
    this.chunks++;
    this.fallbackCases += result.fallbackCases;
    this.solver = result.solver ?? this.solver;
    this.slowestCases = [...this.slowestCases, ...result.slowest]
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, STATS_SLOWEST_CASES);
  }

  createStats(problem: string, jobs: number): Stats {
    const seconds = this.seconds;
    return {
      problem,
      cases: this.cases,
      failedCases: this.failedCases,
      resumedCases: this.resumedCases,
      bytes: this.bytesRead,
      seconds,
      casesPerSecond: (this.cases - this.resumedCases) / seconds,
      jobs,
      solver: this.solver,
      fallbackCases: this.fallbackCases,
      chunks: this.chunks,
      retries: this.retries,
      coordinatorCpuSeconds: this.#coordinatorCpuSeconds,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
      slowestCases: this.slowestCases,
    };
  }
}
