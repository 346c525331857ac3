/** Draws random boards for new games and for puzzles. */
import { type Random, Seed } from '../../../core/random.js';
import type { BoardRows } from './board-text.js';

/** Draws a board of a problem. The same seed and number always give the same board. */
export function drawRandomBoard(
  problem: string,
  [rows, cols]: readonly [rows: number, cols: number],
  seed: string,
  number = 0,
): BoardRows {
  return DRAWERS[problem](rows, cols, new Seed(seed).random(number));
}

const DRAWERS: Readonly<Record<string, (rows: number, cols: number, random: Random) => BoardRows>> = {
  'bacterial-tactics': drawDish,
  darkraft: drawLetters,
  'link-and-pop': drawBlocks,
  'river-pawn': drawPawns,
};

/** Share of radioactive cells and of obstacles. */
const BLOCKED = 0.18;
/** Smallest expected share of the rows and columns of a dish that have no radioactive cell. */
const FREE_LINES = 0.2;
/** Share of blocks that stand still. */
const STANDING = 0.4;

function drawCells(rows: number, cols: number, separator: string, cell: () => string): BoardRows {
  return Array.from({ length: rows }, () => Array.from({ length: cols }, cell).join(separator));
}

/** Draws radioactive cells. A colony needs a row or column without any, so a large board has a smaller share of them. */
function drawDish(rows: number, cols: number, random: Random): BoardRows {
  const radioactive = Math.min(BLOCKED, 1 - FREE_LINES ** (1 / Math.max(rows, cols)));
  return drawCells(rows, cols, '', () => (random.chance(radioactive) ? '#' : '.'));
}

function drawLetters(rows: number, cols: number, random: Random): BoardRows {
  return drawCells(rows, cols, '', () => random.pick('LRX'));
}

/** Draws blocks in pairs, so that every symbol can find a partner. A board with an odd number of cells has one block more. */
function drawBlocks(rows: number, cols: number, random: Random): BoardRows {
  const count = rows * cols;
  const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.slice(
    0,
    Math.max(3, Math.min(26, Math.round(Math.sqrt(count)))),
  );
  const blocks = Array.from({ length: count }, (_, i) => symbols[(i >> 1) % symbols.length]);
  shuffle(blocks, random);
  return drawCells(
    rows,
    cols,
    ' ',
    () => blocks.pop()! + (random.chance(STANDING) ? 'S' : random.pick('UDLR')),
  );
}

/** Draws the reds in the upper half of the board, Black in the lower half, and obstacles elsewhere. */
function drawPawns(rows: number, cols: number, random: Random): BoardRows {
  const cells = Array.from<unknown, string>({ length: rows * cols }, () =>
    random.chance(BLOCKED) ? '#' : '.',
  );
  const half = Math.max(1, rows >> 1) * cols;
  const black = half + random.below(cells.length - half);
  const reds = Array.from({ length: cells.length }, (_, cell) => cell).filter((cell) => cell !== black);
  const upper = reds.filter((cell) => cell < half);
  const places = upper.length >= 2 ? upper : reds;
  shuffle(places, random);
  cells[black] = 'X';
  for (const red of places.slice(0, 2)) cells[red] = 'O';
  return Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols).join(''));
}

function shuffle<T>(values: T[], random: Random): void {
  for (let last = values.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [values[last], values[other]] = [values[other], values[last]];
  }
}
