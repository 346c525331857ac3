/** The numbers that a field may hold, and the whole numbers, called units, by which these numbers are drawn and counted. */
import {
  type ExactInteger,
  INT32_LIMITS,
  INT64_LIMITS,
  type NumberLimits,
  SAFE_LIMITS,
} from '../language/exact.js';

/** The numbers from `low` to `high`, either of which may be infinite. */
export interface NumberRange {
  readonly low: ExactInteger;
  readonly high: ExactInteger;
  /** The type of the numbers. `int64` and `bigint` are bigints; the others are JavaScript numbers. `number` has decimals. */
  readonly kind: 'int32' | 'safe-int' | 'int64' | 'bigint' | 'number';
  /** The largest number of decimals; null if the numbers are whole, or have no limit on decimals. */
  readonly decimals: number | null;
}

/** A range of whole numbers that is not empty. Its two ends are both numbers or both bigints. */
export type WholeNumberRange =
  | { readonly low: number; readonly high: number }
  | { readonly low: bigint; readonly high: bigint };

/** The units of a range of numbers: whole numbers, each of which is a number of the range times `scale`. */
export interface DecimalUnits {
  readonly range: WholeNumberRange;
  readonly scale: number;
}

/** The number of decimals that are drawn if a field does not limit decimals. */
export const DEFAULT_DECIMALS = 6;
/** The smallest and the largest number of the types `int32` and `safe-int`. */
const LIMITS = { int32: INT32_LIMITS, 'safe-int': SAFE_LIMITS } as const;

/** Returns the units of a finite range; null if it is empty. A range of type `number` must have a limit on decimals. */
export function unitsOfRange({ low, high, kind, decimals }: NumberRange): DecimalUnits | null {
  const range =
    kind === 'number'
      ? decimalUnits(Number(low), Number(high), 10 ** decimals!)
      : kind === 'bigint' || kind === 'int64'
        ? bigintUnits(ceilBigint(low), -ceilBigint(-high), kind)
        : wholeUnits(Number(low), Number(high), LIMITS[kind]);
  return range.low > range.high ? null : { range, scale: kind === 'number' ? 10 ** decimals! : 1 };
}

function wholeUnits(low: number, high: number, limits: NumberLimits) {
  return { low: Math.max(limits.low, Math.ceil(low)), high: Math.min(limits.high, Math.floor(high)) };
}

function bigintUnits(low: bigint, high: bigint, kind: 'int64' | 'bigint') {
  if (kind === 'bigint') return { low, high };
  return {
    low: low < INT64_LIMITS.low ? INT64_LIMITS.low : low,
    high: high > INT64_LIMITS.high ? INT64_LIMITS.high : high,
  };
}

/** Returns the units whose numbers are within the bounds, by the floating-point arithmetic with which readers check them. */
function decimalUnits(low: number, high: number, scale: number) {
  const isExact = Math.max(Math.abs(low), Math.abs(high)) * scale < Number.MAX_SAFE_INTEGER;
  if (!isExact) return { low: Math.ceil(low * scale), high: Math.floor(high * scale) };
  let first = Math.floor(low * scale) - 1;
  while (first / scale < low) first++;
  let last = Math.ceil(high * scale) + 1;
  while (last / scale > high) last--;
  return { low: first, high: last };
}

/** Returns the smallest whole number that is at least `value`. */
function ceilBigint(value: ExactInteger): bigint {
  return typeof value === 'bigint' ? value : BigInt(Math.ceil(value));
}

/** Returns the numbers that these units stand for. */
export function numbersOfUnits(
  units: readonly ExactInteger[],
  { kind }: NumberRange,
  scale: number,
): readonly ExactInteger[] {
  if (kind === 'bigint' || kind === 'int64') return units.map(BigInt);
  return scale === 1 ? units : units.map((unit) => Number(unit) / scale + 0);
}

/** Returns the number that a unit stands for. */
export function numberOfUnit(unit: ExactInteger, { kind }: NumberRange, scale: number): ExactInteger {
  if (kind === 'bigint' || kind === 'int64') return BigInt(unit);
  return scale === 1 ? Number(unit) : Number(unit) / scale + 0;
}
