import type { Problem } from './problem.js';
import type { ProblemReference } from './problem-reference.js';
import { loadProblem } from './registry.js';

/** Loads a problem in a worker thread, with its solver. */
export async function loadReference(reference: ProblemReference): Promise<Problem> {
  if (reference.kind === 'built-in') return loadProblem(reference.name);
  throw new Error(`a ${reference.kind} has no solver`);
}
