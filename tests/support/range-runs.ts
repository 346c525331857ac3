/** Solves inputs in ranges, with workers that are in this thread, and compares such runs with runs without ranges. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import { createInputHasher } from '../../src/engine/input/input-hash.js';
import type { Source } from '../../src/engine/input/source.js';
import { PIPE_SEGMENT_BYTES } from '../../src/engine/limits.js';
import type { ErrorPolicy } from '../../src/engine/output-settings.js';
import type { RunPosition } from '../../src/engine/position.js';
import { solveInput } from '../../src/engine/run.js';
import { RunTally } from '../../src/engine/tally.js';
import type { InputFormat } from '../../src/formats/input-format.js';
import { formats } from '../../src/formats/language/formats.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { inputFormat as bacterialTactics } from '../../src/games/bacterial-tactics/format.js';
import type { Problem } from '../../src/problems/problem.js';
import { InProcess, type RangeFailure, RangesInProcess } from './in-process.js';
import { bytesOf } from './inputs.js';
import { PipeInMemory } from './pipe-in-memory.js';
import { Random } from './random.js';
import { MemorySink, runOptions, sourceOf, widthProblem } from './running.js';
import { createFolder } from './temporary-folder.js';

export type Bytes = Uint8Array<ArrayBuffer>;

export const FILE = join(createFolder(), 'input');

/** Returns a problem with this input format. The answer to a case is a number that depends on all of the case. */
export function checksumProblem(inputFormat: InputFormat): Problem {
  const checksum = (value: unknown): number => {
    const out = new ByteWriter(256);
    inputFormat.printCase(value, out);
    return out.take().reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7);
  };
  const problem: Partial<Problem> = {
    ...(widthProblem as Partial<Problem>),
    inputFormat,
    solvers: {
      createPortable: () => ({
        name: 'portable',
        lanes: 1,
        fallbackCases: 0,
        solve(values, count, answers) {
          for (let i = 0; i < count; i++) answers[i] = checksum(values[i]);
        },
      }),
    },
  };
  return problem as Problem;
}

export interface Settings {
  readonly onError: ErrorPolicy;
  /** Size of the chunks that the coordinator cuts, and then of the ranges. */
  readonly chunkBytes: number | null;
  /** Size of the chunks at which ranges follow. Missing: they follow the first chunk. */
  readonly minRangeBytes?: number;
  /** Ranges on which the worker fails. */
  readonly failures?: readonly RangeFailure[];
  readonly from?: RunPosition | null;
  readonly isHashed?: boolean;
  /** Numbers of bytes that come from a pipe at once, in turn. */
  readonly pieces?: readonly number[];
}

/** How an input is solved: with chunks that the coordinator cuts, or with ranges of a file or a pipe. */
type Way = 'chunks' | 'file' | 'pipe';

function openInput(input: Bytes, way: Way, descriptor: number, pieces: readonly number[]): Source {
  const file = { descriptor, bytes: input.length, hold: () => () => {} };
  if (way === 'chunks') return sourceOf(input);
  return way === 'file' ? sourceOf(input, undefined, { file }) : new PipeInMemory(input, pieces).source;
}

/** Solves the input in one of the ways, and returns all that a user could see. */
export async function solve(inputFormat: InputFormat, input: Bytes, settings: Settings, way: Way) {
  const { onError, chunkBytes, failures = [], from = null, isHashed = false, pieces = [1 << 16] } = settings;
  const { minRangeBytes = 1 } = settings;
  const problem = checksumProblem(inputFormat);
  writeFileSync(FILE, input);
  const descriptor = openSync(FILE, 'r');
  const source = openInput(input, way, descriptor, pieces);
  const dispatcher =
    way === 'chunks'
      ? new InProcess(problem)
      : new RangesInProcess(problem, (index) => failures[index] ?? null);
  const sink = new MemorySink(from, isHashed);
  const tally = new RunTally();
  const warnings: string[] = [];
  const options = runOptions({
    problem,
    onError,
    chunkBytes,
    minRangeBytes,
    warn: (message) => warnings.push(message),
  });
  try {
    const outcome = await solveInput(source, sink, dispatcher, options, tally).then(
      ({ end }) => ({ error: null, read: end.input }),
      (thrown: Error) => ({ error: thrown.message, read: null }),
    );
    const { cases, failedCases } = tally;
    const seen = { text: sink.text, ...outcome, warnings, cases, failedCases };
    const { results: ranges, slowCases } =
      dispatcher instanceof RangesInProcess ? dispatcher : { results: [], slowCases: [] };
    return {
      seen,
      positions: sink.positions,
      ranges,
      slowCases,
      retries: tally.retries,
      bytes: tally.bytesRead,
    };
  } finally {
    closeSync(descriptor);
  }
}

