/**
 * The worker code that runs instead of solve-chunk.ts for `stats`. Instead of the answers to a chunk, this worker returns
 * a survey of it.
 */
import { workerData } from 'piscina';
import xxhash from 'xxhash-wasm';
import { loadReference } from '../src/catalog/load-reference.js';
import type { WorkerTask } from '../src/engine/messages.js';
import type { SurveySettings } from '../src/engine/output-settings.js';
import { chooseSolver } from '../src/problems/choose-solver.js';
import { CaseSurveyor } from './case-surveyor.js';
import { transferResult } from './hand-over.js';
import { warmUp } from './warm-up.js';

let surveyor: Promise<CaseSurveyor> | null = null;

async function createSurveyor({ problem: reference, solver, solves }: SurveySettings): Promise<CaseSurveyor> {
  const [problem, { h64Raw }] = await Promise.all([loadReference(reference), xxhash()]);
  const chosenSolver = solves ? chooseSolver(problem, solver) : null;
  if (chosenSolver !== null) warmUp(problem, chosenSolver);
  return new CaseSurveyor(problem, chosenSolver, h64Raw);
}

export default async function surveyChunk(task: WorkerTask): Promise<unknown> {
  surveyor ??= createSurveyor(workerData as SurveySettings);
  try {
    return transferResult(await (await surveyor).solve(task));
  } catch (error) {
    // The tables of the solver may be incomplete after an error, so the next chunk gets a new solver.
    surveyor = null;
    throw error;
  }
}
