/**
 * Generates boards of bacterial-tactics.
 *
 * Boards with few radioactive cells are hard. Boards with many radioactive cells are easy, because no row or column
 * is clear. But even
 * among boards with few radioactive cells, only one in a hundred has a nimber above 7, and one in tens of thousands
 * has a nimber above 10. The profile `hard` therefore starts from boards with nimber 12 that a search has found.
 */
import { hillClimb } from '../../core/climb.js';
import type { Random } from '../../core/random.js';
import type { Board } from '../../formats/boards/board.js';
import type { BoardGenerator, RandomBoardStyle } from '../shared/board-parts.js';
import { analyse } from './solve.js';

const RADIOACTIVE = 1;

/** Shares of radioactive cells, from which each random board takes one. */
const DENSITIES = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5];
/** Shares of radioactive cells for the profile `tiny`. With lower shares, most small boards would have none. */
const TINY_DENSITIES = [0.1, 0.2, 0.3, 0.5];

/** 15 x 15 boards of nimber 12. Each radioactive cell is two hexadecimal digits: its row and its column. */
const BOARD_PATTERNS_OF_NIMBER_12 = [
  '66 75 76 e9 ee',
  '04 3d 57 8a 97 d3 e7',
  '36 3d 64 6a 87 8e bd',
  '11 16 24 53 58 71 db ea',
  '09 6d 7a 86 a3 a7 d9 da e3 e9',
  '78 7b a0 b0 b1 b7 b8 d8 e7 e8',
];
/** Number of rows, and of columns, of each pattern. */
const PATTERN_SIDE = 15;
/** The hill climbing accepts a change if the board's nimber stays at most this far below the pattern's nimber. */
const MAX_NIMBER_LOSS = 2;
/** Number of hill-climbing steps. Each step takes about 2 ms on a 15 x 15 board. */
const HARD_CLIMB_STEPS = 16;

export function createGenerator(): BoardGenerator {
  return { minCells: 1, fillBoard };
}

function fillBoard(
  board: Board,
  { profile, density }: RandomBoardStyle,
  _index: number,
  random: Random,
): void {
  if (profile === 'hard') fillWithLargeNimber(board, random);
  else fillRandomly(board, density ?? random.pick(profile === 'tiny' ? TINY_DENSITIES : DENSITIES), random);
}

function fillRandomly({ rows, cols, cells }: Board, density: number, random: Random): void {
  for (let cell = 0; cell < rows * cols; cell++) cells[cell] = random.chance(density) ? RADIOACTIVE : 0;
}

/**
 * Fills a board so that it has a large nimber: places a pattern and then changes cells by hill climbing. A board that is
 * smaller than the pattern gets only a part of the pattern. Such a part is as good a start as any other board.
 */
function fillWithLargeNimber(board: Board, random: Random): void {
  const { rows, cols, cells } = board;
  const flipCell = (cell: number) => {
    cells[cell] ^= RADIOACTIVE;
  };
  placePattern(random.pick(BOARD_PATTERNS_OF_NIMBER_12), board, random);
  hillClimb({
    steps: HARD_CLIMB_STEPS,
    alwaysAcceptedScore: (nimber) =>
      isPatternSize(board) ? nimber - MAX_NIMBER_LOSS : Number.POSITIVE_INFINITY,
    score: () => analyse(board).nimber(0, rows, 0, cols),
    change() {
      const cell = random.below(rows * cols);
      flipCell(cell);
      return cell;
    },
    undo: flipCell,
  });
}

/**
 * Places a pattern on an empty board, rotated or reflected at random. Rotations and reflections do not change the
 * game.
 */
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
