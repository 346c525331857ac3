/** The only types that cross threads: plain data, no classes, no functions. */
import type { Fault } from '../core/errors.js';
import type { Span } from '../core/position.js';
import type { SolverName } from '../problems/problem.js';

export type OutputFormat = 'text' | 'ndjson';
export type SolverChoice = 'auto' | SolverName;
export type ErrorPolicy = 'stop' | 'mark';

/** What a worker is told once, before its first chunk. */
export interface WorkerSetup {
  readonly problem: string;
  readonly solver: SolverChoice;
}

/** A run of whole cases. Its buffers move to the worker. */
export interface ChunkTask {
  /** The cases; behind the last one may stand bytes that only help to tell what is wrong with it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each case starts, and where the last one ends: `cases + 1` offsets into `bytes`. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** Number of the first case in the whole input, from 1. */
  readonly firstCase: number;
  readonly format: OutputFormat;
  readonly onError: ErrorPolicy;
}

/** A case that could not be parsed. */
export interface CaseFault extends Fault {
  /** Its index in the chunk. */
  readonly index: number;
  /** Way from the chunk's first byte to the fault. */
  readonly span: Span;
  /** Where in the chunk's output its answer would stand. */
  readonly outputOffset: number;
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
  /** The answers, in order; bad cases have none. Under `stop` it ends before the first bad case. */
  readonly output: Uint8Array<ArrayBuffer>;
  readonly answered: number;
  readonly faults: readonly CaseFault[];
  /** From the chunk's first byte to behind its last case. */
  readonly span: Span;
  readonly solver: SolverName;
  readonly fallbackCases: number;
  readonly times: ChunkTimes;
  /** The slowest cases, slowest first. Cases that were solved together count the mean of their batch. */
  readonly slowest: readonly SlowCase[];
}
