/** Finds the bytes of a shard in its input, from the size of the input. */
import { statSync } from 'node:fs';
import { fileError } from '../../core/files/files.js';
import { compressionOf } from '../../engine/input/decompress.js';
import { openSource } from '../../engine/input/read.js';
import { type Shard, type ShardOfInput, shardOfInput } from '../../engine/input/shard.js';

/** Finds the bytes of a shard in its input. A compressed input is read to its end to find its size. */
export async function locateShard(shard: Shard, input: string, stop: AbortSignal): Promise<ShardOfInput> {
  return shardOfInput(shard, await sizeOfInput(input, stop));
}

/** Returns the size of an input in bytes. For a compressed input, this is the size after decompression. */
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

function sizeOfFile(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw fileError('open', path, error);
  }
}
