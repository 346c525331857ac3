/** Boards as text, with the numbers of rows and columns where they fit. */
import type { CellPlace } from '../../../problems/explanation.js';
import { type Style, type StyledLine, type StyledSpan, styledSpan, truncateLine } from './styled-text.js';

/** The text and colour of each cell of a board, row by row. The texts of all cells are equally long. */
export type StyledBoard = readonly (readonly StyledSpan[])[];

/** Makes a board from the texts of its cells. */
export function boardOfCells(
  rows: readonly (readonly string[])[],
  styleOf: (text: string) => Style | undefined,
  changed: readonly CellPlace[] = [],
): StyledBoard {
  const cells = rows.map((row) => row.map((text) => styledSpan(text, styleOf(text))));
  for (const [row, column] of changed) {
    cells[row - 1][column - 1] = styledSpan(rows[row - 1][column - 1], 'changed');
  }
  return cells;
}

/** Returns the lines of a board in the clearest form that fits the width. If no form fits, lines are cut off on the right. */
export function boardLines(board: StyledBoard, width: number): StyledLine[] {
  return linesOf(board, formFor(board, width)).map((line) => truncateLine(line, width));
}

/** Returns the width of the lines that `boardLines` returns for the same board. */
export function boardWidth(board: StyledBoard, width: number): number {
  return Math.min(width, widthOf(board, formFor(board, width)));
}

interface Form {
  readonly gap: string;
  readonly hasNumbers: boolean;
}

/** The ways to print a board, the easiest to read first. The first one that fits the width is taken. */
const FORMS: readonly Form[] = [
  { gap: ' ', hasNumbers: true },
  { gap: ' ', hasNumbers: false },
  { gap: '', hasNumbers: false },
];

function formFor(board: StyledBoard, width: number): Form {
  // Cells of two letters without a gap would run into each other, so the form without gaps is left out.
  const forms = cellWidth(board) === 1 ? FORMS : FORMS.slice(0, 2);
  return forms.find((form) => widthOf(board, form) <= width) ?? forms[forms.length - 1];
}

/** Returns the width of a cell, which is the same for all cells of a board. */
function cellWidth(board: StyledBoard): number {
  return board[0][0].text.length;
}

function widthOf(board: StyledBoard, { gap, hasNumbers }: Form): number {
  const columns = board[0].length;
  const numbers = hasNumbers ? String(board.length).length + 1 : 0;
  return numbers + columns * (cellWidth(board) + gap.length) - gap.length;
}

function linesOf(board: StyledBoard, { gap, hasNumbers }: Form): StyledLine[] {
  const lines = board.map((row) => joinCells(row, gap));
  return hasNumbers ? withNumbers(board, lines, cellWidth(board) + gap.length) : lines;
}

function joinCells(cells: readonly StyledSpan[], gap: string): StyledLine {
  return cells.flatMap((cell, i) => (i === 0 ? [cell] : [styledSpan(gap), cell]));
}

function withNumbers(rows: StyledBoard, lines: readonly StyledLine[], cellDistance: number): StyledLine[] {
  const margin = String(rows.length).length + 1;
  const numbered = lines.map((line, i) => [
    styledSpan(`${String(i + 1).padStart(margin - 1)} `, 'quiet'),
    ...line,
  ]);
  return [...columnNumbers(rows[0].length, margin, cellDistance), ...numbered];
}

/** Returns the two lines above a board: the other digits of each tenth column number, and the last digits of all numbers. */
function columnNumbers(columns: number, margin: number, cellDistance: number): StyledLine[] {
  const digits = Array.from({ length: columns }, (_, j) => String((j + 1) % 10).padEnd(cellDistance));
  const tens = Array.from({ length: columns }, (_, j) =>
    (j + 1) % 10 === 0 ? String((j + 1) / 10).padEnd(cellDistance) : ' '.repeat(cellDistance),
  );
  const sizeLine = (cells: readonly string[]): StyledLine => [
    styledSpan(`${' '.repeat(margin)}${cells.join('').trimEnd()}`, 'quiet'),
  ];
  return columns < 10 ? [sizeLine(digits)] : [sizeLine(tens), sizeLine(digits)];
}
