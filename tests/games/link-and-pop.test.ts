import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSimdSolver } from '../../src/games/link-and-pop/kernel.js';
import {
  analyse,
  createPortableSolver,
  type FinalBoardRows,
  supportedLimits,
} from '../../src/games/link-and-pop/solve.js';
import type { Board } from '../../src/problems/problem.js';
import { solveLiterally } from '../oracles/link-and-pop.js';
import {
  anyBoard,
  boardOf,
  DIRECTION_SETS,
  LETTERS,
  parseBoard,
  randomBoard,
  readTruth,
  show,
} from '../support/link-and-pop-boards.js';
import {
  everyBoard,
  expectPossibleAnswer,
  expectSimdAgrees,
  KERNEL,
  KERNEL_SIDE,
  simd,
  solveOne,
} from '../support/link-and-pop-solvers.js';
import { runs } from '../support/random-tests.js';

const portable = createPortableSolver();

function printCases(answers: readonly FinalBoardRows[]): string {
  return answers.map((rows, i) => `Case ${i + 1}\n${rows.join('\n')}\n`).join('');
}

describe('known answers of link-and-pop', () => {
  const samples: [string, FinalBoardRows][] = [
    ['AD AU CL\nHS GU HL\nCS FD GS', ['...', '...', '.F.']],
    ['BS BL', ['..']],
  ];

  it.each(samples)('oracle and portable solver answer sample %# of the statement', (text, rows) => {
    expect(solveLiterally(parseBoard(text))).toEqual(rows);
    expect(solveOne(parseBoard(text))).toEqual(rows);
  });

  it('a link may run through the ring of cells around the board', () => {
    expect(solveOne(parseBoard('AS BS AS'))).toEqual(['.B.']);
    expect(solveOne(parseBoard('AS BS\nCS AS'))).toEqual(['AB', 'CA']);
    expect(solveOne(parseBoard('AS BS AS\nCS DS ES'))).toEqual(['.B.', 'CDE']);
  });

  it('the portable solver gives the known answers to boards on which readings of the statement differ', () => {
    const { boards, answers } = readTruth();
    const found: FinalBoardRows[] = [];
    portable.solve(boards, boards.length, found);
    expect(printCases(found)).toBe(answers);
    const small = boards.filter(({ rows, cols }) => rows * cols <= 36);
    expect(small.map((board) => solveOne(board))).toEqual(small.map(solveLiterally));
  });
});

describe('portable solver and oracle of link-and-pop', () => {
  const sizes: [number, number, string][] = [
    [2, 3, 'DR'],
    [3, 2, 'UL'],
    [2, 4, 'S'],
    [3, 3, 'S'],
  ];

  it.each(sizes)(
    'portable solver and oracle agree on every %d x %d board with the directions %s',
    (rows, cols, directions) => {
      for (const board of everyBoard(rows, cols, directions))
        if (solveOne(board).join() !== solveLiterally(board).join())
          expect(solveOne(board), show(board)).toEqual(solveLiterally(board));
    },
  );

  it('portable solver and oracle agree on random boards', () => {
    fc.assert(
      fc.property(anyBoard(7, 7, 9), (board) => {
        expect(solveOne(board), show(board)).toEqual(solveLiterally(board));
      }),
      { numRuns: runs(600) },
    );
  });

  it('portable solver and oracle agree on long and narrow boards', () => {
    fc.assert(
      fc.property(fc.oneof(anyBoard(1, 40, 12), anyBoard(40, 1, 12), anyBoard(2, 20, 12)), (board) => {
        expect(solveOne(board), show(board)).toEqual(solveLiterally(board));
      }),
      { numRuns: runs(300) },
    );
  });
});

/** Regular boards: the name of each pattern, and the block in each cell. */
const STRUCTURES: Record<string, (row: number, col: number) => string> = {
  'only one symbol': () => 'AS',
  'horizontal stripes': (row) => `${LETTERS[row % 52]}S`,
  'vertical stripes': (_, col) => `${LETTERS[col % 52]}D`,
  'diagonals that move down': (row, col) => `${LETTERS[(row + col) % 26]}D`,
  'antidiagonals that move up': (row, col) => `${LETTERS[(row - col + 104) % 52]}U`,
  'a chessboard whose two colours move apart': (row, col) => ((row + col) % 2 ? 'AL' : 'BR'),
  'concentric rings that move in all directions': (row, col) =>
    `${LETTERS[Math.min(row, col) % 52]}${'UDLR'[(row + 2 * col) % 4]}`,
  'rows that do not move between rows that do': (row, col) =>
    row % 2 ? `${LETTERS[col % 7]}S` : `${LETTERS[col % 5]}R`,
};

describe('structured boards of link-and-pop', () => {
  it.each(Object.entries(STRUCTURES))(
    'portable solver and oracle agree on boards with this pattern: %s',
    (_, blockAt) => {
      for (const [rows, cols] of [
        [5, 7],
        [6, 6],
        [7, 3],
      ]) {
        const board = boardOf(rows, cols, blockAt);
        expect(solveOne(board), show(board)).toEqual(solveLiterally(board));
      }
    },
  );
});

describe('boards of link-and-pop at the limits of the engine', () => {
  const { maxRows, maxCols } = supportedLimits;

  it.each([
    [1, maxCols, 52, 'L'],
    [maxRows, 1, 26, 'D'],
  ])('a board of %d x %d with %d symbols and the directions %s has a possible answer', (...given) => {
    expectPossibleAnswer(...given);
  });

  it('the largest board has a possible answer, in which an even number of blocks is popped for each symbol', () => {
    const { board, finalRows } = expectPossibleAnswer(maxRows, maxCols, 52, 'UDLRS');
    const before = Array.from(board.cells).filter((_, i) => i % 2 === 0);
    const after = finalRows.join('');
    for (const letter of LETTERS) {
      const had = before.filter((code) => code === letter.charCodeAt(0)).length;
      expect((had - after.split(letter).length + 1) % 2).toBe(0);
    }
  });
});

