import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSimdSolver,
  createSolverFromKernel,
  type DarkraftKernel,
  instantiateKernel,
} from '../../src/games/darkraft/kernel.js';
import {
  type Answer,
  analyse,
  createPortableSolver,
  supportedLimits,
} from '../../src/games/darkraft/solve.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import { nimberLiterally, solveLiterally } from '../oracles/darkraft.js';
import { everyBoard } from '../support/every-board.js';
import { compileWithConstants, kernelForms } from '../support/kernels.js';
import { runs } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const LETTERS = 'LRX';

function board(...lines: string[]): Board {
  const cells = Uint8Array.from(lines.join(''), (letter) => LETTERS.indexOf(letter));
  return { rows: lines.length, cols: lines[0].length, cells };
}

function boardOf(rows: number, cols: number, letterAt: (row: number, col: number) => string): Board {
  const line = (row: number) => Array.from({ length: cols }, (_, col) => letterAt(row, col)).join('');
  return board(...Array.from({ length: rows }, (_, row) => line(row)));
}

function answersOf(solver: Solver<Answer>, boards: readonly Board[]): Answer[] {
  const answers: Answer[] = [];
  solver.solve(boards, boards.length, answers);
  return answers;
}

const allBoards = (rows: number, cols: number) => everyBoard('darkraft', rows, cols);

