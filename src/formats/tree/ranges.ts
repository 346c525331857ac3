/** Compiles, checks and describes the bounds of numbers. */
import { INT32_LIMITS, INT64_LIMITS, type NumberLimits, SAFE_LIMITS } from '../language/exact.js';
import type { Bound, NumberField, NumbersField, TableField } from '../language/tree.js';
import {
  type CompiledExpression,
  type CompiledLargeBound,
  compileExpression,
  compileLargeBound,
  type SlotScope,
  type SlotValues,
} from './compile-expression.js';
import type { Cursor } from './cursor.js';
import { countDecimals, parseShortCount, printNumber } from './numbers.js';
import type { FieldCompilation, ParseNumber, ReadingRules } from './reading-rules.js';

type NumberType = NumberField['of'] | NumbersField['of'];
type FieldOfNumbers = NumberField | NumbersField | TableField;

/** The bounds of a number or of each element of an array. */
export interface NumberBounds {
  readonly low: CompiledExpression;
  readonly high: CompiledExpression;
  /** Whether the number in bytes[from, to) has few enough decimals. Null if decimals are not limited. */
  readonly hasFewDecimals: ((bytes: Uint8Array, from: number, to: number) => boolean) | null;
  /**
   * Describes the bounds for a message about this value, such as `(1 to 1000)`. If no field of this type can hold the value,
   * the description says so.
   */
  describe(environment: SlotValues, value: number): string;
}

/** The bounds of integers of any size; null if there is no bound. */
interface LargeRange {
  readonly low: CompiledLargeBound | null;
  readonly high: CompiledLargeBound | null;
  describe(environment: SlotValues): string;
}

/** The smallest and the largest value of each type of numbers. */
const LIMITS: Record<NumberType, NumberLimits> = {
  int: SAFE_LIMITS,
  'safe-int': SAFE_LIMITS,
  int32: INT32_LIMITS,
  number: { low: -Number.MAX_VALUE, high: Number.MAX_VALUE },
  // The bounds of bigints are bigints, so `compileLargeNumberBounds` checks them.
  bigint: { low: Number.NaN, high: Number.NaN },
};

/** Returns the function that reads the numbers of the field. A bigint is first read as a number, which may be infinite. */
export function numberParserOf(field: FieldOfNumbers, rules: ReadingRules): ParseNumber {
  if (typeOf(field) === 'number') return rules.parseNumber;
  return field.kind === 'scalar' && field.isCount ? parseShortCount : rules.parseInteger;
}

function typeOf(field: FieldOfNumbers): NumberType {
  return field.kind === 'table' ? 'number' : field.of;
}

/** Compiles the test whether the token that the cursor has found is a number of the field, within its bounds. */
export function compileNumberTest(
  field: FieldOfNumbers,
  { scope, rules }: FieldCompilation,
): (cursor: Cursor) => boolean {
  if (field.kind !== 'table' && field.of === 'bigint') {
    const range = compileLargeNumberBounds(field, scope);
    return ({ bytes, from, to, environment }) => {
      const value = rules.parseBigInteger(bytes, from, to);
      return value !== null && isInLargeRange(value, range, environment);
    };
  }
  const { low, high, hasFewDecimals } = compileNumberBounds(field, scope);
  const parse = numberParserOf(field, rules);
  return ({ bytes, from, to, environment }) => {
    const value = parse(bytes, from, to);
    const isInRange = value >= low(environment) && value <= high(environment);
    return isInRange && (hasFewDecimals?.(bytes, from, to) ?? true);
  };
}

export function compileNumberBounds(field: FieldOfNumbers, scope: SlotScope): NumberBounds {
  const of = typeOf(field);
  const { low: least, high: most } = LIMITS[of];
  const lowBound = compileBound(field.min, least, scope);
  const highBound = compileBound(field.max, most, scope);
  const low = constantOr(field.min, (environment) => Math.max(least, lowBound(environment)));
  const high = constantOr(field.max, (environment) => Math.min(most, highBound(environment)));
  const decimals = field.kind === 'table' || of !== 'number' ? null : field.decimals;
  return {
    low,
    high,
    hasFewDecimals:
      decimals === null ? null : (bytes, from, to) => countDecimals(bytes, from, to) <= decimals,
    describe(environment, value) {
      const shownLow =
        field.min === null && of !== 'int32' ? limitBelow(value, of) : showNumber(low(environment));
      const shownHigh =
        field.max === null && of !== 'int32' ? limitAbove(value, of) : showNumber(high(environment));
      return describeRange(shownLow, shownHigh, of === 'number' ? 'a number' : 'an integer', decimals);
    },
  };
}

