/** The argument `<problem>`, and the options that belong to it. */

import { type OpenedProblem, openProblem } from '../../catalog/open-problem.js';
import { findSet } from '../../problems/contest-sets.js';
import { type GrammarUse, grammarUseOf } from '../../problems/grammar-use.js';
import { isGrammarPath, isModulePath } from '../../problems/modules/module-path.js';
import type { Problem } from '../../problems/problem.js';
import { parseCountOption, parseProblem, parseSingleValue, usageError } from './parse-options.js';

/** The options that say how a grammar is used, as yargs returns them. */
export interface ProblemArguments {
  readonly problem: string;
  readonly multitest?: boolean;
  readonly casesLoop?: unknown;
  readonly answers?: unknown;
}

/** Describes the options that say how a grammar is used to yargs. */
export const GRAMMAR_OPTIONS = {
  multitest: {
    type: 'boolean',
    default: false,
    describe:
      'with a grammar: the iterations of the last loop at the top level are the cases (default: each input is one case)',
  },
  'cases-loop': {
    type: 'string',
    requiresArg: true,
    describe:
      'with a grammar: --multitest with another loop at the top level, counted from 1 (default: the last)',
  },
  answers: {
    type: 'string',
    requiresArg: true,
    describe:
      'with a grammar: how outputs are cut into answers: all, line, lines:EXPR, tokens:EXPR, label:TEXT, or the grammar of one answer, FILE.ctd (default: all, which is the whole output; with --multitest line)',
  },
} as const;

/**
 * Opens the problem that the user has named. `validate` accepts grammars whose cases depend on each other, which all other
 * commands refuse. Fails with kind `usage` if no problem has this name, or if the author of a
 * module or of a grammar has made a mistake.
 */
export async function chooseProblem(
  args: ProblemArguments,
  { isForValidation = false } = {},
): Promise<OpenedProblem> {
  const [option] = givenGrammarOptions(args);
  const isGrammar = isGrammarPath(args.problem);
  if (option !== undefined && !isGrammar)
    throw usageError(`${option} needs a grammar (FILE.ctd) as <problem>`);
  if (!isGrammar && !isModulePath(args.problem)) parseProblem(args.problem);
  const opened = await openProblem(args.problem, parseGrammarUse(args));
  if (!isForValidation) opened.problem.assertUsable?.();
  return opened;
}

/** Parses the options that say how a grammar is used. */
export function parseGrammarUse({
  multitest,
  casesLoop,
  answers,
}: Omit<ProblemArguments, 'problem'>): GrammarUse {
  return grammarUseOf({
    multitest,
    casesLoop: parseCountOption('--cases-loop', casesLoop, 1),
    answers: parseSingleValue('--answers', answers),
  });
}

/** Describes `--set` to yargs. */
export const SET_OPTION = {
  type: 'string',
  requiresArg: true,
} as const;

/** Returns the set that `--set` names; null if it was not given. Fails if the contest of the problem has no such set. */
export function parseSet({ name, contest }: Problem, value: unknown): string | null {
  const set = parseSingleValue('--set', value, 'the name of a set') ?? null;
  findSet(name, contest?.data.sets ?? {}, set);
  return set;
}

function givenGrammarOptions({ multitest, casesLoop, answers }: ProblemArguments): string[] {
  return [
    ...(multitest === true ? ['--multitest'] : []),
    ...(casesLoop === undefined ? [] : ['--cases-loop']),
    ...(answers === undefined ? [] : ['--answers']),
  ];
}
