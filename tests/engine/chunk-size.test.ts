import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHUNK_TARGET_MS, ChunkSize } from '../../src/engine/cut/chunk-size.js';
import { FIRST_CHUNK_BYTES, MAX_ADAPTIVE_CHUNK_BYTES } from '../../src/engine/limits.js';

const adaptive = (inputBytes: number | null = null, jobs = 2) =>
  new ChunkSize({ fixedBytes: null, lastChunks: () => 2 * jobs, inputBytes });

test('a chunk size that the user chose never changes, whatever the workers measure', () => {
  const size = new ChunkSize({ fixedBytes: 100, lastChunks: () => 4, inputBytes: 1e6 });
  size.recordGivenOut(1e6);
  size.recordTime(100, 1e4);
  expect(size.nextChunkBytes(0)).toBe(100);
});

test('the first chunk is small, so that all workers share a small input', () => {
  expect(adaptive().nextChunkBytes(0)).toBe(FIRST_CHUNK_BYTES);
});

test.each([
  ['cheap', 1e-6, MAX_ADAPTIVE_CHUNK_BYTES],
  ['costly', 0.001, CHUNK_TARGET_MS / 0.001],
  ['very costly', 1, CHUNK_TARGET_MS],
  ['the most costly', 1000, 1],
])(
  'if all cases cost the same, chunks reach the target time or the largest or smallest size: %s cases',
  (_, msPerByte, bytes) => {
    const size = adaptive();
    for (let i = 0; i < 100; i++) size.recordTime(size.nextChunkBytes(0), size.nextChunkBytes(0) * msPerByte);
    expect(size.nextChunkBytes(0)).toBeCloseTo(bytes, 6);
  },
);

test('a largest size that a run sets holds also if its chunks become those of a larger kind', () => {
  const size = new ChunkSize({
    fixedBytes: null,
    maxAdaptedBytes: 3000,
    lastChunks: () => 4,
    inputBytes: 1e9,
  });
  size.useCutting({ targetMs: 1000, maxBytes: 1e6, isAligned: false });
  for (let i = 0; i < 100; i++) size.recordTime(size.nextChunkBytes(0), 0);
  expect(size.nextChunkBytes(0)).toBe(3000);
});

test('one measurement changes the chunk size by at most a factor of eight', () => {
  const slow = adaptive();
  slow.recordTime(1, 1e9);
  expect(slow.nextChunkBytes(0)).toBe(FIRST_CHUNK_BYTES / 8);
  const fast = adaptive();
  fast.recordTime(1e6, 0);
  expect(fast.nextChunkBytes(0)).toBe(FIRST_CHUNK_BYTES * 8);
});

test('the first measurement counts in full, a later one three tenths', () => {
  const size = adaptive();
  size.recordTime(1000, 1000 * 0.1);
  expect(size.nextChunkBytes(0)).toBeCloseTo(CHUNK_TARGET_MS / 0.1, 6);
  size.recordTime(1000, 1000 * 0.2);
  expect(size.nextChunkBytes(0)).toBeCloseTo(CHUNK_TARGET_MS / (0.7 * 0.1 + 0.3 * 0.2), 6);
});

test('whatever is measured, a chunk size is at least one byte and at most MAX_CHUNK_BYTES', () => {
  const measurement = fc.tuple(fc.nat(), fc.double({ min: 0, max: 1e9, noNaN: true }));
  fc.assert(
    fc.property(fc.array(measurement), (measurements) => {
      const size = adaptive();
      for (const [bytes, ms] of measurements) size.recordTime(bytes, ms);
      expect(size.nextChunkBytes(0)).toBeGreaterThanOrEqual(1);
      expect(size.nextChunkBytes(0)).toBeLessThanOrEqual(MAX_ADAPTIVE_CHUNK_BYTES);
    }),
  );
});

test('if the rest of an input is cut in another way, chunks go on from their size to the new bounds', () => {
  const size = adaptive();
  const measure = () => size.recordTime(size.nextChunkBytes(0), size.nextChunkBytes(0) * 1e-6);
  for (let i = 0; i < 100; i++) measure();
  size.useCutting({ targetMs: 5, maxBytes: 1e7, isAligned: false });
  expect(size.nextChunkBytes(0)).toBe(MAX_ADAPTIVE_CHUNK_BYTES);
  measure();
  expect(size.nextChunkBytes(0)).toBeCloseTo(5 / 1e-6, 0);
});

test('near the end of an input of known size, chunks shrink, but not below a sixteenth of their size', () => {
  const size = adaptive(10_000);
  expect(size.nextChunkBytes(0)).toBe(FIRST_CHUNK_BYTES);
  size.recordGivenOut(9_000);
  expect(size.nextChunkBytes(0)).toBe(1_000 / 4);
  size.recordGivenOut(1_000);
  expect(size.nextChunkBytes(0)).toBe(FIRST_CHUNK_BYTES / 16);
});

test('a chunk without the wanted multiple of cases is large enough at a part of the input, or at the chosen size', () => {
  const sizeOf = (fixedBytes: number | null, inputBytes: number | null) =>
    new ChunkSize({ fixedBytes, lastChunks: () => 3, inputBytes }).maxChunkBytes(0);
  expect(sizeOf(null, 160_000)).toBe(20_000);
  expect(sizeOf(null, 1e12)).toBe(MAX_ADAPTIVE_CHUNK_BYTES);
  expect(sizeOf(null, null)).toBe(MAX_ADAPTIVE_CHUNK_BYTES);
  expect(sizeOf(300, 160_000)).toBe(300);
  expect(sizeOf(MAX_ADAPTIVE_CHUNK_BYTES * 2, 160_000)).toBe(MAX_ADAPTIVE_CHUNK_BYTES * 2);
});

test('aligned chunks end at multiples of a power of two, wherever they begin', () => {
  const cutting = { targetMs: 500, maxBytes: 1 << 22, isAligned: true };
  const size = new ChunkSize({ fixedBytes: 5000, lastChunks: () => 4, inputBytes: null, cutting });
  expect([0, 1, 4095, 4096, 1_000_000].map((offset) => offset + size.nextChunkBytes(offset))).toEqual([
    4096, 4096, 4096, 8192, 1_003_520,
  ]);
});
