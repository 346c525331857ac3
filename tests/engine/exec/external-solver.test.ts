/** Tests when a program behind `--exec` is run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { DeadlinePassedError } from '../../../src/core/deadline.js';
import { copyHeadToSharedMemory } from '../../../src/engine/cut/task-head.js';
import { ExternalSolver } from '../../../src/engine/exec/external-solver.js';
import { ProgramShell } from '../../../src/engine/exec/program-shell.js';
import { Recovery } from '../../../src/engine/recover.js';
import { problem } from '../../../src/games/darkraft/index.js';
import { createChunkTask } from '../../../src/tools/stress/trial.js';
import { bytesOf } from '../../support/inputs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();

/** Opens a solver that runs a right program once for each case, one run at a time. */
const open = (options: Partial<Parameters<typeof ExternalSolver.open>[0]>) =>
  ExternalSolver.open({
    problem,
    argv: ['echo', 'WIN'],
    jobs: 1,
    casesPerRun: 1,
    timeoutSeconds: null,
    sandbox: null,
    ...options,
  });

test.each([
  { what: 'one by one', script: 'echo WIN', isSolvedOneByOne: true },
  { what: 'again after a failure, and one by one after that', script: 'exit 3', isSolvedOneByOne: false },
])('a program that runs $what is not run when its caller wants no more runs', async (each) => {
  const log = join(folder, 'log');
  writeFileSync(log, '');
  let allowed = 3;
  const solver = await open({
    argv: ['sh', '-c', `echo run >> "$1"; ${each.script}`, 'sh', log],
    jobs: 2,
    casesPerRun: 100,
    beforeRun: () => {
      if (allowed-- === 0) throw new DeadlinePassedError();
    },
  });
  const cases = ['1 1\nL\n', '1 1\nR\n', '1 1\nL\n', '1 1\nR\n'].map(bytesOf);
  const task = {
    ...createChunkTask(copyHeadToSharedMemory(null), cases),
    isSolvedOneByOne: each.isSolvedOneByOne,
  };
  const recovery = new Recovery(solver, { retries: 1, onRetry: () => {} });
  await expect(recovery.solve(task)).rejects.toThrow(DeadlinePassedError);
  expect(readFileSync(log, 'utf8')).toBe('run\n'.repeat(3));
  await solver.close();
});

test('a chunk that is still being solved when the dispatcher is closed starts the program no more', async () => {
  let runs = 0;
  const solver = await open({
    beforeRun: () => {
      runs++;
    },
  });
  const task = createChunkTask(copyHeadToSharedMemory(null), ['1 1\nL\n', '1 1\nR\n'].map(bytesOf));
  const result = solver.solve(task);
  await solver.close();
  await expect(result).rejects.toMatchObject({ kind: 'given-up' });
  expect(runs).toBeLessThanOrEqual(1);
  await expect(solver.solve(task)).rejects.toMatchObject({ kind: 'given-up' });
  expect(runs).toBeLessThanOrEqual(1);
  // boardmill would not end as long as there is such a process.
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('ProcessWrap');
});

test('however many chunks there are, only one run more is ready than may last', async () => {
  const prepare = vi.spyOn(ProgramShell.prototype, 'prepare');
  const solver = await open({ jobs: 2 });
  const task = createChunkTask(copyHeadToSharedMemory(null), ['1 1\nL\n'].map(bytesOf));
  await Promise.all(Array.from({ length: 20 }, () => solver.solve(task)));
  await solver.close();
  expect(new Set(prepare.mock.contexts).size).toBe(3);
  prepare.mockRestore();
});

test('a chunk that waits for another one when the dispatcher gives up does not start the program', async () => {
  let runs = 0;
  const solver = await open({
    argv: ['sh', '-c', 'sleep 60'],
    beforeRun: () => {
      runs++;
    },
  });
  const task = createChunkTask(copyHeadToSharedMemory(null), ['1 1\nL\n'].map(bytesOf));
  expect(solver.maxChunksAtOnce).toBe(2);
  const results = [solver.solve(task), solver.solve(task)];
  await expect.poll(() => runs).toBe(1);
  solver.giveUp();
  await Promise.all(results.map((result) => expect(result).rejects.toMatchObject({ kind: 'given-up' })));
  expect(runs).toBe(1);
  await solver.close();
});
