/** Reads numbers from the bytes of tokens, and prints numbers. */
import { decodeLatin1, isDigit, parseCount } from '../../core/bytes.js';
import { MAX_NUMBER_BYTES, MAX_SHORT_TOKEN_BYTES } from './cursor.js';

export const MINUS_BYTE = 0x2d;
export const ZERO_BYTE = 0x30;
/** Integers of at most this many digits are exact as JavaScript numbers. */
export const MAX_EXACT_DIGITS = 15;
const POINT = 0x2e;
const SMALL_E = 0x65;
const LARGE_E = 0x45;

/**
 * Returns the integer that is written in bytes[from, to): an optional `-`, then digits. Returns NaN if the bytes are not an
 * integer, and an infinite value if the integer is not a safe integer.
 */
export function parseInteger(bytes: Uint8Array, from: number, to: number): number {
  const isNegative = bytes[from] === MINUS_BYTE;
  let at = isNegative ? from + 1 : from;
  if (at >= to) return Number.NaN;
  let value = 0;
  for (; at < to; at++) {
    const digit = bytes[at] - ZERO_BYTE;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  if (value > Number.MAX_SAFE_INTEGER) value = Number.POSITIVE_INFINITY;
  return isNegative ? 0 - value : value;
}

/**
 * Returns the count that is written in bytes[from, to): digits only, at most MAX_SHORT_TOKEN_BYTES of them. Returns NaN if the
 * bytes are not such a count, and Infinity if the count is not a safe integer.
 */
export function parseShortCount(bytes: Uint8Array, from: number, to: number): number {
  const count = to - from > MAX_SHORT_TOKEN_BYTES ? -1 : parseCount(bytes, from, to);
  return count < 0 ? Number.NaN : count;
}

/**
 * Returns the integer that is written in bytes[from, to), or null if the bytes are not an integer of at most `maxBytes` bytes.
 */
export function parseBigInteger(
  bytes: Uint8Array,
  from: number,
  to: number,
  maxBytes = MAX_NUMBER_BYTES,
): bigint | null {
  const value = parseInteger(bytes, from, to);
  if (Number.isSafeInteger(value)) return BigInt(value);
  return Number.isNaN(value) || to - from > maxBytes ? null : BigInt(decodeLatin1(bytes, from, to));
}

/**
 * Returns the decimal number that is written in bytes[from, to), such as `-1.5e3`. Returns NaN if the bytes are not a number,
 * and an infinite value if the number is too large for JavaScript. A number of many digits, or with an exponent, may have at
 * most `maxBytes` bytes.
 */
export function parseNumber(
  bytes: Uint8Array,
  from: number,
  to: number,
  maxBytes = MAX_NUMBER_BYTES,
): number {
  let at = bytes[from] === MINUS_BYTE ? from + 1 : from;
  let value = 0;
  let digits = 0;
  let decimals = 0;
  for (; at < to && isDigit(bytes[at]); at++, digits++) value = value * 10 + (bytes[at] - ZERO_BYTE);
  if (at < to && bytes[at] === POINT) {
    for (at++; at < to && isDigit(bytes[at]); at++, decimals++) value = value * 10 + (bytes[at] - ZERO_BYTE);
  }
  if (digits + decimals === 0) return Number.NaN;
  // A division of two exact numbers is rounded only once, so the quotient is the JavaScript number nearest to the decimal one.
  if (at === to && value <= Number.MAX_SAFE_INTEGER && decimals < POWERS_OF_TEN.length) {
    const size = value / POWERS_OF_TEN[decimals];
    return bytes[from] === MINUS_BYTE ? 0 - size : size;
  }
  if (at < to && !isExponent(bytes, at, to)) return Number.NaN;
  return to - from > maxBytes ? Number.NaN : Number(decodeLatin1(bytes, from, to)) + 0;
}

/** The powers of ten that a JavaScript number holds exactly: 10^0 to 10^22. */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

function isExponent(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] !== SMALL_E && bytes[from] !== LARGE_E) return false;
  const hasSign = bytes[from + 1] === MINUS_BYTE || bytes[from + 1] === 0x2b;
  let at = hasSign ? from + 2 : from + 1;
  const firstDigit = at;
  while (at < to && isDigit(bytes[at])) at++;
  return at === to && at > firstDigit;
}

/** Returns the number of digits after the decimal point in bytes[from, to). */
export function countDecimals(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== POINT) at++;
  const first = at + 1;
  for (at++; at < to && isDigit(bytes[at]); ) at++;
  return Math.max(0, at - first);
}

/** Prints a number without an exponent, in the shortest way that reads back as the same number. */
export function printNumber(value: number): string {
  const text = String(value + 0);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign, first, rest = '', exponent] = match;
  const digits = first + rest;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
