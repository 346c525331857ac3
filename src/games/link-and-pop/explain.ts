/** Explains answers to boards of link-and-pop: every pop with its link, the moves after it, and the final board. */
import type { Explainer } from '../../problems/explanation.js';
import { traceGame } from './replay.js';

export const explainer: Explainer = {
  /** With `wantsProof`, the field `proof` contains the name of the field with the turns: repeating them checks the answer. */
  explain(board, wantsProof) {
    const { turns, final } = traceGame(board);
    return { answer: final, turns, final, ...(wantsProof && { proof: 'turns' }) };
  },
};
