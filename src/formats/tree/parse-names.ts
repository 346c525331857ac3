/** Returns the names of fields and elements of a case for messages. */
import { pluralize } from '../../core/errors.js';
import type { CaseCursor } from './case-cursor.js';
import type { ArrayLength } from './counts.js';
import { MAX_ELEMENTS, MAX_EMPTY_ELEMENTS_PER_CASE, type ReadStatus, STRUCTURE_LOST } from './cursor.js';
import { printNumber } from './numbers.js';

/** Returns the name of a field for messages, such as `edges[2].u`. Called only if there is a message. */
export type FieldNameOf = (cursor: CaseCursor) => string;

/** Returns the name of an element of an array: `a[3] of 5`, or `a[3]` if the length is not known. Indices begin at 0. */
export function elementName(
  cursor: CaseCursor,
  nameOf: FieldNameOf,
  length: ArrayLength,
  index: number,
): string {
  const name = `${nameOf(cursor)}[${index + 1}]`;
  return length.isKnown ? `${name} of ${length.count(cursor.environment)}` : name;
}

/** Reports why an array or a list does not end, unless the reader of an element has reported a fault. */
export function reportEndlessArray(
  cursor: CaseCursor,
  nameOf: FieldNameOf,
  length: ArrayLength,
  elements: number,
): ReadStatus {
  if (cursor.isStopped) return STRUCTURE_LOST;
  if (!length.isKnown) return cursor.reportMissing(elementName(cursor, nameOf, length, elements));
  return reportWrongCount(cursor, `elements of ${nameOf(cursor)}`, length);
}

/** Reports that a count has no value, or a value that is not a possible number of elements or rows. */
export function reportWrongCount(
  cursor: CaseCursor,
  what: string,
  length: ArrayLength & { isKnown: true },
): ReadStatus {
  const value = length.evaluate(cursor.environment);
  const got = Number.isNaN(value) ? 'a count without a value' : printNumber(value);
  if (length.count(cursor.environment) < 0) {
    return cursor.reportLost(cursor.from, `the number of ${what} (0 to ${MAX_ELEMENTS})`, got);
  }
  const limit = pluralize(MAX_EMPTY_ELEMENTS_PER_CASE, 'element');
  return cursor.reportLost(cursor.from, `at most ${limit} without a byte in the case`, got);
}
