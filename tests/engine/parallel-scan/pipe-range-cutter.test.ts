/** The memory in which the bytes of a pipe come to the workers is used again, but never while a range needs it. */
import { expect, test } from 'vitest';
import { PIPE_KEPT_BYTES, PIPE_SEGMENT_BYTES } from '../../../src/engine/limits.js';
import { PipeRangeCutter } from '../../../src/engine/parallel-scan/pipe-range-cutter.js';
import type { MemorySource, ScanRange } from '../../../src/engine/parallel-scan/range-messages.js';
import { PipeInMemory } from '../../support/pipe-in-memory.js';

const SEGMENTS = 9;

/** Returns an input in which the bytes of each segment differ from those of the others. */
function numberedSegments(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SEGMENTS * PIPE_SEGMENT_BYTES);
  for (let i = 0; i < SEGMENTS; i++) bytes.fill(i + 1, i * PIPE_SEGMENT_BYTES, (i + 1) * PIPE_SEGMENT_BYTES);
  return bytes;
}

const memoryOf = ({ source }: ScanRange) => source as MemorySource;

/** Expects that the segments that came with a range have the bytes of the input up to its end. */
function expectUnchanged(range: ScanRange): void {
  const { segments, offset, end } = memoryOf(range);
  for (const [index, segment] of segments.entries()) {
    const at = offset + index * PIPE_SEGMENT_BYTES;
    const bytes = new Uint8Array(segment, 0, Math.min(PIPE_SEGMENT_BYTES, end - at));
    // The last range may be empty: the end of the input came after its bytes.
    const ends = bytes.length === 0 ? [] : [bytes[0], bytes.at(-1)];
    expect(ends).toEqual(ends.map(() => at / PIPE_SEGMENT_BYTES + 1));
  }
}

/**
 * `rangesIn` says into how many ranges each segment is cut, `isSlow` whether a range is solved only in the end, and `openBytes`
 * how much of an unfinished case is at the end of a range.
 */
async function cutAll(
  rangesIn: (segment: number) => number,
  isSlow: (segment: number) => boolean,
  openBytes = (_end: number) => 0,
) {
  const cutter = PipeRangeCutter.open(new PipeInMemory(numberedSegments(), [PIPE_SEGMENT_BYTES]))!;
  cutter.begin(0);
  const slow: ScanRange[] = [];
  const memories = new Set<SharedArrayBuffer>();
  for (let at = 0; ; ) {
    const segment = Math.floor(at / PIPE_SEGMENT_BYTES);
    const range = await cutter.next(PIPE_SEGMENT_BYTES / rangesIn(segment));
    if (range === null) break;
    const { end, offset } = memoryOf(range);
    // All segments come with the range in which its first case may begin.
    expect(offset).toBeLessThanOrEqual(at - openBytes(at));
    at = end;
    for (const memory of memoryOf(range).segments) memories.add(memory);
    expectUnchanged(range);
    if (isSlow(segment)) slow.push(range);
    else {
      cutter.settle(range, end - openBytes(end));
      cutter.release(range);
    }
  }
  for (const range of slow) {
    expectUnchanged(range);
    cutter.release(range);
  }
  cutter.close();
  return { memories: memories.size };
}

test('a range that takes long keeps its bytes, whatever other ranges do meanwhile', async () => {
  const { memories } = await cutAll(
    (segment) => (segment === 0 ? 1 : 8),
    (segment) => segment === 0,
  );
  expect(memories).toBeLessThan(SEGMENTS);
});

test('if all ranges are slow, each segment needs memory of its own', async () => {
  const { memories } = await cutAll(
    () => 2,
    () => true,
  );
  expect(memories).toBeGreaterThanOrEqual(SEGMENTS);
});

test('if each range is solved at once, the memory of few segments is enough', async () => {
  const { memories } = await cutAll(
    (segment) => 1 + (segment % 3),
    () => false,
  );
  expect(memories).toBeLessThanOrEqual(5);
});

test('a case that fills several segments keeps them until its end', async () => {
  const [from, to] = [1.5 * PIPE_SEGMENT_BYTES, 6.5 * PIPE_SEGMENT_BYTES];
  const { memories } = await cutAll(
    () => 2,
    () => false,
    (end) => (end > from && end < to ? end - from : 0),
  );
  expect(memories).toBeGreaterThanOrEqual(6);
  expect(memories).toBeLessThan(SEGMENTS);
});

test('cutting starts only where all bytes are kept, and not if the cases are large', async () => {
  const pipe = new PipeInMemory(numberedSegments(), [3 * PIPE_KEPT_BYTES]);
  const cutter = PipeRangeCutter.open(pipe)!;
  expect(cutter.canBegin(0, 10)).toBe(true);
  expect(cutter.canBegin(0, PIPE_SEGMENT_BYTES)).toBe(false);
  await pipe.source.pieces[Symbol.asyncIterator]().next();
  expect(
    [0, 2 * PIPE_KEPT_BYTES - 1, 2 * PIPE_KEPT_BYTES].map((offset) => cutter.canBegin(offset, 10)),
  ).toEqual([false, false, true]);
});

test('a range inside a large case comes also if no more bytes of the case do, because its program may wait for answers', async () => {
  const arrived = 1.5 * PIPE_SEGMENT_BYTES;
  const pipe = new PipeInMemory(numberedSegments(), [PIPE_SEGMENT_BYTES / 4], arrived);
  pipe.onWaiting = () => {};
  const cutter = PipeRangeCutter.open(pipe)!;
  cutter.begin(0);
  const end = async () => memoryOf((await cutter.next(PIPE_SEGMENT_BYTES / 2))!).end;
  const first = (await cutter.next(PIPE_SEGMENT_BYTES / 2))!;
  cutter.settle(first, 0);
  for (let at = memoryOf(first).end; at < arrived; ) {
    const next = await end();
    expect(next).toBeGreaterThan(at);
    at = next;
  }
  cutter.close();
});
