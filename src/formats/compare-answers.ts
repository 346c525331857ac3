/**
 * Compares two answers token by token. Blanks do not matter. If a tolerance is given, decimal numbers may differ by that
 * much, as an absolute or a relative difference.
 */
import { encodeUtf8, isBlank, latin1, quoteToken, skipBlanks, tokenEnd } from '../core/bytes.js';

export interface AnswerDifference {
  /** What differs, as a sentence without a period: `expected "1", got "2"`. */
  readonly reason: string;
  /** Index in the bytes of `got` of the first token that differs; their length if tokens are missing. */
  readonly offset: number;
  /** Number of equal tokens before the difference. */
  readonly tokens: number;
}

const DECIMAL_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const END_OF_ANSWER = 'the end of the answer';

/**
 * Returns the first difference between two answers, or null if they are equal. Two tokens that are decimal numbers are
 * equal if their absolute or their relative difference is at most `tolerance`; all other tokens must be the same. If
 * `tolerance` is null or 0, all tokens must be the same. Strings are compared as UTF-8.
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

/** Whether both tokens are decimal numbers whose absolute or relative difference is at most `tolerance`. */
function isClose(expected: string, got: string, tolerance: number): boolean {
  if (!(tolerance > 0) || !DECIMAL_NUMBER.test(expected) || !DECIMAL_NUMBER.test(got)) return false;
  const difference = Math.abs(Number(expected) - Number(got));
  return difference <= tolerance || difference <= tolerance * Math.abs(Number(expected));
}

function describeToken(bytes: Uint8Array, at: number): string {
  return at < bytes.length && !isBlank(bytes[at]) ? quoteToken(bytes, at, bytes.length) : END_OF_ANSWER;
}
