/** What stress takes for a failure of the program on trial, and what it does not. */
import { describe, expect, test } from 'vitest';
import { ChunkFailure, type Dispatcher } from '../../../src/engine/dispatcher.js';
import { START_RETRIES } from '../../../src/engine/limits.js';
import type { ChunkTask } from '../../../src/engine/messages.js';
import { Recovery } from '../../../src/engine/recover.js';
import { compareSolvers } from '../../../src/engine/tools/trial.js';
import { problem } from '../../../src/problems/darkraft/index.js';
import type { Problem } from '../../../src/problems/problem.js';
import { InProcess } from '../../support/in-process.js';

const darkraft = problem as Problem<unknown>;
/** L, answered WIN, and two L that never meet, answered LOSE. */
const BOARDS = [
  { rows: 1, cols: 1, cells: Uint8Array.of(0) },
  { rows: 1, cols: 2, cells: Uint8Array.of(0, 0) },
];
const right = new InProcess(darkraft);

/** Fails in this way the first times, and answers rightly from then on. */
function failing(
  kind: ChunkFailure['kind'],
  times = Number.POSITIVE_INFINITY,
): Dispatcher & { calls: number } {
  return {
    slots: 1,
    calls: 0,
    async solve(task: ChunkTask) {
      if (this.calls++ < times) throw new ChunkFailure(kind, 'it failed', null);
      return right.solve(task);
    },
    close: async () => {},
  };
}

const wrong: Dispatcher = {
  ...failing('crash', 0),
  async solve(task) {
    const result = await right.solve(task);
    return { ...result, output: Buffer.from(Buffer.from(result.output).toString().replace('LOSE', 'WIN')) };
  },
};

function attempt(trusted: Dispatcher, onTrial: Dispatcher) {
  const recovery = (dispatcher: Dispatcher, retries: number) =>
    new Recovery(dispatcher, { retries, onRetry: () => {} });
  const contestants = {
    problem: darkraft,
    trustedSolver: recovery(trusted, 2),
    testedSolver: recovery(onTrial, 0),
  };
  return compareSolvers(contestants, BOARDS);
}

describe('the solver that is trusted', () => {
  test('dies once: it is tried again, and the program is right', async () => {
    expect(await attempt(failing('crash', 1), right)).toBeNull();
    expect(await attempt(failing('no-start', START_RETRIES), right)).toBeNull();
  });

  test.each(['crash', 'timeout', 'no-start'] as const)('fails for good (%s): no finding', async (kind) => {
    await expect(attempt(failing(kind), right)).rejects.toMatchObject({
      name: 'BoardmillError',
      kind: 'worker',
      message: expect.stringContaining('it failed'),
    });
  });
});

describe('the program on trial', () => {
  test('that cannot be started is tried again, and then no finding', async () => {
    expect(await attempt(right, failing('no-start', START_RETRIES))).toBeNull();
    await expect(attempt(right, failing('no-start'))).rejects.toMatchObject({ kind: 'worker' });
  });

  test.each(['crash', 'timeout'] as const)('that fails (%s) is found at once', async (kind) => {
    const onTrial = failing(kind);
    expect(await attempt(right, onTrial)).toEqual({ kind, description: 'it failed', index: null });
    expect(onTrial.calls).toBe(1);
  });

  test('that is wrong is found, with the board', async () => {
    expect(await attempt(right, wrong)).toEqual({
      kind: 'wrong',
      description: 'expected "LOSE", got "WIN"',
      index: 1,
    });
  });
});
