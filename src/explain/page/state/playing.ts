/** Playing: moves of the user and of the computer, and going through the moves that were played. */
import type { CellPlace } from '../../../problems/explanation.js';
import type { PageMove } from '../games.js';
import {
  findChild,
  type GameSession,
  isGameOver,
  legalMoves,
  pathTo,
  showNode,
  shownLine,
  shownNode,
  turnOf,
} from './game-tree.js';
import {
  type ComputerSkill,
  clickableCells,
  createPendingRequest,
  gameOf,
  isOnBoard,
  isSameCell,
  isWaitingForEngine,
  type PageSession,
  type PageState,
} from './state.js';

// Moves

/** Plays a legal move. Does nothing if the move is not legal any more, such as after the second click of a double click. */
export function playPageMove(state: PageState, move: PageMove): PageState {
  const game = gameOf(state);
  return game === null ? state : playIndex(state, game, legalMoves(game).indexOf(move));
}

/** Plays a move by its index. A move that was played before leads to the known position. */
function playIndex(state: PageState, game: GameSession, index: number): PageState {
  if (isWaitingForEngine(state) || legalMoves(game)[index] === undefined) return state;
  const known = findChild(game, game.shown, index);
  const next: PageState = { ...state, chosen: null, message: null };
  if (known !== null) return { ...next, session: showNode(game, known), isLookingBack: false };
  const { key } = shownNode(game).view;
  return { ...next, pending: createPendingRequest({ kind: 'play', rows: state.rows, key, index }) };
}

export function playBestMove(state: PageState): PageState {
  const game = gameOf(state);
  return game === null ? state : playIndex(state, game, shownNode(game).view.best);
}

export function playBestToEnd(state: PageState): PageState {
  const game = gameOf(state);
  if (game === null || isWaitingForEngine(state) || isGameOver(game)) return state;
  const keys = pathTo(game, game.shown).map((node) => game.nodes[node].view.key);
  const pending = createPendingRequest({ kind: 'play-to-end', rows: state.rows, keys });
  return { ...state, chosen: null, message: null, pending };
}

// The computer

/** How often a computer that plays fairly well makes any move instead of a best one. */
const FAIR_SLIPS = 0.35;

/** Plays a move for the computer. `chance` is a random number from 0 to 1 that chooses the move of a weak computer. */
export function playForComputer(state: PageState, chance: number): PageState {
  const game = gameOf(state);
  if (game === null || !computerMovesNext(state)) return state;
  const slips = { best: 0, fair: FAIR_SLIPS, random: 1 }[state.skill];
  const { moves, best } = shownNode(game).view;
  const index = chance < slips ? Math.floor((chance / slips) * moves.length) : best;
  // What the user was told, such as how to undo a new game, stays until his own next move.
  return { ...playIndex(state, game, index), message: state.message };
}

/** Whether the computer moves next. It waits while the user looks at an earlier position. */
export function computerMovesNext(state: PageState): boolean {
  return isTurnOfComputer(state) && !computerWaits(state);
}

/** Whether it is the computer's turn, but it does not move because the user looks at an earlier position. */
export function computerWaits(state: PageState): boolean {
  const game = gameOf(state);
  return isTurnOfComputer(state) && state.isLookingBack && shownNode(game!).children.length > 0;
}

function isTurnOfComputer(state: PageState): boolean {
  const game = gameOf(state);
  return game !== null && state.isComputer[turnOf(game)] && !isGameOver(game);
}

/** Lets the computer play for a player, or not. A computer that was just switched on moves at once. */
export function setComputerPlays(state: PageState, player: 0 | 1, isOn: boolean): PageState {
  const [first, second] = state.isComputer;
  const isComputer = player === 0 ? ([isOn, second] as const) : ([first, isOn] as const);
  return { ...state, isComputer, message: null, isLookingBack: state.isLookingBack && !isOn };
}

export function letComputerMove(state: PageState): PageState {
  return { ...state, isLookingBack: false };
}

export function setSkill(state: PageState, skill: ComputerSkill): PageState {
  return { ...state, skill };
}

// Values

export function setValuesShown(state: PageState, hasValues: boolean): PageState {
  return { ...state, hasValues, revealed: -1 };
}

