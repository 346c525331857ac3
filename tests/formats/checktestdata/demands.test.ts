/** Draws from grammars whose ASSERTs chance would meet once in a thousand million attempts, or never. */
import { describe, expect, test } from 'vitest';
import { Seed } from '../../../src/core/random.js';
import { compileGrammar, divideGrammar } from '../../../src/formats/checktestdata/cases/cases.js';
import { type DrawOptions, GrammarInputGenerator } from '../../../src/formats/checktestdata/cases/draw.js';
import { GrammarChoiceFailure } from '../../../src/formats/checktestdata/cases/writing-machine.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { GrammarVariables } from '../../../src/formats/checktestdata/language/variables.js';
import { checkWholeFile } from '../../../src/formats/checktestdata/reading/check-whole.js';

const PROFILES = ['smallest', 'tiny', 'random', 'contest-max'] as const;

/** Draws the whole input in at most so many attempts. Returns null if all fail. */
function draw(text: string, profile: DrawOptions['profile'], attempts: number, seed = 'seed') {
  const division = compileGrammar(divideGrammar(parseGrammar(text, 'test.ctd')));
  const options = { profile, maxSize: null, caseCount: null };
  const drawn = new GrammarInputGenerator(division).tryDrawCase(
    new Seed(seed).random(0),
    options,
    new GrammarVariables(division.compiler.slotCount),
    attempts,
  );
  return drawn instanceof GrammarChoiceFailure ? null : Buffer.from(drawn.bytes).toString('latin1');
}

const X = 'INT(1,10^9,x) NEWLINE';
const Y = 'INT(0,10^9,y) NEWLINE';
const S = 'REGEX("[a-z]*",s) NEWLINE';

