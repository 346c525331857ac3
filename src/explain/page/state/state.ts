/**
 * The state of the page, and how answers of the engine change it. The state is immutable plain data: each function returns the
 * next state. The functions that the controls call are in playing.ts, editing.ts and new-game.ts. None of them uses the
 * document, so tests need no browser.
 */
import type { CellPlace } from '../../../problems/explanation.js';
import { assertBoard, BoardError, type BoardRows, boardOf, cellsOfBoardRow } from '../boards/board-text.js';
import type { MoveTree, PageEngineAnswer, PageEngineRequest, Puzzle } from '../engine/messages.js';
import type { PageMove, PageProblem } from '../games.js';
import { type GameSession, playMoves, showNode, shownNode, startGameSession } from './game-tree.js';
import { type ReplaySession, startReplaySession } from './replay.js';

export type PageSession = GameSession | ReplaySession;

/** The controls beside which a message can stand. */
export type MessagePlace = 'board' | 'share' | 'text' | 'size' | 'new-game';

/** What the last command has done or could not do, for users who cannot see that on the board. */
interface Message {
  readonly place: MessagePlace;
  readonly text: string;
  readonly isError: boolean;
  /** Whether the message offers to bring back the board that the command has replaced. */
  readonly canUndo: boolean;
}

/** A board that was replaced, with what was played on it. */
export interface BoardSnapshot {
  readonly rows: BoardRows;
  readonly session: PageSession | null;
}

/** How well the computer plays: always a best move, usually one, or any move. */
export type ComputerSkill = 'best' | 'fair' | 'random';

/** What the page waits for. Its answer is used only while it is in the state. */
export interface PendingRequest {
  readonly request: PageEngineRequest;
  /** The position, step or puzzle to show, and whether an illegal move makes the page refuse the board. */
  readonly shown: number;
  readonly isLink: boolean;
}

/** The puzzles of a level, which the user solves one after the other. */
export interface PuzzleRun {
  readonly level: number;
  readonly seed: string;
  readonly puzzles: readonly Puzzle[];
  /** The number of the puzzle that is shown, from 0. */
  readonly number: number;
  /** What the user had switched on before the puzzles. It comes back after them. */
  readonly before: Pick<PageState, 'hasValues' | 'isComputer'>;
}

export interface PageState {
  readonly problem: PageProblem;
  /** The board with which the page was made. */
  readonly ownRows: BoardRows;
  /** The board at the beginning, which can be edited. */
  readonly rows: BoardRows;
  readonly mode: 'play' | 'edit';
  /** Null while the board is being solved, and for a board with a fault. */
  readonly session: PageSession | null;
  /** What is wrong with the board; null if nothing is wrong. */
  readonly fault: string | null;
  readonly pending: PendingRequest | null;
  readonly message: Message | null;
  /** Whether the computer plays for the player who moves first, and for the other one. */
  readonly isComputer: readonly [boolean, boolean];
  readonly skill: ComputerSkill;
  /** Whether the user has gone to the position that is shown, instead of playing to it. Then the computer waits. */
  readonly isLookingBack: boolean;
  readonly hasValues: boolean;
  /** The position whose values the user has asked for although values are hidden; -1 if there is none. */
  readonly revealed: number;
  readonly puzzle: PuzzleRun | null;
  /** The cell that was clicked, if choosing one of its moves needs another click. */
  readonly chosen: CellPlace | null;
  /** The text that the palette puts on a painted cell. */
  readonly stamp: string;
  /** The boards before the last edits, the newest last; then the boards of edits that were undone. */
  readonly earlierBoards: readonly BoardSnapshot[];
  readonly laterBoards: readonly BoardSnapshot[];
}

export function createPageState(problem: PageProblem, rows: BoardRows): PageState {
  const state: PageState = {
    problem,
    ownRows: rows,
    rows,
    mode: 'play',
    session: null,
    fault: null,
    pending: null,
    message: null,
    isComputer: [false, false],
    skill: 'best',
    isLookingBack: false,
    hasValues: true,
    revealed: -1,
    puzzle: null,
    chosen: null,
    stamp: problem.palette[0],
    earlierBoards: [],
    laterBoards: [],
  };
  return withBoard(state, { rows, session: null });
}

