/**
 * The state of the page, and the functions that its controls call to change it. The state is immutable plain data: each
 * function returns the next state. This file does not use the document, so tests need no browser.
 */
import type { CellPlace } from '../../problems/explanation.js';
import {
  assertBoard,
  assertSize,
  BoardMistake,
  type BoardRows,
  boardOf,
  cellsOf,
  readBoard,
  withCell,
  withSize,
} from './board-text.js';
import type { PageMove, PageProblem } from './games.js';
import { readFragment } from './link.js';
import {
  findRepeat,
  type GameSession,
  goTo,
  legalMoves,
  playBest,
  playIndices,
  playMove,
  playToEnd,
  type Session,
  startSession,
  turnOf,
} from './session.js';

export interface PageState {
  readonly problem: PageProblem;
  /** The board at the beginning, which can be edited. */
  readonly rows: BoardRows;
  readonly mode: 'play' | 'edit';
  /** Null while the board is being solved, and for a board with a mistake. */
  readonly session: Session | null;
  /** What is wrong with the board; null if nothing is wrong. */
  readonly mistake: string | null;
  /** A message about what the last command has done or could not do, for users who cannot see that on the board. */
  readonly notice: string | null;
  /** Whether the computer plays for the player who moves first, and for the other one. */
  readonly isComputer: readonly [boolean, boolean];
  readonly hasValues: boolean;
  /** The cell that was clicked, if choosing one of its moves needs another click. */
  readonly chosen: CellPlace | null;
  /** The text that the palette puts on a painted cell. */
  readonly stamp: string;
  /** The boards before the last edits, the newest last; then the boards of edits that were undone. */
  readonly earlierRows: readonly BoardRows[];
  readonly laterRows: readonly BoardRows[];
}

/** Largest number of edits that can be undone. */
const MAX_UNDO = 200;

export function createState(problem: PageProblem, rows: BoardRows): PageState {
  return {
    problem,
    rows,
    mode: 'play',
    session: null,
    mistake: null,
    notice: null,
    isComputer: [false, false],
    hasValues: true,
    chosen: null,
    stamp: problem.palette[0],
    earlierRows: [],
    laterRows: [],
  };
}

/** Solves the board, or finds out what is wrong with it. Does nothing if the board was solved or checked before. */
export function solveBoard(state: PageState): PageState {
  if (!needsSolving(state)) return state;
  const mistake = findMistake(state);
  const session = mistake === null ? startSession(state.problem, state.rows) : null;
  return { ...state, session, mistake };
}

function findMistake({ problem, rows }: PageState): string | null {
  try {
    assertBoard(problem.style, rows);
  } catch (error) {
    if (error instanceof BoardMistake) return error.message;
    throw error;
  }
  const violation = problem.findViolation?.(boardOf(problem.style, rows)) ?? null;
  if (violation === null) return null;
  const { cell, expected, got } = violation;
  if (cell === null) return `Expected ${expected}, got ${got}.`;
  return `Row ${cell.row + 1}, column ${cell.col + 1}: expected ${expected}, got ${got}.`;
}

export function needsSolving({ session, mistake }: PageState): boolean {
  return session === null && mistake === null;
}

// Playing

/** Returns the game that is being played, or null while the page shows no game. */
export function gameOf({ mode, session }: PageState): GameSession | null {
  return mode === 'play' && session?.kind === 'game' ? session : null;
}

export function playPageMove(state: PageState, move: PageMove): PageState {
  return changeGame(state, (game) => playMove(game, move));
}

/** Plays a best move for the computer. */
export function playForComputer(state: PageState): PageState {
  return isComputersTurn(state) ? changeGame(state, playBest) : state;
}

export function playBestMove(state: PageState): PageState {
  return changeGame(state, playBest);
}

export function playBestToEnd(state: PageState): PageState {
  return changeGame(state, playToEnd);
}

