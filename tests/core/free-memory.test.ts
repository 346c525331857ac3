import { expect, test } from 'vitest';
import { releaseBuffer } from '../../src/core/free-memory.js';

test('frees a large buffer, and leaves a small one and a part of a buffer as they are', () => {
  const large = new Uint8Array(1 << 20).fill(7);
  const copy = large.slice(3);
  releaseBuffer(large);
  expect([large.length, large.buffer.byteLength]).toEqual([0, 0]);
  expect(copy.every((byte) => byte === 7)).toBe(true);
  const small = new Uint8Array(100).fill(7);
  releaseBuffer(small);
  const part = copy.subarray(1);
  releaseBuffer(part);
  expect([small.length, part.length, copy.length]).toEqual([100, copy.length - 1, (1 << 20) - 3]);
});
