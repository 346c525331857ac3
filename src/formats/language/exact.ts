/**
 * Arithmetic with whole numbers, for the expressions of formats and of grammars. `/` rounds toward zero, `%` has the sign of
 * its left side, and `^` takes no negative exponent. Results are exact: a result that is not a safe integer is a bigint.
 */
export type Operator = '+' | '-' | '*' | '/' | '%' | '^';
export type Comparison = '<' | '>' | '<=' | '>=' | '==' | '!=';
export type ExactInteger = number | bigint;

/** The smallest and the largest number that a type of numbers can hold. */
export interface NumberLimits<Of extends ExactInteger = number> {
  readonly low: Of;
  readonly high: Of;
}

/** The range of whole numbers in which a JavaScript number is exact. */
export const SAFE_LIMITS: NumberLimits = { low: Number.MIN_SAFE_INTEGER, high: Number.MAX_SAFE_INTEGER };
export const INT32_LIMITS: NumberLimits = { low: -(2 ** 31), high: 2 ** 31 - 1 };
export const INT64_LIMITS: NumberLimits<bigint> = { low: -(2n ** 63n), high: 2n ** 63n - 1n };

/** The largest number of bits of a power that `calculateExactly` returns. Bounds of inputs are never so large. */
const MAX_POWER_BITS = 1 << 14;
/** A power with a larger exponent is not a safe integer, unless its base is 0, 1 or -1. */
const MAX_SAFE_EXPONENT = 53;

export const COMPARISONS: Readonly<Record<Comparison, (left: ExactInteger, right: ExactInteger) => boolean>> =
  {
    '<': (left, right) => left < right,
    '>': (left, right) => left > right,
    '<=': (left, right) => left <= right,
    '>=': (left, right) => left >= right,
    '==': (left, right) => left === right,
    '!=': (left, right) => left !== right,
  };

/** The value of a comparison is 1 if it is true and 0 if not; NaN if one of its sides is not exact. */
const SAFE_COMPARISONS = mapComparisons(
  (compare) => (left: number, right: number) =>
    Number.isNaN(left) || Number.isNaN(right) ? Number.NaN : Number(compare(left, right)),
);
const BIGINT_COMPARISONS = mapComparisons(
  (compare) => (left: bigint, right: bigint) => BigInt(compare(left, right)),
);

function mapComparisons<T>(toOperation: (compare: (typeof COMPARISONS)['<']) => T): Record<Comparison, T> {
  const entries = Object.entries(COMPARISONS).map(([operator, compare]) => [operator, toOperation(compare)]);
  return Object.fromEntries(entries) as Record<Comparison, T>;
}

/** Operations on safe integers. A result that is a safe integer is exact. -0 stands for 0. */
export const SAFE_OPERATIONS: Readonly<
  Record<Operator | Comparison, (left: number, right: number) => number>
> = {
  ...SAFE_COMPARISONS,
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  // Rounding changes the quotient by less than its distance to the next whole number, so `trunc` gives the exact quotient.
  '/': (left, right) => Math.trunc(left / right),
  '%': (left, right) => left % right,
  '^': safePower,
};

/** Operations on bigints. The caller makes sure that the divisor is not 0 and that the power is not too large. */
export const BIGINT_OPERATIONS: Readonly<
  Record<Operator | Comparison, (left: bigint, right: bigint) => bigint>
> = {
  ...BIGINT_COMPARISONS,
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '^': (left, right) => left ** right,
};

/** Calculates a power by repeated multiplication, because `**` may round. If the base has no value (NaN), no power has one. */
function safePower(base: number, exponent: number): number {
  if (!(exponent >= 0) || Number.isNaN(base)) return Number.NaN;
  if (exponent === 0 || base === 1) return 1;
  if (base === 0) return 0;
  if (base === -1) return exponent % 2 === 0 ? 1 : -1;
  if (exponent > MAX_SAFE_EXPONENT) return Number.NaN;
  let power = base;
  for (let factors = 1; factors < exponent; factors++) power *= base;
  return power;
}

/** Returns the result of an operation on safe integers; NaN if the result is not a safe integer. */
export function safeOrNaN(result: number): number {
  return Number.isSafeInteger(result) ? result + 0 : Number.NaN;
}

/** Calculates with whole numbers of any size. Returns null if there is no result, or if a power is too large. */
export function calculateExactly(
  operator: Operator | Comparison,
  left: ExactInteger,
  right: ExactInteger,
): ExactInteger | null {
  if (typeof left === 'number' && typeof right === 'number') {
    const result = safeOrNaN(SAFE_OPERATIONS[operator](left, right));
    if (!Number.isNaN(result)) return result;
  }
  const [one, other] = [toBigInt(left), toBigInt(right)];
  const result = one === null || other === null ? null : calculateBigints(operator, one, other);
  return result === null ? null : normalizeExactInteger(result);
}

/** Calculates like `calculateExactly`, but with bigints only. */
export function calculateBigints(
  operator: Operator | Comparison,
  left: bigint,
  right: bigint,
): bigint | null {
  if ((operator === '/' || operator === '%') && right === 0n) return null;
  if (operator === '^' && (right < 0n || powerBits(left, right) > MAX_POWER_BITS)) return null;
  return BIGINT_OPERATIONS[operator](left, right);
}

/** Returns an upper bound on the number of bits of `base ^ exponent`. The exponent must not be negative. */
export function powerBits(base: bigint, exponent: bigint): bigint {
  return base >= -1n && base <= 1n ? 1n : BigInt(bitLength(base)) * exponent;
}

/** Returns the number of bits of a value, without its sign. */
export function bitLength(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16);
  return digits.length * 4 - (Math.clz32(Number.parseInt(digits[0], 16)) - 28);
}

/** Returns a bigint as a JavaScript number if it is a safe integer, else as it is. */
export function normalizeExactInteger(value: bigint): ExactInteger {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** Returns a number as a bigint; null if the number is not whole. */
export function toBigInt(value: ExactInteger): bigint | null {
  if (typeof value === 'bigint') return value;
  return Number.isInteger(value) ? BigInt(value) : null;
}
