/**
 * Functions for impartial games, in which both players have the same moves and the player who cannot move loses. By
 * Sprague-Grundy theory, the player to move loses exactly if the nimber of the position is 0.
 */
import { type GameMove, type GameOutcome, opponentOf, type PlayerNumber } from '../../problems/game.js';

/** A move of an impartial game, with the nimber of the position after the move. */
export interface ImpartialMove extends GameMove {
  readonly nimber: number;
  /** Whether the player who makes this move wins with it, that is, whether `nimber` is 0. */
  readonly wins: boolean;
}

/** Returns who wins a position with this nimber if `turn` is to move. */
export function outcomeOfNimber(nimber: number, turn: PlayerNumber): GameOutcome {
  return { winner: nimber === 0 ? opponentOf(turn) : turn, plies: null, nimber };
}

/** Returns the value of a move by which `player` leaves a position with this nimber, as the fields of a move. */
export function moveFieldsOfNimber(nimber: number, player: PlayerNumber): ImpartialMove {
  return { nimber, wins: nimber === 0, outcome: outcomeOfNimber(nimber, opponentOf(player)) };
}

/** Returns the first winning move. If no move wins, returns the first move; null if there is none. */
export function firstBestMove<Move extends ImpartialMove>(moves: readonly Move[]): Move | null {
  return moves.find((move) => move.wins) ?? moves.at(0) ?? null;
}
