/** What can be drawn on top of a board: moves with their values, and the line of a link. */
import type { CellPlace } from '../../problems/explanation.js';
import { type ColorName, fillAndOutlineAttributes, fillAttributes, outlineAttributes } from './colors.js';
import { createDrawnElement, type DrawnElement, groupElements, type Point, pathThrough } from './element.js';

/** The side of a cell. */
export const CELL_SIDE = 40;

/** The value of a move for the player who makes it: it wins, loses or keeps a tie; `plain` if the value is not shown. */
export type MoveOutcome = 'good' | 'bad' | 'even' | 'plain';

interface MarkHead {
  readonly tone: MoveOutcome;
  /** A short text, such as a nimber or a number of plies. */
  readonly label?: string | undefined;
}

/** A move at one cell: a ring around the cell. */
export interface CellMark extends MarkHead {
  readonly kind: 'cell';
  readonly cell: CellPlace;
}

/** A move that fills a part of a row or column: a bar from its first to its last cell. */
export interface LineMark extends MarkHead {
  readonly kind: 'line';
  readonly line: 'row' | 'column';
  /** The number of the row or column, from 1. */
  readonly index: number;
  /** The first and the last cell of the line that the move fills. */
  readonly from: number;
  readonly to: number;
}

/** A move from one cell to its neighbour: an arrow. */
export interface ArrowMark extends MarkHead {
  readonly kind: 'step';
  readonly from: CellPlace;
  readonly to: CellPlace;
}

/** A link: a line through the middles of cells, some of which may be on the ring around the board. */
interface LinkMark extends MarkHead {
  readonly kind: 'link';
  readonly line: readonly CellPlace[];
}

export type BoardMark = CellMark | LineMark | ArrowMark | LinkMark;

/** Draws a mark. The mark's index in its list is in `data-mark`. */
export function drawMark(mark: BoardMark, index: number): DrawnElement {
  const attributes = { class: `mark ${mark.kind}-mark ${mark.tone}`, 'data-mark': String(index) };
  return groupElements(attributes, [...drawShape(mark), ...drawLabel(mark)]);
}

function drawShape(mark: BoardMark): DrawnElement[] {
  switch (mark.kind) {
    case 'cell':
      return mark.tone === 'good' ? drawRing(mark) : [];
    case 'line':
      return mark.tone === 'good' ? drawBar(mark) : [];
    case 'step':
      return drawArrow(mark);
    case 'link':
      return drawLink(mark);
  }
}

function drawRing({ cell, tone }: CellMark): DrawnElement[] {
  const [cx, cy] = middleOf(cell);
  return [createDrawnElement('circle', { cx, cy, r: 17, ...outlineAttributes(tone, 3) })];
}

/** Distance of the ends of a bar from the outer edges of its cells. */
const BAR_INDENT = 6;

function drawBar(mark: LineMark): DrawnElement[] {
  const ends = [
    pointOn(mark, (mark.from - 1) * CELL_SIDE + BAR_INDENT, 0),
    pointOn(mark, mark.to * CELL_SIDE - BAR_INDENT, 0),
  ];
  const look = { ...outlineAttributes(mark.tone, 4), 'stroke-linecap': 'round' };
  const heads = [
    [
      pointOn(mark, (mark.from - 1) * CELL_SIDE + 12, -6),
      ends[0],
      pointOn(mark, (mark.from - 1) * CELL_SIDE + 12, 6),
    ],
    [pointOn(mark, mark.to * CELL_SIDE - 12, -6), ends[1], pointOn(mark, mark.to * CELL_SIDE - 12, 6)],
  ];
  const d = [ends, ...heads].map(pathThrough).join('');
  return [createDrawnElement('path', { d, ...look, 'stroke-linejoin': 'round', 'stroke-opacity': 0.8 })];
}

/** Returns the point at the distance `along` on a line of cells, and `aside` from the middle of the line. */
function pointOn({ line, index }: LineMark, along: number, aside: number): Point {
  const across = (index - 0.5) * CELL_SIDE + aside;
  return line === 'row' ? [along, across] : [across, along];
}

/** The shape of an arrow, as distances from the middle of the cell where the piece stands. */
const ARROW = { start: 16, neck: 25, tip: 34, halfHead: 6.5 };

/** Draws the arrow of a losing move hollow, so that it recedes and differs from others without its colour. */
function drawArrow(mark: ArrowMark): DrawnElement[] {
  const at = alongStep(mark);
  const shaft = pathThrough([at(ARROW.start, 0), at(ARROW.neck, 0)]);
  const head = `${pathThrough([at(ARROW.tip, 0), at(ARROW.neck, ARROW.halfHead), at(ARROW.neck, -ARROW.halfHead)])}Z`;
  const halo = { ...fillAndOutlineAttributes('paper', 'paper', 3), 'stroke-linejoin': 'round' };
  const isHollow = mark.tone === 'bad';
  return [
    createDrawnElement('path', { d: shaft, ...outlineAttributes('paper', 8) }),
    createDrawnElement('path', { d: head, ...halo }),
    createDrawnElement('path', { d: shaft, ...outlineAttributes(mark.tone, isHollow ? 2 : 5) }),
    createDrawnElement('path', {
      d: head,
      ...(isHollow ? fillAndOutlineAttributes('paper', 'bad', 1.6) : fillAttributes(mark.tone)),
    }),
  ];
}

