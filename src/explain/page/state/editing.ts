/** Editing the board: painting, resizing, boards from texts and links, and undoing all that. */
import type { CellPlace } from '../../../problems/explanation.js';
import {
  assertBoard,
  assertBoardSize,
  BoardError,
  type BoardRows,
  readBoard,
  replaceCell,
  resizeBoardRows,
} from '../boards/board-text.js';
import { readUrlFragment } from '../boards/link.js';
import { stepBack, stepForward } from './playing.js';
import {
  type BoardSnapshot,
  createPendingRequest,
  endPuzzles,
  findBoardFault,
  isOnBoard,
  type MessagePlace,
  type PageState,
  shownRows,
  withBoard,
  withLinkMessage,
  withMessage,
  withSnapshot,
} from './state.js';

/** Begins to edit the position on show, or ends editing. */
export function setEditing(state: PageState, isOn: boolean): PageState {
  const next: PageState = { ...state, chosen: null, message: null };
  if (!isOn) return { ...withGameBefore(next), mode: 'play' };
  const rows = shownRows(state);
  const isStart = rows.join('\n') === state.rows.join('\n');
  const editing: PageState = { ...endPuzzles(next), mode: 'edit' };
  if (isStart) return editing;
  if (findBoardFault(state.problem, rows) === null) return changeRows(editing, rows);
  return withMessage(
    editing,
    'board',
    `Editing starts from the first position: ${state.problem.whyNotEdited}`,
  );
}

/** Brings back the game from whose position the editing began, if the board has not become another one. */
function withGameBefore(state: PageState): PageState {
  const before = state.earlierBoards.at(-1);
  if (before === undefined) return state;
  const position = shownRows({ ...state, ...before, mode: 'play' });
  return position.join('\n') === state.rows.join('\n') ? { ...undoEdit(state), isLookingBack: true } : state;
}

export function chooseStamp(state: PageState, stamp: string): PageState {
  return { ...state, stamp };
}

/** Puts the text that is chosen in the palette, or another text, on a cell. */
export function paintCell(state: PageState, cell: CellPlace, text = state.stamp): PageState {
  if (!isOnBoard(state, cell)) return state;
  return changeRows(state, replaceCell(state.problem.style, state.rows, cell, text));
}

export function resizeBoard(state: PageState, rows: number, cols: number): PageState {
  const { style, filler } = state.problem;
  return attempt(state, 'size', () => {
    assertBoardSize(style.limits, rows, cols);
    return changeRows(state, resizeBoardRows(style, state.rows, [rows, cols], filler));
  });
}

/** Replaces the board by the first board of a text, which stands in the field of the page or was pasted. */
export function loadBoardFromText(state: PageState, text: string, place: MessagePlace): PageState {
  return attempt(state, place, () => {
    const { rows, isAll } = readBoard(state.problem.style, text);
    const next = changeRows(state, rows);
    if (next.earlierBoards === state.earlierBoards)
      return withMessage(next, place, 'This game began with this board already.');
    const what = isAll ? 'The board was replaced.' : 'The board was replaced by the first one of the text.';
    return withMessage(endPuzzles(next), place, what, { canUndo: true });
  });
}

/** Loads the board and the moves of a link's fragment. Does nothing if the fragment does not concern a board. */
export function loadBoardFromLink(state: PageState, fragment: string): PageState {
  return attempt(state, 'board', () => {
    const shared = readUrlFragment(state.problem.style, fragment);
    if (shared === null) return state;
    const { rows, moves, step } = shared;
    const next: PageState = { ...state, mode: 'play' };
    if (findBoardFault(state.problem, rows) !== null) {
      const changed = changeRows(endPuzzles(next), rows);
      return changed.earlierBoards === state.earlierBoards ? changed : withLinkMessage(changed);
    }
    const tree = moves.map((index, i) => [i, index] as const);
    return {
      ...next,
      message: null,
      pending: createPendingRequest({ kind: 'solve', rows, tree }, moves.length + step, true),
    };
  });
}

/** Returns the result of `change`, or if `change` throws a BoardError, the old state with the error as its message. */
function attempt(state: PageState, place: MessagePlace, change: () => PageState): PageState {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    return withMessage(state, place, error.message, { isError: true });
  }
}

function changeRows(state: PageState, rows: BoardRows): PageState {
  if (rows.join('\n') === state.rows.join('\n')) return { ...state, message: null };
  assertBoard(state.problem.style, rows);
  return replaceBoard(state, rows);
}

/** Shows another board. The board before it comes back with `undoEdit`. */
export function replaceBoard(state: PageState, rows: BoardRows): PageState {
  return withBoard(withSnapshot(state, state), { rows, session: null });
}

function snapshotOf({ rows, session }: PageState): BoardSnapshot {
  return { rows, session };
}

/** Brings back the board before the last edit, with what was played on it. */
export function undoEdit(state: PageState): PageState {
  const { earlierBoards, laterBoards } = state;
  const board = earlierBoards.at(-1);
  if (board === undefined) return state;
  return withBoard(
    { ...state, earlierBoards: earlierBoards.slice(0, -1), laterBoards: [...laterBoards, snapshotOf(state)] },
    board,
  );
}

function redoEdit(state: PageState): PageState {
  const { earlierBoards, laterBoards } = state;
  const board = laterBoards.at(-1);
  if (board === undefined) return state;
  return withBoard(
    { ...state, earlierBoards: [...earlierBoards, snapshotOf(state)], laterBoards: laterBoards.slice(0, -1) },
    board,
  );
}

/** Takes back the last edit or the last move. */
export function undo(state: PageState): PageState {
  if (state.mode === 'edit') return undoEdit(state);
  const back = stepBack(state);
  // Before the first move, only that another board was shown can be undone, as long as the page offers it.
  return back === state && state.message?.canUndo ? undoEdit(state) : back;
}

/** Does again what was taken back. */
export function redo(state: PageState): PageState {
  return state.mode === 'edit' ? redoEdit(state) : stepForward(state);
}
