/** Tests how boards of bacterial-tactics are grouped, and each way to solve a group on its own. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BoardGroup,
  type BoardGroupKey,
  FastestBoardGroupPlanner,
} from '../../src/games/bacterial-tactics/groups.js';
import { createSimdSolver } from '../../src/games/bacterial-tactics/kernel.js';
import { analyse, createPortableSolver } from '../../src/games/bacterial-tactics/solve.js';
import type { Board } from '../../src/problems/problem.js';
import { answersOf, KERNEL_ALONE, LANES, WAYS } from '../support/bacterial-tactics-groups.js';
import { everyBoard } from '../support/every-board.js';
import { kernelForms } from '../support/kernels.js';
import { runs } from '../support/random-tests.js';

const OPTIONS = { ...LANES, usesPortable: true };

/** Random boards with these ranges of sides, and a share of radioactive cells up to `maxDensity`. They depend on the seed. */
function randomBoards(count: number, sides: [number, number], maxDensity: number, seed: number): Board[] {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
  const side = () => sides[0] + Math.floor(random() * (sides[1] - sides[0] + 1));
  return Array.from({ length: count }, () => {
    const [rows, cols, density] = [side(), side(), random() * maxDensity];
    return { rows, cols, cells: Uint8Array.from({ length: rows * cols }, () => Number(random() < density)) };
  });
}

const FORMS = kernelForms('bacterial-tactics');
const [[, PLAIN]] = FORMS;
const portable = createPortableSolver();

test('boards that the portable solver solves because it is faster have the right answers, and are not fallbacks', () => {
  const solver = createSimdSolver(PLAIN);
  const boards = randomBoards(60, [12, 15], 0.5, 21);
  for (const board of boards) expect(answersOf(solver, [board])).toEqual(answersOf(portable, [board]));
  expect(solver.fallbackCases).toBe(0);
});

describe.each(WAYS)('boards solved by %s', (_, createPlanner) => {
  const solver = createSimdSolver(PLAIN, { planner: createPlanner() });

  test('have the right answers at every boundary of a group', () => {
    const boards = randomBoards(257, [9, 12], 0.25, 1);
    const expected = answersOf(portable, boards);
    for (const count of [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257])
      expect(answersOf(solver, boards.slice(0, count))).toEqual(expected.slice(0, count));
  });

  // tests/games/bacterial-tactics-groups.long.test.ts has larger ones.
  test('have the right answers if every board of up to 3 x 4 is among them', async () => {
    const boards = await everyBoard('bacterial-tactics', { from: 1, to: 3 }, { from: 1, to: 4 });
    expect(answersOf(solver, boards)).toEqual(answersOf(portable, boards));
  });

  test('have the right answers for random boards of all sizes and densities', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(0.05, 0.15, 0.4, 1), (seed, maxDensity) => {
        const boards = randomBoards(300, [1, 20], maxDensity, seed);
        expect(answersOf(solver, boards)).toEqual(answersOf(portable, boards));
      }),
      { numRuns: runs(2) },
    );
  });

  test('have the right answers for boards up to the longest side', () => {
    const boards = [...randomBoards(40, [1, 32], 0.3, 5), ...randomBoards(20, [28, 32], 0.2, 6)];
    expect(answersOf(solver, boards)).toEqual(answersOf(portable, boards));
  });

  test('change only their own answer if one of their cells changes', () => {
    const boards = randomBoards(130, [7, 7], 0.12, 11);
    const before = answersOf(solver, boards);
    expect(before).toEqual(answersOf(portable, boards));
    let changedAnswers = 0;
    for (const [index, board] of boards.entries()) {
      const cells = board.cells.slice();
      cells[(index * 11) % cells.length] ^= 1;
      const changed = boards.with(index, { ...board, cells });
      const expected = before.with(index, answersOf(portable, [changed[index]])[0]);
      if (expected[index] !== before[index]) changedAnswers++;
      expect(answersOf(solver, changed)).toEqual(expected);
    }
    expect(changedAnswers).toBeGreaterThan(50);
  });
});

