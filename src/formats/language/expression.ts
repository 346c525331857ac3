/**
 * Expressions over whole numbers, such as `(2*n-1)*m` or `count(queries, 2)`: parsing, printing and evaluating them.
 *
 *     sum     = product { ("+" | "-") product }       product = signed { ("*" | "/" | "%") signed }
 *     signed  = "-" signed | power                   power   = atom [ "^" signed ]
 *     atom    = NUMBER | NAME | "count(" NAME "," TAG ")" | "(" value ")"
 *     value   = sum [ ("<" | "<=" | ">" | ">=" | "=" | "==" | "!=") sum ]
 *
 * An expression is a value. A comparison is 1 if it is true, and 0 if it is not: as a count, it makes elements optional.
 * So `-2^2` is -4 and `2^3^2` is 512. Whitespace between the parts has no meaning.
 */
import { AuthorError } from './author-error.js';
import { COMPARISONS, calculateExactly, type ExactInteger, type Operator } from './exact.js';
import type { Bound, Condition, ElementCount, Expression } from './tree.js';

type AnyOperator = Extract<Expression, { kind: 'binary' }>['operator'];

/** The largest length of the text of an expression, which also limits how deep an expression can be nested. */
const MAX_EXPRESSION_LENGTH = 500;

/** Parses the text of an expression. Throws an AuthorError that names the expression and the column of the mistake. */
export function parseExpression(text: string): Expression {
  const reader = new ExpressionReader(text, 'expression');
  const expression = reader.readValue();
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

const WHITESPACE = /\s*/y;
const NUMBER = /\d+(?:e\d+)?/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const TAG = /[^)]*/y;
const COMPARISON = /<=|>=|==?|!=|<|>/y;
const SUM_OPERATOR = /[-+]/y;
const PRODUCT_OPERATOR = /[*/%]/y;
/** Matches the text that a message shows as found, where the parser expected something else. */
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

  /** Reads a sum, or a comparison of two sums. */
  readValue(): Expression {
    const left = this.readSum();
    const operator = this.#acceptComparison();
    return operator === null ? left : binaryExpression(operator, left, this.readSum());
  }

  readSum(): Expression {
    let left = this.#readProduct();
    for (
      let operator = this.#accept(SUM_OPERATOR);
      operator !== null;
      operator = this.#accept(SUM_OPERATOR)
    ) {
      left = binaryExpression(operator as Operator, left, this.#readProduct());
    }
    return left;
  }

  readComparison(): Condition['operator'] {
    const operator = this.#acceptComparison();
    if (operator === null) throw this.#expected('a comparison such as "<" or "=="');
    return operator;
  }

  #acceptComparison(): Condition['operator'] | null {
    const operator = this.#accept(COMPARISON);
    return operator === '=' ? '==' : (operator as Condition['operator'] | null);
  }

  expectEnd(expected: string): void {
    this.#accept(WHITESPACE);
    if (this.#at < this.#text.length) throw this.#expected(expected);
  }

  #readProduct(): Expression {
    let left = this.#readSigned();
    for (
      let operator = this.#accept(PRODUCT_OPERATOR);
      operator !== null;
      operator = this.#accept(PRODUCT_OPERATOR)
    ) {
      left = binaryExpression(operator as Operator, left, this.#readSigned());
    }
    return left;
  }

  #readSigned(): Expression {
    return this.#accept(/-/y) === null ? this.#readPower() : negate(this.#readSigned());
  }

  #readPower(): Expression {
    const base = this.#readAtom();
    return this.#accept(/\^/y) === null ? base : binaryExpression('^', base, this.#readSigned());
  }

  #readAtom(): Expression {
    const digits = this.#accept(NUMBER);
    if (digits !== null) return this.#constant(digits);
    const name = this.#accept(NAME);
    if (name !== null)
      return name === 'count' && this.#accept(/\(/y) ? this.#readCount() : { kind: 'name', name };
    if (this.#accept(/\(/y) === null) throw this.#expected('a number, a name or "("');
    const inner = this.readValue();
    this.#expect(/\)/y, 'an operator or ")"');
    return inner;
  }

  #constant(digits: string): Expression {
    const value = Number(digits);
    if (!Number.isSafeInteger(value)) {
      this.#at -= digits.length;
      throw this.#expected(`a number of at most ${Number.MAX_SAFE_INTEGER}`);
    }
    return constantExpression(value);
  }

  /** Reads the rest of `count(list, tag)` after `count(`. The tag may have any characters except ")". */
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

  /** Skips whitespace, and then the text that the pattern matches. Returns that text; null if the pattern does not match. */
  #accept(pattern: RegExp): string | null {
    if (pattern !== WHITESPACE) this.#accept(WHITESPACE);
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

/** Returns the expression whose value is this number. */
export function constantExpression(value: number): Expression {
  return { kind: 'constant', value };
}

/** Returns the bound that is this number; null if there is no bound. */
export function boundOfNumber(value: number | null): Bound {
  return value === null ? null : constantExpression(value);
}

