import type { Problem } from './problem.js';
import type { ProblemReference } from './problem-reference.js';
import { loadProblem } from './registry.js';

/** Loads a problem in a worker thread, with its solver if it has one. */
export async function loadReference(reference: ProblemReference): Promise<Problem> {
  if (reference.kind === 'built-in') return loadProblem(reference.name);
  if (reference.kind === 'module') {
    // Loaded only here, so that workers of the registry's problems start faster.
    const { loadModule } = await import('./load-module.js');
    return (await loadModule(reference)).problem as Problem;
  }
  const { readGrammarProblem } = await import('./grammar-problem.js');
  return readGrammarProblem(reference.path, reference.use);
}
