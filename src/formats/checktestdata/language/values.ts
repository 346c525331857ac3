/**
 * The values of a grammar's variables: integers of any size, fractions and strings. An integer is a JavaScript number
 * while that is exact, else a bigint. A float is an exact fraction; where checktestdata rounds (to 256 bits or more), the
 * fraction is exact up to 8,192 bits and is rounded to 4,096 bits beyond.
 */
import { quoteLatin1 } from '../../../core/bytes.js';
import { shorten } from '../../../core/printable.js';
import {
  BIGINT_OPERATIONS,
  bitLength,
  COMPARISONS,
  type Comparison,
  normalizeExactInteger,
  type Operator,
  powerBits,
  SAFE_OPERATIONS,
} from '../../language/exact.js';
import type { GrammarPlace } from './syntax.js';

export type GrammarValue = number | bigint | string | Fraction;

/** A fraction, `top / bottom`, which may not be reduced. `bottom` is positive. */
export class Fraction {
  constructor(
    readonly top: bigint,
    readonly bottom: bigint,
  ) {}
}

/** An error of a grammar while it runs, such as a division by zero. */
export class RuntimeFailure extends Error {
  constructor(
    readonly at: GrammarPlace,
    readonly expected: string,
    readonly got: string,
  ) {
    super(`expected ${expected}, got ${got}`);
  }
}

/** Adds to the count of the work done. Throws an error if the work is too much. */
export type AddSteps = (cost: number) => void;

/** The largest number of characters of a number or an index in a message. */
const MAX_SHOWN_CHARACTERS = 40;
/** An integer of as many bits has at most MAX_NUMBER_DIGITS digits. */
const MAX_INTEGER_BITS = 332_192;
const INTEGER_LIMIT = 1n << BigInt(MAX_INTEGER_BITS);
const SMALL_LIMIT = 1n << 1024n;
/** The largest number of digits of a number in a grammar or in an input. Larger numbers would take too long. */
export const MAX_NUMBER_DIGITS = 100_000;
/** Larger exponents are treated like this one, because the bounds in grammars are much smaller. */
const MAX_EXPONENT = 10_000;
const MAX_FRACTION_BITS = 8192;
const ROUNDED_BITS = 4096;
const REDUCED_BITS = 2048;
/** The largest exponent that checktestdata accepts: the largest unsigned long. */
const MAX_POWER = 2n ** 64n - 1n;

export function parseInteger(digits: string): number | bigint {
  return digits.length <= 15 ? Number(digits) : normalizeExactInteger(BigInt(digits));
}

/** Parses a number such as -1.5e3. The caller has checked that the text is a number. */
export function parseFraction(text: string): Fraction {
  const [mantissa, exponentText = '0'] = text.split(/[eE]/);
  const [whole, decimals = ''] = mantissa.split('.');
  const exponent = Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, Number(exponentText))) - decimals.length;
  const top = BigInt(whole.replace('-', '') + decimals);
  const signed = text.startsWith('-') ? -top : top;
  return exponent >= 0
    ? new Fraction(signed * 10n ** BigInt(exponent), 1n)
    : new Fraction(signed, 10n ** BigInt(-exponent));
}

