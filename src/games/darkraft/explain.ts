/**
 * Explains answers to darkraft. The fields are `nimber` (of the board), `nimbers` (of the cells with i + j even, and of those
 * with i + j odd), `moves` (all first moves) and `play` (best play to the end).
 *
 * `proof.rectangles` lists each rectangle that legal play can leave, if the board has a cell in it, first those of the cells
 * with i + j even and then the others. A rectangle has the cells of one parity of i + j whose sum i + j and whose difference
 * i - j are in two ranges; i and j count from 1. An entry has the parity, the first and the last sum, the first and the last
 * difference, and the nimber. Ranges are as play leaves them, even if the board has no cell with the first or the last sum
 * or difference in the rectangle: the first rectangle of a parity has all cells of this parity, a move at L with the sum s
 * leaves the sums up to s - 2 and those from s + 2 of its rectangle, a move at R does the same to the differences, and a move
 * at X to both.
 */
import { type Explainer, ProofTooLarge } from '../../problems/explanation.js';
import { bestPlay } from '../../problems/game.js';
import { type RectangleEdges, RectangleNumbering, type VisitRectangle } from '../shared/rectangles.js';
import { createGame } from './game.js';
import { type CellParity, coordinateDifferenceOfCol, coordinateSumOfRow } from './rotation.js';
import { analyse, type BoardAnalysis, type RotatedParityClass } from './solve.js';

type ProofEntry = readonly [
  parity: CellParity,
  minSum: number,
  maxSum: number,
  minDifference: number,
  maxDifference: number,
  nimber: number,
];

const PARITIES: readonly CellParity[] = [0, 1];

export const explainer: Explainer = {
  explain(board, wantsProof, maxProofEntries) {
    const analysis = analyse(board);
    const game = createGame(board, analysis);
    return {
      answer: analysis.nimber === 0 ? 'LOSE' : 'WIN',
      nimber: analysis.nimber,
      nimbers: analysis.classes.map(({ totalNimber }) => totalNimber),
      moves: game
        .movesAt(game.start)
        .map(({ cell, letter, nimber, wins }) => ({ cell, letter, nimber, wins })),
      play: bestPlay(game).map(({ cell }) => ({ cell })),
      ...(wantsProof && { proof: { rectangles: proveNimbers(analysis, board.cols, maxProofEntries) } }),
    };
  },
};

function proveNimbers({ classes }: BoardAnalysis, boardCols: number, maxEntries: number): ProofEntry[] {
  const numberings = classes.map(({ rows, cols }) => new RectangleNumbering(rows, cols));
  const reached = PARITIES.map((parity) => reachableRectangles(classes[parity], numberings[parity]));
  const entries = reached[0].length + reached[1].length;
  if (entries > maxEntries) throw new ProofTooLarge(entries, 'rectangles');
  return PARITIES.flatMap((parity) =>
    reached[parity].map((number) =>
      proofEntry(classes[parity], parity, boardCols, numberings[parity].edgesOf(number)),
    ),
  );
}

function proofEntry(
  parityClass: RotatedParityClass,
  parity: CellParity,
  boardCols: number,
  [x1, x2, y1, y2]: RectangleEdges,
): ProofEntry {
  // If i and j count from 1, their sum is larger by 2 than if they count from 0, and their difference is the same.
  const sumAt = (x: number) => coordinateSumOfRow(x, parity) + 2;
  const differenceAt = (y: number) => coordinateDifferenceOfCol(y, parity, boardCols);
  const nimber = parityClass.rectangleNimber(x1, x2, y1, y2);
  return [parity, sumAt(x1), sumAt(x2 - 1), differenceAt(y1), differenceAt(y2 - 1), nimber];
}

/** Returns the rectangles with at least one cell that legal play can leave, the whole class first. */
function reachableRectangles(parityClass: RotatedParityClass, numbering: RectangleNumbering): number[] {
  return numbering
    .reachable((edges, visit) => visitParts(parityClass, edges, visit))
    .filter((number) => parityClass.hasCells(...numbering.edgesOf(number)));
}

/** Visits all rectangles that a move in a rectangle leaves, including those without cells. */
function visitParts(parityClass: RotatedParityClass, edges: RectangleEdges, visit: VisitRectangle): void {
  visitPartsAfterL(parityClass, edges, visit);
  visitPartsAfterR(parityClass, edges, visit);
  visitPartsAfterX(parityClass, edges, visit);
}

function visitPartsAfterL(
  parityClass: RotatedParityClass,
  [x1, x2, y1, y2]: RectangleEdges,
  visit: VisitRectangle,
): void {
  for (let x = x1; x < x2; x++) {
    if (!hasL(parityClass, x, y1, y2)) continue;
    visit(x1, x, y1, y2);
    visit(x + 1, x2, y1, y2);
  }
}

function visitPartsAfterR(
  parityClass: RotatedParityClass,
  [x1, x2, y1, y2]: RectangleEdges,
  visit: VisitRectangle,
): void {
  for (let y = y1; y < y2; y++) {
    if (!hasR(parityClass, y, x1, x2)) continue;
    visit(x1, x2, y1, y);
    visit(x1, x2, y + 1, y2);
  }
}

function visitPartsAfterX(
  parityClass: RotatedParityClass,
  [x1, x2, y1, y2]: RectangleEdges,
  visit: VisitRectangle,
): void {
  const { cols, xCountBefore, xCols } = parityClass;
  for (let x = x1; x < x2; x++) {
    const line = x * (cols + 1);
    const end = x * cols + xCountBefore[line + y2];
    for (let k = x * cols + xCountBefore[line + y1]; k < end; k++) {
      const y = xCols[k];
      visit(x1, x, y1, y);
      visit(x1, x, y + 1, y2);
      visit(x + 1, x2, y1, y);
      visit(x + 1, x2, y + 1, y2);
    }
  }
}

/** Returns whether row x has an L in columns y1 to y2 - 1. */
function hasL({ cols, lCountBefore }: RotatedParityClass, x: number, y1: number, y2: number): boolean {
  const line = x * (cols + 1);
  return lCountBefore[line + y1] !== lCountBefore[line + y2];
}

/** Returns whether column y has an R in rows x1 to x2 - 1. */
function hasR({ rows, rCountBefore }: RotatedParityClass, y: number, x1: number, x2: number): boolean {
  const line = y * (rows + 1);
  return rCountBefore[line + x1] !== rCountBefore[line + x2];
}
