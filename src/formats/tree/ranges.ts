/** The bounds of numbers: compiled, checked and described. */
import { INT32_LIMITS, INT64_LIMITS, type NumberLimits, SAFE_LIMITS } from '../language/exact.js';
import type { Bound, NumberField, NumbersField, TableField } from '../language/tree.js';
import {
  compileExpression,
  compileLargeBound,
  type Environment,
  type Evaluate,
  type EvaluateLarge,
  type Scope,
} from './compile-expression.js';
import type { Cursor } from './cursor.js';
import { countDecimals, parseShortCount, printNumber } from './numbers.js';
import type { FieldContext, ParseNumber, ReadingRules } from './reading-rules.js';

type NumberType = NumberField['of'] | NumbersField['of'];
type FieldOfNumbers = NumberField | NumbersField | TableField;

/** The bounds of a number or of each element of an array. */
export interface Range {
  readonly low: Evaluate;
  readonly high: Evaluate;
  /** Whether the number of decimals of bytes[from, to) is within its bound. Null: it has no bound. */
  readonly hasFewDecimals: ((bytes: Uint8Array, from: number, to: number) => boolean) | null;
  /**
   * Describes the bounds for messages about this value, such as `(1 to 1000)`. If the value is an integer that no field of
   * this kind can hold, the message says so.
   */
  describe(environment: Environment, value: number): string;
}

/** The bounds of integers of any size. A bound is null if there is none. */
interface LargeRange {
  readonly low: EvaluateLarge | null;
  readonly high: EvaluateLarge | null;
  describe(environment: Environment): string;
}

/** The values that each kind of number can have. */
const LIMITS: Record<NumberType, NumberLimits> = {
  int: SAFE_LIMITS,
  'safe-int': SAFE_LIMITS,
  int32: INT32_LIMITS,
  number: { low: -Number.MAX_VALUE, high: Number.MAX_VALUE },
  // Bounds of bigints are bigints (compileLargeRange).
  bigint: { low: Number.NaN, high: Number.NaN },
};

/** Returns how the numbers of the field are read. A bigint is first read as a number, which may be infinite. */
export function parserOf(field: FieldOfNumbers, rules: ReadingRules): ParseNumber {
  if (typeOf(field) === 'number') return rules.parseNumber;
  return field.kind === 'scalar' && field.isCount ? parseShortCount : rules.parseInteger;
}

function typeOf(field: FieldOfNumbers): NumberType {
  return field.kind === 'table' ? 'number' : field.of;
}

/** Compiles the test whether the token that the cursor has found is a number of the field, and within its bounds. */
export function compileNumberTest(
  field: FieldOfNumbers,
  { scope, rules }: FieldContext,
): (cursor: Cursor) => boolean {
  if (field.kind !== 'table' && field.of === 'bigint') {
    const range = compileLargeRange(field, scope);
    return ({ bytes, from, to, environment }) => {
      const value = rules.parseBigInteger(bytes, from, to);
      return value !== null && isInLargeRange(value, range, environment);
    };
  }
  const { low, high, hasFewDecimals } = compileRange(field, scope);
  const parse = parserOf(field, rules);
  return ({ bytes, from, to, environment }) => {
    const value = parse(bytes, from, to);
    const isInRange = value >= low(environment) && value <= high(environment);
    return isInRange && (hasFewDecimals?.(bytes, from, to) ?? true);
  };
}

export function compileRange(field: FieldOfNumbers, scope: Scope): Range {
  const of = typeOf(field);
  const { low: least, high: most } = LIMITS[of];
  const lowBound = compileBound(field.min, least, scope);
  const highBound = compileBound(field.max, most, scope);
  const low: Evaluate = (environment) => Math.max(least, lowBound(environment));
  const high: Evaluate = (environment) => Math.min(most, highBound(environment));
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

function compileBound(bound: Bound, limit: number, scope: Scope): Evaluate {
  if (bound === null) return () => limit;
  if (bound.kind !== 'large-constant') return compileExpression(bound, scope);
  const value = Number(bound.digits);
  return () => value;
}

/** Compiles the bounds of a `bigint`, or of `bigints`, which have 64 bits. */
export function compileLargeRange(field: NumberField | NumbersField, scope: Scope): LargeRange {
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

/** Whether the value is within the bounds. A bound without a value, such as `n / 0`, admits nothing. */
export function isInLargeRange(value: bigint, { low, high }: LargeRange, environment: Environment): boolean {
  return (
    isOnSide(low, environment, (bound) => value >= bound) &&
    isOnSide(high, environment, (bound) => value <= bound)
  );
}

function isOnSide(
  bound: EvaluateLarge | null,
  environment: Environment,
  compare: (bound: bigint) => boolean,
): boolean {
  if (bound === null) return true;
  const value = bound(environment);
  return value !== null && compare(value);
}

const NO_VALUE = 'a bound without a value';

/** The builders of the fields that hold safe integers only, as authors call them. */
const SAFE_BUILDERS: Partial<Record<NumberType, string>> = { int: 'int()', 'safe-int': 'safeInts()' };

/** Describes the smallest number that a field can hold if the value is below it. */
function limitBelow(value: number, of: NumberType): string | null {
  const builder = SAFE_BUILDERS[of];
  if (builder === undefined || !(value < Number.MIN_SAFE_INTEGER)) return null;
  return `${Number.MIN_SAFE_INTEGER}, the smallest number of ${builder}`;
}

/** Describes the largest number that a field can hold if the value is above it. */
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
