/** Draws a board of one of the four problems, with marks on top. */
import { pluralize } from '../../core/errors.js';
import type { CellPlace } from '../../problems/explanation.js';
import { CELL_LOOKS, type CellLook, type LookOfCell } from './cells.js';
import { fillAttributes, outlineAttributes } from './colors.js';
import { createDrawnElement, type DrawnElement, groupElements, moveElements } from './element.js';
import { type BoardMark, CELL_SIDE, centeredText, drawMark } from './marks.js';

interface BoardOptions {
  /** Moves and links on top of the board. Later marks cover earlier ones. */
  readonly marks?: readonly BoardMark[];
  /** Cells that the last move has changed. They get a frame. */
  readonly lastCells?: readonly CellPlace[];
  /** Whether the row and column numbers are drawn along the edges of the board. */
  readonly hasCoordinates?: boolean;
  /** Whether the drawing has room for links on the ring around the board, even if no mark needs this room. */
  readonly hasRing?: boolean;
  /** The name of the drawing for screen readers; by default the name of the problem with the size of the board. */
  readonly title?: string;
}

/** Space around the board, for the outer halves of labels. */
export const BOARD_MARGIN = 13;
/** Space between the edge of the board and the outer side of a line on the ring. */
export const SPACE_FOR_BOARD_RING = CELL_SIDE / 2 + 6;
const COORDINATE_WIDTH = 28;
const COORDINATE_HEIGHT = 20;
/** Largest number of cells of a board that screen readers read out row by row. */
const MAX_DESCRIBED_CELLS = 400;
/** Longest side of a picture in pixels, if the document around the picture does not set its size. */
const MAX_PIXELS = 1200;

/** The place of the board in its drawing. */
interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws a board. `rows` are as in an input, with the letters that play adds: `o` for a filled cell of bacterial-tactics, and
 * `.` for a cleared cell of darkraft, `.` or `..` for a cell of link-and-pop without a block. Each cell is a group of class
 * `cell` with its row and column, from 1, in `data-row` and `data-col`.
 */
export function drawBoard(
  problemName: string,
  rows: readonly string[],
  options: BoardOptions = {},
): DrawnElement {
  const cells = rows.map((row) => cellsOfRow(problemName, row));
  const frame = frameOf(cells.length, cells[0].length, options);
  const { marks = [], lastCells = [] } = options;
  return createDrawnElement('svg', rootAttributes(frame), [
    createDrawnElement('title', {}, [options.title ?? describeSize(problemName, cells)]),
    createDrawnElement('desc', {}, [describeRows(rows, cells)]),
    createDrawnElement('rect', {
      ...fillAttributes('paper', 'paper'),
      width: frame.width,
      height: frame.height,
    }),
    ...(options.hasCoordinates ? [drawCoordinates(cells.length, cells[0].length, frame)] : []),
    moveElements([frame.left, frame.top], { class: 'board' }, [
      groupElements({ class: 'cells' }, drawCells(CELL_LOOKS[problemName], cells)),
      drawGrid(cells.length, cells[0].length),
      drawBoardOutline(cells.length, cells[0].length),
      groupElements({ class: 'last' }, lastCells.map(drawCellOfLastMove)),
      groupElements({ class: 'marks' }, marks.map(drawMark)),
    ]),
  ]);
}

/** Cuts a row into its cells: blocks with whitespace between them (link-and-pop), or letters. */
export function cellsOfRow(problemName: string, row: string): string[] {
  return problemName === 'link-and-pop' ? row.trim().split(/\s+/) : [...row];
}

function frameOf(rows: number, cols: number, { marks = [], hasCoordinates, hasRing }: BoardOptions): Frame {
  const margin =
    hasRing || marks.some((mark) => isOnRing(mark, rows, cols)) ? SPACE_FOR_BOARD_RING : BOARD_MARGIN;
  const left = margin + (hasCoordinates ? COORDINATE_WIDTH : 0);
  const top = margin + (hasCoordinates ? COORDINATE_HEIGHT : 0);
  return { left, top, width: left + cols * CELL_SIDE + margin, height: top + rows * CELL_SIDE + margin };
}

