/**
 * Tests of ranges with real worker threads that die, throw and hang. Whatever the workers do, a run with ranges gives what a
 * run without them gives. The worker of these tests (fixtures/faulty-worker.mjs) fails on purpose.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Interrupted } from '../../../src/core/errors.js';
import { openSource } from '../../../src/engine/input/read.js';
import { Source } from '../../../src/engine/input/source.js';
import { LocalPool } from '../../../src/engine/local-pool.js';
import type { RunPosition } from '../../../src/engine/position.js';
import { solveInput } from '../../../src/engine/run.js';
import { RunTally } from '../../../src/engine/tally.js';
import { InProcess } from '../../support/in-process.js';
import { Random } from '../../support/random.js';
import { boardOf, type GivenOptions, MemorySink, runOptions, widthProblem } from '../../support/running.js';
import { allowSlowTests } from '../../support/slow-tests.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

allowSlowTests();

/** The widths of boards at which the worker of these tests fails. */
const EXIT = 21;
const THROW = 22;
const HANG = 25;
const EXIT_ONCE = 27;

const WORKER_FILE = new URL('../../fixtures/faulty-worker.mjs', import.meta.url).href;
const CASES = 9000;
/** Small enough for about fifty ranges. If the input is hashed, ranges are larger: they have whole blocks. */
const RANGE_BYTES = 2500;

const root = temporaryFolder();
let folders = 0;

/** Returns the widths of good boards, with boards that make the worker fail at the given indexes. */
function widthsWith(faults: Readonly<Record<number, number>>): number[] {
  const random = new Random(19);
  return Array.from({ length: CASES }, (_, index) => faults[index] ?? 1 + random.below(19));
}

interface Given extends GivenOptions {
  readonly diesEarly?: boolean;
  readonly timeoutSeconds?: number;
  readonly change?: (input: string) => string;
  readonly from?: RunPosition;
  /** Number of writes after which a signal stops the run. If it is given, the sink keeps positions. */
  readonly stopAfterWrites?: number;
  readonly jobs?: number;
  /** Whether the thread of the test solves the chunks. */
  readonly isInThread?: boolean;
}

/** A sink that stops the run after it has been given answers so many times. */
class StoppingSink extends MemorySink {
  readonly stop = new AbortController();
  readonly #writes: number;

  constructor(from: RunPosition | null, writes: number | undefined) {
    super(from, writes !== undefined);
    this.#writes = writes ?? Number.POSITIVE_INFINITY;
  }

