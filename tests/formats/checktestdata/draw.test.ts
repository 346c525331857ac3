import { describe, expect, test } from 'vitest';
import { Seed } from '../../../src/core/random.js';
import { assemblePrintedCases } from '../../../src/formats/assemble-input.js';
import { GrammarCaseSource } from '../../../src/formats/checktestdata/cases/case-source.js';
import {
  compileGrammar,
  divideGrammar,
  type GrammarOptions,
} from '../../../src/formats/checktestdata/cases/cases.js';
import {
  type GrammarCaseProfile,
  GrammarInputGenerator,
  MAX_DRAW_ATTEMPTS,
} from '../../../src/formats/checktestdata/cases/draw.js';
import { simplerGrammarCases } from '../../../src/formats/checktestdata/cases/shrink.js';
import { GrammarChoiceFailure } from '../../../src/formats/checktestdata/cases/writing-machine.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { GrammarVariables } from '../../../src/formats/checktestdata/language/variables.js';
import { checkWholeFile } from '../../../src/formats/checktestdata/reading/check-whole.js';
import {
  type CaseOfGrammar,
  GrammarInputFormat,
} from '../../../src/formats/checktestdata/reading/grammar-format.js';

const GRAMMARS: Record<string, string> = {
  arrays: 'INT(1,50,t) NEWLINE REP(t) INT(1,100000,n) NEWLINE REP(n,SPACE) INT(-50,50) END NEWLINE END',
  'distinct values':
    'INT(1,50,t) NEWLINE REP(t) INT(1,6,n) NEWLINE REPI(i,n,SPACE) INT(1,100,a[i]) END ASSERT(UNIQUE(a)) NEWLINE UNSET(a) END',
  edges:
    'INT(1,50,t) NEWLINE REP(t) INT(2,20,n) SPACE INT(0,30,m) NEWLINE REP(m) INT(1,n,a) SPACE INT(1,n,b) ASSERT(a!=b) NEWLINE END END',
  'large numbers': 'INT(1,50,t) NEWLINE REP(t) INT(-10^40,10^40) SPACE INT(2^60,2^61) NEWLINE END',
  floats:
    'INT(1,50,t) NEWLINE REP(t) FLOAT(-1,1) SPACE FLOAT(0.001,0.002,x,SCIENTIFIC) SPACE FLOAT(-1e3,1e3,y,FIXED) SPACE FLOATP(0,10,2,3) NEWLINE END',
  texts:
    'INT(1,50,t) NEWLINE REP(t) REGEX("(a|bc)*[[:digit:]]{2,3}x?",s) STRING("=") REGEX("[^a-z\\n]+") NEWLINE ASSERT(STRLEN(s)<30) END',
  'lines of any length':
    'INT(1,50,t) NEWLINE REP(t) WHILE(!MATCH("\\n"),SPACE) INT(0,9) END NEWLINE IF(MATCH("i")) STRING("impossible") ELSE INT(0,9) END NEWLINE END',
  'many assertions':
    'INT(1,50,t) NEWLINE REP(t) INT(0,500,v) NEWLINE REP(v) REGEX("C|D",a) REGEX("C|D",b) ASSERT(a!=b) NEWLINE END END',
  'scientific integers': 'INT(1,50,t) NEWLINE REP(t) FLOATP(-99,99,0,0,x,SCIENTIFIC) NEWLINE END',
  'scientific decimals': 'INT(1,50,t) NEWLINE REP(t) FLOATP(10,99,3,3,x,SCIENTIFIC) NEWLINE END',
  terminator:
    'SET(n=1,m=1) WHILE(n!=0 || m!=0) INT(0,9,n) SPACE INT(0,9,m) NEWLINE REP(n) REGEX(".{2}") STRING("|") NEWLINE END END',
  'end of input': 'WHILE(!ISEOF) INT(1,9,n) REP(n) SPACE INT(0,99) END NEWLINE END',
  'one line': 'INT(1,50,t) NEWLINE REP(t,SPACE) INT(1,99) END NEWLINE',
  'lines between cases': 'INT(1,50,t) NEWLINE REP(t,NEWLINE) INT(1,99) END NEWLINE',
  'blank line before each case':
    'INT(1,50,t) NEWLINE REP(t) NEWLINE INT(1,99) NEWLINE END STRING("end") NEWLINE',
  'numbered cases': 'INT(1,50,t) NEWLINE REPI(c,t) STRING("Case ") INT(c+1,c+1) NEWLINE END',
  'head with more':
    'INT(3,9,k) SPACE INT(1,50,t) NEWLINE REP(t) REP(k,SPACE) INT(0,k) END NEWLINE END STRING("#") NEWLINE',
};

function sourceOf(
  text: string,
  profile: GrammarCaseProfile,
  cases: number,
  layout: GrammarOptions = { multitest: true },
  seed = 'seed',
) {
  return new GrammarCaseSource(parseGrammar(text, 'test.ctd'), { seed, profile, cases, maxSize: 60 }, layout);
}

