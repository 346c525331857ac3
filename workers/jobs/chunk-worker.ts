import type { ChunkResult, WorkerTask } from '../../src/engine/messages.js';

/** What the threads of a pool do with chunks: each job has its own. */
export interface ChunkWorker {
  solve(task: WorkerTask): ChunkResult | Promise<ChunkResult>;
}
