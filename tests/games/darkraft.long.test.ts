/** Compares the solvers of darkraft on the largest boards, and on boards with the largest nimbers. */
import { describe, expect, it } from 'vitest';
import { createSimdSolver, instantiateKernel } from '../../src/games/darkraft/kernel.js';
import {
  analyse,
  createPortableSolver,
  type DarkraftAnswer,
  supportedLimits,
} from '../../src/games/darkraft/solve.js';
import type { Board } from '../../src/problems/problem.js';
import {
  allBoards,
  answersOf,
  boardOf,
  expectNimbers,
  expectNimbersAround128,
  irregular,
  kernelNimbers,
  MOSTLY_X,
  mirrored,
  nimbersOf,
  pseudorandomLetters,
} from '../support/darkraft-boards.js';
import { compileWithConstants, kernelForms } from '../support/kernels.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

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

/** A nimber of 128 needs many different moves, so two of these boards are large and consist mostly of X. */
const ABOVE_128 = new LargeBoards([
  boardOf(34, 40, pseudorandomLetters(1, MOSTLY_X)),
  boardOf(20, 20, pseudorandomLetters(2)),
  boardOf(40, 34, pseudorandomLetters(3, MOSTLY_X)),
]);

const forms = kernelForms('darkraft');

it('the portable solver solves the largest board, and its mirror image', () => {
  const given = boardOf(supportedLimits.maxRows, supportedLimits.maxCols, irregular);
  const [answer, mirror] = answersOf(createPortableSolver(), [given, mirrored(given)]);
  expect(mirror).toBe(answer);
});

it.each(forms.slice(1))(
  'the %s kernel finds the known nimbers of boards whose largest nimbers are around 128',
  (_, wasm) => expectNimbersAround128(instantiateKernel(wasm)),
);

describe.each(forms)('darkraft: many and large boards, with the %s kernel', (_, wasm) => {
  it('both solvers agree on every 3 x 3 board', async () => {
    const boards = await allBoards(3, 3);
    expect(answersOf(createSimdSolver(wasm), boards)).toEqual(answersOf(createPortableSolver(), boards));
  });

  it('kernel and portable solver find the same nimbers above the range of the first pass of the kernel', () => {
    const { boards, analyses } = ABOVE_FIRST_PASS;
    const tables = analyses.flatMap(({ classes }) => classes.map(({ nimber }) => nimber));
    const largest = Math.max(...tables.map((table) => table.reduce((a, b) => Math.max(a, b))));
    expect(largest).toBeGreaterThanOrEqual(48);
    expect(kernelNimbers(instantiateKernel(wasm), boards)).toEqual(analyses.map(({ nimber }) => nimber));
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

  it('the kernel solves boards with nimbers from 128 on together with other boards, and counts no fallback', () => {
    const { boards, analyses } = ABOVE_128;
    const largest = analyses.map(({ classes }) =>
      Math.max(...classes.map(({ nimber }) => nimber.reduce((a, b) => Math.max(a, b)))),
    );
    expect(largest.map((nimber) => nimber >= 128)).toEqual([true, false, true]);
    const simd = createSimdSolver(wasm);
    const answers: DarkraftAnswer[] = [];
    const nimbers: number[] = [];
    simd.solve(boards, boards.length, answers, { firstCase: 1, head: null, nimbers });
    expect(nimbers).toEqual(analyses.map(({ nimber }) => nimber));
    expect(answers).toEqual(nimbers.map((nimber) => (nimber === 0 ? 'LOSE' : 'WIN')));
    expect(simd.fallbackCases).toBe(0);
  });
});

/** NO_MOVE and MAX_GROUP_COUNT are smaller for the reason that tests/games/darkraft.test.ts gives. */
describe('darkraft: plain kernel with smaller bounds', async () => {
  const wasm = await compileWithConstants('darkraft', { NO_MOVE: '16', MAX_GROUP_COUNT: '8' });

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
