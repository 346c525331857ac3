/** Grammars that come close to the limits of checktestdata's steps and memory. */
import { expect, test } from 'vitest';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { checkWholeFile } from '../../../src/formats/checktestdata/reading/check-whole.js';

const check = (grammar: string) => checkWholeFile(parseGrammar(grammar, 'test.ctd'), new Uint8Array());

test.each(['REP(10^9) END', 'REPI(i,3000) SET(a[i]=i) END REP(300000) ASSERT(UNIQUE(a)) END'])(
  '%s ends with a fault',
  (grammar) => expect(check(grammar)).not.toBeNull(),
);

test('UNSET gives memory back, so that a large file fits', () => {
  expect(check('REP(40) REPI(i,100000) SET(a[i]=i) END UNSET(a) END')).toBeNull();
});
