/** What is wrong with the end of an input. */
import { pluralize } from '../../core/errors.js';
import type { InputFormat } from '../../formats/input-format.js';

/** A mismatch at the end of an input: the parts of the message. */
export interface EndMismatch {
  readonly expected: string;
  readonly got: string;
  /** The number of the case that is missing; null if none is. */
  readonly caseNumber: number | null;
}

/** The number of cases that the head promises (Infinity if it states none), and the number of those that were found. */
interface CaseCounts {
  readonly promised: number;
  readonly found: number;
}

/** Returns what is wrong if an input ends between two cases; null if it may end there. */
export function mismatchAtEnd(
  { ending, terminator }: InputFormat,
  { promised, found }: CaseCounts,
): EndMismatch | null {
  const got = 'the end of the input';
  if (ending === 'until-terminator')
    return { expected: `a case or ${terminator ?? 'the end of the cases'}`, got, caseNumber: null };
  if (promised === Number.POSITIVE_INFINITY) return null;
  const counted = `${got} after ${pluralize(found, 'case')}`;
  return { expected: pluralize(promised, 'case'), got: counted, caseNumber: found + 1 };
}

/** Says what must follow the last case. */
export function expectedAfterCases({ ending, terminator }: InputFormat, promised: number): string {
  if (terminator !== null) return `the end of the input after ${terminator}`;
  if (ending !== 'counted') return 'the end of the input after the last case';
  return `the end of the input, which says that it has ${pluralize(promised, 'case')}`;
}
