/**
 * Darkraft played out literally: a position is the set of cells that still hold their letter, a move walks
 * the rays cell by cell. No parity classes, no rectangles, no sums of games; boards of up to 31 cells, and
 * in practice of a dozen.
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
/** The directions of the rays by cell code: L, R, X. */
const RAYS = [DOWN_LEFT_UP_RIGHT, UP_LEFT_DOWN_RIGHT, [...DOWN_LEFT_UP_RIGHT, ...UP_LEFT_DOWN_RIGHT]];

/** Whether the player who moves first wins, both playing best. */
export function solveLiterally(board: Board): 'WIN' | 'LOSE' {
  const known = new Map<number, boolean>();
  const moverWins = (letters: number): boolean => {
    const stored = known.get(letters);
    if (stored !== undefined) return stored;
    const wins = successors(board, letters).some((next) => !moverWins(next));
    known.set(letters, wins);
    return wins;
  };
  return moverWins(allLetters(board)) ? 'WIN' : 'LOSE';
}

/** The nimber of the whole board, from the same literal moves. */
export function nimberLiterally(board: Board): number {
  const known = new Map<number, number>();
  const nimberOf = (letters: number): number => {
    const stored = known.get(letters);
    if (stored !== undefined) return stored;
    const reached = new Set(successors(board, letters).map(nimberOf));
    let mex = 0;
    while (reached.has(mex)) mex++;
    known.set(letters, mex);
    return mex;
  };
  return nimberOf(allLetters(board));
}

/** Bit `row * cols + col` is set while that cell holds its letter. */
function allLetters(board: Board): number {
  return 2 ** (board.rows * board.cols) - 1;
}

function successors(board: Board, letters: number): number[] {
  const positions: number[] = [];
  for (let row = 0; row < board.rows; row++) {
    for (let col = 0; col < board.cols; col++) {
      if (holdsLetter(board, letters, row, col)) positions.push(pick(board, letters, row, col));
    }
  }
  return positions;
}

function pick(board: Board, letters: number, row: number, col: number): number {
  let left = without(board, letters, row, col);
  for (const [down, right] of RAYS[board.cells[row * board.cols + col]]) {
    for (let r = row + down, c = col + right; holdsLetter(board, left, r, c); r += down, c += right) {
      left = without(board, left, r, c);
    }
  }
  return left;
}

function holdsLetter(board: Board, letters: number, row: number, col: number): boolean {
  if (row < 0 || row >= board.rows || col < 0 || col >= board.cols) return false;
  return ((letters >>> (row * board.cols + col)) & 1) === 1;
}

function without(board: Board, letters: number, row: number, col: number): number {
  return letters & ~(1 << (row * board.cols + col));
}
