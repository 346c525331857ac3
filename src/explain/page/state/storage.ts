/**
 * Keeps the game while the page is reloaded: as a text, which the browser stores until its tab is closed. Anybody can change
 * the text, so it is read as carefully as a link.
 */
import { assertBoard, type BoardRows } from '../boards/board-text.js';
import type { MoveTree } from '../engine/messages.js';
import { PUZZLE_LEVELS } from '../engine/puzzles.js';
import { moveTreeOf } from './game-tree.js';
import {
  type ComputerSkill,
  createPendingRequest,
  findBoardFault,
  type PageState,
  type PuzzleRun,
  shownRows,
} from './state.js';

interface StoredPage {
  readonly problem: string;
  readonly rows: BoardRows;
  readonly tree: MoveTree;
  readonly shown: number;
  readonly isComputer: readonly [boolean, boolean];
  readonly skill: ComputerSkill;
  readonly hasValues: boolean;
  /** The puzzle that the user is solving. */
  readonly puzzle?: StoredPuzzle | undefined;
}

type Playable = Pick<PageState, 'rows' | 'session' | 'pending'>;

type StoredPuzzle = Pick<PuzzleRun, 'level' | 'seed' | 'number'>;

/** Largest number of moves that are stored. */
const MAX_MOVES = 2000;

export function serializePage(state: PageState): string {
  const { problem, skill } = state;
  const game = playableOf(state);
  const { isComputer, hasValues } = state.puzzle?.before ?? state;
  const puzzle = puzzleOf(state);
  const page: StoredPage = {
    problem: problem.name,
    rows: game.rows,
    ...playOf(game),
    isComputer,
    skill,
    hasValues,
    puzzle,
  };
  return JSON.stringify(page);
}

/** Returns what can be played: if the board on show cannot, the last game before it. */
function playableOf(state: PageState): Playable {
  const { fault, earlierBoards } = state;
  const at = fault === null ? -1 : earlierBoards.findLastIndex(({ session }) => session !== null);
  if (at === -1) return state;
  const [before, last] = [earlierBoards[at - 1], earlierBoards[at]];
  // The position from which an editing began is a board of its own, but the game is the one that reached it.
  const isReached =
    before !== undefined && shownRows({ ...before, mode: 'play' }).join('\n') === last.rows.join('\n');
  return { ...(isReached ? before : last), pending: null };
}

/** Returns the puzzle that the user is solving, or the one for which the page waits after a reload. */
function puzzleOf({ puzzle, session, pending }: PageState): StoredPuzzle | undefined {
  if (puzzle !== null) return { level: puzzle.level, seed: puzzle.seed, number: puzzle.number };
  if (session !== null || pending?.request.kind !== 'puzzles') return undefined;
  const { level, seed } = pending.request;
  return { level, seed, number: pending.shown };
}

/**
 * Returns the moves that were played and the position or step on show, or after a reload those that the engine is about to play
 * again.
 */
function playOf({ session, pending }: Playable): Pick<StoredPage, 'tree' | 'shown'> {
  if (session?.kind === 'game')
    return { tree: moveTreeOf(session).slice(0, MAX_MOVES), shown: session.shown };
  if (session?.kind === 'replay') return { tree: [], shown: session.at };
  if (session === null && pending?.request.kind === 'solve')
    return { tree: pending.request.tree, shown: pending.shown };
  return { tree: [], shown: 0 };
}

/** Returns the state with what a text stores. A text that is not from `serializePage` changes nothing. */
export function restorePage(state: PageState, text: string): PageState {
  const page = readPage(state, text);
  if (page === null) return state;
  const { rows, tree, shown, isComputer, skill, hasValues, puzzle } = page;
  if (puzzle !== undefined) {
    const { level, seed, number } = puzzle;
    return {
      ...state,
      isComputer,
      skill,
      hasValues,
      pending: createPendingRequest({ kind: 'puzzles', level, seed }, number),
    };
  }
  const pending = createPendingRequest({ kind: 'solve', rows, tree }, shown);
  return { ...state, rows, isComputer, skill, hasValues, pending, isLookingBack: true };
}

function readPage({ problem }: PageState, text: string): StoredPage | null {
  try {
    const page = JSON.parse(text) as StoredPage;
    const isValid =
      page.problem === problem.name &&
      Array.isArray(page.rows) &&
      page.rows.every((row) => typeof row === 'string') &&
      Array.isArray(page.tree) &&
      page.tree.length <= MAX_MOVES &&
      page.tree.every(isMove) &&
      Number.isInteger(page.shown) &&
      page.shown >= 0 &&
      isPair(page.isComputer) &&
      ['best', 'fair', 'random'].includes(page.skill) &&
      typeof page.hasValues === 'boolean' &&
      (page.puzzle === undefined || (problem.show.kind === 'game' && isPuzzle(page.puzzle)));
    if (!isValid) return null;
    assertBoard(problem.style, page.rows);
    return findBoardFault(problem, page.rows) === null ? page : null;
  } catch {
    return null;
  }
}

function isPuzzle(value: unknown): boolean {
  const { level, seed, number } = (value ?? {}) as Partial<StoredPuzzle>;
  return (
    isPlaceIn(level, PUZZLE_LEVELS) && isPlaceIn(number, 99) && typeof seed === 'string' && seed.length <= 40
  );
}

function isPlaceIn(value: unknown, length: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < length;
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'boolean');
}

/** Whether this is a move of a tree. A move can only be played in a position that an earlier move has reached. */
function isMove(value: unknown, place: number): boolean {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((each) => Number.isInteger(each) && each >= 0) &&
    value[0] <= place
  );
}
