import { afterEach, expect, test, vi } from 'vitest';
import { openProblem } from '../../../src/catalog/open-problem.js';
import type { AnswerComparator } from '../../../src/engine/comparators.js';
import { copyHeadToSharedMemory } from '../../../src/engine/cut/task-head.js';
import { DEFAULT_GRAMMAR_USE } from '../../../src/problems/grammar-use.js';
import { assertProgramsRight } from '../../../src/tools/grade/grade.js';
import { ProgramStarter } from '../../../src/tools/grade/trial.js';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the time of a checker and of the right answers is not that of the program', async () => {
  const { problem } = await openProblem('bacterial-tactics', DEFAULT_GRAMMAR_USE);
  let later = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
  const passHours = () => {
    later += 1e7;
  };
  const comparator: AnswerComparator = {
    compareSync() {
      passHours();
      return null;
    },
    compareAsync: async () => null,
  };
  const answers = Buffer.from('Case #1: 2\n');
  const trustedSolver = {
    async solve() {
      passHours();
      return { result: { output: answers, faults: [] }, cases: 1, isGivenUp: false } as never;
    },
  };
  const trials = new ProgramStarter({
    problem,
    trustedSolver,
    comparator,
    casesPerRun: 1,
    memoryBytes: 2 ** 31,
    sandbox: null,
    beforeRun: () => {},
  });
  const right = { argv: ['sh', '-c', 'cat > /dev/null; echo "Case #1: 2"'], environment: process.env };
  const head = copyHeadToSharedMemory(null);
  const batch = { input: 'a.in', firstCase: 1, head, cases: [Buffer.from('1 1\n.\n')] };
  const slowest = await assertProgramsRight(
    [{ name: 'right', right, mutants: [], refused: 0 }],
    [batch],
    trials,
  );
  expect(later).toBeGreaterThanOrEqual(2e7);
  expect(slowest).toBeGreaterThan(0);
  expect(slowest).toBeLessThan(1e4);
});
