/** Random input formats, of fields whose text may be empty and others between them. */
import fc from 'fast-check';
import { formats } from '../../src/formats/language/formats.js';
import type { Field, Layout } from '../../src/formats/language/tree.js';
import { defineProblem } from '../../src/problems/modules/define-problem.js';

const { counted, untilEnd, int, word, line, ints, words, lines, grid, table, list, either, until } = formats;

/** Fields that may have no tokens, or lines of their own, and others between them. */
const FIELDS_OF_N: readonly fc.Arbitrary<Field>[] = [
  int(0, 9),
  word('ab'),
  line(),
  line({ empty: true }),
  ints('n', 0, 9),
  words('n', 'ab'),
  lines('n'),
  list('n', { x: int(0, 9) }),
  list('n', { x: int(0, 9), l: line({ empty: true }) }),
  grid('n', 2, '.#'),
  table('n', 2, 0, 9),
  ints(until('\n'), 0, 9),
  words(until('\n'), 'ab'),
  either('k', { A: {}, D: { l: lines(1) }, W: { w: words(until('\n'), 'ab') } }),
].map((field) => fc.constant(field as unknown as Field));

/** Whether `defineProblem` accepts a format. */
function isAccepted(input: Layout): boolean {
  try {
    defineProblem({ name: 'any', input: input as never });
    return true;
  } catch {
    return false;
  }
}

/** A layout of fields in several objects, of which each is one line, or in one object. Each case has a token. */
export const ANY_LAYOUT: fc.Arbitrary<Layout> = fc
  .tuple(
    fc.array(fc.array(fc.oneof(...FIELDS_OF_N), { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('one object', 'an object a line'),
    fc.constantFrom(counted, untilEnd),
    fc.constantFrom('head', 'case'),
  )
  .map(([groups, shape, layoutOf, placeOfN]) => {
    const objects = groups.map((fields, row) =>
      Object.fromEntries(fields.map((field, i) => [`f${row}${i}`, field])),
    );
    const all = placeOfN === 'head' ? [...objects, { z: word('ab') }] : [{ n: int(0, 2) }, ...objects];
    const input = shape === 'one object' ? Object.assign({}, ...all) : all;
    const options = placeOfN === 'head' ? { head: { n: int(0, 2) } } : {};
    return layoutOf(input as never, options as never) as unknown as Layout;
  })
  .filter(isAccepted);
