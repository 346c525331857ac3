/** Dispatchers that solve or count chunks in this thread, without workers: one after another, as a worker does. */

import xxhash from 'xxhash-wasm';
import { ChunkFailure, type Dispatcher } from '../../src/engine/dispatcher.js';
import {
  allocateSharedProgress,
  type ChunkResult,
  type ChunkTask,
  type WorkerTask,
} from '../../src/engine/messages.js';
import { awaitHandoff } from '../../src/engine/parallel-scan/handoff.js';
import type { RangeResult, RangeTask } from '../../src/engine/parallel-scan/range-messages.js';
import { chooseSolver } from '../../src/problems/choose-solver.js';
import type { Problem } from '../../src/problems/problem.js';
import { ChunkSolver } from '../../workers/chunk-solver.js';
import { StatisticsWorker } from '../../workers/jobs/statistics.js';
import { RangeSolver } from '../../workers/range-solver.js';
import { PlainDispatcher } from './dispatchers.js';

/** What a worker does with a chunk. */
interface ChunkWorker {
  solve(task: WorkerTask): Promise<ChunkResult>;
}

class OneByOne extends PlainDispatcher {
  override readonly maxChunksAtOnce: number;
  readonly #worker: ChunkWorker;
  /** Settles when the chunks that were given so far are solved. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(worker: ChunkWorker, slots: number) {
    super();
    this.maxChunksAtOnce = slots;
    this.#worker = worker;
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    const solving = this.#last.then(() =>
      this.#worker.solve({ ...task, progress: allocateSharedProgress() }),
    );
    this.#last = solving.catch(() => {});
    return solving;
  }
}

export class InProcess extends OneByOne {
  constructor(problem: Problem, slots = 2) {
    super(new ChunkSolver(problem, chooseSolver(problem, 'portable'), false), slots);
  }
}

/** Returns a dispatcher that counts chunks as the workers of `stats` do. */
export async function surveyInProcess(
  problem: Problem,
  solves: boolean,
  findsSymmetricCases = true,
): Promise<Dispatcher> {
  const { h64Raw } = await xxhash();
  const solver = solves ? chooseSolver(problem, 'portable') : null;
  return new OneByOne(new StatisticsWorker(problem, solver, findsSymmetricCases, h64Raw), 2);
}

/**
 * How a worker fails on a range: before it has filled the next handoff, after it has solved everything, or because the first case
 * of its last chunk takes too long.
 */
export type RangeFailure = 'before' | 'after' | 'slow-case' | null;

/** Solves chunks and ranges in this thread. `failureOf` says whether the worker fails on the range with this index. */
export class RangesInProcess extends InProcess {
  readonly results: RangeResult[] = [];
  /** The numbers of the cases that took too long. */
  readonly slowCases: number[] = [];
  readonly #problem: Problem;
  readonly #failureOf: (index: number) => RangeFailure;
  #ranges = 0;

  constructor(problem: Problem, failureOf: (index: number) => RangeFailure = () => null, slots = 4) {
    super(problem, slots);
    this.#problem = problem;
    this.#failureOf = failureOf;
  }

  override get solveByteRange() {
    return (task: RangeTask) => this.#solveByteRange(task);
  }

  async #solveByteRange(task: RangeTask): Promise<RangeResult> {
    const failure = this.#failureOf(this.#ranges++);
    if (failure === 'before') throw new ChunkFailure('crash', 'it failed at once', null);
    // This thread must not be blocked, because it is the coordinator's.
    await awaitHandoff(task.handoff);
    const chunks = new ChunkSolver(this.#problem, chooseSolver(this.#problem, 'portable'), false);
    const solver = new RangeSolver(this.#problem.inputFormat, (chunk) => chunks.solve(chunk));
    const result = await solver.solve({ ...task, progress: allocateSharedProgress() });
    if (failure === 'after') throw new ChunkFailure('crash', 'it failed in the end', null);
    const last = result.chunks.at(-1);
    if (failure === 'slow-case' && last !== undefined) throw this.#timeoutAt(last.firstCase);
    this.results.push(result);
    return result;
  }

  #timeoutAt(caseNumber: number): ChunkFailure {
    this.slowCases.push(caseNumber);
    return new ChunkFailure('timeout', 'no answer in time', { from: caseNumber, to: caseNumber });
  }
}