function assemble(
  text: string,
  source: GrammarCaseSource,
  cases: number,
  layout: GrammarOptions = { multitest: true },
): Uint8Array {
  const format = new GrammarInputFormat(parseGrammar(text, 'test.ctd'), layout);
  const drawn = Array.from({ length: cases }, (_, index) => source.caseAt(index).bytes);
  return assemblePrintedCases(format, drawn, source.head);
}

describe.each(Object.entries(GRAMMARS))('drawing: %s', (_name, text) => {
  test.each(['tiny', 'random', 'contest-max'] as const)('%s inputs match the grammar', (profile) => {
    for (const cases of [1, 3, 9]) {
      const bytes = assemble(text, sourceOf(text, profile, cases), cases);
      const fault = checkWholeFile(parseGrammar(text, 'test.ctd'), bytes);
      expect(fault, Buffer.from(bytes).toString('latin1')).toBeNull();
    }
  });

  test('as one case', () => {
    for (const profile of ['tiny', 'random'] as const) {
      const bytes = assemble(text, sourceOf(text, profile, 1, {}), 1, {});
      expect(checkWholeFile(parseGrammar(text, 'test.ctd'), bytes)).toBeNull();
    }
  });

  test('the same arguments give the same bytes', () => {
    const source = sourceOf(text, 'random', 9);
    const again = sourceOf(text, 'random', 9);
    again.caseAt(3);
    expect(again.caseAt(5)).toEqual(source.caseAt(5));
    expect(again.head).toEqual(source.head);
  });

  test('simpler cases are valid', () => {
    const format = new GrammarInputFormat(parseGrammar(text, 'test.ctd'), { multitest: true });
    const source = sourceOf(text, 'random', 9);
    if (text.includes('REPI(c')) return;
    const parser = format.createParser();
    parser.useHead(source.head);
    let seen = 0;
    for (const { bytes } of simplerGrammarCases(format, source.caseAt(2), source.head)) {
      expect(
        parser.parse(bytes, 0, bytes.length, null),
        Buffer.from(bytes).toString('latin1'),
      ).not.toBeNull();
      if (++seen >= 200) break;
    }
  });
});

test('bytes of a draw do not change between versions by accident', () => {
  const bytes = assemble(GRAMMARS.edges, sourceOf(GRAMMARS.edges, 'tiny', 2), 2);
  expect(Buffer.from(bytes).toString()).toMatchSnapshot();
});

test('profiles: counts are at their lower or upper bounds', () => {
  const largest = (profile: GrammarCaseProfile) =>
    sourceOf(GRAMMARS.arrays, profile, 1).caseAt(0).variables.n as number;
  expect(largest('contest-max')).toBe(60);
  expect(largest('tiny')).toBeLessThanOrEqual(4);
});

test('the bounds of the number of cases are known', () => {
  expect(sourceOf(GRAMMARS.arrays, 'tiny', 1).casesBounds).toEqual({ min: 1, max: 50 });
  expect(sourceOf(GRAMMARS['end of input'], 'tiny', 1).casesBounds).toBeNull();
  expect(sourceOf('REP(4) INT(0,9) NEWLINE END', 'tiny', 4).casesBounds).toEqual({ min: 4, max: 4 });
  expect(sourceOf('INT(0,9) NEWLINE', 'tiny', 1, {}).casesBounds).toEqual({ min: 1, max: 1 });
});

test.each([
  [
    'long attempts',
    'WHILE(1==1) INT(1,9,x) SPACE INT(1,9,y) NEWLINE ASSERT(x+y==10) IF(x==1) INT(2,1,q) END END EOF',
    /^a (WHILE that ends|range that is not empty, got 2 to 1)$/,
    20_000_000,
  ],
  [
    'many iterations that are drawn again',
    'REP(100) REP(1000) INT(1,9,x) INT(1,9,y) ASSERT(x%5==y%7 || x*x==y) END ASSERT(x==10) END',
    /^ASSERT\(x==10\) to be true$/,
    4_000_000,
  ],
])('a draw of %s ends after a bounded amount of work', (_what, text, expected, maxFailedWork) => {
  const division = compileGrammar(divideGrammar(parseGrammar(text, 'test.ctd')));
  const drawer = new GrammarInputGenerator(division, maxFailedWork);
  const options = { profile: 'random', maxSize: null, caseCount: null } as const;
  const start = new GrammarVariables(division.compiler.slotCount);
  const failure = drawer.tryDrawCase(
    new Seed('1').random(0),
    options,
    start,
    MAX_DRAW_ATTEMPTS,
  ) as GrammarChoiceFailure;
  expect(failure).toBeInstanceOf(GrammarChoiceFailure);
  expect(failure.expected).toMatch(expected);
  expect(failure.attempts).toBeLessThan(20);
  expect(drawer.failedWork).toBeGreaterThan(maxFailedWork);
  expect(drawer.failedWork).toBeLessThan(2 * maxFailedWork);
});

