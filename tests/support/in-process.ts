/** A dispatcher that solves chunks in this thread, without workers: one after another, as a worker does. */
import type { Dispatcher } from '../../src/engine/dispatcher.js';
import { type ChunkResult, type ChunkTask, createProgress } from '../../src/engine/messages.js';
import { chooseSolver } from '../../src/problems/choose-solver.js';
import type { Problem } from '../../src/problems/problem.js';
import { ChunkSolver } from '../../workers/chunk-solver.js';

export class InProcess implements Dispatcher {
  readonly maxChunksAtOnce: number;
  readonly #solver: ChunkSolver<unknown, unknown>;
  /** Settles when the chunks that were given so far are solved. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(problem: Problem, slots = 2) {
    this.maxChunksAtOnce = slots;
    this.#solver = new ChunkSolver(problem, chooseSolver(problem, 'portable'), false);
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    const solving = this.#last.then(() => this.#solver.solve({ ...task, progress: createProgress() }));
    this.#last = solving.catch(() => {});
    return solving;
  }

  async close(): Promise<void> {}
}
