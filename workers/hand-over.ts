import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { ChunkResult } from '../src/engine/messages.js';

/**
 * Returns the value that a worker thread sends to the coordinator. The memory of the answers is transferred, not
 * copied.
 */
export function transferResult(result: ChunkResult): unknown {
  return move({ [transferableSymbol]: [result.output.buffer], [valueSymbol]: result });
}
