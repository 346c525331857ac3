/**
 * Tests which cases lose their answers when a worker thread fails, and which cases must not. The worker of these tests
 * (fixtures/faulty-worker.mjs) fails on purpose.
 */

import { setFlagsFromString } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { copyHeadToSharedMemory } from '../../src/engine/cut/task-head.js';
import { ChunkFailure } from '../../src/engine/dispatcher.js';
import { LOOKAHEAD_BYTES } from '../../src/engine/limits.js';
import type { ChunkTask } from '../../src/engine/messages.js';
import { Recovery } from '../../src/engine/recover.js';
import { solveInput } from '../../src/engine/run.js';
import { RunTally } from '../../src/engine/tally.js';
import { dispatcherOf } from '../support/dispatchers.js';
import {
  answersTo,
  DIE_LATER,
  EXIT,
  expectEndOfRun,
  expectManyTimeouts,
  expectOneLost,
  expectRetries,
  expectSolvedAgain,
  expectTimeout,
  goodWidths,
  HANG,
  HEAP,
  openFaultyPool,
  SLOW,
  solve,
  THROW,
  WASM_HANG,
  withFault,
} from '../support/faulty-solvers.js';
import { InProcess } from '../support/in-process.js';
import { boardOf, MemorySink, runOptions, sourceOf, widthProblem } from '../support/running.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

/** Each fault with each solver once, and each place twice. tests/engine/recover.long.test.ts has the other combinations. */
test.each([
  ['portable', 'exits', 0],
  ['portable', 'throws', 19],
  ['simd', 'throws', 11],
  ['simd', 'traps in WebAssembly', 19],
] as const)('a solver (%s) that %s at case index %i loses only the answer to that case', expectOneLost);

test.each([
  ['portable', 'exits'],
  ['simd', 'throws'],
] as const)(
  'a solver (%s) that %s ends the run under --on-error stop, after the answers before the case are written',
  expectEndOfRun,
);

test.each([
  ['portable', HANG],
  ['simd', WASM_HANG],
] as const)(
  'a solver (%s) that hangs longer than the timeout (fault %i) loses only the answer to that case',
  expectTimeout,
);

test('a solver that hangs at many cases of a chunk is stopped once for each of these cases', () =>
  expectManyTimeouts('portable'));

test('if a worker died once, its chunk is solved again, and no case is reported as failed', () =>
  expectSolvedAgain('simd'));

test.each([
  ['portable', 1],
  ['simd', 0],
] as const)(
  'a solver (%s): with --retries %i, a failed chunk and a failed case are tried again that many times',
  expectRetries,
);

test('each case of a chunk that fails is reported with its own kind of failure', async () => {
  const widths = [1, EXIT, 2, 3, HANG, THROW, 4, EXIT, 5];
  const outcome = await solve(widths, { solver: 'simd', retries: 0, onError: 'mark', timeoutSeconds: 0.2 });
  expect(outcome.text).toBe('1\nERROR\n2\n3\nERROR\nERROR\n4\nERROR\n5\n');
  expect(outcome.warnings.map((line) => line.split(': ').slice(1, 3).join(': '))).toEqual([
    'case 2: its solver failed',
    'case 5: no answer within 0.2 s; saved as 2',
    'case 6: its solver failed',
    'case 8: its solver failed',
  ]);
});

test('an invalid case in a chunk with a failing case is reported with its own message and location', async () => {
  const widths = withFault(goodWidths(6), 4, THROW);
  const pool = openFaultyPool();
  const warnings: string[] = [];
  const sink = new MemorySink();
  const options = runOptions({ chunkBytes: 1 << 20, onError: 'mark', warn: (line) => warnings.push(line) });
  const input = widths.map(boardOf).join('').replace('LLL\n', 'LzL\n');
  await solveInput(sourceOf(input), sink, pool, options, new RunTally());
  await pool.close();
  expect(sink.text).toBe('1\n2\nERROR\n4\nERROR\n6\n');
  expect(warnings[0]).toMatch(/^test\.in:6:2: case 3: expected /);
  expect(warnings[1]).toMatch(/^test\.in:9:1: case 5: its solver failed: a defect/);
});

