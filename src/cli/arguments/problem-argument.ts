/** The argument `<problem>`, and the options that belong to it. */

import { type OpenedProblem, openProblem } from '../../catalog/open-problem.js';
import { findProblem, PROBLEMS, type ProblemEntry } from '../../catalog/registry.js';
import { closestName } from '../../core/closest-name.js';
import { findContestSet } from '../../problems/contest-sets.js';
import { grammarUseOf } from '../../problems/grammar-use.js';
import { isGrammarPath, isModulePath } from '../../problems/modules/module-path.js';
import type { Problem } from '../../problems/problem.js';
import * as row from './rows.js';
import { usageError } from './usage-error.js';

/** The problem that the user has named, and the options for a grammar. */
export interface ProblemArguments {
  readonly problem: string;
  readonly multitest?: boolean;
  readonly casesLoop?: number | null;
  readonly answers?: string | null;
}

/** The rows of the options for problems that are grammars. */
export const GRAMMAR_OPTIONS = row.optionGroup('Grammars', {
  multitest: row.flagOption(
    'with a grammar: the iterations of the last loop at the top level are the cases (default: each input is one case)',
  ),
  'cases-loop': row.countOption(
    1,
    'with a grammar: --multitest with another loop at the top level, counted from 1 (default: the last)',
  ),
  answers: row.textOption(
    'with a grammar: how outputs are cut into answers: all, line, lines:EXPR, tokens:EXPR, label:TEXT, or the grammar of one answer, FILE.ctd (default: all, which is the whole output; with --multitest line)',
    { completes: 'file', value: 'FORMAT' },
  ),
});

/**
 * Opens the problem that the user has named. `validate` accepts grammars whose cases depend on each other, which all other
 * commands refuse. Fails with kind `usage` if no problem has this name, or if the author of a
 * module or of a grammar has made a mistake.
 */
export async function openProblemArgument(
  args: ProblemArguments,
  { isForValidation = false } = {},
): Promise<OpenedProblem> {
  const [option] = givenGrammarOptions(args);
  const isGrammar = isGrammarPath(args.problem);
  if (option !== undefined && !isGrammar)
    throw usageError(`${option} needs a grammar (FILE.ctd) as <problem>`);
  if (!isGrammar && !isModulePath(args.problem)) parseProblem(args.problem);
  const opened = await openProblem(args.problem, grammarUseOf(args));
  if (!isForValidation) opened.problem.assertUsable?.();
  return opened;
}

/** Fails if the contest of the problem does not have a set with this name. */
export function assertContestHasSet({ name, contest }: Problem, set: string | null): void {
  findContestSet(name, contest?.data.sets ?? {}, set);
}

function givenGrammarOptions({ multitest, casesLoop, answers }: ProblemArguments): string[] {
  return [
    ...(multitest === true ? ['--multitest'] : []),
    ...(casesLoop == null ? [] : ['--cases-loop']),
    ...(answers == null ? [] : ['--answers']),
  ];
}

/**
 * Returns the problem with this name or alias. If there is none, fails and names all problems, or the one that was probably
 * meant.
 */
export function parseProblem(name: string): ProblemEntry {
  const entry = findProblem(name);
  if (entry !== undefined) return entry;
  const known = PROBLEMS.flatMap((problem) => [problem.name, ...problem.aliases]);
  const nearest = closestName(name, known);
  const hint =
    nearest === null
      ? `the problems are ${PROBLEMS.map((p) => p.name).join(', ')}`
      : `did you mean ${nearest}?`;
  throw usageError(`no problem is named "${name}"; ${hint}`);
}