describe('the boards with nimbers above 15', () => {
  // Those with the indexes 16, 21 and 25 have an enclosed rectangle with such a nimber. The others are beside them.
  const boards = randomBoards(40, [30, 32], 0.04, 3).filter((_, index) =>
    [4, 16, 20, 21, 25, 30].includes(index),
  );
  const large = boards.map(hasEnclosedNimberAbove15);
  const expected = answersOf(portable, boards);

  test('are some of the boards', () => {
    expect(large.filter(Boolean).length).toBe(3);
  });

  test.each([
    ...WAYS.map(([way, create]) => [way, 'plain', PLAIN, create] as const),
    ['bytes', ...FORMS[1], WAYS[2][1]] as const,
  ])('are the fallbacks of boards solved by %s, with the %s kernel', (_way, _form, wasm, createPlanner) => {
    const solver = createSimdSolver(wasm, { planner: createPlanner() });
    for (const [index, board] of boards.entries()) {
      const before = solver.fallbackCases;
      expect(answersOf(solver, [board])).toEqual([expected[index]]);
      expect(solver.fallbackCases > before).toBe(large[index]);
    }
    const before = solver.fallbackCases;
    expect(answersOf(solver, boards)).toEqual(expected);
    expect(solver.fallbackCases - before).toBe(large.filter(Boolean).length);
  });
});

describe('the nimbers of boards', () => {
  // Empty boards, boards without a clear line, boards that are too large for the kernel, and boards that overflow it.
  const boards = [
    ...randomBoards(250, [1, 15], 0.5, 31),
    ...randomBoards(20, [1, 9], 0, 32),
    ...randomBoards(20, [1, 9], 1, 33),
    ...randomBoards(3, [33, 36], 0.3, 34),
    ...randomBoards(17, [30, 32], 0.04, 3).slice(-2),
  ];
  const expected = boards.map((board) => analyse(board).nimber(0, board.rows, 0, board.cols));
  const answers = answersOf(portable, boards);

  test('are of all sizes', () => {
    expect(new Set(expected.slice(0, 250)).size).toBeGreaterThan(5);
    expect(expected.some((nimber) => nimber > 7)).toBe(true);
  });

  test.each(WAYS)('are right with %s, whatever was solved before', (_way, createPlanner) => {
    const solver = createSimdSolver(PLAIN, { planner: createPlanner() });
    for (const from of [40, 0]) {
      const some = boards.slice(from);
      const [found, nimbers] = [[] as number[], [] as number[]];
      solver.solve(some, some.length, found, { firstCase: 1, head: null, nimbers });
      expect(nimbers).toEqual(expected.slice(from));
      expect(found).toEqual(answers.slice(from));
      expect(answersOf(solver, some)).toEqual(found);
    }
  });
});

describe('boards with nimbers from 9 to 15', () => {
  const picked = (side: [number, number], seed: number, indexes: readonly number[]) => {
    const boards = randomBoards(128, side, 0.04, seed);
    return indexes.map((index) => boards[index]);
  };
  const boards = [
    ...picked([20, 24], 100, [11, 95, 89]),
    ...picked([26, 32], 100, [23, 47, 90]),
    ...picked([26, 32], 101, [102]),
  ];
  const expected = boards.map((board) => analyse(board).nimber(0, board.rows, 0, board.cols));

  test('are these boards', () => {
    expect(expected.toSorted((a, b) => a - b)).toEqual([9, 10, 11, 12, 13, 14, 15]);
  });

  test.each(WAYS)('are solved by the kernel itself with %s', (_way, createPlanner) => {
    const solver = createSimdSolver(PLAIN, { planner: createPlanner() });
    const [found, nimbers] = [[] as number[], [] as number[]];
    solver.solve(boards, boards.length, found, { firstCase: 1, head: null, nimbers });
    expect(nimbers).toEqual(expected);
    expect(found).toEqual(answersOf(portable, boards));
    expect(solver.fallbackCases).toBe(0);
  });
});

