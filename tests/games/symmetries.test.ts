/** Tests that the changes of boards that `stats` takes as symmetries keep the answers. */
import { describe, expect, test } from 'vitest';
import { loadProblem, PROBLEMS } from '../../src/catalog/registry.js';
import type { Board } from '../../src/formats/boards/board.js';
import type { BoardProblem } from '../../src/games/shared/board-problem.js';
import { ANY_BOARDS } from '../../src/problems/problem.js';
import { Random } from '../support/random.js';

const BOARDS = 60;

/** Copies a board. `cellBytes` is the number of bytes of a cell. */
function copyOf({ rows, cols, cells }: Board, cellBytes: number): Board {
  return { rows, cols, cells: cells.slice(0, rows * cols * cellBytes) };
}

/** Returns random boards of up to six rows and columns. */
function drawBoards(problem: BoardProblem): Board[] {
  const request = { seed: 'symmetries', cases: BOARDS, maxSize: 6, set: null, boards: ANY_BOARDS };
  const source = problem.cases.createSource({ ...request, profile: 'random' });
  return Array.from({ length: BOARDS }, (_, index) =>
    copyOf(source.caseAt(index), problem.inputFormat.cellBytes),
  );
}

function variantsOf(problem: BoardProblem, board: Board): Board[] {
  const { cellBytes } = problem.inputFormat;
  const variants = problem.cases.symmetries?.variantsOf(board) ?? [board];
  return Array.from(variants, (variant) => copyOf(variant, cellBytes));
}

function solverOf(problem: BoardProblem): (board: Board) => unknown {
  const solver = problem.solvers.createPortable();
  const answers: unknown[] = [];
  return (board) => {
    void solver.solve([board], 1, answers);
    return answers[0];
  };
}

function textOf({ rows, cols, cells }: Board): string {
  return `${rows} ${cols} ${cells.join(' ')}`;
}

/** Swaps the first two rows of a board. */
function withRowsSwapped({ rows, cols, cells }: Board): Board {
  const swapped = cells.slice();
  swapped.set(cells.subarray(cols, 2 * cols), 0);
  swapped.set(cells.subarray(0, cols), cols);
  return { rows, cols, cells: swapped };
}

/** Reverses the order of the columns; `cellBytes` is the number of bytes of a cell. */
function mirrored({ rows, cols, cells }: Board, cellBytes: number): Board {
  const result = cells.slice();
  for (let cell = 0; cell < rows * cols; cell++) {
    const other = cell - (cell % cols) + (cols - 1 - (cell % cols));
    result.set(cells.subarray(cell * cellBytes, (cell + 1) * cellBytes), other * cellBytes);
  }
  return { rows, cols, cells: result };
}

/** Those of link-and-pop change the answers, too: see below. */
const KEEPING_ANSWERS = PROBLEMS.map(({ name }) => name).filter((name) => name !== 'link-and-pop');

describe.each(KEEPING_ANSWERS)('the symmetries of %s', (name) => {
  test('keep the answer', async () => {
    const problem = await loadProblem(name);
    const solve = solverOf(problem);
    for (const board of drawBoards(problem)) {
      const answer = solve(board);
      for (const variant of variantsOf(problem, board)) expect(solve(variant), textOf(board)).toEqual(answer);
    }
  });

  test('are the same for all boards that are equal up to them', async () => {
    const problem = await loadProblem(name);
    for (const board of drawBoards(problem)) {
      const textsOf = (one: Board) => new Set(variantsOf(problem, one).map(textOf));
      for (const variant of variantsOf(problem, board)) expect(textsOf(variant)).toEqual(textsOf(board));
    }
  });

  test('contain the board itself', async () => {
    const problem = await loadProblem(name);
    for (const board of drawBoards(problem))
      expect(variantsOf(problem, board).map(textOf)).toContain(textOf(board));
  });
});

describe('changes that are not symmetries', () => {
  test('bacterial-tactics: another order of the rows', async () => {
    const solve = solverOf(await loadProblem('bacterial-tactics'));
    const board = { rows: 4, cols: 1, cells: Uint8Array.of(1, 0, 0, 0) };
    expect([solve(board), solve(withRowsSwapped(board))]).toEqual([2, 3]);
  });

  test('darkraft: a mirror that does not swap L and R', async () => {
    const problem = await loadProblem('darkraft');
    const solve = solverOf(problem);
    expect(drawBoards(problem).some((board) => solve(board) !== solve(mirrored(board, 1)))).toBe(true);
  });

  test('link-and-pop: a mirror', async () => {
    const problem = await loadProblem('link-and-pop');
    const solve = solverOf(problem);
    const blocksLeft = (board: Board) => String(solve(board)).replaceAll(/[.,]/g, '').length;
    const changes = (board: Board) => blocksLeft(board) !== blocksLeft(mirrored(board, 2));
    expect(drawBoards(problem).some(changes)).toBe(true);
  });
});

test('link-and-pop: other symbols give the same final board with other symbols', async () => {
  const problem = await loadProblem('link-and-pop');
  const solve = solverOf(problem);
  const random = new Random(1);
  for (const board of drawBoards(problem)) {
    const renaming = shuffledSymbols(random);
    const renamed = copyOf(board, 2);
    for (let at = 0; at < 2 * board.rows * board.cols; at += 2)
      renamed.cells[at] = renaming.get(String.fromCharCode(board.cells[at]))!.charCodeAt(0);
    const expected = (solve(board) as string[]).map((row) =>
      [...row].map((letter) => renaming.get(letter) ?? letter).join(''),
    );
    expect(solve(renamed)).toEqual(expected);
    expect(variantsOf(problem, renamed).map(textOf)).toEqual(variantsOf(problem, board).map(textOf));
  }
});

/** Returns another capital letter for each capital letter. */
function shuffledSymbols(random: Random): Map<string, string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const left = [...letters];
  return new Map(letters.map((letter) => [letter, left.splice(random.below(left.length), 1)[0]]));
}
