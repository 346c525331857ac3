/**
 * What the games have in common in which both players have the same moves, and the player who cannot move loses: by
 * Sprague-Grundy theory, the player to move loses exactly if the nimber of the position is 0.
 */
import { type GameMove, type Outcome, opponentOf, type PlayerNumber } from '../../problems/game.js';

/** A move of such a game, with the nimber of the position that it leaves. */
export interface ImpartialMove extends GameMove {
  readonly nimber: number;
  /** Whether the player who makes this move wins with it, that is, whether `nimber` is 0. */
  readonly wins: boolean;
}

/** Returns who wins a position with this nimber, in which it is the turn of `turn`. */
export function outcomeOf(nimber: number, turn: PlayerNumber): Outcome {
  return { winner: nimber === 0 ? opponentOf(turn) : turn, plies: null, nimber };
}

/** Returns the fields that say what a move of `player` is worth, which leaves a position with this nimber. */
export function valueOfMove(nimber: number, player: PlayerNumber): ImpartialMove {
  return { nimber, wins: nimber === 0, outcome: outcomeOf(nimber, opponentOf(player)) };
}

/** Returns the first winning move. If no move wins, returns the first move; null if there is none. */
export function firstBestMove<Move extends ImpartialMove>(moves: readonly Move[]): Move | null {
  return moves.find((move) => move.wins) ?? moves.at(0) ?? null;
}
