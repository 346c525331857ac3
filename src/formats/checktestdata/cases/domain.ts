/**
 * The values that a variable may still have: the whole numbers between two bounds that leave the same remainder when they are
 * divided by a step, or all numbers between the bounds, or one text. A domain may have values that are impossible, but it has
 * all possible ones. Domains that combine intervals and congruences are due to P. Granger ("Static analysis of arithmetical
 * congruences", 1989).
 */
import { calculateExactly, type ExactInteger, normalizeExactInteger } from '../../language/exact.js';
import {
  compareNumbers,
  compileOperator,
  Fraction,
  floorDivide,
  type GrammarValue,
  isInteger,
  negateValue,
  toFraction,
} from '../language/values.js';

/** A bound of a domain: `Infinity` or `-Infinity` if the domain is not bounded. A whole number is never a `Fraction`. */
type Exact = ExactInteger | Fraction;

export interface NumberDomain {
  readonly low: Exact;
  readonly high: Exact;
  /** Every value is `rest` plus a multiple of `step`; 0 if there is only one value, null if values may be fractions. */
  readonly step: ExactInteger | null;
  readonly rest: ExactInteger;
  /** A number other than 0 that every value of the domain divides; null if no such number is known. */
  readonly divides: ExactInteger | null;
}

export type ValueDomain = NumberDomain | string;

const { POSITIVE_INFINITY: INFINITY, NEGATIVE_INFINITY: MINUS_INFINITY } = Number;
/** The domain of a value about which nothing is known. The value may also be a text. */
export const ANY_VALUE_DOMAIN: NumberDomain = {
  low: MINUS_INFINITY,
  high: INFINITY,
  step: null,
  rest: 0,
  divides: null,
};
export const INTEGER_DOMAIN: NumberDomain = { ...ANY_VALUE_DOMAIN, step: 1 };

const START = { line: 1, column: 1 };
const OPERATIONS = {
  '+': compileOperator('+', START),
  '*': compileOperator('*', START),
  '/': compileOperator('/', START),
};
const FREE = () => {};
/** Larger steps are not stored in domains. Bounds of any size are stored. */
const MAX_STEP = 2n ** 128n;

export function domainOfValue(value: GrammarValue): ValueDomain {
  if (typeof value === 'string') return value;
  const exact = wholeIfEqual(value);
  if (exact instanceof Fraction) return { ...ANY_VALUE_DOMAIN, low: exact, high: exact };
  return { low: exact, high: exact, step: 0, rest: exact, divides: null };
}

export function domainBetween(low: Exact, high: Exact): NumberDomain {
  return { ...ANY_VALUE_DOMAIN, low: wholeIfEqual(low), high: wholeIfEqual(high) };
}

export function integerDomainBetween(low: ExactInteger, high: ExactInteger): NumberDomain {
  return { ...INTEGER_DOMAIN, low, high };
}

/** The only value of the domain; null if there may be several. */
function onlyValue(domain: NumberDomain): Exact | null {
  return compareBounds(domain.low, domain.high) === 0 ? domain.low : null;
}

export function areDomainsEqual(one: ValueDomain, other: ValueDomain): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return (
    compareBounds(one.low, other.low) === 0 &&
    compareBounds(one.high, other.high) === 0 &&
    one.step === other.step &&
    one.divides === other.divides
  );
}

/** Whether all values of `other` are in the domain. The answer may be false although they are. */
export function containsDomain(domain: ValueDomain, other: ValueDomain): boolean {
  if (typeof domain === 'string' || typeof other === 'string') return domain === other;
  const { low, high, step, rest, divides } = domain;
  const isClass =
    step === null || (step === other.step && rest === other.rest) || (step === 1 && other.step !== null);
  return (
    isClass && divides === null && compareBounds(low, other.low) <= 0 && compareBounds(high, other.high) >= 0
  );
}

