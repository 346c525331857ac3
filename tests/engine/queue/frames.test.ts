/** What travels through Redis: it is read as it was written, or not at all. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDigest } from '../../../src/core/digest.js';
import { createChunkResult } from '../../../src/engine/chunk-result.js';
import { ChunkFailure } from '../../../src/engine/dispatcher.js';
import type { CaseFault, ChunkResult } from '../../../src/engine/messages.js';
import type { ChunkSettings } from '../../../src/engine/output-settings.js';
import { AllowedInputFolders } from '../../../src/engine/queue/allowed-inputs.js';
import { createAnswerFrame, readAnswerFrame } from '../../../src/engine/queue/answer-frame.js';
import {
  BadChunkError,
  createChunkFrame,
  idOfChunk,
  readChunkFrame,
  readSharedInputRange,
  type TaskOfRun,
} from '../../../src/engine/queue/chunk-frame.js';
import {
  createQueueFrame,
  packQueueFrame,
  readQueueFrame,
  statedFrameLength,
  unpackQueueFrame,
} from '../../../src/engine/queue/frame.js';
import {
  createJobFailure,
  parseFailedAttempt,
  printJobFailure,
} from '../../../src/engine/queue/job-failure.js';
import { createJobFrame, idOfQueueJob, readJobFrame } from '../../../src/engine/queue/job-frame.js';
import {
  MAX_CHUNKS_PER_JOB,
  MAX_FAILURE_REASON_CHARS,
  MAX_FRAME_BYTES,
} from '../../../src/engine/queue/limits.js';
import { COLUMNS } from '../../../src/problems/output-columns.js';
import { OUTPUT_FORMATS } from '../../../src/problems/output-formats.js';
import { anyShare } from '../../support/inputs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const CHUNK = 'a'.repeat(40);
const BY = { id: 'an id', name: 'a worker process' };
const MAX_CASES = 50;

const bytes = fc.uint8Array({ maxLength: 3000 }).map((array) => new Uint8Array(array));
const count = fc.nat({ max: 1_000_000 });
const span = fc.record({ lines: fc.nat({ max: 2000 }), bytesAfterLastLineEnd: fc.nat({ max: 2000 }) });
const duration = fc.double({ min: 0, max: 1000, noNaN: true }).map((value) => value + 0);
const cause = fc.oneof(
  fc.record({ kind: fc.constant('input' as const), expected: fc.string(), got: fc.string() }),
  fc.record({ kind: fc.constantFrom('crash', 'timeout', 'refused', 'author' as const), reason: fc.string() }),
);

/** Length of the chunk in bytes. */
const MAX_BYTES = 4000;
const FIRST_CASE = 100;
const caseNumber = fc.integer({ min: FIRST_CASE, max: FIRST_CASE + MAX_CASES - 1 });
const answered = {
  id: CHUNK,
  firstCase: FIRST_CASE,
  cases: MAX_CASES,
  bytes: MAX_BYTES,
  isStoppedByFaults: false,
};

const result: fc.Arbitrary<ChunkResult> = bytes
  .chain((output) =>
    fc.record({
      output: fc.constant(output),
      faults: fc.uniqueArray(
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
        { maxLength: 3, selector: ({ index }) => index },
      ),
      span,
      solver: fc.constantFrom(null, 'simd', 'portable', 'exec', 'module' as const),
      fallbackCases: fc.nat({ max: MAX_CASES }),
      times: fc.record({ parse: duration, solve: duration, print: duration }),
      slowest: fc.array(fc.record({ case: caseNumber, seconds: duration }), { maxLength: 3 }),
    }),
  )
  .map(({ faults, ...others }) => {
    const offsets = faults.map(({ outputOffset }) => outputOffset).sort((a, b) => a - b);
    const inOrder = faults.sort((a, b) => a.index - b.index);
    return {
      ...others,
      answeredCases: MAX_CASES - faults.length,
      faults: inOrder.map((fault, i) => ({ ...fault, outputOffset: offsets[i] })),
    };
  }) as fc.Arbitrary<ChunkResult>;

