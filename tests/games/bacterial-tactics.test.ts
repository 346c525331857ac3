import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSimdSolver } from '../../src/games/bacterial-tactics/kernel.js';
import { analyse, createPortableSolver, supportedLimits } from '../../src/games/bacterial-tactics/solve.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import { solveLiterally } from '../oracles/bacterial-tactics.js';
import { everyBoard } from '../support/every-board.js';
import { kernelForms } from '../support/kernels.js';
import { runs } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

/** Returns the board with these rows, which are separated by spaces. */
function parseBoard(text: string): Board {
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

/** Random boards of up to this size, with a share of radioactive cells from 0 to `maxPercent`. */
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
 * Returns a random board that depends on its size, its density and a seed. For large boards this is faster than
 * fast-check, which would shrink single cells.
 */
function randomBoard(rows: number, cols: number, percent: number, seed: number): Board {
  let state = seed;
  return boardOf(rows, cols, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 16) % 1000 < 10 * percent;
  });
}

function anyRandomBoard(maxRows: number, maxCols: number, maxPercent = 30): fc.Arbitrary<Board> {
  return fc
    .tuple(
      fc.integer({ min: 1, max: maxRows }),
      fc.integer({ min: 1, max: maxCols }),
      fc.integer({ min: 0, max: maxPercent }),
      fc.nat(),
    )
    .map(([rows, cols, percent, seed]) => randomBoard(rows, cols, percent, seed));
}

/** Returns boards with regular patterns of radioactive cells. */
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

const STATEMENT_SAMPLES: [string, number][] = [
  ['.. .#', 0],
  ['.#.. ..#. #... ...#', 0],
  ['#.## .... #.##', 7],
  ['.', 2],
  ['##', 0],
];

describe('the oracle of bacterial-tactics', () => {
  test.each(STATEMENT_SAMPLES)(
    'the oracle answers the sample %s of the statement with %i',
    (text, answer) => {
      expect(solveLiterally(parseBoard(text))).toBe(answer);
    },
  );
});

