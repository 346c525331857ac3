/**
 * The worker code that runs instead of solve-chunk.ts for `explain`. Instead of the answers to a chunk, this worker returns
 * what explains them.
 */
import { workerData } from 'piscina';
import { loadReference } from '../src/catalog/load-reference.js';
import type { WorkerTask } from '../src/engine/messages.js';
import type { ExplainSettings } from '../src/engine/output-settings.js';
import { createExplainingSolver, PRINTED_EXPLANATIONS } from './case-explainer.js';
import { ChunkSolver } from './chunk-solver.js';
import { transferResult } from './hand-over.js';

let solver: Promise<ChunkSolver<string, unknown>> | null = null;

async function createSolver(settings: ExplainSettings): Promise<ChunkSolver<string, unknown>> {
  const problem = await loadReference(settings.problem);
  const explaining = await createExplainingSolver(problem, settings);
  return new ChunkSolver(
    { inputFormat: problem.inputFormat, answerFormat: PRINTED_EXPLANATIONS },
    explaining,
    false,
  );
}

export default async function explainChunk(task: WorkerTask): Promise<unknown> {
  solver ??= createSolver(workerData as ExplainSettings);
  return transferResult(await (await solver).solve(task));
}
