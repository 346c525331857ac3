import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GrammarError } from '../../../src/formats/checktestdata/language/grammar-error.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { checkWholeFile } from '../../../src/formats/checktestdata/reading/check-whole.js';
import { runs } from '../../support/random-tests.js';

function check(grammar: string, data: string) {
  return checkWholeFile(parseGrammar(grammar, 'test.ctd'), Buffer.from(data, 'latin1'));
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
      ['0\n', '-0.5\n', '1e-3\n', '10E-1\n', '0.10\n', '1e-99999999999\n'],
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
    // A byte above 0x7f, as an escape and as it is; a character in UTF-8 is two bytes.
    ['STRING("\\377")', ['\xff'], ['\xc3\xbf', '\xfe', 'ÿ\xff']],
    ['STRING("\xff")', ['\xff'], ['\xc3\xbf', '\xfe']],
    ['STRING("\xc3\xa9")', ['\xc3\xa9'], ['\xe9']],
    ['REGEX("[\xe0-\xff]")', ['\xe9', '\xff'], ['\xc3\xa9', '\x7f']],
    ['REGEX("[\\340-\\377]")', ['\xe9', '\xff'], ['\xc3\xa9', '\x7f']],
    ['IF(MATCH("\\377\\n")) STRING("\\377") ELSE STRING("b") END', ['\xff', 'b'], ['a', '\xfe']],
    ['REGEX(".", s) ASSERT(s == "\\377")', ['\xff'], ['\xfe']],
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

/** What checktestdata itself decides, from its documentation and its sources. */
describe('checktestdata decides so too', () => {
  const decisions: Readonly<
    Record<string, readonly [grammar: string, accepted: string[], refused: string[]][]>
  > = {
    'separators of loops': [
      ['REP(0,SPACE) INT(1,1) END NEWLINE', ['\n'], [' \n']],
      ['REP(2,REGEX("[,;]")) INT(1,9) END', ['1,2', '1;2'], ['1.2', '1,2,']],
      ['REP(2,STRING(", ")) INT(1,9) END', ['1, 2'], ['1,2']],
      ['REP(3,INT(0,0)) STRING("a") END', ['a0a0a'], ['aaa']],
      ['REP(3,ASSERT(1==1)) STRING("a") END', ['aaa'], ['aa']],
      ['WHILE(MATCH("0123456789"),STRING(",")) INT(0,99) END', ['', '1'], ['1,', '1,2']],
      ['WHILE(!ISEOF,NEWLINE) INT(0,99) END', ['', '1', '1\n2'], ['1\n2\n']],
      ['REP(3,SPACE) IF(MATCH("1")) INT(1,1) ELSE STRING("x") END END', ['1 x 1'], ['1x1', '1 y 1']],
    ],
    'indices of loops': [
      ['SET(x=2) REPI(i,x,SPACE) SET(x=5,i=7) INT(0,9,a[i]) END ASSERT(i==2 && a[7]==4)', ['3 4'], ['4 3']],
      ['REPI(a[0],2) END ASSERT(a[0]==2) WHILEI(i,i<5) END ASSERT(i==5)', [''], []],
    ],
    'the count of a loop': [
      ['INT(-9,9,n) REP(n) STRING("x") END', ['2xx', '0'], ['-1', '2x']],
      ['FLOAT(0,9,n) REP(n) STRING("x") END', [], ['2xx']],
      ['REP("2") END', [], ['']],
      ['SET(s="abc") REP(STRLEN(s)) STRING("x") END', ['xxx'], ['xx']],
    ],
    'variables and arrays': [
      ['SET(a[1,2,3]=5,a[1]=6,a=7) ASSERT(a[1,2,3]==5 && a[1]==6 && a==7)', [''], []],
      ['SET(a[-1]=5,a[10^30]=6) ASSERT(a[1-2]==5 && a[10^29*10]==6)', [''], []],
      ['SET(a[1.0]=5)', [], ['']],
      ['SET(a["x"]=5)', [], ['']],
      ['INT(1,9,x) SET(x=x+1,y=x*2) ASSERT(y==8)', ['3'], ['4']],
      ['SET(a=1) SET(a="s") ASSERT(a=="s")', [''], []],
      ['SET(a=1) UNSET(a,b) ASSERT(a==1)', [], ['']],
      ['UNSET(a) SET(a=1) ASSERT(INARRAY(1,a))', [''], []],
      ['SET(a=1) UNSET(a) ASSERT(INARRAY(1,a))', [], ['']],
      ['INT(1,9,a[a])', [], ['1']],
    ],
    'UNIQUE and INARRAY': [
      ['SET(a[0]=1,a[1]=2,b[0]=1) ASSERT(UNIQUE(a,b))', [], ['']],
      ['SET(a[0]=1,a[1]=2,b[0]=1,b[2]=2) ASSERT(UNIQUE(a,b))', [], ['']],
      ['SET(a[0]=1,a[1]=1,b[0]=1,b[1]=2) ASSERT(UNIQUE(a,b))', [''], []],
      ['SET(a=2) REPI(i,2,SPACE) INT(0,9,a[i]) END ASSERT(UNIQUE(a))', ['1 3'], ['1 1', '1 2']],
      ['SET(a[0]=1,a[1]=1.0) ASSERT(UNIQUE(a))', [], ['']],
      ['SET(a[0]=1.5,b="x") ASSERT(INARRAY(3/2.0,a) && INARRAY("x",b))', [''], []],
    ],
    'integers in the input': [
      ['INT(-5,5)', ['-3', '0', '5'], ['-0', '00', '+1', '-01', '-', '--1', '1.0', '1e0', ' 1', '1 ', '6']],
      ['INT(0,10^30)', ['999999999999999999999999999999', `1${'0'.repeat(30)}`], [`1${'0'.repeat(29)}1`]],
      ['INT(5,1)', [], ['3']],
      ['INT(1.0,5)', [], ['3']],
      ['INT(1,"5")', [], ['3']],
      ['INT(1,2)INT(3,4)', [], ['13']],
    ],
    'floats in the input': [
      [
        'FLOAT(-10,10)',
        ['1E+1', '1.50', '-0.1', '0e1', '0.0e0'],
        [
          '-0',
          '-0.0',
          '-0e5',
          '-0.00E-9',
          '1E-01',
          '0e00',
          '01.0',
          '01e0',
          '.e0',
          '1.e0',
          '-.5',
          '1,5',
          'inf',
          'nan',
          '+1',
          '1e',
          '1e+',
          '-',
        ],
      ],
      ['FLOAT(0,1,x) ASSERT(x==0.5)', ['5e-1', '0.50'], ['0.5000000000000000000000000000000000000001']],
      ['FLOAT(0,10,x) ASSERT(x%2==1)', [], ['5']],
      ['FLOAT(0,10,x) ASSERT(x^2==25)', ['5', '5.0'], ['4']],
      ['FLOAT(0,10,x) ASSERT(2^x==32)', [], ['5']],
      ['FLOAT(0,10,x) SET(a[x]=1)', [], ['5']],
      ['FLOAT(0,10) STRING("e")', [], ['2e']],
      ['FLOAT(0,10,x,FIXED) STRING("e")', ['2e'], ['2']],
      ['FLOAT(0,10,FIXED)', [], ['2']],
      ['FLOAT(1,"5")', [], ['3']],
      [
        'FLOATP(0,10,0,2)',
        ['1', '1.50', '1.5e0', '1e0', '5E-1'],
        ['1.', '0e0', '12e-1', '1.505', '10.5e-1', '0.5e0'],
      ],
      ['FLOATP(0,1,1,3)', ['0.0'], ['-0.0']],
      ['FLOATP(0,10,0,2,x,FIXED)', ['1.5'], ['1.5e0']],
      ['FLOATP(0,10,0,2,x,SCIENTIFIC)', ['1.5e0', '1e0'], ['1.5', '1']],
      ['FLOATP(0,10,1,2,x,SCIENTIFIC)', ['1.5e0'], ['1e0']],
      ['FLOATP(0,10,2,1)', [], ['1.5', '1.50']],
      ['FLOATP(0,10,-1,1)', [], ['1.5']],
    ],
    'strings of the grammar': [
      ['STRING("a\nb")', ['a\nb'], ['a b']],
      ['STRING("\\0\\1013\\f\\b\\r\\t\\n")', ['\0A3\f\b\r\t\n'], []],
      ['STRING("\\x\\q\\ ")', ['\\x\\q\\ '], []],
      ['STRING("\\400")', [], [' 0']],
      ['STRING("#no") # yes', ['#no'], ['']],
      ['STRING("a', [], ['a']],
      ['STRING(12)', [], ['12']],
      ['ASSERT(STRLEN("a\\n")==2 && STRLEN("")==0)', [''], []],
    ],
    'the next byte and the end': [
      ['ASSERT(MATCH("\\nx")) NEWLINE', ['\n'], ['', 'x\n']],
      ['ASSERT(MATCH("")) NEWLINE', [], ['\n']],
      ['SET(s="ab") ASSERT(MATCH(s)) REGEX(".")', ['a', 'b'], ['c', '']],
      ['IF(ISEOF) ELSE STRING("x") END', ['', 'x'], ['y', 'xx']],
      ['EOF EOF', [''], ['\n']],
      ['INT(1,9) EOF ASSERT(1==2)', [], ['1']],
      ['# a comment without a line end', [''], ['\n']],
      ['SPACE NEWLINE', [' \n'], ['\t\n', ' \r\n', ' ']],
    ],
    'regular expressions': [
      ['REGEX("[0-9]+",a[0]) ASSERT(a[0]=="12")', ['12'], ['13']],
      ['REGEX("[0-9]+",a) ASSERT(a==12)', [], ['12']],
      ['REGEX("[][,0-9]+")', ['[1,[2,3]]'], ['', '(1)']],
      ['REGEX("[^]a]+")', ['bc'], ['b]', 'a']],
      ['REGEX("(a|ab)(c|bcd)")', ['abcd', 'ac', 'abc'], ['abd']],
      ['REGEX("[a-c]{2,3}") STRING("c")', ['abac', 'aaac'], ['abc', 'aac']],
      ['REGEX("x{0}y|")', ['y', ''], ['xy']],
      ['REGEX("^a$")', ['^a$'], ['a']],
      ['REGEX("\\\\d\\n")', ['\\d\n'], ['1\n']],
    ],
    'mistakes of the grammar': [
      ['ASSERT(1)', [], ['']],
      ['ASSERT(1<2<3)', [], ['']],
      ['ASSERT((1<2)==(2<3))', [], ['']],
      ['ASSERT(.5==0.5)', [], ['']],
      ['STRLEN("a")', [], ['', 'a']],
      ['REP(2)', [], ['']],
      ['END', [], ['']],
      ['IF(1==1) ELSE ELSE END', [], ['']],
      ['REP(1) ELSE END', [], ['']],
      ['SET(x_y=1)', [], ['']],
      ['SET(Xy=1)', [], ['']],
      ['int(1,2)', [], ['1']],
    ],
  };

  test.each(Object.entries(decisions))('on %s', (_, cases) => {
    for (const [grammar, accepted, refused] of cases) {
      for (const data of accepted)
        expect([grammar, data, accepts(grammar, data)]).toEqual([grammar, data, true]);
      for (const data of refused)
        expect([grammar, data, accepts(grammar, data)]).toEqual([grammar, data, false]);
    }
  });
});

/** Whether the grammar is one and the data match it. */
function accepts(grammar: string, data: string): boolean {
  try {
    return check(grammar, data) === null;
  } catch (error) {
    if (error instanceof GrammarError) return false;
    throw error;
  }
}

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
    '7/-2==-3',
    '0^0==1',
    '(-2)^3==-8',
    '2*3^2==18',
    '8/4/2==1',
    '--1==1',
    '2--1==3',
    '10/4*2.0==4',
    '2.0*10/4==5',
    '1.==1',
    '1E+2==100',
    '"10"<"9"',
    '"A"<"a" && "ab">"a"',
    '1==1 || x==1',
    '!(1==2)||1==2',
    '(((1==1)))',
    '(9223372036854775807+1)-1==9223372036854775807',
    '(-9223372036854775808)/-1==9223372036854775808',
    '10^30%-7==1',
    '(-10^30)%7==-1',
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
      { numRuns: runs(120) },
    );
  });

  test.each([
    ['1/0==1', 'a number other than 0 after / (test.ctd:1:9)'],
    ['1.5%2==1', 'integers around % (test.ctd:1:11)'],
    ['2^1.5==1', 'an integer after ^ (test.ctd:1:9)'],
    ['2^-1==1', 'an exponent from 0 to 2^64 - 1 (test.ctd:1:9)'],
    ['"a"==1', 'two numbers or two strings to compare (test.ctd:1:8)'],
    ['"a"+1==1', 'numbers around + (test.ctd:1:11)'],
    ['-"a"==1', 'a number after - (test.ctd:1:8)'],
    ['1%0==1', 'a number other than 0 after % (test.ctd:1:9)'],
    ['10^30/0==1', 'a number other than 0 after / (test.ctd:1:13)'],
    ['x==1', 'a variable that has a value (test.ctd:1:8)'],
    ['UNIQUE(x)', 'a variable that has a value (test.ctd:1:8)'],
    ['2^(10^9)>0', 'numbers of at most 100000 digits (test.ctd:1:9)'],
    ['2^(2^64)>0', 'an exponent from 0 to 2^64 - 1 (test.ctd:1:9)'],
  ])('%s is an error of the grammar', (text, expected) => {
    expect(check(`ASSERT(${text})`, '')).toMatchObject({ offset: 0, expected });
  });
});

