/**
 * An oracle for darkraft, which plays the game out as the statement describes it. A position is the set of cells that
 * still contain their letter, and a move walks along the rays cell by cell. The oracle uses no parity classes, no
 * rectangles and no sums of games. It can solve boards of up to 31 cells, but boards of more than about a dozen cells
 * take too long.
 */
import type { Board } from '../../src/problems/problem.js';

const DOWN_LEFT_UP_RIGHT = [
  [1, -1],
  [-1, 1],
];
const UP_LEFT_DOWN_RIGHT = [
  [-1, -1],
  [1, 1],
];
/** The directions in which a picked letter sends rays, in the order of the cell codes: L, R, X. */
const RAYS = [DOWN_LEFT_UP_RIGHT, UP_LEFT_DOWN_RIGHT, [...DOWN_LEFT_UP_RIGHT, ...UP_LEFT_DOWN_RIGHT]];

/** Returns WIN if the player who moves first can force a win, and LOSE if not. */
export function solveLiterally(board: Board): 'WIN' | 'LOSE' {
  const knownResults = new Map<number, boolean>();
  const moverWins = (letters: number): boolean => {
    const stored = knownResults.get(letters);
    if (stored !== undefined) return stored;
    const wins = successors(board, letters).some((next) => !moverWins(next));
    knownResults.set(letters, wins);
    return wins;
  };
  return moverWins(allLetters(board)) ? 'WIN' : 'LOSE';
}

/** Returns the nimber of the whole board, found by trying all moves in all positions. */
export function nimberLiterally(board: Board): number {
  return createNimberOracle(board)(allLetters(board));
}

/**
 * Creates a function that returns the nimber of a position of the board. In a position, bit `row * cols + col` is set if
 * this cell still contains its letter.
 */
export function createNimberOracle(board: Board): (letters: number) => number {
  const knownResults = new Map<number, number>();
  const nimberOf = (letters: number): number => {
    const stored = knownResults.get(letters);
    if (stored !== undefined) return stored;
    const reached = new Set(successors(board, letters).map(nimberOf));
    let mex = 0;
    while (reached.has(mex)) mex++;
    knownResults.set(letters, mex);
    return mex;
  };
  return nimberOf;
}

/** Returns the moves in a position: their cells, counted from 0, and the positions after them. */
export function movesIn(board: Board, letters: number): { row: number; col: number; after: number }[] {
  const moves = [];
  for (let row = 0; row < board.rows; row++) {
    for (let col = 0; col < board.cols; col++) {
      if (!hasLetter(board, letters, row, col)) continue;
      moves.push({ row, col, after: pickLetter(board, letters, row, col) });
    }
  }
  return moves;
}

/**
 * Returns the first position of the game, in which all cells contain letters. In a position, bit `row * cols + col` is
 * set if this cell still contains its letter.
 */
export function allLetters(board: Board): number {
  return 2 ** (board.rows * board.cols) - 1;
}

/** Returns all positions that the player can reach with one move. */
function successors(board: Board, letters: number): number[] {
  return movesIn(board, letters).map(({ after }) => after);
}

/** Returns the position after a player has picked the letter in this cell. */
function pickLetter(board: Board, letters: number, row: number, col: number): number {
  let left = without(board, letters, row, col);
  for (const [down, right] of RAYS[board.cells[row * board.cols + col]]) {
    for (let r = row + down, c = col + right; hasLetter(board, left, r, c); r += down, c += right) {
      left = without(board, left, r, c);
    }
  }
  return left;
}

function hasLetter(board: Board, letters: number, row: number, col: number): boolean {
  if (row < 0 || row >= board.rows || col < 0 || col >= board.cols) return false;
  return ((letters >>> (row * board.cols + col)) & 1) === 1;
}

/** Returns the position in which this cell has no letter any more. */
function without(board: Board, letters: number, row: number, col: number): number {
  return letters & ~(1 << (row * board.cols + col));
}
