/**
 * Calculates expressions over the whole numbers of records that were read or drawn. Calculations are exact: a result
 * that is no safe integer becomes a bigint.
 */
import type { Bound, Count, EitherField, Expression, Field, RecordTree, RecordValue } from './tree.js';

export type WholeNumber = number | bigint;

/** For each list of tagged records, by its name: the name under which each record holds its tag. */
export type TagNames = ReadonlyMap<string, string>;

/** The records that an expression may name, the innermost record first. */
export class NameScope {
  constructor(
    readonly records: readonly RecordValue[],
    readonly tagNames: TagNames,
  ) {}

  /** Returns the scope of a record inside this scope. The record may get its properties later. */
  within(record: RecordValue): NameScope {
    return new NameScope([record, ...this.records], this.tagNames);
  }

  valueOf(name: string): unknown {
    return this.records.find((record) => Object.hasOwn(record, name))?.[name];
  }
}

/** The results of larger powers than this, in bits, are not calculated. */
const MAX_POWER_BITS = 4096;

/** Returns the value of an expression; null if it has none, because a name is unknown or it divides by zero. */
export function evaluate(expression: Expression, scope: NameScope): WholeNumber | null {
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'name': {
      const value = scope.valueOf(expression.name);
      return typeof value === 'number' || typeof value === 'bigint' ? value : null;
    }
    case 'count':
      return countTag(expression.list, expression.tag, scope);
    case 'binary': {
      const left = evaluate(expression.left, scope);
      const right = left === null ? null : evaluate(expression.right, scope);
      return left === null || right === null ? null : calculate(expression.operator, left, right);
    }
  }
}

/** Returns the value of an expression that is a number of elements; null if it is no such number. */
export function evaluateCount(expression: Expression, scope: NameScope): number | null {
  const count = evaluate(expression, scope);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** The smallest and largest allowed value. */
export interface ValueRange {
  readonly low: WholeNumber;
  readonly high: WholeNumber;
}

/** Returns the range between two bounds, which is infinite where a bound is null. Null if a bound has no value. */
export function evaluateRange(min: Bound, max: Bound, scope: NameScope): ValueRange | null {
  const low = min === null ? Number.NEGATIVE_INFINITY : evaluateBound(min, scope);
  const high = max === null ? Number.POSITIVE_INFINITY : evaluateBound(max, scope);
  return low === null || high === null ? null : { low, high };
}

function evaluateBound(bound: Exclude<Bound, null>, scope: NameScope): WholeNumber | null {
  return bound.kind === 'large-constant' ? BigInt(bound.digits) : evaluate(bound, scope);
}

export function isExpression(count: Count): count is Expression {
  return (
    count.kind === 'constant' || count.kind === 'name' || count.kind === 'count' || count.kind === 'binary'
  );
}

/** Returns the names in an expression, of numbers and of lists. */
export function namesIn(expression: Expression): string[] {
  switch (expression.kind) {
    case 'constant':
      return [];
    case 'name':
      return [expression.name];
    case 'count':
      return [expression.list];
    case 'binary':
      return [...namesIn(expression.left), ...namesIn(expression.right)];
  }
}

/** Collects the tag names of all lists of tagged records in these trees. */
export function collectTagNames(trees: Iterable<Field | RecordTree>): TagNames {
  const tagNames = new Map<string, string>();
  const visit = (tree: Field | RecordTree): void => {
    if (tree.kind === 'record') {
      for (const { name, field } of tree.fields) {
        if (field.kind === 'list' && field.of.kind === 'either') tagNames.set(name, field.of.tag);
        visit(field);
      }
    } else if (tree.kind === 'list') visit(tree.of);
    else if (tree.kind === 'either') for (const { record } of tree.variants) visit(record);
  };
  for (const tree of trees) visit(tree);
  return tagNames;
}

/** Returns the record that a tag chooses; null if the tag is unknown. */
export function recordOfTag(field: EitherField, tag: unknown): RecordTree | null {
  return field.variants.find(({ tags }) => tags.includes(tag as string))?.record ?? null;
}

function countTag(list: string, tag: string, scope: NameScope): number | null {
  const records = scope.valueOf(list);
  const tagName = scope.tagNames.get(list);
  if (!Array.isArray(records) || tagName === undefined) return null;
  return records.filter((record: RecordValue) => record[tagName] === tag).length;
}

type Operator = Extract<Expression, { kind: 'binary' }>['operator'];

function calculate(operator: Operator, left: WholeNumber, right: WholeNumber): WholeNumber | null {
  if (typeof left === 'number' && typeof right === 'number') {
    const result = calculateNumbers(operator, left, right);
    if (Number.isSafeInteger(result)) return result === 0 ? 0 : result;
    if (!Number.isInteger(left) || !Number.isInteger(right)) return Number.isFinite(result) ? result : null;
  }
  const exact = calculateBigints(operator, BigInt(left), BigInt(right));
  if (exact === null) return null;
  const rounded = Number(exact);
  return Number.isSafeInteger(rounded) ? rounded : exact;
}

/** Calculates with doubles. The result is exact if it is a safe integer and the operands are. */
function calculateNumbers(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return Math.trunc(left / right);
    case '%':
      return left % right;
    case '^':
      return left ** right;
  }
}

function calculateBigints(operator: Operator, left: bigint, right: bigint): bigint | null {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0n ? null : left / right;
    case '%':
      return right === 0n ? null : left % right;
    case '^':
      return powerOf(left, right);
  }
}

function powerOf(base: bigint, exponent: bigint): bigint | null {
  const baseBits = base.toString(2).length;
  return exponent < 0n || exponent * BigInt(baseBits) > MAX_POWER_BITS ? null : base ** exponent;
}
