/**
 * Tests of the warm-up: a worker solves one board before its first chunk, so that the time that it takes to get ready
 * does not count as time of a test case.
 */
import { expect, test } from 'vitest';
import { loadProblem, PROBLEMS } from '../../src/catalog/registry.js';
import { ByteWriter } from '../../src/core/bytes.js';
import { ANY_BOARDS, type Board, type Solver } from '../../src/problems/problem.js';
import { warmUpSolver } from '../../workers/jobs/solve.js';

test.each(PROBLEMS)('$name: the warm-up solves one small and valid board', async ({ name }) => {
  const problem = await loadProblem(name);
  const solved: Board[] = [];
  const solver: Solver<unknown> = {
    name: 'portable',
    lanes: 1,
    fallbackCases: 0,
    solve: (boards, count) => void solved.push(...boards.slice(0, count)),
  };
  warmUpSolver(problem, solver);
  expect(solved).toHaveLength(1);
  const [board] = solved;
  expect(board.rows * board.cols).toBeLessThanOrEqual(4);
  const out = new ByteWriter();
  problem.inputFormat.printCase(board, out);
  const bytes = out.take();
  const parser = problem.inputFormat.createParser();
  expect(parser.parse(bytes, 0, bytes.length, null)).not.toBeNull();
  expect(parser.fault).toBeNull();
});

test.each(PROBLEMS)(
  '$name: after the warm-up, a solver gives the same answers as a new solver',
  async ({ name }) => {
    const problem = await loadProblem(name);
    const [warmedUp, fresh] = [problem.solvers.createPortable(), problem.solvers.createPortable()];
    warmUpSolver(problem, warmedUp);
    const source = problem.cases.createSource({
      seed: '1',
      profile: 'tiny',
      cases: 20,
      maxSize: null,
      set: null,
      boards: ANY_BOARDS,
    });
    for (let index = 0; index < 20; index++) {
      const answers: unknown[][] = [[], []];
      const board = source.caseAt(index);
      for (const [i, solver] of [warmedUp, fresh].entries()) solver.solve([board], 1, answers[i]);
      expect(answers[0]).toEqual(answers[1]);
    }
  },
);
