/** Dispatchers that solve or survey chunks in this thread, without workers: one after another, as a worker does. */
import xxhash from 'xxhash-wasm';
import type { Dispatcher } from '../../src/engine/dispatcher.js';
import {
  type ChunkResult,
  type ChunkTask,
  createProgress,
  type WorkerTask,
} from '../../src/engine/messages.js';
import { chooseSolver } from '../../src/problems/choose-solver.js';
import type { Problem } from '../../src/problems/problem.js';
import { CaseSurveyor } from '../../workers/case-surveyor.js';
import { ChunkSolver } from '../../workers/chunk-solver.js';

/** What a worker does with a chunk. */
interface ChunkWorker {
  solve(task: WorkerTask): Promise<ChunkResult>;
}

class OneByOne implements Dispatcher {
  readonly maxChunksAtOnce: number;
  readonly #worker: ChunkWorker;
  /** Settles when the chunks that were given so far are solved. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(worker: ChunkWorker, slots: number) {
    this.maxChunksAtOnce = slots;
    this.#worker = worker;
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    const solving = this.#last.then(() => this.#worker.solve({ ...task, progress: createProgress() }));
    this.#last = solving.catch(() => {});
    return solving;
  }

  async close(): Promise<void> {}
}

export class InProcess extends OneByOne {
  constructor(problem: Problem, slots = 2) {
    super(new ChunkSolver(problem, chooseSolver(problem, 'portable'), false), slots);
  }
}

/** Returns a dispatcher that surveys chunks as the workers of `stats` do. */
export async function surveyInProcess(problem: Problem, solves: boolean): Promise<Dispatcher> {
  const { h64Raw } = await xxhash();
  const solver = solves ? chooseSolver(problem, 'portable') : null;
  return new OneByOne(new CaseSurveyor(problem, solver, h64Raw), 2);
}
