/**
 * The worker code that runs instead of solve-chunk.ts when `bench` measures the coordinator. This worker solves
 * nothing, so the coordinator takes nearly all the time of the run.
 */
import { workerData } from 'piscina';
import { loadReference } from '../src/catalog/load-reference.js';
import { ByteWriter } from '../src/core/bytes.js';
import { createResult } from '../src/engine/chunk-result.js';
import type { ChunkResult, WatchedTask, WorkerTask } from '../src/engine/messages.js';
import type { WorkerSettings } from '../src/engine/output-settings.js';
import type { RangeTask } from '../src/engine/parallel-scan/range-messages.js';
import { transferRange, transferResult } from './hand-over.js';
import { RangeSolver } from './range-solver.js';

const out = new ByteWriter(1 << 20);

let ranges: Promise<RangeSolver> | null = null;

async function createRangeSolver({ problem }: WorkerSettings): Promise<RangeSolver> {
  const { inputFormat } = await loadReference(problem);
  return new RangeSolver(inputFormat, async (task) => skip(task));
}

function skip({ bytes, starts, firstCase }: WorkerTask): ChunkResult {
  const answeredCases = starts.length - 1;
  for (let index = 0; index < answeredCases; index++) {
    out.ascii('Case #');
    out.integer(firstCase + index);
    out.ascii(': 0\n');
  }
  const span = { lines: 0, bytesAfterLastLineEnd: bytes.length };
  return createResult({ output: out.take(), answeredCases, span });
}

export default function skipChunk(task: WorkerTask): unknown {
  return transferResult(skip(task));
}

export async function solveRange(work: WatchedTask<RangeTask>): Promise<unknown> {
  ranges ??= createRangeSolver(workerData as WorkerSettings);
  return transferRange(await (await ranges).solve(work));
}
