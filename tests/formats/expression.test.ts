import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuthorError } from '../../src/formats/language/author-error.js';
import type { ExactInteger } from '../../src/formats/language/exact.js';
import {
  constantValue,
  evaluateExpression,
  isConditionTrue,
  namesIn,
  parseCondition,
  parseExpression,
  printExpression,
} from '../../src/formats/language/expression.js';
import type { Expression } from '../../src/formats/language/tree.js';
import {
  compileExpression,
  compileLargeBound,
  SlotScope,
} from '../../src/formats/tree/compile-expression.js';

const VALUES: Readonly<Record<string, number>> = { n: 7, m: 3, zero: 0, minus: -7 };
const scope = {
  int: (name: string) => VALUES[name],
  count: (list: string, tag: string) => list.length * 100 + tag.length,
};

function resultOf(text: string): ExactInteger | null {
  return evaluateExpression(parseExpression(text), scope);
}

describe('the value of an expression', () => {
  it.each([
    ['5', 5],
    ['2e5', 200_000],
    [' ( 2 * n - 1 ) * m ', 39],
    ['n-m-1', 3],
    ['n-(m-1)', 5],
    ['n+m*2', 13],
    ['n/m*m', 6],
    ['n%m', 1],
    ['2^3^2', 512],
    ['-2^2', -4],
    ['(-2)^2', 4],
    ['0^0', 1],
    ['--n', 7],
    ['n*-m', -21],
    ['n = 7', 1],
    ['n == m', 0],
    ['n != m', 1],
    ['n*2 <= m+11', 1],
    ['n > n', 0],
    ['(n >= 7) * m', 3],
    ['2^60 < 2^60+1', 1],
    ['1-(n<m)', 1],
    ['count(queries, 2)', 701],
    ['count(q,ab)*2', 204],
    ['count ( events , ? )', 601],
    ['count(s, +-*/%^()', 107],
  ])('%s is %d', (text, value) => {
    expect(resultOf(text)).toBe(value);
  });

  it.each([
    ['9007199254740991+1', 2n ** 53n],
    ['0-9007199254740991-1', -(2n ** 53n)],
    ['10^16', 10n ** 16n],
    ['3^40', 3n ** 40n],
    ['(-3)^41', (-3n) ** 41n],
    ['2^60/2^50', 1024],
    ['2^60%(2^60-1)', 1],
    ['2^8000/2^7999', 2],
  ])('%s is exact, whatever its size', (text, value) => {
    expect(resultOf(text)).toBe(value);
  });

  it.each([
    ['n/2', 3],
    ['minus/2', -3],
    ['-n/2', -3],
    ['n/-2', -3],
    ['minus%2', -1],
    ['n%-2', 1],
    ['minus%n', 0],
    ['zero/minus', 0],
  ])('of the division %s is rounded toward zero: %d', (text, value) => {
    expect(Object.is(resultOf(text), value)).toBe(true);
  });

  it.each([
    'n/zero',
    'n%zero',
    '(2^60)/zero',
    '(2^60)%zero',
    '0^-1',
    '1^-3',
    '(0-1)^-3',
    '2^-1*5',
    'n/zero-n/zero',
    '2^1000000000',
    '1^(n/zero)',
    '(-1)^(n/zero)',
    '(n/zero)^0',
    '((-2)^20000)^zero',
  ])('%s has no value', (text) => {
    expect(resultOf(text)).toBeNull();
  });

  it('is that of arithmetic with bigints', () => {
    const number = fc.maxSafeInteger();
    fc.assert(
      fc.property(number, number, fc.constantFrom('+', '-', '*', '/', '%'), (left, right, operator) => {
        const text = `(${left})${operator}(${right})`;
        const exact = exactly(BigInt(left), operator, BigInt(right));
        const isSafe = exact !== null && Number.isSafeInteger(Number(exact));
        expect(resultOf(text)).toBe(isSafe ? Number(exact) : exact);
      }),
    );
  });

  it('is the same when the expression is compiled', () => {
    const names = new SlotScope();
    const counts = ['a', 'b'].flatMap((list) => ['?', '+', 'T'].map((tag) => `count(${list}, ${tag})`));
    const slots = ['n', 'm', 'count', ...counts].map((name) => names.declare(name));
    const number = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.maxSafeInteger());
    const values = fc.array(number, { minLength: slots.length, maxLength: slots.length });
    fc.assert(
      fc.property(expressions, values, (expression, numbers) => {
        const environment = names.createEnvironment();
        environment.set(numbers);
        const value = evaluateExpression(expression, {
          int: (name) => environment[names.find(name)],
          count: (list, tag) => environment[names.find(`count(${list}, ${tag})`)],
        });
        const large = compileLargeBound(expression, names)!(environment);
        expect(large).toBe(value === null ? null : BigInt(value));
        expect(compileExpression(expression, names)(environment)).toBe(Number(value ?? Number.NaN));
      }),
    );
  });
});

