/** The third stage: whoever solves the chunks of a run. The worker threads are one dispatcher, an external program is another. */
import type { CaseRange } from '../core/range.js';
import type { ChunkResult, ChunkTask } from './messages.js';

/** Solves chunks, in any order. The engine knows no more of how it does that. */
export interface Dispatcher {
  /** Chunks to give out at a time. */
  readonly slots: number;
  /** Most cases a chunk, where their number matters more than the time they take. */
  readonly chunkCases?: number;
  /** Rejects with a ChunkFailure where the solver failed. */
  solve(task: ChunkTask): Promise<ChunkResult>;
  close(): Promise<void>;
}

/**
 * The chunk was not solved. `crash`: its solver died or threw; `timeout`: a case took too long; `no-start`:
 * nobody came to solve it, which says nothing about the chunk.
 */
export class ChunkFailure extends Error {
  constructor(
    readonly kind: 'crash' | 'timeout' | 'no-start',
    /** For the user, as "a worker exited". */
    readonly reason: string,
    /** The cases that were being solved; null: unknown. */
    readonly suspects: CaseRange | null,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
