/**
 * Generates boards of darkraft. Boards of random letters have nimbers around 17. Boards of many X with a few L and R
 * have nimbers about twice as large. The profile `hard` starts from boards of many X and raises the nimber by hill
 * climbing.
 */
import { hillClimb } from '../../core/climb.js';
import type { Random } from '../../core/random.js';
import type { Board } from '../../formats/boards/board.js';
import type { BoardGenerator, RandomBoardStyle } from '../shared/board-parts.js';
import { analyse, LETTER_INDEX_L, LETTER_INDEX_R, LETTER_INDEX_X } from './solve.js';

const LETTERS = [LETTER_INDEX_L, LETTER_INDEX_R, LETTER_INDEX_X];

/** Shares of X among all cells, from which each random board takes one. */
const X_SHARES = [0, 0.1, 1 / 3, 1 / 3, 0.7, 0.9, 1];
/** Shares of L among the cells that are not X, from which each random board takes one. */
const L_SHARES = [0.5, 0.5, 0.5, 0.9, 0.1, 1, 0];

/** The share of X at which random boards have the largest nimbers. */
const HARD_X_SHARE = 0.85;
/** Number of hill-climbing steps. All steps for a 20 x 20 board together take about 100 ms. */
const HARD_CLIMB_STEPS = 12;

export function createGenerator(): BoardGenerator {
  return { minCells: 1, fillBoard };
}

function fillBoard(
  board: Board,
  { profile, density }: RandomBoardStyle,
  _index: number,
  random: Random,
): void {
  if (profile === 'hard') {
    fillRandomly(board, HARD_X_SHARE, 0.5, random);
    climbToLargeNimber(board, random);
  } else fillRandomly(board, density ?? random.pick(X_SHARES), random.pick(L_SHARES), random);
}

function fillRandomly({ rows, cols, cells }: Board, xShare: number, lShare: number, random: Random): void {
  for (let cell = 0; cell < rows * cols; cell++) {
    if (random.chance(xShare)) cells[cell] = LETTER_INDEX_X;
    else cells[cell] = random.chance(lShare) ? LETTER_INDEX_L : LETTER_INDEX_R;
  }
}

/**
 * Raises the larger of the nimbers of the two parity classes (cells with i + j even, and cells with i + j odd) by hill
 * climbing. The nimber of the whole board is the XOR of these two nimbers, so it can be small although both are large.
 */
function climbToLargeNimber(board: Board, random: Random): void {
  const { rows, cols, cells } = board;
  hillClimb({
    steps: HARD_CLIMB_STEPS,
    alwaysAcceptedScore: () => Number.POSITIVE_INFINITY,
    score() {
      const [even, odd] = analyse(board).classes;
      return Math.max(even.totalNimber, odd.totalNimber);
    },
    change() {
      const cell = random.below(rows * cols);
      const letter = cells[cell];
      cells[cell] = random.pick(LETTERS);
      return { cell, letter };
    },
    undo({ cell, letter }) {
      cells[cell] = letter;
    },
  });
}