function exactly(left: bigint, operator: string, right: bigint): bigint | null {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (right === 0n) return null;
  return operator === '/' ? left / right : left % right;
}

const expressions = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'max' },
    fc.record({ kind: fc.constant('constant' as const), value: fc.integer() }),
    fc.record({ kind: fc.constant('name' as const), name: fc.constantFrom('n', 'm', 'count') }),
    fc.record({
      kind: fc.constant('count' as const),
      list: fc.constantFrom('a', 'b'),
      tag: fc.constantFrom('?', '+', 'T'),
    }),
    fc.record({
      kind: fc.constant('binary' as const),
      operator: fc.constantFrom(
        '+' as const,
        '-' as const,
        '*' as const,
        '/' as const,
        '%' as const,
        '^' as const,
        '<' as const,
        '>=' as const,
        '==' as const,
        '!=' as const,
      ),
      left: tie('expression'),
      right: tie('expression'),
    }),
  ),
})).expression;

describe('printing an expression', () => {
  it('gives a text that is parsed as the same expression', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        const text = printExpression(expression);
        fc.pre(text.length <= 500);
        expect(parseExpression(text)).toEqual(expression);
      }),
    );
  });

  it.each([
    '(2^3)^2',
    '2^3^2',
    'a-(b-c)',
    'a/(b*c)',
    '(-2)^2',
    '2^-1',
    '(a+b)*c',
    'a%(b%c)',
    'a--2',
    '(a<b)<c',
    '(a==b)*2!=c',
    '-1<a',
  ])('leaves %s as it is', (text) => {
    expect(printExpression(parseExpression(text))).toBe(text);
  });

  it('writes no needless parentheses', () => {
    expect(printExpression(parseExpression('((2 * n) - (1)) * m - (a - (b + c))'))).toBe(
      '(2*n-1)*m-(a-(b+c))',
    );
  });
});

describe('the names in an expression', () => {
  it('are listed from left to right', () => {
    expect(namesIn(parseExpression('n*2+count(q, T)-m'))).toEqual([
      { kind: 'name', name: 'n' },
      { kind: 'count', list: 'q', tag: 'T' },
      { kind: 'name', name: 'm' },
    ]);
  });

  it('decide whether it is constant', () => {
    expect(constantValue(parseExpression('2*3-1'))).toBe(5);
    expect(constantValue(parseExpression('2*n'))).toBeNull();
  });
});

describe('a mistake in an expression', () => {
  it.each([
    ['', 1, 'a number, a name or "("', 'the end'],
    ['n +', 4, 'a number, a name or "("', 'the end'],
    ['n m', 3, 'an operator or the end', '"m"'],
    ['2n', 2, 'an operator or the end', '"n"'],
    ['n + * m', 5, 'a number, a name or "("', '"*"'],
    ['(n', 3, 'an operator or ")"', 'the end'],
    ['n)', 2, 'an operator or the end', '")"'],
    ['n & m', 3, 'an operator or the end', '"&"'],
    ['count(a)', 8, '","', '")"'],
    ['count(a, )', 10, 'a tag', '")"'],
    ['count(a, b', 11, '")"', 'the end'],
    ['count(2, b)', 7, 'the name of a list', '"2"'],
    ['1+9007199254740992', 3, 'a number of at most 9007199254740991', '"9007199254740992"'],
    ['n;process.exit()', 2, 'an operator or the end', '";"'],
  ])('%j is reported with its column %d', (text, column, expected, got) => {
    expect(() => parseExpression(text)).toThrow(
      new AuthorError(`the expression "${text}", column ${column}: expected ${expected}, got ${got}`),
    );
  });

  it('is a text that is too long', () => {
    expect(() => parseExpression('('.repeat(100_000))).toThrow(/500 is the most/);
    expect(() => parseExpression('-'.repeat(500))).toThrow(/column 501: expected a number/);
    expect(() => parseExpression('('.repeat(500))).toThrow(/column 501: expected a number/);
  });

  it('is reported for any text, and nothing else happens', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'n2+-*/%^(), count(a') }), (text) => {
        try {
          parseExpression(text);
        } catch (error) {
          expect(error).toBeInstanceOf(AuthorError);
        }
      }),
    );
  });
});

describe('a condition', () => {
  it.each([
    ['n < 8', true],
    ['n<7', false],
    ['n <= 7', true],
    ['n > m*2', true],
    ['n >= 8', false],
    ['n == 7', true],
    ['n = 7', true],
    ['n != 7', false],
    ['n/zero != 7', false],
  ])('%s is %s', (text, value) => {
    expect(isConditionTrue(parseCondition(text), scope)).toBe(value);
  });

  it.each([
    ['n', 'the condition "n", column 2: expected a comparison such as "<" or "==", got the end'],
    ['n < 2 < 3', 'the condition "n < 2 < 3", column 7: expected an operator or the end, got "<"'],
  ])('%j is malformed', (text, message) => {
    expect(() => parseCondition(text)).toThrow(new AuthorError(message));
  });
});
