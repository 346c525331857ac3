/** Tests of grammars that would run for minutes if the sizes of their values did not count as steps. */
import { expect, test } from 'vitest';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { GrammarInputFormat } from '../../../src/formats/checktestdata/reading/grammar-format.js';
import { scanAll } from './scan-all.js';

function gotIn(grammar: string, input: string): string | undefined {
  return scanAll(new GrammarInputFormat(parseGrammar(grammar, 'test.ctd'), { multitest: true }), input)
    .faults[0]?.got;
}

// If the size did not count, each of these would be within the limit, because it has few commands.
test.each([
  ['an index that is set', 'SET(x=2^330000) REP(99) SET(a[x]=1) END'],
  ['an index that is read', 'SET(x=2^330000,a[x]=1) REP(99) IF(a[x]==1) SET(q=1) END END'],
  ['an index of many digits', 'SET(x=10^300,a[x]=1) REP(90000) IF(a[x]==1) SET(q=1) END END'],
  [
    'many operands',
    `SET(x=1) REP(90000) SET(${Array(10)
      .fill(`z=x${'+x'.repeat(90)}`)
      .join()}) END`,
  ],
  ['a condition', `SET(x=1) WHILEI(i, i<600000 && 0<x${'+x'.repeat(90)}) SET(q=1) END`],
  ['a power', 'SET(x=3) REP(60) SET(z=x^200000) END'],
  ['a power of a fraction', 'SET(x=0.3) REP(500) SET(y=x^3000) END'],
  ['a comparison', 'SET(x=3^200000,y=3^200000) REP(5000) IF(x==y) SET(q=1) END END'],
  ['a negative number', 'SET(x=3^200000) REP(9000) SET(y=-x) END'],
  ['an element', 'SET(x=3^200000) REPI(i,9000) SET(a[i]=x) END'],
  ['INARRAY of a number', 'SET(x=3^100000,a[0]=x) REP(50) IF(INARRAY(x,a)) SET(q=1) END END'],
  ['INARRAY of a text', `SET(s="${'a'.repeat(450_000)}",a[0]=s) REP(50) IF(INARRAY(s,a)) SET(q=1) END END`],
  ['UNIQUE', 'SET(x=3^100000,a[0]=x,a[1]=x+1) REP(50) IF(UNIQUE(a)) SET(q=1) END END'],
  ['MATCH', `REP(1000) IF(MATCH("${'b'.repeat(900_000)}")) SET(z=1) END END`],
  ['the bounds of a float', 'SET(x=3^200000/2.0) REP(99) IF(x==x) SET(q=1) END END FLOAT(x,x)'],
])('the size of a value counts as steps: %s', (_, commands) => {
  expect(gotIn(`INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE ${commands} END`, '1\n5\n')).toBe('more steps');
});

test('text behind a match counts as steps, because each match may read it again', () => {
  const grammar = 'INT(1,9,t) NEWLINE REP(t) REP(20000) REGEX("x*y|x") END NEWLINE END';
  expect(gotIn(grammar, `1\n${'x'.repeat(20_000)}\n`)).toBe('more steps');
});
