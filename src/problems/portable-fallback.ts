import type { Board, Solver } from './problem.js';

/** Solves the boards that a kernel cannot serve, one by one, and counts them. */
export class PortableFallback<Answer> {
  /** Boards solved so far. */
  cases = 0;
  readonly #portable: Solver<Answer>;
  readonly #answer: Answer[] = [];

  constructor(portable: Solver<Answer>) {
    this.#portable = portable;
  }

  solve(board: Board): Answer {
    this.cases++;
    this.#portable.solve([board], 1, this.#answer);
    return this.#answer[0];
  }
}
