/** A dispatcher that solves chunks in this thread, without workers. */
import type { Dispatcher } from '../../src/engine/dispatcher.js';
import { type ChunkResult, type ChunkTask, createProgress } from '../../src/engine/messages.js';
import { chooseSolver } from '../../src/problems/choose-solver.js';
import type { Problem } from '../../src/problems/problem.js';
import { ChunkSolver } from '../../workers/chunk-solver.js';

export class InProcess implements Dispatcher {
  readonly maxChunksAtOnce: number;
  readonly #solver: ChunkSolver<unknown, unknown>;

  constructor(problem: Problem, slots = 2) {
    this.maxChunksAtOnce = slots;
    this.#solver = new ChunkSolver(problem, chooseSolver(problem, 'portable'), false);
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    return this.#solver.solve({ ...task, progress: createProgress() });
  }

  async close(): Promise<void> {}
}