describe('SIMD solver and portable solver of link-and-pop', () => {
  const sizes: [number, number, string][] = [
    [2, 3, 'LR'],
    [3, 2, 'UD'],
    [3, 3, 'S'],
  ];

  it.each(sizes)(
    'both solvers agree on every %d x %d board with the directions %s',
    (rows, cols, directions) => {
      for (const board of everyBoard(rows, cols, directions)) expectSimdAgrees(board);
    },
  );

  it('the SIMD solver gives the known answers to boards on which readings of the statement differ', () => {
    const { boards, answers } = readTruth();
    const found: FinalBoardRows[] = [];
    simd.solve(boards, boards.length, found);
    expect(printCases(found)).toBe(answers);
  });

  it('both solvers agree on random boards of every size', () => {
    fc.assert(fc.property(anyBoard(KERNEL_SIDE, KERNEL_SIDE, 52), expectSimdAgrees), { numRuns: runs(150) });
    fc.assert(fc.property(anyBoard(9, 9, 12), expectSimdAgrees), { numRuns: runs(1500) });
  });

  it.each(DIRECTION_SETS)(
    'both solvers agree on boards of the largest size of the kernel with the directions %s',
    (directions) => {
      for (const [seed, symbols] of [26, 52, 5].entries())
        expectSimdAgrees(randomBoard(KERNEL_SIDE, KERNEL_SIDE, symbols, directions, seed));
    },
  );

  it.each(Object.entries(STRUCTURES))('both solvers agree on boards with this pattern: %s', (_, blockAt) => {
    for (const rows of [1, 2, 7, 29, 30])
      for (const cols of [1, 2, 13, 29, 30]) expectSimdAgrees(boardOf(rows, cols, blockAt));
  });

  it('both solvers agree on boards of one row or one column, of every length up to the limit of the kernel', () => {
    const fallbacksBefore = simd.fallbackCases;
    for (let side = 1; side <= KERNEL_SIDE; side++) {
      expectSimdAgrees(randomBoard(1, side, 5, 'LRS', side));
      expectSimdAgrees(randomBoard(side, 1, 5, 'UDS', side));
    }
    expect(simd.fallbackCases).toBe(fallbacksBefore);
  });

  it('boards that are too large for the kernel are solved by the portable solver and counted as fallbacks', () => {
    const solver = createSimdSolver(KERNEL);
    const mixedSizes = [
      randomBoard(KERNEL_SIDE + 1, 3, 9, 'UDLRS', 1),
      randomBoard(KERNEL_SIDE, KERNEL_SIDE, 9, 'UDLRS', 2),
      randomBoard(3, KERNEL_SIDE + 1, 9, 'UDLRS', 3),
    ];
    const answers: FinalBoardRows[] = [];
    solver.solve(mixedSizes, mixedSizes.length, answers);
    expect(answers).toEqual(mixedSizes.map((board) => solveOne(board)));
    expect(solver.fallbackCases).toBe(2);
  });

  it('in a batch of mixed sizes, each board gets its own answer, and boards after `count` are not solved', () => {
    fc.assert(
      fc.property(fc.array(anyBoard(40, 40, 52), { minLength: 1, maxLength: 9 }), (batch) => {
        const answers: FinalBoardRows[] = Array.from(batch, () => ['kept']);
        simd.solve(batch, batch.length - 1, answers);
        const wanted = batch.slice(0, -1).map((board) => solveOne(board));
        expect(answers).toEqual([...wanted, ['kept']]);
      }),
      { numRuns: runs(15) },
    );
  });

  it('neither solver reads cells after the end of a board, which a larger board has left in the array', () => {
    const small = randomBoard(3, 4, 3, 'UDLRS', 11);
    const large = randomBoard(20, 20, 26, 'UDLRS', 12);
    const reused: Board = { rows: 3, cols: 4, cells: large.cells.slice() };
    reused.cells.set(small.cells);
    expect(solveOne(reused, simd)).toEqual(solveOne(small));
    expect(solveOne(reused)).toEqual(solveOne(small));
  });
});

describe('analysis of link-and-pop', () => {
  it('analyse() returns each pop with the bends of its link and the number of turns after it', () => {
    const { pops, rows } = analyse(parseBoard('AS BD AS\nCS CS DS'));
    expect(pops).toEqual([
      {
        symbol: 'C',
        first: { row: 1, col: 0 },
        second: { row: 1, col: 1 },
        segments: 1,
        bends: [],
        turns: 1,
      },
      {
        symbol: 'A',
        first: { row: 0, col: 0 },
        second: { row: 0, col: 2 },
        segments: 1,
        bends: [],
        turns: 0,
      },
    ]);
    expect(rows).toEqual(['...', '.BD']);
  });

  it('consecutive corners of each link are in the same row or in the same column', () => {
    fc.assert(
      fc.property(anyBoard(8, 8, 9), (board) => {
        const { pops, rows } = analyse(board);
        expect(rows).toEqual(solveOne(board));
        for (const { first, bends, second, segments } of pops) {
          const corners = [first, ...bends, second];
          expect(corners).toHaveLength(segments + 1);
          for (const [i, to] of corners.slice(1).entries())
            expect((corners[i].row === to.row) !== (corners[i].col === to.col)).toBe(true);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
