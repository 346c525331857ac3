/**
 * The worker code that runs instead of solve-chunk.ts when `bench` measures single cases. Instead of the answer to a
 * case, this worker prints how many nanoseconds solving the case alone took.
 */
import { workerData } from 'piscina';
import { type ByteWriter, LF } from '../src/core/bytes.js';
import type { WorkerTask } from '../src/engine/messages.js';
import type { WorkerSettings } from '../src/engine/output-settings.js';
import { chooseSolver } from '../src/problems/choose-solver.js';
import type { Board, Problem, Solver } from '../src/problems/problem.js';
import { loadProblem } from '../src/problems/registry.js';
import { ChunkSolver } from './chunk-solver.js';
import { transferResult } from './hand-over.js';

const NS_PER_MS = 1e6;

let timingSolver: Promise<ChunkSolver<number>> | null = null;

async function createTimingSolver(settings: WorkerSettings): Promise<ChunkSolver<number>> {
  const problem = await loadProblem(settings.problem);
  const timedProblem = { ...problem, printAnswer } as Problem<number>;
  return new ChunkSolver(timedProblem, new TimingSolver(chooseSolver(problem, settings.solver)), false);
}

class TimingSolver implements Solver<number> {
  readonly #solver: Solver<unknown>;
  readonly #singleBoard: Board[] = [];
  readonly #singleAnswer: unknown[] = [];

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
      this.#singleBoard[0] = boards[i];
      const begin = performance.now();
      this.#solver.solve(this.#singleBoard, 1, this.#singleAnswer);
      nanoseconds[i] = Math.round((performance.now() - begin) * NS_PER_MS);
    }
  }
}

function printAnswer(nanoseconds: number, _: number, out: ByteWriter): void {
  out.integer(nanoseconds);
  out.byte(LF);
}

export default async function timeChunk(task: WorkerTask): Promise<unknown> {
  timingSolver ??= createTimingSolver(workerData as WorkerSettings);
  return transferResult((await timingSolver).solve(task));
}
