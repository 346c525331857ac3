/**
 * Boards of bacterial-tactics.
 *
 * Few radioactive cells make hard boards: on crowded ones no line is clear. Even so, nimbers above 7 are one
 * board in a hundred, and above 10 one in tens of thousands; `hard` goes on from some that a search has found.
 */
import { climb } from '../../core/climb.js';
import type { Random } from '../../core/random.js';
import type { Board, BoardGenerator, BoardStyle } from '../problem.js';
import { analyse } from './solve.js';

const RADIOACTIVE = 1;

const DENSITIES = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5];
/** Of boards too small for less. */
const TINY_DENSITIES = [0.1, 0.2, 0.3, 0.5];

/** Radioactive cells of 15 x 15 boards of nimber 12, each by its row and column in hexadecimal. */
const NIMBER_12_PATTERNS = [
  '66 75 76 e9 ee',
  '04 3d 57 8a 97 d3 e7',
  '36 3d 64 6a 87 8e bd',
  '11 16 24 53 58 71 db ea',
  '09 6d 7a 86 a3 a7 d9 da e3 e9',
  '78 7b a0 b0 b1 b7 b8 d8 e7 e8',
];
const PATTERN_SIDE = 15;
/** How much of it a board may lose while wandering off. */
const MAX_NIMBER_LOSS = 2;
/** Some 2 ms each on 15 x 15. */
const HARD_CLIMB_STEPS = 16;

export function createGenerator(): BoardGenerator {
  return { minCells: 1, fillBoard };
}

function fillBoard(board: Board, { profile, density }: BoardStyle, _index: number, random: Random): void {
  if (profile === 'hard') fillWithLargeNimber(board, random);
  else fillRandomly(board, density ?? random.pick(profile === 'tiny' ? TINY_DENSITIES : DENSITIES), random);
}

function fillRandomly({ rows, cols, cells }: Board, density: number, random: Random): void {
  for (let cell = 0; cell < rows * cols; cell++) cells[cell] = random.chance(density) ? RADIOACTIVE : 0;
}

/** Of smaller boards, what there is of a pattern is a start no worse than another. */
function fillWithLargeNimber(board: Board, random: Random): void {
  const { rows, cols, cells } = board;
  const flip = (cell: number) => {
    cells[cell] ^= RADIOACTIVE;
  };
  placePattern(random.pick(NIMBER_12_PATTERNS), board, random);
  climb({
    steps: HARD_CLIMB_STEPS,
    enough: (nimber) => (isPatternSize(board) ? nimber - MAX_NIMBER_LOSS : Number.POSITIVE_INFINITY),
    score: () => analyse(board).nimber(0, rows, 0, cols),
    change() {
      const cell = random.below(rows * cols);
      flip(cell);
      return cell;
    },
    undo: flip,
  });
}

/** Turned or mirrored, which makes no difference to the game. */
function placePattern(pattern: string, { rows, cols, cells }: Board, random: Random): void {
  const [isFlippedVertically, isFlippedHorizontally, isTransposed] = [
    random.chance(0.5),
    random.chance(0.5),
    random.chance(0.5),
  ];
  cells.fill(0, 0, rows * cols);
  for (const digits of pattern.split(' ')) {
    const [patternRow, patternCol] = [...digits].map((digit) => Number.parseInt(digit, 16));
    const across = isFlippedHorizontally ? PATTERN_SIDE - 1 - patternCol : patternCol;
    const down = isFlippedVertically ? PATTERN_SIDE - 1 - patternRow : patternRow;
    const [row, col] = isTransposed ? [across, down] : [down, across];
    if (row < rows && col < cols) cells[row * cols + col] = RADIOACTIVE;
  }
}

function isPatternSize({ rows, cols }: Board): boolean {
  return rows === PATTERN_SIDE && cols === PATTERN_SIDE;
}
