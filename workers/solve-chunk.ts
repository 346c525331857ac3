/** What a worker thread runs, chunk by chunk. The only file a thread starts from. */
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import type { WorkerSetup, WorkerTask } from '../src/engine/messages.js';
import { loadProblem } from '../src/problems/registry.js';
import { chooseSolver } from './choose-solver.js';
import { ChunkSolver } from './chunk-solver.js';

/** Made once a thread: tables and kernels are reused from chunk to chunk. */
let solver: Promise<ChunkSolver<unknown>> | null = null;

async function createSolver(setup: WorkerSetup): Promise<ChunkSolver<unknown>> {
  const problem = await loadProblem(setup.problem);
  return new ChunkSolver(problem, chooseSolver(problem, setup.solver), setup.solver === 'simd');
}

export default async function solveChunk(task: WorkerTask): Promise<unknown> {
  solver ??= createSolver(workerData as WorkerSetup);
  const result = (await solver).solve(task);
  return move({ [transferableSymbol]: [result.output.buffer], [valueSymbol]: result });
}
