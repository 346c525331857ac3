/** Compiles the test whether a token after a grid is one more row of it. */
import { tokenEnd } from '../../core/bytes.js';
import { excludeNumbers, letterCodes, NO_LETTER } from '../language/letters.js';
import { lastField, leadingNumbers } from '../language/shapes.js';
import type { Layout } from '../language/tree.js';
import { type Cursor, MAX_SHORT_TOKEN_BYTES } from './cursor.js';

/**
 * Returns the index after the token at `at` if the token can only be one more row of the case before it, 0 if it is not,
 * and null if more bytes are needed. At most MAX_SHORT_TOKEN_BYTES of the token are inspected.
 */
export type FindSurplus = (cursor: Cursor, at: number) => number | null;

/** Returns null if a case may be followed by any token: it has no grid at its end, or a number may be a row. */
export function compileSurplus({ shape, ending }: Layout): FindSurplus | null {
  const grid = lastField(shape);
  if (grid?.kind !== 'grid' || !excludeNumbers(grid.letters.join(''))) return null;
  const isNumberNext = ending.kind === 'single' || leadingNumbers(shape).length > 0;
  const isNumberAtEnd = ending.kind !== 'until-terminator' || /^\s*-?\d/.test(ending.text);
  if (!isNumberNext || !isNumberAtEnd) return null;
  const codes = grid.letters.map(letterCodes);
  return ({ bytes, end, atEnd }, at) => {
    const to = tokenEnd(bytes, at, Math.min(end, at + MAX_SHORT_TOKEN_BYTES + 1));
    if (to === end && !atEnd) return null;
    if (codes.length > 1 && to - at !== codes.length) return 0;
    for (let index = at; index < to; index++) {
      if (codes[(index - at) % codes.length][bytes[index]] === NO_LETTER) return 0;
    }
    return to;
  };
}
