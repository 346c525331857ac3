/** Draws the board of an explanation as the text of an SVG file. */
import type { CellPlace, Explanation } from '../../problems/explanation.js';
import { cellsOfRow, drawBoard } from './board.js';
import { darkStyle } from './colors.js';
import { createDrawnElement, printDrawing } from './element.js';
import type { BoardMark } from './marks.js';
import { type MarkedMove, markOfMove, outcomeOfMove } from './move-marks.js';

/** The fields of explanations that the drawing needs, besides those that all problems have. */
interface DrawnFields {
  readonly moves?: readonly MarkedMove[];
  readonly turns?: readonly { readonly pop: { readonly line: readonly CellPlace[] } }[];
}

/**
 * Returns the text of an SVG file with the board of an explanation. With `moves`, the winning first moves are marked, or the
 * first link on a board of link-and-pop.
 */
export function drawExplanation(explanation: Explanation, { moves }: { moves: boolean }): string {
  const { problem, board, case: caseNumber } = explanation;
  const rows = `${board.length} x ${cellsOfRow(problem, board[0]).length}`;
  const title = `${problem}, case ${caseNumber}: a board of ${rows} cells`;
  const marks = moves ? marksOf(explanation) : [];
  const { tag, attributes, children } = drawBoard(problem, board, { title, marks });
  const drawing = createDrawnElement(tag, attributes, [
    createDrawnElement('style', {}, [darkStyle()]),
    ...children,
  ]);
  return `${printDrawing(drawing)}\n`;
}

/** Marks the winning first moves. A label that all winning moves have in common is left out. */
function marksOf(explanation: Explanation): BoardMark[] {
  const { board, problem } = explanation;
  const { moves = [], turns = [] } = explanation as DrawnFields;
  const cols = cellsOfRow(problem, board[0]).length;
  const links = turns
    .slice(0, 1)
    .map(({ pop }): BoardMark => ({ kind: 'link', tone: 'plain', line: pop.line }));
  const marks = moves
    .filter((move) => outcomeOfMove(move) === 'good')
    .map((move) => markOfMove(move, board.length, cols))
    .map((mark): BoardMark => (mark.kind === 'step' ? mark : { ...mark, label: undefined }));
  return [...links, ...marks];
}