/** Whether a rectangle that play can reach, or at least is enclosed by lines that can be filled, has a nimber above 15. */
function hasEnclosedNimberAbove15(board: Board): boolean {
  const analysis = analyse(board);
  const { rows, cols } = board;
  for (let top = 0; top < rows; top++) {
    for (let bottom = top + 1; bottom <= rows; bottom++) {
      for (let left = 0; left < cols; left++) {
        if (left > 0 && !analysis.isClearCol(left - 1, top, bottom)) continue;
        for (let right = left + 1; right <= cols; right++) {
          if (right < cols && !analysis.isClearCol(right, top, bottom)) continue;
          if (top > 0 && !analysis.isClearRow(top - 1, left, right)) continue;
          if (bottom < rows && !analysis.isClearRow(bottom, left, right)) continue;
          if (analysis.nimber(top, bottom, left, right) > 15) return true;
        }
      }
    }
  }
  return false;
}

describe('the groups that take least time', () => {
  /** Facts of square boards of one size with one number of radioactive cells. */
  function squares(side: number, radioactiveCells: number): BoardGroupKey {
    return { rows: () => side, cols: () => side, radioactiveCells: () => radioactiveCells };
  }

  function solversFor(count: number, boards: BoardGroupKey): string[] {
    const solvers: string[] = [];
    new FastestBoardGroupPlanner(OPTIONS).forEachGroup(count, boards, ({ solver, count: size }) =>
      solvers.push(`${solver} ${size}`),
    );
    return solvers;
  }

  test('have one board in each bit if there are many boards, and one in each byte if there are few', () => {
    expect(solversFor(300, squares(15, 5))).toEqual([
      'bits 128',
      'bits 128',
      'bytes 16',
      'bytes 16',
      'bytes 12',
    ]);
    expect(solversFor(128, squares(4, 2))).toEqual(['bits 128']);
    expect(solversFor(16, squares(15, 5))).toEqual(['bytes 16']);
  });

  test('are solved one by one if there are few boards on which play reaches few rectangles', () => {
    expect(solversFor(1, squares(15, 45))).toEqual(['portable 1']);
    expect(solversFor(1, squares(15, 3))).toEqual(['bytes 1']);
    expect(solversFor(128, squares(15, 45))).toEqual(['bits 128']);
  });

  test('are all solved by the kernel if it is to solve what it can', () => {
    const groups: BoardGroup[] = [];
    new FastestBoardGroupPlanner(KERNEL_ALONE).forEachGroup(3, squares(15, 45), (group) =>
      groups.push(group),
    );
    expect(groups.map(({ solver, count }) => [solver, count])).toEqual([['bytes', 3]]);
  });

  test('contain each board once, in frames that contain the boards', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 32 }), fc.integer({ min: 1, max: 32 })), {
          maxLength: 500,
        }),
        (sizes) => {
          const boards = sizes
            .map(([a, b]) => ({ rows: Math.min(a, b), cols: Math.max(a, b), cells: (a * b) % 50 }))
            .sort((a, b) => a.cols - b.cols || a.rows - b.rows || a.cells - b.cells);
          const facts: BoardGroupKey = {
            rows: (at) => boards[at].rows,
            cols: (at) => boards[at].cols,
            radioactiveCells: (at) => boards[at].cells,
          };
          let end = boards.length;
          new FastestBoardGroupPlanner(OPTIONS).forEachGroup(
            boards.length,
            facts,
            ({ first, count, frame, solver }: BoardGroup) => {
              expect(first + count).toBe(end);
              expect(count).toBeLessThanOrEqual(solver === 'bits' ? 128 : 16);
              for (const { rows, cols } of boards.slice(first, end)) {
                expect(rows).toBeLessThanOrEqual(frame.rows);
                expect(cols).toBeLessThanOrEqual(frame.cols);
              }
              end = first;
            },
          );
          expect(end).toBe(0);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
