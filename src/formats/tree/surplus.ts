/** Compiles the test whether a token after a grid is a surplus row of that grid. */
import { findTokenEnd } from '../../core/bytes.js';
import { letterIndexTableOf, lettersExcludeNumbers, NO_LETTER } from '../language/letters.js';
import { lastField, leadingNumbers } from '../language/shapes.js';
import type { Layout } from '../language/tree.js';
import { type Cursor, MAX_SHORT_TOKEN_BYTES } from './cursor.js';

/**
 * Returns the index after the token at `at` if the token can only be a surplus row of the case before it, 0 if it may begin a
 * case, and null if more bytes are needed. At most MAX_SHORT_TOKEN_BYTES of the token are read.
 */
export type FindSurplusRow = (cursor: Cursor, at: number) => number | null;

/** Returns null if any token may follow a case: because no grid ends the case, or because a row may be a number. */
export function compileFindSurplusRow({ shape, ending }: Layout): FindSurplusRow | null {
  const grid = lastField(shape);
  if (grid?.kind !== 'grid' || !lettersExcludeNumbers(grid.letters.join(''))) return null;
  const isNumberNext = ending.kind === 'single' || leadingNumbers(shape).length > 0;
  const isNumberAtEnd = ending.kind !== 'until-terminator' || /^\s*-?\d/.test(ending.text);
  if (!isNumberNext || !isNumberAtEnd) return null;
  const codes = grid.letters.map(letterIndexTableOf);
  return ({ bytes, end, atEnd }, at) => {
    const to = findTokenEnd(bytes, at, Math.min(end, at + MAX_SHORT_TOKEN_BYTES + 1));
    if (to === end && !atEnd) return null;
    if (codes.length > 1 && to - at !== codes.length) return 0;
    for (let index = at; index < to; index++) {
      if (codes[(index - at) % codes.length][bytes[index]] === NO_LETTER) return 0;
    }
    return to;
  };
}
