/**
 * Tests which cases lose their answers when a worker thread fails, and which cases must not. The worker of these tests
 * (fixtures/faulty-worker.mjs) fails on purpose.
 */

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { CaseError } from '../../src/core/errors.js';
import { shareInputHead } from '../../src/engine/cut/task-head.js';
import { ChunkFailure } from '../../src/engine/dispatcher.js';
import { LocalPool } from '../../src/engine/local-pool.js';
import { Recovery } from '../../src/engine/recover.js';
import { solveInput } from '../../src/engine/run.js';
import type { FailedCase } from '../../src/engine/run-options.js';
import { RunTally, type Stats } from '../../src/engine/tally.js';
import type { ProblemReference } from '../../src/problems/problem-reference.js';
import { dispatcherOf } from '../support/dispatchers.js';
import { boardOf, type GivenOptions, MemorySink, runOptions, sourceOf } from '../support/running.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

allowSlowTests();

/** The widths of boards that make the worker of these tests fail or be slow. Each name says what the worker does. */
const EXIT = 21;
const THROW = 22;
const TRAP = 23;
const HEAP = 24;
const HANG = 25;
const WASM_HANG = 26;
const EXIT_ONCE = 27;
const DIE_LATER = 28;
const SLOW = 30;

const SOLVERS = ['portable', 'simd'] as const;

interface SolveOptions extends GivenOptions {
  readonly solver?: (typeof SOLVERS)[number];
  readonly timeoutSeconds?: number;
  readonly worker?: string;
}

interface Outcome {
  readonly text: string;
  readonly error: unknown;
  readonly stats: Stats;
  readonly warnings: readonly string[];
  readonly saved: readonly FailedCase[];
  /** One line for each time that the worker solved one of the special boards: what it did. */
  readonly attempts: readonly string[];
}

const root = temporaryFolder();
let folders = 0;

/** Returns the reference from which the worker of these tests takes the path of its folder. */
const referenceTo = (folder: string): ProblemReference => ({ kind: 'built-in', name: folder });

/** Solves boards of these widths as one chunk. */
async function solve(widths: readonly number[], solveOptions: SolveOptions = {}): Promise<Outcome> {
  const { solver = 'portable', timeoutSeconds = null, worker = 'faulty-worker', ...rest } = solveOptions;
  const folder = join(root, `${++folders}`);
  mkdirSync(folder);
  const workerFile = new URL(`../fixtures/${worker}.mjs`, import.meta.url).href;
  const pool = new LocalPool(
    { problem: referenceTo(folder), solver },
    { jobs: 1, timeoutSeconds, workerFile },
  );
  const sink = new MemorySink();
  const tally = new RunTally();
  const warnings: string[] = [];
  const saved: FailedCase[] = [];
  const options = runOptions({
    chunkBytes: 1 << 20,
    warn: (message) => warnings.push(message),
    saveCase: async (failed) => `saved as ${saved.push(failed)}`,
    ...rest,
  });
  const input = widths.map(boardOf).join('');
  const error = await solveInput(sourceOf(input), sink, pool, options, tally).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  await pool.close();
  const attempts = attemptsIn(folder);
  return { text: sink.text, error, stats: tally.createStats('width', 1), warnings, saved, attempts };
}

function attemptsIn(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'attempts.log'), 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
}

const goodWidths = (cases: number) => Array.from({ length: cases }, (_, i) => (i % 9) + 1);
const answersTo = (widths: readonly number[]) => widths.map((width) => `${width}\n`).join('');
const withFault = (widths: readonly number[], index: number, fault: number) => widths.with(index, fault);
const lineOf = (index: number) => 2 * index + 1;

