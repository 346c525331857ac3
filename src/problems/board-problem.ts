/** A problem whose cases are boards. The problems of the registry are of this kind. */
import type { Random } from '../core/random.js';
import type { AnswerFormat } from '../formats/answer-format.js';
import type { Board, BoardLimits, Violation } from '../formats/boards/board.js';
import type { BoardFormat } from '../formats/boards/board-format.js';
import { simplerBoards } from '../formats/boards/shrink-boards.js';
import { type BoardContest, createViolationFinder, describeContest, setOfTestPoint } from './board-sets.js';
import { BoardSource } from './board-source.js';
import { findSet } from './contest-sets.js';
import { type CaseProfile, NO_BOARD_WISHES, type Problem, type Solver } from './problem.js';

/** What the generated boards look like, apart from their size. */
export interface BoardStyle {
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
  fillBoard(board: Board, style: BoardStyle, index: number, random: Random): void;
}

/** What the folder of a board problem defines. */
export interface BoardProblemParts<Answer> {
  /** REQUIRED. The problem's name in the registry. */
  readonly name: string;
  /**
   * REQUIRED. The limits in the problem statement, which are those of the widest set. `cases` is the largest number of test
   * cases in a contest file.
   */
  readonly contestLimits: BoardLimits & { readonly cases: number };
  /** REQUIRED. The sets of the contest, and its limits on time and memory. */
  readonly contest: BoardContest<Answer>;
  /**
   * Optional. Finds a rule of the problem statement, apart from the size limits, that the board breaks although the
   * solvers can solve it. Returns null if the board breaks no rule.
   */
  findContestViolation?(board: Board): Violation | null;
  /** REQUIRED. The largest boards that boardmill solves. A larger board is an input error. */
  readonly supportedLimits: BoardLimits;
  readonly inputFormat: BoardFormat;
  readonly answerFormat: AnswerFormat<Board, Answer>;
  /** REQUIRED. Creates a generator of boards, for the commands `generate` and `stress`. */
  createGenerator(): BoardGenerator;
  /** REQUIRED. Creates the portable solver, which can solve every board within `supportedLimits`. */
  createPortableSolver(): Solver<Answer>;
  /** Optional. Creates the solver that uses the SIMD kernel. Throws if this machine cannot run the kernel. */
  createSimdSolver?(): Solver<Answer>;
}

export type BoardProblem<Answer = unknown> = Problem<Answer, Board> & BoardProblemParts<Answer>;

/** Completes a problem from its parts. */
export function defineBoardProblem<Answer>(parts: BoardProblemParts<Answer>): BoardProblem<Answer> {
  const { name, inputFormat, contestLimits, contest } = parts;
  return {
    ...parts,
    words: [name],
    reference: { kind: 'built-in', name },
    boardLines: { headTokens: inputFormat.headTokenCount, isRowOfBlocks: inputFormat.cellBytes === 2 },
    casesPerRun: contestLimits.cases,
    hasSolver: true,
    contestData: describeContest(parts),
    setOfHead: (headValue) => setOfTestPoint(contest.sets, headValue),
    contestFormat(name) {
      const set = findSet(parts.name, contest.sets, name);
      return inputFormat.narrowed(set?.limits ?? contestLimits, createViolationFinder(parts, set));
    },
    createCaseSource: (request) => new BoardSource(parts, request),
    simplerCases: (board) => simplerBoards(board, inputFormat),
    createWarmUpCase: () => smallestBoard(parts),
  };
}

/** Returns a board of the smallest size that the problem's solvers can solve. */
function smallestBoard(parts: BoardProblemParts<unknown>): Board {
  const { minRows, minCols } = parts.supportedLimits;
  const cols = Math.max(minCols, Math.ceil(parts.createGenerator().minCells / minRows));
  const boards = {
    ...NO_BOARD_WISHES,
    rows: { from: minRows, to: minRows },
    cols: { from: cols, to: cols },
  };
  const request = { seed: 'warm-up', profile: 'random', cases: 1, maxSize: null, set: null, boards } as const;
  return new BoardSource(parts, request).caseAt(0);
}
