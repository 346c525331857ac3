/** Which names the commands of a grammar use, whatever the expression or test is in which they stand. */
import { expect, test } from 'vitest';
import { accessesOf } from '../../../src/formats/checktestdata/language/names.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';

test.each([
  ['INT(a,-b,c)', 'use a, use b, input c'],
  ['FLOATP(a,b,c,d,e)', 'use a, use b, use c, use d, input e'],
  ['SET(a[i]=b*c)', 'use b, use c, use i, set a'],
  ['ASSERT(INARRAY(a+1,b) || UNIQUE(c,d))', 'use a, use b, use c, use d'],
  ['ASSERT(!(STRLEN(a)<b[i,j] && MATCH(c)))', 'use a, use i, use j, use b, use c'],
  ['REPI(i,n,STRING(s)) REGEX(a,b) END', 'set i, use n, use a, input b, use s'],
  ['WHILE(a<b) IF(c==d) STRING(e) ELSE UNSET(f) END END', 'use a, use b, use c, use d, use e'],
])('%s', (text, accesses) => {
  const found = accessesOf(parseGrammar(text, 'test.ctd').commands);
  expect(found.map(({ kind, name }) => `${kind} ${name}`).join(', ')).toBe(accesses);
});