/** All settings, also those that a chunk may lack. */
const settings: fc.Arbitrary<Required<ChunkSettings>> = fc.record({
  outputFormat: fc.constantFrom(...OUTPUT_FORMATS),
  columns: fc.subarray([...COLUMNS]),
  onError: fc.constantFrom('stop', 'mark'),
  fileFirst: fc.boolean(),
});

const task: fc.Arbitrary<TaskOfRun> = fc
  .record({
    runId: fc.uuid(),
    cases: fc.array(fc.uint8Array({ maxLength: 100 }), { minLength: 1, maxLength: MAX_CASES }),
    lookahead: fc.uint8Array({ maxLength: 10 }),
    firstCase: fc.integer({ min: 1, max: 2 ** 50 }),
    head: fc.option(bytes),
    settings,
    origin: fc.option(fc.record({ file: fc.string(), line: fc.integer({ min: 1, max: 1000 }) })),
    isSolvedOneByOne: fc.boolean(),
    isPart: fc.boolean(),
  })
  .map(({ cases, lookahead, head, isPart, ...others }) => {
    const starts = Uint32Array.from({ length: cases.length + 1 }, (_, i) =>
      cases.slice(0, i).reduce((sum, { length }) => sum + length, 0),
    );
    return {
      ...others,
      ...(isPart ? { isPart } : {}),
      bytes: new Uint8Array(Buffer.concat([...cases, lookahead])),
      starts,
      head: { number: 1, bytes: head },
    };
  });

