/**
 * Explains answers to bacterial-tactics. The fields are `nimber` (of the board), `moves` (all openings) and `play` (best play
 * to the end). `proof.rectangles` lists each rectangle that legal play can leave, the whole board first: the first and the last
 * row, the first and the last column (all counted from 1), and the nimber.
 */

import { type Explainer, ProofTooLarge } from '../../problems/explanation.js';
import { bestPlay } from '../../problems/game.js';
import { type RectangleEdges, RectangleNumbering, type VisitRectangle } from '../shared/rectangles.js';
import { createGame } from './game.js';
import { analyse, type BoardAnalysis } from './solve.js';

type ProofEntry = readonly [top: number, bottom: number, left: number, right: number, nimber: number];

export const explainer: Explainer = {
  explain(board, wantsProof, maxProofEntries) {
    const analysis = analyse(board);
    const game = createGame(board, analysis);
    return {
      answer: analysis.winningOpenings(),
      nimber: analysis.nimber(0, analysis.rows, 0, analysis.cols),
      moves: game.movesAt(game.start).map(({ line, index, nimber, wins }) => ({ line, index, nimber, wins })),
      play: bestPlay(game).map(({ line, index, from, to }) => ({ line, index, from, to })),
      ...(wantsProof && { proof: { rectangles: proveNimbers(analysis, maxProofEntries) } }),
    };
  },
};

function proveNimbers(analysis: BoardAnalysis, maxEntries: number): ProofEntry[] {
  const numbering = new RectangleNumbering(analysis.rows, analysis.cols);
  const rectangles = numbering
    .reachable((edges, visit) => visitParts(analysis, edges, visit))
    .filter((number) => hasCells(numbering.edgesOf(number)));
  if (rectangles.length > maxEntries) throw new ProofTooLarge(rectangles.length, 'rectangles');
  return rectangles.map((number) => {
    const [top, bottom, left, right] = numbering.edgesOf(number);
    return [top + 1, bottom, left + 1, right, analysis.nimber(top, bottom, left, right)];
  });
}

function visitParts(
  analysis: BoardAnalysis,
  [top, bottom, left, right]: RectangleEdges,
  visit: VisitRectangle,
): void {
  for (let row = top; row < bottom; row++) {
    if (!analysis.isClearRow(row, left, right)) continue;
    visit(top, row, left, right);
    visit(row + 1, bottom, left, right);
  }
  for (let col = left; col < right; col++) {
    if (!analysis.isClearCol(col, top, bottom)) continue;
    visit(top, bottom, left, col);
    visit(top, bottom, col + 1, right);
  }
}

function hasCells([top, bottom, left, right]: RectangleEdges): boolean {
  return top < bottom && left < right;
}
