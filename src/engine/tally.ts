/** Counts the cases and bytes of a run, for `--stats` and for the progress bar. */
import { mainThreadCpuSeconds, peakMemoryBytes } from '../core/process-usage.js';
import { LISTED_SLOWEST_CASES } from './limits.js';
import type { AnsweringSolver, ChunkResult, SlowCase } from './messages.js';
import type { InputsBefore, RunPosition } from './position.js';
import { StageTimes } from './stage-times.js';

/** Statistics of a run, as `--stats` writes them. */
export interface Stats {
  /** The name of the problem, never an alias. */
  readonly problem: string;
  /** Number of cases whose answers or errors are written, including those of an interrupted run that was resumed. */
  readonly cases: number;
  /** Number of cases that were answered ERROR. */
  readonly failedCases: number;
  /** Number of cases that the interrupted run had answered. */
  readonly resumedCases: number;
  /** Bytes of input read. */
  readonly bytes: number;
  /** Present if nothing was solved because the answers were there already. The library always solves. */
  readonly upToDate?: true;
  /** Duration of the run in seconds. */
  readonly seconds: number;
  /** Cases per second of this run, without those that the interrupted run had answered. */
  readonly casesPerSecond: number;
  /** Number of worker threads, or of programs that ran at the same time; with a queue, of all worker processes together. */
  readonly jobs: number;
  /** The solver that answered the cases, `exec` for a program; null if no case was answered. */
  readonly solver: AnsweringSolver | null;
  /** Number of cases that the portable solver solved because the kernel could not. */
  readonly fallbackCases: number;
  /** Number of chunks into which the input was cut. */
  readonly chunks: number;
  /** Number of times that a chunk was tried again after its worker failed. */
  readonly retries: number;
  /** Processor time of the coordinator's thread in seconds; null if the system does not report this time. */
  readonly coordinatorCpuSeconds: number | null;
  /** Largest amount of memory that the process had at any time, in bytes. */
  readonly peakRssBytes: number;
  /** The slowest cases of the run, the slowest first. */
  readonly slowestCases: readonly SlowCaseOfRun[];
  /** What `--audit` has found. Missing without it. */
  readonly audit?: AuditStats;
}

/** A slow case of a run, which may have several inputs. */
export interface SlowCaseOfRun extends SlowCase {
  /** The name of the input, as messages show it. */
  readonly file: string;
}

/** What an audit has found, as `--stats` writes it. */
export interface AuditStats {
  /** Number of cases whose answers were compared with those of their twins. */
  readonly pairs: number;
  readonly differences: number;
  /** Number of cases that were drawn and not compared, because the solver failed on their twins. */
  readonly uncompared: number;
  /**
   * With a confidence of 95 %, at most this share of the answers is wrong in a way that a twin shows; null if no answers were
   * compared, or if some differed.
   */
  readonly bound: number | null;
}

export class RunTally {
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
  /** Whether the run continues an interrupted one, whose last checkpoint may be that before its first case. */
  isResumed = false;
  /** Number of the last case that the interrupted run had answered; null if the run continues none, or more than one. */
  resumedAfterCase: number | null = null;
  isUpToDate = false;
  chunks = 0;
  retries = 0;
  fallbackCases = 0;
  solver: AnsweringSolver | null = null;
  /** Number of workers; null if this is the number that the user asked for. */
  workers: number | null = null;
  slowestCases: SlowCaseOfRun[] = [];
  /** What the audit of the run has found so far; null if the run has none. */
  audit: { readonly stats: AuditStats } | null = null;
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

  /** Counts the bytes of all pieces, also in `counter`, which belongs to one input. */
  async *countBytes(
    pieces: AsyncIterable<Uint8Array>,
    counter: { bytes: number },
  ): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.bytesRead += piece.length;
      counter.bytes += piece.length;
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
    const cases = scan.cases - (scan.shardStart?.cases ?? 0);
    const bytes = scan.offset - (scan.shardStart?.offset ?? 0);
    if (cases > 0) this.resumedAfterCase = this.resumedCases === 0 ? scan.cases : null;
    this.#addAnswered({ cases, failedCases, bytes });
    // For a shard, the number of cases is unknown: the head states only the number of all cases of the input.
    if (scan.shardStart === undefined) this.addPromised(scan.promised);
  }

  /** Adds the inputs that the interrupted run had answered wholly. */
  addResumedInputs(before: InputsBefore): void {
    this.#addAnswered(before);
    this.addPromised(before.inputs === 0 ? null : before.cases);
  }

  #addAnswered({ cases, failedCases, bytes }: Pick<InputsBefore, 'cases' | 'failedCases' | 'bytes'>): void {
    this.cases += cases;
    this.resumedCases += cases;
    this.failedCases += failedCases;
    this.answeredBytes += bytes;
    this.resumedBytes += bytes;
  }

  /** Adds a chunk of an input whose answers were written. `marked` is the number of cases of the chunk without an answer. */
  addChunk(file: string, result: ChunkResult, marked: number, inputBytes: number): void {
    this.answeredBytes += inputBytes;
    this.cases += result.answeredCases + marked;
    this.failedCases += marked;
    this.chunks++;
    this.fallbackCases += result.fallbackCases;
    this.solver = result.solver ?? this.solver;
    this.slowestCases = [...this.slowestCases, ...result.slowest.map((slow) => ({ file, ...slow }))]
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, LISTED_SLOWEST_CASES);
  }

  createStats(problem: string, jobs: number): Stats {
    const seconds = this.seconds;
    return {
      problem,
      cases: this.cases,
      failedCases: this.failedCases,
      resumedCases: this.resumedCases,
      bytes: this.bytesRead,
      ...(this.isUpToDate ? { upToDate: true } : {}),
      seconds,
      casesPerSecond: (this.cases - this.resumedCases) / seconds,
      jobs: this.workers ?? jobs,
      solver: this.solver,
      fallbackCases: this.fallbackCases,
      chunks: this.chunks,
      retries: this.retries,
      coordinatorCpuSeconds: this.#coordinatorCpuSeconds,
      peakRssBytes: peakMemoryBytes(),
      slowestCases: this.slowestCases,
      ...(this.audit === null ? {} : { audit: this.audit.stats }),
    };
  }
}
