import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { ChunkResult } from '../src/engine/messages.js';

/** What a thread returns to the coordinator: the answers move, they are not copied. */
export function handOver(result: ChunkResult): unknown {
  return move({ [transferableSymbol]: [result.output.buffer], [valueSymbol]: result });
}
