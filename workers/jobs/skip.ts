/**
 * The job with which `bench` measures the coordinator: solves nothing, so the coordinator takes nearly all the time of the run.
 */
import { ByteWriter } from '../../src/core/bytes.js';
import { createChunkResult } from '../../src/engine/chunk-result.js';
import type { ChunkResult, WorkerTask } from '../../src/engine/messages.js';
import type { ChunkWorker } from './chunk-worker.js';

/** Creates the worker that gives each case the same answer. */
export function createConstantAnswerWorker(): ChunkWorker {
  const out = new ByteWriter(1 << 20);
  return { solve: (task) => skip(task, out) };
}

function skip({ bytes, starts, firstCase }: WorkerTask, out: ByteWriter): ChunkResult {
  const answeredCases = starts.length - 1;
  for (let index = 0; index < answeredCases; index++) {
    out.ascii('Case #');
    out.integer(firstCase + index);
    out.ascii(': 0\n');
  }
  const span = { lines: 0, bytesAfterLastLineEnd: bytes.length };
  return createChunkResult({ output: out.take(), answeredCases, span });
}
