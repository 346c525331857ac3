import { describe, expect, test } from 'vitest';
import { GrammarError } from '../../../src/formats/checktestdata/language/grammar-error.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';

function errorOf(text: string): string | null {
  try {
    parseGrammar(text, 'test.ctd');
    return null;
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    expect(error.fileName).toBe('test.ctd');
    expect(error.message).toBe(`test.ctd:${error.line}:${error.column}: ${error.reason}`);
    return `${error.line}:${error.column}: ${error.reason}`;
  }
}

describe('parsing', () => {
  test('a grammar is plain data', () => {
    const grammar = parseGrammar(
      'INT(1,2^3,n) NEWLINE REPI(i,n,SPACE) FLOAT(0,1,a[i,0],FIXED) END',
      'test.ctd',
    );
    expect(structuredClone(grammar)).toEqual(grammar);
    expect(JSON.parse(JSON.stringify(grammar))).toEqual(grammar);
  });

  test.each([
    '',
    '# only a comment',
    'NEWLINE # a comment at the end',
    'SPACENEWLINE',
    'STRING(# inside\n"x" # "y"\n)',
    'SET(a=1,b[a]=2) UNSET(a,b)',
    'IF((1+2)*3==9 && (MATCH("a") || !ISEOF)) ELSE END',
    'FLOATP(0,1,2,3,x,SCIENTIFIC)',
    '\xef\xbb\xbfNEWLINE\r\n',
    'REP(2,ASSERT(1==1)) END',
  ])('accepts %j', (text) => {
    expect(errorOf(text)).toBeNull();
  });

  test.each([
    ['INT(1,2\n', '2:1: expected ")", got the end of the grammar'],
    ['NEWLINE\n  FOO(1)', '2:3: expected a command, a name (small letters) or a value, got "FOO"'],
    ['foo', '1:1: expected a command, got "foo"'],
    ['REP(3)\nNEWLINE', '2:8: expected END of the REP in line 1, got the end of the grammar'],
    ['END', '1:1: expected a command or the end of the grammar, got "END"'],
    ['IF(1==1) ELSE ELSE END', '1:15: expected END of the IF in line 1, got "ELSE"'],
    ['ASSERT(1+1)', '1:11: expected a comparison, got ")"'],
    ['SET(a=1==1)', '1:8: expected ")", got "=="'],
    ['SET(a=(1==1))', '1:7: expected a value, got a test'],
    ['ASSERT((1==1)+1==2)', '1:14: expected a value before +, got a test'],
    ['INT(1,2,3)', '1:9: expected the name of a variable, got "3"'],
    ['FLOAT(1,2,x,ROUND)', '1:13: expected a command, a name (small letters) or a value, got "ROUND)"'],
    ['STRING("abc', '1:8: expected a string that ends with "'],
    ['\xff', '1:1: expected a command, a name (small letters) or a value, got "\\xff"'],
    ['INT(0, 010)', '1:8: expected an integer without leading zeros, got 010'],
    ['STRING("\\777")', '1:9: expected an escape from \\0 to \\377, got \\777'],
    ['REGEX("a(b")', '1:7: expected a ) after ( in the regular expression, got its end'],
    ['REP(2,EOF) END', '1:7: expected a command, got "EOF"'],
    ['STRING(1+1)', '1:9: expected ")", got "+"'],
  ])('%j: %s', (text, message) => {
    expect(errorOf(text)).toBe(message);
  });

  test.each([
    `ASSERT(${'('.repeat(100_000)}1==1`,
    `ASSERT(1${'+1'.repeat(100_000)}==1)`,
    `ASSERT(${'!'.repeat(100_000)}1==1)`,
    `ASSERT(1==1${' && 1==1'.repeat(100_000)})`,
    `SET(x=${'-'.repeat(100_000)}1)`,
    `SET(x=${'a['.repeat(100_000)}1)`,
    `SET(x=2${'^2'.repeat(100_000)})`,
    'REP(1)'.repeat(100_000),
    'IF(1==1) ELSE '.repeat(50_000),
    `STRING("${'a'.repeat(2 ** 21)}")`,
    `INT(0,${'9'.repeat(100_001)})`,
  ])('refuses deep nesting, and what is too long', (text) => {
    expect(errorOf(text)).toContain('at most');
  });
});
