import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse, createPortableSolver, limits } from '../../src/problems/bacterial-tactics/solve.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import { solveLiterally } from '../oracles/bacterial-tactics.js';

/** A board from its picture, rows parted by spaces. */
function picture(text: string): Board {
  const rows = text.split(' ');
  return boardOf(rows.length, rows[0].length, (row, col) => rows[row][col] === '#');
}

function boardOf(rows: number, cols: number, isRadioactive: (row: number, col: number) => boolean): Board {
  const cells = new Uint8Array(rows * cols);
  for (let cell = 0; cell < cells.length; cell++) {
    if (isRadioactive(Math.floor(cell / cols), cell % cols)) cells[cell] = 1;
  }
  return { rows, cols, cells };
}

/** Every board of one size. */
function* allBoards(rows: number, cols: number): Generator<Board> {
  for (let bits = 0; bits < 2 ** (rows * cols); bits++) {
    yield boardOf(rows, cols, (row, col) => ((bits >> (row * cols + col)) & 1) === 1);
  }
}

/** Boards up to a size, from empty to crowded. */
function anyBoard(maxRows: number, maxCols: number, maxPercent = 60): fc.Arbitrary<Board> {
  return fc
    .record({
      rows: fc.integer({ min: 1, max: maxRows }),
      cols: fc.integer({ min: 1, max: maxCols }),
      percent: fc.integer({ min: 0, max: maxPercent }),
    })
    .chain(({ rows, cols, percent }) =>
      fc
        .array(fc.integer({ min: 0, max: 99 }), { minLength: rows * cols, maxLength: rows * cols })
        .map((dice) => boardOf(rows, cols, (row, col) => dice[row * cols + col] < percent)),
    );
}

/** The shapes on which clear lines fall in patterns. */
function structuredBoards(rows: number, cols: number): Board[] {
  return [
    boardOf(rows, cols, () => false),
    boardOf(rows, cols, () => true),
    boardOf(rows, cols, (row) => row % 2 === 1),
    boardOf(rows, cols, (_row, col) => col % 3 === 2),
    boardOf(rows, cols, (row, col) => row === col),
    boardOf(rows, cols, (row, col) => (row + col) % 5 === 0),
    boardOf(rows, cols, (row, col) => row % 2 === 1 && col % 2 === 1),
    boardOf(rows, cols, (row, col) => row % 2 === 1 && (row % 4 === 1 ? col > 0 : col < cols - 1)),
    boardOf(rows, cols, (row, col) => row === rows >> 1 && col === cols >> 1),
    boardOf(rows, cols, (row, col) => row === 0 && col === cols - 1),
  ];
}

function answersOf(solver: Solver<number>, boards: readonly Board[]): number[] {
  const answers: number[] = [];
  solver.solve(boards, boards.length, answers);
  return answers;
}

const statement: [string, number][] = [
  ['.. .#', 0],
  ['.#.. ..#. #... ...#', 0],
  ['#.## .... #.##', 7],
  ['.', 2],
  ['##', 0],
];

describe('the literal oracle', () => {
  test.each(statement)('%s from the statement: %i', (text, answer) => {
    expect(solveLiterally(picture(text))).toBe(answer);
  });
});