  override async write(bytes: Uint8Array, position: RunPosition | null): Promise<void> {
    await super.write(bytes, position);
    if (this.positions.length === this.#writes) this.stop.abort('SIGINT');
  }
}

async function solve(widths: readonly number[], hasRanges: boolean, given: Given = {}) {
  const { diesEarly = false, timeoutSeconds = null, change = (input) => input, ...others } = given;
  const { from = null, stopAfterWrites, isInThread = false, jobs = hasRanges ? 2 : 1, ...rest } = others;
  const folder = join(root, `${++folders}`);
  mkdirSync(folder);
  if (diesEarly) writeFileSync(join(folder, 'dies-early'), '');
  const path = join(folder, 'input');
  writeFileSync(path, change(widths.map(boardOf).join('')));
  const opened = await openSource(path);
  const { file, size, pieces } = opened;
  expect(file).not.toBeNull();
  const close = () => opened.close();
  const source = new Source({
    name: 'test.in',
    size,
    pieces,
    close,
    ...(hasRanges ? { file: file! } : {}),
  });
  const pool = isInThread
    ? new InProcess(widthProblem)
    : new LocalPool(
        { problem: { kind: 'built-in', name: folder }, solver: 'simd' },
        { jobs, timeoutSeconds, workerFile: WORKER_FILE },
      );
  const sink = new StoppingSink(from, stopAfterWrites);
  const tally = new RunTally();
  const warnings: string[] = [];
  const options = runOptions({
    chunkBytes: RANGE_BYTES,
    minRangeBytes: 1,
    stop: sink.stop.signal,
    warn: (message) => warnings.push(message),
    saveCase: async ({ caseNumber, bytes }) => `saved ${caseNumber} with ${bytes.length} bytes`,
    ...rest,
  });
  try {
    const error = await solveInput(source, sink, pool, options, tally).then(
      () => null,
      (thrown: Error) => thrown,
    );
    const { cases, failedCases } = tally;
    const message = error?.message ?? null;
    return { seen: { text: sink.text, message, warnings, cases, failedCases }, error, tally, sink };
  } finally {
    await Promise.all([opened.close(), pool.close()]);
  }
}

/** Expects that the run with ranges gives what the run without them gives, and returns it. */
async function expectSame(widths: readonly number[], given: Given = {}) {
  const expected = await solve(widths, false, given);
  const got = await solve(widths, true, given);
  expect(got.seen).toEqual(expected.seen);
  return got;
}

/** Returns what a user sees of a run in which no case fails: the answer to each board is its width. */
function answered(widths: readonly number[]) {
  const text = widths.map((width) => `${width}\n`).join('');
  return { text, message: null, warnings: [], cases: widths.length, failedCases: 0 };
}

test('three threads solve ranges as they solve chunks', async () => {
  const widths = widthsWith({});
  const { seen, tally } = await solve(widths, true, { chunkBytes: 1 << 15, jobs: 3 });
  expect(seen).toEqual(answered(widths));
  expect(tally.retries).toBe(0);
});

test('workers that die before they have filled a handoff lose no answer', async () => {
  const widths = widthsWith({});
  const { seen } = await solve(widths, true, { chunkBytes: 4 * RANGE_BYTES, diesEarly: true });
  expect(seen).toEqual(answered(widths));
});

test('a solver that exits, throws or hangs loses only the answers to those cases', async () => {
  const faults = { 4100: THROW, 5000: HANG, 5001: EXIT };
  const { seen } = await expectSame(widthsWith(faults), { onError: 'mark', retries: 0, timeoutSeconds: 0.3 });
  expect(seen).toMatchObject({ cases: CASES, failedCases: 3, message: null });
  expect(seen.warnings[1]).toMatch(/: case 5001: no answer within 0\.3 s; saved 5001 with /);
});

test.each([0, 1])('a worker that dies once in a range is replaced, with --retries %i', async (retries) => {
  const widths = widthsWith({ 5000: EXIT_ONCE });
  const { seen, tally } = await solve(widths, true, { retries, onError: 'mark', jobs: 1 + retries });
  expect(seen).toMatchObject({ cases: CASES, failedCases: 0, message: null });
  expect(tally.retries).toBe(retries);
});

test('under --on-error stop, the first failing case ends the run', async () => {
  const { seen } = await expectSame(widthsWith({ 6000: THROW, 7000: EXIT }), { retries: 0 });
  expect(seen.message).toMatch(/: case 6001: its solver failed: a defect; saved 6001/);
  expect(seen.cases).toBe(6000);
});

test.each(['stop', 'mark'] as const)(
  'invalid cases are found where they are, under --on-error %s',
  async (onError) => {
    const change = (input: string) => input.replaceAll(/1 13\nLLL(?=(L|\n)*)/g, '1 13\nLzL').slice(0, -3);
    const { seen } = await solve(widthsWith({}), true, { onError, change });
    const expected = await solve(widthsWith({}), false, { onError, change, isInThread: true });
    expect(seen).toEqual(expected.seen);
    expect(onError === 'stop' ? seen.cases : seen.failedCases).toBeGreaterThan(0);
  },
);

test('a signal stops the run after the ranges that were given out, and the run can be resumed', async () => {
  const widths = Array.from({ length: 8 }, () => widthsWith({})).flat();
  const { error, sink } = await solve(widths, true, { stopAfterWrites: 4, jobs: 1 });
  expect(error).toBeInstanceOf(Interrupted);
  const { position, text } = sink.positions.at(-1)!;
  expect(position.scan.cases).toBeLessThan(widths.length);
  // The answers to all ranges that were given out are written.
  expect(sink.text).toBe(text);
  const rest = await solve(widths, true, { from: position, stopAfterWrites: widths.length });
  const whole = answered(widths);
  expect(rest.seen).toEqual({ ...whole, text: whole.text.slice(text.length) });
});
