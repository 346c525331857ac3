/**
 * Solves boards with a worker thread that fails on purpose (tests/fixtures/faulty-worker.mjs), and says what the answers of such
 * a run must be.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { CaseError } from '../../src/core/errors.js';
import { LocalPool } from '../../src/engine/local-pool.js';
import { solveInput } from '../../src/engine/run.js';
import type { FailedCase } from '../../src/engine/run-options.js';
import { RunTally, type Stats } from '../../src/engine/tally.js';
import { boardOf, type GivenOptions, MemorySink, runOptions, sourceOf } from './running.js';
import { createFolder } from './temporary-folder.js';

/** The widths of boards that make the worker of these tests fail or be slow. Each name says what the worker does. */
export const EXIT = 21;
export const THROW = 22;
const TRAP = 23;
export const HEAP = 24;
export const HANG = 25;
export const WASM_HANG = 26;
const EXIT_ONCE = 27;
export const DIE_LATER = 28;
export const SLOW = 30;

type SolverName = 'portable' | 'simd';

interface SolveOptions extends GivenOptions {
  readonly solver?: SolverName;
  readonly timeoutSeconds?: number;
  readonly worker?: string;
}

interface PoolOptions {
  readonly solver: SolverName;
  readonly timeoutSeconds: number | null;
  readonly worker: string;
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

/** Opens a pool with one thread. Its worker takes the path of its folder from the reference to a problem. */
function openPool(folder: string, { solver, timeoutSeconds, worker }: PoolOptions): LocalPool {
  const workerFile = new URL(`../fixtures/${worker}.mjs`, import.meta.url).href;
  const problem = { kind: 'built-in', name: folder } as const;
  return new LocalPool({ problem, solver }, { jobs: 1, timeoutSeconds, workerFile });
}

/** Opens a pool with one thread and the SIMD solver, whose worker fails on purpose. */
export const openFaultyPool = () =>
  openPool(createFolder(), { solver: 'simd', timeoutSeconds: null, worker: 'faulty-worker' });

/** Solves boards of these widths as one chunk. */
export async function solve(widths: readonly number[], solveOptions: SolveOptions = {}): Promise<Outcome> {
  const { solver = 'portable', timeoutSeconds = null, worker = 'faulty-worker', ...rest } = solveOptions;
  const folder = createFolder();
  const pool = openPool(folder, { solver, timeoutSeconds, worker });
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

export const goodWidths = (cases: number) => Array.from({ length: cases }, (_, i) => (i % 9) + 1);
export const answersTo = (widths: readonly number[]) => widths.map((width) => `${width}\n`).join('');
export const withFault = (widths: readonly number[], index: number, fault: number) =>
  widths.with(index, fault);
const lineOf = (index: number) => 2 * index + 1;

const CASES = 20;

/** What a solver can do instead of giving an answer: the width of the board, and the reason that a message gives. */
const FAULTS = {
  exits: { fault: EXIT, reason: 'worker exited with code: 7' },
  throws: { fault: THROW, reason: 'a defect' },
  'traps in WebAssembly': { fault: TRAP, reason: 'unreachable' },
};
type FaultName = keyof typeof FAULTS;

/** Expects that a run marks only the case with this index, at which the solver fails, and saves it. */
export async function expectOneLost(solver: SolverName, does: FaultName, at: number): Promise<void> {
  const { fault, reason } = FAULTS[does];
  const widths = withFault(goodWidths(CASES), at, fault);
  const outcome = await solve(widths, { solver, retries: 0, onError: 'mark' });
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
}

/** Expects that under --on-error stop a run ends at the case at which the solver fails. */
export async function expectEndOfRun(solver: SolverName, does: FaultName): Promise<void> {
  const { fault, reason } = FAULTS[does];
  const widths = withFault(goodWidths(CASES), 11, fault);
  const { text, error, saved } = await solve(widths, { solver, retries: 0 });
  expect(text).toBe(answersTo(widths.slice(0, 11)));
  expect(error).toBeInstanceOf(CaseError);
  expect(error).toMatchObject({ kind: 'worker', fault: { caseNumber: 12, line: lineOf(11), column: 1 } });
  expect((error as Error).message).toContain(reason);
  expect(saved.map(({ caseNumber }) => caseNumber)).toEqual([12]);
}

/** Expects that a run marks only the case at which the solver hangs. */
export async function expectTimeout(solver: SolverName, fault: number): Promise<void> {
  const widths = withFault(goodWidths(CASES), 11, fault);
  const outcome = await solve(widths, { solver, onError: 'mark', timeoutSeconds: 0.2 });
  expect(outcome.text).toBe(answersTo(widths).replace(`${fault}\n`, 'ERROR\n'));
  expect(outcome.warnings).toEqual([`test.in:${lineOf(11)}:1: case 12: no answer within 0.2 s; saved as 1`]);
  expect(outcome.stats).toMatchObject({ failedCases: 1, retries: 0 });
  // The cases of a batch are solved again one by one. A case that hangs when it is solved alone is not tried again.
  expect(outcome.attempts).toHaveLength(solver === 'portable' ? 1 : 2);
}

/** Expects that a worker is stopped once for each of five cases at which the solver hangs, and once more for a batch. */
export async function expectManyTimeouts(solver: SolverName): Promise<void> {
  const widths = goodWidths(40).map((width, i) => (i % 8 === 3 ? HANG : width));
  const outcome = await solve(widths, { solver, onError: 'mark', timeoutSeconds: 0.1 });
  expect(outcome.text).toBe(answersTo(widths).replaceAll(`${HANG}\n`, 'ERROR\n'));
  expect(outcome.stats.failedCases).toBe(5);
  expect(outcome.attempts).toHaveLength(solver === 'portable' ? 5 : 6);
}

/** Expects that a chunk whose worker dies once is solved again. */
export async function expectSolvedAgain(solver: SolverName): Promise<void> {
  const widths = withFault(goodWidths(CASES), 11, EXIT_ONCE);
  const outcome = await solve(widths, { solver });
  expect(outcome).toMatchObject({ error: undefined, text: answersTo(widths), attempts: ['exit-once'] });
  expect(outcome.stats).toMatchObject({ failedCases: 0, retries: 1 });
}

/** Expects that the cases that fail are tried that many times again. */
export async function expectRetries(solver: SolverName, retries: number): Promise<void> {
  const widths = withFault(goodWidths(CASES), 11, EXIT);
  const outcome = await solve(widths, { solver, retries, onError: 'mark' });
  // The case fails with its whole chunk, and then alone. With the SIMD solver, it also fails when the boards of its
  // batch are solved one by one.
  const levels = solver === 'portable' ? 2 : 3;
  expect(outcome.attempts).toHaveLength(levels * (1 + retries));
  expect(outcome.stats.retries).toBe(levels * retries);
  expect(outcome.stats.failedCases).toBe(1);
}
