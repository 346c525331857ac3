import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkWhole } from '../../../src/formats/checktestdata/check-whole.js';
import { parseGrammar } from '../../../src/formats/checktestdata/parser.js';

function check(grammar: string, data: string) {
  return checkWhole(parseGrammar(grammar, 'test.ctd'), Buffer.from(data, 'latin1'));
}

const holds = (test: string) => check(`ASSERT(${test})`, '') === null;

describe('commands', () => {
  test.each([
    [
      'INT(1,3,n) NEWLINE REP(n,SPACE) INT(0,9) END NEWLINE',
      ['2\n1 2\n', '1\n0\n'],
      ['2\n1 2', '2\n1  2\n', '2\n1 2 \n', '02\n1 2\n', '2\n1 2\n\n', '4\n1 2 3 4\n', '-0\n', '+1\n1\n', ''],
    ],
    [
      'FLOAT(-1,1) NEWLINE',
      ['0\n', '-0.5\n', '1e-3\n', '10E-1\n', '0.10\n', '-0\n', '1e-99999999999\n'],
      ['.5\n', '1.\n', '00.5\n', '1.01\n', '1e00\n', '1e\n', '1e99999999999\n', '--1\n'],
    ],
    ['FLOAT(0,9,x,FIXED) NEWLINE', ['1.5\n'], ['1e0\n']],
    ['FLOAT(0,9,x,SCIENTIFIC) NEWLINE', ['1e0\n', '10.5E-1\n'], ['1.5\n']],
    ['FLOATP(0,99,1,2) NEWLINE', ['1.5\n', '12.25\n', '1.5e1\n'], ['1\n', '1.234\n', '15.0e0\n', '0.5e0\n']],
    [
      'STRING("a\\tb") SPACE REGEX("[a-z]+",s) STRING(s) NEWLINE',
      ['a\tb cc\n'].slice(1),
      ['a b cc\n', 'a\tb cc\n'],
    ],
    ['REGEX("[a-z]+",s) SPACE STRING(s) NEWLINE', ['ab ab\n'], ['ab a\n', 'ab abc\n']],
    [
      'WHILEI(i,!MATCH("\\n"),SPACE) INT(0,9,a[i]) END NEWLINE ASSERT(i>=2) ASSERT(UNIQUE(a))',
      ['1 2\n', '4 5 6\n'],
      ['1\n', '1 1\n', '1 2 \n'],
    ],
    [
      'WHILE(!ISEOF) IF(MATCH("i")) STRING("impossible") ELSE INT(0,9) END NEWLINE END',
      ['', '1\n', 'impossible\n2\n'],
      ['i\n', 'x\n', '1'],
    ],
    [
      'REPI(i,3,SPACE) INT(0,9,x[i]) END NEWLINE REPI(i,3,SPACE) INT(0,9,y[i]) END NEWLINE ASSERT(UNIQUE(x,y))',
      ['1 1 2\n1 2 1\n'],
      ['1 1 2\n1 1 2\n'],
    ],
    [
      'REPI(i,2,SPACE) INT(0,9,x[i]) END NEWLINE INT(0,9,v) NEWLINE ASSERT(INARRAY(v,x)) SET(x[0]=0) ASSERT(!INARRAY(v,x))',
      ['1 2\n1\n'],
      ['1 2\n3\n', '1 1\n1\n'],
    ],
    [
      'REPI(i,2) REPI(j,2,SPACE) INT(0,9,a[i,j]) END NEWLINE END ASSERT(a[0,1]==a[1,0])',
      ['1 2\n2 3\n'],
      ['1 2\n3 2\n'],
    ],
    [
      'SET(i=0) REP(2) INT(0,9,x[i]) NEWLINE SET(i=i+1) END ASSERT(UNIQUE(x)) UNSET(x) SET(x[0]=1) ASSERT(UNIQUE(x))',
      ['1\n2\n'],
      ['1\n1\n'],
    ],
    ['EOF', [''], ['\n']],
    ['STRING("a\\\nb\\x\\101\\"\\\\")', ['ab\\xA"\\'], ['a\nb']],
  ] as [string, string[], string[]][])('%s', (grammar, accepted, refused) => {
    for (const data of accepted) expect(check(grammar, data), JSON.stringify(data)).toBeNull();
    for (const data of refused) expect(check(grammar, data), JSON.stringify(data)).not.toBeNull();
  });

  test('a fault says what was expected, what was got, and where', () => {
    expect(check('INT(1,100,n) NEWLINE', '7x\n')).toEqual({ offset: 1, expected: 'a line end', got: '"x"' });
    expect(check('INT(1,100,n) NEWLINE', 'x')).toEqual({
      offset: 0,
      expected: 'an integer from 1 to 100 (n)',
      got: '"x"',
    });
    expect(check('INT(1,9) SPACE', '7')).toEqual({
      offset: 1,
      expected: 'a space',
      got: 'the end of the input',
    });
    expect(check('INT(1,9,a) NEWLINE ASSERT(a < 5)', '7\n')).toEqual({
      offset: 2,
      expected: 'ASSERT(a < 5) to be true',
      got: 'false',
    });
  });
});