/** Random boards of up to these sides and this number of cells, with letters from any subset of L, R and X. */
function anyBoard(maxRows: number, maxCols: number, maxCells = maxRows * maxCols): fc.Arbitrary<Board> {
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
function mirrored({ rows, cols, cells }: Board): Board {
  const swapped = [1, 0, 2];
  return boardOf(rows, cols, (row, col) => LETTERS[swapped[cells[row * cols + cols - 1 - col]]]);
}

/** Regular boards: the name of each pattern, and the letter of each cell. */
const STRUCTURES: readonly (readonly [string, (row: number, col: number) => string])[] = [
  ['all L', () => 'L'],
  ['all R', () => 'R'],
  ['all X', () => 'X'],
  ['horizontal stripes', (row) => LETTERS[row % 3]],
  ['vertical stripes', (_, col) => LETTERS[col % 3]],
  ['diagonals', (row, col) => LETTERS[(row + col) % 3]],
  ['diagonals within each parity class', (row, col) => LETTERS[((row + col) >> 1) % 3]],
  ['X in one parity class and L in the other', (row, col) => ((row + col) % 2 === 0 ? 'X' : 'L')],
  ['X in the first row and column, and R elsewhere', (row, col) => (row === 0 || col === 0 ? 'X' : 'R')],
  ['an irregular pattern', (row, col) => LETTERS[(row * row + 2 * col * row + 3 * col) % 3]],
];

describe('darkraft: known answers', () => {
  const solver = createPortableSolver();
  it('the portable solver answers the samples of the statement', () => {
    expect(answersOf(solver, [board('RL', 'LR'), board('RR', 'RR')])).toEqual(['LOSE', 'WIN']);
  });
  it('the answer to a board of one cell is WIN', () => {
    expect(answersOf(solver, [board('L'), board('R'), board('X')])).toEqual(['WIN', 'WIN', 'WIN']);
  });
});

describe('darkraft: portable solver and oracle', () => {
  const solver = createPortableSolver();

  it('portable solver and oracle agree on random boards and their nimbers', () => {
    fc.assert(
      fc.property(anyBoard(12, 12, 12), (given) => {
        expect(analyse(given).nimber).toBe(nimberLiterally(given));
        expect(answersOf(solver, [given])).toEqual([solveLiterally(given)]);
      }),
      { numRuns: runs(400) },
    );
  });

  it.each(STRUCTURES)('portable solver and oracle agree on boards with this pattern: %s', (_, letterAt) => {
    for (const [rows, cols] of [
      [3, 4],
      [4, 3],
      [1, 12],
      [12, 1],
      [2, 6],
      [6, 2],
    ]) {
      const given = boardOf(rows, cols, letterAt);
      expect(analyse(given).nimber).toBe(nimberLiterally(given));
    }
  });
});

describe('darkraft: portable solver', () => {
  it('a board and its mirror image with L and R exchanged have the same answer', () => {
    const solver = createPortableSolver();
    fc.assert(
      fc.property(anyBoard(14, 14), (given) => {
        const [answer, mirror] = answersOf(solver, [given, mirrored(given)]);
        expect(mirror).toBe(answer);
      }),
      { numRuns: runs(60) },
    );
  });

  it('the answer to a board does not depend on the boards that were solved before', () => {
    fc.assert(
      fc.property(fc.array(anyBoard(9, 9), { minLength: 2, maxLength: 6 }), (boards) => {
        const alone = boards.map((given) => answersOf(createPortableSolver(), [given])[0]);
        expect(answersOf(createPortableSolver(), boards)).toEqual(alone);
      }),
      { numRuns: runs(20) },
    );
  });

  it('the portable solver does not read cells after the end of the board', () => {
    const solver = createPortableSolver();
    const given = board('RL', 'LR');
    const withExtraCells = { ...given, cells: Uint8Array.from([...given.cells, 2, 2, 2, 2, 2]) };
    expect(answersOf(solver, [withExtraCells])).toEqual(['LOSE']);
  });

  it('the portable solver solves boards at the limits of the engine', () => {
    const { maxRows, maxCols } = supportedLimits;
    const irregularPattern = STRUCTURES[STRUCTURES.length - 1][1];
    const solver = createPortableSolver();
    for (const [rows, cols] of [
      [maxRows, maxCols],
      [maxRows, 1],
      [1, maxCols],
      [maxRows, 3],
      [3, maxCols],
    ]) {
      const given = boardOf(rows, cols, irregularPattern);
      const [answer, mirror] = answersOf(solver, [given, mirrored(given)]);
      expect(mirror).toBe(answer);
    }
  });
});

const forms = kernelForms('darkraft');

/**
 * Returns the nimbers that the kernel finds for up to sixteen boards, one board per lane. Each board is at the top left
 * of the smallest rectangle that all of them fit into.
 */
function kernelNimbers(kernel: DarkraftKernel, boards: readonly Board[]): number[] {
  const rows = Math.max(...boards.map((given) => given.rows));
  const cols = Math.max(...boards.map((given) => given.cols));
  const letters = kernel.reserve(rows, cols);
  const memory = new Uint8Array(kernel.memory.buffer);
  memory.fill(kernel.noCell(), letters, letters + rows * cols * kernel.lanes());
  boards.forEach((given, lane) => {
    for (let i = 0; i < given.rows * given.cols; i++) {
      const cell = Math.floor(i / given.cols) * cols + (i % given.cols);
      memory[letters + cell * kernel.lanes() + lane] = given.cells[i];
    }
  });
  kernel.solve();
  const overflowed = memory.subarray(kernel.overflowedAt(), kernel.overflowedAt() + boards.length);
  expect([...overflowed]).toEqual(boards.map(() => 0));
  return [...memory.subarray(kernel.nimbersAt(), kernel.nimbersAt() + boards.length)];
}

/** The nimbers that the portable solver has found: each form of the kernel is tried with many of the same boards. */
const knownNimbers = new Map<string, number>();

/** Returns the nimbers of the boards, by the portable solver. */
function nimbersOf(boards: readonly Board[]): number[] {
  return boards.map((given) => {
    const key = `${given.rows} ${given.cols} ${Buffer.from(given.cells).toString('latin1')}`;
    const nimber = knownNimbers.get(key) ?? analyse(given).nimber;
    knownNimbers.set(key, nimber);
    return nimber;
  });
}

/** Boards that take long to analyse. They are analysed once for all forms of the kernel, when a test needs it. */
class LargeBoards {
  readonly boards: readonly Board[];
  #analyses: readonly ReturnType<typeof analyse>[] | null = null;

  constructor(boards: readonly Board[]) {
    this.boards = boards;
  }

  get analyses(): readonly ReturnType<typeof analyse>[] {
    this.#analyses ??= this.boards.map(analyse);
    return this.#analyses;
  }
}

const ABOVE_FIRST_PASS = new LargeBoards([1, 2, 3].map((seed) => boardOf(28, 28, pseudorandomLetters(seed))));

const MOSTLY_X = 'LRXXXXXXXX';

/** A nimber of 128 needs many different moves, so two of these boards are large and consist mostly of X. */
const ABOVE_128 = new LargeBoards([
  boardOf(34, 40, pseudorandomLetters(1, MOSTLY_X)),
  boardOf(20, 20, pseudorandomLetters(2)),
  boardOf(40, 34, pseudorandomLetters(3, MOSTLY_X)),
]);

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

/**
 * Returns pseudorandom letters that depend on the seed and the cell. For large boards this is faster than fast-check,
 * which would shrink single cells.
 */
function pseudorandomLetters(seed: number, letters = LETTERS): (row: number, col: number) => string {
  return (row, col) => {
    let hash = Math.imul(seed * 2654435761 + row * 40503 + col + 1, 2246822519);
    hash = Math.imul(hash ^ (hash >>> 15), 3266489917);
    return letters[((hash ^ (hash >>> 13)) >>> 0) % letters.length];
  };
}

describe.each(forms)('darkraft: SIMD solver with the %s kernel, and portable solver', (_, wasm) => {
  const kernel = instantiateKernel(wasm);
  const simd = createSimdSolver(wasm);
  const portable = createPortableSolver();

  it.each([
    [1, 1],
    [1, 7],
    [2, 4],
    [4, 2],
    [3, 3],
  ])('both solvers agree on every %i x %i board', async (rows, cols) => {
    const boards = await allBoards(rows, cols);
    expect(answersOf(simd, boards)).toEqual(answersOf(portable, boards));
  });

  it('kernel and portable solver find the same nimbers for boards of one size', () => {
    const sixteen = anyBoard(16, 16).chain(({ rows, cols }) =>
      fc.array(
        fc
          .uint8Array({ minLength: rows * cols, maxLength: rows * cols, max: 2 })
          .map((cells) => ({ rows, cols, cells })),
        { minLength: 1, maxLength: 16 },
      ),
    );
    fc.assert(
      fc.property(sixteen, (boards) => {
        expect(kernelNimbers(kernel, boards)).toEqual(nimbersOf(boards));
      }),
      { numRuns: runs(60) },
    );
  });

  it('kernel and portable solver find the same nimbers for boards of different sizes in one batch', () => {
    fc.assert(
      fc.property(fc.array(anyBoard(14, 14), { minLength: 1, maxLength: 16 }), (boards) => {
        expect(kernelNimbers(kernel, boards)).toEqual(nimbersOf(boards));
      }),
      { numRuns: runs(60) },
    );
  });

  it('both solvers agree on batches of any length and mix of sizes', () => {
    fc.assert(
      fc.property(fc.array(anyBoard(9, 9), { maxLength: 70 }), (boards) => {
        expect(answersOf(simd, boards)).toEqual(answersOf(portable, boards));
      }),
      { numRuns: runs(60) },
    );
  });

  it.each(STRUCTURES)(
    'kernel and portable solver find the same nimbers for boards with this pattern: %s',
    (_, letterAt) => {
      for (const [rows, cols] of [
        [20, 20],
        [7, 19],
        [1, 40],
        [40, 1],
        [2, 33],
        [12, 3],
      ]) {
        const boards = [boardOf(rows, cols, letterAt)];
        expect(kernelNimbers(kernel, boards)).toEqual(nimbersOf(boards));
      }
    },
  );

  it('kernel and portable solver find the same nimbers above the range of the first pass of the kernel', () => {
    const { boards, analyses } = ABOVE_FIRST_PASS;
    const tables = analyses.flatMap(({ classes }) => classes.map(({ nimber }) => nimber));
    const largest = Math.max(...tables.map((table) => table.reduce((a, b) => Math.max(a, b))));
    expect(largest).toBeGreaterThanOrEqual(48);
    expect(kernelNimbers(kernel, boards)).toEqual(analyses.map(({ nimber }) => nimber));
  });

  it('kernel and portable solver find the same nimbers for boards at the limits of the engine', () => {
    const { maxRows, maxCols } = supportedLimits;
    const boards = [
      [maxRows, maxCols],
      [1, maxCols],
      [maxRows, 2],
    ].map(([rows, cols]) => boardOf(rows, cols, pseudorandomLetters(4)));
    boards.push(boardOf(maxRows, maxCols, pseudorandomLetters(5, MOSTLY_X)));
    expect(kernelNimbers(instantiateKernel(wasm), boards)).toEqual(nimbersOf(boards));
  });

  it('the kernel finds the known nimbers of boards whose largest nimbers are around 128', () => {
    const boards = AROUND_128.map(([letters], i) => boardOf(37, 37, pseudorandomLetters(i + 1, letters)));
    expect(kernelNimbers(kernel, boards)).toEqual(AROUND_128.map(([, nimber]) => nimber));
  });
});

/**
 * The kernel has a slower way for the rectangles that may contain a rectangle with a nimber of NO_MOVE (128) or more. If
 * NO_MOVE is smaller, small boards need this way. No known board has a nimber that is too large for the kernel, so
 * MAX_GROUP_COUNT is smaller, too. Only the plain form works with a smaller NO_MOVE, because LOOKUP_BIAS has the bits 16, 32
 * and 64 in the relaxed form.
 */
describe('darkraft: plain kernel with smaller bounds, and portable solver', async () => {
  const wasm = await compileWithConstants('darkraft', { NO_MOVE: '16', MAX_GROUP_COUNT: '8' });
  const kernel = instantiateKernel(wasm);

  it('kernel and portable solver find the same nimbers for random boards', () => {
    fc.assert(
      fc.property(fc.array(anyBoard(16, 16), { minLength: 1, maxLength: 16 }), (boards) => {
        expect(kernelNimbers(kernel, boards)).toEqual(nimbersOf(boards));
      }),
      { numRuns: runs(40) },
    );
  });

  // Few boards get wrong nimbers if the kernel forgets a large rectangle that it found before, or if it does not solve a
  // rectangle again after the narrower one beside it turned out to be large. Each of these groups has such a board.
  it.each([
    [10, 10, 'LX', 17],
    [16, 16, 'LX', 33],
    [12, 18, MOSTLY_X, 65],
    [18, 18, LETTERS, 209],
    [18, 18, LETTERS, 321],
  ])(
    'kernel and portable solver find the same nimbers for chosen %i x %i boards of %s',
    (rows, cols, letters, seed) => {
      const boards = Array.from({ length: 16 }, (_, lane) =>
        boardOf(rows, cols, pseudorandomLetters(seed + lane, letters)),
      );
      expect(kernelNimbers(kernel, boards)).toEqual(nimbersOf(boards));
    },
  );

  it('boards with nimbers that are too large for the kernel are solved by the portable solver and counted', () => {
    const boards = [
      boardOf(28, 28, pseudorandomLetters(1, MOSTLY_X)),
      boardOf(27, 28, pseudorandomLetters(2)),
      boardOf(28, 28, pseudorandomLetters(3, MOSTLY_X)),
    ];
    const simd = createSimdSolver(wasm);
    expectNimbers(simd, boards);
    expect(simd.fallbackCases).toBe(2);
  });
});

describe.each(forms)('darkraft: fallbacks of the SIMD solver with the %s kernel', (_, wasm) => {
  it('if the kernel solves all boards, the SIMD solver counts no fallback', async () => {
    const simd = createSimdSolver(wasm);
    answersOf(simd, await allBoards(2, 3));
    expect(simd.fallbackCases).toBe(0);
  });

  it('the kernel solves boards with nimbers from 128 on together with other boards, and counts no fallback', () => {
    const { boards, analyses } = ABOVE_128;
    const largest = analyses.map(({ classes }) =>
      Math.max(...classes.map(({ nimber }) => nimber.reduce((a, b) => Math.max(a, b)))),
    );
    expect(largest.map((nimber) => nimber >= 128)).toEqual([true, false, true]);
    const simd = createSimdSolver(wasm);
    const answers: Answer[] = [];
    const nimbers: number[] = [];
    simd.solve(boards, boards.length, answers, { firstCase: 1, head: null, nimbers });
    expect(nimbers).toEqual(analyses.map(({ nimber }) => nimber));
    expect(answers).toEqual(nimbers.map((nimber) => (nimber === 0 ? 'LOSE' : 'WIN')));
    expect(simd.fallbackCases).toBe(0);
  });

  it('each board for which the kernel reports an overflow is counted as a fallback', async () => {
    const kernel = instantiateKernel(wasm);
    // This kernel reports an overflow for every board with a nimber other than 0.
    const solver = createSolverFromKernel({ ...kernel, overflowedAt: () => kernel.nimbersAt() });
    const boards = await allBoards(2, 3);
    const answers = answersOf(solver, boards);
    expect(answers).toEqual(answersOf(createPortableSolver(), boards));
    expect(solver.fallbackCases).toBe(answers.filter((answer) => answer === 'WIN').length);
  });

  it('the SIMD solver reads no cell after the end of a board, and none of a larger board before it in the same lane', () => {
    const simd = createSimdSolver(wasm);
    const small = { ...board('RL', 'LR'), cells: Uint8Array.from([1, 0, 0, 1, 2, 2, 2]) };
    expect(answersOf(simd, [boardOf(30, 30, pseudorandomLetters(5)), small])).toHaveLength(2);
    expect(answersOf(simd, [small])).toEqual(['LOSE']);
    expect(answersOf(simd, [])).toEqual([]);
  });
});

describe('nimbers', () => {
  it.each(kernelForms('darkraft'))(
    'the %s kernel and the portable solver write the nimbers of the analysis',
    async (_, wasm) => {
      const kernel = instantiateKernel(wasm);
      // This kernel reports an overflow for every board with a nimber other than 0.
      const overflowing = createSolverFromKernel({ ...kernel, overflowedAt: () => kernel.nimbersAt() });
      const boards = [...(await allBoards(2, 2)), boardOf(20, 20, pseudorandomLetters(3)), board('X')];
      for (const solver of [createPortableSolver(), createSimdSolver(wasm), overflowing])
        expectNimbers(solver, boards);
    },
  );
});

function expectNimbers(solver: Solver<Answer>, boards: readonly Board[]): void {
  const nimbers: number[] = [];
  const answers: Answer[] = [];
  solver.solve(boards, boards.length, answers, { firstCase: 1, head: null, nimbers });
  const expected = boards.map((each) => analyse(each).nimber);
  expect(nimbers).toEqual(expected);
  expect(answers).toEqual(expected.map((nimber) => (nimber === 0 ? 'LOSE' : 'WIN')));
}