describe('limits', () => {
  test.each([
    'REP(2^70) END',
    'REP(-1) END',
    'SET(x=3) REP(100) SET(x=x*x) END',
    'SET(x=3.7) REP(5000) SET(x=x*x/3.1) END',
    'SET(x=2^(2^19)) REP(10^6) SET(y=x*x%(x-1)) END',
    'REPI(i,10^7) SET(a[i]=1) END',
    // Without their keys, these elements are within the limit.
    'SET(x=10^300) REPI(i,200000) SET(a[x+i]=1) END',
  ])('%s ends with a fault', (grammar) => {
    expect(check(grammar, '')).not.toBeNull();
  });

  test.each([
    [`INT(0,${'9'.repeat(100_000)})`, '9'],
    ['FLOAT(0,10^9)', '0.9'],
  ])('a number of more than 100,000 digits is a fault that says so', (grammar, start) => {
    const most = start + '9'.repeat(100_000 - start.length);
    expect(check(grammar, most)).toBeNull();
    expect(check(grammar, `${most}9`)).toMatchObject({
      offset: 0,
      expected: 'a number of at most 100000 digits',
    });
  });

  test('so an integer that can be computed can be written as well', () => {
    expect(check('INT(2^332191,2^332191)', String(2n ** 332_191n))).toBeNull();
    expect(check('INT(1,10^100000)', '1')).toMatchObject({
      expected: expect.stringMatching(/^numbers of at most 100000 digits/),
    });
  });
});