test('a solver that runs out of memory loses only the answer to that case', async () => {
  // New threads take their memory limit from this flag. The limit of this process stays as it is.
  setFlagsFromString('--max-old-space-size=64');
  try {
    const widths = withFault(goodWidths(9), 4, HEAP);
    const { text, warnings } = await solve(widths, { onError: 'mark', retries: 0 });
    expect(text).toBe(answersTo(widths).replace(`${HEAP}\n`, 'ERROR\n'));
    expect(warnings[0]).toContain('out of memory');
  } finally {
    // With 0, threads have their own limits again, which other test files of this process need.
    setFlagsFromString('--max-old-space-size=0');
  }
});

test('if a worker dies between two chunks, all cases are answered', async () => {
  const widths = withFault(goodWidths(400), 0, DIE_LATER);
  const outcome = await solve(widths, { chunkBytes: 64 });
  expect(outcome).toMatchObject({ error: undefined, text: answersTo(widths) });
});

describe('a timeout', () => {
  test('a batch may take longer than the timeout, because the timeout is for one case', async () => {
    const widths = Array.from({ length: 15 }, () => SLOW);
    const outcome = await solve(widths, { solver: 'simd', timeoutSeconds: 1, onError: 'mark' });
    expect(outcome).toMatchObject({ text: answersTo(widths), warnings: [] });
  });

  test('time in which the coordinator is blocked does not count as time of a case', async () => {
    const running = solve(goodWidths(3).with(1, SLOW), { timeoutSeconds: 1, onError: 'mark' });
    const neverNotified = new Int32Array(new SharedArrayBuffer(4));
    setImmediate(() => Atomics.wait(neverNotified, 0, 0, 1500));
    expect(await running).toMatchObject({ text: `1\n${SLOW}\n3\n`, warnings: [] });
  });
});

test.each([
  ['no-start-throw', 'cannot load'],
  ['no-start-exit', 'it ended before it was ready'],
])(
  'a worker that cannot start (%s) ends the run, also under --on-error mark, and no case is reported as failed',
  async (worker, reason) => {
    const outcome = await solve(goodWidths(5), { worker, onError: 'mark' });
    expect(outcome.text).toBe('');
    expect(outcome.error).toMatchObject({ kind: 'worker' });
    expect((outcome.error as Error).message).toBe(`a worker cannot start: ${reason}`);
  },
);

/** A chunk of boards with these widths, as a worker gets it, with more bytes of the input after them. */
function taskOf(widths: readonly number[], following = ''): ChunkTask {
  const boards = widths.map(boardOf);
  const starts = [0];
  for (const board of boards) starts.push(starts.at(-1)! + board.length);
  return {
    bytes: new TextEncoder().encode(boards.join('') + following),
    starts: Uint32Array.from(starts),
    firstCase: 11,
    head: copyHeadToSharedMemory(null),
    settings: { outputFormat: 'text', columns: [], onError: 'mark' },
    origin: null,
    isSolvedOneByOne: false,
    place: { input: 'a.in', offset: 1000 },
  };
}