/** Evaluates a bound that does not depend on the environment only once. */
function constantOr(bound: Bound, evaluate: CompiledExpression): CompiledExpression {
  if (bound !== null && bound.kind !== 'constant' && bound.kind !== 'large-constant') return evaluate;
  const value = evaluate(NO_ENVIRONMENT);
  return () => value;
}

const NO_ENVIRONMENT: SlotValues = new Float64Array(0);

function compileBound(bound: Bound, limit: number, scope: SlotScope): CompiledExpression {
  if (bound === null) return () => limit;
  if (bound.kind !== 'large-constant') return compileExpression(bound, scope);
  const value = Number(bound.digits);
  return () => value;
}

/** Compiles the bounds of a `bigint`, or of `bigints`, whose numbers have 64 bits. */
export function compileLargeNumberBounds(field: NumberField | NumbersField, scope: SlotScope): LargeRange {
  const hasLimits = field.kind === 'numbers';
  const what = !hasLimits && field.isCount ? 'a count' : 'an integer';
  const low = compileLargeBound(field.min, scope) ?? (hasLimits ? () => INT64_LIMITS.low : null);
  const high = compileLargeBound(field.max, scope) ?? (hasLimits ? () => INT64_LIMITS.high : null);
  return {
    low,
    high,
    describe(environment) {
      const shownLow = low && (low(environment)?.toString() ?? NO_VALUE);
      const shownHigh = high && (high(environment)?.toString() ?? NO_VALUE);
      return describeRange(shownLow, shownHigh, what, null);
    },
  };
}

/** Whether the value is within the bounds. If a bound has no value, such as `n / 0`, the answer is no. */
export function isInLargeRange(value: bigint, { low, high }: LargeRange, environment: SlotValues): boolean {
  return (
    isOnSide(low, environment, (bound) => value >= bound) &&
    isOnSide(high, environment, (bound) => value <= bound)
  );
}

function isOnSide(
  bound: CompiledLargeBound | null,
  environment: SlotValues,
  compare: (bound: bigint) => boolean,
): boolean {
  if (bound === null) return true;
  const value = bound(environment);
  return value !== null && compare(value);
}

const NO_VALUE = 'a bound without a value';

/** The functions by which authors describe fields that hold only safe integers, as messages name them. */
const SAFE_BUILDERS: Partial<Record<NumberType, string>> = { int: 'int()', 'safe-int': 'safeInts()' };

/** If the value is too small for the field's type, describes the smallest number of that type; else null. */
function limitBelow(value: number, of: NumberType): string | null {
  const builder = SAFE_BUILDERS[of];
  if (builder === undefined || !(value < Number.MIN_SAFE_INTEGER)) return null;
  return `${Number.MIN_SAFE_INTEGER}, the smallest number of ${builder}`;
}

/** If the value is too large for the field's type, describes the largest number of that type; else null. */
function limitAbove(value: number, of: NumberType): string | null {
  const builder = SAFE_BUILDERS[of];
  if (builder === undefined || !(value > Number.MAX_SAFE_INTEGER)) return null;
  return `${Number.MAX_SAFE_INTEGER}, the largest number of ${builder}`;
}

function showNumber(value: number): string {
  if (value === Number.MAX_SAFE_INTEGER) return '2^53 - 1';
  return Number.isNaN(value) ? NO_VALUE : printNumber(value);
}

function describeRange(
  low: string | null,
  high: string | null,
  what: string,
  decimals: number | null,
): string {
  let range = what;
  if (low !== null && high !== null) range = `${low} to ${high}`;
  else if (low !== null) range = `${what} of at least ${low}`;
  else if (high !== null) range = `${what} of at most ${high}`;
  return decimals === null ? `(${range})` : `(${range}, at most ${decimals} decimals)`;
}
