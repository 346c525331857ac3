import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChunkSize } from '../../src/engine/chunk-size.js';
import { CHUNK_TARGET_MS, FIRST_CHUNK_BYTES, MAX_CHUNK_BYTES } from '../../src/engine/limits.js';

const adaptive = (inputBytes: number | null = null, jobs = 2) =>
  new ChunkSize({ fixedBytes: null, jobs, inputBytes });

test('a chosen size stays, whatever is measured', () => {
  const size = new ChunkSize({ fixedBytes: 100, jobs: 2, inputBytes: 1e6 });
  size.recordGivenOut(1e6);
  size.recordTime(100, 1e4);
  expect(size.next()).toBe(100);
});

test('starts small, so that small inputs use all workers', () => {
  expect(adaptive().next()).toBe(FIRST_CHUNK_BYTES);
});

test.each([
  ['cheap', 1e-6, MAX_CHUNK_BYTES],
  ['middling', 0.001, CHUNK_TARGET_MS / 0.001],
  ['dear', 1, CHUNK_TARGET_MS],
  ['dearer than a chunk is meant to be', 1000, 1],
])('steady cost settles at the target: %s cases', (_, msPerByte, bytes) => {
  const size = adaptive();
  for (let i = 0; i < 100; i++) size.recordTime(size.next(), size.next() * msPerByte);
  expect(size.next()).toBeCloseTo(bytes, 6);
});

test('one measurement changes the size by a factor of eight at most', () => {
  const slow = adaptive();
  slow.recordTime(1, 1e9);
  expect(slow.next()).toBe(FIRST_CHUNK_BYTES / 8);
  const fast = adaptive();
  fast.recordTime(1e6, 0);
  expect(fast.next()).toBe(FIRST_CHUNK_BYTES * 8);
});

test('any measurements leave a size between a byte and the largest chunk', () => {
  const measurement = fc.tuple(fc.nat(), fc.double({ min: 0, max: 1e9, noNaN: true }));
  fc.assert(
    fc.property(fc.array(measurement), (measurements) => {
      const size = adaptive();
      for (const [bytes, ms] of measurements) size.recordTime(bytes, ms);
      expect(size.next()).toBeGreaterThanOrEqual(1);
      expect(size.next()).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
    }),
  );
});

test('near the end of a known input chunks shrink, to a sixteenth at the least', () => {
  const size = adaptive(10_000);
  expect(size.next()).toBe(FIRST_CHUNK_BYTES);
  size.recordGivenOut(9_000);
  expect(size.next()).toBe(1_000 / 4);
  size.recordGivenOut(1_000);
  expect(size.next()).toBe(FIRST_CHUNK_BYTES / 16);
});
