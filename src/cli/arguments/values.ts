/** Parses the values of options. If a value is wrong, a usage error names the option. */
import { availableParallelism } from 'node:os';
import { pluralize } from '../../core/errors.js';
import { formatCount } from '../../core/format-count.js';
import type { Range } from '../../core/range.js';
import { MAX_TIMEOUT_SECONDS, MIN_TIMEOUT_SECONDS } from '../../engine/limits.js';
import type { ParseOptionText } from './option.js';
import { usageError } from './usage-error.js';

/** Returns the text. Fails if it is empty; the message says that `wanted`, such as "a file", is missing. */
export function assertGiven(text: string, option: string, wanted: string): string {
  if (text === '') throw usageError(`${option} needs ${wanted}`);
  return text;
}

/** Parses any text that is not empty. */
export function parseAnyText(wanted: string): ParseOptionText<string> {
  return (text, option) => assertGiven(text, option, wanted);
}

/** Parses the ending of file names, such as `.ans`. */
export function parseFileEnding(text: string, option: string): string {
  if (text !== '' && !text.includes('/')) return text;
  throw usageError(`${option} needs an ending such as .ans${text === '' ? '' : `, got "${text}"`}`);
}

/** Parses the path of a folder to write to. */
export function parseOutputFolder(text: string, option: string): string {
  if (text === '-') throw usageError(`${option} needs a folder; one that is named - is typed ./-`);
  return assertGiven(text, option, 'a folder');
}

/** Parses the path of a file to write. Standard output is always returned as `-`. */
export function parseOutputPath(text: string, option: string): string {
  const path = assertGiven(text, option, 'a file');
  return path === '/dev/stdout' ? '-' : path;
}

/** Parses a list of values with commas between them. A value that occurs twice is returned once. */
export function parseListOf<Value>(parse: ParseOptionText<Value>): ParseOptionText<Value[]> {
  return (text, option) => {
    const words = assertGiven(text, option, 'a value').split(',');
    return [...new Set(words.map((word) => parse(word.trim(), option)))];
  };
}

/** Parses a whole number of at least `min`. It may be written with an exponent: `1e6` is a million. */
export function parserOfCountsFrom(min: number): ParseOptionText<number> {
  return (text, option) => {
    const count = parseWholeNumber(assertGiven(text, option, 'a number'));
    if (count !== null && count >= min) return count;
    throw usageError(`${option} needs a whole number of at least ${min}, got "${text}"`);
  };
}

/** Parses a whole number such as `250`, `1e6` or `2.5e6`. Returns null if the text is not an exact whole number. */
function parseWholeNumber(text: string): number | null {
  const number = /^\d+(?:\.\d+)?(?:e\+?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) && !/^\d+\.\d+$/.test(text) ? number : null;
}

/** The largest number of digits that `parseBigCount` accepts. It limits the memory for a jump to the case with this number. */
export const MAX_COUNT_DIGITS = 2000;

/** Parses a whole number such as `250` or `1e30`. Returns null if the text is not a whole number, or has too many digits. */
export function parseBigCount(text: string): bigint | null {
  const match = /^(\d+)(?:e\+?(\d{1,4}))?$/i.exec(text);
  if (match === null) {
    const number = parseWholeNumber(text);
    return number === null ? null : BigInt(number);
  }
  const [, digits, exponent = '0'] = match;
  if (digits.length + Number(exponent) > MAX_COUNT_DIGITS) return null;
  return BigInt(digits) * 10n ** BigInt(exponent);
}

/** Parses an inclusive range of whole numbers from 1: `A..B` or `A-B`. A single number `A` means the range `A..A`. */
export function parseRange(text: string, option: string): Range {
  const words = assertGiven(text, option, 'a range').split(/\.\.|-/);
  const [from, to = from, ...more] = words.map(parseWholeNumber);
  if (from !== null && to !== null && more.length === 0 && from >= 1 && from <= to) return { from, to };
  throw usageError(`${option} needs a range such as 2..8 or one number, of at least 1, got "${text}"`);
}

/** Parses a number from 0 to 1. */
export function parseShare(text: string, option: string): number {
  const share = /^\d*\.?\d+$/.test(assertGiven(text, option, 'a share')) ? Number(text) : Number.NaN;
  if (share <= 1) return share;
  throw usageError(`${option} needs a share from 0 to 1, got "${text}"`);
}

/** Parses a share above 0 such as `3%` or `0.5%`, and returns it as a number up to 1. */
export function parsePercentage(text: string, option: string): number {
  const percentage = /^\d*\.?\d+%$/.test(assertGiven(text, option, 'a percentage'))
    ? Number(text.slice(0, -1))
    : Number.NaN;
  if (percentage > 0 && percentage <= 100) return percentage / 100;
  throw usageError(
    `${option} needs a percentage with its sign, above 0 and up to 100, such as 3% or 0.5%, got "${text}"`,
  );
}

/** The length of each unit of time, in seconds. A number without a unit means seconds. */
const SECONDS_PER_UNIT: Record<string, number> = { '': 1, ms: 1e-3, s: 1, m: 60, min: 60, h: 3600 };

/** Parses a time such as `5`, `5s`, `0.5`, `500ms`, `2m` or `1h`, and returns it in seconds. */
export function parseSeconds(text: string, option: string): number {
  const match = /^(\d*\.?\d+(?:e[+-]?\d+)?)(ms|s|min|m|h|)$/i.exec(
    assertGiven(text, option, 'a number of seconds'),
  );
  const seconds = match === null ? Number.NaN : Number(match[1]) * SECONDS_PER_UNIT[match[2].toLowerCase()];
  if (seconds >= MIN_TIMEOUT_SECONDS && seconds <= MAX_TIMEOUT_SECONDS) return seconds;
  const range = `${MIN_TIMEOUT_SECONDS} to ${formatCount(MAX_TIMEOUT_SECONDS)} seconds`;
  throw usageError(`${option} needs a time from ${range}, such as 5 or 500ms, got "${text}"`);
}

/** The number of bytes in each unit of size. */
const BYTES_PER_UNIT: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** Parses a size of at most `max` bytes, such as `65536`, `64K`, `4M` or `1.5MiB`, and returns it in bytes. */
export function parseSizeUpTo(max: number): ParseOptionText<number> {
  return (text, option) => {
    const match = /^(\d+(?:\.\d+)?)([KMG]?)(?:i?B)?$/i.exec(assertGiven(text, option, 'a size'));
    const bytes = match === null ? Number.NaN : Number(match[1]) * BYTES_PER_UNIT[match[2].toUpperCase()];
    if (Number.isInteger(bytes) && bytes >= 1 && bytes <= max) return bytes;
    throw usageError(`${option} needs a size from 1 to ${max / 2 ** 20}M, such as 64K or 4M, got "${text}"`);
  };
}

/**
 * Returns how many programs whose times are measured run at the same time: at most one less than there are processors, so that
 * they do not wait for each other. `asked` is the value of `--jobs`.
 */
export function limitJobsForMeasuring(asked: number | null, note: (message: string) => void): number {
  const processors = availableParallelism();
  const most = Math.max(1, processors - 1);
  if (asked !== null && asked > most)
    note(
      `--jobs ${asked}: only ${most} at a time on ${pluralize(processors, 'processor')}, so that programs do not change the times of others`,
    );
  return Math.min(asked ?? most, most);
}