export function isInteger(value: GrammarValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

export function toFraction(value: number | bigint | Fraction): Fraction {
  return value instanceof Fraction ? value : new Fraction(BigInt(value), 1n);
}

/** Returns the quotient, rounded down. */
export function floorDivide(top: bigint, bottom: bigint): bigint {
  const quotient = top / bottom;
  return top < 0n && quotient * bottom !== top ? quotient - 1n : quotient;
}

/** Returns a text or a number that is the same for equal values and different for different values. */
export function keyOfValue(value: GrammarValue): string | number {
  if (typeof value === 'string') return `"${value}`;
  if (!(value instanceof Fraction)) return typeof value === 'number' ? value : value.toString();
  const { top, bottom } = reduce(value);
  return bottom === 1n ? keyOfValue(normalizeExactInteger(top)) : `${top}/${bottom}`;
}

/** Returns the value as messages show it. */
export function showGrammarValue(value: GrammarValue): string {
  if (typeof value === 'string') return quoteLatin1(value);
  const text = value instanceof Fraction ? showFraction(value) : value.toString();
  return shorten(text, MAX_SHOWN_CHARACTERS);
}

/** Returns the key of an array element as messages show it. */
export function showElementKey(key: string | number): string {
  return shorten(String(key), MAX_SHOWN_CHARACTERS);
}

function showFraction({ top, bottom }: Fraction): string {
  return top % bottom === 0n ? (top / bottom).toString() : String(Number(top) / Number(bottom));
}

/** Returns a negative number, 0 or a positive number as `left` is below, equal to or above `right`. */
export function compareNumbers(left: number | bigint | Fraction, right: number | bigint | Fraction): number {
  if (left instanceof Fraction || right instanceof Fraction) {
    const a = toFraction(left);
    const b = toFraction(right);
    const difference = a.top * b.bottom - b.top * a.bottom;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

export function evaluateComparison(
  operator: Comparison,
  left: GrammarValue,
  right: GrammarValue,
  at: GrammarPlace,
): boolean {
  return COMPARISONS[operator](compareValues(left, right, at), 0);
}

function compareValues(left: GrammarValue, right: GrammarValue, at: GrammarPlace): number {
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'string' || typeof right === 'string')
    throw new RuntimeFailure(at, 'two numbers or two strings to compare', 'one of each');
  return compareNumbers(left, right);
}

export function negateValue(value: GrammarValue, at: GrammarPlace): GrammarValue {
  if (typeof value === 'number') return value === 0 ? 0 : -value;
  if (typeof value === 'bigint') return normalizeExactInteger(-value);
  if (value instanceof Fraction) return new Fraction(-value.top, value.bottom);
  throw new RuntimeFailure(at, 'a number after -', 'a string');
}

/** Returns a function that applies an operator. `at` is the operator's place in the grammar, which error messages show. */
export function compileOperator(
  operator: Operator,
  at: GrammarPlace,
): (left: GrammarValue, right: GrammarValue, charge: AddSteps) => GrammarValue {
  const calculateSafely = SAFE_OPERATIONS[operator];
  return (left, right, charge) => {
    if (typeof left === 'number' && typeof right === 'number') {
      const result = calculateSafely(left, right);
      if (Number.isSafeInteger(result)) return result + 0;
    }
    return calculate(operator, left, right, at, charge);
  };
}

function calculate(
  operator: Operator,
  left: GrammarValue,
  right: GrammarValue,
  at: GrammarPlace,
  charge: AddSteps,
): GrammarValue {
  if (typeof left === 'string' || typeof right === 'string')
    throw new RuntimeFailure(at, `numbers around ${operator}`, `a string`);
  if (operator === '^') return power(left, right, at, charge);
  if (isInteger(left) && isInteger(right))
    return calculateIntegers(operator, BigInt(left), BigInt(right), at, charge);
  return calculateFractions(operator, toFraction(left), toFraction(right), at, charge);
}

function calculateIntegers(
  operator: Exclude<Operator, '^'>,
  left: bigint,
  right: bigint,
  at: GrammarPlace,
  charge: AddSteps,
): GrammarValue {
  chargeSize(left, right, charge);
  if (right === 0n && (operator === '/' || operator === '%'))
    throw new RuntimeFailure(at, `a number other than 0 after ${operator}`, '0');
  return limited(BIGINT_OPERATIONS[operator](left, right), at);
}

/** Returns the work of going through a value once, as a comparison does, in steps. */
export function stepsToTraverse(value: GrammarValue): number {
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return value.length >> 6;
  if (typeof value === 'bigint') return wordsOf(value);
  // Fractions are multiplied to compare them.
  return productCost(wordsOf(value.top) + wordsOf(value.bottom));
}

/** Returns the work of `keyOfValue`, in steps. */
export function stepsToHash(value: GrammarValue): number {
  if (typeof value === 'string') return value.length >> 2;
  if (typeof value === 'bigint') return productCost(wordsOf(value));
  return value instanceof Fraction ? stepsToTraverse(value) + wordsOf(value.bottom) * 64 : 0;
}

/** The size of a large number; 0 for others. */
function wordsOf(value: bigint): number {
  return isSmall(value) ? 0 : bitLength(value) / 64;
}

/** The work of operations that take about as long as a multiplication, such as powers and decimal digits. */
function productCost(words: number): number {
  return Math.ceil(words * Math.sqrt(words));
}

/** Charges for operations on large numbers as many steps as for simple commands that take the same time. */
function chargeSize(left: bigint, right: bigint, charge: AddSteps): void {
  if (isSmall(left) && isSmall(right)) return;
  charge(productCost((bitLength(left) + bitLength(right)) / 64));
}

function isSmall(value: bigint): boolean {
  return value < SMALL_LIMIT && -value < SMALL_LIMIT;
}

function limited(value: bigint, at: GrammarPlace): number | bigint {
  if (value >= INTEGER_LIMIT || -value >= INTEGER_LIMIT) throw tooLarge(at);
  return normalizeExactInteger(value);
}

function tooLarge(at: GrammarPlace): RuntimeFailure {
  return new RuntimeFailure(at, `numbers of at most ${MAX_NUMBER_DIGITS} digits`, `a larger one`);
}

function calculateFractions(
  operator: Exclude<Operator, '^'>,
  left: Fraction,
  right: Fraction,
  at: GrammarPlace,
  charge: AddSteps,
): GrammarValue {
  chargeSize(left.top * right.bottom, right.top * left.bottom, charge);
  switch (operator) {
    case '+':
      return addFractions(left, right, charge);
    case '-':
      return addFractions(left, new Fraction(-right.top, right.bottom), charge);
    case '*':
      return simplify(new Fraction(left.top * right.top, left.bottom * right.bottom), charge);
    case '%':
      throw new RuntimeFailure(at, 'integers around %', 'a float');
    case '/':
      if (right.top === 0n) throw new RuntimeFailure(at, 'a number other than 0 after /', '0');
      return right.top > 0n
        ? simplify(new Fraction(left.top * right.bottom, left.bottom * right.top), charge)
        : simplify(new Fraction(-left.top * right.bottom, -left.bottom * right.top), charge);
  }
}

function addFractions(left: Fraction, right: Fraction, charge: AddSteps): Fraction {
  if (left.bottom === right.bottom) return simplify(new Fraction(left.top + right.top, left.bottom), charge);
  const top = left.top * right.bottom + right.top * left.bottom;
  return simplify(new Fraction(top, left.bottom * right.bottom), charge);
}

/** Reduces a fraction whose numbers have become large. If they are still large, the fraction is rounded. */
function simplify(fraction: Fraction, charge: AddSteps): Fraction {
  if (isSmall(fraction.bottom) && isSmall(fraction.top)) return fraction;
  const bits = bitLength(fraction.bottom);
  if (bits <= REDUCED_BITS) return fraction;
  charge(Math.min(bits, MAX_FRACTION_BITS * 2) * 2);
  const reduced = bits <= MAX_FRACTION_BITS * 2 ? reduce(fraction) : fraction;
  const excess = bitLength(reduced.bottom) - MAX_FRACTION_BITS;
  if (excess <= 0) return reduced;
  const shift = BigInt(ROUNDED_BITS);
  return new Fraction((reduced.top << shift) / reduced.bottom, 1n << shift);
}

function reduce({ top, bottom }: Fraction): Fraction {
  let [a, b] = [top < 0n ? -top : top, bottom];
  while (b > 0n) [a, b] = [b, a % b];
  return a === 1n ? new Fraction(top, bottom) : new Fraction(top / a, bottom / a);
}

function power(
  base: number | bigint | Fraction,
  exponent: number | bigint | Fraction,
  at: GrammarPlace,
  charge: AddSteps,
): GrammarValue {
  if (!isInteger(exponent)) throw new RuntimeFailure(at, 'an integer after ^', 'a float');
  if (exponent < 0 || exponent > MAX_POWER)
    throw new RuntimeFailure(at, `an exponent from 0 to 2^64 - 1`, showGrammarValue(exponent));
  if (isInteger(base)) return integerPower(BigInt(base), BigInt(exponent), at, charge);
  const top = BigInt(integerPower(base.top, BigInt(exponent), at, charge));
  return simplify(new Fraction(top, BigInt(integerPower(base.bottom, BigInt(exponent), at, charge))), charge);
}

function integerPower(base: bigint, exponent: bigint, at: GrammarPlace, charge: AddSteps): number | bigint {
  const bits = powerBits(base, exponent);
  // `powerBits` may return up to twice the real number of bits, so this bound is generous. `limited` checks the exact number.
  if (bits > MAX_INTEGER_BITS * 2) throw tooLarge(at);
  charge(productCost(Number(bits) / 2 / 64));
  return limited(BIGINT_OPERATIONS['^'](base, exponent), at);
}