/** Returns the values that are in both domains; null if there are none. */
export function meetDomains(one: ValueDomain, other: ValueDomain): ValueDomain | null {
  if (typeof one === 'string' || typeof other === 'string') return meetTexts(one, other);
  const classes = meetClasses(one, other);
  if (classes === null) return null;
  const low = compareBounds(one.low, other.low) > 0 ? one.low : other.low;
  const high = compareBounds(one.high, other.high) < 0 ? one.high : other.high;
  return fitted({ ...classes, low, high, divides: one.divides ?? other.divides });
}

function meetTexts(one: ValueDomain, other: ValueDomain): ValueDomain | null {
  if (one === other || isAnything(other)) return one;
  return isAnything(one) ? other : null;
}

function isAnything(domain: ValueDomain): boolean {
  if (typeof domain === 'string') return false;
  return domain.step === null && domain.low === MINUS_INFINITY && domain.high === INFINITY;
}

type Classes = Pick<NumberDomain, 'step' | 'rest'>;

/** Returns the whole numbers in both residue classes; null if there are none. */
function meetClasses(one: Classes, other: Classes): Classes | null {
  if (one.step === null || isSameClass(one, other)) return other;
  if (other.step === null) return one;
  if (one.step === 0 || other.step === 0) {
    const step = one.step === 0 ? other.step : one.step;
    const isInBoth = modulo(minus(one.rest, other.rest), step) === 0;
    return !isInBoth ? null : one.step === 0 ? one : other;
  }
  // We look for the k with which one.rest + k * one.step is in the other class.
  const multiples = solveCongruence(one.step, minus(other.rest, one.rest), other.step);
  if (multiples === null) return null;
  const step = times(one.step, multiples.step as ExactInteger);
  return BigInt(step) > MAX_STEP ? one : { step, rest: plus(one.rest, times(one.step, multiples.rest)) };
}

function isSameClass(one: Classes, other: Classes): boolean {
  return one.step === other.step && one.rest === other.rest;
}

/** Returns the x for which `factor * x` and `rest` leave the same remainder when divided by the positive `step`. */
function solveCongruence(factor: ExactInteger, rest: ExactInteger, step: ExactInteger): Classes | null {
  const common = commonDivisor(factor, step);
  if (modulo(rest, common) !== 0) return null;
  const [a, m] = [divide(factor, common), divide(step, common)];
  return { step: m, rest: modulo(times(divide(rest, common), inverse(a, m)), m) };
}

/** Moves the bounds of a domain to values of the domain. Returns null if the domain is empty. */
function fitted(domain: NumberDomain): NumberDomain | null {
  const { low, high, step, rest, divides } = domain;
  if (step === null) {
    if (compareBounds(low, high) > 0) return null;
    return compareBounds(low, high) === 0 && !(low instanceof Fraction)
      ? { low, high, step: 0, rest: low, divides }
      : domain;
  }
  if (step === 0) {
    const isWithin = compareBounds(low, rest) <= 0 && compareBounds(high, rest) >= 0;
    return isWithin ? { low: rest, high: rest, step, rest, divides } : null;
  }
  const least = isInfinite(low) ? low : alignUp(minus(0, floorOf(minusExact(low))), step, rest);
  const most = isInfinite(high) ? high : alignDown(floorOf(high), step, rest);
  if (least > most) return null;
  if (least === most) return { low: least, high: least, step: 0, rest: least, divides };
  return { low: least, high: most, step, rest: modulo(rest, step), divides };
}

function alignUp(value: ExactInteger, step: ExactInteger, rest: ExactInteger): ExactInteger {
  return step === 1 ? value : plus(value, modulo(minus(rest, value), step));
}

/** Returns the largest number not above `value` that leaves the remainder `rest` when divided by `step`. */
export function alignDown(value: ExactInteger, step: ExactInteger, rest: ExactInteger): ExactInteger {
  return step === 1 ? value : minus(value, modulo(minus(value, rest), step));
}