function changeGame(state: PageState, change: (game: GameSession) => GameSession): PageState {
  const game = gameOf(state);
  return game === null ? state : { ...state, session: change(game), chosen: null, notice: null };
}

/**
 * Returns whether the computer moves next. The computer does not move while the user looks at an earlier position. If it plays
 * both sides, it stops when positions repeat.
 */
export function isComputersTurn(state: PageState): boolean {
  const game = gameOf(state);
  if (game === null || game.at < game.moves.length || !state.isComputer[turnOf(game)]) return false;
  const isEndless = state.isComputer.every(Boolean) && findRepeat(game) !== null;
  return !isEndless && legalMoves(game).length > 0;
}

export function setComputer(state: PageState, player: 0 | 1, isOn: boolean): PageState {
  const [first, second] = state.isComputer;
  return { ...state, isComputer: player === 0 ? [isOn, second] : [first, isOn], notice: null };
}

export function showValues(state: PageState, hasValues: boolean): PageState {
  return { ...state, hasValues };
}

/** Marks a cell as clicked, or no cell. */
export function chooseCell(state: PageState, chosen: CellPlace | null): PageState {
  return { ...state, chosen };
}

/** Returns the legal moves that a click on the cell can mean. */
export function movesAtCell(game: GameSession, cell: CellPlace): PageMove[] {
  return legalMoves(game).filter((move) => clickableCells(move).some((start) => isSameCell(start, cell)));
}

/** Returns the cells of a move that the user can click to choose the move. */
export function clickableCells(move: PageMove): readonly CellPlace[] {
  if ('cell' in move) return [move.cell];
  if (!('line' in move)) return [move.from];
  const { line, index, from, to } = move;
  return Array.from({ length: to - from + 1 }, (_, i) =>
    line === 'row' ? [index, from + i] : [from + i, index],
  );
}

/** Returns the moves of the chosen piece that end in a cell. */
export function movesToCell(game: GameSession, from: CellPlace, to: CellPlace): PageMove[] {
  return movesAtCell(game, from).filter((move) => 'player' in move && isSameCell(move.to, to));
}

export function isSameCell(one: CellPlace, other: CellPlace): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

/** Acts on a click on a cell: plays the only move that it can mean, or offers the moves. */
export function clickCell(state: PageState, cell: CellPlace): PageState {
  const game = gameOf(state);
  if (game === null || isComputersTurn(state) || !isOnBoard(state, cell)) return state;
  const { chosen } = state;
  const ends = chosen === null ? [] : movesToCell(game, chosen, cell);
  if (ends.length === 1) return playPageMove(state, ends[0]);
  const moves = movesAtCell(game, cell);
  if (moves.length === 1 && !('player' in moves[0])) return playPageMove(state, moves[0]);
  return chooseCell(state, moves.length === 0 || (chosen !== null && isSameCell(chosen, cell)) ? null : cell);
}

/** Whether the board has this cell. The board may just have become smaller than the one that the user saw. */
function isOnBoard(state: PageState, [row, column]: CellPlace): boolean {
  const [rows, cols] = boardSizeOf(state);
  return row <= rows && column <= cols;
}

// Time

export function showMoment(state: PageState, at: number): PageState {
  const { session } = state;
  if (session === null || state.mode === 'edit') return state;
  return { ...state, session: goTo(session, at), chosen: null, notice: null };
}

/** Takes back the last edit or the last move. The computer's moves are taken back together with the user's move before them. */
export function undo(state: PageState): PageState {
  if (state.mode === 'edit') return undoEdit(state);
  const { session } = state;
  if (session === null) return state;
  let at = session.at - 1;
  if (session.kind === 'game') while (at > 0 && isComputersMoment(state, session, at)) at--;
  return showMoment(state, at);
}

