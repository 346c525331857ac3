/** Compares the output of a program with boardmill's answers case by case, as `boardmill check` does. */

import type { OpenedComparator } from '../../engine/comparators.js';
import { openRegularSource } from '../../engine/input/read.js';
import { AnswerComparingSink } from '../compare/compare.js';
import { type BreakdownRequest, solveIntoSink } from './breakdown.js';
import type { BenchSetting } from './measured-command.js';

/** The first answer of a program that does not agree with boardmill's. */
export interface CaseDifference {
  /** Number of the case; null for text that answers no case. */
  readonly case: number | null;
  /** boardmill's answer; null for text that answers no case. */
  readonly expected: string | null;
  readonly got: string | null;
  /** Why the answer is wrong, in the words of a checker or of the problem's author; null if neither gives a reason. */
  readonly reason: string | null;
}

/**
 * Finds the first answer in the file `answers` that does not agree with boardmill's. Returns null if all agree. The input
 * is solved once more with the given setting, because the comparator needs each case with its answer.
 */
export async function findDifferentCase(
  answers: string,
  request: BreakdownRequest,
  setting: BenchSetting,
  { comparator, close }: OpenedComparator,
): Promise<CaseDifference | null> {
  const { inputFormat, answerFormat } = request.problem;
  const differences: CaseDifference[] = [];
  const source = await openRegularSource(answers);
  const comparison = new AnswerComparingSink(source.pieces, {
    inputFormat,
    answerFormat,
    comparator,
    wholeLines: false,
    maxReported: 1,
    onDifference: async ({ caseNumber, expected, got, reason }) => {
      differences.push({ case: caseNumber, expected, got, reason });
    },
  });
  try {
    await solveIntoSink(comparison, request, setting);
    await comparison.finish();
  } finally {
    await Promise.all([source.close(), close()]);
  }
  return differences[0] ?? null;
}