/** Returns the game that is being played, or null while the page shows no game. */
export function gameOf({ mode, session }: PageState): GameSession | null {
  return mode === 'play' && session?.kind === 'game' ? session : null;
}

/** Whether the page waits for the engine. */
export function isWaitingForEngine({ pending }: PageState): boolean {
  return pending !== null;
}

export function boardSizeOf({ problem, rows }: PageState): readonly [rows: number, cols: number] {
  return [rows.length, cellsOfBoardRow(problem.style, rows[0]).length];
}

/** Returns the rows of the board that is on show. */
export function shownRows({ mode, rows, session }: Pick<PageState, 'mode' | 'rows' | 'session'>): BoardRows {
  if (session === null || mode === 'edit') return rows;
  return session.kind === 'game' ? shownNode(session).view.rows : session.frame.rows;
}

/** Whether the board on show has this cell. The board may just have become smaller than the one that the user saw. */
export function isOnBoard(state: PageState, [row, column]: CellPlace): boolean {
  const [rows, cols] = boardSizeOf(state);
  return row <= rows && column <= cols;
}

export function isSameCell(one: CellPlace, other: CellPlace): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

export function withMessage(
  state: PageState,
  place: MessagePlace,
  text: string,
  { isError = false, canUndo = false } = {},
): PageState {
  return { ...state, message: { place, text, isError, canUndo } };
}

/** Shows another board, or the same board with another session. Without a session, the board is solved or has a fault. */
export function withBoard(state: PageState, { rows, session }: BoardSnapshot): PageState {
  const next = { ...state, rows, session, message: null, chosen: null, isLookingBack: false, revealed: -1 };
  if (session !== null) return { ...next, fault: null, pending: null };
  const fault = findBoardFault(state.problem, rows);
  return {
    ...next,
    fault,
    pending: fault === null ? createPendingRequest({ kind: 'solve', rows, tree: [] }) : null,
  };
}

/** What the page waits for after a request. */
export function createPendingRequest(request: PageEngineRequest, shown = 0, isLink = false): PendingRequest {
  return { request, shown, isLink };
}

/** Solves the board, unless that is done: a page that opens with a link, or with puzzles, asks for these first. */
function solveBoard(state: PageState): PageState {
  return state.session === null ? withBoard(state, state) : state;
}

/** Says what is wrong with a board; null if it can be played. */
export function findBoardFault({ style, findViolation }: PageProblem, rows: BoardRows): string | null {
  try {
    assertBoard(style, rows);
  } catch (error) {
    if (error instanceof BoardError) return error.message;
    throw error;
  }
  const violation = findViolation?.(boardOf(style, rows)) ?? null;
  if (violation === null) return null;
  const { cell, expected, got } = violation;
  if (cell === null) return `Expected ${expected}, got ${got}.`;
  return `Row ${cell.row + 1}, column ${cell.col + 1}: expected ${expected}, got ${got}.`;
}

// Answers of the engine

/** Uses an answer, unless the page no longer waits for it. */
export function applyEngineAnswer(
  state: PageState,
  pending: PendingRequest,
  answer: PageEngineAnswer,
): PageState {
  if (state.pending !== pending) return state;
  const { request } = pending;
  const { session } = state;
  const next: PageState = { ...state, pending: null };
  switch (answer.kind) {
    case 'failure':
      return { ...next, session: null, fault: `The solver failed: ${answer.message}` };
    case 'game':
    case 'replay':
      return request.kind === 'solve' ? receiveBoard(next, pending, request, answer) : next;
    case 'frame':
      return session?.kind === 'replay'
        ? { ...next, session: { ...session, frame: answer.frame, shown: session.at } }
        : next;
    case 'moves':
      return session?.kind === 'game'
        ? { ...next, session: playMoves(session, answer.played), isLookingBack: false }
        : next;
    case 'puzzles':
      return request.kind === 'puzzles' ? receivePuzzles(next, pending.shown, request, answer.puzzles) : next;
  }
}

