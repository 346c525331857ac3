/** Tests what `stress` counts as a failure of the tested program, and what it does not count as one. */

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { TOKEN_COMPARATOR } from '../../../src/engine/comparators.js';
import { copyHeadToSharedMemory } from '../../../src/engine/cut/task-head.js';
import { ChunkFailure, type Dispatcher } from '../../../src/engine/dispatcher.js';
import { Recovery, WORKER_START_RETRIES } from '../../../src/engine/recover.js';
import { problem as darkraft } from '../../../src/games/darkraft/index.js';
import { compareSolvers } from '../../../src/tools/stress/trial.js';
import { dispatcherOf } from '../../support/dispatchers.js';
import { InProcess } from '../../support/in-process.js';
import { bytesOf } from '../../support/inputs.js';

/** A board with one L (answer WIN), and a board with two L that do not affect each other (answer LOSE). */
const CASES = ['1 1\nL\n', '1 2\nLL\n'].map(bytesOf);
const rightSolver = new InProcess(darkraft);

/** Returns a solver that fails in this way the first `times` times. After that, it gives the right answers. */
function failingSolver(
  kind: ChunkFailure['kind'],
  times = Number.POSITIVE_INFINITY,
): Dispatcher & { calls: number } {
  const solver = Object.assign(
    dispatcherOf(async (task) => {
      if (solver.calls++ < times) throw new ChunkFailure(kind, 'it failed', null);
      return rightSolver.solve(task);
    }),
    { calls: 0 },
  );
  return solver;
}

const wrongSolver = dispatcherOf(async (task) => {
  const result = await rightSolver.solve(task);
  return { ...result, output: Buffer.from(Buffer.from(result.output).toString().replace('LOSE', 'WIN')) };
});

function compare(trusted: Dispatcher, tested: Dispatcher) {
  const recovery = (dispatcher: Dispatcher, retries: number) =>
    new Recovery(dispatcher, { retries, onRetry: () => {} });
  const contestants = {
    problem: darkraft,
    trustedSolver: recovery(trusted, 2),
    testedSolver: recovery(tested, 0),
    comparator: TOKEN_COMPARATOR,
  };
  return compareSolvers(contestants, copyHeadToSharedMemory(null), CASES);
}

describe('the trusted solver', () => {
  test('if the trusted solver fails once, it is tried again, and nothing is reported', async () => {
    expect(await compare(failingSolver('crash', 1), rightSolver)).toBeNull();
    expect(await compare(failingSolver('no-start', WORKER_START_RETRIES), rightSolver)).toBeNull();
  });

  test.each(['crash', 'timeout', 'no-start'] as const)(
    'if the trusted solver always fails (%s), stress ends with an error, and does not blame the program',
    async (kind) => {
      await expect(compare(failingSolver(kind), rightSolver)).rejects.toMatchObject({
        name: 'BoardmillError',
        kind: 'worker',
        message: expect.stringContaining('it failed'),
      });
    },
  );
});

describe('the tested program', () => {
  test('a program that cannot be started is tried again, and that is not reported as its failure', async () => {
    expect(await compare(rightSolver, failingSolver('no-start', WORKER_START_RETRIES))).toBeNull();
    await expect(compare(rightSolver, failingSolver('no-start'))).rejects.toMatchObject({ kind: 'worker' });
  });

  test('a program that crashes is reported at once', async () => {
    const tested = failingSolver('crash');
    const description = 'it failed';
    expect(await compare(rightSolver, tested)).toMatchObject({ kind: 'crash', description, index: null });
    expect(tested.calls).toBe(1);
  });

  test('a program that takes too long for all cases together gets them one by one', async () => {
    const tested = failingSolver('timeout');
    expect(await compare(rightSolver, tested)).toMatchObject({ kind: 'timeout', description: 'it failed' });
    expect(tested.calls).toBe(2);
  });

  test('a program that is only slow for all cases together does not fail', async () => {
    // Both attempts take the same time. If the second were much faster, the program would have hung on all cases together.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    const slow = dispatcherOf(async (task) =>
      task.isSolvedOneByOne ? rightSolver.solve(task) : failingSolver('timeout').solve(task),
    );
    expect(await compare(rightSolver, slow)).toBeNull();
  });

  test('a wrong answer of the program is reported with the index of its board', async () => {
    expect(await compare(rightSolver, wrongSolver)).toEqual({
      kind: 'wrong',
      description: 'expected "LOSE", got "WIN"',
      index: 1,
      expected: bytesOf('WIN\nLOSE\n'),
      got: Buffer.from('WIN\nWIN\n'),
    });
  });
});
