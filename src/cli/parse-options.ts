/** Turns the words of the command line into values; throws usage errors that name the option. */
import { availableParallelism } from 'node:os';
import { distance } from 'fastest-levenshtein';
import { BoardmillError } from '../core/errors.js';
import { MAX_CHOSEN_CHUNK_BYTES } from '../engine/limits.js';
import { findProblem, PROBLEMS, type ProblemEntry } from '../problems/registry.js';

export function usageError(message: string): BoardmillError {
  return new BoardmillError('usage', message);
}

/** The option's only value, if it was given. */
export function single(option: string, value: unknown): string | undefined {
  if (Array.isArray(value)) throw usageError(`${option} was given ${value.length} times`);
  return value === undefined ? undefined : String(value);
}

/** All values of an option that may be given several times. */
export function many(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Values with commas between them, no value twice. */
export function parseList<T>(option: string, value: unknown, parse: (word: string) => T): T[] | undefined {
  const text = single(option, value);
  if (text === undefined) return undefined;
  return [...new Set(text.split(',').map((word) => parse(word.trim())))];
}

/** A whole number of at least `min`. */
export function parseCountOption(option: string, value: unknown, min: number): number | undefined {
  const text = single(option, value);
  if (text === undefined) return undefined;
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(count) || count < min) {
    throw usageError(`${option} wants a whole number of at least ${min}, got "${text}"`);
  }
  return count;
}

/** An inclusive range of whole numbers of at least `min`: `A..B`, or `A` for one. */
export function parseRangeOption(
  option: string,
  value: unknown,
  min: number,
): { from: number; to: number } | undefined {
  const text = single(option, value);
  if (text === undefined) return undefined;
  const match = /^(\d+)(?:\.\.(\d+))?$/.exec(text);
  const from = Number(match?.[1]);
  const to = Number(match?.[2] ?? match?.[1]);
  if (!(from >= min && from <= to && Number.isSafeInteger(to))) {
    throw usageError(`${option} wants a range of at least ${min} such as 2..8, or one number, got "${text}"`);
  }
  return { from, to };
}

/** A share, from 0 to 1. */
export function parseShare(option: string, value: unknown): number | undefined {
  const text = single(option, value);
  if (text === undefined) return undefined;
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(share <= 1)) throw usageError(`${option} wants a share from 0 to 1, got "${text}"`);
  return share;
}

/** A positive number of seconds. */
export function parseSeconds(option: string, value: unknown): number | undefined {
  const text = single(option, value);
  if (text === undefined) return undefined;
  const seconds = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
    throw usageError(`${option} wants a number of seconds above 0, got "${text}"`);
  }
  return seconds;
}

export function parseJobs(value: unknown): number {
  return parseCountOption('--jobs', value, 1) ?? availableParallelism();
}

/** What a timer can wait for. */
const MAX_SECONDS = 2_000_000;

const UNITS: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** A size in bytes: `65536`, `64K`, `4M`, `1.5MiB`. */
export function parseSizeOption(option: string, value: unknown): number | undefined {
  const text = single(option, value);
  if (text === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)([KMG]?)(?:i?B)?$/i.exec(text);
  const bytes = match === null ? Number.NaN : Math.floor(Number(match[1]) * UNITS[match[2].toUpperCase()]);
  if (!(bytes >= 1 && bytes <= MAX_CHOSEN_CHUNK_BYTES)) {
    const most = `${MAX_CHOSEN_CHUNK_BYTES / 2 ** 20}M`;
    throw usageError(`${option} wants a size from 1 to ${most}, such as 64K or 4M, got "${text}"`);
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
