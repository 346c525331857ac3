/**
 * Explains answers to bacterial-tactics. The fields are `nimber` (of the board), `moves` (all openings) and `play` (best play
 * to the end). `proof.rectangles` lists each rectangle that legal play can leave, the whole board first: the first and the last
 * row, the first and the last column (all counted from 1), and the nimber.
 */

import { type Explainer, ProofTooLarge } from '../../problems/explanation.js';
import { bestPlay } from '../../problems/game.js';
import { reachableFrom } from '../shared/reachable.js';
import { createGame } from './game.js';
import { type Analysis, analyse } from './solve.js';

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

function proveNimbers(analysis: Analysis, maxEntries: number): ProofEntry[] {
  const numbering = new RectangleNumbering(analysis.rows, analysis.cols);
  const rectangles = reachableRectangles(analysis, numbering);
  if (rectangles.length > maxEntries) throw new ProofTooLarge(rectangles.length, 'rectangles');
  return rectangles.map((number) => {
    const [top, bottom, left, right] = numbering.edgesOf(number);
    return [top + 1, bottom, left + 1, right, analysis.nimber(top, bottom, left, right)];
  });
}

/** Returns the numbers of the rectangles with at least one cell that legal play can leave, the whole board first. */
function reachableRectangles(analysis: Analysis, numbering: RectangleNumbering): number[] {
  const board = numbering.numberOf(0, analysis.rows, 0, analysis.cols);
  const reached = reachableFrom(board, numbering.count, (number, visit) => {
    const [top, bottom, left, right] = numbering.edgesOf(number);
    for (let row = top; row < bottom; row++) {
      if (!analysis.isClearRow(row, left, right)) continue;
      visit(numbering.numberOf(top, row, left, right));
      visit(numbering.numberOf(row + 1, bottom, left, right));
    }
    for (let col = left; col < right; col++) {
      if (!analysis.isClearCol(col, top, bottom)) continue;
      visit(numbering.numberOf(top, bottom, left, col));
      visit(numbering.numberOf(top, bottom, col + 1, right));
    }
  });
  return reached.filter((number) => numbering.hasCells(number));
}

/** Numbers the rectangles of a board by their edges, which are those of `Analysis`. */
class RectangleNumbering {
  readonly #rowEdges: number;
  readonly #colEdges: number;

  constructor(rows: number, cols: number) {
    this.#rowEdges = rows + 1;
    this.#colEdges = cols + 1;
  }

  /** Every number is below this one. */
  get count(): number {
    return (this.#rowEdges * this.#colEdges) ** 2;
  }

  numberOf(top: number, bottom: number, left: number, right: number): number {
    return ((top * this.#rowEdges + bottom) * this.#colEdges + left) * this.#colEdges + right;
  }

  edgesOf(number: number): [top: number, bottom: number, left: number, right: number] {
    const right = number % this.#colEdges;
    const left = Math.floor(number / this.#colEdges) % this.#colEdges;
    const rowRange = Math.floor(number / this.#colEdges ** 2);
    return [Math.floor(rowRange / this.#rowEdges), rowRange % this.#rowEdges, left, right];
  }

  hasCells(number: number): boolean {
    const [top, bottom, left, right] = this.edgesOf(number);
    return top < bottom && left < right;
  }
}