/** Shows the values of the position that is shown, although values are hidden. */
export function revealValues(state: PageState): PageState {
  const game = gameOf(state);
  return game === null ? state : { ...state, revealed: game.shown };
}

/** Whether the values of the position that is shown are visible. */
export function areValuesShown(state: PageState): boolean {
  return state.hasValues || gameOf(state)?.shown === state.revealed;
}

// Cells

/** Marks a cell as clicked, or no cell. */
export function chooseCell(state: PageState, chosen: CellPlace | null): PageState {
  return { ...state, chosen };
}

/** Returns the legal moves that a click on the cell can mean. */
export function movesAtCell(game: GameSession, cell: CellPlace): PageMove[] {
  return legalMoves(game).filter((move) => clickableCells(move).some((start) => isSameCell(start, cell)));
}

/** Returns the moves of the piece in a cell that end in another cell. */
export function movesToCell(game: GameSession, from: CellPlace, to: CellPlace): PageMove[] {
  return movesAtCell(game, from).filter((move) => 'player' in move && isSameCell(move.to, to));
}

/** Acts on a click on a cell: plays the only move that it can mean, or offers the moves. */
export function clickCell(state: PageState, cell: CellPlace): PageState {
  const game = gameOf(state);
  if (game === null || !canUserMove(state) || !isOnBoard(state, cell)) return state;
  const { chosen } = state;
  const ends = chosen === null ? [] : movesToCell(game, chosen, cell);
  if (ends.length === 1) return playPageMove(state, ends[0]);
  const moves = movesAtCell(game, cell);
  if (moves.length === 1 && !('player' in moves[0])) return playPageMove(state, moves[0]);
  return chooseCell(state, moves.length === 0 || (chosen !== null && isSameCell(chosen, cell)) ? null : cell);
}

export function canUserMove(state: PageState): boolean {
  return gameOf(state) !== null && !isWaitingForEngine(state) && !computerMovesNext(state);
}

// Time

/** Returns the place of what is shown in its line or replay, and the last place. */
export function shownPlaceOf(session: PageSession | null): readonly [at: number, end: number] {
  if (session === null) return [0, 0];
  if (session.kind === 'replay') return [session.at, session.lastFrame];
  return [shownNode(session).depth, shownLine(session).length - 1];
}

/** Shows a place in the line of the game or in the replay. */
export function showMoment(state: PageState, at: number): PageState {
  const { session } = state;
  if (session === null || state.mode === 'edit') return state;
  const [shown, end] = shownPlaceOf(session);
  const place = Math.max(0, Math.min(at, end));
  // A key that moves nothing leaves the message, which may offer to undo that another board was shown.
  if (place === shown) return state;
  return session.kind === 'game' ? showPosition(state, shownLine(session)[place]) : showFrame(state, place);
}

/** Shows a position of the game by its number. */
export function showPosition(state: PageState, node: number): PageState {
  const game = gameOf(state);
  if (game?.nodes[node] === undefined) return state;
  const isMoved = node !== game.shown;
  return {
    ...state,
    session: showNode(game, node),
    isLookingBack: state.isLookingBack || isMoved,
    pending: null,
    chosen: null,
    message: null,
  };
}

function showFrame(state: PageState, at: number): PageState {
  const { session } = state;
  if (session?.kind !== 'replay') return state;
  const pending = at === session.shown ? null : createPendingRequest({ kind: 'frame', rows: state.rows, at });
  return { ...state, session: { ...session, at }, pending, message: null };
}

/** Goes back one move. The computer's moves are taken back together with the user's move before them. */
export function stepBack(state: PageState): PageState {
  return step(state, -1);
}

/** Goes forward one move, and on to the user's next one. */
export function stepForward(state: PageState): PageState {
  return step(state, 1);
}

function step(state: PageState, direction: 1 | -1): PageState {
  const { session } = state;
  const [at, end] = shownPlaceOf(session);
  let next = at + direction;
  if (session?.kind === 'game' && !state.isComputer.every(Boolean)) {
    const line = shownLine(session);
    const isComputers = (place: number) => state.isComputer[session.nodes[line[place]].view.turn];
    while (next > 0 && next < end && isComputers(next)) next += direction;
  }
  return showMoment(state, next);
}