/** Does again what was taken back. */
export function redo(state: PageState): PageState {
  if (state.mode === 'edit') return redoEdit(state);
  const { session } = state;
  if (session === null) return state;
  let at = session.at + 1;
  if (session.kind === 'game')
    while (at < session.moves.length && isComputersMoment(state, session, at)) at++;
  return showMoment(state, at);
}

function isComputersMoment({ isComputer }: PageState, { game, positions }: GameSession, at: number): boolean {
  return !isComputer.every(Boolean) && isComputer[game.turnAt(positions[at])];
}

// Editing

export function edit(state: PageState, isOn: boolean): PageState {
  return {
    ...state,
    mode: isOn ? 'edit' : 'play',
    chosen: null,
    notice: null,
    session: atStart(state.session),
  };
}

function atStart(session: Session | null): Session | null {
  return session && goTo(session, 0);
}

export function chooseStamp(state: PageState, stamp: string): PageState {
  return { ...state, stamp };
}

/** Puts the text that is chosen in the palette, or another text, on a cell. */
export function paintCell(state: PageState, cell: CellPlace, text = state.stamp): PageState {
  if (!isOnBoard(state, cell)) return state;
  return changeRows(state, withCell(state.problem.style, state.rows, cell, text));
}

export function resizeBoard(state: PageState, rows: number, cols: number): PageState {
  const { style, filler } = state.problem;
  return attempt(state, () => {
    assertSize(style.limits, rows, cols);
    return changeRows(state, withSize(style, state.rows, [rows, cols], filler));
  });
}

/** Replaces the board by the first board of a text. */
export function loadText(state: PageState, text: string): PageState {
  return attempt(state, () => changeRows(state, readBoard(state.problem.style, text)));
}

/** Loads the board and the moves of a link's fragment. Does nothing if the fragment does not concern a board. */
export function loadBoardFromLink(state: PageState, fragment: string): PageState {
  return attempt(state, () => {
    const shared = readFragment(state.problem.style, fragment);
    if (shared === null) return state;
    const loaded = solveBoard({ ...changeRows(state, shared.rows), mode: 'play' });
    if (loaded.session?.kind !== 'game') return loaded;
    const session = playIndices(goTo(loaded.session, 0), shared.moves);
    if (session === null) throw new BoardMistake('The moves in the link are not legal on its board.');
    return { ...loaded, session };
  });
}

export function withNotice(state: PageState, notice: string | null): PageState {
  return { ...state, notice };
}

/** Returns the result of `change`, or if `change` throws a BoardMistake, the old state with the mistake as its notice. */
function attempt(state: PageState, change: () => PageState): PageState {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof BoardMistake)) throw error;
    return withNotice(state, error.message);
  }
}

function changeRows(state: PageState, rows: BoardRows): PageState {
  if (rows.join('\n') === state.rows.join('\n')) return { ...state, notice: null };
  assertBoard(state.problem.style, rows);
  const earlierRows = [...state.earlierRows, state.rows].slice(-MAX_UNDO);
  return withoutSession({ ...state, rows, earlierRows, laterRows: [] });
}

function undoEdit(state: PageState): PageState {
  const rows = state.earlierRows.at(-1);
  if (rows === undefined) return state;
  const [earlierRows, laterRows] = [state.earlierRows.slice(0, -1), [...state.laterRows, state.rows]];
  return withoutSession({ ...state, rows, earlierRows, laterRows });
}

function redoEdit(state: PageState): PageState {
  const rows = state.laterRows.at(-1);
  if (rows === undefined) return state;
  const [earlierRows, laterRows] = [[...state.earlierRows, state.rows], state.laterRows.slice(0, -1)];
  return withoutSession({ ...state, rows, earlierRows, laterRows });
}

function withoutSession(state: PageState): PageState {
  return { ...state, session: null, mistake: null, notice: null, chosen: null };
}

export function boardSizeOf({ problem, rows }: PageState): readonly [rows: number, cols: number] {
  return [rows.length, cellsOf(problem.style, rows[0]).length];
}
