/**
 * Compares two answers token by token. Blanks do not matter. If a tolerance is given, decimal numbers may differ by that
 * much, as an absolute or a relative difference.
 */
import { encodeUtf8, isBlank, latin1, quoteToken, skipBlanks, tokenEnd } from '../../core/bytes.js';

interface AnswerDifference {
  /** What differs, as a sentence without a period: `expected "1", got "2"`. */
  readonly reason: string;
  /** Index in the bytes of `got` of the first token that differs; their length if tokens are missing. */
  readonly offset: number;
  /** Number of equal tokens before the difference. */
  readonly tokens: number;
}

/** A token that is no number is recognised in linear time: no digit can belong to two parts of the pattern. */
const DECIMAL_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** A value of floating-point numbers that has no digits. Programs print it in many ways: `inf`, `Infinity`, `NaN`, `-nan`. */
const SPECIAL_NUMBER = /^([+-]?)(?:(nan)|inf(?:inity)?)$/i;
const END_OF_ANSWER = 'the end of the answer';

/**
 * Returns the first difference between two answers, or null if they are equal. Two tokens that are decimal numbers are
 * equal if their absolute or their relative difference is at most `tolerance`. Two ways to write infinity with the same sign
 * are equal, and two ways to write NaN. All other tokens must be the same. If `tolerance` is null or 0, all tokens must be the
 * same. Strings are compared as UTF-8.
 */
export function equalWithin(
  expected: Uint8Array | string,
  got: Uint8Array | string,
  tolerance: number | null,
): AnswerDifference | null {
  const wanted = bytesOf(expected);
  const given = bytesOf(got);
  let wantedAt = 0;
  let givenAt = 0;
  for (let tokens = 0; ; tokens++) {
    wantedAt = skipBlanks(wanted, wantedAt, wanted.length);
    givenAt = skipBlanks(given, givenAt, given.length);
    const wantedEnd = tokenEnd(wanted, wantedAt, wanted.length);
    const givenEnd = tokenEnd(given, givenAt, given.length);
    const isSame =
      haveSameBytes(wanted, wantedAt, wantedEnd, given, givenAt, givenEnd) ||
      isClose(latin1(wanted, wantedAt, wantedEnd), latin1(given, givenAt, givenEnd), tolerance ?? 0);
    if (!isSame) {
      const reason = `expected ${describeToken(wanted, wantedAt)}, got ${describeToken(given, givenAt)}`;
      return { reason, offset: givenAt, tokens };
    }
    if (wantedEnd === wanted.length && givenEnd === given.length) return null;
    wantedAt = wantedEnd;
    givenAt = givenEnd;
  }
}

function bytesOf(text: Uint8Array | string): Uint8Array {
  return typeof text === 'string' ? encodeUtf8(text) : text;
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

/** Whether both tokens are numbers that are equal within `tolerance`. */
function isClose(expected: string, got: string, tolerance: number): boolean {
  if (!(tolerance > 0)) return false;
  if (!DECIMAL_NUMBER.test(expected) || !DECIMAL_NUMBER.test(got)) return isSameSpecial(expected, got);
  const difference = Math.abs(Number(expected) - Number(got));
  // A number that is too large for a double has no difference to another number. Only the same token is equal to it.
  if (!Number.isFinite(difference)) return false;
  return difference <= tolerance || difference <= tolerance * Math.abs(Number(expected));
}

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

function describeToken(bytes: Uint8Array, at: number): string {
  return at < bytes.length && !isBlank(bytes[at]) ? quoteToken(bytes, at, bytes.length) : END_OF_ANSWER;
}
