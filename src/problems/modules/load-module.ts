/** Loads a user's module in a worker thread, together with the functions of its author. */
import type { ProblemReference } from '../problem-reference.js';
import type { ProblemDefinition } from './definition.js';
import { importDefinition } from './module-loader.js';
import { createModuleProblem, type ModuleProblem } from './module-problem.js';
import { ModuleSolver } from './module-solver.js';

export interface LoadedModule {
  readonly definition: ProblemDefinition;
  readonly problem: ModuleProblem;
}

/** Lets what a module prints in this thread go to standard error, because standard output carries only answers. */
export function divertOutput(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
}

export async function loadModule({
  url,
  typed,
}: ProblemReference & { kind: 'module' }): Promise<LoadedModule> {
  divertOutput();
  const definition = await importDefinition(url, typed);
  const problem = createModuleProblem(definition.description, { url, typed });
  if (definition.solve === null) return { definition, problem };
  const createPortable = () => new ModuleSolver(definition, problem.answerFormat);
  return { definition, problem: { ...problem, solvers: { createPortable } } };
}