/** Returns a domain that has the values of both domains, and perhaps others. */
export function joinDomains(one: ValueDomain, other: ValueDomain): ValueDomain {
  if (typeof one === 'string' || typeof other === 'string') return one === other ? one : ANY_VALUE_DOMAIN;
  const low = compareBounds(one.low, other.low) < 0 ? one.low : other.low;
  const high = compareBounds(one.high, other.high) > 0 ? one.high : other.high;
  const divides = one.divides === other.divides ? one.divides : null;
  if (one.step === null || other.step === null) return { ...ANY_VALUE_DOMAIN, low, high, divides };
  const step = commonDivisor(commonDivisor(one.step, other.step), minus(one.rest, other.rest));
  return { low, high, step, rest: step === 0 ? one.rest : modulo(one.rest, step), divides };
}

/** Returns the domain without the only value of another domain, if that value is a bound; null if nothing is left. */
export function domainWithoutValue(domain: ValueDomain, other: ValueDomain): ValueDomain | null {
  if (typeof domain === 'string' || typeof other === 'string') return domain === other ? null : domain;
  const excluded = onlyValue(other);
  if (excluded === null) return domain;
  const { low, high, step } = domain;
  const [isLow, isHigh] = [compareBounds(low, excluded) === 0, compareBounds(high, excluded) === 0];
  if (isLow && isHigh) return null;
  if (step !== null && isLow) return fitted({ ...domain, low: plus(low as ExactInteger, step) });
  return step !== null && isHigh ? fitted({ ...domain, high: minus(high as ExactInteger, step) }) : domain;
}

/** Returns the numbers that are at most a value of the domain. If `isTight`, they are smaller, and both are whole numbers. */
export function domainBelow({ high }: NumberDomain, isTight: boolean): NumberDomain {
  return domainBetween(MINUS_INFINITY, isTight && !isInfinite(high) ? minus(high as ExactInteger, 1) : high);
}

export function domainAbove({ low }: NumberDomain, isTight: boolean): NumberDomain {
  return domainBetween(isTight && !isInfinite(low) ? plus(low as ExactInteger, 1) : low, INFINITY);
}

export function negatedDomain({ low, high, step, rest, divides }: NumberDomain): NumberDomain {
  const opposite = step === null ? 0 : minus(0, rest);
  return { low: minusExact(high), high: minusExact(low), step, rest: opposite, divides };
}

export function sumDomain(one: NumberDomain, other: NumberDomain): NumberDomain {
  const low = operate('+', one.low, other.low);
  const high = operate('+', one.high, other.high);
  if (one.step === null || other.step === null) return domainBetween(low, high);
  return {
    low,
    high,
    step: commonDivisor(one.step, other.step),
    rest: plus(one.rest, other.rest),
    divides: null,
  };
}

export function productDomain(one: NumberDomain, other: NumberDomain): NumberDomain {
  const bounds = hullOf(
    [one.low, one.high].flatMap((a) => [other.low, other.high].map((b) => operate('*', a, b))),
  );
  if (one.step === null || other.step === null) return bounds;
  const step = commonDivisor(
    times(one.step, other.step),
    commonDivisor(times(one.step, other.rest), times(other.step, one.rest)),
  );
  return { ...bounds, step, rest: times(one.rest, other.rest) };
}

/** Returns the possible remainders of a division. They have the sign of the left side, as in JavaScript. */
export function remainderDomain(left: NumberDomain, right: NumberDomain): NumberDomain {
  const divisor = onlyValue(right);
  if (!isDivisor(divisor) || left.step === null) return ANY_VALUE_DOMAIN;
  const most = minus(divisor < 0 ? minus(0, divisor) : divisor, 1);
  const low = compareBounds(left.low, 0) >= 0 ? 0 : minus(0, most);
  const high = compareBounds(left.high, 0) <= 0 ? 0 : most;
  return fitted({ ...dividendsWithRemainder(left, right)!, low, high })!;
}

