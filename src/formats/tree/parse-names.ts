/** Names the fields and elements of a case in messages. */
import { pluralize } from '../../core/errors.js';
import type { CaseCursor } from './case-cursor.js';
import type { Length } from './counts.js';
import { LOST, MAX_ELEMENTS, MAX_EMPTY_ELEMENTS, type Status } from './cursor.js';
import { printNumber } from './numbers.js';

/** Returns the name of a field, such as `edges[2].u`. Names are made only for messages. */
export type NameOf = (cursor: CaseCursor) => string;

/** Names an element of an array, from index 0: `a[3] of 5`, or `a[3]` if the length is not known. */
export function elementName(cursor: CaseCursor, nameOf: NameOf, length: Length, index: number): string {
  const name = `${nameOf(cursor)}[${index + 1}]`;
  return length.isKnown ? `${name} of ${length.count(cursor.environment)}` : name;
}

/** Reports why an array or list has no end, unless the reader of an element has reported it. */
export function endArray(cursor: CaseCursor, nameOf: NameOf, length: Length, elements: number): Status {
  if (cursor.isStopped) return LOST;
  if (!length.isKnown) return cursor.reportMissing(elementName(cursor, nameOf, length, elements));
  return reportCount(cursor, `elements of ${nameOf(cursor)}`, length);
}

/** Reports that a count has no value, or one that is not a possible number of elements or rows. */
export function reportCount(cursor: CaseCursor, what: string, length: Length & { isKnown: true }): Status {
  const value = length.evaluate(cursor.environment);
  const got = Number.isNaN(value) ? 'a count without a value' : printNumber(value);
  if (length.count(cursor.environment) < 0) {
    return cursor.reportLost(cursor.from, `the number of ${what} (0 to ${MAX_ELEMENTS})`, got);
  }
  const limit = pluralize(MAX_EMPTY_ELEMENTS, 'element');
  return cursor.reportLost(cursor.from, `at most ${limit} without a byte in the case`, got);
}
