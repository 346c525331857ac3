/** Judges moves that were played: a mistake gives a win or a tie away. */
import type { MoveOutcome } from '../../drawing/marks.js';
import { outcomeOfMove } from '../../drawing/move-marks.js';
import type { PositionView } from '../engine/messages.js';
import type { PageMove } from '../games.js';
import { type GameSession, moveLeadingTo } from './game-tree.js';

/** A mistake has a worse outcome than the best move; an inaccuracy wins later or loses earlier. */
type Verdict = 'fine' | 'inaccuracy' | 'mistake';

export const MOVE_VERDICT_SIGNS: Readonly<Record<Verdict, string>> = {
  fine: '',
  inaccuracy: '?!',
  mistake: '?',
};

const RANKS: Readonly<Record<MoveOutcome, number>> = { bad: 0, even: 1, plain: 1, good: 2 };

/** Judges the move that led to a position. */
export function moveVerdictOf(session: GameSession, node: number): Verdict {
  const move = moveLeadingTo(session, node);
  if (move === null) return 'fine';
  const { outcome, turn } = session.nodes[session.nodes[node].parent].view;
  if (RANKS[outcomeOfMove(move)] < RANKS[toneOfPosition({ outcome, turn })]) return 'mistake';
  return 'plies' in move && move.plies !== outcome.plies ? 'inaccuracy' : 'fine';
}

/** Returns whether a position wins, loses or ties for the player who is to move. */
function toneOfPosition({ outcome, turn }: Pick<PositionView, 'outcome' | 'turn'>): MoveOutcome {
  if (outcome.winner === null) return 'even';
  return outcome.winner === turn ? 'good' : 'bad';
}

/** Orders moves by their value: a winner prefers few plies, a loser many. */
export function compareMoves(one: PageMove, other: PageMove): number {
  const difference = RANKS[outcomeOfMove(other)] - RANKS[outcomeOfMove(one)];
  if (difference !== 0 || !('plies' in one && 'plies' in other)) return difference;
  const fewerPlies = (one.plies ?? 0) - (other.plies ?? 0);
  return outcomeOfMove(one) === 'bad' ? -fewerPlies : fewerPlies;
}
