/** What the cells of the four problems look like. A cell is drawn from (0, 0) to (CELL_SIDE, CELL_SIDE). */
import {
  type ColorName,
  fillAndOutlineAttributes,
  fillAttributes,
  outlineAttributes,
  symbolColor,
} from './colors.js';
import { createDrawnElement, type DrawnElement, type Point, pathThrough } from './element.js';
import { CELL_SIDE, centeredText } from './marks.js';

/** How a cell looks: the colour of its ground, and the elements that are drawn on the ground. */
export interface CellLook {
  readonly ground: ColorName;
  readonly content: readonly DrawnElement[];
}

/** Returns the look of a cell in a row (from 1) and a column (from 1) from its text in the row. */
export type LookOfCell = (text: string, row: number, column: number) => CellLook;

export const CELL_LOOKS: Readonly<Record<string, LookOfCell>> = {
  'bacterial-tactics': lookOfDish,
  darkraft: lookOfLetter,
  'link-and-pop': lookOfBlock,
  'river-pawn': lookOfPiece,
};

const MIDDLE = CELL_SIDE / 2;
const EMPTY: CellLook = { ground: 'cell', content: [] };
const CENTER: Point = [MIDDLE, MIDDLE];

// bacterial-tactics

const RADIOACTIVE: CellLook = {
  ground: 'radioactive-cell',
  content: [
    createDrawnElement('circle', { cx: MIDDLE, cy: MIDDLE, r: 2.6, ...fillAttributes('radioactive-sign') }),
    createDrawnElement('path', {
      d: [30, 150, 270].map(trefoilBlade).join(''),
      ...fillAttributes('radioactive-sign'),
    }),
  ],
};

const FILLED: CellLook = {
  ground: 'filled-cell',
  content: [
    createDrawnElement('rect', {
      ...{ x: 7, y: 12, width: 26, height: 16, rx: 8, transform: 'rotate(-24 20 20)' },
      ...fillAndOutlineAttributes('bacterium', 'bacterium-edge', 1.6),
    }),
    ...[
      [14.5, 22.4, 2.2],
      [21, 18.2, 1.6],
      [26.4, 17.6, 2],
    ].map(([cx, cy, r]) => createDrawnElement('circle', { cx, cy, r, ...fillAttributes('bacterium-edge') })),
  ],
};

function lookOfDish(text: string): CellLook {
  if (text === '#') return RADIOACTIVE;
  return text === 'o' ? FILLED : EMPTY;
}

/** Returns the path of one of the three blades of the sign for radioactivity, around a direction in degrees. */
function trefoilBlade(direction: number): string {
  const [inner, outer] = [4.6, 13.5];
  const at = (radius: number, degrees: number): Point => {
    const angle = ((direction + degrees) * Math.PI) / 180;
    return [MIDDLE + radius * Math.cos(angle), MIDDLE + radius * Math.sin(angle)];
  };
  const arc = (radius: number, sweep: 0 | 1, end: Point) =>
    `A${radius} ${radius} 0 0 ${sweep} ${pathThrough([end]).slice(1)}`;
  return `${pathThrough([at(inner, -30), at(outer, -30)])}${arc(outer, 1, at(outer, 30))}${pathThrough([at(inner, 30)]).replace('M', 'L')}${arc(inner, 0, at(inner, -30))}Z`;
}

// darkraft

/** How far the ends of a ray are from its cell's middle, both ways. A ray leaves room for the letter. */
const [RAY_START, RAY_END] = [9, MIDDLE - 3];
/** For each letter, whether its ray to the right goes down (1) or up (-1). */
const RAYS: Readonly<Record<string, readonly (1 | -1)[]>> = { L: [-1], R: [1], X: [-1, 1] };

/** Returns the look of a letter of darkraft. Cells with i + j even and odd, which never affect each other, get two shades. */
function lookOfLetter(text: string, row: number, column: number): CellLook {
  if (!(text in RAYS)) return { ground: 'cleared-cell', content: [] };
  return {
    ground: (row + column) % 2 === 0 ? 'cell' : 'other-cell',
    content: drawLetter(text as 'L' | 'R' | 'X'),
  };
}

