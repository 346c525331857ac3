/** Explains answers to boards of river-pawn: the value of every first move, best play, and the values of all positions. */
import type { CellPlace, Explainer } from '../../problems/explanation.js';
import { bestPlay } from '../../problems/game.js';
import { AnalysedBoard } from './analysed-board.js';
import { type Move, type PlayerName, RiverPawnGame } from './game.js';
import { provedPositions } from './proof.js';
import { answerOfPlies } from './solve.js';

/** A move of best play. */
interface PlayedMove {
  readonly player: PlayerName;
  readonly from: CellPlace;
  readonly to: CellPlace;
  /** Number of plies from after the move to the end of the game; null for a tie. */
  readonly left: number | null;
}

/** Best play to the end. In a tie, the last move returns to the position after the first `repeats` moves. */
interface BestPlay {
  readonly play: readonly PlayedMove[];
  readonly repeats?: number;
}

export const explainer: Explainer = {
  explain(board, wantsProof, maxProofEntries) {
    const analysed = new AnalysedBoard(board);
    const game = new RiverPawnGame(analysed);
    return {
      answer: answerOfPlies(analysed.analysis.distance[0]),
      moves: game.movesAt(game.start).map(({ from, to, winner, plies }) => ({ from, to, winner, plies })),
      ...playOf(game),
      ...(wantsProof && { proof: { positions: provedPositions(analysed, maxProofEntries) } }),
    };
  },
};

function playOf(game: RiverPawnGame): BestPlay {
  if (game.outcomeAt(game.start).winner !== null) return { play: bestPlay(game).map(played) };
  const { moves, repeats } = game.repeatingLineFrom(game.start);
  return { play: moves.map(played), repeats };
}

function played({ player, from, to, outcome }: Move): PlayedMove {
  return { player, from, to, left: outcome.plies };
}
