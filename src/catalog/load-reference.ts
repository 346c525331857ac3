import type { Problem } from '../problems/problem.js';
import type { ProblemReference } from '../problems/problem-reference.js';
import { loadProblem } from './registry.js';

/** Loads the problem that a reference names, in a worker thread, together with the problem's solver if there is one. */
export async function loadReferencedProblem(reference: ProblemReference): Promise<Problem> {
  if (reference.kind === 'built-in') return loadProblem(reference.name);
  if (reference.kind === 'module') {
    // Only a thread that needs a user's module loads this code, so that threads for the built-in games start faster.
    const { loadModule } = await import('../problems/modules/load-module.js');
    return (await loadModule(reference)).problem as Problem;
  }
  const { readGrammarProblem } = await import('../problems/grammar-problem.js');
  return readGrammarProblem(reference.path, reference.use);
}