const SOLVED: Record<string, string> = {
  'a constant, at the end': `${Y} ${X} ASSERT(y == 0)`,
  'a constant, on the left': `${X} ASSERT(77777 == x)`,
  'the variable that is read last': `${X} INT(1,10^9,y) NEWLINE ASSERT(x == y)`,
  'an expression': `INT(1,999,a) SPACE INT(1,999,b) NEWLINE ${X} ASSERT(x == a*b + 1)`,
  'a sum': `INT(1,1000,a) NEWLINE ${X} ASSERT(a + x == 10^8)`,
  'a difference': `INT(1,1000,a) NEWLINE ${X} ASSERT(a - x + 3 == -(10^8))`,
  'a negated variable': `${X} ASSERT(-x == 0-77)`,
  'a conjunction': `${X} ${Y} ASSERT(x > 1 && (x == 12345 && y == x+1))`,
  'a large number': 'INT(0,10^40,x) NEWLINE ASSERT(x == 10^39 + 1)',
  'a fraction that is whole': `${X} ASSERT(x == 12.0)`,
  'a variable that SET has calculated': `INT(1,9,a) SET(d=a*10^6) NEWLINE ${X} ASSERT(x == d)`,
  'a length': `INT(20,90,n) NEWLINE ${S} ASSERT(STRLEN(s) == n)`,
  'a length, on the right': `INT(20,90,n) NEWLINE ${S} ASSERT(n == STRLEN(s))`,
  'a length and a sum': `INT(20,90,n) NEWLINE ${S} ASSERT(STRLEN(s) + 1 == 2*n)`,
  'two lengths': `${S} REGEX("[01]{0,100}",t) NEWLINE ASSERT(STRLEN(s) == STRLEN(t) && STRLEN(s) == 47)`,
  'a number that is a length': `${S} ${X} ASSERT(x == STRLEN(s) + 10^7)`,
  'a length of an expression with parts':
    'INT(40,90,n) NEWLINE REGEX("x?(ab|c)*([0-9]{2,3},)*end",s) NEWLINE ASSERT(STRLEN(s) == n)',
  'a long text': 'REGEX("[a-z]+",s) NEWLINE ASSERT(STRLEN(s) == 54321)',
  'a text': 'REGEX("[a-z]{10}",s) NEWLINE REGEX("[a-z]{10}",t) NEWLINE ASSERT(s == t)',
  'a constant text': 'REGEX("[a-z]*",s) NEWLINE ASSERT(s == "boardmill")',
  'a decimal number': 'FLOAT(0,1000,f) NEWLINE ASSERT(f == 0.015625)',
  'a decimal number with fixed decimals': 'FLOATP(0,1000,9,9,f) NEWLINE ASSERT(f + 0.5 == 1)',
  'a decimal number in scientific notation': 'FLOAT(0,1000,f,SCIENTIFIC) NEWLINE ASSERT(f == 12.5)',
  'in each iteration':
    'INT(3,9,n) NEWLINE REPI(i,n) INT(0,10^6,x) SPACE INT(0,10^6,y) NEWLINE ASSERT(x == i && y == n) END',
  'an element': 'INT(3,9,n) NEWLINE REPI(i,n) INT(0,10^6,a[i]) NEWLINE ASSERT(a[i]==i*i) END',
  'in both branches': `INT(0,1,b) SPACE IF(b==0) ${X} ELSE INT(5,10^8,x) NEWLINE END ASSERT(x == 99)`,
  'with loops in between': `${X} INT(3,5,n) NEWLINE REP(n) INT(0,9) NEWLINE END ASSERT(x == 31)`,
  'a variable that is read again': `${X} ASSERT(x == 31) ${X} ASSERT(x == 32)`,
  'a variable that is read first': `${X} INT(1,10,y) NEWLINE ASSERT(x == y)`,
  'a chain of variables': `${X} ${Y} INT(5,10,z) NEWLINE ASSERT(x == y && y == z)`,
  'parts of a sum': `${X} ${Y} INT(1,100,n) NEWLINE ASSERT(x + y == n)`,
  'three parts of a constant': `${X} ${Y} INT(0,10^9,z) NEWLINE ASSERT(x + y + z == 100)`,
  'parts with factors': `${X} ${Y} ASSERT(2*x + 3*y == 10001)`,
  'a product that is read first': `INT(1,10^9,n) NEWLINE ${X} ${Y} ASSERT(x*y == n)`,
  'a product that is read between its factors': `${X} INT(1,10^9,n) NEWLINE ${Y} ASSERT(x*y == n)`,
  'a product that is read last': `${X} ${Y} INT(0,1000,n) NEWLINE ASSERT(x*y == n)`,
  'three factors of a constant': `${X} ${Y} INT(1,10^9,z) NEWLINE ASSERT(x*y*z == 1000)`,
  'factors that may be negative': 'INT(-10^6,-1,a) SPACE INT(-10^6,10^6,b) NEWLINE ASSERT(a*b == -30030)',
  'a remainder': `${X} ASSERT(x % 1000003 == 7)`,
  'a length that is read after the text': `${S} INT(100,200,n) NEWLINE ASSERT(STRLEN(s) == n)`,
  'a number of which the text is not as long':
    'INT(1,10^9,n) NEWLINE REGEX("[a-z]{2,50}",s) NEWLINE ASSERT(STRLEN(s) == n)',
  'a bound that is read later': `${X} INT(2,10,y) NEWLINE ASSERT(x < y)`,
  'a constant bound': `${X} ASSERT(x <= 5)`,
  'an increasing sequence': `${X} ${Y} INT(3,10,z) NEWLINE ASSERT(x < y) ASSERT(!(z <= y))`,
  'the bound of a sum': `${X} ${Y} INT(1,1000,n) NEWLINE ASSERT(x + y <= n)`,
  'a different value': 'INT(1,2,x) SPACE INT(1,2,y) NEWLINE ASSERT(x != y)',
  'the bounds of a command': 'INT(1,10^9,n) SPACE INT(n,10,x) NEWLINE',
  'a bound that depends on the variable': 'INT(1,10^9,n) SPACE INT(1,n,x) NEWLINE ASSERT(n + x == 20)',
  'one of two values': `${X} ASSERT(x == 5 || x == 10^6)`,
  'what SET calculates later': `${X} ${Y} SET(s=x+y,t=2*s) ASSERT(t == 200)`,
  'elements of two arrays': 'REPI(i,20) INT(1,10^9,x[i]) SPACE INT(1,9,y[i]) NEWLINE ASSERT(x[i]==y[i]) END',
  'the element after another':
    'REPI(i,20) INT(1,10^9,a[i]) NEWLINE IF(i>0) ASSERT(a[i]>a[i-1] && a[i]<=a[i-1]+3) ELSE ASSERT(a[i]<9) END END',
  'two decimal numbers': 'FLOAT(0,10^6,f) SPACE FLOATP(0.5,1,2,2,g) NEWLINE ASSERT(f <= g)',
  'a decimal number and a whole one': 'FLOATP(0,10^6,3,3,f) SPACE INT(0,9,x) NEWLINE ASSERT(f == x)',
};

describe.each(Object.entries(SOLVED))('an ASSERT that decides %s', (_name, text) => {
  test.each(PROFILES)('is met at once: %s', (profile) => {
    for (const seed of ['a', 'b']) {
      const input = draw(text, profile, 1, seed);
      expect(input).not.toBeNull();
      expect(
        checkWholeFile(parseGrammar(text, 'test.ctd'), Buffer.from(input!, 'latin1')),
        input!,
      ).toBeNull();
      expect(draw(text, profile, 1, seed)).toBe(input);
    }
  });
});

