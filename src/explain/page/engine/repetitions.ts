import type { PositionView } from './messages.js';

/** How many times a position from which nobody can win must be on the board for the game to be a tie. */
export const REPETITIONS_FOR_TIE = 3;

/** Whether a position that is on the board for this many times makes the game a tie. A player who can win may still do so. */
export function isTieByRepetition({ outcome }: PositionView, times: number): boolean {
  return outcome.winner === null && times >= REPETITIONS_FOR_TIE;
}
