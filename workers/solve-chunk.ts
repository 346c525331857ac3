/** The code that a worker thread runs: the default export for each chunk, and the functions of a user's module. */
import { workerData } from 'piscina';
import type {
  DrawResult,
  DrawTask,
  EqualResult,
  EqualTask,
  ValidResult,
  ValidTask,
  WatchedTask,
} from '../src/engine/author-messages.js';
import type { ChunkResult, WorkerTask } from '../src/engine/messages.js';
import type { WorkerSettings } from '../src/engine/output-settings.js';
import { chooseSolver } from '../src/problems/choose-solver.js';
import { loadReference } from '../src/problems/load-reference.js';
import { ChunkSolver } from './chunk-solver.js';
import { transferResult } from './hand-over.js';
import { warmUp } from './warm-up.js';

/**
 * The solver of this worker thread. The solver is created once, so that its tables and its kernel are reused from
 * chunk to chunk.
 */
let solver: Promise<ChunkSolver<unknown, unknown>> | null = null;

async function createSolver(settings: WorkerSettings): Promise<ChunkSolver<unknown, unknown>> {
  const problem = await loadReference(settings.problem);
  const chosenSolver = chooseSolver(problem, settings.solver);
  warmUp(problem, chosenSolver);
  return new ChunkSolver(problem, chosenSolver, settings.solver === 'simd');
}

async function solveWith(
  current: Promise<ChunkSolver<unknown, unknown>>,
  task: WorkerTask,
): Promise<ChunkResult> {
  try {
    return await (await current).solve(task);
  } catch (error) {
    // The tables of the solver may be incomplete after an error, so the next chunk gets a new solver.
    solver = null;
    throw error;
  }
}

export default async function solveChunk(task: WorkerTask): Promise<unknown> {
  solver ??= createSolver(workerData as WorkerSettings);
  return transferResult(await solveWith(solver, task));
}

// The functions of a module are loaded only when they are called, so that workers of other problems start faster.

export async function callEqual(task: WatchedTask<EqualTask>): Promise<EqualResult> {
  return (await import('./author-functions.js')).callEqual(task);
}

export async function callValid(task: WatchedTask<ValidTask>): Promise<ValidResult> {
  return (await import('./author-functions.js')).callValid(task);
}

export async function callGenerate(task: WatchedTask<DrawTask>): Promise<DrawResult> {
  return (await import('./author-functions.js')).callGenerate(task);
}
