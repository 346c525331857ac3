/** Reads the bytes of ranges of a file, and of a pipe, whose bytes are in memory. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { HASH_BLOCK_BYTES, PIPE_SEGMENT_BYTES } from '../../../src/engine/limits.js';
import {
  type RangeScan,
  rangeBytes,
  type ScanRange,
} from '../../../src/engine/parallel-scan/range-messages.js';
import { RangeReader } from '../../../src/engine/parallel-scan/range-reader.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** An input of three hash blocks and a half, in which each byte says where it is. */
const INPUT = Uint8Array.from({ length: 3.5 * HASH_BLOCK_BYTES }, (_, at) => (at * 31) % 251);
const file = join(temporaryFolder(), 'input');
writeFileSync(file, INPUT);
const descriptor = openSync(file, 'r');
afterAll(() => closeSync(descriptor));

const segment = new SharedArrayBuffer(PIPE_SEGMENT_BYTES);
new Uint8Array(segment).set(INPUT);

const inFile = (from: number, to: number): ScanRange => ({
  from,
  to,
  source: { kind: 'file', descriptor, end: INPUT.length },
});

/** A range of a pipe of which the bytes up to `end` have come. */
const inPipe = (from: number, end: number, isInputEnd: boolean): ScanRange => ({
  from,
  to: Number.POSITIVE_INFINITY,
  source: { kind: 'memory', segments: [segment], offset: 0, end, isInputEnd },
});

test('a file is read on and on up to its end, which the reader notices only there', () => {
  const reader = new RangeReader();
  reader.load(inFile(1000, 2000));
  expect([reader.hasMore, reader.isAtEnd]).toEqual([true, false]);
  while (!reader.isAtEnd) {
    expect(reader.hasMore).toBe(true);
    reader.readMore();
  }
  expect(reader.end).toBe(INPUT.length);
  expect(Buffer.compare(reader.bytesFrom(999), INPUT.subarray(999))).toBe(0);
});

test.each([
  ['which may go on', false],
  ['which ends there', true],
])('of a pipe, %s, all bytes that have come are read at once', (_, isInputEnd) => {
  const reader = new RangeReader();
  reader.load(inPipe(1000, 5000, isInputEnd));
  expect([reader.end, reader.hasMore, reader.isAtEnd]).toEqual([5000, false, isInputEnd]);
  expect(Buffer.compare(reader.bytesFrom(0), INPUT.subarray(0, 5000))).toBe(0);
});

test('a range begins where the scan before it has ended, also if that is beyond its bytes', () => {
  const reader = new RangeReader();
  reader.load(inFile(1000, 2000));
  const offset = 2 * HASH_BLOCK_BYTES + 77;
  reader.reach(offset, false);
  expect(reader.bytesFrom(offset)[0]).toBe(INPUT[offset]);
  reader.reach(offset, true);
  expect(reader.bytesFrom(2 * HASH_BLOCK_BYTES)[0]).toBe(INPUT[2 * HASH_BLOCK_BYTES]);
});

test('the hash of a range begins with the block in which the range begins, and a range without bytes has none', () => {
  const reader = new RangeReader();
  const [start, end] = [HASH_BLOCK_BYTES + 5, 3 * HASH_BLOCK_BYTES + 9];
  reader.load(inFile(start, end));
  reader.reach(start, true);
  const scanned = (from: number, to: number) => ({ start: from, stop: { offset: to } }) as RangeScan;
  const hashes = reader.hash(scanned(start, end));
  expect(hashes!.whole.length).toBe(2 * 32);
  const fromBlock = reader.hash(scanned(HASH_BLOCK_BYTES, end));
  expect(hashes).toEqual(fromBlock);
  expect(reader.hash(scanned(start, start))).toBeNull();
});

test('the last range of a file has the bytes up to where the file ended', () => {
  expect(rangeBytes(inFile(1000, 2000))).toBe(1000);
  expect(rangeBytes(inFile(1000, Number.POSITIVE_INFINITY))).toBe(INPUT.length - 1000);
});
