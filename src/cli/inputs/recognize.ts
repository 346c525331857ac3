/** Recognizes the problem that an input belongs to, in case the user named the wrong problem. */

import { PROBLEMS } from '../../catalog/registry.js';
import { CaseError } from '../../core/errors.js';
import type { Source } from '../../engine/input/source.js';
import { type CaseExtent, type InputFormat, NO_TAIL } from '../../formats/input-format.js';
import type { Problem } from '../../problems/problem.js';

/**
 * Calls `work`, which reads the input. If `work` fails because of a case, and the input looks like one of another problem, a
 * question such as "is this an input of river-pawn?" is added to the error message.
 */
export async function askingAboutProblem<Result>(
  source: Source,
  problem: Problem<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CaseError) || error.kind !== 'input') throw error;
    const question = await suggestProblem(source.beginning, problem);
    if (question === null) throw error;
    throw new CaseError('input', {
      ...error.fault,
      description: `${error.fault.description}; ${question}`,
    });
  }
}

/**
 * Returns a question such as "is this an input of river-pawn?", or null. There is a question only if the input begins with
 * valid cases of that problem, and its first case is not a valid case of `problem`.
 */
export async function suggestProblem(
  beginning: Uint8Array,
  problem: Problem<unknown>,
): Promise<string | null> {
  if (beginsWithGoodCases(beginning, problem.inputFormat, 1)) return null;
  const fitting: string[] = [];
  for (const { name, load } of PROBLEMS) {
    const other = (await load()).problem;
    if (name !== problem.name && beginsWithGoodCases(beginning, other.inputFormat, CASES_TO_RECOGNIZE))
      fitting.push(name);
  }
  return fitting.length === 0 ? null : `is this an input of ${fitting.join(' or ')}?`;
}

/** The number of valid cases at the start of an input that is enough to be sure of its problem. */
const CASES_TO_RECOGNIZE = 5;

/** Whether the bytes begin with `enough` valid cases of this format, or consist of fewer cases that are all valid. */
function beginsWithGoodCases(bytes: Uint8Array, format: InputFormat, enough: number): boolean {
  const { length } = bytes;
  const scanner = format.createScanner({ isThorough: true });
  const head = scanner.readHead(bytes, length, true);
  if (head === null || 'offset' in head) return false;
  const parser = format.createParser();
  parser.useHead(head.head);
  const extent: CaseExtent = { end: head.length, neededEnd: 0, isInvalid: false };
  const wanted = Math.min(enough, head.cases ?? enough);
  for (let cases = 0; cases < wanted; cases++) {
    const start = scanner.skipToCase(bytes, extent.end, length);
    const isOver = start === length || scanner.findTail(bytes, start, length, true, false) !== NO_TAIL;
    // The input ends after the cases that were read. It is valid only if it has a case, and its head gives no number of cases.
    if (isOver) return cases > 0 && head.cases === null;
    scanner.findCase(bytes, start, length, true, extent);
    if (extent.isInvalid || parser.parse(bytes, start, extent.end, null) === null) return false;
  }
  return wanted > 0;
}
