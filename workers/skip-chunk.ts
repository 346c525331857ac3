/**
 * The worker code that runs instead of solve-chunk.ts when `bench` measures the coordinator. This worker solves
 * nothing, so the coordinator takes nearly all the time of the run.
 */
import { ByteWriter } from '../src/core/bytes.js';
import { createResult } from '../src/engine/chunk-result.js';
import type { WorkerTask } from '../src/engine/messages.js';
import { transferResult } from './hand-over.js';

const out = new ByteWriter(1 << 20);

export default function skipChunk({ bytes, starts, firstCase }: WorkerTask): unknown {
  const answeredCases = starts.length - 1;
  for (let index = 0; index < answeredCases; index++) {
    out.ascii('Case #');
    out.integer(firstCase + index);
    out.ascii(': 0\n');
  }
  const span = { lines: 0, bytesAfterLastLineEnd: bytes.length };
  return transferResult(createResult({ output: out.take(), answeredCases, span }));
}