/** Where a byte is changed, as a fraction of the length, and by what. */
const change = fc.record({
  at: anyShare(),
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
        const frame = await unpackQueueFrame(await packQueueFrame(createAnswerFrame(CHUNK, BY, written)));
        expect(readAnswerFrame(frame!, answered)).toEqual({ by: BY, outcome: written });
        expect(readAnswerFrame(frame!, { ...answered, id: 'b'.repeat(40) })).toBeNull();
      }),
    );
  });

  test('are refused, or the same, if any byte has changed', async () => {
    await fc.assert(
      fc.asyncProperty(result, change, async (written, where) => {
        const packed = await packQueueFrame(createAnswerFrame(CHUNK, BY, written));
        const frame = await unpackQueueFrame(changed(packed, where));
        const read = frame && readAnswerFrame(frame, answered);
        if (read !== null) expect(read).toEqual({ by: BY, outcome: written });
      }),
    );
  });

  const fault: CaseFault = {
    cause: { kind: 'crash', reason: 'r' },
    index: 3,
    span: { lines: 3, bytesAfterLastLineEnd: 0 },
    outputOffset: 2,
    bytes: null,
  };
  const good = createChunkResult({
    output: new Uint8Array(10),
    answeredCases: MAX_CASES - 1,
    faults: [fault],
    span: { lines: MAX_CASES, bytesAfterLastLineEnd: 0 },
  });

  test.each<[string, Partial<ChunkResult>]>([
    ['an answer less', { answeredCases: MAX_CASES - 2 }],
    ['an answer more', { answeredCases: MAX_CASES }],
    ['no answers at all', { answeredCases: 0, faults: [] }],
    ['a fault behind the cases', { faults: [{ ...fault, index: MAX_CASES }] }],
    ['a fault twice', { answeredCases: MAX_CASES - 2, faults: [fault, fault] }],
    ['a fault behind the output', { faults: [{ ...fault, outputOffset: 11 }] }],
    [
      'a fault behind the bytes',
      { faults: [{ ...fault, span: { lines: MAX_BYTES, bytesAfterLastLineEnd: 1 } }] },
    ],
    ['a case longer than the chunk', { faults: [{ ...fault, bytes: new Uint8Array(MAX_BYTES + 1) }] }],
    ['an end behind the bytes', { span: { lines: MAX_BYTES + 1, bytesAfterLastLineEnd: 0 } }],
    ['a slow case of another chunk', { slowest: [{ case: FIRST_CASE + MAX_CASES, seconds: 1 }] }],
    ['more fallbacks than cases', { fallbackCases: 2 * MAX_CASES + 1 }],
  ])('are refused with %s', (_, part) => {
    expect(readAnswerFrame(createAnswerFrame(CHUNK, BY, good), answered)).toEqual({ by: BY, outcome: good });
    expect(readAnswerFrame(createAnswerFrame(CHUNK, BY, { ...good, ...part }), answered)).toBeNull();
  });

  test('may end early only at a fault, and only if the run ends there', () => {
    const early = { ...good, answeredCases: 3 };
    const frame = createAnswerFrame(CHUNK, BY, early);
    expect(readAnswerFrame(frame, answered)).toBeNull();
    expect(readAnswerFrame(frame, { ...answered, isStoppedByFaults: true })).toEqual({
      by: BY,
      outcome: early,
    });
    const withoutFault = createAnswerFrame(CHUNK, BY, { ...early, faults: [] });
    expect(readAnswerFrame(withoutFault, { ...answered, isStoppedByFaults: true })).toBeNull();
  });

  test('are inflated to no more than the length that they state', async () => {
    const packed = await packQueueFrame(Buffer.alloc(1_000_000));
    expect(statedFrameLength(packed)).toBe(1_000_000);
    expect(await unpackQueueFrame(packed)).toHaveLength(1_000_000);
    packed.writeUInt32LE(MAX_FRAME_BYTES, 1);
    expect(statedFrameLength(packed)).toBe(MAX_FRAME_BYTES);
    packed.writeUInt32LE(MAX_FRAME_BYTES + 1, 1);
    expect(statedFrameLength(packed)).toBeNull();
    for (const length of [0, 999_999, 1_000_001, MAX_FRAME_BYTES + 1]) {
      packed.writeUInt32LE(length, 1);
      expect(await unpackQueueFrame(packed)).toBeNull();
    }
  });

  test('have a header of a bounded length', () => {
    const frame = createQueueFrame({ a: 'x'.repeat(1000) }, []);
    expect(readQueueFrame(frame, 1100)).not.toBeNull();
    expect(readQueueFrame(frame, 1000)).toBeNull();
  });

  test('are refused if they are garbage', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (garbage) => {
        const frame = await unpackQueueFrame(Buffer.from(garbage));
        expect(frame && readAnswerFrame(frame, answered)).toBeNull();
      }),
    );
  });
});

