/** The sets of the contest of a board problem: which boards belong to a set. */
import { ByteWriter, decodeLatin1 } from '../../core/bytes.js';
import type { Board, BoardLimits, BoardViolation } from '../../formats/boards/board.js';
import { chooseSolver } from '../../problems/choose-solver.js';
import type { ContestData } from '../../problems/contest-sets.js';
import type { SetMembershipTest } from '../../problems/problem.js';
import type { BoardContest, BoardContestSet, BoardProblemParts } from './board-parts.js';

/** Finds a rule of the contest that a board breaks, apart from the limits on its size. */
export type ViolationFinder = (board: Board) => BoardViolation | null;

/** Returns the violation finder for a set, or for the whole contest if `set` is null. */
export function createContestViolationFinder<Answer>(
  parts: BoardProblemParts<Answer>,
  set: BoardContestSet<Answer> | null,
): ViolationFinder {
  const findWrongAnswer = createAnswerFinder(parts, set);
  return (board) =>
    parts.findContestViolation?.(board) ?? set?.findViolation?.(board) ?? findWrongAnswer(board);
}

/** Returns a violation finder that solves a board and reports an answer that the set does not allow. */
function createAnswerFinder<Answer>(
  parts: BoardProblemParts<Answer>,
  set: BoardContestSet<Answer> | null,
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
    return { cell: null, expected: set.rule!, got: `"${decodeLatin1(text, 0, text.length).trim()}"` };
  };
}

/** Returns for each set a function that tests whether a board belongs to it. If a rule concerns the answer, it may solve. */
export function createSetMembershipTests<Answer>(
  parts: BoardProblemParts<Answer>,
): SetMembershipTest<Board, Answer>[] {
  return Object.entries(parts.contest.sets).map(([name, set]) => {
    let findWrongAnswer: ViolationFinder | null = null;
    const isAnswerRight = (board: Board, answer: Answer | null) => {
      if (set.answerCondition === undefined) return true;
      if (answer !== null) return set.answerCondition(answer);
      findWrongAnswer ??= createAnswerFinder(parts, set);
      return findWrongAnswer(board) === null;
    };
    return {
      name,
      includes: (board, _, answer) =>
        isWithin(set.limits, board) &&
        (parts.findContestViolation?.(board) ?? set.findViolation?.(board) ?? null) === null &&
        isAnswerRight(board, answer),
    };
  });
}

function isWithin({ minRows, maxRows, minCols, maxCols, maxCells }: BoardLimits, board: Board): boolean {
  const { rows, cols } = board;
  const areSides = rows >= minRows && rows <= maxRows && cols >= minCols && cols <= maxCols;
  return areSides && rows * cols <= maxCells;
}

/** Returns the name of the set to which the test with this id belongs; null if there is none. */
export function contestSetOfTest(sets: BoardContest['sets'], id: unknown): string | null {
  if (typeof id !== 'string' || !/^\d{1,9}$/.test(id)) return null;
  const point = Number(id);
  const found = Object.entries(sets).find(
    ([, { ids }]) => ids !== undefined && point >= ids.from && point <= ids.to,
  );
  return found?.[0] ?? null;
}

/** Returns the contest as plain data. */
export function describeContest({ contest, constraints }: BoardProblemParts<unknown>): ContestData {
  const sets = Object.entries(contest.sets).map(([name, set]) => [name, describeSet(set)] as const);
  const { seconds, megabytes } = contest;
  return { sets: Object.fromEntries(sets), cases: constraints.cases, seconds, megabytes };
}

function describeSet({ limits, ids, rule }: BoardContestSet): Record<string, unknown> {
  const { minRows, maxRows, minCols, maxCols, maxCells } = limits;
  return {
    ...{ minRows, maxRows, minCols, maxCols, maxCells },
    ...(ids === undefined ? {} : { ids: [ids.from, ids.to] }),
    ...(rule === undefined ? {} : { rule }),
  };
}
