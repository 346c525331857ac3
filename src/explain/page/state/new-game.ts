/** New games on random boards, and puzzles. */
import { assertBoardSize, BoardError, type BoardRows } from '../boards/board-text.js';
import { drawRandomBoard } from '../boards/random-board.js';
import { replaceBoard, undoEdit } from './editing.js';
import {
  type ComputerSkill,
  createPendingRequest,
  endPuzzles,
  findBoardFault,
  type PageState,
  withMessage,
} from './state.js';

/** Whom the user plays: the player who moves first, the other one, or both. */
export type UserSide = 'first' | 'second' | 'both';

interface NewGame {
  readonly side: UserSide;
  readonly rows: number;
  readonly cols: number;
  readonly skill: ComputerSkill;
  /** Any text. The same seed and size always give the same board. */
  readonly seed: string;
}

/** Number of boards that are drawn until one keeps the rules of the problem. */
const MAX_DRAWS = 100;

/** Starts a game on a random board. The game before comes back with `undoEdit`. */
export function startNewGame(state: PageState, game: NewGame): PageState {
  try {
    assertBoardSize(state.problem.style.limits, game.rows, game.cols);
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    return withMessage(state, 'new-game', error.message, { isError: true });
  }
  const rows = drawBoard(state, game);
  if (rows === null)
    return withMessage(state, 'new-game', 'A board of this size has no room for all pieces.', {
      isError: true,
    });
  const isComputer = [game.side === 'second', game.side === 'first'] as const;
  const next: PageState = { ...endPuzzles(state), mode: 'play', isComputer, skill: game.skill };
  return withMessage(replaceBoard(next, rows), 'board', 'A new game has begun.', { canUndo: true });
}

/** Shows the board with which the page was made. The game before comes back with `undoEdit`. */
export function returnToPageBoard(state: PageState): PageState {
  const next: PageState = { ...endPuzzles(state), mode: 'play' };
  return withMessage(replaceBoard(next, state.ownRows), 'board', 'This is the board of the page.', {
    canUndo: true,
  });
}

function drawBoard({ problem }: PageState, { rows, cols, seed }: NewGame): BoardRows | null {
  for (let number = 0; number < MAX_DRAWS; number++) {
    const drawn = drawRandomBoard(problem.name, [rows, cols], seed, number);
    if (findBoardFault(problem, drawn) === null) return drawn;
  }
  return null;
}

/** Asks for the puzzles of a level, numbered from 0. */
export function startPuzzles(state: PageState, level: number, seed: string): PageState {
  return { ...state, message: null, pending: createPendingRequest({ kind: 'puzzles', level, seed }) };
}

/** Goes back from the puzzles to the game before them. */
export function leavePuzzles(state: PageState): PageState {
  return undoEdit(endPuzzles(state));
}
