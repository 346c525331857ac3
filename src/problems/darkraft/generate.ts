/**
 * Boards of darkraft. Random letters give nimbers around 17; most X with a few L and R give twice that, and
 * `hard` climbs on from there.
 */
import { climb } from '../../core/climb.js';
import type { Random } from '../../core/random.js';
import type { Board, BoardGenerator, BoardStyle } from '../problem.js';
import { analyse, L, R, X } from './solve.js';

const LETTERS = [L, R, X];

/** Shares of X, and of L among the rest. */
const X_SHARES = [0, 0.1, 1 / 3, 1 / 3, 0.7, 0.9, 1];
const L_SHARES = [0.5, 0.5, 0.5, 0.9, 0.1, 1, 0];

/** Where nimbers are largest, and what a climb from there costs: some 100 ms on 20 x 20. */
const HARD_X_SHARE = 0.85;
const HARD_CLIMB_STEPS = 12;

export function createGenerator(): BoardGenerator {
  return { minCells: 1, fillBoard };
}

function fillBoard(board: Board, { profile, density }: BoardStyle, _index: number, random: Random): void {
  if (profile === 'hard') {
    fillRandomly(board, HARD_X_SHARE, 0.5, random);
    climbToLargeNimber(board, random);
  } else fillRandomly(board, density ?? random.pick(X_SHARES), random.pick(L_SHARES), random);
}

function fillRandomly({ rows, cols, cells }: Board, xShare: number, lShare: number, random: Random): void {
  for (let cell = 0; cell < rows * cols; cell++) {
    if (random.chance(xShare)) cells[cell] = X;
    else cells[cell] = random.chance(lShare) ? L : R;
  }
}

/** Of the larger of its two classes: the nimber of the board is small where both are large. */
function climbToLargeNimber(board: Board, random: Random): void {
  const { rows, cols, cells } = board;
  climb({
    steps: HARD_CLIMB_STEPS,
    enough: () => Number.POSITIVE_INFINITY,
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
