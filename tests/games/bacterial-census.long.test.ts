/** Tests the census of bacterial-tactics against millions of boards that are solved one by one. */
import { describe, expect, test } from 'vitest';
import { BacterialCensus } from '../../src/games/bacterial-tactics/census.js';
import { createSimdSolver } from '../../src/games/bacterial-tactics/kernel.js';
import { createPortableSolver } from '../../src/games/bacterial-tactics/solve.js';
import { loadPlainKernel } from '../../src/games/shared/load-kernel.js';
import { countAll, countOneByOne, drawRows } from '../support/bacterial-census.js';
import { Random } from '../support/random.js';
import { runs, SEED } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const KERNEL = loadPlainKernel('bacterial-tactics', new URL('../../build/workers/kernels/', import.meta.url));

describe('every board, with the portable solver', () => {
  test.each([
    [4, 4],
    [2, 7],
    [7, 2],
    [2, 8],
    [8, 2],
    [3, 5],
    [5, 3],
    [2, 6],
    [12, 1],
  ])('of %i x %i', (rows, cols) => {
    expect(countAll(rows, cols)).toEqual(countOneByOne(createPortableSolver(), rows, cols));
  });
});

describe('every board, with the kernel', () => {
  test.each([
    [3, 6],
    [6, 3],
    [9, 2],
    [2, 9],
    [4, 5],
    [5, 4],
  ])('of %i x %i', (rows, cols) => {
    expect(countAll(rows, cols)).toEqual(countOneByOne(createSimdSolver(KERNEL), rows, cols));
  });
});

/** Sizes, and how many first rows are drawn: 1,024 to 65,536 boards begin with them. 5x6 and 6x6 have a million boards each. */
describe('boards with random first rows, with the kernel', () => {
  test.each([
    [9, 3, 4, 4],
    [8, 4, 4, 2],
    [7, 5, 4, 4],
    [5, 6, 3, 250],
    [6, 6, 4, 250],
    [6, 7, 4, 10],
    [7, 6, 5, 10],
    [5, 8, 4, 40],
    [8, 5, 6, 40],
  ])('of %i x %i with %i rows given', (rows, cols, given, usualRuns) => {
    const random = new Random(SEED);
    const solver = createSimdSolver(KERNEL);
    const census = BacterialCensus.open(rows, cols)!;
    for (let run = 0; run < runs(usualRuns); run++) {
      const firstRows = drawRows(random, given, cols);
      const message = `rows ${firstRows} of a board of ${rows} x ${cols}, BOARDMILL_TEST_SEED=${SEED}`;
      const expected = countOneByOne(solver, rows, cols, firstRows);
      expect(census.countBoardsWith(firstRows), message).toEqual(expected);
    }
  });
});

describe('the same counts if rows and columns are swapped', () => {
  test.each([
    [4, 6],
    [5, 6],
    [4, 7],
    [3, 8],
  ])('%i x %i', (rows, cols) => {
    const [one, other] = [countAll(rows, cols), countAll(cols, rows)];
    expect(one.cases).toBe(2 ** (rows * cols));
    expect(other.values).toEqual(one.values);
    expect(other.answers).toEqual(one.answers);
    expect(other.largest!.size).toBe(one.largest!.size);
  });
});

test('5 x 6: the nimbers are those of a program in C that visits every board', () => {
  expect([...countAll(5, 6).values]).toEqual([
    ['0', 910874712],
    ['1', 149678817],
    ['2', 12126479],
    ['3', 1037054],
    ['4', 24634],
    ['5', 128],
  ]);
});

test('6 x 6: all boards are counted, and few have the largest nimber', () => {
  const { cases, values, largest } = countAll(6, 6);
  expect(cases).toBe(2 ** 36);
  expect([...values]).toEqual([
    ['0', 61172624404],
    ['1', 7021915988],
    ['2', 495783604],
    ['3', 28729548],
    ['4', 420384],
    ['5', 2808],
  ]);
  expect(largest).toEqual({ size: 5, index: 4117 });
});