/** Grammars of which a draw must not take every equation for a demand: then none, or only some, of their inputs were drawn. */
const LEFT_TO_CHANCE: Record<string, { text: string; wants: RegExp[] }> = {
  'an ASSERT that does not always run': {
    text: 'INT(1,2,y) SPACE INT(1,2,x) NEWLINE IF(x==1) ASSERT(y==1) ELSE ASSERT(y==2) END',
    wants: [/^1 1$/m, /^2 2$/m],
  },
  'one side of an OR': { text: 'INT(1,3,x) NEWLINE ASSERT(x==1 || x==2)', wants: [/^1$/m, /^2$/m] },
  'a negated equation': { text: 'INT(1,3,x) NEWLINE ASSERT(!(x==1))', wants: [/^2$/m, /^3$/m] },
  'a value that changes before the ASSERT': {
    text: 'SET(k=1) INT(1,3,x) NEWLINE SET(k=2) ASSERT(x==k)',
    wants: [/^2$/m],
  },
  'a value that is read again before the ASSERT': {
    text: 'INT(1,3,k) SPACE INT(1,3,x) SPACE INT(1,3,k) NEWLINE ASSERT(x==k)',
    wants: [/^1 2 2$/m, /^3 1 1$/m],
  },
  'a variable that a loop reads last': {
    text: 'INT(1,3,x) NEWLINE REP(2) INT(1,3,x) NEWLINE END ASSERT(x==2)',
    wants: [/^1\n/, /^3\n/, /\n2\n$/],
  },
  'a variable that is calculated again': {
    text: 'INT(1,3,x) NEWLINE SET(x=x+1) ASSERT(x==2)',
    wants: [/^1$/m],
  },
  'an element of the iteration before': {
    text: 'SET(a[0]=5) REPI(i,2) INT(4,6,a[i+1]) NEWLINE ASSERT(a[i+1]==a[i]) END',
    wants: [/^5\n5\n$/],
  },
  'a demand beyond the bounds': {
    text: 'INT(1,9,n) SPACE INT(3,4,x) NEWLINE ASSERT(x==n)',
    wants: [/^3 3$/m, /^4 4$/m],
  },
  'two values that are far apart': {
    text: 'INT(1,10^9,x) NEWLINE ASSERT(x == 5 || x == 10^6)',
    wants: [/^5$/m, /^1000000$/m],
  },
  'an element that may be another': {
    text: 'SET(a[0]=2,a[1]=2) INT(0,1,j) SPACE INT(1,3,a[j]) NEWLINE ASSERT(a[j]==a[0])',
    wants: [/^0 1$/m, /^0 2$/m, /^0 3$/m, /^1 2$/m],
  },
  'an index that changes before the ASSERT': {
    text: 'SET(a[0]=2,i=0) INT(1,3,a[i+1]) SET(i=1) NEWLINE ASSERT(a[i-1]==2 && a[i]<3)',
    wants: [/^1$/m, /^2$/m],
  },
  'remainders that begin in the middle': {
    text: 'INT(-3,1,c) NEWLINE ASSERT(2+(-c)%3 != 0)',
    wants: [/^-3$/m, /^-2$/m, /^-1$/m, /^0$/m, /^1$/m],
  },
  'a quotient': { text: 'INT(1,9,x) SPACE INT(1,2,y) NEWLINE ASSERT(x/3 == y)', wants: [/^5 1$/m, /^8 2$/m] },
  'a float that is whole': { text: 'SET(h=2.0) INT(1,9,x) NEWLINE ASSERT(x/h == 3.5)', wants: [/^7$/m] },
  'bounds that are not the same later': {
    text: 'SET(k=9) INT(1,9,x) SPACE INT(k,9) NEWLINE SET(k=1) INT(1,9,y) NEWLINE ASSERT(x==y)',
    wants: [/^2 9\n2$/m, /^8 9\n8$/m],
  },
  'a length that the expression cannot have': {
    text: 'INT(1,4,n) SPACE REGEX("(abc)*",s) NEWLINE ASSERT(STRLEN(s)==n)',
    wants: [/^3 abc$/m],
  },
};

test.each(Object.entries(LEFT_TO_CHANCE))('every input is still drawn: %s', (_name, { text, wants }) => {
  const inputs = Array.from({ length: 100 }, (_, i) => draw(text, 'random', 1000, `seed ${i}`));
  for (const input of inputs) {
    expect(input).not.toBeNull();
    expect(checkWholeFile(parseGrammar(text, 'test.ctd'), Buffer.from(input!, 'latin1')), input!).toBeNull();
  }
  for (const want of wants)
    expect(
      inputs.some((input) => want.test(input!)),
      String(want),
    ).toBe(true);
});
