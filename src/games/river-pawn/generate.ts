/**
 * Generates boards of river-pawn.
 *
 * The profile `hard` starts from boards with long forced wins, which a search has found (long-wins.ts). If the board
 * to fill is larger than such a board, the generator fills the remaining cells with obstacles. It mirrors the board at
 * random, and then changes the board in single steps as long as the game stays nearly as long. Of each four boards, Red
 * wins two, Black wins one, and one is a tie. A solver computes the length of the game after every step. The generated
 * boards do not depend on the solver, because all solvers give the same answers.
 */
import { hillClimb } from '../../core/climb.js';
import type { Random } from '../../core/random.js';
import type { Board } from '../../formats/boards/board.js';
import type { Solver } from '../../problems/problem.js';
import type { BoardGenerator } from '../shared/board-parts.js';
import { loadKernel } from '../shared/load-kernel.js';
import { createSimdSolver } from './kernel.js';
import {
  LETTER_INDEX_BLACK,
  LETTER_INDEX_FREE,
  LETTER_INDEX_OBSTACLE,
  LETTER_INDEX_RED,
  LETTERS,
} from './letters.js';
import { BOARDS_OF_LONG_BLACK_WINS, BOARDS_OF_LONG_RED_WINS, type LongWin } from './long-wins.js';
import { createPortableSolver, type RiverPawnAnswer } from './solve.js';

/** Shares of cells with an obstacle. The generator picks one share for each random board. */
const OBSTACLE_SHARES = [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5];

type Winner = RiverPawnAnswer['winner'];
/** The wanted winners of four consecutive boards, repeated for all boards. Null stands for a tie. */
const WINNERS_IN_TURN: readonly Winner[] = ['Red', 'Red', 'Black', null];
/** The board where a climb starts must have at least this share of the plies of the longest win that fits. */
const MIN_START_SHARE = 0.5;
/** A changed board must keep at least this share of the plies of its start board. */
const MIN_KEPT_SHARE = 0.8;
/** Number of hill-climbing steps. Each takes about 50 us on a 10 x 10 board if the kernel solves it. */
const HARD_CLIMB_STEPS = 16;
/**
 * Number of attempts to fill a board. If a tie is wanted, half of the attempts succeed. If a win is wanted, the start
 * board already is such a win.
 */
const MAX_ATTEMPTS = 10;
/** The score of a board whose game is a tie, if a tie is wanted. */
const TIE_SCORE = 1;

/** Creates a generator. The boards of the profile `hard` have the given winners, in turn. */
export function createGenerator(winners: readonly Winner[] = WINNERS_IN_TURN): BoardGenerator {
  let hardBoards: HardBoards | null = null;
  return {
    minCells: 3,
    fillBoard(board, { profile, density }, index, random) {
      if (profile !== 'hard') return fillRandomly(board, density ?? random.pick(OBSTACLE_SHARES), random);
      hardBoards ??= new HardBoards(fastestSolver());
      hardBoards.fillBoard(board, winners[index % winners.length], random);
    },
  };
}

/**
 * Creates a generator of boards with a wall: the row before the last has nothing but obstacles, and no other row has one.
 * Black and a red are above the wall, and the other red is below it. Each board of the profile `hard` is the one with the
 * longest game of several.
 */
export function createWallGenerator(): BoardGenerator {
  let hardBoards: HardBoards | null = null;
  return {
    minCells: 4,
    fillBoard(board, { profile }, _index, random) {
      if (profile !== 'hard') return fillWithWall(board, random);
      hardBoards ??= new HardBoards(fastestSolver());
      hardBoards.fillWithWall(board, random);
    },
  };
}

function fillWithWall({ rows, cols, cells }: Board, random: Random): void {
  const wall = (rows - 2) * cols;
  cells.fill(LETTER_INDEX_FREE, 0, rows * cols);
  cells.fill(LETTER_INDEX_OBSTACLE, wall, wall + cols);
  const black = random.between(cols, wall - 1);
  const red = random.below(wall - 1);
  cells[black] = LETTER_INDEX_BLACK;
  cells[red < black ? red : red + 1] = LETTER_INDEX_RED;
  cells[random.between(wall + cols, rows * cols - 1)] = LETTER_INDEX_RED;
}

function fillRandomly(board: Board, density: number, random: Random): void {
  const { rows, cols, cells } = board;
  for (let cell = 0; cell < rows * cols; cell++)
    cells[cell] = random.chance(density) ? LETTER_INDEX_OBSTACLE : LETTER_INDEX_FREE;
  placePieces(board, random);
}

