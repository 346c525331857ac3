/** Tests of listing every case of a grammar: exactly the texts that the grammar accepts, each once, in order. */
import { describe, expect, test } from 'vitest';
import type { GrammarOptions } from '../../../src/formats/checktestdata/cases/cases.js';
import { enumerateGrammarCases } from '../../../src/formats/checktestdata/cases/enumerate.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { checkWholeFile } from '../../../src/formats/checktestdata/reading/check-whole.js';

function casesOf(text: string, options: GrammarOptions = { multitest: true }) {
  return enumerateGrammarCases(parseGrammar(text, 'g.ctd'), options);
}

function listed(text: string, from = 0n): (string | null)[] {
  return Array.from(casesOf(text).candidatesFrom(from), (value) =>
    value === null ? null : Buffer.from(value.bytes).toString('latin1'),
  );
}

/** All texts of these letters, up to a length, that a grammar without a loop accepts as a whole input. */
function accepted(text: string, letters: string, most: number): Set<string> {
  const grammar = parseGrammar(text, 'g.ctd');
  const found = new Set<string>();
  const visit = (word: string) => {
    if (checkWholeFile(grammar, Buffer.from(word, 'latin1')) === null) found.add(word);
    if (word.length < most) for (const letter of letters) visit(word + letter);
  };
  visit('');
  found.delete('');
  return found;
}

/** Grammars of one case without a loop at the top level, the letters of their texts, and the length of the longest text. */
const FINITE: [string, string, number, boolean][] = [
  ['INT(8,12) NEWLINE', '0123456789\n', 4, true],
  ['INT(0-1,1,a) SPACE INT(a,1) NEWLINE', '-01 \n', 6, true],
  ['REGEX("a{1,2}|b[ac]") SPACE STRING("x") NEWLINE', 'abcx \n', 5, true],
  ['REGEX("ab?|a(c|b)") NEWLINE', 'abc\n', 4, true],
  ['REGEX("[ab]{0,2}") REGEX("[bc]{0,1}") NEWLINE', 'abc\n', 4, false],
  ['INT(1,11) INT(1,11) NEWLINE', '01\n', 5, false],
  ['INT(0,2,n) NEWLINE IF(n>0) REP(n,SPACE) INT(1,2) END NEWLINE END', '012 \n', 6, true],
  ['SET(k=2) REPI(i,k) INT(0,2,a[i]) NEWLINE END ASSERT(a[0]<a[1])', '012\n', 4, true],
  ['REPI(i,3,SPACE) INT(1,3,a[i]) END NEWLINE ASSERT(UNIQUE(a))', '123 \n', 6, true],
  ['INT(1,2,n) SET(s=0) WHILE(s<n) SPACE INT(1,2,x) SET(s=s+x) END NEWLINE', '12 \n', 6, true],
  ['INT(0,2,n) REPI(i,n) SPACE INT(1,2,a[i]) END NEWLINE ASSERT(UNIQUE(a))', '012 \n', 6, true],
  ['INT(0,2,n) SPACE INT(1,2,k) NEWLINE ASSERT(k/n>0)', '012 \n', 4, true],
  ['SET(x=1) REP(3) INT(0,x,x) NEWLINE END', '01\n', 6, true],
  ['SET(x=1) REP(2,INT(0,x,y)) NEWLINE INT(x,2,x) NEWLINE END', '012\n', 7, true],
  ['STRING("x") IF(1==1 && !(2<1)) INT(4,5) ELSE INT(6,7) END EOF', 'x4567', 3, true],
];

describe.each(FINITE)('%s', (text, letters, most, isExact) => {
  const { count, isExact: isExactly, candidatesFrom } = casesOf(text, {});
  const candidates = Array.from(candidatesFrom(0n), (value) =>
    value === null ? null : Buffer.from(value.bytes).toString('latin1'),
  );

  test('every text that the grammar accepts is listed exactly once', () => {
    const cases = candidates.filter((each) => each !== null);
    expect(new Set(cases).size).toBe(cases.length);
    expect(new Set(cases)).toEqual(accepted(text, letters, most));
    expect([count, isExactly]).toEqual([BigInt(candidates.length), isExact]);
    expect(candidates.includes(null)).toBe(!isExact);
  });

  test('listing from any index on gives the rest of the list', () => {
    for (const from of candidates.keys()) {
      const rest = Array.from(candidatesFrom(BigInt(from)), (value) =>
        value === null ? null : Buffer.from(value.bytes).toString('latin1'),
      );
      expect(rest).toEqual(candidates.slice(from));
    }
  });
});