/** Returns the whole numbers that leave one of these remainders when divided by the divisor. Null: not a single divisor. */
export function dividendsWithRemainder(remainder: NumberDomain, right: NumberDomain): NumberDomain | null {
  const divisor = onlyValue(right);
  if (!isDivisor(divisor) || remainder.step === null) return null;
  const step = commonDivisor(divisor, remainder.step);
  return { ...INTEGER_DOMAIN, step, rest: modulo(remainder.rest, step) };
}

function isDivisor(value: Exact | null): value is ExactInteger {
  return value !== null && isInteger(value) && value !== 0 && !isInfinite(value);
}

/** Returns the numbers that, multiplied by a value of `factor`, give a value of `product`. `old` is their domain so far. */
export function cofactorDomain(product: NumberDomain, factor: NumberDomain, old: NumberDomain): NumberDomain {
  const isNonZero = !hasZero(product);
  const by = isNonZero ? withoutZero(factor) : factor;
  if (by === null) return ANY_VALUE_DOMAIN;
  const areWhole = by.step !== null && old.step !== null && product.step !== null;
  const divides = isNonZero && areWhole ? divisible(product) : null;
  if (hasZero(by)) {
    if (!isNonZero || by.step === null) return ANY_VALUE_DOMAIN;
    const most = hullOf([product.low, product.high].flatMap((bound) => [bound, minusExact(bound)]));
    return { ...most, divides };
  }
  const bounds = [product.low, product.high].flatMap((a) => [by.low, by.high].map((b) => quotient(a, b)));
  return { ...hullOf(bounds), ...(areWhole ? classOfCofactors(product, by) : {}), divides };
}

/** Returns a number that is divided by every divisor of every value of the product; null if none is known. */
function divisible(product: NumberDomain): ExactInteger | null {
  return product.divides ?? (product.step === 0 ? product.rest : null);
}

function classOfCofactors(product: NumberDomain, factor: NumberDomain): Classes {
  if (factor.step !== 0 || product.step === null || product.step === 0) return { step: null, rest: 0 };
  // If there is no solution, only the bounds are narrowed here, and each value is refused later.
  return solveCongruence(factor.rest, product.rest, product.step) ?? { step: null, rest: 0 };
}

function hasZero({ low, high }: NumberDomain): boolean {
  return compareBounds(low, 0) <= 0 && compareBounds(high, 0) >= 0;
}

function withoutZero(domain: NumberDomain): NumberDomain | null {
  return domainWithoutValue(domain, domainOfValue(0)) as NumberDomain | null;
}

function hullOf(bounds: readonly Exact[]): NumberDomain {
  let [low, high] = [bounds[0], bounds[0]];
  for (const bound of bounds) {
    if (compareBounds(bound, low) < 0) low = bound;
    if (compareBounds(bound, high) > 0) high = bound;
  }
  return domainBetween(low, high);
}

/** Compares two bounds as `compareNumbers` does. Bounds may be infinite. */
export function compareBounds(left: Exact, right: Exact): number {
  return isInfinite(left) || isInfinite(right)
    ? Math.sign(toNumber(left) - toNumber(right)) || 0
    : compareNumbers(left, right);
}

function toNumber(value: Exact): number {
  return isInfinite(value) ? value : 0;
}

/** Calculates with bounds. The product of 0 and infinity is 0, because no value reaches an infinite bound. */
function operate(operator: '+' | '*', left: Exact, right: Exact): Exact {
  if (operator === '*' && (left === 0 || right === 0)) return 0;
  if (isInfinite(left) || isInfinite(right)) {
    if (operator === '+') return isInfinite(left) ? left : right;
    return compareBounds(left, 0) * compareBounds(right, 0) > 0 ? INFINITY : MINUS_INFINITY;
  }
  return wholeIfEqual(OPERATIONS[operator](left, right, FREE) as Exact);
}

