/** Turns the words of the command line into values; throws usage errors that name the option. */
import { availableParallelism } from 'node:os';
import { distance } from 'fastest-levenshtein';
import { BoardmillError, pluralize } from '../../core/errors.js';
import { jobsToWarnAbove, MAX_CHOSEN_CHUNK_BYTES, maxJobs } from '../../engine/limits.js';
import { findProblem, PROBLEMS, type ProblemEntry } from '../../problems/registry.js';

/** A mistake on the command line that the help of the command would have told about. */
export class CommandLineError extends BoardmillError {
  constructor(message: string) {
    super('usage', message);
  }
}

export function usageError(message: string): CommandLineError {
  return new CommandLineError(message);
}

/** The option's only value, if it was given; `what` says what the value is, where that is missing. */
export function parseSingle(option: string, value: unknown, what = 'a value'): string | undefined {
  if (Array.isArray(value)) throw usageError(`${option} was given ${value.length} times`);
  if (value === '') throw usageError(`${option} needs ${what}`);
  return value === undefined ? undefined : String(value);
}

/** The name of a file (or folder), if the option was given. */
export function parseFileOption(option: string, value: unknown, what = 'a file'): string | undefined {
  return parseSingle(option, value, what);
}

/** As parseFileOption, for an output; standard output is `-` by all its names. */
export function parseOutputOption(value: unknown): string | undefined {
  const path = parseFileOption('--output', value);
  return path === '/dev/stdout' ? '-' : path;
}

/** All values of an option that may be given several times. */
export function asList(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Values with commas between them, no value twice. */
export function parseList<T>(option: string, value: unknown, parse: (word: string) => T): T[] | undefined {
  const text = parseSingle(option, value);
  if (text === undefined) return undefined;
  return [...new Set(text.split(',').map((word) => parse(word.trim())))];
}

/** A whole number of at least `min`; `1e6` is a million. */
export function parseCountOption(option: string, value: unknown, min: number): number | undefined {
  const text = parseSingle(option, value, 'a number');
  if (text === undefined) return undefined;
  const count = parseWhole(text);
  if (count === null || count < min) {
    throw usageError(`${option} needs a whole number of at least ${min}, got "${text}"`);
  }
  return count;
}

/** The whole number that a text such as `250`, `1e6` or `2.5e6` stands for; null if it is none that is exact. */
function parseWhole(text: string): number | null {
  const number = /^\d+(?:\.\d+)?(?:e\+?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) && !/^\d+\.\d+$/.test(text) ? number : null;
}

/** An inclusive range of whole numbers of at least `min`: `A..B` or `A-B`, or `A` for one. */
export function parseRangeOption(
  option: string,
  value: unknown,
  min: number,
): { from: number; to: number } | undefined {
  const text = parseSingle(option, value, 'a range');
  if (text === undefined) return undefined;
  const [first, last = first, ...more] = text.split(/\.\.|-/).map(parseWhole);
  if (first === null || last === null || more.length > 0 || first < min || first > last) {
    throw usageError(`${option} needs a range from ${min} such as 2..8, or one number, got "${text}"`);
  }
  return { from: first, to: last };
}

/** A share, from 0 to 1. */
export function parseShare(option: string, value: unknown): number | undefined {
  const text = parseSingle(option, value, 'a share');
  if (text === undefined) return undefined;
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(share <= 1)) throw usageError(`${option} needs a share from 0 to 1, got "${text}"`);
  return share;
}

/** Seconds in a unit of time; without a unit a number means seconds. */
const SECONDS: Record<string, number> = { '': 1, ms: 1e-3, s: 1, m: 60, min: 60, h: 3600 };

/** A time, in seconds: `5`, `5s`, `0.5`, `500ms`, `2m`, `1h`. */
export function parseSeconds(option: string, value: unknown): number | undefined {
  const text = parseSingle(option, value, 'a number of seconds');
  if (text === undefined) return undefined;
  const match = /^(\d*\.?\d+(?:e[+-]?\d+)?)(ms|s|min|m|h|)$/i.exec(text);
  const seconds = match === null ? Number.NaN : Number(match[1]) * SECONDS[match[2].toLowerCase()];
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS)) {
    const range = `${MIN_SECONDS} to ${MAX_SECONDS} seconds`;
    throw usageError(`${option} needs a time from ${range}, such as 5 or 500ms, got "${text}"`);
  }
  return seconds;
}

/** What timers can measure, and what they can wait for. */
const MIN_SECONDS = 0.001;
const MAX_SECONDS = 2_000_000;

/** Workers to start: as many as were asked for, within what this machine can make use of. */
export function parseJobs(value: unknown, note: (message: string) => void): number {
  const processors = availableParallelism();
  const wanted = parseCountOption('--jobs', value, 1) ?? processors;
  const jobs = Math.min(wanted, maxJobs(processors));
  const hint = jobs < wanted ? `starting ${jobs}` : 'more workers than processors gain nothing';
  if (wanted > jobsToWarnAbove(processors)) {
    note(`--jobs ${wanted} on ${pluralize(processors, 'processor')}: ${hint}`);
  }
  return jobs;
}

const UNITS: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** A size in bytes: `65536`, `64K`, `4M`, `1.5MiB`. */
export function parseSizeOption(option: string, value: unknown): number | undefined {
  const text = parseSingle(option, value, 'a size');
  if (text === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)([KMG]?)(?:i?B)?$/i.exec(text);
  const bytes = match === null ? Number.NaN : Number(match[1]) * UNITS[match[2].toUpperCase()];
  if (!(Number.isInteger(bytes) && bytes >= 1 && bytes <= MAX_CHOSEN_CHUNK_BYTES)) {
    const most = `${MAX_CHOSEN_CHUNK_BYTES / 2 ** 20}M`;
    throw usageError(`${option} needs a size from 1 to ${most}, such as 64K or 4M, got "${text}"`);
  }
  return bytes;
}

export function parseProblem(name: string): ProblemEntry {
  const entry = findProblem(name);
  if (entry !== undefined) return entry;
  const known = PROBLEMS.flatMap((problem) => [problem.name, ...problem.aliases]);
  const nearest = closest(name, known);
  const hint =
    nearest === null ? `known are ${PROBLEMS.map((p) => p.name).join(', ')}` : `did you mean ${nearest}?`;
  throw usageError(`no problem is named "${name}"; ${hint}`);
}

/** The name nearest to a mistyped one, if any is near enough to be meant. */
export function closest(word: string, names: readonly string[]): string | null {
  const wanted = word.toLowerCase();
  const ranked = names
    .map((name) => ({ name, edits: distance(wanted, name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.max(2, wanted.length * 0.4) ? best.name : null;
}
