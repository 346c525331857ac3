import type { ChunkResult, WorkerTask } from '../../src/engine/messages.js';

/** Handles the chunks that a thread of a pool gets. Each job of threads has its own kind of ChunkWorker. */
export interface ChunkWorker {
  solve(task: WorkerTask): ChunkResult | Promise<ChunkResult>;
}