/** Returns what a run that has succeeded must know of the input, from all of its bytes. */
function extentOf(input: Bytes, isHashed = false) {
  const hash = createInputHasher();
  hash.update(input);
  return { bytes: input.length, digest: isHashed ? hash.digest() : null };
}

/** Expects that ranges change nothing that a user could see, and that a run knows all bytes that it was made from. */
export async function expectSame(inputFormat: InputFormat, input: Bytes, settings: Settings): Promise<void> {
  const expected = await solve(inputFormat, input, { ...settings, failures: [] }, 'chunks');
  if (expected.seen.error === null) expect(expected.seen.read).toEqual(extentOf(input, settings.isHashed));
  for (const way of ['file', 'pipe'] as const) {
    const got = await solve(inputFormat, input, settings, way);
    expect([way, got.seen]).toEqual([way, expected.seen]);
  }
}

const failing = new Random(42);
/** Two of four ranges fail, before or after their worker has filled the handoff. */
export const FAILURES: readonly RangeFailure[] = Array.from({ length: 200 }, () =>
  failing.pick([null, null, 'before', 'after']),
);

/** Returns an input of large cases, of which one is invalid, with whitespace between cases and very much at the end. */
function severalSegments() {
  const limits = { minRows: 1, maxRows: 500, minCols: 1, maxCols: 500, maxCells: 250_000 };
  const inputFormat = bacterialTactics.narrowed(limits);
  const random = new Random(41);
  // Many cases are so large that they are in several blocks.
  const cases = Array.from({ length: 200 }, () => {
    const [rows, cols] = [1 + random.below(500), 1 + random.below(500)];
    return `${rows} ${cols}\n${`${'.'.repeat(cols)}\n`.repeat(rows)}`;
  });
  const text = cases.join('').replaceAll('\n2', '\n\n \n2').replace('\n9', '\n9x');
  const input = bytesOf(`${cases.length}\n${text}${' \n'.repeat(1e6)}`);
  const pieces = Array.from({ length: 9 }, () => 1 + random.below(300_000));
  return { inputFormat, input, pieces };
}

/** Returns an input with small cases, and some that begin in one segment and end in a later one, which may be the next but one. */
export function casesOverSegments() {
  const inputFormat = new TreeInputFormat(
    formats.counted({ n: formats.int(1, 6_000_000), a: formats.ints('n') }),
  );
  const random = new Random(43);
  const sizes = Array.from({ length: 60 }, () => random.pick([1, 10, 1000, 100_000]));
  for (const [at, segments] of [
    [12, 0.3],
    [20, 1.1],
    [21, 1.7],
    [44, 0.9],
  ])
    sizes[at] = Math.floor((segments * PIPE_SEGMENT_BYTES) / 2);
  const text = sizes.map((n) => `${n}\n${'7 '.repeat(n - 1)}${n % 10 || 3}\n`).join('');
  const pieces = Array.from({ length: 9 }, () => 1 + random.below(1_000_000));
  return { inputFormat, input: bytesOf(`${sizes.length}\n${text}`), pieces };
}

/**
 * Expects that a pipe whose bytes fill several segments is answered as without ranges, and that such a run can be resumed
 * after its last ranges.
 */
export async function expectSameFromSegments(
  how: Pick<Settings, 'chunkBytes' | 'minRangeBytes' | 'failures'>,
  resumedPositions = 3,
) {
  const { inputFormat, input, pieces } = severalSegments();
  expect(input.length).toBeGreaterThan(2 * PIPE_SEGMENT_BYTES);
  const settings: Settings = { onError: 'mark', isHashed: true, pieces, ...how };
  const whole = await solve(inputFormat, input, { ...settings, failures: [] }, 'chunks');
  const piped = await solve(inputFormat, input, settings, 'pipe');
  expect(piped.seen).toEqual(whole.seen);
  expect(piped.seen.failedCases).toBeGreaterThan(0);
  expect(piped.bytes).toBe(input.length);
  expect(piped.ranges.length).toBeGreaterThan(5);
  for (const { position, text } of piped.positions.slice(-resumedPositions)) {
    const rest = await solve(inputFormat, input, { ...settings, from: position }, 'pipe');
    expect(rest.seen).toMatchObject({ error: null, text: whole.seen.text.slice(text.length) });
  }
}
