/**
 * Expressions over whole numbers, such as `(2*n-1)*m` or `count(queries, 2)`: parsing, printing and evaluating them.
 *
 *     sum     = product { ("+" | "-") product }       product = signed { ("*" | "/" | "%") signed }
 *     signed  = "-" signed | power                   power   = atom [ "^" signed ]
 *     atom    = NUMBER | NAME | "count(" NAME "," TAG ")" | "(" sum ")"
 *
 * So `-2^2` is -4 and `2^3^2` is 512. Blanks between the parts have no meaning.
 */
import { AuthorError } from './author-error.js';
import type { Condition, Expression } from './tree.js';

type BinaryOperator = Extract<Expression, { kind: 'binary' }>['operator'];

/** The longest text of an expression. The limit also bounds how deep an expression can be nested. */
const MAX_EXPRESSION_LENGTH = 500;

/** Parses the text of an expression. Throws an AuthorError that names the expression and the column of the mistake. */
export function parseExpression(text: string): Expression {
  const reader = new ExpressionReader(text, 'expression');
  const expression = reader.readSum();
  reader.expectEnd('an operator or the end');
  return expression;
}

/** Parses the text of a condition, such as `months < 0`. */
export function parseCondition(text: string): Condition {
  const reader = new ExpressionReader(text, 'condition');
  const left = reader.readSum();
  const operator = reader.readComparison();
  const right = reader.readSum();
  reader.expectEnd('an operator or the end');
  return { left, operator, right };
}

const BLANKS = /\s*/y;
const NUMBER = /\d+(?:e\d+)?/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const TAG = /[^)]*/y;
const COMPARISON = /<=|>=|==|!=|<|>/y;
const SUM_OPERATOR = /[-+]/y;
const PRODUCT_OPERATOR = /[*/%]/y;
/** What a message shows of the text where something else was expected. */
const UNEXPECTED = /[\p{L}\p{N}_$]+|./suy;

/** Reads an expression from left to right. */
class ExpressionReader {
  readonly #text: string;
  readonly #kind: 'expression' | 'condition';
  #at = 0;

  constructor(text: string, kind: 'expression' | 'condition') {
    if (text.length > MAX_EXPRESSION_LENGTH) {
      throw new AuthorError(
        `the ${kind} has ${text.length} characters, but ${MAX_EXPRESSION_LENGTH} is the most it may have`,
      );
    }
    this.#text = text;
    this.#kind = kind;
  }

  readSum(): Expression {
    let left = this.#readProduct();
    for (
      let operator = this.#accept(SUM_OPERATOR);
      operator !== null;
      operator = this.#accept(SUM_OPERATOR)
    ) {
      left = binary(operator as BinaryOperator, left, this.#readProduct());
    }
    return left;
  }

  readComparison(): Condition['operator'] {
    const operator = this.#accept(COMPARISON);
    if (operator === null) throw this.#expected('a comparison such as "<" or "=="');
    return operator as Condition['operator'];
  }

  expectEnd(expected: string): void {
    this.#accept(BLANKS);
    if (this.#at < this.#text.length) throw this.#expected(expected);
  }

  #readProduct(): Expression {
    let left = this.#readSigned();
    for (
      let operator = this.#accept(PRODUCT_OPERATOR);
      operator !== null;
      operator = this.#accept(PRODUCT_OPERATOR)
    ) {
      left = binary(operator as BinaryOperator, left, this.#readSigned());
    }
    return left;
  }

  #readSigned(): Expression {
    return this.#accept(/-/y) === null ? this.#readPower() : negate(this.#readSigned());
  }

  #readPower(): Expression {
    const base = this.#readAtom();
    return this.#accept(/\^/y) === null ? base : binary('^', base, this.#readSigned());
  }

  #readAtom(): Expression {
    const digits = this.#accept(NUMBER);
    if (digits !== null) return this.#constant(digits);
    const name = this.#accept(NAME);
    if (name !== null)
      return name === 'count' && this.#accept(/\(/y) ? this.#readCount() : { kind: 'name', name };
    if (this.#accept(/\(/y) === null) throw this.#expected('a number, a name or "("');
    const inner = this.readSum();
    this.#expect(/\)/y, 'an operator or ")"');
    return inner;
  }

  #constant(digits: string): Expression {
    const value = Number(digits);
    if (!Number.isSafeInteger(value)) {
      this.#at -= digits.length;
      throw this.#expected(`a number of at most ${Number.MAX_SAFE_INTEGER}`);
    }
    return { kind: 'constant', value };
  }

  /** Reads what follows `count(`. The tag may have any characters but ")". */
  #readCount(): Expression {
    const list = this.#expect(NAME, 'the name of a list');
    this.#expect(/,/y, '","');
    const tag = this.#expect(TAG, 'a tag').trim();
    if (tag === '') throw this.#expected('a tag');
    this.#expect(/\)/y, '")"');
    return { kind: 'count', list, tag };
  }

  #expect(pattern: RegExp, expected: string): string {
    const found = this.#accept(pattern);
    if (found === null) throw this.#expected(expected);
    return found;
  }

  /** Skips blanks, and then the text that the pattern matches. Returns this text, or null if nothing matches. */
  #accept(pattern: RegExp): string | null {
    if (pattern !== BLANKS) this.#accept(BLANKS);
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#at = pattern.lastIndex;
    return match[0];
  }

  #expected(expected: string): AuthorError {
    const got = this.#accept(UNEXPECTED);
    const column = this.#at - (got?.length ?? 0) + 1;
    const description = got === null ? 'the end' : `"${got}"`;
    return new AuthorError(
      `the ${this.#kind} "${this.#text}", column ${column}: expected ${expected}, got ${description}`,
    );
  }
}