function isOnRing(mark: BoardMark, rows: number, cols: number): boolean {
  return (
    mark.kind === 'link' &&
    mark.line.some(([row, column]) => row < 1 || row > rows || column < 1 || column > cols)
  );
}

function rootAttributes({ width, height }: Frame): Record<string, string | number> {
  const scale = Math.min(1, MAX_PIXELS / Math.max(width, height));
  return {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width: Math.ceil(width * scale),
    height: Math.ceil(height * scale),
    role: 'img',
    'font-family': 'system-ui, Helvetica, Arial, sans-serif',
    'text-anchor': 'middle',
  };
}

function describeSize(problemName: string, cells: readonly string[][]): string {
  return `${problemName}, a board of ${pluralize(cells.length, 'row')} and ${pluralize(cells[0].length, 'column')}`;
}

function describeRows(rows: readonly string[], cells: readonly string[][]): string {
  if (cells.length * cells[0].length > MAX_DESCRIBED_CELLS) return 'The board is too large to be read out.';
  return `Rows from the top: ${rows.join(', ')}`;
}

function drawCells(look: LookOfCell, cells: readonly string[][]): DrawnElement[] {
  return cells.flatMap((row, i) => row.map((text, j) => drawCell(look(text, i + 1, j + 1), i + 1, j + 1)));
}

function drawCell({ ground, content }: CellLook, row: number, column: number): DrawnElement {
  const place = { class: 'cell', 'data-row': String(row), 'data-col': String(column) };
  const square = createDrawnElement('rect', {
    width: CELL_SIDE,
    height: CELL_SIDE,
    ...fillAttributes(ground),
  });
  return moveElements([(column - 1) * CELL_SIDE, (row - 1) * CELL_SIDE], place, [square, ...content]);
}

/** Draws the lines between the cells. */
export function drawGrid(rows: number, cols: number): DrawnElement {
  const [width, height] = [cols * CELL_SIDE, rows * CELL_SIDE];
  const horizontal = Array.from({ length: rows - 1 }, (_, i) => `M0 ${(i + 1) * CELL_SIDE}H${width}`);
  const vertical = Array.from({ length: cols - 1 }, (_, j) => `M${(j + 1) * CELL_SIDE} 0V${height}`);
  return createDrawnElement('path', {
    d: [...horizontal, ...vertical].join(''),
    ...outlineAttributes('grid', 1),
  });
}

/** Draws the outline of the board. It covers the ends of the lines between the cells. */
export function drawBoardOutline(rows: number, cols: number): DrawnElement {
  const look = { ...outlineAttributes('edge', 2), 'stroke-linejoin': 'round' };
  return createDrawnElement('rect', { width: cols * CELL_SIDE, height: rows * CELL_SIDE, ...look });
}

export function drawCellOfLastMove([row, column]: CellPlace): DrawnElement {
  const place = {
    x: (column - 1) * CELL_SIDE + 2,
    y: (row - 1) * CELL_SIDE + 2,
    width: CELL_SIDE - 4,
    height: CELL_SIDE - 4,
  };
  return createDrawnElement('rect', { ...place, rx: 3, ...outlineAttributes('last-cell', 4) });
}

function drawCoordinates(rows: number, cols: number, { left, top }: Frame): DrawnElement {
  const columnNumbers = Array.from({ length: cols }, (_, j) =>
    centeredText([left + (j + 0.5) * CELL_SIDE, COORDINATE_HEIGHT / 2 + 2], String(j + 1), 13, 'label'),
  );
  const rowNumbers = Array.from({ length: rows }, (_, i) =>
    centeredText([COORDINATE_WIDTH / 2 + 2, top + (i + 0.5) * CELL_SIDE], String(i + 1), 13, 'label'),
  );
  return groupElements({ class: 'coordinates', 'aria-hidden': 'true' }, [...columnNumbers, ...rowNumbers]);
}