function drawLetter(letter: 'L' | 'R' | 'X'): DrawnElement[] {
  const color: ColorName = `letter-${letter}`;
  return [
    createDrawnElement('path', {
      d: RAYS[letter].map(halvesOfRay).join(''),
      ...outlineAttributes(color, 3),
      'stroke-opacity': 0.45,
      'stroke-linecap': 'round',
    }),
    centeredText(CENTER, letter, 17, color, { 'font-weight': 600 }),
  ];
}

function halvesOfRay(down: 1 | -1): string {
  const half = (right: 1 | -1) =>
    pathThrough([RAY_END, RAY_START].map((far) => [MIDDLE + right * far, MIDDLE + right * down * far]));
  return half(-1) + half(1);
}

// link-and-pop

/** For each way of moving, the direction to the right and down. */
const WAYS: Readonly<Record<string, Point>> = { U: [0, -1], R: [1, 0], D: [0, 1], L: [-1, 0] };
const STANDING: Point = [0, 0];
/** The colour of letters on blocks, which is black in every theme, because blocks have light colours. */
const ON_BLOCK = '#16191d';

function lookOfBlock(text: string): CellLook {
  const [symbol, letter] = text;
  if (symbol === '.') return EMPTY;
  const [dx, dy] = WAYS[letter] ?? STANDING;
  const body = {
    x: 2.5,
    y: 2.5,
    width: CELL_SIDE - 5,
    height: CELL_SIDE - 5,
    rx: 6,
    fill: symbolColor(symbol),
  };
  const symbolPlace: Point = [MIDDLE - 2.5 * dx, MIDDLE - 2.5 * dy];
  const look = { class: 'symbol', fill: ON_BLOCK, 'font-weight': 600 };
  return {
    ground: 'cell',
    content: [
      createDrawnElement('rect', { class: 'block', ...body, stroke: ON_BLOCK, 'stroke-opacity': 0.35 }),
      centeredText(symbolPlace, symbol, 17, 'ink', look),
      ...(letter in WAYS ? [drawWay(WAYS[letter])] : []),
    ],
  };
}

/** Draws a triangle at the edge of a block that points in the direction in which the block moves. */
function drawWay([dx, dy]: Point): DrawnElement {
  const at = (along: number, aside: number): Point => [
    MIDDLE + along * dx - aside * dy,
    MIDDLE + along * dy + aside * dx,
  ];
  const d = `${pathThrough([at(15.5, 0), at(10, 5), at(10, -5)])}Z`;
  return createDrawnElement('path', { class: 'way', d, fill: ON_BLOCK });
}

// river-pawn

const OBSTACLE: readonly DrawnElement[] = [
  createDrawnElement('rect', { x: 4, y: 4, width: 32, height: 32, rx: 5, ...fillAttributes('obstacle') }),
  createDrawnElement('path', {
    d: 'M10 22L22 10M12 31L31 12M21 33L33 21',
    ...outlineAttributes('obstacle-edge', 2.5),
    'stroke-linecap': 'round',
  }),
];

const RED_PIECE: readonly DrawnElement[] = [
  createDrawnElement('circle', {
    cx: MIDDLE,
    cy: MIDDLE,
    r: 15,
    ...fillAndOutlineAttributes('red', 'piece-edge', 1.5),
  }),
  createDrawnElement('circle', { cx: MIDDLE, cy: MIDDLE, r: 8, ...outlineAttributes('on-piece', 3) }),
];

const BLACK_PIECE: readonly DrawnElement[] = [
  createDrawnElement('circle', {
    cx: MIDDLE,
    cy: MIDDLE,
    r: 15,
    ...fillAndOutlineAttributes('black', 'piece-edge', 1.5),
  }),
  createDrawnElement('path', {
    d: 'M14 14L26 26M26 14L14 26',
    ...outlineAttributes('on-piece', 3.4),
    'stroke-linecap': 'round',
  }),
];

const PIECES: Readonly<Record<string, readonly DrawnElement[]>> = {
  '#': OBSTACLE,
  O: RED_PIECE,
  X: BLACK_PIECE,
};

/** Returns the look of a cell of river-pawn. Row 1 has a colour of its own, because Black wins there. */
function lookOfPiece(text: string, row: number): CellLook {
  return { ground: row === 1 ? 'goal-cell' : 'cell', content: PIECES[text] ?? [] };
}