function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right };
}

const ZERO: Expression = { kind: 'constant', value: 0 };

/** A tree has no unary minus: the negative of an expression that is no constant is its difference from 0. */
function negate(expression: Expression): Expression {
  if (expression.kind !== 'constant') return binary('-', ZERO, expression);
  return { kind: 'constant', value: 0 - expression.value };
}

/** The values of the names in an expression. */
export interface ExpressionScope {
  /** The value of an int that was read before. */
  int(name: string): number;
  /** The number of records of the list `list` that have the tag `tag`. */
  count(list: string, tag: string): number;
}

/**
 * Returns the value of the expression. The value is NaN if the expression divides by zero, or if one of its parts is no
 * safe integer.
 */
export function evaluate(expression: Expression, scope: ExpressionScope): number {
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'name':
      return scope.int(expression.name);
    case 'count':
      return scope.count(expression.list, expression.tag);
    case 'binary': {
      const left = evaluate(expression.left, scope);
      return calculate(expression.operator, left, evaluate(expression.right, scope));
    }
  }
}

/** Calculates with safe integers. Returns NaN if the result is none. */
export function calculate(operator: BinaryOperator, left: number, right: number): number {
  const result = OPERATIONS[operator](left, right);
  // Adding 0 turns -0 into 0.
  return Number.isSafeInteger(result) ? result + 0 : Number.NaN;
}

const OPERATIONS: Record<BinaryOperator, (left: number, right: number) => number> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  // The difference is a multiple of `right`, so the quotient is exact.
  '/': (left, right) => (left - (left % right)) / right,
  '%': (left, right) => left % right,
  '^': power,
};

/** Multiplies one factor after the other, because `**` may round. At most 53 factors give a safe integer. */
function power(base: number, exponent: number): number {
  if (Number.isNaN(exponent)) return Number.NaN;
  if (base === 1) return 1;
  if (base === -1) return exponent % 2 === 0 ? 1 : -1;
  if (base === 0) return exponent === 0 ? 1 : exponent > 0 ? 0 : Number.NaN;
  if (!(exponent >= 0 && exponent < 54)) return Number.NaN;
  let result = 1;
  for (let factors = 0; factors < exponent; factors++) result *= base;
  return result;
}

const COMPARISONS: Record<Condition['operator'], (left: number, right: number) => boolean> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
};

/** Whether the condition is true. It is false if one of its sides has no value. */
export function isTrue({ left, operator, right }: Condition, scope: ExpressionScope): boolean {
  const values = [evaluate(left, scope), evaluate(right, scope)] as const;
  return !values.some(Number.isNaN) && COMPARISONS[operator](...values);
}

/** A name in an expression: an int, or a list whose records with a tag are counted. */
export type NameInExpression = Extract<Expression, { kind: 'name' | 'count' }>;

/** Returns the names that the expression uses, from left to right. */
export function namesIn(expression: Expression): readonly NameInExpression[] {
  if (expression.kind === 'constant') return [];
  if (expression.kind !== 'binary') return [expression];
  return [...namesIn(expression.left), ...namesIn(expression.right)];
}

/** Returns the value of an expression without names, and null for any other expression. */
export function constantValue(expression: Expression): number | null {
  return namesIn(expression).length > 0 ? null : evaluate(expression, NO_NAMES);
}

const NO_NAMES: ExpressionScope = { int: () => Number.NaN, count: () => Number.NaN };

const PRECEDENCE: Record<BinaryOperator, number> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2, '^': 4 };
const PRECEDENCE_OF_MINUS_SIGN = 3;

/** Returns the text of an expression. Parsing this text gives the same expression. */
export function printExpression(expression: Expression): string {
  return print(expression, 0);
}

/** Prints an expression, in parentheses if its operator has a smaller precedence than `outer`. */
function print(expression: Expression, outer: number): string {
  switch (expression.kind) {
    case 'constant':
      return inParentheses(
        expression.value < 0 && outer > PRECEDENCE_OF_MINUS_SIGN,
        String(expression.value),
      );
    case 'name':
      return expression.name;
    case 'count':
      return `count(${expression.list}, ${expression.tag})`;
    case 'binary':
      return printBinary(expression.operator, expression.left, expression.right, outer);
  }
}

function printBinary(operator: BinaryOperator, left: Expression, right: Expression, outer: number): string {
  const own = PRECEDENCE[operator];
  // The operand on the side to which the operator does not group needs parentheses at equal precedence too.
  const [atLeft, atRight] = operator === '^' ? [own + 1, PRECEDENCE_OF_MINUS_SIGN] : [own, own + 1];
  return inParentheses(own < outer, `${print(left, atLeft)}${operator}${print(right, atRight)}`);
}

function inParentheses(isNeeded: boolean, text: string): string {
  return isNeeded ? `(${text})` : text;
}
