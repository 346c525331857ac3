/**
 * Generates boards of river-pawn.
 *
 * The profile `hard` starts from boards with long forced wins, which a search has found (long-wins.ts). If the board
 * to fill is larger, the rest is filled with obstacles. The board is reflected at random and then changed in single
 * steps, as long as the game stays nearly as long. Of each four boards, two are won by Red, one is won by Black, and
 * one is a tie. A solver checks every step. The boards do not depend on which solver it is, because all solvers give
 * the same answers.
 */
import { climb } from '../../core/climb.js';
import type { Random } from '../../core/random.js';
import { loadKernel } from '../load-kernel.js';
import type { Board, BoardGenerator, Solver } from '../problem.js';
import { createSimdSolver } from './kernel.js';
import { LONG_BLACK_WINS, LONG_RED_WINS, type LongWin } from './long-wins.js';
import { createPortableSolver, type RiverPawnAnswer } from './solve.js';

const LETTERS = '.#XO';
const FREE = LETTERS.indexOf('.');
const OBSTACLE = LETTERS.indexOf('#');
const BLACK = LETTERS.indexOf('X');
const RED = LETTERS.indexOf('O');

/** Shares of obstacles, from which each random board takes one. */
const DENSITIES = [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5];

type Winner = RiverPawnAnswer['winner'];
/** The wanted winners of consecutive boards, used in turn; null is a tie. */
const WINNERS_IN_TURN: readonly Winner[] = ['Red', 'Red', 'Black', null];
/** A start board must have at least this share of the plies of the longest win that fits on the board. */
const MIN_START_SHARE = 0.5;
/** A changed board must keep at least this share of the plies of its start board. */
const MIN_KEPT_SHARE = 0.8;
/** Number of hill-climbing steps. Each takes about 50 us on a 10 x 10 board if the kernel solves it. */
const HARD_CLIMB_STEPS = 16;
/** Number of attempts per board. If a tie is wanted, half of the attempts succeed; a win exists from the start. */
const MAX_ATTEMPTS = 10;
/** The score of a tie if a tie is wanted. */
const TIE_SCORE = 1;

export function createGenerator(): BoardGenerator {
  let hardBoards: HardBoards | null = null;
  return {
    minCells: 3,
    fillBoard(board, { profile, density }, index, random) {
      if (profile !== 'hard') return fillRandomly(board, density ?? random.pick(DENSITIES), random);
      hardBoards ??= new HardBoards(fastestSolver());
      hardBoards.fillBoard(board, WINNERS_IN_TURN[index % WINNERS_IN_TURN.length], random);
    },
  };
}

function fillRandomly(board: Board, density: number, random: Random): void {
  const { rows, cols, cells } = board;
  for (let cell = 0; cell < rows * cols; cell++) cells[cell] = random.chance(density) ? OBSTACLE : FREE;
  placePieces(board, random);
}

/** Places the pieces at random. A piece may replace an obstacle. Black is never placed in row 1. */
function placePieces({ rows, cols, cells }: Board, random: Random): void {
  cells[random.between(cols, rows * cols - 1)] = BLACK;
  for (let reds = 0; reds < 2; ) {
    const cell = random.below(rows * cols);
    if (isPiece(cells[cell])) continue;
    cells[cell] = RED;
    reds++;
  }
}

function fastestSolver(): Solver<RiverPawnAnswer> {
  try {
    return createSimdSolver(loadKernel('river-pawn'));
  } catch {
    return createPortableSolver();
  }
}

/** Fills boards of the profile `hard`. */
class HardBoards {
  readonly #solver: Solver<RiverPawnAnswer>;
  readonly #answers: RiverPawnAnswer[] = [];

  constructor(solver: Solver<RiverPawnAnswer>) {
    this.#solver = solver;
  }

  fillBoard(board: Board, winner: Winner, random: Random): void {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (this.#climbFromLongWin(board, winner, random) > 0) return;
    }
  }

  #climbFromLongWin(board: Board, winner: Winner, random: Random): number {
    const isPlaced = placeLongWin(random, board, winner === 'Black' ? LONG_BLACK_WINS : LONG_RED_WINS);
    if (!isPlaced) fillRandomly(board, random.pick(DENSITIES), random);
    return climb({
      steps: HARD_CLIMB_STEPS,
      alwaysAcceptedScore: (plies) =>
        isPlaced ? Math.max(TIE_SCORE, plies * MIN_KEPT_SHARE) : Number.POSITIVE_INFINITY,
      score: () => this.#score(board, winner),
      change: () => changeCells(board, random),
      undo(change) {
        for (const { cell, code } of change) board.cells[cell] = code;
      },
    });
  }

  /** Returns the plies of the game if it has the wanted winner (TIE_SCORE for a wanted tie), otherwise 0. */
  #score(board: Board, winner: Winner): number {
    this.#solver.solve([board], 1, this.#answers);
    const [answer] = this.#answers;
    return answer.winner === winner ? (answer.plies ?? TIE_SCORE) : 0;
  }
}

/**
 * Places one of the longer wins that fit on the board, reflected at random, and fills the rest with obstacles.
 * Returns false if no win fits.
 */
function placeLongWin(random: Random, board: Board, wins: readonly LongWin[]): boolean {
  const fitting = wins.filter((win) => fits(win, board));
  if (fitting.length === 0) return false;
  const minPlies = fitting[0].plies * MIN_START_SHARE;
  const lines = random.pick(fitting.filter(({ plies }) => plies >= minPlies)).board.split('/');
  const firstCol = random.between(0, board.cols - lines[0].length);
  const isMirrored = random.chance(0.5);
  board.cells.fill(OBSTACLE, 0, board.rows * board.cols);
  lines.forEach((line, row) => {
    for (let col = 0; col < line.length; col++) {
      const letter = line[isMirrored ? line.length - 1 - col : col];
      board.cells[row * board.cols + firstCol + col] = LETTERS.indexOf(letter);
    }
  });
  return true;
}

function fits({ board }: LongWin, { rows, cols }: Board): boolean {
  const lines = board.split('/');
  return lines.length <= rows && lines[0].length <= cols;
}

/** The content of a cell before it was changed. */
interface PreviousCell {
  readonly cell: number;
  readonly code: number;
}

/**
 * Makes one random change: turns a free cell into an obstacle or an obstacle into a free cell, or swaps a piece with
 * the content of another cell. Never moves Black to row 1. Returns the previous contents of the changed cells.
 */
function changeCells({ rows, cols, cells }: Board, random: Random): PreviousCell[] {
  const cell = random.below(rows * cols);
  const code = cells[cell];
  if (!isPiece(code)) {
    cells[cell] = code === FREE ? OBSTACLE : FREE;
    return [{ cell, code }];
  }
  const other = random.between(cols, rows * cols - 1);
  const otherCode = cells[other];
  if (otherCode === BLACK && cell < cols) return [];
  cells[cell] = otherCode;
  cells[other] = code;
  return [
    { cell, code },
    { cell: other, code: otherCode },
  ];
}

function isPiece(code: number): boolean {
  return code > OBSTACLE;
}
