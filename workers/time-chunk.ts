/** Started instead of solve-chunk.ts by `bench`: the answer to a case is how many nanoseconds it took, alone. */
import { workerData } from 'piscina';
import { type ByteWriter, LF } from '../src/core/bytes.js';
import type { WorkerTask } from '../src/engine/messages.js';
import type { WorkerSettings } from '../src/engine/output-settings.js';
import { chooseSolver } from '../src/problems/choose-solver.js';
import type { Board, Problem, Solver } from '../src/problems/problem.js';
import { loadProblem } from '../src/problems/registry.js';
import { ChunkSolver } from './chunk-solver.js';
import { handOver } from './hand-over.js';

const NS_PER_MS = 1e6;

let timer: Promise<ChunkSolver<number>> | null = null;

async function createTimer(settings: WorkerSettings): Promise<ChunkSolver<number>> {
  const problem = await loadProblem(settings.problem);
  const timed = { ...problem, printAnswer } as Problem<number>;
  return new ChunkSolver(timed, new Stopwatch(chooseSolver(problem, settings.solver)), false);
}

class Stopwatch implements Solver<number> {
  readonly #solver: Solver<unknown>;
  readonly #alone: Board[] = [];
  readonly #answer: unknown[] = [];

  constructor(solver: Solver<unknown>) {
    this.#solver = solver;
  }

  get name() {
    return this.#solver.name;
  }

  get lanes(): number {
    return this.#solver.lanes;
  }

  get fallbackCases(): number {
    return this.#solver.fallbackCases;
  }

  solve(boards: readonly Board[], count: number, nanoseconds: number[]): void {
    for (let i = 0; i < count; i++) {
      this.#alone[0] = boards[i];
      const begin = performance.now();
      this.#solver.solve(this.#alone, 1, this.#answer);
      nanoseconds[i] = Math.round((performance.now() - begin) * NS_PER_MS);
    }
  }
}

function printAnswer(nanoseconds: number, _: number, out: ByteWriter): void {
  out.integer(nanoseconds);
  out.byte(LF);
}

export default async function timeChunk(task: WorkerTask): Promise<unknown> {
  timer ??= createTimer(workerData as WorkerSettings);
  return handOver((await timer).solve(task));
}
