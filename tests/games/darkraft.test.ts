import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSimdSolver,
  createSolverFromKernel,
  instantiateKernel,
} from '../../src/games/darkraft/kernel.js';
import { analyse, createPortableSolver, supportedLimits } from '../../src/games/darkraft/solve.js';
import { nimberLiterally, solveLiterally } from '../oracles/darkraft.js';
import {
  allBoards,
  answersOf,
  anyBoard,
  board,
  boardOf,
  expectNimbers,
  expectNimbersAround128,
  irregular,
  kernelNimbers,
  LETTERS,
  MOSTLY_X,
  mirrored,
  nimbersOf,
  pseudorandomLetters,
  STRUCTURES,
} from '../support/darkraft-boards.js';
import { compileWithConstants, kernelForms } from '../support/kernels.js';
import { runs } from '../support/random-tests.js';

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
      { numRuns: runs(200) },
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
      { numRuns: runs(30) },
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

  it('the portable solver solves narrow boards at the limits of the engine', () => {
    const { maxRows, maxCols } = supportedLimits;
    const solver = createPortableSolver();
    for (const [rows, cols] of [
      [maxRows, 1],
      [1, maxCols],
      [maxRows, 3],
      [3, maxCols],
    ]) {
      const given = boardOf(rows, cols, irregular);
      const [answer, mirror] = answersOf(solver, [given, mirrored(given)]);
      expect(mirror).toBe(answer);
    }
  });
});

const forms = kernelForms('darkraft');

// tests/games/darkraft.long.test.ts does the same with the other forms.
it.each(forms.slice(0, 1))(
  'the %s kernel finds the known nimbers of boards whose largest nimbers are around 128',
  (_, wasm) => expectNimbersAround128(instantiateKernel(wasm)),
);

describe.each(forms)('darkraft: SIMD solver with the %s kernel, and portable solver', (_, wasm) => {
  const kernel = instantiateKernel(wasm);
  const simd = createSimdSolver(wasm);
  const portable = createPortableSolver();

  it.each([
    [1, 1],
    [1, 7],
    [2, 4],
    [4, 2],
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
      { numRuns: runs(20) },
    );
  });

  it('kernel and portable solver find the same nimbers for boards of different sizes in one batch', () => {
    fc.assert(
      fc.property(fc.array(anyBoard(14, 14), { minLength: 1, maxLength: 16 }), (boards) => {
        expect(kernelNimbers(kernel, boards)).toEqual(nimbersOf(boards));
      }),
      { numRuns: runs(20) },
    );
  });

  it('both solvers agree on batches of any length and mix of sizes', () => {
    fc.assert(
      fc.property(fc.array(anyBoard(9, 9), { maxLength: 70 }), (boards) => {
        expect(answersOf(simd, boards)).toEqual(answersOf(portable, boards));
      }),
      { numRuns: runs(20) },
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
      { numRuns: runs(20) },
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
});

describe.each(forms)('darkraft: fallbacks of the SIMD solver with the %s kernel', (_, wasm) => {
  it('if the kernel solves all boards, the SIMD solver counts no fallback', async () => {
    const simd = createSimdSolver(wasm);
    answersOf(simd, await allBoards(2, 3));
    expect(simd.fallbackCases).toBe(0);
  });

  it('each board for which the kernel reports an overflow is counted as a fallback', async () => {
    const kernel = instantiateKernel(wasm);
    // This kernel reports an overflow for every board with a nimber other than 0.
    const solver = createSolverFromKernel({ ...kernel, overflowedAddress: () => kernel.nimbersAddress() });
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
      const overflowing = createSolverFromKernel({
        ...kernel,
        overflowedAddress: () => kernel.nimbersAddress(),
      });
      const boards = [...(await allBoards(2, 2)), boardOf(20, 20, pseudorandomLetters(3)), board('X')];
      for (const solver of [createPortableSolver(), createSimdSolver(wasm), overflowing])
        expectNimbers(solver, boards);
    },
  );
});
