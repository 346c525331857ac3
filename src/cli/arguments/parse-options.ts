/** Parses and checks the values of options. If a value is wrong, the usage error names the option. */
import { availableParallelism } from 'node:os';
import { findProblem, PROBLEMS, type ProblemEntry } from '../../catalog/registry.js';
import { closestName } from '../../core/closest-name.js';
import { BoardmillError, pluralize } from '../../core/errors.js';
import {
  jobsToWarnAbove,
  MAX_CHOSEN_CHUNK_BYTES,
  MAX_MEMORY_LIMIT_BYTES,
  MAX_TIMEOUT_SECONDS,
  MIN_TIMEOUT_SECONDS,
  maxJobs,
} from '../../engine/limits.js';

/** A mistake in the command line. The error message points the user to the help of the command. */
export class CommandLineError extends BoardmillError {
  constructor(message: string) {
    super('usage', message);
  }
}

export function usageError(message: string): CommandLineError {
  return new CommandLineError(message);
}

/**
 * Returns the value of an option that may be given once, or undefined if the option was not given. `valueName` names
 * the value in the message for an empty value, such as "a file".
 */
export function parseSingleValue(option: string, value: unknown, valueName = 'a value'): string | undefined {
  if (Array.isArray(value)) throw usageError(`${option} was given ${value.length} times`);
  if (value === '') throw usageError(`${option} needs ${valueName}`);
  return value === undefined ? undefined : String(value);
}

/** Returns the path that an option names, or undefined if the option was not given. */
export function parseFileOption(option: string, value: unknown, valueName = 'a file'): string | undefined {
  return parseSingleValue(option, value, valueName);
}

/**
 * Returns the path that `--output` names, or undefined if it was not given. Standard output is always returned as
 * `-`.
 */
export function parseOutputOption(value: unknown): string | undefined {
  const path = parseFileOption('--output', value);
  return path === '/dev/stdout' ? '-' : path;
}

/** Returns all values of an option that may be given several times. */
export function asList(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Returns the values of an option that may be given several times. `valueName` names a value in the message for an empty one. */
export function parsePaths(option: string, value: unknown, valueName: string): string[] {
  const paths = asList(value).map(String);
  if (paths.includes('')) throw usageError(`${option} needs ${valueName}`);
  return paths;
}

/** Parses a list of values that are separated by commas. A value that occurs twice is returned once. */
export function parseList<T>(option: string, value: unknown, parse: (word: string) => T): T[] | undefined {
  const text = parseSingleValue(option, value);
  if (text === undefined) return undefined;
  return [...new Set(text.split(',').map((word) => parse(word.trim())))];
}

/** Parses a whole number of at least `min`. It may be written with an exponent: `1e6` is a million. */
export function parseCountOption(option: string, value: unknown, min: number): number | undefined {
  const text = parseSingleValue(option, value, 'a number');
  if (text === undefined) return undefined;
  const count = parseWholeNumber(text);
  if (count === null || count < min) {
    throw usageError(`${option} needs a whole number of at least ${min}, got "${text}"`);
  }
  return count;
}

/** Parses a whole number such as `250`, `1e6` or `2.5e6`. Returns null if the text is not an exact whole number. */
function parseWholeNumber(text: string): number | null {
  const number = /^\d+(?:\.\d+)?(?:e\+?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) && !/^\d+\.\d+$/.test(text) ? number : null;
}

/** The longest number that `parseBigCount` accepts. It bounds the memory for a jump to the case with this number. */
export const MAX_COUNT_DIGITS = 2000;

/** Parses a whole number of any size, such as `250` or `1e30`. Returns null if the text is none, or one of too many digits. */
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

/**
 * Parses an inclusive range of whole numbers of at least `min`: `A..B` or `A-B`. A single number `A` means the range
 * `A..A`.
 */
export function parseRangeOption(
  option: string,
  value: unknown,
  min: number,
): { from: number; to: number } | undefined {
  const text = parseSingleValue(option, value, 'a range');
  if (text === undefined) return undefined;
  const [first, last = first, ...more] = text.split(/\.\.|-/).map(parseWholeNumber);
  if (first === null || last === null || more.length > 0 || first < min || first > last) {
    throw usageError(`${option} needs a range such as 2..8 or one number, of at least ${min}, got "${text}"`);
  }
  return { from: first, to: last };
}

/** Parses a share, which is a number from 0 to 1. */
export function parseShare(option: string, value: unknown): number | undefined {
  const text = parseSingleValue(option, value, 'a share');
  if (text === undefined) return undefined;
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(share <= 1)) throw usageError(`${option} needs a share from 0 to 1, got "${text}"`);
  return share;
}