describe('a chunk on which the solver fails', () => {
  /** Solves a chunk; the solver fails on each of its parts for which `fails` says so. Returns the parts, and what is unexplained. */
  async function recovered(task: ChunkTask, fails: (part: ChunkTask, attempt: number) => boolean) {
    const solver = new InProcess(widthProblem);
    const parts: ChunkTask[] = [];
    const unexplained: string[] = [];
    const dispatcher = dispatcherOf(async (part) => {
      parts.push(part);
      if (fails(part, parts.length)) throw new ChunkFailure('crash', `attempt ${parts.length}`, null);
      return solver.solve(part);
    });
    const recovery = new Recovery(dispatcher, {
      retries: 0,
      onRetry: () => expect.unreachable(),
      onUnexplainedFailure: ({ firstCase }, { reason }) => unexplained.push(`from ${firstCase}: ${reason}`),
    });
    const { result, cases } = await recovery.solve(task);
    return { parts, unexplained, faults: result!.faults, cases };
  }

  const FOLLOWING = 'x'.repeat(2 * LOOKAHEAD_BYTES);
  const hasCase = (number: number) => (part: ChunkTask) =>
    part.firstCase <= number && number < part.firstCase + part.starts.length - 1;

  test('is halved, and each part knows where its bytes are, and what follows them', async () => {
    const task = taskOf([1, 2, 3, 4], FOLLOWING);
    const { parts, faults, cases } = await recovered(task, hasCase(13));
    expect(cases).toBe(4);
    expect(faults.map(({ index }) => index)).toEqual([2]);
    const end = (part: ChunkTask) => part.place!.offset - 1000 + part.starts.at(-1)!;
    for (const part of parts) {
      const from = part.place!.offset - 1000;
      expect(from).toBe(task.starts[part.firstCase - 11]);
      const isLast = hasCase(14)(part);
      const to = isLast ? task.bytes.length : end(part) + LOOKAHEAD_BYTES;
      expect(part.bytes).toEqual(task.bytes.slice(from, to));
    }
    expect(parts.length).toBeGreaterThan(4);
  });

  test.each<[string, number[], (part: ChunkTask, attempt: number) => boolean, string[]]>([
    ['a case that fails alone', [1, 2, 3, 4], hasCase(12), []],
    ['one of two cases that fail alone', [1, 2], hasCase(11), []],
    [
      'no case',
      [1, 2, 3],
      (part) => part.starts.length > 2,
      ['from 12: attempt 4', 'from 11: attempt 2', 'from 11: attempt 1'],
    ],
    ['a chance', [1, 2, 3, 4], (_, attempt) => attempt === 1, ['from 11: attempt 1']],
    ['a case that is all of the chunk', [1], () => true, []],
  ])('is unexplained if no case alone fails: the cause is %s', async (_, widths, fails, expected) => {
    expect((await recovered(taskOf(widths), fails)).unexplained).toEqual(expected);
  });
});

test.each([
  ['stop', false],
  ['mark', true],
] as const)(
  'under --on-error %s, if an invalid case comes before the cases that were given up, are they missing: %s',
  async (onError, isGivenUp) => {
    const solver = new InProcess(widthProblem);
    const dispatcher = dispatcherOf(async (part) => {
      if (part.starts.length > 3) throw new ChunkFailure('given-up', 'stopped', { from: 13, to: 14 });
      return solver.solve(part);
    });
    const recovery = new Recovery(dispatcher, { retries: 0, onRetry: () => {} });
    const task = taskOf([1, 2, 3, 4]);
    task.bytes[task.starts[1] + 4] = 'z'.charCodeAt(0);
    const settings = { ...task.settings, onError };
    const outcome = await recovery.solve({ ...task, settings });
    expect({ cases: outcome.cases, isGivenUp: outcome.isGivenUp }).toEqual({ cases: 2, isGivenUp });
    expect(outcome.result!.faults.map(({ index }) => index)).toEqual([1]);
  },
);

test('if no solver can start, the error keeps the failure as its cause', async () => {
  const failure = new ChunkFailure('no-start', 'it is missing', null);
  const recovery = new Recovery(
    dispatcherOf(() => Promise.reject(failure)),
    { retries: 0, onRetry: () => {} },
  );
  await expect(recovery.solve(taskOf([1]))).rejects.toMatchObject({ kind: 'worker', cause: failure });
});

test('no case is tried again after the end of the run', async () => {
  let attempts = 0;
  let fail = (_: unknown) => {};
  const dispatcher = dispatcherOf(() => {
    attempts++;
    return new Promise((_, reject) => {
      fail = reject;
    });
  });
  const recovery = new Recovery(dispatcher, { retries: 3, onRetry: () => expect.unreachable() });
  const solving = recovery.solve(taskOf([1]));
  recovery.stop();
  fail(new ChunkFailure('crash', 'shut down', null));
  await expect(solving).rejects.toThrow('shut down');
  expect(attempts).toBe(1);
});
