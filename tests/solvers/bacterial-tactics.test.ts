import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSimdSolver } from '../../src/problems/bacterial-tactics/kernel.js';
import { analyse, createPortableSolver, limits } from '../../src/problems/bacterial-tactics/solve.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import { solveLiterally } from '../oracles/bacterial-tactics.js';
import { kernelForms } from '../support/kernels.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

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

/**
 * A board from its size, its density and a seed: cheap for large boards, where shrinking cells tells little.
 */
function randomBoard(rows: number, cols: number, percent: number, seed: number): Board {
  let state = seed;
  return boardOf(rows, cols, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 16) % 1000 < 10 * percent;
  });
}

function anyRandomBoard(maxRows: number, maxCols: number): fc.Arbitrary<Board> {
  return fc
    .tuple(
      fc.integer({ min: 1, max: maxRows }),
      fc.integer({ min: 1, max: maxCols }),
      fc.integer({ min: 0, max: 30 }),
      fc.nat(),
    )
    .map(([rows, cols, percent, seed]) => randomBoard(rows, cols, percent, seed));
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

describe.each(kernelForms('bacterial-tactics'))('the %s SIMD solver', (_, wasm) => {
  const LANES = 16;
  const KERNEL_SIDE = 32;
  const simd = createSimdSolver(wasm);
  const portable = createPortableSolver();

  function expectSameAsPortable(boards: readonly Board[]): void {
    expect(answersOf(simd, boards)).toEqual(answersOf(portable, boards));
  }

  test('the statement', () => {
    const boards = statement.map(([text]) => picture(text));
    expect(answersOf(simd, boards)).toEqual(statement.map(([, answer]) => answer));
  });

  test.each([
    [1, 10],
    [10, 1],
    [2, 5],
    [5, 2],
    [3, 3],
    [3, 4],
    [4, 3],
  ])('every board of %i x %i', (rows, cols) => {
    expectSameAsPortable([...allBoards(rows, cols)]);
  });

  test('every size up to 17 x 17, all in one batch', () => {
    const boards: Board[] = [];
    for (let rows = 1; rows <= 17; rows++) {
      for (let cols = 1; cols <= 17; cols++) {
        for (const percent of [1, 3, 10]) boards.push(randomBoard(rows, cols, percent, boards.length));
      }
    }
    expectSameAsPortable(boards);
  });

  test('random batches, lanes with boards of different sizes, lanes left empty', () => {
    fc.assert(
      fc.property(fc.array(anyRandomBoard(15, 15), { maxLength: 3 * LANES }), (boards) => {
        expectSameAsPortable(boards);
      }),
    );
  });

  test('structured boards', () => {
    for (const [rows, cols] of [
      [15, 15],
      [14, 15],
      [15, 2],
      [1, 15],
      [15, 1],
      [8, 12],
    ]) {
      expectSameAsPortable(structuredBoards(rows, cols));
    }
  });

  test('a batch of each length up to three times the lanes', () => {
    const boards = Array.from({ length: 3 * LANES + 1 }, (_, i) => randomBoard(9, 11, 5, i));
    const answers = answersOf(portable, boards);
    for (let count = 0; count <= boards.length; count++) {
      expect(answersOf(simd, boards.slice(0, count))).toEqual(answers.slice(0, count));
    }
  });

  test('many contest boards, with nimbers that do not fit eight bits', () => {
    const boards = Array.from({ length: 600 }, (_, i) => randomBoard(15, 15, 1 + (i % 8), i));
    const largest = boards.slice(0, 40).map((board) => largestNimber(board));
    expect(Math.max(...largest)).toBeGreaterThan(7);
    expectSameAsPortable(boards);
  });

  test('what is left in a lane by a larger batch leaves no trace', () => {
    fc.assert(
      fc.property(
        anyRandomBoard(15, 15),
        fc.array(anyRandomBoard(15, 15), { maxLength: 20 }),
        (board, before) => {
          answersOf(simd, before);
          expectSameAsPortable([board]);
        },
      ),
    );
  });

  test('the largest boards the kernel takes, one row, one column', () => {
    const solver = createSimdSolver(wasm);
    const boards = [
      randomBoard(KERNEL_SIDE, KERNEL_SIDE, 8, 1),
      randomBoard(KERNEL_SIDE, KERNEL_SIDE - 1, 8, 2),
      randomBoard(1, KERNEL_SIDE, 8, 3),
      randomBoard(KERNEL_SIDE, 1, 8, 4),
    ];
    expect(answersOf(solver, boards)).toEqual(answersOf(portable, boards));
    expect(solver.fallbackCases).toBe(0);
  });

  test('larger boards go to the portable solver, and are counted', () => {
    const solver = createSimdSolver(wasm);
    const oneCell = (rows: number, cols: number) => boardOf(rows, cols, (row, col) => row + col === 2);
    const boards = [oneCell(1, KERNEL_SIDE + 1), oneCell(9, 9), oneCell(KERNEL_SIDE + 1, 5)];
    expect(answersOf(solver, boards)).toEqual(answersOf(portable, boards));
    expect(solver.fallbackCases).toBe(2);
  });

  test('boards with nimbers above 15 go to the portable solver, and are counted', () => {
    const solver = createSimdSolver(wasm);
    const boards = Array.from({ length: LANES }, (_, i) => randomBoard(KERNEL_SIDE, KERNEL_SIDE, 2, i));
    expect(answersOf(solver, boards)).toEqual(answersOf(portable, boards));
    expect(solver.fallbackCases).toBeGreaterThan(0);
    expect(solver.fallbackCases).toBeLessThan(LANES);
  });

  test('two solvers do not share memory', () => {
    const other = createSimdSolver(wasm);
    const boards = Array.from({ length: 20 }, (_, i) => randomBoard(12, 12, 4, i));
    const answers = answersOf(simd, boards);
    answersOf(other, structuredBoards(15, 15));
    expect(answersOf(simd, boards)).toEqual(answers);
  });
});

function largestNimber(board: Board): number {
  const analysis = analyse(board);
  let largest = 0;
  for (let top = 0; top < board.rows; top++) {
    for (let bottom = top + 1; bottom <= board.rows; bottom++) {
      for (let left = 0; left < board.cols; left++) {
        for (let right = left + 1; right <= board.cols; right++) {
          largest = Math.max(largest, analysis.nimber(top, bottom, left, right));
        }
      }
    }
  }
  return largest;
}
