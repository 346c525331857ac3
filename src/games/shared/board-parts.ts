/** The interfaces between a board problem's folder and the rest of boardmill. */
import type { Random } from '../../core/random.js';
import type { Range } from '../../core/range.js';
import type { AnswerFormat } from '../../formats/answer-format.js';
import type { Board, BoardLimits, BoardViolation } from '../../formats/boards/board.js';
import type { BoardInputFormat } from '../../formats/boards/board-format.js';
import type { CaseValueDefinition } from '../../problems/census.js';
import type { Explainer } from '../../problems/explanation.js';
import type { CaseProfile, CaseSymmetries, ProblemSolvers, Solver } from '../../problems/problem.js';
import type { Sample } from '../../problems/sample.js';

/** What the generated boards look like, apart from their size. */
export interface RandomBoardStyle {
  readonly profile: CaseProfile;
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
  fillBoard(board: Board, style: RandomBoardStyle, index: number, random: Random): void;
}

/** An automaton that accepts a problem's boards, cell by cell. A state says what later cells may be; the first state is 0. */
export interface BoardAutomaton {
  /** REQUIRED. Number of states. */
  readonly states: number;
  /** REQUIRED. Number of values that the next cell may have in this state: 0, 1, ... in the order of the statement. */
  width(state: number): number;
  /**
   * REQUIRED. Returns the state after a cell with this value, in row 1 (`isInRow1`) or another row; -1 if it is not allowed.
   */
  next(state: number, value: number, isInRow1: boolean): number;
  /** REQUIRED. Number of later cells that are needed for what is still missing in this state, such as a piece. */
  missing(state: number): number;
  /** REQUIRED. Number of boards of a size. */
  count(rows: number, cols: number): bigint;
  /** REQUIRED. Writes the value of a cell into the cells of a board. */
  write(cells: Uint8Array, cell: number, value: number): void;
}

/** A set of tests of a contest. */
export interface BoardContestSet<Answer = unknown> {
  /** REQUIRED. The sizes of the boards. */
  readonly limits: BoardLimits;
  /** Optional. The numbers of the tests of the set. An input whose head has one of these ids belongs to the set. */
  readonly ids?: Range;
  /** Optional. What the boards have in common apart from their sizes, such as "a board that ends in a tie". */
  readonly rule?: string;
  /** Optional. Returns what breaks the rule of the set on a board; null if the board obeys the rule. */
  findViolation?(board: Board): BoardViolation | null;
  /** Optional. Whether a board with this answer obeys the rule of the set. */
  answerCondition?(answer: Answer): boolean;
  /** Optional. Creates a generator that aims at boards of the set. If it is missing, the problem's generator is used. */
  createGenerator?(): BoardGenerator;
  /** Optional. Whether the rule of the set determines the density, so that users cannot choose one. */
  readonly hasFixedDensity?: boolean;
}

/** The contest of a board problem. */
export interface BoardContest<Answer = unknown> {
  /** REQUIRED. The sets by name. */
  readonly sets: Readonly<Record<string, BoardContestSet<Answer>>>;
  /** REQUIRED. The time limit; null if the statement gives none. */
  readonly seconds: number | null;
  /** REQUIRED. The memory limit; null if the statement gives none. */
  readonly megabytes: number | null;
}

/** The solvers of a board problem. The portable one can solve every board within `supportedLimits`. */
export type BoardSolvers<Answer = unknown> = ProblemSolvers<Answer, Board> & {
  createPortable(): Solver<Answer>;
};

/** Everything that the folder of a board problem defines. */
export interface BoardProblemParts<Answer> {
  /** REQUIRED. The problem's name in the registry. */
  readonly name: string;
  /**
   * REQUIRED. The limits in the problem statement, which are those of the widest set. `cases` is the largest number of test
   * cases in a contest file.
   */
  readonly constraints: BoardLimits & { readonly cases: number };
  /** REQUIRED. The sets of the contest, and its limits on time and memory. */
  readonly contest: BoardContest<Answer>;
  /**
   * Optional. Finds a rule of the problem statement, apart from the size limits, that the board breaks although the
   * solvers can solve it. Returns null if the board breaks no rule.
   */
  findContestViolation?(board: Board): BoardViolation | null;
  /** Optional. Whether the solvers can return nimbers. */
  readonly hasNimbers?: boolean;
  /**
   * REQUIRED. Whether the cell with this index has the property named by `whatDensityCounts` in registry.ts, of which
   * `stats` measures the share.
   */
  isCountedInDensity(board: Board, cell: number): boolean;
  /** REQUIRED. The changes of a board that keep its answer; null if none is known. */
  readonly symmetries: CaseSymmetries<Board> | null;
  /** REQUIRED. The largest boards that boardmill solves. A larger board is an input error. */
  readonly supportedLimits: BoardLimits;
  /** REQUIRED. The samples of the problem statement. */
  readonly samples: readonly Sample[];
  readonly inputFormat: BoardInputFormat;
  readonly answerFormat: AnswerFormat<Board, Answer>;
  /** REQUIRED. Creates a generator of boards, for the commands `generate` and `stress`. */
  createGenerator(): BoardGenerator;
  /** REQUIRED. Which boards `--profile all` lists. */
  readonly listing: BoardAutomaton;
  /** Optional. The value by which `census` counts boards; for games with nimbers, it is the nimber. */
  readonly caseValues?: CaseValueDefinition<Answer>;
  /** REQUIRED. What solves the boards. */
  readonly solvers: BoardSolvers<Answer>;
  /** Optional. Loads the explainer of answers. */
  loadExplainer?(): Promise<Explainer>;
}
