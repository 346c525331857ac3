/**
 * What the engine knows of a problem. A concrete problem is passed in; the engine names none.
 */
import type { ByteWriter } from '../core/bytes.js';
import type { Board, BoardLimits } from './board.js';
import type { CaseFormat } from './case-format.js';

export type { Board, BoardLimits, Violation } from './board.js';

export type SolverName = 'portable' | 'simd';

/**
 * Solves boards in batches. Pure but for scratch memory of its own: two solvers never share state,
 * and the answer to a board never depends on the boards before it or beside it.
 */
export interface Solver<Answer> {
  readonly name: SolverName;
  /** How many boards the kernel could not serve so far and the portable solver did. */
  readonly fallbackCases: number;
  /** Puts the answer to `boards[i]` into `answers[i]`, for every i below `count`. */
  solve(boards: readonly Board[], count: number, answers: Answer[]): void;
}

export interface Problem<Answer = unknown> {
  /** REQUIRED. The name under which the registry has it. */
  readonly name: string;
  /** REQUIRED. The statement's limits; `cases` is the most test cases one contest file holds. */
  readonly contest: BoardLimits & { readonly cases: number };
  /** REQUIRED. What the solvers here answer exactly; larger boards are an input error. */
  readonly limits: BoardLimits;
  /** REQUIRED. How cases lie in an input and answers in an output. */
  readonly format: CaseFormat;
  /** REQUIRED. Writes one answer as the contest's output wants it; `caseNumber` counts from 1. */
  printAnswer(answer: Answer, caseNumber: number, out: ByteWriter): void;
  /** REQUIRED. What stands in the place of the answer to a bad case under `--on-error mark`. */
  printFailure(caseNumber: number, out: ByteWriter): void;
  /** REQUIRED. The answer as `--format ndjson` shows it. */
  answerToJson(answer: Answer): unknown;
  /** REQUIRED. The solver for any board within `limits`. */
  createPortableSolver(): Solver<Answer>;
  /** Optional. The fast solver; throws where this machine cannot run it. */
  createSimdSolver?(): Solver<Answer>;
}
