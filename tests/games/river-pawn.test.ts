import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSimdSolver } from '../../src/games/river-pawn/kernel.js';
import { BOARDS_OF_LONG_BLACK_WINS, BOARDS_OF_LONG_RED_WINS } from '../../src/games/river-pawn/long-wins.js';
import { createPortableSolver, type RiverPawnAnswer } from '../../src/games/river-pawn/solve.js';
import type { Board } from '../../src/problems/problem.js';
import { solveLiterally } from '../oracles/river-pawn.js';
import { runs } from '../support/random-tests.js';
import {
  anyBoard,
  boardOf,
  boardsIn,
  boardsOf,
  neighboursOf,
  read,
  show,
  structuredBoards,
} from '../support/river-pawn-boards.js';
import {
  expectAllSame,
  expectConsistent,
  expectPossibleAnswer,
  isFirstThird,
  KERNEL,
  KERNEL_SIZES,
  solveAll,
  solveOne,
} from '../support/river-pawn-solvers.js';

function answer(text: string): RiverPawnAnswer {
  const [winner, plies] = text.split(' ');
  return winner === 'Tie'
    ? { winner: null, plies: null }
    : { winner: winner as 'Red' | 'Black', plies: Number(plies) };
}

const portable = createPortableSolver();
const simd = createSimdSolver(KERNEL);

describe.each([portable, simd])('known answers, $name solver', (solver) => {
  const red75 = boardOf(
    '...######',
    '.#.......',
    '.#######.',
    '.#.#.....',
    '.#O#.####',
    '.#.#.....',
    '.#######.',
    '.#X......',
    '.O.......',
  );
  const small: [string, Board][] = [
    ['Black 0', boardOf('...#O', '.#..#', '#O#..', '.#..X')],
    ['Black 2', boardOf('#.#', 'O.O', '.X.')],
    ['Black 2', boardOf('O..', '.#X', '.O.')],
    ['Tie', boardOf('.....', '.....', '..O..', '#..#.', 'O#.X.')],
  ];

  it.each(small)('the answer to a sample of the statement is %s', (expected, board) => {
    expect(solveOne(board, solver)).toEqual(answer(expected));
    expect(solveLiterally(board)).toEqual(answer(expected));
  });

  it('the answer to the longest sample of the statement is Red 75', () => {
    expect(solveOne(red75, solver)).toEqual(answer('Red 75'));
  });

  it('games of more than 255 plies have the known answers', () => {
    const expected = read('truth/long.ans').trim().split('\n').map(answer);
    expect(solveAll(boardsIn(read('truth/long.in')), solver)).toEqual(expected);
  });

  it.each([
    ['Red loses at once if Red has no move', 'Black 0', boardOf('O#O', '###', '..X')],
    ['Black loses if Black has no move', 'Red 1', boardOf('###', '#X#', 'O.O')],
    ['Red wins by moving onto Black', 'Red 1', boardOf('...', 'OX.', '.O.')],
    ['Black wins in row 1, even on a cell with a red piece', 'Black 2', boardOf('.O.', '.#X', 'O#.')],
  ])('%s: the answer is %s', (_, expected, board) => {
    expect(solveOne(board, solver)).toEqual(answer(expected));
    expect(solveLiterally(board)).toEqual(answer(expected));
  });
});

describe('solvers of river-pawn and the oracle', () => {
  it('both solvers give the answer of the oracle on random small boards', () => {
    fc.assert(
      fc.property(anyBoard(6, 6, 16), (board) => {
        const expected = solveLiterally(board);
        expect(solveOne(board, portable), show(board)).toEqual(expected);
        expect(solveOne(board, simd), show(board)).toEqual(expected);
      }),
      { numRuns: runs(150) },
    );
  });

  it('in a batch, each board gets its own answer, whatever boards were solved before it', () => {
    const oneBatch = fc.array(anyBoard(10, 10), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(oneBatch, (boards) => {
        expect(solveAll(boards)).toEqual(boards.map((board) => solveAll([board], createPortableSolver())[0]));
      }),
      { numRuns: runs(15) },
    );
  });

  it('the portable solver does not read cells after the end of the board', () => {
    const board = boardOf('...', 'OX.', '.O.');
    const cells = new Uint8Array(200).fill(3);
    cells.set(board.cells);
    expect(solveOne({ ...board, cells })).toEqual(answer('Red 1'));
  });
});

describe('SIMD solver and portable solver of river-pawn', () => {
  it('both solvers agree on random boards of every size and density, in batches of any length', () => {
    const batch = fc.array(anyBoard(10, 10), { minLength: 1, maxLength: 70 });
    fc.assert(
      fc.property(batch, (boards) => expectAllSame(boards, simd)),
      { numRuns: runs(60) },
    );
  });

  it('both solvers agree on random boards of the largest size of the kernel', () => {
    const batch = fc.array(boardsOf(10, 10), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(batch, (boards) => expectAllSame(boards, simd)),
      { numRuns: runs(10) },
    );
  });

  it('both solvers agree on structured boards of many sizes, also where sets of cells just fit into 32 bits or just do not', () => {
    // tests/games/river-pawn.long.test.ts has the other sizes. Boards of 32 cells are among these.
    for (const [rows, cols] of KERNEL_SIZES.filter(isFirstThird))
      expectAllSame(structuredBoards(rows, cols), simd);
  });

  it('both solvers agree on boards with long games, and on those with one obstacle more or less', () => {
    const longGames = [...BOARDS_OF_LONG_RED_WINS, ...BOARDS_OF_LONG_BLACK_WINS].map((win) =>
      boardOf(...win.board.split('/')),
    );
    expectAllSame(longGames, simd);
    // A third of the boards, because each has a hundred neighbours.
    for (const board of longGames.filter((_, i) => i % 3 === 0)) expectAllSame(neighboursOf(board), simd);
  });

  it('both solvers agree on wide and narrow boards in turn: no board changes the table of pairs for the next', () => {
    const boards = structuredBoards(10, 10).flatMap((board, i) => [
      board,
      ...structuredBoards(4, 3 + (i % 8)),
    ]);
    expectAllSame([...boards, ...boards.toReversed()], simd);
  });

  it('boards that are too large for the kernel are solved by the portable solver and counted as fallbacks', () => {
    const solver = createSimdSolver(KERNEL);
    const boards = [
      [10, 10],
      [11, 10],
      [10, 10],
      [10, 11],
      [12, 2],
      [2, 12],
      [10, 10],
    ].map(
      // biome-ignore format: sizes
      ([rows, cols]) => structuredBoards(rows, cols)[0],
    );
    expectAllSame(boards, solver);
    expect(solver.fallbackCases).toBe(4);
  });
});

describe('boards of river-pawn at the limits of the engine', () => {
  it('a board of 2 x 128 has a possible answer', () => expectPossibleAnswer(2, 128));
});

describe('analysis of river-pawn', () => {
  it('on random boards, the value of every state follows from its successors', () => {
    fc.assert(
      fc.property(anyBoard(7, 7, 25), (board) => expectConsistent(board)),
      { numRuns: runs(20) },
    );
  });

  it('on structured boards, the value of every state follows from its successors', () => {
    for (const board of structuredBoards(4, 4)) {
      expectConsistent(board);
      expect(solveOne(board), show(board)).toEqual(solveLiterally(board));
    }
  });
});
