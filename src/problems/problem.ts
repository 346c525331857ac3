/**
 * The interface between the engine and a problem. The engine receives each problem as a `Problem` object and
 * never imports one by name.
 */
import type { ByteWriter } from '../core/bytes.js';
import type { Random } from '../core/random.js';
import type { AnswerFormat } from './answer-format.js';
import type { Board, BoardLimits, Violation } from './board.js';
import type { InputFormat } from './input-format.js';

export type { Board, BoardLimits, Violation } from './board.js';

export type SolverName = 'portable' | 'simd';

/** `auto`: the SIMD solver if the problem has one and this machine can run it, otherwise the portable solver. */
export type SolverChoice = 'auto' | SolverName;

/**
 * Solves boards in batches. A solver's only state is its own scratch memory. Two solvers never share memory,
 * and the answer to a board never depends on the other boards that the solver has been given.
 */
export interface Solver<Answer> {
  readonly name: SolverName;
  /** Number of boards that the solver solves at once in the lanes of SIMD vectors; 1 if it solves boards one by one. */
  readonly lanes: number;
  /** Number of boards so far that the kernel could not solve and the portable solver solved instead. */
  readonly fallbackCases: number;
  /** Writes the answer to `boards[i]` into `answers[i]`, for every i from 0 to `count - 1`. */
  solve(boards: readonly Board[], count: number, answers: Answer[]): void;
}

export const PROFILES = ['tiny', 'random', 'contest-max', 'hard'] as const;
export type BoardProfile = (typeof PROFILES)[number];

/** What the generated boards look like, apart from their size. */
export interface BoardStyle {
  readonly profile: BoardProfile;
  /**
   * Share of the cells, from 0 to 1, that have the property named by `whatDensityCounts` in registry.ts. If it is
   * null, the density varies from board to board. It is always null for the profile `hard`.
   */
  readonly density: number | null;
}

/** Makes boards. Two calls with the same arguments make the same boards on every machine. */
export interface BoardGenerator {
  /** The smallest number of cells that a board of this problem can have. */
  readonly minCells: number;
  /**
   * Fills all cells of `board`. The caller has set `rows` and `cols` and made `cells` large enough. `index` is the
   * number of the board in the generated input, from 0; some profiles choose the kind of board by this number.
   */
  fillBoard(board: Board, style: BoardStyle, index: number, random: Random): void;
}

export interface Problem<Answer = unknown> {
  /** REQUIRED. The problem's name in the registry. */
  readonly name: string;
  /** REQUIRED. The limits in the problem statement. `cases` is the largest number of test cases in a contest file. */
  readonly contestLimits: BoardLimits & { readonly cases: number };
  /**
   * Optional. Finds a rule of the problem statement, apart from the size limits, that the board breaks although the
   * solvers can solve it. Returns null if the board breaks no rule.
   */
  findContestViolation?(board: Board): Violation | null;
  /** REQUIRED. The largest boards that boardmill solves. A larger board is an input error. */
  readonly supportedLimits: BoardLimits;
  /** REQUIRED. How test cases are laid out in an input. */
  readonly inputFormat: InputFormat;
  /** REQUIRED. How answers are laid out in an output. boardmill reads answers back with this format. */
  readonly answerFormat: AnswerFormat<Answer>;
  /** REQUIRED. Writes one answer in the layout that the contest requires; `caseNumber` counts from 1. */
  printAnswer(answer: Answer, caseNumber: number, out: ByteWriter): void;
  /** REQUIRED. Under `--on-error mark`, writes the text that replaces the answer to a bad case. */
  printError(caseNumber: number, out: ByteWriter): void;
  /** REQUIRED. Converts an answer to the JSON value that `--format ndjson` prints. */
  answerToJson(answer: Answer): unknown;
  /** REQUIRED. Creates a generator of boards within `limits`, for the commands `generate` and `stress`. */
  createGenerator(): BoardGenerator;
  /** REQUIRED. Creates the portable solver, which can solve every board within `limits`. */
  createPortableSolver(): Solver<Answer>;
  /** Optional. Creates the solver that uses the SIMD kernel. Throws if this machine cannot run the kernel. */
  createSimdSolver?(): Solver<Answer>;
}