describe.each(SOLVERS)('a solver (%s)', (solver) => {
  const CASES = 20;
  const faults = [
    { does: 'exits', fault: EXIT, reason: 'worker exited with code: 7' },
    { does: 'throws', fault: THROW, reason: 'a defect' },
    { does: 'traps in WebAssembly', fault: TRAP, reason: 'unreachable' },
  ];
  const places = [0, 11, CASES - 1];
  const table = faults.flatMap((fault) => places.map((at) => ({ ...fault, at })));

  test.each(table)(
    'a solver that $does at case index $at loses only the answer to that case',
    async ({ fault, reason, at }) => {
      const widths = withFault(goodWidths(CASES), at, fault);
      const outcome = await solve(widths, { solver, onError: 'mark' });
      expect(outcome.error).toBeUndefined();
      expect(outcome.text).toBe(answersTo(widths).replace(`${fault}\n`, 'ERROR\n'));
      expect(outcome.stats).toMatchObject({ cases: CASES, failedCases: 1 });
      expect(outcome.warnings).toHaveLength(1);
      expect(outcome.warnings[0]).toContain(
        `test.in:${lineOf(at)}:1: case ${at + 1}: its solver failed: ${reason}`,
      );
      expect(outcome.warnings[0]).toMatch(/; saved as 1$/);
      expect(outcome.saved).toHaveLength(1);
      expect(Buffer.from(outcome.saved[0].bytes).toString().trim()).toBe(boardOf(fault).trim());
    },
  );

  test.each(faults)(
    'a solver that $does ends the run under --on-error stop, after the answers before the case are written',
    async ({ fault, reason }) => {
      const widths = withFault(goodWidths(CASES), 11, fault);
      const { text, error, saved } = await solve(widths, { solver });
      expect(text).toBe(answersTo(widths.slice(0, 11)));
      expect(error).toBeInstanceOf(CaseError);
      expect(error).toMatchObject({ kind: 'worker', fault: { caseNumber: 12, line: lineOf(11), column: 1 } });
      expect((error as Error).message).toContain(reason);
      expect(saved.map(({ caseNumber }) => caseNumber)).toEqual([12]);
    },
  );

  test.each([
    { does: 'hangs', fault: HANG },
    { does: 'hangs in a WebAssembly loop', fault: WASM_HANG },
  ])('a solver that $does longer than the timeout loses only the answer to that case', async ({ fault }) => {
    const widths = withFault(goodWidths(CASES), 11, fault);
    const outcome = await solve(widths, { solver, onError: 'mark', timeoutSeconds: 0.2 });
    expect(outcome.text).toBe(answersTo(widths).replace(`${fault}\n`, 'ERROR\n'));
    expect(outcome.warnings).toEqual([
      `test.in:${lineOf(11)}:1: case 12: no answer within 0.2 s; saved as 1`,
    ]);
    expect(outcome.stats).toMatchObject({ failedCases: 1, retries: 0 });
    // The cases of a batch are solved again one by one. A case that hangs when it is solved alone is not tried again.
    expect(outcome.attempts).toHaveLength(solver === 'portable' ? 1 : 2);
  });

  test('a solver that hangs at many cases of a chunk is stopped once for each of these cases', async () => {
    const widths = goodWidths(40).map((width, i) => (i % 8 === 3 ? HANG : width));
    const outcome = await solve(widths, { solver, onError: 'mark', timeoutSeconds: 0.1 });
    expect(outcome.text).toBe(answersTo(widths).replaceAll(`${HANG}\n`, 'ERROR\n'));
    expect(outcome.stats.failedCases).toBe(5);
    expect(outcome.attempts).toHaveLength(solver === 'portable' ? 5 : 6);
  });

  test('if a worker died once, its chunk is solved again, and no case is reported as failed', async () => {
    const widths = withFault(goodWidths(CASES), 11, EXIT_ONCE);
    const outcome = await solve(widths, { solver });
    expect(outcome).toMatchObject({ error: undefined, text: answersTo(widths), attempts: ['exit-once'] });
    expect(outcome.stats).toMatchObject({ failedCases: 0, retries: 1 });
  });

  test.each([0, 2])(
    'with --retries %i, a failed chunk and a failed case are tried again that many times',
    async (retries) => {
      const widths = withFault(goodWidths(CASES), 11, EXIT);
      const outcome = await solve(widths, { solver, retries, onError: 'mark' });
      // The case fails with its whole chunk, and then alone. With the SIMD solver, it also fails when the boards of its
      // batch are solved one by one.
      const levels = solver === 'portable' ? 2 : 3;
      expect(outcome.attempts).toHaveLength(levels * (1 + retries));
      expect(outcome.stats.retries).toBe(levels * retries);
      expect(outcome.stats.failedCases).toBe(1);
    },
  );
});

test('each case of a chunk that fails is reported with its own kind of failure', async () => {
  const widths = [1, EXIT, 2, 3, HANG, THROW, 4, EXIT, 5];
  const outcome = await solve(widths, { solver: 'simd', onError: 'mark', timeoutSeconds: 0.2 });
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
  const folder = join(root, 'bad-and-failing');
  mkdirSync(folder);
  const workerFile = new URL('../fixtures/faulty-worker.mjs', import.meta.url).href;
  const pool = new LocalPool({ problem: referenceTo(folder), solver: 'simd' }, { jobs: 1, workerFile });
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
    setFlagsFromString('--max-old-space-size=4096');
  }
});

test('if a worker dies between two chunks, all cases are answered', async () => {
  const widths = withFault(goodWidths(400), 0, DIE_LATER);
  const outcome = await solve(widths, { chunkBytes: 64 });
  expect(outcome).toMatchObject({ error: undefined, text: answersTo(widths) });
});

describe('a timeout', () => {
  test('a batch may take longer than the timeout, because the timeout is for one case', async () => {
    const widths = Array.from({ length: 25 }, () => SLOW);
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

test.each(['no-start-throw', 'no-start-exit'])(
  'a worker that cannot start (%s) ends the run, also under --on-error mark, and no case is reported as failed',
  async (worker) => {
    const outcome = await solve(goodWidths(5), { worker, onError: 'mark' });
    expect(outcome.text).toBe('');
    expect(outcome.error).toMatchObject({ kind: 'worker' });
    expect((outcome.error as Error).message).toMatch(/^no worker can start: /);
  },
);

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
  const bytes = new TextEncoder().encode(boardOf(1));
  const starts = Uint32Array.of(0, bytes.length);
  const solving = recovery.solve({
    bytes,
    starts,
    firstCase: 1,
    head: shareInputHead(null),
    settings: { outputFormat: 'text', columns: [], onError: 'mark' },
    origin: null,
    isSolvedOneByOne: false,
  });
  recovery.stop();
  fail(new ChunkFailure('crash', 'shut down', null));
  await expect(solving).rejects.toThrow('shut down');
  expect(attempts).toBe(1);
});
