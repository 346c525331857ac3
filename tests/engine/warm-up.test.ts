/** What a worker does before its first chunk, so that no case is charged with it. */
import { expect, test } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import { BoardSource } from '../../src/engine/tools/generate.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import { loadProblem, PROBLEMS } from '../../src/problems/registry.js';
import { warmUp } from '../../workers/warm-up.js';

test.each(PROBLEMS)('$name: one small board that is a board', async ({ name }) => {
  const problem = await loadProblem(name);
  const solved: Board[] = [];
  const solver: Solver<unknown> = {
    name: 'portable',
    lanes: 1,
    fallbackCases: 0,
    solve: (boards, count) => void solved.push(...boards.slice(0, count)),
  };
  warmUp(problem, solver);
  expect(solved).toHaveLength(1);
  const [board] = solved;
  expect(board.rows * board.cols).toBeLessThanOrEqual(4);
  const out = new ByteWriter();
  problem.inputFormat.printCase(board, out);
  const bytes = out.take();
  const copy = { rows: 0, cols: 0, cells: new Uint8Array(0) };
  expect(problem.inputFormat.parseCase(bytes, 0, bytes.length, copy)).toBeNull();
});

test.each(PROBLEMS)('$name: the solver is ready for boards afterwards', async ({ name }) => {
  const problem = await loadProblem(name);
  const [used, fresh] = [problem.createPortableSolver(), problem.createPortableSolver()];
  warmUp(problem, used);
  const source = new BoardSource({
    problem,
    seed: '1',
    profile: 'tiny',
    rows: null,
    cols: null,
    density: null,
  });
  for (let index = 0; index < 20; index++) {
    const answers: unknown[][] = [[], []];
    const board = source.board(index);
    for (const [i, solver] of [used, fresh].entries()) solver.solve([board], 1, answers[i]);
    expect(answers[0]).toEqual(answers[1]);
  }
});
