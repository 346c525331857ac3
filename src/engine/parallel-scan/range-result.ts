/** Makes the results of ranges, in the workers and, after a failure of a worker, in the coordinator. */

import type { Chunk } from '../cut/scan.js';
import { type BlockHashes, openBlockHasher } from '../input/input-hash.js';
import { HASH_BLOCK_BYTES } from '../limits.js';
import type { ChunkResult } from '../messages.js';
import type { RangeResult, SolvedPart } from './range-messages.js';
import type { RangeReader } from './range-reader.js';
import type { ScannedRange } from './range-scanner.js';

export function createPart({ firstCase, starts, spanBefore }: Chunk, result: ChunkResult): SolvedPart {
  const cases = starts.length - 1;
  return { firstCase, cases, inputBytes: starts[cases], spanBefore, result };
}

export function createRangeResult(
  { start, position, spanAfter, end, isContinuable, isSpeculative, isOver }: ScannedRange,
  parts: readonly SolvedPart[],
  hashes: BlockHashes | null,
  { readMs = 0, scanMs = 0 } = {},
): RangeResult {
  const { offset, cases, searching, next } = position;
  const stop = { offset, cases, searching, next };
  return { parts, spanAfter, start, stop, end, isContinuable, isSpeculative, isOver, hashes, readMs, scanMs };
}

/** Hashes the bytes of a range that the reader still has. Returns null if the range has none. */
export async function hashRange(
  reader: RangeReader,
  { start, position }: ScannedRange,
): Promise<BlockHashes | null> {
  if (position.offset === start) return null;
  const hashBlocks = await openBlockHasher();
  const from = start - (start % HASH_BLOCK_BYTES);
  return hashBlocks(reader.bytesFrom(from).subarray(0, position.offset - from));
}
