/** The options that say how a checktestdata grammar describes a problem. Modules and board games have no such options. */
export interface GrammarUse {
  /** Whether each iteration of a loop at the top level of the grammar is a case. If not, each input is one case. */
  readonly multitest: boolean;
  /** The number of the loop at the top level, from 1, whose iterations are the cases; null for the last such loop. */
  readonly casesLoop: number | null;
  /** The text of `--answers`, which says how outputs are cut into answers. */
  readonly answers: string;
}

/** Whether `--answers` names the grammar of an answer, as the path of its file. */
export function isGrammarOfAnswers(answers: string): boolean {
  return answers.endsWith('.ctd');
}

/** GrammarUse with every option optional. */
type GrammarUseOptions = { readonly [Name in keyof GrammarUse]?: GrammarUse[Name] | null | undefined };

/** Adds missing options: `casesLoop` implies `multitest`, and the default of `answers` depends on `multitest`. */
export function grammarUseOf({ multitest, casesLoop, answers }: GrammarUseOptions): GrammarUse {
  const isMultitest = multitest === true || (casesLoop ?? null) !== null;
  return {
    multitest: isMultitest,
    casesLoop: casesLoop ?? null,
    answers: answers ?? defaultAnswersOption(isMultitest),
  };
}

/** Returns the default of `--answers`: one answer is the whole output if an input is one case, otherwise one line. */
export function defaultAnswersOption(isMultitest: boolean): string {
  return isMultitest ? 'line' : 'all';
}

export const DEFAULT_GRAMMAR_USE: GrammarUse = grammarUseOf({});
