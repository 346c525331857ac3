/**
 * What the engine knows of a problem. A concrete problem is passed in; the engine names none.
 */
import type { ByteWriter } from '../core/bytes.js';
import type { Random } from '../core/random.js';
import type { AnswerFormat } from './answer-format.js';
import type { Board, BoardLimits, Violation } from './board.js';
import type { InputFormat } from './input-format.js';

export type { Board, BoardLimits, Violation } from './board.js';

export type SolverName = 'portable' | 'simd';

/** `auto` takes the kernel where there is one and this machine can run it. */
export type SolverChoice = 'auto' | SolverName;

/**
 * Solves boards in batches. Pure but for scratch memory of its own: two solvers never share state,
 * and the answer to a board never depends on the boards before it or beside it.
 */
export interface Solver<Answer> {
  readonly name: SolverName;
  /** How many boards it solves at once, in the lanes of SIMD vectors; 1: it solves one board after another. */
  readonly lanes: number;
  /** How many boards the kernel could not serve so far and the portable solver did. */
  readonly fallbackCases: number;
  /** Puts the answer to `boards[i]` into `answers[i]`, for every i below `count`. */
  solve(boards: readonly Board[], count: number, answers: Answer[]): void;
}

export const PROFILES = ['tiny', 'random', 'contest-max', 'hard'] as const;
export type BoardProfile = (typeof PROFILES)[number];

/** How the boards of a generated input are to be, but for their sizes. */
export interface BoardStyle {
  readonly profile: BoardProfile;
  /** 0 to 1, a share of the cells (see `densityOf` in registry.ts); null: mixed. Always null for `hard`. */
  readonly density: number | null;
}

/** Makes boards. What it draws depends on its arguments alone, on every machine. */
export interface BoardGenerator {
  /** The fewest cells a board needs. */
  readonly minCells: number;
  /**
   * Fills all cells of a board whose sizes are set and whose cells have room. `index` counts the boards of an
   * input from 0, for profiles that take kinds of boards in turn.
   */
  draw(board: Board, style: BoardStyle, index: number, random: Random): void;
}

export interface Problem<Answer = unknown> {
  /** REQUIRED. The name under which the registry has it. */
  readonly name: string;
  /** REQUIRED. The statement's limits; `cases` is the most test cases one contest file holds. */
  readonly contest: BoardLimits & { readonly cases: number };
  /** Optional. What the statement forbids on a board besides its size, though the solvers here take it; null: nothing. */
  checkContest?(board: Board): Violation | null;
  /** REQUIRED. What the solvers here answer exactly; larger boards are an input error. */
  readonly limits: BoardLimits;
  /** REQUIRED. How cases lie in an input. */
  readonly inputFormat: InputFormat;
  /** REQUIRED. How answers lie in an output, to read them back. */
  readonly answerFormat: AnswerFormat<Answer>;
  /** REQUIRED. Writes one answer as the contest's output wants it; `caseNumber` counts from 1. */
  printAnswer(answer: Answer, caseNumber: number, out: ByteWriter): void;
  /** REQUIRED. What stands in the place of the answer to a bad case under `--on-error mark`. */
  printError(caseNumber: number, out: ByteWriter): void;
  /** REQUIRED. The answer as `--format ndjson` shows it. */
  answerToJson(answer: Answer): unknown;
  /** REQUIRED. Makes boards within `limits`, for `generate` and `stress`. */
  createGenerator(): BoardGenerator;
  /** REQUIRED. The solver for any board within `limits`. */
  createPortableSolver(): Solver<Answer>;
  /** Optional. The fast solver; throws where this machine cannot run it. */
  createSimdSolver?(): Solver<Answer>;
}
