/** How a grammar describes a problem. Modules and board games need none of it. */
export interface GrammarUse {
  /** Whether the iterations of a loop at the top level are the cases. If not, each input is one case. */
  readonly multitest: boolean;
  /** Which loop at the top level has the cases as its iterations, counted from 1; null for the last one. */
  readonly casesLoop: number | null;
  /** How outputs are cut into answers, as `--answers` says. */
  readonly answers: string;
}

/** Whether `--answers` names the grammar of an answer, as the path of its file. */
export function isGrammarOfAnswers(answers: string): boolean {
  return answers.endsWith('.ctd');
}

/** The options that say how a grammar is used, of which none is required. */
type GrammarUseOptions = { readonly [Name in keyof GrammarUse]?: GrammarUse[Name] | null | undefined };

/** Completes the options. A loop of cases implies `multitest`, and the answers follow from how inputs are read. */
export function grammarUseOf({ multitest, casesLoop, answers }: GrammarUseOptions): GrammarUse {
  const isMultitest = multitest === true || (casesLoop ?? null) !== null;
  return {
    multitest: isMultitest,
    casesLoop: casesLoop ?? null,
    answers: answers ?? defaultAnswers(isMultitest),
  };
}

/** An input that is one case has one answer, the whole output. The answers of many cases are lines. */
export function defaultAnswers(isMultitest: boolean): string {
  return isMultitest ? 'line' : 'all';
}

export const DEFAULT_GRAMMAR_USE: GrammarUse = grammarUseOf({});
