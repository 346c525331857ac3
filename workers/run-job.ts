/**
 * The code that each thread of a pool runs: the default export for a chunk, `solveByteRange`, and the functions of a user's
 * module.
 */
import { threadId } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { loadReferencedProblem } from '../src/catalog/load-reference.js';
import { settleBytes } from '../src/core/settle-bytes.js';
import type {
  EqualReply,
  EqualRequest,
  GenerateCasesResult,
  GenerateCasesTask,
  ValidityReply,
  ValidityRequest,
} from '../src/engine/author-messages.js';
import type { ChunkResult, WatchedTask, WorkerTask } from '../src/engine/messages.js';
import type { WorkerSettings } from '../src/engine/output-settings.js';
import type { RangeTask } from '../src/engine/parallel-scan/range-messages.js';
import type { DescribeModuleReply, DescribeModuleRequest } from '../src/problems/modules/describe-module.js';
import type { Problem } from '../src/problems/problem.js';
import type { ChunkWorker } from './jobs/chunk-worker.js';
import { createSolvingWorker } from './jobs/solve.js';
import { RangeSolver } from './range-solver.js';

/** The objects with which this thread does its job. */
interface Workers {
  readonly chunks: ChunkWorker;
  readonly ranges: RangeSolver;
}

/** The thread's workers are created once, so that the tables and the kernel of a solver are reused from chunk to chunk. */
let workers: Promise<Workers> | null = null;

/**
 * Fulfilled when the thread has loaded what it needs for its first task. `import-worker.cjs` waits for it. A thread is ready
 * before the main thread has a task, and then sleeps until the task arrives. So it loads a game at once, and what any module
 * needs. The code of a module itself may fail or hang: that must happen during a task, which then reports it. If boardmill's
 * own code cannot be loaded, the thread ends, and the pool says why. This is no `await` of the file itself: if a thread is
 * ended while such a file is evaluated, Node 20 may abort the whole process.
 */
export const ready: Promise<void> = prepare();

async function prepare(): Promise<void> {
  settleBytes();
  const { kind } = (workerData as WorkerSettings).problem;
  if (kind === 'built-in') await workWith(() => undefined);
  else if (kind === 'module') await prepareForModule();
}

async function prepareForModule(): Promise<void> {
  await import('../src/problems/modules/load-module.js');
  await import('../src/problems/modules/load-description.js');
  await (await import('../src/problems/modules/module-loader.js')).loadBoardmill();
}

async function createWorkers(settings: WorkerSettings): Promise<Workers> {
  const problem = await loadReferencedProblem(settings.problem);
  const chunks = await createChunkWorker(problem, settings);
  return { chunks, ranges: new RangeSolver(problem.inputFormat, async (task) => chunks.solve(task)) };
}

/** Loads only the code that the job of this thread needs, because a run waits until its threads are loaded. */
async function createChunkWorker(problem: Problem, { solver, job }: WorkerSettings): Promise<ChunkWorker> {
  switch (job?.kind) {
    case 'statistics':
      return (await import('./jobs/statistics.js')).createStatisticsWorker(problem, solver, job);
    case 'explain':
      return (await import('./jobs/explain.js')).createExplainingWorker(problem, job);
    case 'time':
      return (await import('./jobs/time.js')).createTimingWorker(problem, solver);
    case 'census':
      return (await import('./jobs/census.js')).createCensusWorker(problem, solver);
    case 'skip':
      return (await import('./jobs/skip.js')).createConstantAnswerWorker();
    default:
      return createSolvingWorker(problem, solver);
  }
}

async function workWith<Result>(work: (current: Workers) => Result): Promise<Awaited<Result>> {
  workers ??= createWorkers(workerData as WorkerSettings);
  try {
    return await work(await workers);
  } catch (error) {
    // The tables of a solver may be incomplete after an error, so the next chunk gets a new one.
    workers = null;
    throw error;
  }
}

export default async function solveChunk(task: WorkerTask): Promise<unknown> {
  const result = await workWith(({ chunks }) => chunks.solve(task));
  return transfer({ ...result, solvedBy: `${threadId}` }, [result]);
}

export async function solveByteRange(task: WatchedTask<RangeTask>): Promise<unknown> {
  const result = await workWith(({ ranges }) => ranges.solve(task));
  return transfer(
    result,
    result.chunks.map((chunk) => chunk.result),
  );
}

/** Returns the value that this thread sends to the coordinator. The memory of the answers is transferred, not copied. */
function transfer(value: object, results: readonly ChunkResult[]): unknown {
  return move({ [transferableSymbol]: results.map(({ output }) => output.buffer), [valueSymbol]: value });
}

// The functions of a module are loaded only when they are called, so that workers of other problems start faster.

export async function callDescribe(request: DescribeModuleRequest): Promise<DescribeModuleReply> {
  (await import('../src/problems/modules/load-module.js')).divertOutput();
  return (await import('../src/problems/modules/load-description.js')).loadModuleDescription(request);
}

export async function callEqual(task: WatchedTask<EqualRequest>): Promise<EqualReply> {
  return (await import('./author-functions.js')).callEqual(task);
}

export async function callValid(task: WatchedTask<ValidityRequest>): Promise<ValidityReply> {
  return (await import('./author-functions.js')).callValid(task);
}

export async function callGenerate(task: WatchedTask<GenerateCasesTask>): Promise<GenerateCasesResult> {
  return (await import('./author-functions.js')).callGenerate(task);
}