export function binaryExpression(operator: AnyOperator, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right };
}

/** Returns the negative of an expression. A tree has no unary minus, so -x is stored as 0 - x unless x is a constant. */
function negate(expression: Expression): Expression {
  if (expression.kind !== 'constant') return binaryExpression('-', constantExpression(0), expression);
  return constantExpression(0 - expression.value);
}

/** The compiler asks for a new kind of expression. */
const EXPRESSION_KINDS: Readonly<Record<Expression['kind'], true>> = {
  constant: true,
  name: true,
  count: true,
  binary: true,
};

/** Whether a property of a field is an expression. */
export function isExpression(property: unknown): property is Expression {
  return (
    typeof property === 'object' &&
    property !== null &&
    'kind' in property &&
    Object.hasOwn(EXPRESSION_KINDS, String(property.kind))
  );
}

/** Whether the number of elements is known before the elements are read, because an expression gives it. */
export function isExpressionCount(count: ElementCount): count is Expression {
  return isExpression(count);
}

/** Whether the value of an expression is 1 or 0, because it is a comparison. */
export function isComparison(expression: Expression): boolean {
  return expression.kind === 'binary' && expression.operator in COMPARISONS;
}

/** The values of the names in an expression; null for a name without a value. */
export interface ExpressionScope {
  /** Returns the value of the `int` with this name, which was read before. */
  int(name: string): ExactInteger | null;
  /** Returns the number of records of the list `list` that have the tag `tag`. */
  count(list: string, tag: string): number | null;
}

/** Returns the exact value of the expression; null if one of its names has no value, or if it divides by zero. */
export function evaluateExpression(expression: Expression, scope: ExpressionScope): ExactInteger | null {
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'name':
      return scope.int(expression.name);
    case 'count':
      return scope.count(expression.list, expression.tag);
    case 'binary': {
      const left = evaluateExpression(expression.left, scope);
      const right = left === null ? null : evaluateExpression(expression.right, scope);
      return left === null || right === null ? null : calculateExactly(expression.operator, left, right);
    }
  }
}

/** Whether the condition is true. A condition is false if one of its sides has no value. */
export function isConditionTrue({ left, operator, right }: Condition, scope: ExpressionScope): boolean {
  const one = evaluateExpression(left, scope);
  const other = evaluateExpression(right, scope);
  return one !== null && other !== null && COMPARISONS[operator](one, other);
}

/** A name in an expression: that of an `int`, or that of a list whose records with some tag are counted. */
export type NameInExpression = Extract<Expression, { kind: 'name' | 'count' }>;

/** Returns the names that the expression uses, from left to right. */
export function namesIn(expression: Expression): readonly NameInExpression[] {
  if (expression.kind === 'constant') return [];
  if (expression.kind !== 'binary') return [expression];
  return [...namesIn(expression.left), ...namesIn(expression.right)];
}

/** Returns the names of the `int` fields that the expression uses, but no names of lists, from left to right. */
export function intNames(expression: Expression): readonly string[] {
  return namesIn(expression).flatMap((used) => (used.kind === 'name' ? [used.name] : []));
}

/** Returns all names of fields that the expression uses, from left to right: of `int` fields and of lists. */
export function fieldNamesInExpression(expression: Expression): readonly string[] {
  return namesIn(expression).map((used) => (used.kind === 'name' ? used.name : used.list));
}

/** Returns the value of an expression without names (NaN if it has no value); null for any other expression. */
export function constantValue(expression: Expression): ExactInteger | null {
  return namesIn(expression).length > 0 ? null : (evaluateExpression(expression, NO_NAMES) ?? Number.NaN);
}

const NO_NAMES: ExpressionScope = { int: () => null, count: () => null };

const PRECEDENCE: Record<Operator, number> = {
  '+': 1,
  '-': 1,
  '*': 2,
  '/': 2,
  '%': 2,
  '^': 4,
};
const PRECEDENCE_OF_MINUS_SIGN = 3;

/** Returns the text of an expression. Parsing this text gives the same expression. */
export function printExpression(expression: Expression): string {
  return print(expression, 0);
}

/** Prints an expression, in parentheses if its operator has a lower precedence than `outer`. */
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

function printBinary(operator: AnyOperator, left: Expression, right: Expression, outer: number): string {
  if (operator in COMPARISONS) {
    // A comparison needs parentheses if it is an operand of another comparison.
    const text = `${print(left, 1)}${operator}${print(right, 1)}`;
    return inParentheses(outer > 0, text);
  }
  const own = PRECEDENCE[operator as Operator];
  // `a - b - c` groups to the left and `a ^ b ^ c` to the right. On the other side, equal precedence needs parentheses.
  const [atLeft, atRight] = operator === '^' ? [own + 1, PRECEDENCE_OF_MINUS_SIGN] : [own, own + 1];
  return inParentheses(own < outer, `${print(left, atLeft)}${operator}${print(right, atRight)}`);
}

function inParentheses(isNeeded: boolean, text: string): string {
  return isNeeded ? `(${text})` : text;
}