describe('values', () => {
  test.each([
    '2+3*4==14',
    '(2+3)*4==20',
    '-2^2==-4',
    '2^3^2==64',
    '-7/2==-3',
    '-7%3==-1',
    '7%-3==1',
    '1/2==0',
    '1/2.0==0.5',
    '2^100==1267650600228229401496703205376',
    '0.1+0.2==0.3',
    '1e3==1000',
    '1.0/3*3==1',
    '"abc"<"abd"',
    '"b">="abc"',
    '10>9.99',
    '2^53+1!=2^53',
    '(9007199254740993-1)==9007199254740992',
    '1==2 || 1==1 && 2==2',
    '!1==2',
    '(1.5)^2==2.25',
    'STRLEN("abc")==3',
    '((1)+2)<(4)',
  ])('%s', (text) => {
    expect(holds(text)).toBe(true);
  });

  test('! applies to the rest of the test, and && and || apply from left to right, as in checktestdata', () => {
    expect(holds('!1==2 && 1==2')).toBe(true);
    expect(holds('(!1==2) && 1==2')).toBe(false);
    expect(holds('1==1 || 1==1 && 1==2')).toBe(false);
  });

  test('integers agree with bigints', () => {
    const integer = fc.oneof(
      fc.bigInt(-20n, 20n),
      fc.bigInt(-(2n ** 70n), 2n ** 70n),
      fc.bigInt(2n ** 53n - 5n, 2n ** 53n + 5n),
    );
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        expect(holds(`(${a})+(${b})==${a + b}`)).toBe(true);
        expect(holds(`(${a})-(${b})==${a - b}`)).toBe(true);
        expect(holds(`(${a})*(${b})==${a * b}`)).toBe(true);
        expect(holds(`(${a})<(${b})`)).toBe(a < b);
        fc.pre(b !== 0n);
        expect(holds(`(${a})/(${b})==${a / b}`)).toBe(true);
        expect(holds(`(${a})%(${b})==${a % b}`)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['1/0==1', 'a number other than 0 after / (test.ctd:1:9)'],
    ['1.5%2==1', 'integers around % (test.ctd:1:11)'],
    ['2^1.5==1', 'an integer after ^ (test.ctd:1:9)'],
    ['2^-1==1', 'an exponent from 0 to 2^64 - 1 (test.ctd:1:9)'],
    ['"a"==1', 'two numbers or two strings to compare (test.ctd:1:8)'],
    ['x==1', 'a variable that has a value (test.ctd:1:8)'],
    ['UNIQUE(x)', 'a variable that has a value (test.ctd:1:8)'],
    ['2^(10^9)>0', 'numbers of at most 1048576 bits (test.ctd:1:9)'],
    ['2^(2^64)>0', 'an exponent from 0 to 2^64 - 1 (test.ctd:1:9)'],
  ])('%s is an error of the grammar', (text, expected) => {
    expect(check(`ASSERT(${text})`, '')).toMatchObject({ offset: 0, expected });
  });
});

describe('limits', () => {
  test.each([
    'REP(10^9) END',
    'REP(2^70) END',
    'REP(-1) END',
    'SET(x=3) REP(100) SET(x=x*x) END',
    'SET(x=3.7) REP(5000) SET(x=x*x/3.1) END',
    'SET(x=2^(2^19)) REP(10^6) SET(y=x*x%(x-1)) END',
    'REPI(i,10^7) SET(a[i]=1) END',
    'REPI(i,3000) SET(a[i]=i) END REP(300000) ASSERT(UNIQUE(a)) END',
  ])('%s ends with a fault', (grammar) => {
    expect(check(grammar, '')).not.toBeNull();
  });

  test('UNSET gives memory back, so that a large file fits', () => {
    const grammar = 'REP(40) REPI(i,100000) SET(a[i]=i) END UNSET(a) END';
    expect(check(grammar, '')).toBeNull();
  });

  test('a number of a million digits is a fault', () => {
    expect(check('INT(0,10^9)', '9'.repeat(1_000_000))).not.toBeNull();
    expect(check('FLOAT(0,10^9)', `0.${'9'.repeat(1_000_000)}`)).not.toBeNull();
  });
});
