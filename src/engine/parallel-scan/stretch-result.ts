/** Makes the results of stretches, in the workers and, after a failure of a worker, in the coordinator. */

import type { Chunk } from '../cut/scan.js';
import { type BlockHashes, openBlockHasher } from '../input/input-hash.js';
import { HASH_BLOCK_BYTES } from '../limits.js';
import type { ChunkResult } from '../messages.js';
import type { SolvedPart, StretchResult } from './stretch-messages.js';
import type { StretchReader } from './stretch-reader.js';
import type { ScannedStretch } from './stretch-scanner.js';

export function createPart({ firstCase, starts, spanBefore }: Chunk, result: ChunkResult): SolvedPart {
  const cases = starts.length - 1;
  return { firstCase, cases, inputBytes: starts[cases], spanBefore, result };
}

export function createStretchResult(
  { start, position, spanAfter, end, isContinuable, isGuessed, isOver }: ScannedStretch,
  parts: readonly SolvedPart[],
  hashes: BlockHashes | null,
  { readMs = 0, scanMs = 0 } = {},
): StretchResult {
  const { offset, cases, searching, next } = position;
  const stop = { offset, cases, searching, next };
  return { parts, spanAfter, start, stop, end, isContinuable, isGuessed, isOver, hashes, readMs, scanMs };
}

/** Hashes the bytes of a stretch that the reader still has. Returns null if the stretch has none. */
export async function hashStretch(
  reader: StretchReader,
  { start, position }: ScannedStretch,
): Promise<BlockHashes | null> {
  if (position.offset === start) return null;
  const hashBlocks = await openBlockHasher();
  const from = start - (start % HASH_BLOCK_BYTES);
  return hashBlocks(reader.bytesFrom(from).subarray(0, position.offset - from));
}
