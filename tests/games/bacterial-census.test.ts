/** Tests the census of bacterial-tactics against boards that are solved one by one. */
import { describe, expect, test } from 'vitest';
import {
  BacterialCensus,
  MAX_CENSUS_CELLS,
  MAX_CENSUS_SIDE,
} from '../../src/games/bacterial-tactics/census.js';
import { keyOfRectangleState, RectangleStates } from '../../src/games/bacterial-tactics/census-states.js';
import { createSimdSolver } from '../../src/games/bacterial-tactics/kernel.js';
import { analyse, createPortableSolver } from '../../src/games/bacterial-tactics/solve.js';
import { loadPlainKernel } from '../../src/games/shared/load-kernel.js';
import { solveLiterally } from '../oracles/bacterial-tactics.js';
import { boardAt, countAll, countOneByOne, drawRows, sumOf } from '../support/bacterial-census.js';
import { Random } from '../support/random.js';
import { runs, SEED } from '../support/random-tests.js';

const KERNEL = loadPlainKernel('bacterial-tactics', new URL('../../build/workers/kernels/', import.meta.url));

/** All sizes of at most 12 cells. */
const SMALL_SIZES = Array.from({ length: 12 }, (_, row) =>
  Array.from({ length: Math.floor(12 / (row + 1)) }, (_, col) => [row + 1, col + 1] as const),
).flat();

describe('every board', () => {
  test.each(SMALL_SIZES)('of %i x %i', (rows, cols) => {
    expect(countAll(rows, cols)).toEqual(countOneByOne(createPortableSolver(), rows, cols));
  });

  test('has the answers of the literal oracle', () => {
    const answers = new Map<string, number>();
    for (let index = 0; index < 2 ** 9; index++) {
      const answer = `${solveLiterally(boardAt(3, 3, index))}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
    expect(countAll(3, 3).answers).toEqual(answers);
  });
});

describe('known sums', () => {
  test.each([
    // By a program in C that visits every board.
    [4, 6, [12934744, 3543852, 255660, 42268, 692]],
    [5, 5, [27640236, 5246348, 612976, 53096, 1776]],
  ])('the nimbers of all boards of %i x %i', (rows, cols, boards) => {
    const { values } = countAll(rows, cols);
    expect([...values.values()]).toEqual(boards);
    expect([...values.keys()]).toEqual(boards.map((_, nimber) => `${nimber}`));
  });

  test.each([
    [3, 5],
    [4, 5],
    [2, 9],
    [1, 12],
  ])('%i x %i has the same counts as the same boards with rows and columns swapped', (rows, cols) => {
    const [one, other] = [countAll(rows, cols), countAll(cols, rows)];
    expect(one.cases).toBe(2 ** (rows * cols));
    expect(other.values).toEqual(one.values);
    expect(other.answers).toEqual(one.answers);
    expect(other.largest!.size).toBe(one.largest!.size);
  });
});

describe('parts', () => {
  test.each([1, 2, 7, 64, 1000])('%i slices add up', (slices) => {
    expect(countAll(4, 4, slices)).toEqual(countAll(4, 4, 3));
    expect(countAll(1, 4, slices)).toEqual(countAll(1, 4, 1));
  });

  test('slices can be counted in any order, and by several objects', () => {
    const censuses = [BacterialCensus.open(5, 4, 5)!, BacterialCensus.open(5, 4, 5)!];
    const parts = [4, 0, 2, 1, 3].map((slice, at) => censuses[at % 2].count(slice));
    expect(sumOf(parts)).toEqual(countAll(5, 4));
  });

  test('the boards with each first row add up', () => {
    const census = BacterialCensus.open(4, 4)!;
    const parts = Array.from({ length: 16 }, (_, row) => census.countBoardsWith([row]));
    expect(sumOf(parts)).toEqual(countAll(4, 4));
  });

  test.each([
    [9, 2, 2],
    [8, 3, 3],
    [7, 4, 4],
    [5, 5, 2],
    [5, 6, 3],
    [6, 6, 5],
    [6, 6, 4],
    [6, 7, 5],
    [7, 6, 5],
  ])('of %i x %i, boards with random first %i rows have the sums of the kernel', (rows, cols, given) => {
    const random = new Random(SEED);
    const solver = createSimdSolver(KERNEL);
    const census = BacterialCensus.open(rows, cols)!;
    for (let run = 0; run < runs(4); run++) {
      const firstRows = drawRows(random, given, cols);
      const message = `rows ${firstRows} of a board of ${rows} x ${cols}, BOARDMILL_TEST_SEED=${SEED}`;
      const expected = countOneByOne(solver, rows, cols, firstRows);
      expect(census.countBoardsWith(firstRows), message).toEqual(expected);
    }
  });
});

describe('states', () => {
  /** Returns the rows with their cells in reverse order. */
  const reversed = (rows: readonly number[], cols: number) =>
    rows.map((row) => Number.parseInt([...row.toString(2).padStart(cols, '0')].reverse().join(''), 2));

  test('reversed rows lead to the mirror image of the state', () => {
    const random = new Random(SEED);
    for (let run = 0; run < runs(500); run++) {
      const cols = 1 + random.below(7);
      const rows = drawRows(random, 1 + random.below(6), cols);
      const states = new RectangleStates(cols);
      const stateAfter = (read: readonly number[]) =>
        read.reduce((state, row) => states.read(state, row), states.fresh(cols));
      const message = `rows ${rows} of ${cols} cells, BOARDMILL_TEST_SEED=${SEED}`;
      const mirrored = stateAfter(reversed(rows, cols));
      expect(states.mirror(stateAfter(rows)), message).toEqual(mirrored);
      expect(keyOfRectangleState(states.mirror(mirrored)), message).toBe(
        keyOfRectangleState(stateAfter(rows)),
      );
    }
  });

  test('contain the nimber if no row follows', () => {
    const random = new Random(SEED);
    for (let run = 0; run < runs(200); run++) {
      const cols = 1 + random.below(7);
      const rows = drawRows(random, 1 + random.below(6), cols);
      const states = new RectangleStates(cols);
      const { nimber } = rows.reduce((state, row) => states.read(state, row), states.fresh(cols));
      const index = rows.reduce((cells, row) => cells * 2 ** cols + row, 0);
      const message = `rows ${rows} of ${cols} cells, BOARDMILL_TEST_SEED=${SEED}`;
      expect(nimber, message).toBe(
        analyse(boardAt(rows.length, cols, index)).nimber(0, rows.length, 0, cols),
      );
    }
  });
});

test('the largest nimber is that of the board with its index, and is at least that of all samples', () => {
  const { largest } = countAll(5, 5);
  expect(largest).toEqual({ size: 4, index: 37 });
  expect(analyse(boardAt(5, 5, 37)).nimber(0, 5, 0, 5)).toBe(4);
  for (let index = 0; index < 37; index++)
    expect(analyse(boardAt(5, 5, index)).nimber(0, 5, 0, 5)).toBeLessThan(4);
});

test.each([
  [MAX_CENSUS_SIDE + 1, 1],
  [1, MAX_CENSUS_SIDE + 1],
  [6, Math.floor(MAX_CENSUS_CELLS / 6) + 1],
])('there is no census of %i x %i', (rows, cols) => {
  expect(BacterialCensus.open(rows, cols)).toBeNull();
});
