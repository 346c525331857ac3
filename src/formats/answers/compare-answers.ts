/**
 * Compares two answers token by token. The rules of the comparison say how far numbers may differ, whether upper-case and
 * lower-case letters are equal, and whether the whitespace between tokens matters.
 */
import { decodeLatin1, findTokenEnd, quoteToken, skipWhitespace } from '../../core/bytes.js';

/** The rules for comparing answers: when two tokens are equal, and whether the whitespace before them matters. */
export interface ComparisonRules {
  /**
   * The largest difference allowed between two decimal numbers, as an absolute value and as a fraction of the expected number.
   * Null if no difference is allowed.
   */
  readonly absoluteTolerance: number | null;
  readonly relativeTolerance: number | null;
  /** Whether all ways to write infinity with the same sign are equal to each other, and all ways to write NaN. */
  readonly knowsSpecialNumbers: boolean;
  readonly isCaseSensitive: boolean;
  readonly isSpaceSensitive: boolean;
}

/** The rules by which all tokens must be the same, and any whitespace may stand between them. */
export const SAME_TOKENS_RULES: ComparisonRules = {
  absoluteTolerance: null,
  relativeTolerance: null,
  knowsSpecialNumbers: false,
  isCaseSensitive: true,
  isSpaceSensitive: false,
};

/**
 * The rules by which numbers may differ by `tolerance`, absolutely or relative to the expected one. Other tokens must match.
 */
export function rulesWithTolerance(tolerance: number): ComparisonRules {
  if (!(tolerance > 0)) return SAME_TOKENS_RULES;
  return {
    ...SAME_TOKENS_RULES,
    absoluteTolerance: tolerance,
    relativeTolerance: tolerance,
    knowsSpecialNumbers: true,
  };
}

/** The first difference that was found between two answers. */
export interface TokenDifference {
  /** Whether the whitespace before the token differs. */
  readonly isInWhitespace: boolean;
  /** The token in quotes, as messages show it; null at the end of the answer. */
  readonly expected: string | null;
  readonly got: string | null;
  /** Index of the wrong token in the bytes of the answer that is checked; the length of those bytes if tokens are missing. */
  readonly offset: number;
  /** Number of equal tokens before the first difference. */
  readonly tokens: number;
}

/** Returns the first difference between two answers; null if the rules of the comparison make them equal. */
export function findTokenDifference(
  expected: Uint8Array,
  got: Uint8Array,
  rules: ComparisonRules,
): TokenDifference | null {
  let expectedEnd = 0;
  let gotEnd = 0;
  for (let tokens = 0; ; tokens++) {
    const expectedAt = skipWhitespace(expected, expectedEnd, expected.length);
    const gotAt = skipWhitespace(got, gotEnd, got.length);
    const isInWhitespace =
      rules.isSpaceSensitive && !haveSameBytes(expected, expectedEnd, expectedAt, got, gotEnd, gotAt);
    expectedEnd = findTokenEnd(expected, expectedAt, expected.length);
    gotEnd = findTokenEnd(got, gotAt, got.length);
    const isSame =
      haveSameBytes(expected, expectedAt, expectedEnd, got, gotAt, gotEnd) ||
      areEqual(decodeLatin1(expected, expectedAt, expectedEnd), decodeLatin1(got, gotAt, gotEnd), rules);
    if (isInWhitespace || !isSame) {
      const quotes = { expected: quoteAt(expected, expectedAt), got: quoteAt(got, gotAt) };
      return { ...quotes, isInWhitespace, offset: gotAt, tokens };
    }
    if (expectedAt === expected.length && gotAt === got.length) return null;
  }
}

function quoteAt(bytes: Uint8Array, at: number): string | null {
  return at < bytes.length ? quoteToken(bytes, at, bytes.length) : null;
}

function haveSameBytes(
  one: Uint8Array,
  oneStart: number,
  oneEnd: number,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
): boolean {
  if (oneEnd - oneStart !== otherEnd - otherStart) return false;
  for (let i = oneStart, j = otherStart; i < oneEnd; i++, j++) if (one[i] !== other[j]) return false;
  return true;
}

/** Whether two tokens whose bytes differ are equal by the rules of the comparison. */
function areEqual(expected: string, got: string, rules: ComparisonRules): boolean {
  return (
    areClose(expected, got, rules) ||
    (rules.knowsSpecialNumbers && isSameSpecial(expected, got)) ||
    (!rules.isCaseSensitive && lowerCase(expected) === lowerCase(got))
  );
}

/**
 * Whether the token is a number in decimal digits: a sign, digits with or without a fraction, and an exponent. The token may
 * have megabytes, for which a regular expression has once failed with "Maximum call stack size exceeded" on Node 20.
 */
export function isDecimalNumber(token: string): boolean {
  const start = isSign(token, 0) ? 1 : 0;
  const pointAt = skipDigits(token, start);
  const hasPoint = token[pointAt] === '.';
  const digitsEnd = hasPoint ? skipDigits(token, pointAt + 1) : pointAt;
  if (digitsEnd - start === (hasPoint ? 1 : 0)) return false;
  if (token[digitsEnd] !== 'e' && token[digitsEnd] !== 'E') return digitsEnd === token.length;
  const exponentAt = isSign(token, digitsEnd + 1) ? digitsEnd + 2 : digitsEnd + 1;
  const end = skipDigits(token, exponentAt);
  return end > exponentAt && end === token.length;
}

function isSign(token: string, at: number): boolean {
  return token[at] === '+' || token[at] === '-';
}

/** Returns the index of the first character from `at` on that is no digit. */
function skipDigits(token: string, at: number): number {
  let end = at;
  while (end < token.length && token[end] >= '0' && token[end] <= '9') end++;
  return end;
}

/** Whether both tokens are decimal numbers that differ by no more than the rules allow. */
function areClose(
  expected: string,
  got: string,
  { absoluteTolerance, relativeTolerance }: ComparisonRules,
): boolean {
  if (absoluteTolerance === null && relativeTolerance === null) return false;
  if (!isDecimalNumber(expected) || !isDecimalNumber(got)) return false;
  const difference = Math.abs(Number(expected) - Number(got));
  // A number too large for a double cannot be subtracted. Only the same token is equal to such a number.
  if (!Number.isFinite(difference)) return false;
  return (
    (absoluteTolerance !== null && difference <= absoluteTolerance) ||
    (relativeTolerance !== null && difference <= relativeTolerance * Math.abs(Number(expected)))
  );
}

/** Matches infinity and NaN, which programs print in many ways: `inf`, `Infinity`, `NaN`, `-nan`. */
const SPECIAL_NUMBER = /^([+-]?)(?:(nan)|inf(?:inity)?)$/i;

/** Whether both tokens mean infinity with the same sign, or both mean NaN. */
function isSameSpecial(expected: string, got: string): boolean {
  const meaning = specialNumber(expected);
  return meaning !== null && meaning === specialNumber(got);
}

function specialNumber(token: string): string | null {
  const match = SPECIAL_NUMBER.exec(token);
  if (match === null) return null;
  if (match[2] !== undefined) return 'nan';
  return match[1] === '-' ? '-inf' : 'inf';
}

/** Replaces the upper-case letters of ASCII by lower-case ones. */
function lowerCase(token: string): string {
  return token.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