describe('the portable solver', () => {
  const solver = createPortableSolver();

  test.each(statement)('%s from the statement: %i', (text, answer) => {
    expect(answersOf(solver, [picture(text)])).toEqual([answer]);
  });

  test.each([
    [1, 1],
    [1, 9],
    [9, 1],
    [2, 2],
    [2, 5],
    [5, 2],
    [3, 3],
    [3, 4],
    [4, 3],
  ])('every board of %i x %i as the oracle has it', (rows, cols) => {
    const boards = [...allBoards(rows, cols)];
    expect(answersOf(solver, boards)).toEqual(boards.map(solveLiterally));
  });

  test('random boards of up to 4 x 5 as the oracle has them', () => {
    fc.assert(
      fc.property(anyBoard(4, 5), (board) => {
        expect(answersOf(solver, [board])).toEqual([solveLiterally(board)]);
      }),
    );
  });

  test('structured boards as the oracle has them', () => {
    const boards = [structuredBoards(4, 4), structuredBoards(1, 10), structuredBoards(10, 1)].flat();
    expect(answersOf(solver, boards)).toEqual(boards.map(solveLiterally));
  });

  test('a board turned over, or on its side, has the same answer', () => {
    fc.assert(
      fc.property(anyBoard(12, 12, 25), (board) => {
        const { rows, cols, cells } = board;
        const upsideDown = boardOf(rows, cols, (row, col) => cells[(rows - 1 - row) * cols + col] === 1);
        const onItsSide = boardOf(cols, rows, (row, col) => cells[col * cols + row] === 1);
        const [answer, ...others] = answersOf(solver, [board, upsideDown, onItsSide]);
        expect(others).toEqual([answer, answer]);
      }),
    );
  });

  test('a larger board before it leaves no trace in an answer', () => {
    fc.assert(
      fc.property(anyBoard(15, 15, 20), anyBoard(8, 8, 20), (large, small) => {
        expect(answersOf(solver, [large, small])[1]).toBe(answersOf(createPortableSolver(), [small])[0]);
      }),
    );
  });

  test('cells behind the board are not read', () => {
    const board = picture('#.## .... #.##');
    const cells = new Uint8Array(99).fill(1);
    cells.set(board.cells);
    expect(answersOf(solver, [{ ...board, cells }])).toEqual([7]);
  });

  test('only `count` boards are solved', () => {
    const answers = [-1, -1];
    solver.solve([picture('.'), picture('.')], 1, answers);
    expect(answers).toEqual([2, -1]);
  });

  test('boards at the engine limits', () => {
    const { maxRows, maxCols } = limits;
    // Even by even is lost; a lone radioactive cell in the corner leaves clear lines of both kinds.
    expect(answersOf(solver, [boardOf(maxRows, maxCols, () => false)])).toEqual([0]);
    for (const [rows, cols] of [
      [maxRows, maxCols],
      [1, maxCols],
      [maxRows, 1],
    ]) {
      for (const board of structuredBoards(rows, cols)) {
        const [answer] = answersOf(solver, [board]);
        expect(answer).toBeGreaterThanOrEqual(0);
        expect(answer).toBeLessThanOrEqual(2 * rows * cols);
      }
    }
  });

  test('empty boards: nimbers 1, 2 and 0 by the parities of the sides', () => {
    for (let rows = 1; rows <= 4; rows++) {
      for (let cols = 1; cols <= 4; cols++) {
        // With one radioactive cell beside it, the empty part is no longer recognised as an empty board.
        const board = boardOf(rows, cols + 2, (row, col) => col === cols + 1 && row === 0);
        const expected = (rows & cols & 1) === 1 ? 1 : ((rows | cols) & 1) === 1 ? 2 : 0;
        expect(analyse(board).nimber(0, rows, 0, cols)).toBe(expected);
      }
    }
  });
});

describe('the analysis of a board', () => {
  test('every nimber is the mex of its moves', () => {
    fc.assert(
      fc.property(anyBoard(7, 7, 30), (board) => {
        const analysis = analyse(board);
        for (let top = 0; top < board.rows; top++) {
          for (let left = 0; left < board.cols; left++) {
            for (let bottom = top + 1; bottom <= board.rows; bottom++) {
              for (let right = left + 1; right <= board.cols; right++) {
                const after = optionsOf(board, top, bottom, left, right, analysis.nimber.bind(analysis));
                let mex = 0;
                while (after.has(mex)) mex++;
                expect(analysis.nimber(top, bottom, left, right)).toBe(mex);
              }
            }
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  test('its openings are the clear lines, and those that leave 0 make the answer', () => {
    const analysis = analyse(picture('#.## .... #.##'));
    expect(analysis.openings()).toEqual([
      { line: 'row', index: 1, nimber: 0 },
      { line: 'column', index: 1, nimber: 0 },
    ]);
    expect(analysis.winningOpenings()).toBe(7);
  });
});

function optionsOf(
  { cols, cells }: Board,
  top: number,
  bottom: number,
  left: number,
  right: number,
  nimber: (top: number, bottom: number, left: number, right: number) => number,
): Set<number> {
  const after = new Set<number>();
  const isEmpty = (row: number, col: number) => cells[row * cols + col] === 0;
  const span = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  for (const row of span(top, bottom)) {
    if (!span(left, right).every((col) => isEmpty(row, col))) continue;
    after.add(nimber(top, row, left, right) ^ nimber(row + 1, bottom, left, right));
  }
  for (const col of span(left, right)) {
    if (!span(top, bottom).every((row) => isEmpty(row, col))) continue;
    after.add(nimber(top, bottom, left, col) ^ nimber(top, bottom, col + 1, right));
  }
  return after;
}
