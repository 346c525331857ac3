/** Tests that shrinking leaves the smallest boards on which the program still fails, and that the rules allow them. */
import { describe, expect, test } from 'vitest';
import { loadProblem } from '../../../src/catalog/registry.js';
import { ByteWriter } from '../../../src/core/bytes.js';
import type { BoardProblem } from '../../../src/games/shared/board-problem.js';
import type { Board } from '../../../src/problems/problem.js';
import { type CasesAsBytes, shrinkCases } from '../../../src/tools/stress/shrink.js';

function boardOf(...rows: string[]): Board {
  const codes = rows
    .join('')
    .split('')
    .map((letter) => LETTERS.indexOf(letter));
  return { rows: rows.length, cols: rows[0].length, cells: Uint8Array.from(codes) };
}

const LETTERS = '.#XO';
const rowsOf = ({ rows, cols, cells }: Board) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from(cells.subarray(row * cols, (row + 1) * cols), (code) => LETTERS[code]).join(''),
  );

/** Shrinks the boards as long as `fails` returns true for the smaller boards, and returns their rows. */
async function shrinkWhile(name: string, boards: Board[], fails: (boards: readonly Board[]) => boolean) {
  const problem = await loadProblem(name);
  const shrunk = await shrinkCases(casesOf(problem, boards), {
    problem,
    head: null,
    isFailing: async (smaller) => fails(boardsIn(problem, smaller)),
    jobs: 2,
    isTimeUp: () => false,
  });
  return boardsIn(problem, shrunk).map(rowsOf);
}

/** Prints the boards, each as a case in bytes of its own. */
function casesOf({ inputFormat }: BoardProblem, boards: readonly Board[]): CasesAsBytes {
  const out = new ByteWriter();
  return boards.map((board) => {
    inputFormat.printCase(board, out);
    return out.take();
  });
}

/** Parses the cases, and expects that the rules of the problem allow their boards. */
function boardsIn({ inputFormat }: BoardProblem, cases: CasesAsBytes): Board[] {
  const parser = inputFormat.createParser();
  return cases.map((bytes) => {
    const board = parser.parse(bytes, 0, bytes.length, null);
    expect(parser.fault).toBeNull();
    return board as Board;
  });
}

const big = boardOf('..#..#.', '#......', '..#.#..', '...#...', '#......');

describe('shrinking a counterexample', () => {
  test('a program that fails on every input fails on one plain cell in the end', async () => {
    expect(await shrinkWhile('bacterial-tactics', [big, big, big], () => true)).toEqual([['.']]);
  });

  test('a failure that needs two radioactive cells in a row keeps only these two cells', async () => {
    const fails = (boards: readonly Board[]) =>
      boards.some((board) => rowsOf(board).some((row) => /#.*#/.test(row)));
    expect(await shrinkWhile('bacterial-tactics', [big, big], fails)).toEqual([['##']]);
  });

  test('a failure that needs two boards keeps two boards', async () => {
    const fails = (boards: readonly Board[]) => boards.length >= 2;
    expect(await shrinkWhile('bacterial-tactics', [big, big, big], fails)).toEqual([['.'], ['.']]);
  });

  test('shrinking keeps the pieces that the rules require', async () => {
    const board = boardOf('#..O', '.#..', 'O.#X', '....');
    const [rows] = await shrinkWhile('river-pawn', [board], () => true);
    expect(rows.join('').match(/[XO]/g)?.sort()).toEqual(['O', 'O', 'X']);
    expect(rows.join('')).not.toContain('#');
    expect(rows.length * rows[0].length).toBeLessThanOrEqual(6);
    expect(rows[0]).not.toContain('X');
  });
});

test('when the time is up, the boards stay as they are', async () => {
  const problem = await loadProblem('bacterial-tactics');
  const cases = casesOf(problem, [big]);
  const isFailing = async () => true;
  const options = { problem, head: null, isFailing, jobs: 1, isTimeUp: () => true };
  expect(await shrinkCases(cases, options)).toBe(cases);
});
