/** Which names the commands of a grammar use, whatever the expression or test is in which they stand, and how they begin. */
import { expect, test } from 'vitest';
import { accessesOf, beginsExactly } from '../../../src/formats/checktestdata/language/names.js';
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

test.each<[string, boolean]>([
  ['INT(1,2)', false],
  ['NEWLINE REGEX("a")', false],
  ['REGEX("a")', true],
  ['SET(a=1) STRING(" ")', true],
  ['REP(2) INT(1,2) END', false],
  ['REP(2) REGEX("a") END', true],
  ['WHILE(a<1) INT(1,2) END', false],
  ['WHILE(!MATCH("x")) INT(1,2) END', true],
  ['IF(a<1 || MATCH("x")) INT(1,2) END', true],
  ['IF(a<1) INT(1,2) ELSE STRING("x") END', true],
  ['IF(a<1) END INT(1,2)', false],
])('%s may begin with text that contains whitespace, or looks at the next byte: %s', (text, isExact) => {
  expect(beginsExactly(parseGrammar(text, 'test.ctd').commands)).toBe(isExact);
});
