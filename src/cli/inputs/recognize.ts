/** Recognizes the problem that an input belongs to, in case the user named the wrong problem. */

import { PROBLEMS } from '../../catalog/registry.js';
import { CaseError } from '../../core/errors.js';

import { INPUT_BEGINNING_BYTES, type Source } from '../../engine/input/source.js';
import { type CaseExtent, type InputFormat, NO_TAIL } from '../../formats/input-format.js';
import type { Problem } from '../../problems/problem.js';

/**
 * Calls `work`, which reads the input. If `work` fails because of a case, and the input looks like one of another problem, a
 * question such as "is this an input of river-pawn?" is added to the error message. If only the numbers around a board are
 * missing, the complete input is added.
 */
export async function withOtherProblemHint<Result>(
  source: Source,
  problem: Problem<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CaseError) || error.kind !== 'input') throw error;
    const question = await suggestCorrection(source, problem);
    if (question === null) throw error;
    throw new CaseError('input', {
      ...error.fault,
      description: `${error.fault.description}; ${question}`,
    });
  }
}

/**
 * Returns a question such as "is this an input of river-pawn?", or what to type if only the numbers around a board are
 * missing; null if neither is likely.
 */
export async function suggestCorrection(source: Source, problem: Problem<unknown>): Promise<string | null> {
  return (await suggestProblem(source.beginning, problem)) ?? (await suggestInput(source, problem));
}

/**
 * Returns a question such as "is this an input of river-pawn?", or null. There is a question only if the input begins with
 * valid cases of that problem, and its first case is not a valid case of `problem`.
 */
async function suggestProblem(beginning: Uint8Array, problem: Problem<unknown>): Promise<string | null> {
  if (beginsWithGoodCases(beginning, problem.inputFormat, 1)) return null;
  const fitting = (await findProblems(beginning)).filter((name) => name !== problem.name);
  return fitting.length === 0 ? null : `is this an input of ${fitting.join(' or ')}?`;
}

/** Returns the name of the problem that the input belongs to; null if that is not clear. */
export async function recognizeProblem(beginning: Uint8Array): Promise<string | null> {
  const fitting = await findProblems(beginning);
  return fitting.length === 1 ? fitting[0] : null;
}

/** Returns the names of the problems whose valid cases stand at the start of the input. */
async function findProblems(beginning: Uint8Array): Promise<string[]> {
  const fitting: string[] = [];
  for (const { name, load } of PROBLEMS) {
    const { inputFormat } = (await load()).problem;
    if (beginsWithGoodCases(beginning, inputFormat, CASES_TO_RECOGNIZE)) fitting.push(name);
  }
  return fitting;
}

/**
 * Returns what to type if the input is a board of a game without the numbers around it, such as its size; otherwise null. The
 * cases of other problems may consist of numbers, so that any number before them would look like one that was missing.
 */
async function suggestInput(source: Source, problem: Problem<unknown>): Promise<string | null> {
  const { beginning, name } = source;
  if (beginning.length >= INPUT_BEGINNING_BYTES || problem.boardLines === undefined) return null;
  const { suggestMissingLines } = await import('./bare-board.js');
  const { inputFormat } = problem;
  const hasTerminator = inputFormat.ending === 'until-terminator';
  const readAll = (bytes: Uint8Array) => readGoodCases(bytes, inputFormat, Number.POSITIVE_INFINITY);
  return suggestMissingLines(beginning, name, hasTerminator, readAll);
}

/** The number of valid cases at the start of an input that is enough to be sure of its problem. */
const CASES_TO_RECOGNIZE = 5;

/** Whether the bytes begin with `enough` valid cases of this format, or consist of fewer cases that are all valid. */
function beginsWithGoodCases(bytes: Uint8Array, format: InputFormat, enough: number): boolean {
  return readGoodCases(bytes, format, enough) !== null;
}

/** Returns the offset after these cases; null if they are not valid. */
function readGoodCases(bytes: Uint8Array, format: InputFormat, enough: number): number | null {
  const { length } = bytes;
  const scanner = format.createScanner({ isThorough: true });
  const head = scanner.readHead(bytes, length, true);
  if (head === null || 'offset' in head) return null;
  const parser = format.createParser();
  parser.useHead(head.head);
  const extent: CaseExtent = { end: head.length, neededEnd: 0, isInvalid: false };
  const wanted = Math.min(enough, head.cases ?? enough);
  for (let cases = 0; cases < wanted; cases++) {
    const start = scanner.skipToCase(bytes, extent.end, length);
    const isOver = start === length || scanner.findTail(bytes, start, length, true, false) !== NO_TAIL;
    // The input ends after the cases that were read. It is valid only if it has a case, and its head gives no number of cases.
    if (isOver) return cases > 0 && head.cases === null ? start : null;
    scanner.findCase(bytes, start, length, true, extent);
    if (extent.isInvalid || parser.parse(bytes, start, extent.end, null) === null) return null;
  }
  return wanted > 0 ? extent.end : null;
}