/** Places Black and the two reds at random. A piece may replace an obstacle. Black is never placed in row 1. */
function placePieces({ rows, cols, cells }: Board, random: Random): void {
  cells[random.between(cols, rows * cols - 1)] = LETTER_INDEX_BLACK;
  for (let reds = 0; reds < 2; ) {
    const cell = random.below(rows * cols);
    if (isPiece(cells[cell])) continue;
    cells[cell] = LETTER_INDEX_RED;
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

  /** Fills a board with the longest game among several random boards with a wall. */
  fillWithWall(board: Board, random: Random): void {
    let longest = -1;
    let cells = board.cells.slice();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      fillWithWall(board, random);
      const plies = this.#solve(board).plies ?? 0;
      if (plies <= longest) continue;
      longest = plies;
      cells = board.cells.slice();
    }
    board.cells.set(cells);
  }

  #climbFromLongWin(board: Board, winner: Winner, random: Random): number {
    const isPlaced = placeLongWin(
      random,
      board,
      winner === 'Black' ? BOARDS_OF_LONG_BLACK_WINS : BOARDS_OF_LONG_RED_WINS,
    );
    if (!isPlaced) fillRandomly(board, random.pick(OBSTACLE_SHARES), random);
    return hillClimb({
      steps: HARD_CLIMB_STEPS,
      alwaysAcceptedScore: (plies) =>
        isPlaced ? Math.max(TIE_SCORE, plies * MIN_KEPT_SHARE) : Number.POSITIVE_INFINITY,
      score: () => this.#score(board, winner),
      change: () => changeCells(board, random),
      undo(change) {
        for (const { cellIndex, contentCode } of change) board.cells[cellIndex] = contentCode;
      },
    });
  }

  /** Returns the plies of the game if it has the wanted winner (TIE_SCORE for a wanted tie), otherwise 0. */
  #score(board: Board, winner: Winner): number {
    const answer = this.#solve(board);
    return answer.winner === winner ? (answer.plies ?? TIE_SCORE) : 0;
  }

  #solve(board: Board): RiverPawnAnswer {
    this.#solver.solve([board], 1, this.#answers);
    return this.#answers[0];
  }
}

/**
 * Copies a board with a long win, mirrored at random, to the top rows of `board`, and fills all other cells with
 * obstacles. Picks one of the longer wins that fit on `board`. Returns false if no win fits.
 */
function placeLongWin(random: Random, board: Board, wins: readonly LongWin[]): boolean {
  const fitting = wins.filter((win) => fits(win, board));
  if (fitting.length === 0) return false;
  const minPlies = fitting[0].plies * MIN_START_SHARE;
  const lines = random.pick(fitting.filter(({ plies }) => plies >= minPlies)).board.split('/');
  const firstCol = random.between(0, board.cols - lines[0].length);
  const isMirrored = random.chance(0.5);
  board.cells.fill(LETTER_INDEX_OBSTACLE, 0, board.rows * board.cols);
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

/** A changed cell, with the code of its content before the change. */
interface PreviousCellContent {
  readonly cellIndex: number;
  readonly contentCode: number;
}

/**
 * Makes one random change: turns a free cell into an obstacle or an obstacle into a free cell, or swaps a piece with
 * the content of another cell. The change never moves Black to row 1. Returns the previous contents of the changed
 * cells.
 */
function changeCells({ rows, cols, cells }: Board, random: Random): PreviousCellContent[] {
  const cellIndex = random.below(rows * cols);
  const contentCode = cells[cellIndex];
  if (!isPiece(contentCode)) {
    cells[cellIndex] = contentCode === LETTER_INDEX_FREE ? LETTER_INDEX_OBSTACLE : LETTER_INDEX_FREE;
    return [{ cellIndex, contentCode }];
  }
  const otherCellIndex = random.between(cols, rows * cols - 1);
  const otherContentCode = cells[otherCellIndex];
  if (otherContentCode === LETTER_INDEX_BLACK && cellIndex < cols) return [];
  cells[cellIndex] = otherContentCode;
  cells[otherCellIndex] = contentCode;
  return [
    { cellIndex, contentCode },
    { cellIndex: otherCellIndex, contentCode: otherContentCode },
  ];
}

function isPiece(contentCode: number): boolean {
  return contentCode > LETTER_INDEX_OBSTACLE;
}
