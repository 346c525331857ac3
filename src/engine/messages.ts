/** The only types that cross threads: plain data without classes and functions. */
import type { FaultReason } from '../core/errors.js';
import type { Span } from '../core/location.js';
import type { SolverName } from '../problems/problem.js';
import type { ChunkSettings } from './output-settings.js';

/** The solver that answered the cases; `exec`: an external program. */
export type AnsweredBy = SolverName | 'exec';

/** A chunk as a worker gets it: consecutive whole cases. */
export interface ChunkTask {
  /** The cases. Up to LOOKAHEAD_BYTES may follow the last case; they only help to describe what is wrong with it. */
  readonly bytes: Uint8Array;
  /** Offset of each case in `bytes`, then the offset at which the last case ends: `cases + 1` numbers. */
  readonly starts: Uint32Array;
  /** Number of the first case of the chunk; cases are numbered from 1 over the whole input. */
  readonly firstCase: number;
  /** The id in the preamble of the input; null if the input format has no id. */
  readonly id: string | null;
  readonly settings: ChunkSettings;
  /** Whether the cases are solved one at a time, not in batches, because one of them made a solver fail. */
  readonly isSolvedOneByOne: boolean;
}

/**
 * What a worker is doing, in shared memory, so that the coordinator can find out which cases it was solving when it
 * stopped or died. Three 32-bit integers:
 *
 *     [steps begun, index of the batch's first case in the chunk, cases in the batch]
 *
 * If no step has begun, the worker has not begun the chunk. If the batch has no cases, the worker is parsing or
 * printing, which takes hardly any time.
 */
export type WorkProgress = Int32Array<SharedArrayBuffer>;

/** Allocates the progress of one chunk, with no step begun. */
export function createProgress(): WorkProgress {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Publishes that a batch has begun. The step is incremented last, so a reader that reads the step first never
 * combines the old step with the new cases.
 */
export function publishProgress(progress: WorkProgress, index: number, cases: number): void {
  progress[1] = index;
  progress[2] = cases;
  Atomics.add(progress, 0, 1);
}

export interface WorkerTask extends ChunkTask {
  readonly progress: WorkProgress;
}

/** A case that has no answer. */
export interface CaseFault {
  readonly cause: FaultReason;
  /** Index of the case in the chunk, from 0. */
  readonly index: number;
  /** Span from the chunk's first byte to the error. */
  readonly span: Span;
  /** Offset in the chunk's output at which the answer to the case would begin. */
  readonly outputOffset: number;
  /** The bytes of the case, to repeat the failure; null if the case breaks the input format or was refused. */
  readonly bytes: Uint8Array | null;
}

/** Milliseconds that a worker spent on each stage of a chunk. */
export interface ChunkTimes {
  readonly parse: number;
  readonly solve: number;
  readonly print: number;
}

export interface SlowCase {
  readonly case: number;
  readonly seconds: number;
}

export interface ChunkResult {
  /**
   * The answers in input order; cases with a fault have none. Under `--on-error stop` the output ends before the
   * first bad case.
   */
  readonly output: Uint8Array<ArrayBuffer>;
  readonly answeredCases: number;
  readonly faults: readonly CaseFault[];
  /** Span from the chunk's first byte to the end of its last case. */
  readonly span: Span;
  /** The solver that answered the cases; null if no case was answered. */
  readonly solver: AnsweredBy | null;
  readonly fallbackCases: number;
  readonly times: ChunkTimes;
  /** The slowest cases, slowest first. A batch counts as one case with the mean time of its cases. */
  readonly slowest: readonly SlowCase[];
}
