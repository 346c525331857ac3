/** The sets of the contest of a board problem: which boards belong to a set. */
import { ByteWriter, latin1 } from '../core/bytes.js';
import type { Range } from '../core/range.js';
import type { Board, BoardLimits, Violation } from '../formats/boards/board.js';
import type { BoardGenerator, BoardProblemParts } from './board-problem.js';
import { chooseSolver } from './choose-solver.js';
import type { ContestData } from './contest-sets.js';

/** A set of tests of a contest. */
export interface BoardSet<Answer = unknown> {
  /** REQUIRED. The sizes of the boards. */
  readonly limits: BoardLimits;
  /** Optional. The numbers of the test points of the set. An input whose head has one of these ids belongs to the set. */
  readonly ids?: Range;
  /** Optional. What the boards have in common apart from their sizes, such as "a board that ends in a tie". */
  readonly rule?: string;
  /** Optional. Finds what breaks the rule of the set on a board. Returns null if the board obeys the rule. */
  findViolation?(board: Board): Violation | null;
  /** Optional. Whether a board with this answer obeys the rule of the set. */
  answerCondition?(answer: Answer): boolean;
  /** Optional. Creates a generator that aims at boards of the set. If it is missing, the problem's generator is used. */
  createGenerator?(): BoardGenerator;
  /** Optional. Whether the rule of the set leaves no choice of a density. */
  readonly hasFixedDensity?: boolean;
}

/** The contest of a board problem. */
export interface BoardContest<Answer = unknown> {
  /** REQUIRED. The sets by name. */
  readonly sets: Readonly<Record<string, BoardSet<Answer>>>;
  /** REQUIRED. The time limit; null if the statement gives none. */
  readonly seconds: number | null;
  /** REQUIRED. The memory limit; null if the statement gives none. */
  readonly megabytes: number | null;
}

/** Finds a rule of the contest that a board breaks, apart from the limits on its size. */
export type ViolationFinder = (board: Board) => Violation | null;

/** Returns the finder for a set, or for the whole contest if `set` is null. */
export function createViolationFinder<Answer>(
  parts: BoardProblemParts<Answer>,
  set: BoardSet<Answer> | null,
): ViolationFinder {
  const findWrongAnswer = createAnswerFinder(parts, set);
  return (board) =>
    parts.findContestViolation?.(board) ?? set?.findViolation?.(board) ?? findWrongAnswer(board);
}

/** Returns a function that solves a board, and reports an answer that the set does not allow. */
function createAnswerFinder<Answer>(
  parts: BoardProblemParts<Answer>,
  set: BoardSet<Answer> | null,
): ViolationFinder {
  if (set?.answerCondition === undefined) return () => null;
  const solver = chooseSolver<Answer, Board>(parts, 'auto');
  const answers: Answer[] = [];
  const out = new ByteWriter();
  return (board) => {
    solver.solve([board], 1, answers);
    if (set.answerCondition!(answers[0])) return null;
    parts.answerFormat.print(answers[0], 1, out);
    const text = out.take();
    return { cell: null, expected: set.rule!, got: `"${latin1(text, 0, text.length).trim()}"` };
  };
}

/** Returns the name of the set to which the test point with this id belongs; null if there is none. */
export function setOfTestPoint(sets: BoardContest['sets'], id: unknown): string | null {
  if (typeof id !== 'string' || !/^\d{1,9}$/.test(id)) return null;
  const point = Number(id);
  const found = Object.entries(sets).find(
    ([, { ids }]) => ids !== undefined && point >= ids.from && point <= ids.to,
  );
  return found?.[0] ?? null;
}

/** Returns the contest as plain data. */
export function describeContest({ contest, contestLimits }: BoardProblemParts<unknown>): ContestData {
  const sets = Object.entries(contest.sets).map(([name, set]) => [name, describeSet(set)] as const);
  const { seconds, megabytes } = contest;
  return { sets: Object.fromEntries(sets), cases: contestLimits.cases, seconds, megabytes };
}

function describeSet({ limits, ids, rule }: BoardSet): Record<string, unknown> {
  const { minRows, maxRows, minCols, maxCols, maxCells } = limits;
  return {
    ...{ minRows, maxRows, minCols, maxCols, maxCells },
    ...(ids === undefined ? {} : { ids: [ids.from, ids.to] }),
    ...(rule === undefined ? {} : { rule }),
  };
}
