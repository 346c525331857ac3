/** What travels through Redis: it is read as it was written, or not at all. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AllowedInputs } from '../../src/engine/cluster/allowed-inputs.js';
import { createAnswerFrame, readAnswerFrame } from '../../src/engine/cluster/answer-frame.js';
import {
  BadChunk,
  createChunkFrame,
  idOfChunk,
  readChunkFrame,
} from '../../src/engine/cluster/chunk-frame.js';
import { createFrame, packFrame, unpackFrame } from '../../src/engine/cluster/frame.js';
import { describeJobFailure, errorOfJob, printJobFailure } from '../../src/engine/cluster/job-failure.js';
import { ChunkFailure } from '../../src/engine/dispatcher.js';
import { MAX_FRAME_BYTES } from '../../src/engine/limits.js';
import type { ChunkResult, ChunkTask } from '../../src/engine/messages.js';
import { temporaryFolder } from '../cli/boardmill.js';

const CHUNK = 'a'.repeat(40);
const MAX_CASES = 50;

const bytes = fc.uint8Array({ maxLength: 3000 }).map((array) => new Uint8Array(array));
const count = fc.nat({ max: 1_000_000 });
const span = fc.record({ lines: count, bytesAfterLastLineEnd: count });
const duration = fc.double({ min: 0, max: 1000, noNaN: true }).map((value) => value + 0);
const cause = fc.oneof(
  fc.record({ kind: fc.constant('input' as const), expected: fc.string(), got: fc.string() }),
  fc.record({ kind: fc.constantFrom('crash', 'timeout', 'refused', 'author' as const), reason: fc.string() }),
);

const result: fc.Arbitrary<ChunkResult> = bytes.chain((output) =>
  fc.record({
    output: fc.constant(output),
    answeredCases: count,
    faults: fc.array(
      fc.record(
        {
          cause,
          index: fc.nat({ max: MAX_CASES - 1 }),
          span,
          outputOffset: fc.nat({ max: output.length }),
          line: count,
          bytes: fc.option(bytes),
        },
        { requiredKeys: ['cause', 'index', 'span', 'outputOffset', 'bytes'] },
      ),
      { maxLength: 3 },
    ),
    span,
    solver: fc.constantFrom(null, 'simd', 'portable', 'exec', 'module' as const),
    fallbackCases: count,
    times: fc.record({ parse: duration, solve: duration, print: duration }),
    slowest: fc.array(fc.record({ case: count, seconds: duration }), { maxLength: 3 }),
  }),
) as fc.Arbitrary<ChunkResult>;

const task: fc.Arbitrary<ChunkTask> = fc
  .record({
    cases: fc.array(fc.uint8Array({ maxLength: 100 }), { minLength: 1, maxLength: MAX_CASES }),
    lookahead: fc.uint8Array({ maxLength: 10 }),
    firstCase: fc.integer({ min: 1, max: 2 ** 50 }),
    head: fc.option(bytes),
    onError: fc.constantFrom('stop', 'mark' as const),
    origin: fc.option(fc.record({ file: fc.string(), line: fc.integer({ min: 1, max: 1000 }) })),
    isSolvedOneByOne: fc.boolean(),
  })
  .map(({ cases, lookahead, head, onError, ...others }) => {
    const starts = Uint32Array.from({ length: cases.length + 1 }, (_, i) =>
      cases.slice(0, i).reduce((sum, { length }) => sum + length, 0),
    );
    return {
      ...others,
      bytes: new Uint8Array(Buffer.concat([...cases, lookahead])),
      starts,
      head: { number: 1, bytes: head },
      settings: { outputFormat: 'ndjson', columns: ['line'], onError },
    };
  });

/** Where a byte is changed, as a fraction of the length, and by what. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  xor: fc.integer({ min: 1, max: 255 }),
});

function changed(buffer: Buffer, { at, xor }: { at: number; xor: number }): Buffer {
  const copy = Buffer.from(buffer);
  copy[Math.floor(at * copy.length)] ^= xor;
  return copy;
}

describe('the answers to a chunk', () => {
  test('are read as they were written', async () => {
    await fc.assert(
      fc.asyncProperty(result, async (written) => {
        const frame = await unpackFrame(await packFrame(createAnswerFrame(CHUNK, written)));
        expect(readAnswerFrame(frame!, CHUNK, MAX_CASES)).toEqual(written);
        expect(readAnswerFrame(frame!, 'b'.repeat(40), MAX_CASES)).toBeNull();
      }),
    );
  });

  test('are refused, or the same, if any byte has changed', async () => {
    await fc.assert(
      fc.asyncProperty(result, change, async (written, where) => {
        const packed = await packFrame(createAnswerFrame(CHUNK, written));
        const frame = await unpackFrame(changed(packed, where));
        const read = frame && readAnswerFrame(frame, CHUNK, MAX_CASES);
        if (read !== null) expect(read).toEqual(written);
      }),
    );
  });

  test('are refused if they are garbage', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (garbage) => {
        const frame = await unpackFrame(Buffer.from(garbage));
        expect(frame && readAnswerFrame(frame, CHUNK, MAX_CASES)).toBeNull();
      }),
    );
  });
});

describe('a chunk', () => {
  test('is read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(task, async (written) => {
        const frame = await unpackFrame(await packFrame(createChunkFrame(written, false)));
        const { head, ...others } = await readChunkFrame(frame!, AllowedInputs.none);
        const { head: writtenHead, ...writtenOthers } = written;
        expect(others).toEqual(writtenOthers);
        expect(head).toEqual(writtenHead.bytes);
      }),
    );
  });

  test('has another id if any byte has changed', async () => {
    await fc.assert(
      fc.asyncProperty(task, change, async (written, where) => {
        const original = createChunkFrame(written, false);
        const frame = await unpackFrame(changed(await packFrame(original), where));
        if (frame === null || frame.equals(original)) return;
        expect(idOfChunk('needs', frame)).not.toBe(idOfChunk('needs', original));
        // A host does not get so far, but the reader must not fail in another way.
        await readChunkFrame(frame, AllowedInputs.none).catch((error) =>
          expect(error).toBeInstanceOf(BadChunk),
        );
      }),
    );
  });

  test('of a shared input is read from the file, if the file is still the same', async () => {
    const folder = temporaryFolder();
    const input = join(folder, 'a.in');
    const bytes = Buffer.from('1 2\nxx\n3 4\nyy\n');
    const written: ChunkTask = {
      bytes: new Uint8Array(bytes.subarray(7)),
      starts: Uint32Array.of(0, 7),
      firstCase: 2,
      head: { number: 1, bytes: null },
      settings: { outputFormat: 'text', columns: [], onError: 'stop' },
      origin: null,
      isSolvedOneByOne: false,
      place: { input, offset: 7 },
    };
    const frame = createChunkFrame(written, true);
    const inputs = await AllowedInputs.of([folder]);
    const outcome = () => readChunkFrame(frame, inputs).catch((error) => error);
    expect(frame.includes('yy')).toBe(false);
    writeFileSync(input, bytes);
    expect(await outcome()).toMatchObject({ bytes: written.bytes });
    const refusals: unknown[] = [await readChunkFrame(frame, AllowedInputs.none).catch((error) => error)];
    rmSync(input);
    refusals.push(await outcome());
    writeFileSync(input, bytes.toString().replace('yy', 'yz'));
    refusals.push(await outcome());
    writeFileSync(input, bytes.subarray(0, 10));
    refusals.push(await outcome());
    rmSync(input);
    execFileSync('mkfifo', [input]);
    refusals.push(await outcome());
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(BadChunk);
    const bad = refusals as BadChunk[];
    expect(new Set(bad.map(({ message }) => message)).size).toBe(1);
    expect(bad.map(({ secret }) => secret)).toEqual([
      'it is not in a folder of --allow-inputs',
      expect.stringContaining('ENOENT'),
      'these bytes are not those that the coordinator read',
      'it has only 10 bytes',
      'it is not a regular file',
    ]);
  });

  test('of a shared input is refused if it names more bytes than a frame may have', async () => {
    const range = { path: '/dev/zero', from: 0, bytes: MAX_FRAME_BYTES + 1, digest: '' };
    const settings = { outputFormat: 'text', columns: [], onError: 'stop' };
    const header = { schema: 'boardmill/chunk/1', firstCase: 1, isSolvedOneByOne: false, hasHead: false };
    const frame = createFrame({ ...header, settings, origin: null, range }, [
      new Uint8Array(4),
      new Uint8Array(),
      new Uint8Array(),
    ]);
    await expect(readChunkFrame(frame, AllowedInputs.none)).rejects.toThrow('is not written as boardmill');
  });
});

describe('the reason of a failed job', () => {
  const cases = { from: 10, to: 20 };

  test('keeps what the host has found out', () => {
    const failure = new ChunkFailure('timeout', 'no answer within 1 s', { from: 12, to: 13 });
    expect(errorOfJob(printJobFailure(describeJobFailure(failure)), cases)).toEqual(failure);
  });

  test.each([
    ['job stalled more than allowable limit', 'every host that solved it ended'],
    ['{"kind":"crash","reason":"r","suspects":{"from":1,"to":12}}', 'r'],
    ['{"kind":"crash","reason":"r","suspects":{"from":13,"to":12}}', 'r'],
    ['{"kind":"crash","reason":"r","suspects":{"from":12,"to":99}}', 'r'],
  ])('%s has no suspects', (text, reason) => {
    const error = errorOfJob(text, cases) as ChunkFailure;
    expect(error.reason).toContain(reason);
    expect(error.suspects).toBeNull();
  });
});
