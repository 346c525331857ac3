/** Tests of how a worker solves the cases of a chunk one after another. */
import { expect, test } from 'vitest';
import { copyHeadToSharedMemory } from '../../src/engine/cut/task-head.js';
import { allocateSharedProgress } from '../../src/engine/messages.js';
import type { ErrorPolicy } from '../../src/engine/output-settings.js';
import { CaseFailure, type Solver } from '../../src/problems/problem.js';
import { ChunkSolver } from '../../workers/chunk-solver.js';
import { bytesOf } from '../support/inputs.js';
import { boardOf, widthProblem } from '../support/running.js';

/** More cases than are parsed before the first is solved. */
const CASES = 100;

/** Solves one chunk. The solver fails on the cases with these numbers, and notes what it was given and what its progress said. */
async function solve(failing: readonly number[], onError: ErrorPolicy, isAsync = false) {
  const given: number[] = [];
  const progress = allocateSharedProgress();
  const solver: Solver<number> = {
    name: 'portable',
    lanes: 1,
    fallbackCases: 0,
    solve([board], count, answers, context) {
      const number = context!.firstCase;
      expect([count, progress[1], progress[2]]).toEqual([1, number - 1, 1]);
      given.push(number);
      answers[0] = failing.includes(number) ? new CaseFailure('crash', 'a defect') : board.cols;
      return isAsync ? Promise.resolve() : undefined;
    },
  };
  const widths = Array.from({ length: CASES }, (_, i) => 1 + (i % 7));
  const boards = widths.map(boardOf);
  const starts = Uint32Array.from({ length: CASES + 1 }, (_, i) => boards.slice(0, i).join('').length);
  const { output, faults, answeredCases, slowest } = await new ChunkSolver(widthProblem, solver, false).solve(
    {
      bytes: bytesOf(boards.join('')),
      starts,
      firstCase: 1,
      head: copyHeadToSharedMemory(null),
      settings: { outputFormat: 'text', columns: [], onError },
      origin: null,
      isSolvedOneByOne: false,
      progress,
    },
  );
  return { given, text: Buffer.from(output).toString(), faults, answeredCases, slowest, widths };
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test.each([false, true])(
  'under --on-error stop, no case after one that fails is solved (async: %s)',
  async (isAsync) => {
    for (const failing of [1, 2, 31, 32, 33, 64, 65, CASES]) {
      const { given, text, faults, widths } = await solve([failing, failing + 1], 'stop', isAsync);
      expect(given).toEqual(upTo(failing));
      expect(text).toBe(
        widths
          .slice(0, failing - 1)
          .map((width) => `${width}\n`)
          .join(''),
      );
      expect(faults.map(({ index, outputOffset }) => [index, outputOffset])).toEqual([
        [failing - 1, text.length],
      ]);
    }
  },
);

test.each([false, true])(
  'under --on-error mark, all cases are solved, and each is timed (async: %s)',
  async (isAsync) => {
    const { given, text, faults, answeredCases, slowest, widths } = await solve(
      [1, 32, 33, 34, CASES],
      'mark',
      isAsync,
    );
    expect(given).toEqual(upTo(CASES));
    expect(faults.map(({ index }) => index)).toEqual([0, 31, 32, 33, CASES - 1]);
    expect(answeredCases).toBe(CASES - 5);
    const answered = widths.filter((_, i) => !faults.some(({ index }) => index === i));
    expect(text).toBe(answered.map((width) => `${width}\n`).join(''));
    for (const { index, outputOffset } of faults) {
      const before = widths.filter((_, i) => i < index && !faults.some((fault) => fault.index === i));
      expect(outputOffset).toBe(2 * before.length);
    }
    expect(new Set(slowest.map((slow) => slow.case)).size).toBe(slowest.length);
  },
);
