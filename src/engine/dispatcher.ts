/**
 * The third stage: a dispatcher solves the chunks of a run. The local pool of worker threads is one dispatcher; an
 * external program is another.
 */
import type { CaseRange } from '../core/range.js';
import type { Cutting } from './chunk-size.js';
import type { ChunkResult, ChunkTask } from './messages.js';
import type { StretchResult, StretchTask } from './relay/stretch-messages.js';

/** A dispatcher solves chunks, in any order. The engine uses only these fields and methods. */
export interface Dispatcher {
  /** Largest number of chunks that the engine may give to the dispatcher at the same time. It may change during a run. */
  readonly maxChunksAtOnce: number;
  /** Largest number of cases in a chunk. Missing if the dispatcher accepts any number of cases. */
  readonly maxCasesPerChunk?: number;
  /** Number of workers that the dispatcher has had at once, at most. Missing if that is the number that the user asked for. */
  readonly mostWorkers?: number;
  /** Number of chunks into which the last part of an input is divided. Missing: `maxChunksAtOnce`. */
  readonly lastChunks?: number;
  /** How the input is cut. Missing if it is cut for workers of this process. */
  readonly cutting?: Cutting;
  /** Solves a chunk. Rejects with a ChunkFailure if the solver failed. */
  solve(task: ChunkTask): Promise<ChunkResult>;
  /**
   * Reads, scans and solves a stretch of an input. Rejects with a ChunkFailure if the solver failed, or if the input cannot be read.
   * Stretches are begun in the order of the calls, because each waits for the one before it. Missing if the dispatcher solves
   * only chunks.
   */
  solveStretch?(task: StretchTask): Promise<StretchResult>;
  close(): Promise<void>;
}

/**
 * The error with which a dispatcher reports that a chunk was not solved. Kind `crash`: the solver died or threw an
 * error. Kind `timeout`: a case took too long. Kind `no-start`: no solver could be started, which says nothing about
 * the chunk.
 */
export class ChunkFailure extends Error {
  constructor(
    readonly kind: 'crash' | 'timeout' | 'no-start',
    /** Reason of the failure, as messages show it to the user, such as "a worker exited". */
    readonly reason: string,
    /** The suspects: a range of cases, one of which made the solver fail. Null if the suspects are not known. */
    readonly suspects: CaseRange | null,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
