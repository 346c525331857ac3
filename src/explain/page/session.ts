/** What the page shows of one board: a game that is played, or the frames of a replay. Both have a current place in time. */

import type { BlockMove, PopAndMoves, Replay } from '../../games/link-and-pop/replay.js';
import type { CellPlace } from '../../problems/explanation.js';
import { type BoardRows, boardOf } from './board-text.js';
import type { PageGame, PageMove, PageProblem } from './games.js';

/** A game, with the moves that were played. The page shows the position after the first `at` moves. */
export interface GameSession {
  readonly kind: 'game';
  readonly game: PageGame;
  readonly moves: readonly PageMove[];
  /** The position before the first move and after each move. */
  readonly positions: readonly unknown[];
  readonly at: number;
}

export interface ReplaySession {
  readonly kind: 'replay';
  readonly replay: Replay;
  readonly frames: readonly ReplayFrame[];
  readonly at: number;
}

export type Session = GameSession | ReplaySession;

/** A picture of a replay: the start, a pop, or the board after the moves that follow a pop. */
export interface ReplayFrame {
  readonly kind: 'start' | 'pop' | 'moves';
  /** The number of pops up to this frame; 0 for the start. */
  readonly pop: number;
  /** The cells of the pair that is popped. */
  readonly popped: readonly CellPlace[];
  /** The line of the link; empty for frames without a pop. */
  readonly line: readonly CellPlace[];
  /** The moves of the blocks, in order; empty for frames without moves. */
  readonly moves: readonly BlockMove[];
}

export function startSession({ style, show }: PageProblem, rows: BoardRows): Session {
  const board = boardOf(style, rows);
  if (show.kind === 'replay') {
    const replay = show.start(board);
    return { kind: 'replay', replay, frames: framesOf(replay), at: 0 };
  }
  const game = show.start(board);
  return { kind: 'game', game, moves: [], positions: [game.start], at: 0 };
}

function framesOf({ turns }: Replay): ReplayFrame[] {
  const first: ReplayFrame = { kind: 'start', pop: 0, popped: [], line: [], moves: [] };
  return [first, ...turns.flatMap((turn, i) => framesOfTurn(turn, i + 1, i === turns.length - 1))];
}

/** A pop after which no block moves has no frame of its own for the moves, unless it is the last one. */
function framesOfTurn(
  { pop: { cells, line }, moves }: PopAndMoves,
  pop: number,
  isLast: boolean,
): ReplayFrame[] {
  const popping: ReplayFrame = { kind: 'pop', pop, popped: cells, line, moves: [] };
  const settled: ReplayFrame = { kind: 'moves', pop, popped: [], line: [], moves };
  return moves.length > 0 || isLast ? [popping, settled] : [popping];
}

/** Returns the number of the last place in time: the number of moves or of frames after the start. */
export function lastPlaceOf(session: Session): number {
  return session.kind === 'game' ? session.moves.length : session.frames.length - 1;
}

export function goTo<S extends Session>(session: S, at: number): S {
  return { ...session, at: Math.max(0, Math.min(at, lastPlaceOf(session))) };
}

export function positionOf({ positions, at }: GameSession): unknown {
  return positions[at];
}

/** Returns the rows of the board at the moment that is shown. A frame with a pop still shows the popped blocks. */
export function shownRows(session: Session): BoardRows {
  if (session.kind === 'game') return session.game.rowsAt(positionOf(session));
  const { kind, pop } = session.frames[session.at];
  return session.replay.rowsAfter(kind === 'pop' ? pop - 1 : pop, true);
}

export function turnOf(session: GameSession): 0 | 1 {
  return session.game.turnAt(positionOf(session));
}

/** Returns the legal moves in the position that is shown. */
export function legalMoves(session: GameSession): readonly PageMove[] {
  return session.game.movesAt(positionOf(session));
}

/** Plays a legal move in the position that is shown. It replaces the moves that were played after this position. */
export function playMove(session: GameSession, move: PageMove): GameSession {
  const { game, at } = session;
  const moves = [...session.moves.slice(0, at), move];
  const positions = [...session.positions.slice(0, at + 1), game.after(positionOf(session), move)];
  return { ...session, moves, positions, at: moves.length };
}

/** Plays a best move. Does nothing if the game is over. */
export function playBest(session: GameSession): GameSession {
  const move = session.game.bestMoveAt(positionOf(session));
  return move === null ? session : playMove(session, move);
}

/** Plays best moves until the game is over or, if nobody can win, until a position returns. */
export function playToEnd(session: GameSession): GameSession {
  const { game } = session;
  const position = positionOf(session);
  const isTie = game.outcomeAt(position).winner === null;
  if (isTie && game.repeatingLineFrom !== undefined)
    return game.repeatingLineFrom(position).moves.reduce(playMove, session);
  let played = session;
  while (legalMoves(played).length > 0) played = playBest(played);
  return played;
}

/** Returns the number of moves after which the shown position was first on the board; null if the position is new. */
export function findRepeat({ positions, at }: GameSession): number | null {
  const now = JSON.stringify(positions[at]);
  const earlier = positions.findIndex((position) => JSON.stringify(position) === now);
  return earlier < at ? earlier : null;
}

/** Returns for each move up to the shown position its index among the legal moves. */
export function indicesOfMoves({ game, moves, positions, at }: GameSession): number[] {
  return moves.slice(0, at).map((move, i) => {
    const text = JSON.stringify(move);
    return game.movesAt(positions[i]).findIndex((legal) => JSON.stringify(legal) === text);
  });
}

/** Plays moves by their indices. Returns null if one of them is not legal. */
export function playIndices(session: GameSession, indices: readonly number[]): GameSession | null {
  let played = session;
  for (const index of indices) {
    const move = legalMoves(played)[index];
    if (move === undefined) return null;
    played = playMove(played, move);
  }
  return played;
}
