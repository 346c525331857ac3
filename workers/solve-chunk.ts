/** What a worker thread runs, chunk by chunk. */
import { workerData } from 'piscina';
import type { ChunkResult, WorkerTask } from '../src/engine/messages.js';
import type { WorkerSettings } from '../src/engine/output-settings.js';
import { chooseSolver } from '../src/problems/choose-solver.js';
import { loadProblem } from '../src/problems/registry.js';
import { ChunkSolver } from './chunk-solver.js';
import { handOver } from './hand-over.js';
import { warmUp } from './warm-up.js';

/** Made once a thread: tables and kernels are reused from chunk to chunk. */
let solver: Promise<ChunkSolver<unknown>> | null = null;

async function createSolver(settings: WorkerSettings): Promise<ChunkSolver<unknown>> {
  const problem = await loadProblem(settings.problem);
  const chosen = chooseSolver(problem, settings.solver);
  warmUp(problem, chosen);
  return new ChunkSolver(problem, chosen, settings.solver === 'simd');
}

async function solveWith(current: Promise<ChunkSolver<unknown>>, task: WorkerTask): Promise<ChunkResult> {
  try {
    return (await current).solve(task);
  } catch (error) {
    // Its tables may be half-way through a board: the next chunk gets a new one.
    solver = null;
    throw error;
  }
}

export default async function solveChunk(task: WorkerTask): Promise<unknown> {
  solver ??= createSolver(workerData as WorkerSettings);
  return handOver(await solveWith(solver, task));
}
