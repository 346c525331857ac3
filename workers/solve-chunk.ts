/** The code that a worker thread runs: the default export for each chunk, and the functions of a user's module. */
import { workerData } from 'piscina';
import { loadReference } from '../src/catalog/load-reference.js';
import type {
  DrawResult,
  DrawTask,
  EqualResult,
  EqualTask,
  ValidResult,
  ValidTask,
} from '../src/engine/author-messages.js';
import type { WatchedTask, WorkerTask } from '../src/engine/messages.js';
import type { WorkerSettings } from '../src/engine/output-settings.js';
import type { RangeTask } from '../src/engine/parallel-scan/range-messages.js';
import { chooseSolver } from '../src/problems/choose-solver.js';
import { ChunkSolver } from './chunk-solver.js';
import { transferRange, transferResult } from './hand-over.js';
import { RangeSolver } from './range-solver.js';
import { warmUp } from './warm-up.js';

/** What this worker thread solves with. */
interface Solvers {
  readonly chunks: ChunkSolver<unknown, unknown>;
  readonly ranges: RangeSolver;
}

/**
 * The solvers of this worker thread. They are created once, so that their tables and their kernel are reused from
 * chunk to chunk.
 */
let solvers: Promise<Solvers> | null = null;

async function createSolvers(settings: WorkerSettings): Promise<Solvers> {
  const problem = await loadReference(settings.problem);
  const chosenSolver = chooseSolver(problem, settings.solver);
  warmUp(problem, chosenSolver);
  const chunks = new ChunkSolver(problem, chosenSolver, settings.solver === 'simd');
  return { chunks, ranges: new RangeSolver(problem.inputFormat, (task) => chunks.solve(task)) };
}

async function solveWith<Result>(solve: (current: Solvers) => Promise<Result>): Promise<Result> {
  solvers ??= createSolvers(workerData as WorkerSettings);
  try {
    return await solve(await solvers);
  } catch (error) {
    // The tables of a solver may be incomplete after an error, so the next chunk gets new solvers.
    solvers = null;
    throw error;
  }
}

export default async function solveChunk(task: WorkerTask): Promise<unknown> {
  return transferResult(await solveWith(({ chunks }) => chunks.solve(task)));
}

export async function solveRange(work: WatchedTask<RangeTask>): Promise<unknown> {
  return transferRange(await solveWith(({ ranges }) => ranges.solve(work)));
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