type SolveRequest = Extract<PageEngineRequest, { kind: 'solve' }>;
type BoardAnswer = Extract<PageEngineAnswer, { kind: 'game' | 'replay' }>;

/** Shows a board that was solved. The board before it comes back with `undoEdit` if the new board is that of a link. */
function receiveBoard(
  state: PageState,
  { shown, isLink }: PendingRequest,
  { rows, tree }: SolveRequest,
  answer: BoardAnswer,
): PageState {
  if (isLink && answer.kind === 'game' && answer.played.length < tree.length)
    return withMessage(solveBoard(state), 'board', 'The moves in the link are not legal on its board.', {
      isError: true,
    });
  const session = sessionOf(answer, tree, shown);
  const base = isLink ? endPuzzles(state) : state;
  // A replay begins with its first frame. The engine makes the one on show.
  const at = session.kind === 'replay' ? session.at : 0;
  const pending = at === 0 ? null : createPendingRequest({ kind: 'frame', rows, at });
  const next: PageState = { ...base, rows, fault: null, session, pending, chosen: null, revealed: -1 };
  if (!isLink || state.session === null) return next;
  return withLinkMessage(withSnapshot(next, state));
}

/** Says that the board of a link has replaced another one, which can be brought back. */
export function withLinkMessage(state: PageState): PageState {
  return withMessage(state, 'board', 'The board of the link is on show.', { canUndo: true });
}

function sessionOf(answer: BoardAnswer, tree: MoveTree, shown: number): PageSession {
  if (answer.kind === 'replay')
    return { ...startReplaySession(answer), at: Math.min(shown, answer.lastFrame) };
  return showNode(startGameSession(answer, tree), Math.min(shown, answer.played.length));
}

/** Largest number of boards that can be brought back. */
const MAX_UNDO = 200;

/** Adds the board of an earlier state to those that `undoEdit` brings back. */
export function withSnapshot(state: PageState, { rows, session, earlierBoards }: PageState): PageState {
  return {
    ...state,
    earlierBoards: [...earlierBoards, { rows, session }].slice(-MAX_UNDO),
    laterBoards: [],
  };
}

/**
 * Shows a puzzle of a level: the first one, or after a reload the one that the user was solving. The game before the puzzles
 * comes back when the user leaves them.
 */
function receivePuzzles(
  state: PageState,
  number: number,
  { level, seed }: Extract<PageEngineRequest, { kind: 'puzzles' }>,
  puzzles: readonly Puzzle[],
): PageState {
  if (puzzles.length === 0)
    return withMessage(solveBoard(state), 'board', 'No puzzles were found. Try another seed.', {
      isError: true,
    });
  const { puzzle, hasValues, isComputer } = state;
  const next = puzzle === null ? withSnapshot(state, state) : state;
  const before = puzzle?.before ?? { hasValues, isComputer };
  return showPuzzle(
    { ...next, puzzle: { level, seed, puzzles, number: 0, before } },
    Math.min(number, puzzles.length - 1),
  );
}

/** Shows a puzzle of the level. Nobody is played by the computer, and values are hidden. */
export function showPuzzle(state: PageState, number: number): PageState {
  const { puzzle } = state;
  if (puzzle?.puzzles[number] === undefined) return state;
  const next: PageState = {
    ...state,
    mode: 'play',
    hasValues: false,
    isComputer: [false, false],
    puzzle: { ...puzzle, number },
  };
  return withBoard(next, { rows: puzzle.puzzles[number].rows, session: null });
}

/** Ends the puzzles, if the user is solving some. Their board stays. */
export function endPuzzles(state: PageState): PageState {
  return state.puzzle === null ? state : { ...state, ...state.puzzle.before, puzzle: null };
}

// Moves at cells

/** Returns the cells of a move that the user can click to choose the move. */
export function clickableCells(move: PageMove): readonly CellPlace[] {
  if ('cell' in move) return [move.cell];
  if (!('line' in move)) return [move.from];
  const { line, index, from, to } = move;
  return Array.from({ length: to - from + 1 }, (_, i) =>
    line === 'row' ? [index, from + i] : [from + i, index],
  );
}
