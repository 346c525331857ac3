/** Checks the contest that an author describes in `defineProblem`, and makes the contest of the problem from it. */
import { type AuthorPlace, showValue } from '../../formats/language/author-error.js';
import { didYouMean } from '../../formats/language/scope.js';
import { fieldsAtAnyDepthOf, recordsOfLayout } from '../../formats/language/shapes.js';
import type { Layout } from '../../formats/language/tree.js';
import type { ContestDefinition, NamedBounds } from './definition.js';

/** The limits of a problem's contest, as an author describes them. */
export interface ContestOptions {
  /** The sets of tests by name. Each narrows the bounds of fields, such as `{ '1': { n: [1, 4] } }`. */
  readonly sets?: Readonly<Record<string, NamedBounds>>;
  /** The largest number of cases in a file. */
  readonly cases?: number;
  /** The time limit of a contest file, in seconds. */
  readonly seconds?: number;
  /** The memory limit, in megabytes. */
  readonly megabytes?: number;
}

const PROPERTIES: readonly string[] = ['sets', 'cases', 'seconds', 'megabytes'];

export function toContest(contest: unknown, layout: Layout, place: AuthorPlace): ContestDefinition | null {
  if (contest === undefined) return null;
  const options = toObject(contest, 'the limits of the contest, such as { cases: 100 }', place);
  const unknown = Object.keys(options).find((key) => !PROPERTIES.includes(key));
  if (unknown !== undefined) {
    throw place.error(`unknown property "${unknown}"${didYouMean(unknown, PROPERTIES)}`);
  }
  return {
    sets: toSets(options.sets ?? {}, namesWithBounds(layout), place.field('sets')),
    cases: toLimit(options.cases, 'a whole number', Number.isSafeInteger, place.field('cases')),
    seconds: toLimit(options.seconds, 'a number', Number.isFinite, place.field('seconds')),
    megabytes: toLimit(options.megabytes, 'a number', Number.isFinite, place.field('megabytes')),
  };
}

function toObject(value: unknown, expected: string, place: AuthorPlace): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw place.error(`expected ${expected}, got ${showValue(value)}`);
}

function toLimit(
  value: unknown,
  expected: string,
  isValid: (value: unknown) => boolean,
  place: AuthorPlace,
): number | null {
  if (value === undefined) return null;
  if (isValid(value) && Number(value) > 0) return Number(value);
  throw place.error(`expected ${expected} above 0, got ${showValue(value)}`);
}

function toSets(sets: unknown, names: readonly string[], place: AuthorPlace): ContestDefinition['sets'] {
  const entries = Object.entries(toObject(sets, 'sets such as { "1": { n: [1, 4] } }', place));
  return Object.fromEntries(
    entries.map(([name, bounds]) => [name, toNamedBounds(bounds, names, place.field(name))]),
  );
}

function toNamedBounds(bounds: unknown, names: readonly string[], place: AuthorPlace): NamedBounds {
  const entries = Object.entries(toObject(bounds, 'bounds such as { n: [1, 4] }', place));
  for (const [name] of entries) {
    if (!names.includes(name)) {
      throw place.error(`no field "${name}" of the input has bounds${didYouMean(name, names)}`);
    }
  }
  return Object.fromEntries(entries.map(([name, range]) => [name, toRange(range, place.field(name))]));
}

function toRange(range: unknown, place: AuthorPlace): readonly [number, number] {
  const [min, max] = Array.isArray(range) && range.length === 2 ? range : [];
  if (Number.isFinite(min) && Number.isFinite(max) && min <= max) return [min, max];
  throw place.error(`expected [smallest, largest], got ${showRange(range)}`);
}

function showRange(range: unknown): string {
  return Array.isArray(range) ? `[${range.map(showValue).join(', ')}]` : showValue(range);
}

/** Returns the names of all fields that have bounds: in the head, in the case, and in the records of lists. */
function namesWithBounds(layout: Layout): string[] {
  return fieldsAtAnyDepthOf(recordsOfLayout(layout)).flatMap(({ name, field }) =>
    'min' in field ? [name] : [],
  );
}
