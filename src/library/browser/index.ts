/**
 * The library for browsers: `import ... from 'boardmill/browser'`. It solves single cases on the thread that calls it. Its
 * bundle is one file that imports nothing and contains the kernels.
 *
 * @module boardmill/browser
 */

import { loadProblem } from '../../catalog/registry.js';
import type { DefinedProblem } from '../../problems/modules/define-problem.js';
import { solveBuiltInCase, solveCaseOfDefinition } from '../solve-case.js';
import { checkSolveOneArguments, type SolveOneOptions } from '../solve-one-options.js';

export {
  BoardmillError,
  CaseError,
  type ErrorCause,
  type FailureKind,
  type LocatedFault,
} from '../../core/errors.js';
export { formats } from '../../formats/language/formats.js';
export {
  type DefinedProblem,
  defineProblem,
  type ProblemOptions,
} from '../../problems/modules/define-problem.js';
export type { SolveOneOptions } from '../solve-one-options.js';

/**
 * Solves one case. `problem` is the name or an alias of a problem, or what `defineProblem` returned. The case is the text
 * that an input has between its head and the next case; the size line with the size of a board may be left out. A problem of
 * `defineProblem` also takes the fields of the case.
 *
 * Returns the answer as `--format ndjson` prints it, or for a problem of your own what its `solve` returned. Throws a
 * CaseError if the case breaks the input format, and a BoardmillError whose `cause` is what `solve` throws.
 */
export function solveOne<Case, Head, Answer>(
  problem: DefinedProblem<Case, Head, Answer>,
  input: string | Case,
  options?: SolveOneOptions,
): Promise<Answer>;
export function solveOne(problem: string, input: string, options?: SolveOneOptions): Promise<unknown>;
export async function solveOne(
  problem: string | DefinedProblem<unknown, unknown, unknown>,
  input: unknown,
  given: SolveOneOptions = {},
): Promise<unknown> {
  const options = checkSolveOneArguments(problem, input, given);
  if (typeof problem !== 'string') return solveCaseOfDefinition(problem, input, options);
  return solveBuiltInCase(await loadProblem(problem), String(input), options);
}
