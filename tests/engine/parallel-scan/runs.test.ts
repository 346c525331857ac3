/**
 * Tests of runs in which the workers read and scan ranges of the input themselves. Whatever the input is, and wherever its
 * ranges end, such a run gives what a run gives whose coordinator scans the input. The workers of these tests are in this
 * thread; tests/engine/parallel-scan/threads.test.ts has real ones.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Source } from '../../../src/engine/input/source.js';
import { FIRST_CHUNK_BYTES } from '../../../src/engine/limits.js';
import type { ErrorPolicy } from '../../../src/engine/output-settings.js';
import { solveInput } from '../../../src/engine/run.js';
import { RunTally } from '../../../src/engine/tally.js';
import { TreeInputFormat } from '../../../src/formats/tree/tree-format.js';
import { type RangeFailure, RangesInProcess } from '../../support/in-process.js';
import {
  anyDamage,
  anyInput,
  applyDamage,
  bulkInput,
  bytesOf,
  STYLES,
  styleOf,
} from '../../support/inputs.js';
import { PipeInMemory } from '../../support/pipe-in-memory.js';
import { runs } from '../../support/random-tests.js';
import {
  type Bytes,
  checksumProblem,
  expectSame,
  expectSameFromSegments,
  FAILURES,
  FILE,
  type Settings,
  solve,
} from '../../support/range-runs.js';
import { MemorySink, runOptions, sourceOf } from '../../support/running.js';
import { SAMPLES } from '../../support/samples.js';
import { allowSlowTests } from '../../support/slow-tests.js';
import { printInput } from '../../support/tree-reading.js';

allowSlowTests();

const anySettings = fc.record({
  onError: fc.constantFrom<ErrorPolicy>('stop', 'mark'),
  chunkBytes: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 400 })),
  pieces: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
  isHashed: fc.boolean(),
  failures: fc.oneof(
    { weight: 2, arbitrary: fc.constant<RangeFailure[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom<RangeFailure>(null, null, 'before', 'after')) },
  ),
});

describe.each(STYLES)('$name', ({ name }) => {
  const style = styleOf(name);

  test('a damaged input is answered alike with ranges and without, also if workers fail', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput(style, 3), anySettings, (input, settings) =>
        expectSame(style.inputFormat, input, settings),
      ),
      { numRuns: runs(25) },
    );
  });

  test('all ranges of a canonical input but the first begin where a worker speculated', async () => {
    const input = bytesOf(bulkInput(style, 600, 6, 5));
    const { seen, ranges, bytes } = await solve(
      style.inputFormat,
      input,
      { onError: 'stop', chunkBytes: 500 },
      'file',
    );
    expect(seen).toMatchObject({ error: null, cases: 600 });
    expect(bytes).toBe(input.length);
    expect(ranges.length).toBeGreaterThan(5);
    // The first range begins at a known place, and a speculative scan never comes to the end of the input.
    expect(ranges.slice(1).filter(({ scan }) => !scan.isSpeculative && !scan.stop.isOver)).toEqual([]);
  });
});

describe.each(SAMPLES)('the layout of $name', ({ layout, value }) => {
  const format = new TreeInputFormat(layout);
  const cases = fc.array(value, { minLength: layout.ending.kind === 'until-end' ? 1 : 0, maxLength: 9 });
  const damages = fc.array(anyDamage(), { maxLength: 2 });

  test('a damaged input is answered alike with ranges and without, also if workers fail', async () => {
    await fc.assert(
      fc.asyncProperty(cases, damages, anySettings, (values, changes, settings) =>
        expectSame(
          format,
          changes.reduce(applyDamage, Uint8Array.from(printInput(layout, values))),
          settings,
        ),
      ),
      { numRuns: runs(8) },
    );
  });
});

test('ranges grow as long as workers solve them in less time than wanted', async () => {
  // No time passes, so all cases are cheap.
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const style = styleOf('bacterial-tactics');
  const input = bytesOf(bulkInput(style, 20_000, 8, 8));
  const run = solve(style.inputFormat, input, { onError: 'stop', chunkBytes: null }, 'file');
  const { seen, ranges } = await run.finally(() => now.mockRestore());
  expect(seen).toMatchObject({ error: null, cases: 20_000 });
  const sizes = ranges.map(({ scan }) => scan.stop.offset - scan.start);
  expect(Math.max(...sizes)).toBeGreaterThan(50 * FIRST_CHUNK_BYTES);
});

describe('checkpoints', () => {
  const style = styleOf('darkraft');
  const input = bytesOf(
    bulkInput(style, 4000, 9, 8).replaceAll('3 3\n', '3  3\n\n').replaceAll('\n2', '\n\n\n2'),
  );
  const settings: Settings = { onError: 'mark', chunkBytes: 1000, isHashed: true, pieces: [700, 311] };

  test.each(['file', 'pipe'] as const)('a run can be resumed after each range of a %s', async (way) => {
    const damaged = applyDamage(input, { kind: 'replace', place: 0.7, byte: 0x3f, length: 1 });
    const whole = await solve(style.inputFormat, damaged, settings, 'chunks');
    const inRanges = await solve(style.inputFormat, damaged, settings, way);
    expect(inRanges.seen).toEqual(whole.seen);
    expect(inRanges.seen.failedCases).toBeGreaterThan(0);
    const later = inRanges.positions.filter(({ position }) => position.scan.offset > 65536);
    expect(later.length).toBeGreaterThanOrEqual(2);
    // A pipe has ten times as many ranges, because they need not begin with a block.
    for (const { position, text } of later.filter((_, index) => way === 'file' || index % 10 === 0)) {
      for (const next of ['chunks', way] as const) {
        const rest = await solve(style.inputFormat, damaged, { ...settings, from: position }, next);
        expect(rest.seen).toMatchObject({ error: null, text: whole.seen.text.slice(text.length) });
        expect(rest.seen).toMatchObject({ cases: whole.seen.cases, failedCases: whole.seen.failedCases });
      }
    }
  });

  test('no run continues where the bytes of a pipe have ended so far, because what follows is not known', async () => {
    // Each piece ends where the scan is looking for the next case, and the next one begins with a token.
    const piece = `${'2 2\nLR\nXL\n'.repeat(20)}2 2\n${'?? '.repeat(20)}`;
    const settings: Settings = {
      onError: 'mark',
      chunkBytes: piece.length,
      isHashed: true,
      pieces: [piece.length],
    };
    const input = bytesOf(piece.repeat(10));
    const { seen, positions, ranges } = await solve(style.inputFormat, input, settings, 'pipe');
    expect(ranges.length).toBeGreaterThan(5);
    for (const { position, text } of positions) {
      const rest = await solve(style.inputFormat, input, { ...settings, from: position }, 'chunks');
      expect(rest.seen).toMatchObject({ error: null, text: seen.text.slice(text.length) });
    }
  });

  test('a run refuses to continue after a range if a byte before it has changed', async () => {
    const { positions } = await solve(style.inputFormat, input, settings, 'file');
    const last = positions.at(-1)!.position;
    for (const place of [0.01, 0.5, (last.scan.offset - 1) / input.length]) {
      const changed = input.slice();
      changed[Math.floor(place * input.length)] ^= 1;
      const { seen } = await solve(style.inputFormat, changed, { ...settings, from: last }, 'file');
      expect(seen.error).toContain('does not match the checkpoint');
    }
  });
});

test('a pipe whose bytes fill several segments is answered as it is without ranges, also if workers fail', () =>
  expectSameFromSegments({ chunkBytes: 1 << 17, failures: FAILURES }, 1));

describe('a pipe that cannot be read to its end', () => {
  const style = styleOf('river-pawn');
  const input = bytesOf(bulkInput(style, 300, 5, 9));

  test.each([900, 5000, input.length])(
    'fails at byte %i after the answers to all cases before it',
    async (failsAt) => {
      const problem = checksumProblem(style.inputFormat);
      const answersOf = async (source: Source, minRangeBytes: number) => {
        const sink = new MemorySink();
        const options = runOptions({ problem, chunkBytes: 300, minRangeBytes });
        const running = solveInput(source, sink, new RangesInProcess(problem), options, new RunTally());
        await expect(running).rejects.toThrow(/it fails$/);
        return sink.text;
      };
      const pieces = [100, 37];
      const scanned = await answersOf(
        new PipeInMemory(input, pieces, failsAt).source,
        Number.POSITIVE_INFINITY,
      );
      expect(await answersOf(new PipeInMemory(input, pieces, failsAt).source, 1)).toBe(scanned);
      expect(scanned).not.toBe('');
    },
  );

  test('is not waited for if what follows the last case is wrong', { timeout: 10_000 }, async () => {
    const { inputFormat } = styleOf('bacterial-tactics');
    const problem = checksumProblem(inputFormat);
    const text = `${bulkInput(styleOf('bacterial-tactics'), 50, 5, 3)}more`;
    const pipe = new PipeInMemory(bytesOf(`${text} and more`), [100], text.length + 1);
    pipe.onWaiting = () => {};
    const options = runOptions({ problem, chunkBytes: 300, minRangeBytes: 1 });
    const sink = new MemorySink();
    const running = solveInput(pipe.source, sink, new RangesInProcess(problem), options, new RunTally());
    await expect(running).rejects.toThrow(/expected the end of the input/);
    expect(sink.text.split('\n')).toHaveLength(51);
  });

  test('is given up when the source is closed', async () => {
    const problem = checksumProblem(style.inputFormat);
    const pipe = new PipeInMemory(input, [100], 2000);
    const stop = new AbortController();
    pipe.onWaiting = () => {
      stop.abort('SIGTERM');
      pipe.close();
    };
    const options = runOptions({ problem, chunkBytes: 300, minRangeBytes: 1, stop: stop.signal });
    const sink = new MemorySink();
    const running = solveInput(pipe.source, sink, new RangesInProcess(problem), options, new RunTally());
    await expect(running).rejects.toThrow(/stopped by SIGTERM/);
    expect(sink.text).not.toBe('');
  });
});

describe('a file that is not what it was when it was opened', () => {
  const style = styleOf('link-and-pop');
  const input = bytesOf(bulkInput(style, 300, 5, 6));

  test.each([
    ['cut short', (bytes: Bytes) => bytes.slice(0, -700)],
    ['empty', () => new Uint8Array(0)],
  ])('a file that is %s while it is read is an input that ends there', async (_, change) => {
    const problem = checksumProblem(style.inputFormat);
    writeFileSync(FILE, change(input));
    const descriptor = openSync(FILE, 'r');
    const file = { descriptor, bytes: input.length, hold: () => () => {} };
    const source = sourceOf(input, undefined, { file });
    const options = runOptions({ problem, chunkBytes: 300, minRangeBytes: 1 });
    const sink = new MemorySink();
    const running = solveInput(source, sink, new RangesInProcess(problem), options, new RunTally());
    await expect(running).rejects.toThrow(/expected|cannot read/);
    closeSync(descriptor);
  });
});

describe('an input whose cases end before the file does', () => {
  /** Returns an input of 300 cases, of which only the first 120 count, with its style. */
  const inputs = {
    'a number of cases that is too small': () => {
      const text = bulkInput(styleOf('bacterial-tactics'), 300, 5, 3);
      return { style: styleOf('bacterial-tactics'), text: text.replace('300\n', '120\n') };
    },
    'a terminator in the middle': () => {
      const style = styleOf('link-and-pop');
      const [first, second] = [bulkInput(style, 120, 5, 3), bulkInput(style, 180, 5, 4)];
      return { style, text: first + second };
    },
  };
  const failures: Record<string, readonly RangeFailure[]> = {
    none: [],
    before: Array.from({ length: 200 }, () => 'before'),
    after: Array.from({ length: 200 }, () => 'after'),
  };

  for (const [what, create] of Object.entries(inputs)) {
    test.each(Object.keys(failures))(
      `${what} is an error behind the last case that counts, with workers that fail: %s`,
      async (when) => {
        const { style, text } = create();
        const policies = ['stop', 'mark'] as const;
        const sizes = [40, 333, 2000];
        for (const [onError, chunkBytes] of policies.flatMap((each) =>
          sizes.map((size) => [each, size] as const),
        )) {
          const settings: Settings = { onError, chunkBytes, failures: failures[when] };
          for (const way of ['file', 'pipe'] as const) {
            const { seen } = await solve(style.inputFormat, bytesOf(text), settings, way);
            expect(seen).toMatchObject({ cases: 120, failedCases: 0, warnings: [] });
            expect(seen.text.split('\n')).toHaveLength(121);
            expect(seen.error).toMatch(/expected the end of the input/);
          }
        }
      },
    );
  }
});