function quotient(left: Exact, right: Exact): Exact {
  if (isInfinite(right)) return 0;
  if (isInfinite(left))
    return compareBounds(left, 0) * compareBounds(right, 0) > 0 ? INFINITY : MINUS_INFINITY;
  const result = Number(left) / Number(right);
  if (typeof left === 'number' && typeof right === 'number' && Number.isInteger(result)) return result + 0;
  return wholeIfEqual(OPERATIONS['/'](toFraction(left), right, FREE) as Exact);
}

function isInfinite(value: Exact): value is number {
  return value === INFINITY || value === MINUS_INFINITY;
}

function floorOf(value: Exact): ExactInteger {
  return value instanceof Fraction ? normalizeExactInteger(floorDivide(value.top, value.bottom)) : value;
}

function minusExact(value: Exact): Exact {
  return negateValue(value, START) as Exact;
}

/** Turns a fraction such as 6/2 into an integer. */
function wholeIfEqual(value: Exact): Exact {
  return value instanceof Fraction && value.top % value.bottom === 0n
    ? normalizeExactInteger(value.top / value.bottom)
    : value;
}

function plus(left: ExactInteger, right: ExactInteger): ExactInteger {
  return calculateExactly('+', left, right)!;
}

function minus(left: ExactInteger, right: ExactInteger): ExactInteger {
  return calculateExactly('-', left, right)!;
}

function times(left: ExactInteger, right: ExactInteger): ExactInteger {
  return calculateExactly('*', left, right)!;
}

function divide(left: ExactInteger, right: ExactInteger): ExactInteger {
  return calculateExactly('/', left, right)!;
}

/** Returns the remainder of the value that is not negative; the value itself if the step is 0. */
function modulo(value: ExactInteger, step: ExactInteger): ExactInteger {
  if (step === 0) return value;
  const remainder = calculateExactly('%', value, step)!;
  return remainder < 0 ? plus(remainder, step) : remainder;
}

/** The greatest common divisor, not negative. */
function commonDivisor(one: ExactInteger, other: ExactInteger): ExactInteger {
  let [a, b] = [one, other];
  while (b !== 0) [a, b] = [b, calculateExactly('%', a, b)!];
  return a < 0 ? minus(0, a) : a;
}

/** Returns the inverse of the value modulo `step`. The value and `step` have no common divisor. */
function inverse(value: ExactInteger, step: ExactInteger): ExactInteger {
  let [a, b, x, y]: ExactInteger[] = [modulo(value, step), step, 1, 0];
  while (b !== 0) {
    const whole = divide(a, b);
    [a, b, x, y] = [b, minus(a, times(whole, b)), y, minus(x, times(whole, y))];
  }
  return modulo(x, step);
}

/** Returns the values of the domain in order, if all divide a known number that is small enough; null otherwise. */
export function valuesOfSmallDomain(domain: NumberDomain): number[] | null {
  const divisors = domain.divides === null ? null : divisorsOf(domain.divides);
  return divisors?.filter((value) => meetDomains(domainOfValue(value), domain) !== null) ?? null;
}

/** The divisors of larger numbers are not calculated, because that takes longer than trying values. */
const MAX_DIVIDED = 10 ** 12;
let lastDivisors: { readonly of: number; readonly divisors: readonly number[] } = {
  of: 1,
  divisors: [-1, 1],
};

/** Returns all divisors in order, positive and negative ones; null if the number is too large. */
function divisorsOf(value: ExactInteger): readonly number[] | null {
  const size = Math.abs(Number(value));
  if (size > MAX_DIVIDED) return null;
  if (lastDivisors.of === size) return lastDivisors.divisors;
  const divisors = new Set<number>();
  for (let divisor = 1; divisor * divisor <= size; divisor++)
    if (size % divisor === 0) for (const one of [divisor, size / divisor]) divisors.add(one).add(-one);
  lastDivisors = { of: size, divisors: [...divisors].sort((a, b) => a - b) };
  return lastDivisors.divisors;
}
