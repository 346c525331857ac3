/** How a grammar describes a problem. Modules and board games need none of it. */
export interface GrammarUse {
  /** Whether each input is one case. */
  readonly single: boolean;
  /** Which loop at the top level has the cases as its iterations, counted from 1; null for the last one. */
  readonly casesLoop: number | null;
  /** How outputs are cut into answers, as `--answers` says. */
  readonly answers: string;
}

export const DEFAULT_GRAMMAR_USE: GrammarUse = { single: false, casesLoop: null, answers: 'line' };
