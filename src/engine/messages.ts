/** The only types that cross threads: plain data, no classes, no functions. */
import type { FaultReason } from '../core/errors.js';
import type { Span } from '../core/location.js';
import type { SolverName } from '../problems/problem.js';
import type { ChunkSettings } from './output-settings.js';

/** Who answered the cases; `exec`: an external program. */
export type AnsweredBy = SolverName | 'exec';

/** A run of whole cases. */
export interface ChunkTask {
  /** The cases; behind the last one may stand bytes that only help to tell what is wrong with it. */
  readonly bytes: Uint8Array;
  /** Where each case starts, and where the last one ends: `cases + 1` offsets into `bytes`. */
  readonly starts: Uint32Array;
  /** Number of the first case in the whole input, from 1. */
  readonly firstCase: number;
  /** The id that the input begins with, where its format has one. */
  readonly id: string | null;
  readonly settings: ChunkSettings;
  /** Solve the cases one at a time, not in batches: one of them is suspected. */
  readonly oneByOne: boolean;
}

/**
 * What a worker is at, in shared memory, so that it can be told when it is stuck or dead. Three 32-bit integers:
 *
 *     [steps begun, index of the batch's first case in the chunk, cases in the batch]
 *
 * No step: the worker has not come to the chunk. No cases: it reads or writes, which takes no time to speak of.
 */
export type WorkProgress = Int32Array<SharedArrayBuffer>;

export function createProgress(): WorkProgress {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** The step counts up last: who reads it first never takes the new cases for the old step's. */
export function publishProgress(progress: WorkProgress, index: number, cases: number): void {
  progress[1] = index;
  progress[2] = cases;
  Atomics.add(progress, 0, 1);
}

export interface WorkerTask extends ChunkTask {
  readonly progress: WorkProgress;
}

/** A case without an answer. */
export interface CaseFault {
  readonly why: FaultReason;
  /** Its index in the chunk. */
  readonly index: number;
  /** Way from the chunk's first byte to what is wrong. */
  readonly span: Span;
  /** Where in the chunk's output its answer would stand. */
  readonly outputOffset: number;
  /** The case's own bytes, where they are wanted to repeat the failure. */
  readonly bytes: Uint8Array | null;
}

/** Milliseconds a worker spent on a chunk. */
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
  /** The answers, in order; cases with a fault have none. Under `stop` it ends before the first bad case. */
  readonly output: Uint8Array<ArrayBuffer>;
  readonly answered: number;
  readonly faults: readonly CaseFault[];
  /** From the chunk's first byte to behind its last case. */
  readonly span: Span;
  /** Null: none came to answer. */
  readonly solver: AnsweredBy | null;
  readonly fallbackCases: number;
  readonly times: ChunkTimes;
  /** The slowest cases, slowest first. Cases that were solved together count the mean of their batch. */
  readonly slowest: readonly SlowCase[];
}
