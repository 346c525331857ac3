/**
 * The interface of a game of two players, move by move. Explanations, drawings and pages are made from a Game. The solvers do
 * not use it, because they only decide who wins.
 */
import type { Board } from '../formats/boards/board.js';

/** The number of a player: 0 for the player who moves first, 1 for the other player. */
export type PlayerNumber = 0 | 1;

/** How a game ends if both players play their best from a position on. */
export interface GameOutcome {
  /** The player who wins; null for a tie. */
  readonly winner: PlayerNumber | null;
  /** Number of moves of both players until the game ends; null for a tie, or if the problem counts no moves. */
  readonly plies: number | null;
  /** The nimber of the position; null if the game is not impartial. */
  readonly nimber: number | null;
}

/** The fields that the moves of all games have. Each problem adds its own fields: cells, lines, letters. */
export interface GameMove {
  /** How the game ends after this move. `plies` does not count the move itself. */
  readonly outcome: GameOutcome;
}

/** Moves after which the position is the same as after the first `repeats` of these moves. */
export interface RepeatingMoves<Move> {
  readonly moves: readonly Move[];
  readonly repeats: number;
}

/** One game on one board. A position is plain data that no call changes. */
export interface Game<Position = unknown, Move extends GameMove = GameMove> {
  /** The position at the beginning, with player 0 to move. */
  readonly start: Position;
  /** The names of the two players, such as Red and Black. */
  readonly playerNames: readonly [string, string];
  turnAt(position: Position): PlayerNumber;
  outcomeAt(position: Position): GameOutcome;
  /** Returns the legal moves, in a fixed order. The array is empty exactly if the game is over. */
  movesAt(position: Position): readonly Move[];
  /** Returns the position after a legal move. */
  after(position: Position, move: Move): Position;
  /** Returns a best move, always the same move for the same position; null if the game is over. */
  bestMoveAt(position: Position): Move | null;
  /**
   * Optional, for games with ties. From a position that is a tie, returns a shortest line of moves that comes back to a
   * position of this line. All moves keep the tie.
   */
  repeatingLineFrom?(position: Position): RepeatingMoves<Move>;
  /** Returns the rows of the board as an input has them, with the letters that play has added. */
  rowsAt(position: Position): readonly string[];
}

/** Starts a game on a board. The game does not keep the board. */
export type AnalyseGame<Position, Move extends GameMove> = (board: Board) => Game<Position, Move>;

export function opponentOf(player: PlayerNumber): PlayerNumber {
  return player === 0 ? 1 : 0;
}

/** Returns the best moves of both players from the beginning of a game to its end. The game must not be a tie. */
export function bestPlay<Position, Move extends GameMove>(game: Game<Position, Move>): Move[] {
  const play: Move[] = [];
  let position = game.start;
  for (let move = game.bestMoveAt(position); move !== null; move = game.bestMoveAt(position)) {
    play.push(move);
    position = game.after(position, move);
  }
  return play;
}
