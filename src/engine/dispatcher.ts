/**
 * The third stage: a dispatcher solves the chunks of a run. The local pool of worker threads is one dispatcher; an
 * external program is another.
 */
import type { CaseRange } from '../core/range.js';
import type { ChunkResult, ChunkTask } from './messages.js';

/** Solves chunks, in any order. The engine knows nothing else about how a dispatcher works. */
export interface Dispatcher {
  /** Number of chunks that may be given out at the same time. */
  readonly maxChunksAtOnce: number;
  /** Largest number of cases in a chunk; missing if a dispatcher accepts any number. */
  readonly maxCasesPerChunk?: number;
  /** Solves a chunk. Rejects with a ChunkFailure if the solver failed. */
  solve(task: ChunkTask): Promise<ChunkResult>;
  close(): Promise<void>;
}

/**
 * The chunk was not solved. `crash`: its solver died or threw; `timeout`: a case took too long; `no-start`: no
 * solver could be started, which says nothing about the chunk.
 */
export class ChunkFailure extends Error {
  constructor(
    readonly kind: 'crash' | 'timeout' | 'no-start',
    /** The reason as the user reads it, such as "a worker exited". */
    readonly reason: string,
    /** The cases of which one made the solver fail; null if they are not known. */
    readonly suspects: CaseRange | null,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