describe('the portable solver of bacterial-tactics', () => {
  const solver = createPortableSolver();

  test.each(STATEMENT_SAMPLES)(
    'the portable solver answers the sample %s of the statement with %i',
    (text, answer) => {
      expect(answersOf(solver, [parseBoard(text)])).toEqual([answer]);
    },
  );

  test('the portable solver gives the answer of the oracle on random boards of up to 4 x 5', () => {
    fc.assert(
      fc.property(anyBoard(4, 5), (board) => {
        expect(answersOf(solver, [board])).toEqual([solveLiterally(board)]);
      }),
    );
  });

  test('the portable solver gives the answer of the oracle on structured boards', () => {
    const boards = [structuredBoards(4, 4), structuredBoards(1, 10), structuredBoards(10, 1)].flat();
    expect(answersOf(solver, boards)).toEqual(boards.map(solveLiterally));
  });

  test('a board has the same answer when it is turned upside down or transposed', () => {
    fc.assert(
      fc.property(anyBoard(12, 12, 25), (board) => {
        const { rows, cols, cells } = board;
        const upsideDown = boardOf(rows, cols, (row, col) => cells[(rows - 1 - row) * cols + col] === 1);
        const transposed = boardOf(cols, rows, (row, col) => cells[col * cols + row] === 1);
        const [answer, ...others] = answersOf(solver, [board, upsideDown, transposed]);
        expect(others).toEqual([answer, answer]);
      }),
    );
  });

  test('the answer to a board does not depend on a larger board that was solved before', () => {
    fc.assert(
      fc.property(anyBoard(15, 15, 20), anyBoard(8, 8, 20), (large, small) => {
        expect(answersOf(solver, [large, small])[1]).toBe(answersOf(createPortableSolver(), [small])[0]);
      }),
    );
  });

  test('the solver does not read cells after the end of the board', () => {
    const board = parseBoard('#.## .... #.##');
    const cells = new Uint8Array(99).fill(1);
    cells.set(board.cells);
    expect(answersOf(solver, [{ ...board, cells }])).toEqual([7]);
  });

  test('solve() solves only the first `count` boards', () => {
    const answers = [-1, -1];
    solver.solve([parseBoard('.'), parseBoard('.')], 1, answers);
    expect(answers).toEqual([2, -1]);
  });

  test('boards at the limits of the engine have possible answers', () => {
    const { maxRows, maxCols } = supportedLimits;
    // On an empty board with an even number of rows and of columns, the player who moves first has lost.
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

  test('an empty rectangle has the nimber 0, 1 or 2, depending on whether its sides are even or odd', () => {
    for (let rows = 1; rows <= 4; rows++) {
      for (let cols = 1; cols <= 4; cols++) {
        // A radioactive cell next to the empty part keeps the solver from treating the board as an empty one.
        const board = boardOf(rows, cols + 2, (row, col) => col === cols + 1 && row === 0);
        const expected = (rows & cols & 1) === 1 ? 1 : ((rows | cols) & 1) === 1 ? 2 : 0;
        expect(analyse(board).nimber(0, rows, 0, cols)).toBe(expected);
      }
    }
  });
});

describe('the analysis of a board of bacterial-tactics', () => {
  test('the nimber of every rectangle is the mex of the nimbers after its moves', () => {
    fc.assert(
      fc.property(anyBoard(7, 7, 30), (board) => {
        const analysis = analyse(board);
        for (let top = 0; top < board.rows; top++) {
          for (let left = 0; left < board.cols; left++) {
            for (let bottom = top + 1; bottom <= board.rows; bottom++) {
              for (let right = left + 1; right <= board.cols; right++) {
                const after = nimbersAfterMoves(
                  board,
                  top,
                  bottom,
                  left,
                  right,
                  analysis.nimber.bind(analysis),
                );
                expect(analysis.nimber(top, bottom, left, right)).toBe(mexOf(after));
              }
            }
          }
        }
      }),
      { numRuns: runs(30) },
    );
  });

  test('on boards of up to the largest size, the nimbers and the answer follow from those after the moves', () => {
    const { maxRows, maxCols } = supportedLimits;
    const anyPlace = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
    const anyRectangles = fc.array(fc.tuple(anyPlace, anyPlace, anyPlace, anyPlace), { minLength: 20 });
    fc.assert(
      fc.property(anyRandomBoard(maxRows, maxCols, 6), anyRectangles, (board, rectangles) => {
        const { rows, cols } = board;
        const analysis = analyse(board);
        const nimber = analysis.nimber.bind(analysis);
        const expectMex = (top: number, bottom: number, left: number, right: number) => {
          const after = nimbersAfterMoves(board, top, bottom, left, right, nimber);
          expect(nimber(top, bottom, left, right)).toBe(mexOf(after));
        };
        expectMex(0, rows, 0, cols);
        for (const [down, height, along, width] of rectangles) {
          const [top, left] = [Math.floor(down * rows), Math.floor(along * cols)];
          const bottom = top + 1 + Math.floor(height * (rows - top));
          expectMex(top, bottom, left, left + 1 + Math.floor(width * (cols - left)));
        }
        let answer = 0;
        for (let row = 0; row < rows; row++) {
          if (!isClear(board, row, row + 1, 0, cols)) continue;
          if (nimber(0, row, 0, cols) === nimber(row + 1, rows, 0, cols)) answer += cols;
        }
        for (let col = 0; col < cols; col++) {
          if (!isClear(board, 0, rows, col, col + 1)) continue;
          if (nimber(0, rows, 0, col) === nimber(0, rows, col + 1, cols)) answer += rows;
        }
        expect(answersOf(createPortableSolver(), [board])).toEqual([answer]);
      }),
      { numRuns: runs(60) },
    );
  });

  test('the openings of a board are its clear lines, and the answer counts the cells of those that leave nimber 0', () => {
    const analysis = analyse(parseBoard('#.## .... #.##'));
    expect(analysis.openings()).toEqual([
      { line: 'row', index: 1, nimber: 0 },
      { line: 'column', index: 1, nimber: 0 },
    ]);
    expect(analysis.winningOpenings()).toBe(7);
  });
});

/** Returns the smallest number that is not in the set. */
function mexOf(nimbers: ReadonlySet<number>): number {
  let mex = 0;
  while (nimbers.has(mex)) mex++;
  return mex;
}

/** Whether all cells of the rectangle are empty. */
function isClear({ cols, cells }: Board, top: number, bottom: number, left: number, right: number): boolean {
  for (let row = top; row < bottom; row++) {
    for (let col = left; col < right; col++) if (cells[row * cols + col] !== 0) return false;
  }
  return true;
}

/** Returns the nimbers after each possible move in this rectangle. */
function nimbersAfterMoves(
  board: Board,
  top: number,
  bottom: number,
  left: number,
  right: number,
  nimber: (top: number, bottom: number, left: number, right: number) => number,
): Set<number> {
  const after = new Set<number>();
  for (let row = top; row < bottom; row++) {
    if (!isClear(board, row, row + 1, left, right)) continue;
    after.add(nimber(top, row, left, right) ^ nimber(row + 1, bottom, left, right));
  }
  for (let col = left; col < right; col++) {
    if (!isClear(board, top, bottom, col, col + 1)) continue;
    after.add(nimber(top, bottom, left, col) ^ nimber(top, bottom, col + 1, right));
  }
  return after;
}

describe.each(kernelForms('bacterial-tactics'))(
  'the SIMD solver of bacterial-tactics with the %s kernel',
  (_, wasm) => {
    const LANES = 16;
    const KERNEL_SIDE = 32;
    const simd = createSimdSolver(wasm);
    const portable = createPortableSolver();

    function expectSameAsPortable(boards: readonly Board[]): void {
      expect(answersOf(simd, boards)).toEqual(answersOf(portable, boards));
    }

    test('the SIMD solver gives the right answers to the samples of the statement', () => {
      const boards = STATEMENT_SAMPLES.map(([text]) => parseBoard(text));
      expect(answersOf(simd, boards)).toEqual(STATEMENT_SAMPLES.map(([, answer]) => answer));
    });

    test.each([
      [1, 10],
      [10, 1],
      [2, 5],
      [5, 2],
      [3, 3],
      [3, 4],
      [4, 3],
    ])('both solvers agree on every board of %i x %i', async (rows, cols) => {
      expectSameAsPortable(await everyBoard('bacterial-tactics', rows, cols));
    });

    test('both solvers agree on one batch with boards of every size up to 17 x 17', () => {
      const boards: Board[] = [];
      for (let rows = 1; rows <= 17; rows++) {
        for (let cols = 1; cols <= 17; cols++) {
          for (const percent of [1, 3, 10]) boards.push(randomBoard(rows, cols, percent, boards.length));
        }
      }
      expectSameAsPortable(boards);
    });

    test('both solvers agree on random batches, with different sizes of boards and with empty lanes', () => {
      fc.assert(
        fc.property(fc.array(anyRandomBoard(15, 15), { maxLength: 3 * LANES }), (boards) => {
          expectSameAsPortable(boards);
        }),
      );
    });

    test('both solvers agree on structured boards', () => {
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

    test('both solvers agree on batches of every length up to three times the number of lanes', () => {
      const boards = Array.from({ length: 3 * LANES + 1 }, (_, i) => randomBoard(9, 11, 5, i));
      const answers = answersOf(portable, boards);
      for (let count = 0; count <= boards.length; count++) {
        expect(answersOf(simd, boards.slice(0, count))).toEqual(answers.slice(0, count));
      }
    });

    test('both solvers agree on many boards of the contest size, some of which have nimbers above 7', () => {
      const boards = Array.from({ length: 150 }, (_, i) => randomBoard(15, 15, 1 + (i % 8), i));
      const largest = boards.slice(0, 40).map((board) => largestNimber(board));
      expect(Math.max(...largest)).toBeGreaterThan(7);
      expectSameAsPortable(boards);
    });

    test('the answer to a board does not depend on a larger batch that was solved before', () => {
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

    test('the kernel solves boards of its largest size, with one row and with one column', () => {
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

    test('boards that are too large for the kernel are solved by the portable solver and counted as fallbacks', () => {
      const solver = createSimdSolver(wasm);
      const oneCell = (rows: number, cols: number) => boardOf(rows, cols, (row, col) => row + col === 2);
      const boards = [oneCell(1, KERNEL_SIDE + 1), oneCell(9, 9), oneCell(KERNEL_SIDE + 1, 5)];
      expect(answersOf(solver, boards)).toEqual(answersOf(portable, boards));
      expect(solver.fallbackCases).toBe(2);
    });

    test('two SIMD solvers do not share memory', () => {
      const other = createSimdSolver(wasm);
      const boards = Array.from({ length: 20 }, (_, i) => randomBoard(12, 12, 4, i));
      const answers = answersOf(simd, boards);
      answersOf(other, structuredBoards(15, 15));
      expect(answersOf(simd, boards)).toEqual(answers);
    });
  },
);

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

describe('nimbers', () => {
  test('both solvers write the nimbers that the analysis finds, and the same answers as without them', () => {
    const simd = createSimdSolver(kernelForms('bacterial-tactics')[0][1]);
    fc.assert(
      fc.property(fc.array(anyBoard(24, 24), { minLength: 1, maxLength: 40 }), (boards) => {
        const expected = boards.map((board) => analyse(board).nimber(0, board.rows, 0, board.cols));
        for (const solver of [createPortableSolver(), simd]) {
          const nimbers: number[] = [];
          const answers: number[] = [];
          solver.solve(boards, boards.length, answers as never, { firstCase: 1, head: null, nimbers });
          expect(nimbers).toEqual(expected);
          const plain: number[] = [];
          solver.solve(boards, boards.length, plain as never);
          expect(answers).toEqual(plain);
        }
      }),
      { numRuns: runs(10) },
    );
  });
});
