import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { ChunkResult } from '../src/engine/messages.js';
import type { RangeResult } from '../src/engine/parallel-scan/range-messages.js';

/**
 * Returns the value that a worker thread sends to the coordinator. The memory of the answers is transferred, not
 * copied.
 */
export function transferResult(result: ChunkResult): unknown {
  return move({ [transferableSymbol]: [result.output.buffer], [valueSymbol]: result });
}

/** Returns the value for a range, as `transferResult` does for a chunk. */
export function transferRange(result: RangeResult): unknown {
  const buffers = result.chunks.map((chunk) => chunk.result.output.buffer);
  return move({ [transferableSymbol]: buffers, [valueSymbol]: result });
}
