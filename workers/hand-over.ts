import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { ChunkResult } from '../src/engine/messages.js';

/** The value that a worker thread returns to the coordinator. The answers are transferred, not copied. */
export function transferResult(result: ChunkResult): unknown {
  return move({ [transferableSymbol]: [result.output.buffer], [valueSymbol]: result });
}
