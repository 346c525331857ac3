import type { Problem } from '../problems/problem.js';
import type { ProblemReference } from '../problems/problem-reference.js';
import { loadProblem } from './registry.js';

/** Loads a problem in a worker thread, with its solver if it has one. */
export async function loadReference(reference: ProblemReference): Promise<Problem> {
  if (reference.kind === 'built-in') return loadProblem(reference.name);
  if (reference.kind === 'module') {
    // Loaded only here, so that workers of the registry's problems start faster.
    const { loadModule } = await import('../problems/modules/load-module.js');
    return (await loadModule(reference)).problem as Problem;
  }
  const { readGrammarProblem } = await import('../problems/grammar-problem.js');
  return readGrammarProblem(reference.path, reference.use);
}
