import { expect, test } from 'vitest';
import { encodeUtf8 } from '../../../src/core/bytes.js';
import type { ChunkTask } from '../../../src/engine/messages.js';
import { PLAIN_SETTINGS } from '../../../src/engine/output-settings.js';
import type { TaskOutcome } from '../../../src/engine/recover.js';
import { RememberedAnswers } from '../../../src/tools/grade/remembered-answers.js';

const taskOf = (text: string, starts: readonly number[], headNumber = 1): ChunkTask => ({
  bytes: encodeUtf8(text),
  starts: Uint32Array.from(starts),
  firstCase: 1,
  head: { number: headNumber, bytes: null },
  settings: PLAIN_SETTINGS,
  origin: null,
  isSolvedOneByOne: false,
});

/** A solver that counts its calls, and fails when it is told to. */
function countingSolver() {
  const solver = {
    calls: 0,
    isFailing: false,
    async solve({ bytes }: ChunkTask): Promise<TaskOutcome> {
      solver.calls++;
      if (solver.isFailing) throw new Error('no answer');
      return { result: null, cases: bytes.length, isGivenUp: false };
    },
  };
  return solver;
}

test('equal cases with the same head and the same bounds are solved once', async () => {
  const solver = countingSolver();
  const remembered = new RememberedAnswers(solver);
  const first = await remembered.solve(taskOf('1 2\n3 4\n', [0, 4, 8]));
  expect(await remembered.solve(taskOf('1 2\n3 4\n', [0, 4, 8]))).toBe(first);
  expect(solver.calls).toBe(1);
  for (const other of [
    taskOf('1 2\n3 5\n', [0, 4, 8]),
    taskOf('1 2\n3 4\n', [0, 8]),
    taskOf('1 2\n3 4\n', [0, 4, 8], 2),
  ])
    await remembered.solve(other);
  expect(solver.calls).toBe(4);
});

test('a failure is not remembered', async () => {
  const solver = countingSolver();
  const remembered = new RememberedAnswers(solver);
  solver.isFailing = true;
  await expect(remembered.solve(taskOf('1\n', [0, 2]))).rejects.toThrow('no answer');
  solver.isFailing = false;
  expect((await remembered.solve(taskOf('1\n', [0, 2]))).cases).toBe(2);
});
