/** Boards of darkraft for tests, and what the solvers of the game say about them. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { DarkraftKernel } from '../../src/games/darkraft/kernel.js';
import { analyse, type DarkraftAnswer } from '../../src/games/darkraft/solve.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import { everyBoard } from './every-board.js';

export const LETTERS = 'LRX';

export function board(...lines: string[]): Board {
  const cells = Uint8Array.from(lines.join(''), (letter) => LETTERS.indexOf(letter));
  return { rows: lines.length, cols: lines[0].length, cells };
}

export function boardOf(rows: number, cols: number, letterAt: (row: number, col: number) => string): Board {
  const line = (row: number) => Array.from({ length: cols }, (_, col) => letterAt(row, col)).join('');
  return board(...Array.from({ length: rows }, (_, row) => line(row)));
}

export function answersOf(solver: Solver<DarkraftAnswer>, boards: readonly Board[]): DarkraftAnswer[] {
  const answers: DarkraftAnswer[] = [];
  solver.solve(boards, boards.length, answers);
  return answers;
}

export const allBoards = (rows: number, cols: number) => everyBoard('darkraft', rows, cols);

/** Random boards of up to these sides and this number of cells, with letters from any subset of L, R and X. */
export function anyBoard(
  maxRows: number,
  maxCols: number,
  maxCells = maxRows * maxCols,
): fc.Arbitrary<Board> {
  return fc
    .tuple(fc.integer({ min: 1, max: maxRows }), fc.integer({ min: 1, max: maxCols }))
    .filter(([rows, cols]) => rows * cols <= maxCells)
    .chain(([rows, cols]) =>
      fc
        .subarray([0, 1, 2], { minLength: 1 })
        .chain((codes) =>
          fc
            .uint8Array({ minLength: rows * cols, maxLength: rows * cols, max: codes.length - 1 })
            .map((picks) => ({ rows, cols, cells: picks.map((pick) => codes[pick]) })),
        ),
    );
}

/** Returns the board with left and right exchanged, and with L and R exchanged. */
export function mirrored({ rows, cols, cells }: Board): Board {
  const swapped = [1, 0, 2];
  return boardOf(rows, cols, (row, col) => LETTERS[swapped[cells[row * cols + cols - 1 - col]]]);
}

export const irregular = (row: number, col: number) => LETTERS[(row * row + 2 * col * row + 3 * col) % 3];

/** Regular boards: the name of each pattern, and the letter of each cell. */
export const STRUCTURES: readonly (readonly [string, (row: number, col: number) => string])[] = [
  ['all L', () => 'L'],
  ['all R', () => 'R'],
  ['all X', () => 'X'],
  ['horizontal stripes', (row) => LETTERS[row % 3]],
  ['vertical stripes', (_, col) => LETTERS[col % 3]],
  ['diagonals', (row, col) => LETTERS[(row + col) % 3]],
  ['diagonals within each parity class', (row, col) => LETTERS[((row + col) >> 1) % 3]],
  ['X in one parity class and L in the other', (row, col) => ((row + col) % 2 === 0 ? 'X' : 'L')],
  ['X in the first row and column, and R elsewhere', (row, col) => (row === 0 || col === 0 ? 'X' : 'R')],
  ['an irregular pattern', irregular],
];

export const MOSTLY_X = 'LRXXXXXXXX';

/**
 * Returns pseudorandom letters that depend on the seed and the cell. For large boards this is faster than fast-check,
 * which would shrink single cells.
 */
export function pseudorandomLetters(seed: number, letters = LETTERS): (row: number, col: number) => string {
  return (row, col) => {
    let hash = Math.imul(seed * 2654435761 + row * 40503 + col + 1, 2246822519);
    hash = Math.imul(hash ^ (hash >>> 15), 3266489917);
    return letters[((hash ^ (hash >>> 13)) >>> 0) % letters.length];
  };
}

/**
 * Returns the nimbers that the kernel finds for up to sixteen boards, one board per lane. Each board is at the top left
 * of the smallest rectangle that all of them fit into.
 */
export function kernelNimbers(kernel: DarkraftKernel, boards: readonly Board[]): number[] {
  const rows = Math.max(...boards.map((given) => given.rows));
  const cols = Math.max(...boards.map((given) => given.cols));
  const letters = kernel.reserve(rows, cols);
  const memory = new Uint8Array(kernel.memory.buffer);
  memory.fill(kernel.outsideCellCode(), letters, letters + rows * cols * kernel.lanes());
  boards.forEach((given, lane) => {
    for (let i = 0; i < given.rows * given.cols; i++) {
      const cell = Math.floor(i / given.cols) * cols + (i % given.cols);
      memory[letters + cell * kernel.lanes() + lane] = given.cells[i];
    }
  });
  kernel.solve();
  const overflowed = memory.subarray(kernel.overflowedAddress(), kernel.overflowedAddress() + boards.length);
  expect([...overflowed]).toEqual(boards.map(() => 0));
  return [...memory.subarray(kernel.nimbersAddress(), kernel.nimbersAddress() + boards.length)];
}

/** The nimbers that the portable solver has found: each form of the kernel is tried with many of the same boards. */
const knownNimbers = new Map<string, number>();

/** Returns the nimbers of the boards, by the portable solver. */
export function nimbersOf(boards: readonly Board[]): number[] {
  return boards.map((given) => {
    const key = `${given.rows} ${given.cols} ${Buffer.from(given.cells).toString('latin1')}`;
    const nimber = knownNimbers.get(key) ?? analyse(given).nimber;
    knownNimbers.set(key, nimber);
    return nimber;
  });
}

export function expectNimbers(solver: Solver<DarkraftAnswer>, boards: readonly Board[]): void {
  const nimbers: number[] = [];
  const answers: DarkraftAnswer[] = [];
  solver.solve(boards, boards.length, answers, { firstCase: 1, head: null, nimbers });
  const expected = boards.map((each) => analyse(each).nimber);
  expect(nimbers).toEqual(expected);
  expect(answers).toEqual(expected.map((nimber) => (nimber === 0 ? 'LOSE' : 'WIN')));
}

/**
 * [letters, nimber of the board, largest nimber of its rectangles] of boards of 37 x 37 with the seeds 1, 2, 3, ... The
 * portable solver found these nimbers with `analyse`. It takes too long to repeat this in each run of the tests.
 */
const AROUND_128: readonly (readonly [string, number, number])[] = [
  ['LRXXXX', 119, 126],
  [MOSTLY_X, 107, 129],
  ['LRXXXX', 119, 128],
  [MOSTLY_X, 126, 130],
  ['LRXXXX', 67, 128],
  [MOSTLY_X, 118, 130],
  ['LRXXXX', 89, 125],
  [MOSTLY_X, 79, 129],
  ['LRXXXX', 4, 125],
  [MOSTLY_X, 82, 131],
  ['LRXXXX', 48, 128],
  [MOSTLY_X, 58, 129],
  ['LRX', 85, 75],
  [MOSTLY_X, 199, 130],
];

/** Expects the kernel to find the known nimbers of AROUND_128. */
export function expectNimbersAround128(kernel: DarkraftKernel): void {
  const boards = AROUND_128.map(([letters], i) => boardOf(37, 37, pseudorandomLetters(i + 1, letters)));
  expect(kernelNimbers(kernel, boards)).toEqual(AROUND_128.map(([, nimber]) => nimber));
}
