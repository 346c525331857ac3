/**
 * The job with which `bench` measures single cases. The "answer" to a case is the number of nanoseconds that solving the case
 * alone took.
 */
import { LF } from '../../src/core/bytes.js';
import { chooseSolver } from '../../src/problems/choose-solver.js';
import type { AnswerPrinting } from '../../src/problems/output-formats.js';
import type { BatchContext, Problem, Solver, SolverChoice } from '../../src/problems/problem.js';
import { ChunkSolver } from '../chunk-solver.js';
import type { ChunkWorker } from './chunk-worker.js';

const NS_PER_MS = 1e6;

/** Creates the worker that solves each case alone. */
export function createTimingWorker(problem: Problem, choice: SolverChoice): ChunkWorker {
  const formats = { inputFormat: problem.inputFormat, answerFormat: NANOSECONDS };
  return new ChunkSolver(formats, new TimingSolver(chooseSolver(problem, choice)), false);
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