describe('a chunk', () => {
  test('is read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(task, async (written) => {
        const frame = await unpackQueueFrame(
          await packQueueFrame(createChunkFrame(written, false, ['a', 'b'])),
        );
        const { head, range, notOn, ...others } = readChunkFrame(frame!);
        expect(range).toBeNull();
        expect(notOn).toEqual(['a', 'b']);
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
        const frame = await unpackQueueFrame(changed(await packQueueFrame(original), where));
        if (frame === null || frame.equals(original)) return;
        expect(idOfChunk('needs', frame)).not.toBe(idOfChunk('needs', original));
        // A worker process does not get so far, but the reader must not fail in another way.
        try {
          readChunkFrame(frame);
        } catch (error) {
          expect(error).toBeInstanceOf(BadChunkError);
        }
      }),
    );
  });

  test('of a shared input is read from the file, if the file is still the same', async () => {
    const folder = temporaryFolder();
    const input = join(folder, 'a.in');
    const bytes = Buffer.from('1 2\nxx\n3 4\nyy\n');
    const written: TaskOfRun = {
      runId: randomUUID(),
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
    // The twins of an audit are in no file, so their bytes are in the frame.
    const { place: _, ...twins } = written;
    const sent = readChunkFrame(createChunkFrame(twins, true));
    expect([sent.range, Buffer.from(sent.bytes).toString()]).toEqual([null, '3 4\nyy\n']);
    const inputs = await AllowedInputFolders.of([folder]);
    const range = readChunkFrame(frame).range!;
    const outcome = () => readSharedInputRange(range, inputs).catch((error) => error);
    // The name of the folder is random, and may have a 'yy' itself.
    expect(frame.includes('\nyy')).toBe(false);
    writeFileSync(input, bytes);
    expect(new Uint8Array(await outcome())).toEqual(written.bytes);
    const refusals: unknown[] = [
      await readSharedInputRange(range, AllowedInputFolders.none).catch((error) => error),
    ];
    rmSync(input);
    refusals.push(await outcome());
    writeFileSync(input, bytes.toString().replace('yy', 'yz'));
    refusals.push(await outcome());
    writeFileSync(input, bytes.subarray(0, 10));
    refusals.push(await outcome());
    rmSync(input);
    execFileSync('mkfifo', [input]);
    refusals.push(await outcome());
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(BadChunkError);
    const bad = refusals as BadChunkError[];
    expect(new Set(bad.map(({ message }) => message)).size).toBe(1);
    expect(bad.map(({ secret }) => secret)).toEqual([
      'it is not in a folder of --allow-inputs',
      expect.stringContaining('ENOENT'),
      'these bytes are not those that the coordinator read',
      'it has only 10 bytes',
      expect.stringContaining('it is not a regular file'),
    ]);
  });

  test('says that the column `file` comes first', () => {
    const settings = { outputFormat: 'csv', columns: ['file'], onError: 'stop', fileFirst: true } as const;
    const written: TaskOfRun = {
      runId: randomUUID(),
      bytes: new Uint8Array(7),
      starts: Uint32Array.of(0, 7),
      firstCase: 1,
      head: { number: 1, bytes: null },
      settings,
      origin: { file: 'a.in', line: 1 },
      isSolvedOneByOne: false,
    };
    expect(readChunkFrame(createChunkFrame(written, false))).toMatchObject({ settings });
  });

  test('of a shared input is refused if it names more bytes than a frame may have', async () => {
    const range = { path: '/dev/zero', from: 0, bytes: MAX_FRAME_BYTES + 1, digest: '' };
    const settings = { outputFormat: 'text', columns: [], onError: 'stop' };
    const header = { schema: 'boardmill/chunk/1', firstCase: 1, isSolvedOneByOne: false, hasHead: false };
    const frame = createQueueFrame({ ...header, settings, origin: null, notOn: [], range }, [
      new Uint8Array(4),
      new Uint8Array(),
      new Uint8Array(),
    ]);
    expect(() => readChunkFrame(frame)).toThrow('is not written as boardmill');
  });
});

describe('a job', () => {
  const REQUIREMENTS = 'needs';
  const job = fc.array(task, { minLength: 1, maxLength: 5 }).map((tasks) => {
    const frames = tasks.map((each) => createChunkFrame(each, false));
    const ids = frames.map((frame) => idOfChunk(REQUIREMENTS, frame));
    return { frames, ids, frame: createJobFrame(frames), id: idOfQueueJob(ids) };
  });

  test('has the chunks that were written, in their order', () => {
    fc.assert(
      fc.property(job, ({ frames, ids, frame, id }) => {
        const read = readJobFrame(frame, id, REQUIREMENTS);
        expect(read?.map((chunk) => chunk.id)).toEqual(ids);
        expect(read?.map(({ id: _, ...chunk }) => chunk)).toEqual(frames.map(readChunkFrame));
      }),
    );
  });

  test('with one chunk has the frame and the id of the chunk', () => {
    fc.assert(
      fc.property(task, (written) => {
        const frame = createChunkFrame(written, false);
        expect(createJobFrame([frame])).toBe(frame);
        expect(idOfQueueJob(['a'])).toBe('a');
      }),
    );
  });

  test('is not read if any byte has changed, or as another job', () => {
    fc.assert(
      fc.property(job, change, ({ frame, id }, where) => {
        const other = changed(frame, where);
        const outcome = () => {
          try {
            return readJobFrame(other, id, REQUIREMENTS);
          } catch (error) {
            expect(error).toBeInstanceOf(BadChunkError);
            return null;
          }
        };
        // The header of a job's frame may be written in several ways. All that counts is in the frames of its chunks.
        const read = outcome();
        if (read !== null) expect(read).toEqual(readJobFrame(frame, id, REQUIREMENTS));
        expect(readJobFrame(frame, idOfQueueJob(['a', 'b']), REQUIREMENTS)).toBeNull();
        expect(readJobFrame(frame, id, 'others')).toBeNull();
      }),
    );
  });

  test.each([0, 1, MAX_CHUNKS_PER_JOB + 1])('with %d parts was not written by boardmill', (count) => {
    const parts = Array.from({ length: count }, () => new Uint8Array(10));
    const frame = createQueueFrame({ schema: 'boardmill/job/1' }, parts);
    expect(() => readJobFrame(frame, 'id', REQUIREMENTS)).toThrow('is not written as boardmill writes it');
  });
});