test('an ASSERT that never holds is named', () => {
  const source = sourceOf('INT(1,9,t) NEWLINE REP(t) INT(0,9,a) NEWLINE\nASSERT(a>9) END', 'random', 1);
  expect(() => source.caseAt(0)).toThrow('expected ASSERT(a>9) to be true, got none in 1000 attempts');
  try {
    source.caseAt(0);
  } catch (error) {
    expect(error).toMatchObject({ line: 2, column: 1 });
  }
});

test.each([
  [
    'an array without elements',
    'INT(0,2,n) SPACE REPI(i,n) INT(1,9,a[i]) END NEWLINE ASSERT(UNIQUE(a))',
    /^[12] /,
  ],
  ['a division by zero', 'INT(0,2,n) SPACE INT(1,9,k) NEWLINE ASSERT(k/n>0)', /^[12] /],
  [
    'a division by zero in one of many iterations',
    'REP(50) INT(0,9,n) SPACE INT(9,99,k) NEWLINE ASSERT(k/n>0) END',
    /^(?:[1-9] \d+\n){50}$/,
  ],
])('values of which a reader refuses %s are drawn again', (_what, text, expected) => {
  for (let seed = 0; seed < 20; seed++)
    expect(Buffer.from(sourceOf(text, 'random', 1, {}, `${seed}`).caseAt(0).bytes).toString()).toMatch(
      expected,
    );
});

test('an expression that never has a value is named', () => {
  const source = sourceOf('INT(0,0,n) NEWLINE ASSERT(1/n>0)', 'random', 1, {});
  expect(() => source.caseAt(0)).toThrow('expected a number other than 0 after /, got none in 1000 attempts');
});

describe('shrinking', () => {
  /** Takes the first simpler case that still fails, until none does. */
  function shrink(
    text: string,
    start: string,
    fails: (text: string) => boolean,
    head: string | null = null,
  ): string {
    const format = new GrammarInputFormat(parseGrammar(text, 'test.ctd'), { multitest: true });
    const bytesOfHead = head === null ? null : new Uint8Array(Buffer.from(head));
    let best: CaseOfGrammar = { bytes: new Uint8Array(Buffer.from(start)), variables: {} };
    for (let rounds = 0; rounds < 200; rounds++) {
      let found: CaseOfGrammar | null = null;
      for (const candidate of simplerGrammarCases(format, best, bytesOfHead))
        if (fails(Buffer.from(candidate.bytes).toString())) {
          found = candidate;
          break;
        }
      if (found === null) break;
      best = found;
    }
    return Buffer.from(best.bytes).toString();
  }
  const numbers = (text: string) => text.split(/\s+/).filter(Boolean).map(Number);

  test('an array becomes its one bad element', () => {
    const text =
      'INT(1,9,t) NEWLINE REP(t) INT(1,100000,n) NEWLINE REP(n,SPACE) INT(-1000,1000) END NEWLINE END';
    const array = Array.from({ length: 200 }, (_, i) => (i === 137 ? 977 : i % 50));
    const isBad = (input: string) =>
      numbers(input)
        .slice(1)
        .some((value) => value > 50);
    expect(shrink(text, `200\n${array.join(' ')}\n`, isBad, '1')).toBe('1\n51\n');
  });

  test('two arrays of one length lose the same elements', () => {
    const text =
      'INT(1,9,t) NEWLINE REP(t) INT(1,99,n) NEWLINE REP(n,SPACE) INT(0,99) END NEWLINE REP(n,SPACE) INT(0,99) END NEWLINE END';
    const start = '6\n1 2 3 4 5 6\n9 9 9 44 9 9\n';
    expect(shrink(text, start, (input) => input.includes('44'), '1')).toBe('1\n0\n44\n');
  });

  test('indices follow the smaller count', () => {
    const text =
      'INT(1,9,t) NEWLINE REP(t) INT(2,99,n) SPACE INT(0,99,m) NEWLINE REP(m) INT(1,n,a) SPACE INT(1,n,b) ASSERT(a!=b) NEWLINE END END';
    const isBad = (input: string) => numbers(input)[1] > 0;
    expect(shrink(text, '30 3\n7 30\n4 5\n29 30\n', isBad, '1')).toBe('2 1\n1 2\n');
  });

  test('a line that a MATCH ends, and a text', () => {
    const text = 'INT(1,9,t) NEWLINE REP(t) WHILE(!MATCH("\\n"),SPACE) REGEX("[a-z]+") END NEWLINE END';
    expect(shrink(text, 'foo barxbar z\n', (input) => input.includes('x'), '1')).toBe('x\n');
  });
});
