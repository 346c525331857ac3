/**
 * The worker code that runs instead of solve-chunk.ts when `bench` measures single cases. Instead of the answer to a
 * case, this worker prints how many nanoseconds solving the case alone took.
 */
import { workerData } from 'piscina';
import { loadReference } from '../src/catalog/load-reference.js';
import { LF } from '../src/core/bytes.js';
import type { WorkerTask } from '../src/engine/messages.js';
import type { WorkerSettings } from '../src/engine/output-settings.js';
import { chooseSolver } from '../src/problems/choose-solver.js';
import type { AnswerPrinting } from '../src/problems/output-formats.js';
import type { BatchContext, Solver } from '../src/problems/problem.js';
import { ChunkSolver } from './chunk-solver.js';
import { transferResult } from './hand-over.js';

const NS_PER_MS = 1e6;

let timingSolver: Promise<ChunkSolver<number, unknown>> | null = null;

async function createTimingSolver(settings: WorkerSettings): Promise<ChunkSolver<number, unknown>> {
  const problem = await loadReference(settings.problem);
  const formats = { inputFormat: problem.inputFormat, answerFormat: NANOSECONDS };
  return new ChunkSolver(formats, new TimingSolver(chooseSolver(problem, settings.solver)), false);
}

class TimingSolver implements Solver<number, unknown> {
  readonly #solver: Solver<unknown, unknown>;
  readonly #singleCase: unknown[] = [];
  readonly #singleAnswer: unknown[] = [];

  constructor(solver: Solver<unknown, unknown>) {
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

  async solve(
    cases: readonly unknown[],
    count: number,
    nanoseconds: number[],
    context: BatchContext,
  ): Promise<void> {
    for (let i = 0; i < count; i++) {
      this.#singleCase[0] = cases[i];
      const begin = performance.now();
      const solving = this.#solver.solve(this.#singleCase, 1, this.#singleAnswer, context);
      if (solving instanceof Promise) await solving;
      nanoseconds[i] = Math.round((performance.now() - begin) * NS_PER_MS);
    }
  }
}

/** Prints a time in place of an answer, on a line of its own. */
const NANOSECONDS: AnswerPrinting<number> = {
  print(nanoseconds, _caseNumber, out) {
    out.integer(nanoseconds);
    out.byte(LF);
  },
  toJson: (nanoseconds) => nanoseconds,
  label: () => '',
};

export default async function timeChunk(task: WorkerTask): Promise<unknown> {
  timingSolver ??= createTimingSolver(workerData as WorkerSettings);
  return transferResult(await (await timingSolver).solve(task));
}
