/** The options that say when an answer is right. All commands that compare answers have them. */
import { ProgramFiles } from '../../engine/exec/program-files.js';
import type { Problem } from '../../problems/problem.js';
import type { AnswerComparisonOptions } from '../../tools/compare/comparator.js';
import * as row from './rows.js';
import { usageError } from './usage-error.js';
import { assertGiven } from './values.js';

/** The rows of the options that say when an answer is right. `check` also has `--exact`. */
export const ANSWER_COMPARISON_OPTIONS = row.optionGroup('Which answers are right', {
  tolerance: row.valueOption(
    parseTolerance,
    'accept numbers that differ by at most this much, absolutely or relatively, such as 1e-6',
    { value: 'NUMBER', excludes: ['checker'] },
  ),
  checker: row.programOption(
    'program that decides whether an answer is right: it gets the paths of an input, an output and an answer, and exits with 0, or with 1 or 2 if the output is wrong',
  ),
});

/** Their names. */
export const ANSWER_COMPARISON_NAMES = Object.keys(
  ANSWER_COMPARISON_OPTIONS,
) as (keyof typeof ANSWER_COMPARISON_OPTIONS)[];

/** The options as a command has them. */
type AnswerOptionValues = Pick<AnswerComparisonOptions, 'tolerance' | 'checker'> & {
  readonly exact?: boolean;
};

/**
 * Finds the files of the checker. Fails with kind `usage` if the checker cannot be run, or if the tolerance would replace
 * `equal` of the module.
 */
export async function prepareAnswerComparison(
  { tolerance, checker, exact = false }: AnswerOptionValues,
  { words, author }: Problem,
): Promise<AnswerComparisonOptions> {
  if (tolerance !== null && author?.hasEqual === true)
    throw usageError(
      `--tolerance cannot be used with ${words[0]}, whose \`equal\` decides which answers are right`,
    );
  const paths = checker === null ? [] : (await ProgramFiles.find(checker)).paths;
  return { tolerance, checker, exact, paths };
}

function parseTolerance(text: string, option: string): number {
  const isNumber = /^\d*\.?\d+(?:e[+-]?\d+)?$/i.test(assertGiven(text, option, 'a number'));
  const tolerance = isNumber ? Number(text) : Number.NaN;
  if (Number.isFinite(tolerance)) return tolerance;
  throw usageError(`${option} needs a number such as 1e-6, got "${text}"`);
}