/** Returns a function that finds a point from its distances along the step and to the left of the step. */
function alongStep({ from, to }: ArrowMark): (along: number, left: number) => Point {
  const [x, y] = middleOf(from);
  const [dx, dy] = [to[1] - from[1], to[0] - from[0]];
  return (along, left) => [x + dx * along + dy * left, y + dy * along - dx * left];
}

/** Half of the side of the frames around the two blocks of a link. */
const LINK_FRAME = 18;

function drawLink({ line }: LinkMark): DrawnElement[] {
  const points = line.map(middleOf);
  const d = pathThrough(trimEnds(points, LINK_FRAME));
  return [
    createDrawnElement('path', { d, ...outlineAttributes('paper', 8), 'stroke-linejoin': 'round' }),
    createDrawnElement('path', { d, ...outlineAttributes('link', 4), 'stroke-linejoin': 'round' }),
    ...[points[0], points[points.length - 1]].map(frameBlock),
  ];
}

function frameBlock([x, y]: Point): DrawnElement {
  const side = 2 * LINK_FRAME;
  const place = { x: x - LINK_FRAME, y: y - LINK_FRAME, width: side, height: side, rx: 7 };
  return createDrawnElement('rect', { ...place, ...outlineAttributes('link', 4) });
}

/** Shortens a line through points at both ends. */
function trimEnds(points: readonly Point[], length: number): Point[] {
  const [first, second] = points;
  const [beforeLast, last] = points.slice(-2);
  return [towards(first, second, length), ...points.slice(1, -1), towards(last, beforeLast, length)];
}

function towards([x, y]: Point, [toX, toY]: Point, length: number): Point {
  return [x + Math.sign(toX - x) * length, y + Math.sign(toY - y) * length];
}

/** Width of a character and space around the text of a label. */
const LABEL_CHARACTER = 6.6;
const LABEL_PADDING = 8;
const LABEL_HEIGHT = 15;

/** Radius of the corners of a tie's label, which differs from those of wins and losses by its shape. */
const TIE_CORNER = 3;

/** Draws the label of a mark: solid for a win, solid with corners for a tie, and hollow for a loss. */
function drawLabel(mark: BoardMark): DrawnElement[] {
  const { label, tone } = mark;
  if (label === undefined) return [];
  const width = Math.max(LABEL_HEIGHT, LABEL_PADDING + LABEL_CHARACTER * label.length);
  const [x, y] = labelPlace(mark, width);
  const box = {
    x: x - width / 2,
    y: y - LABEL_HEIGHT / 2,
    width,
    height: LABEL_HEIGHT,
    rx: tone === 'even' ? TIE_CORNER : LABEL_HEIGHT / 2,
  };
  if (tone === 'bad') {
    return [
      createDrawnElement('rect', {
        ...box,
        ...fillAndOutlineAttributes('paper', 'bad', 0.8),
        'fill-opacity': 0.85,
        'stroke-opacity': 0.6,
      }),
      centeredText([x, y], label, 10, 'bad'),
    ];
  }
  return [
    createDrawnElement('rect', { ...box, ...fillAndOutlineAttributes(tone, 'paper', 1) }),
    centeredText([x, y], label, 11, 'on-mark', { 'font-weight': 600 }),
  ];
}

/** Returns the point at which the middle of a mark's label is drawn. `width` is the width of the label. */
function labelPlace(mark: BoardMark, width: number): Point {
  switch (mark.kind) {
    case 'cell': {
      const [x, y] = middleOf(mark.cell);
      return [x + 11, y + 12];
    }
    case 'line':
      return pointOn(mark, (mark.from - 1) * CELL_SIDE, 0);
    case 'step':
      return alongStep(mark)(25, mark.from[0] === mark.to[0] ? 12 : 4 + width / 2);
    case 'link':
      return middleOf(mark.line[0]);
  }
}

/**
 * Writes a text that is centred on a point; all texts of a drawing are. The baseline is moved by a number, because some
 * programs ignore `dominant-baseline`.
 */
export function centeredText(
  [x, y]: Point,
  content: string,
  size: number,
  color: ColorName,
  attributes: Record<string, string | number> = {},
): DrawnElement {
  const place = { x, y: y + size * 0.36, 'font-size': size };
  return createDrawnElement('text', { ...place, ...fillAttributes(color), ...attributes }, [content]);
}

function middleOf([row, column]: CellPlace): Point {
  return [(column - 0.5) * CELL_SIDE, (row - 0.5) * CELL_SIDE];
}
