/** The arguments and options of `solveOne`, in Node and in browsers. */
import type { ProblemDefinition } from '../problems/modules/definition.js';
import { checkValue, INPUT_TEXT_RULE, type OptionRule, readOptions, TEXT_RULE } from './check-options.js';

/** How `solveOne` reads a case. */
export interface SolveOneOptions {
  /** The text of the input's head, for a problem whose cases depend on the head. It must state 1 as the number of cases. */
  readonly head?: string;
}

/** Returns the options of `solveOne`. Fails with kind `usage` if an argument is wrong. */
export function checkSolveOneArguments(
  problem: unknown,
  input: unknown,
  given: SolveOneOptions,
): SolveOneOptions {
  checkValue('`problem`', PROBLEM_RULE, problem);
  checkValue('`input`', typeof problem === 'string' ? TEXT_RULE : CASE_RULE, input);
  checkValue('`input`', INPUT_TEXT_RULE, input);
  const options = readOptions(given, { head: TEXT_RULE });
  checkValue('`head`', INPUT_TEXT_RULE, options.head);
  return options;
}

const PROBLEM_RULE: OptionRule = {
  expected: 'the name of a problem, the path of a module, or what `defineProblem` returned',
  accepts: (value) =>
    typeof value === 'string' || typeof (value as DefinitionLike)?.description?.layout === 'object',
};

type DefinitionLike = Partial<ProblemDefinition> | null | undefined;

const CASE_RULE: OptionRule = {
  expected: 'the text of a case, or an object with its fields',
  accepts: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
};
