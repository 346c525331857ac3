/** Opens what decides whether an answer is right: tokens, a tolerance, a checker, or `equal` of a module. */

import {
  type AnswerComparator,
  type AnswerPair,
  acceptEqualTokensOr,
  BYTE_COMPARATOR,
  type ComparisonCancellation,
  limitComparisons,
  type OpenedComparator,
  TOKEN_COMPARATOR,
  toleranceComparator,
} from '../../engine/comparators.js';
import { Checker } from '../../engine/exec/checker.js';
import { DEFAULT_JUDGING_SECONDS } from '../../engine/limits.js';
import { LocalPool } from '../../engine/local-pool.js';
import type { Problem } from '../../problems/problem.js';

/** How answers are compared, if the author of the problem does not decide. */
export interface AnswerComparisonOptions {
  readonly tolerance: number | null;
  readonly checker: readonly string[] | null;
  readonly exact: boolean;
  /** The paths of the files of the checker. */
  readonly paths: readonly string[];
}

/** When comparisons end. */
interface ComparatorOptions extends ComparisonCancellation {
  /** Seconds that a checker, or `equal` of a module, may take for a case. Null or missing: DEFAULT_JUDGING_SECONDS. */
  readonly timeoutSeconds?: number | null;
}

/**
 * Opens the comparator that the options choose. Without an option, the author of the problem decides, with `equal` or
 * `tolerance`; tokens are compared if the author says nothing.
 */
export async function openComparator(
  problem: Problem,
  { tolerance, checker, exact }: AnswerComparisonOptions,
  jobs: number,
  limits: ComparatorOptions = {},
): Promise<OpenedComparator> {
  const simple = (comparator: AnswerComparator) => ({ comparator, close: async () => {} });
  if (exact) return simple(BYTE_COMPARATOR);
  if (checker !== null) {
    const opened = await Checker.open({ problem, argv: checker, timeoutSeconds: secondsOf(limits) });
    limits.giveUp?.addEventListener('abort', () => opened.giveUp());
    const ask = limitComparisons((pair) => opened.ask(pair), jobs, limits);
    return {
      comparator: { compareSync: () => undefined, compareAsync: ask },
      close: async () => opened.close(),
    };
  }
  if (tolerance !== null) return simple(toleranceComparator(tolerance));
  if (problem.author?.hasEqual === true) return openAuthorComparator(problem, jobs, limits);
  const { tolerance: authorTolerance = null } = problem.author ?? {};
  return simple(authorTolerance === null ? TOKEN_COMPARATOR : toleranceComparator(authorTolerance));
}

/** Whether answers agree if their tokens are equal, because neither the options nor the author of the problem say more. */
export function comparesTokens(
  { author }: Problem,
  { tolerance, checker, exact }: AnswerComparisonOptions,
): boolean {
  const saysAuthor = author !== undefined && (author.hasEqual || author.tolerance !== null);
  return tolerance === null && checker === null && !exact && !saysAuthor;
}

/** Opens a comparator that asks `equal` of the problem's module, in worker threads. */
function openAuthorComparator(problem: Problem, jobs: number, limits: ComparatorOptions): OpenedComparator {
  const timeoutSeconds = secondsOf(limits);
  const pool = LocalPool.of(problem, { solver: 'auto' }, { jobs, timeoutSeconds });
  limits.giveUp?.addEventListener('abort', () => pool.giveUp());
  const askEqual = async ({ caseNumber, caseBytes, head, expected, got }: AnswerPair) => {
    const task = {
      caseNumber,
      caseBytes: caseBytes.slice(),
      head,
      expected: expected.bytes.slice(expected.from, expected.to),
      got: got.bytes.slice(got.from, got.to),
    };
    const reason = await pool.callAuthor('callEqual', task, () => caseNumber);
    return reason === null ? null : { equalBytes: 0, reason: reason === '' ? null : reason };
  };
  return {
    comparator: acceptEqualTokensOr(limitComparisons(askEqual, jobs, limits)),
    close: () => pool.close(),
  };
}

function secondsOf({ timeoutSeconds }: ComparatorOptions): number {
  return timeoutSeconds ?? DEFAULT_JUDGING_SECONDS;
}
