import type { Board, Solver } from '../../problems/problem.js';

/** Solves, one by one, the boards that a SIMD kernel cannot solve, and counts these boards. */
export class PortableFallback<Answer> {
  /** Number of boards that the fallback has solved so far. */
  caseCount = 0;
  readonly #portable: Solver<Answer>;
  readonly #answers: Answer[] = [];

  constructor(portable: Solver<Answer>) {
    this.#portable = portable;
  }

  solve(board: Board): Answer {
    this.caseCount++;
    this.#portable.solve([board], 1, this.#answers);
    return this.#answers[0];
  }
}
