/**
 * Domains may have values that are impossible, but they have all that are possible: what is calculated with domains is compared
 * with what is calculated with each of their values.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ANY_VALUE_DOMAIN,
  cofactorDomain,
  containsDomain,
  dividendsWithRemainder,
  domainAbove,
  domainBelow,
  domainOfValue,
  domainWithoutValue,
  joinDomains,
  meetDomains,
  type NumberDomain,
  negatedDomain,
  productDomain,
  remainderDomain,
  sumDomain,
  type ValueDomain,
  valuesOfSmallDomain,
} from '../../../src/formats/checktestdata/cases/domain.js';
import { Fraction } from '../../../src/formats/checktestdata/language/values.js';
import { runs } from '../../support/random-tests.js';

const RANGE = 24;
const NUMBERS = Array.from({ length: 2 * RANGE + 1 }, (_, index) => index - RANGE);

/** The bounds of quotients may be fractions. */
const toNumber = (bound: NumberDomain['low']): number =>
  bound instanceof Fraction ? Number(bound.top) / Number(bound.bottom) : Number(bound);

function has(domain: ValueDomain | null, value: number | string): boolean {
  if (domain === null) return false;
  if (typeof domain === 'string') return domain === value;
  const { low, high, step, rest, divides } = domain;
  const isAnything = step === null && low === Number.NEGATIVE_INFINITY && high === Number.POSITIVE_INFINITY;
  if (typeof value === 'string') return isAnything;
  const isInClass =
    step === null || (step === 0 ? value === Number(rest) : (value - Number(rest)) % Number(step) === 0);
  const doesDivide = divides === null || (value !== 0 && Number(divides) % value === 0);
  return toNumber(low) <= value && value <= toNumber(high) && isInClass && doesDivide;
}

const valuesIn = (domain: ValueDomain) => NUMBERS.filter((value) => has(domain, value));

/** Domains of whole numbers from -24 to 24, each with at least one value. */
const domains = fc
  .tuple(fc.constantFrom(...NUMBERS), fc.constantFrom(...NUMBERS), fc.integer({ min: 1, max: 5 }))
  .map(([from, to, step]): NumberDomain => {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    if (low === high) return domainOfValue(low) as NumberDomain;
    const rest = ((low % step) + step) % step;
    const last = high - ((high - low) % step);
    return last === low
      ? (domainOfValue(low) as NumberDomain)
      : { low, high: last, step, rest, divides: null };
  });
const intervals = domains.map(({ low, high }): NumberDomain => ({ ...ANY_VALUE_DOMAIN, low, high }));
const numbers = fc.oneof({ weight: 3, arbitrary: domains }, intervals, fc.constant(ANY_VALUE_DOMAIN));
const anyDomain = fc.oneof({ weight: 4, arbitrary: numbers }, fc.constantFrom('a', 'b'));

const forAll = <T extends unknown[]>(
  arbitraries: { [I in keyof T]: fc.Arbitrary<T[I]> },
  check: (...args: T) => void,
) => fc.assert(fc.property(...(arbitraries as [fc.Arbitrary<T[0]>]), check as never), { numRuns: runs(300) });

/** `expect` takes about 15 us even if it compares two numbers, and these tests compare millions. */
function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

const VALUES: readonly (number | string)[] = [...NUMBERS, 'a', 'b', 'c'];

describe('sets', () => {
  test('a value is in the join of two domains if it is in one of them', () => {
    forAll([anyDomain, anyDomain], (one, other) => {
      const joined = joinDomains(one, other);
      for (const value of VALUES)
        if (has(one, value) || has(other, value)) expectEqual([value, has(joined, value)], [value, true]);
    });
  });

  test('a value is in the meet of two domains if and only if it is in both', () => {
    forAll([anyDomain, anyDomain], (one, other) => {
      const met = meetDomains(one, other);
      for (const value of VALUES)
        expectEqual([value, has(met, value)], [value, has(one, value) && has(other, value)]);
    });
  });

  test('a domain that contains another one has all of its values', () => {
    forAll([anyDomain, anyDomain], (one, other) => {
      expect(containsDomain(one, one)).toBe(true);
      if (containsDomain(one, other))
        for (const value of VALUES) if (has(other, value)) expectEqual(has(one, value), true);
    });
  });

  test('without a value, all other values are left', () => {
    forAll([anyDomain, fc.constantFrom(...VALUES)], (domain, excluded) => {
      const left = domainWithoutValue(domain, domainOfValue(excluded));
      for (const value of VALUES)
        if (has(domain, value) && value !== excluded) expectEqual(has(left, value), true);
      if (valuesIn(domain).join() === `${excluded}` && domain !== ANY_VALUE_DOMAIN)
        expect(has(left, excluded)).toBe(false);
    });
  });

  test('the values of a domain whose values divide a number are known', () => {
    forAll([domains, fc.integer({ min: 1, max: RANGE })], (domain, divides) => {
      const divisors = { ...domain, divides };
      expect(valuesOfSmallDomain(divisors)).toEqual(valuesIn(divisors));
    });
    expect(valuesOfSmallDomain({ ...ANY_VALUE_DOMAIN, divides: 10 ** 13 })).toBeNull();
    expect(valuesOfSmallDomain(ANY_VALUE_DOMAIN)).toBeNull();
  });
});

describe('calculations', () => {
  test.each<
    [string, (one: NumberDomain, other: NumberDomain) => NumberDomain, (a: number, b: number) => number]
  >([
    ['sum', sumDomain, (a, b) => a + b],
    ['product', productDomain, (a, b) => a * b],
    ['remainder', remainderDomain, (a, b) => (b === 0 ? 0 : a % b)],
    ['negation', negatedDomain, (a) => 0 - a],
  ])('the %s of two values is in that of their domains', (_, ofDomains, ofValues) => {
    forAll([numbers, numbers], (one, other) => {
      const result = ofDomains(one, other);
      const others = valuesIn(other).filter((b) => b !== 0 || ofDomains !== remainderDomain);
      const pairs = valuesIn(one).flatMap((a) => others.map((b) => [a, b]));
      expect(pairs.filter(([a, b]) => !has(result, ofValues(a, b)))).toEqual([]);
    });
  });

  test('a bound narrows to the values on its side', () => {
    forAll([domains, fc.boolean()], (domain, isTight) => {
      const [values, least, most] = [NUMBERS, Number(domain.low), Number(domain.high)];
      for (const value of values) {
        expectEqual(has(domainBelow(domain, isTight), value), isTight ? value < most : value <= most);
        expectEqual(has(domainAbove(domain, isTight), value), isTight ? value > least : value >= least);
      }
    });
  });

  test('what leaves a remainder, and what is multiplied to a product, is found again', () => {
    forAll([domains, domains], (one, other) => {
      const [divisor] = valuesIn(other);
      const remainder = remainderDomain(one, domainOfValue(divisor) as NumberDomain);
      const found = dividendsWithRemainder(remainder, domainOfValue(divisor) as NumberDomain);
      if (divisor !== 0)
        for (const value of valuesIn(one)) expectEqual([value, has(found, value)], [value, true]);
      const product = productDomain(one, other);
      const factors = cofactorDomain(product, other, one);
      for (const value of valuesIn(one)) expectEqual([value, has(factors, value)], [value, true]);
    });
  });
});