describe('the reason of a failed job', () => {
  const failed = { id: CHUNK, cases: { from: 10, to: 20 }, isOnly: true };

  test('keeps what the worker process has found out', () => {
    const failure = new ChunkFailure('timeout', 'no answer within 1 s', { from: 12, to: 13 });
    expect(parseFailedAttempt(printJobFailure(createJobFailure(BY, CHUNK, failure)), failed)).toEqual({
      by: BY,
      outcome: failure,
    });
  });

  test('is cut if it is long', () => {
    const long = createJobFailure(
      BY,
      CHUNK,
      new ChunkFailure('crash', 'x'.repeat(2 * MAX_FAILURE_REASON_CHARS), null),
    );
    const outcome = new ChunkFailure('crash', 'x'.repeat(MAX_FAILURE_REASON_CHARS), null);
    expect(parseFailedAttempt(printJobFailure(long), failed)).toEqual({ by: BY, outcome });
  });

  test.each([
    ['job stalled more than allowable limit', 'every worker process that solved it ended'],
    [
      `{"by":{"id":"i","name":"n"},"chunk":"${CHUNK}","kind":"crash","reason":"r","suspects":{"from":1,"to":12}}`,
      'r',
    ],
    [
      `{"by":{"id":"i","name":"n"},"chunk":"${CHUNK}","kind":"crash","reason":"r","suspects":{"from":13,"to":12}}`,
      'r',
    ],
    [
      `{"by":{"id":"i","name":"n"},"chunk":"${CHUNK}","kind":"crash","reason":"r","suspects":{"from":12,"to":99}}`,
      'r',
    ],
  ])('%s has no suspects', (text, reason) => {
    expect(parseFailedAttempt(text, failed)).toMatchObject({
      outcome: { reason: expect.stringContaining(reason), suspects: null },
    });
  });

  test('says nothing about another chunk of the job, also if worker processes were lost', () => {
    const text = printJobFailure(createJobFailure(BY, 'another', new Error('it threw')));
    expect(parseFailedAttempt(text, failed)).toBeNull();
    expect(
      parseFailedAttempt('job stalled more than allowable limit', { ...failed, isOnly: false }),
    ).toBeNull();
  });
});

test.each([
  ['no bytes', new Uint8Array()],
  ['bytes that are no frame', Buffer.from('answer')],
  ['a frame whose header states more than it has', Buffer.from([255, 0, 0, 0, 123])],
  ['a frame of something else', createQueueFrame({ schema: 'other' }, [])],
])('what a stranger has sealed is no answer: %s', (_, content) => {
  const seal = createDigest().update(content).digest().subarray(0, 16);
  expect(readAnswerFrame(Buffer.concat([seal, content]), answered)).toBeNull();
});
