/**
 * The types of all data that the coordinator and the workers send each other: plain data without classes and
 * functions.
 */
import type { FaultReason } from '../core/errors.js';
import type { TextSpan } from '../core/location.js';
import type { CaseRange } from '../core/range.js';
import type { CaseOrigin } from '../problems/output-columns.js';
import type { SolverName } from '../problems/problem.js';
import type { ChunkSettings } from './output-settings.js';

/** The solver that answered the cases. `exec` means the external program of `--exec`. */
export type AnsweringSolver = SolverName | 'exec';

/** The head of the input, as a worker gets it with each chunk. */
export interface InputHeadOfTask {
  /** A number that no other head in this process has. By this number, a worker notices that it has parsed the head already. */
  readonly number: number;
  /** The bytes of the head, in memory that all threads share; null if the input has no head. */
  readonly bytes: Uint8Array | null;
}

/** A chunk as a worker gets it: consecutive whole cases. */
export interface ChunkTask {
  /**
   * The bytes of the cases. Up to LOOKAHEAD_BYTES bytes of the input may follow the last case; they only help to
   * describe what is wrong with that case.
   */
  readonly bytes: Uint8Array;
  /** Offset of each case in `bytes`, then the offset at which the last case ends: `cases + 1` numbers. */
  readonly starts: Uint32Array;
  /** Number of the first case of the chunk; cases are numbered from 1 over the whole input. */
  readonly firstCase: number;
  readonly head: InputHeadOfTask;
  readonly settings: ChunkSettings;
  /** The file and the line at which the chunk begins; null if the output has no columns. */
  readonly origin: CaseOrigin | null;
  /** As in `Chunk`; missing if no case is known to be canonical. */
  readonly canonicalCases?: number;
  /** Whether the worker must solve the cases one at a time, not in batches, because one of them has made a solver fail. */
  readonly isSolvedOneByOne: boolean;
  /** Whether the cases are a part of a chunk on which a solver has failed. */
  readonly isPart?: true;
  /**
   * The place of the chunk's bytes in the input. Missing if the bytes come from no input, as those of cases that `stress`
   * draws.
   */
  readonly place?: ChunkPlace;
  /** The name of the run, as in Sink. Missing if no later run can continue this run. */
  readonly run?: RunName;
  /** The worker that must not solve the chunk if there is another one, as `ChunkResult.solvedBy` names it. */
  readonly notBy?: string;
}

/** Returns the numbers of the cases of a chunk. */
export function casesOfTask({ firstCase, starts }: ChunkTask): CaseRange {
  return { from: firstCase, to: firstCase + starts.length - 2 };
}

/** The name that a run shares only with runs that continue it. */
export interface RunName {
  /** A random UUID. */
  readonly id: string;
  /** Whether this run continues another one, which may have had some of its chunks solved already. */
  readonly isContinuation: boolean;
}

/** The place of a chunk's bytes in an input. */
export interface ChunkPlace {
  /** The name of the input, which is its path if it is a file. */
  readonly input: string;
  /** The offset in the input of the first byte of the chunk. */
  readonly offset: number;
}

/**
 * The progress of a worker, in shared memory. If the worker dies or takes too long, the coordinator reads here which
 * cases the worker was solving. The progress has four 32-bit integers:
 *
 *     [steps begun, index of the batch's first case in the chunk, cases in the batch, cases of its range before the chunk]
 *
 * If the number of steps is 0, the worker has not begun the chunk. If the number of cases in the batch is 0, the
 * worker is parsing or printing, which takes hardly any time. The last number is 0 if the chunk belongs to no range.
 */
export type WorkProgress = Int32Array<SharedArrayBuffer>;

/** Allocates the progress of one chunk; the number of steps is 0. */
export function allocateSharedProgress(): WorkProgress {
  return new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Records in shared memory that a batch has begun. The number of steps is incremented last, so a reader that reads
 * this number first never combines the old number with the new cases.
 */
export function publishProgress(progress: WorkProgress, index: number, cases: number): void {
  progress[1] = index;
  progress[2] = cases;
  Atomics.add(progress, 0, 1);
}

/** A task, with the shared memory in which the worker records which case of the task it is working on. */
export type WatchedTask<Task> = Task & { readonly progress: WorkProgress };

export type WorkerTask = WatchedTask<ChunkTask>;

/** A case that has no answer. */
export interface CaseFault {
  readonly cause: FaultReason;
  /** Index of the case in the chunk, from 0. */
  readonly index: number;
  /** Span from the chunk's first byte to the error. */
  readonly span: TextSpan;
  /** Offset in the chunk's output at which the answer to the case would begin if there were one. */
  readonly outputOffset: number;
  /** The line on which the case begins; missing if the output has no columns. */
  readonly line?: number;
  /** The bytes of the case, to repeat the failure; null if the case breaks the input format or was refused. */
  readonly bytes: Uint8Array | null;
}

/** Milliseconds that a worker took to parse, solve and print the cases of a chunk. */
export interface ChunkTimes {
  readonly parse: number;
  readonly solve: number;
  readonly print: number;
}

/** A slow case and the time that its solver needed. */
export interface SlowCase {
  /** The number of the case in the input, from 1. */
  readonly case: number;
  /** How long the solver took, in seconds. */
  readonly seconds: number;
}

export interface ChunkResult {
  /**
   * The printed answers in input order. A case with a fault has no answer here. Under `--on-error stop`, the output
   * ends before the first invalid case.
   */
  readonly output: Uint8Array<ArrayBuffer>;
  readonly answeredCases: number;
  readonly faults: readonly CaseFault[];
  /** Span from the chunk's first byte to the end of its last case. */
  readonly span: TextSpan;
  /** The solver that answered the cases; null if no case was answered. */
  readonly solver: AnsweringSolver | null;
  readonly fallbackCases: number;
  readonly times: ChunkTimes;
  /**
   * The slowest cases of the chunk, in descending order of time. A batch of cases counts as one case with the mean
   * time of its cases.
   */
  readonly slowest: readonly SlowCase[];
  /** The worker thread or process that has solved the chunk. Missing if nobody knows it, or if there were several. */
  readonly solvedBy?: string;
}

/** A solved chunk: its place in the input, and its result. */
export interface SolvedChunk {
  readonly firstCase: number;
  readonly cases: number;
  readonly inputBytes: number;
  /** Span from the end of the previous chunk, or the start of the range or the input, to the first byte of the chunk. */
  readonly spanBefore: TextSpan;
  readonly result: ChunkResult;
}