/** The length of each unit of time, in seconds. A number without a unit means seconds. */
const SECONDS_PER_UNIT: Record<string, number> = { '': 1, ms: 1e-3, s: 1, m: 60, min: 60, h: 3600 };

/** Parses a time such as `5`, `5s`, `0.5`, `500ms`, `2m` or `1h`, and returns it in seconds. */
export function parseSeconds(option: string, value: unknown): number | undefined {
  const text = parseSingleValue(option, value, 'a number of seconds');
  if (text === undefined) return undefined;
  const match = /^(\d*\.?\d+(?:e[+-]?\d+)?)(ms|s|min|m|h|)$/i.exec(text);
  const seconds = match === null ? Number.NaN : Number(match[1]) * SECONDS_PER_UNIT[match[2].toLowerCase()];
  if (!(seconds >= MIN_TIMEOUT_SECONDS && seconds <= MAX_TIMEOUT_SECONDS)) {
    const range = `${MIN_TIMEOUT_SECONDS} to ${MAX_TIMEOUT_SECONDS.toLocaleString('en-US')} seconds`;
    throw usageError(`${option} needs a time from ${range}, such as 5 or 500ms, got "${text}"`);
  }
  return seconds;
}

/**
 * Returns the number of workers to start: the number that `--jobs` asks for, limited to what this machine can use. If
 * the number is unreasonably large, `note` receives a message for the user.
 */
export function parseJobs(value: unknown, note: (message: string) => void): number {
  const processors = availableParallelism();
  const wanted = parseCountOption('--jobs', value, 1) ?? processors;
  const jobs = Math.min(wanted, maxJobs(processors));
  if (wanted > jobsToWarnAbove(processors)) {
    const reason = `this machine has ${pluralize(processors, 'processor')}`;
    const effect =
      jobs < wanted ? `boardmill starts only ${jobs} workers` : 'more workers do not make it faster';
    note(`--jobs ${wanted}: ${reason}; ${effect}`);
  }
  return jobs;
}

/** The number of bytes in each unit of size. */
const BYTES_PER_UNIT: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** Parses a size of at most `max` bytes, such as `65536`, `64K`, `4M` or `1.5MiB`, and returns it in bytes. */
export function parseSizeOption(
  option: string,
  value: unknown,
  max = MAX_CHOSEN_CHUNK_BYTES,
): number | undefined {
  const text = parseSingleValue(option, value, 'a size');
  if (text === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)([KMG]?)(?:i?B)?$/i.exec(text);
  const bytes = match === null ? Number.NaN : Number(match[1]) * BYTES_PER_UNIT[match[2].toUpperCase()];
  if (!(Number.isInteger(bytes) && bytes >= 1 && bytes <= max)) {
    const most = `${max / 2 ** 20}M`;
    throw usageError(`${option} needs a size from 1 to ${most}, such as 64K or 4M, got "${text}"`);
  }
  return bytes;
}

/** Describes `--memory-limit` to yargs. */
export const MEMORY_LIMIT_OPTION = {
  type: 'string',
  requiresArg: true,
  describe: 'address space of each run of the program (ulimit -v), such as 256M (default: no limit)',
} as const;

/** Parses `--memory-limit`. Returns the limit in bytes, or null if memory is not limited. */
export function parseMemoryLimit(value: unknown): number | null {
  return parseSizeOption('--memory-limit', value, MAX_MEMORY_LIMIT_BYTES) ?? null;
}

/**
 * Returns the problem of this name or alias. Fails with the names of the problems, or with the name that was probably
 * meant.
 */
export function parseProblem(name: string): ProblemEntry {
  const entry = findProblem(name);
  if (entry !== undefined) return entry;
  const known = PROBLEMS.flatMap((problem) => [problem.name, ...problem.aliases]);
  const nearest = closestName(name, known);
  const hint =
    nearest === null
      ? `the problems are ${PROBLEMS.map((p) => p.name).join(', ')}`
      : `did you mean ${nearest}?`;
  throw usageError(`no problem is named "${name}"; ${hint}`);
}
