/** Finds out where a shard is in its input: by the size of the input, and by its index if there is one. */
import { statSync } from 'node:fs';
import { BoardmillError } from '../../core/errors.js';
import { fileError } from '../../core/files.js';
import { readSmallFile } from '../../core/regular-files.js';
import { compressionOf } from '../../engine/decompress.js';
import { MAX_RECORD_BYTES } from '../../engine/limits.js';
import { describeDifference, type OutputTerms } from '../../engine/output-settings.js';
import { openSource } from '../../engine/read.js';
import { rangeOfShard, type ShardOfInput, shardOfInput } from '../../engine/shard.js';
import { findEntry, type IndexFile, parseIndex } from '../../engine/shard-index.js';
import type { ShardOptions } from '../arguments/shard-options.js';

/** Finds the shard of an input, which is read to its end if it is compressed and has no index. */
export async function locateShard(
  { shard, index: indexPath }: ShardOptions,
  input: string,
  scanTerms: OutputTerms,
  stop: AbortSignal,
): Promise<ShardOfInput> {
  const index = indexPath === null ? null : readIndex(indexPath, input, scanTerms);
  const inputBytes = index?.inputBytes ?? (await sizeOfInput(input, stop));
  const entry = index && findEntry(index, rangeOfShard(shard, inputBytes).from);
  return shardOfInput(shard, inputBytes, entry);
}

/** Reads the index of an input. Fails with kind `file` if it does not fit the input or the run. */
function readIndex(path: string, input: string, scanTerms: OutputTerms): IndexFile {
  const index = parseIndex(readSmallFile(path, MAX_RECORD_BYTES).toString());
  if (index === null)
    throw new BoardmillError('file', `${path} is not an index of boardmill, or was changed`);
  const difference = describeDifference(index.terms, scanTerms);
  if (difference !== null)
    throw new BoardmillError('file', `the index ${path} does not fit this run: ${difference}`);
  const fileBytes = sizeOfFile(input);
  if (index.fileBytes === fileBytes) return index;
  const sizes = `it was made from a file of ${index.fileBytes} bytes, and ${input} has ${fileBytes}`;
  throw new BoardmillError('file', `the index ${path} does not fit its input: ${sizes}`);
}

/** Returns the size of an input in bytes; of a compressed input, after decompression. */
async function sizeOfInput(input: string, stop: AbortSignal): Promise<number> {
  if (compressionOf(input) === null) return sizeOfFile(input);
  const source = await openSource(input, { stop });
  try {
    let bytes = 0;
    for await (const piece of source.pieces) bytes += piece.length;
    return bytes;
  } finally {
    await source.close();
  }
}

/** Returns the size of a file in bytes. */
export function sizeOfFile(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw fileError('open', path, error);
  }
}