describe('the cases of a loop', () => {
  test('the separator of the loop is no part of a case', () => {
    const text = 'INT(1,100,t) NEWLINE REP(t,SPACE) INT(1,3) END NEWLINE';
    expect(listed(text)).toEqual(['1', '2', '3']);
    expect(casesOf(text)).toMatchObject({ count: 3n, inputCases: { min: 1, max: 100 } });
  });

  test('the last iteration of a WHILE is no case', () => {
    const text = 'SET(n=1) WHILE(n>0) INT(0,2,n) NEWLINE REP(n) INT(0,1) NEWLINE END END';
    expect(listed(text)).toEqual(['1\n0\n', '1\n1\n', '2\n0\n0\n', '2\n0\n1\n', '2\n1\n0\n', '2\n1\n1\n']);
  });

  test('the head may have only one text, apart from the number of cases', () => {
    const body = 'INT(1,9,t) NEWLINE REP(t) INT(1,k) NEWLINE END';
    expect(casesOf(`SET(k=4) ${body}`).count).toBe(4n);
    expect(() => casesOf(`INT(1,4,k) NEWLINE ${body}`)).toThrow(/g\.ctd:1:1: .*4 heads/);
  });

  test('large numbers of cases are counted without listing them, and a slice begins far inside', () => {
    const text = 'INT(1,9,t) NEWLINE REP(t) REP(15,NEWLINE) REGEX("[.#]{15}") END NEWLINE END';
    expect(casesOf(text).count).toBe(2n ** 225n);
    const [middle] = casesOf(text).candidatesFrom(2n ** 224n);
    const row = '#'.repeat(14);
    expect(Buffer.from(middle!.bytes).toString()).toBe(`.${row}\n${`#${row}\n`.repeat(14)}`);
    expect(casesOf('INT(1,9,t) NEWLINE REP(t) INT(1,10^50) NEWLINE END').count).toBe(10n ** 50n);
  });

  test('if an ASSERT makes counting too long, its failures are left out one by one', () => {
    const sum = 'INT(1,9,t) NEWLINE REP(t) REPI(i,7,SPACE) INT(1,10,a[i]) END NEWLINE ASSERT(UNIQUE(a)) END';
    const cases = casesOf(sum);
    expect(cases).toMatchObject({ count: 10n ** 7n, isExact: false });
    const [first] = cases.candidatesFrom(0n);
    expect(first).toBeNull();
    const [good] = cases.candidatesFrom(123_456n);
    expect(Buffer.from(good!.bytes).toString()).toBe('1 2 3 4 5 6 7\n');
  });
});

test.each([
  ['INT(1,9,t) NEWLINE REP(t) FLOAT(0,1) NEWLINE END', /g\.ctd:1:27: .*no end to the values of a FLOAT/],
  ['INT(1,9,t) NEWLINE REP(t) REGEX("a+") NEWLINE END', /g\.ctd:1:27: .*no end to the texts that this REGEX/],
  ['INT(1,9,t) NEWLINE REP(t) IF(MATCH("a")) STRING("a") END NEWLINE END', /MATCH and ISEOF depend/],
  ['INT(1,9,t) NEWLINE REP(t) INT(1,t) NEWLINE END', /depends on the number of cases t/],
  ['INT(1,9,t) NEWLINE REPI(i,t) INT(0,i) NEWLINE END', /depends on its index i/],
  ['INT(1,9,t) NEWLINE REP(t) INT(1,10^9,n) SPACE INT(1,n) NEWLINE END', /g\.ctd:1:\d+ .*too many/],
  ['INT(1,9,t) NEWLINE REP(t) REP(2000) INT(1,2) NEWLINE END END', /more than 1000 values/],
])('%s cannot be listed', (text, message) => {
  expect(() => casesOf(text)).toThrow(message);
});
