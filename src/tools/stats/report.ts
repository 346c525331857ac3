/** What `boardmill stats` reports, in the form in which `--json` prints it. */
import { ValueCounts } from '../../core/value-counts.js';
import type { MeasuredNumber } from '../../formats/cases/measure.js';
import type { RepeatedCaseCounter } from '../cases/equal-cases.js';
import type { InputStatistics, StatisticsSubject } from './input-statistics.js';

/** Number of different answers, or sizes, that the JSON of `stats` lists. It counts all other ones together. */
const MAX_LISTED_KEYS = 1000;

/** Number of cases whose value is in a range, both ends included. */
interface HistogramBar {
  readonly from: number;
  readonly to: number;
  readonly cases: number;
}

export interface Distribution {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Number of different values; null if there are too many to count, and for densities, whose bars are rounded. */
  readonly different: number | null;
  readonly histogram: readonly HistogramBar[];
}

/**
 * How one number that each case has is distributed over the cases. If a case may have many such numbers, only their range is
 * known.
 */
export interface NumberStats extends Omit<Distribution, 'mean' | 'histogram'> {
  readonly name: string;
  readonly mean: number | null;
  readonly histogram: readonly HistogramBar[] | null;
}

/** How many cases attain a limit. */
export interface LimitStats {
  readonly name: string;
  readonly limit: 'smallest' | 'largest';
  /** The limit as a text, such as `15` or `n-1`. */
  readonly value: string;
  readonly cases: number;
}

/** What is in an input, or in several together. */
export interface InputStats {
  readonly cases: number;
  /** The most frequent sizes first: for each the numbers that say how large a case is. */
  readonly sizes: readonly { readonly size: Readonly<Record<string, number>>; readonly cases: number }[];
  /** Number of cases with other sizes than the listed ones. */
  readonly otherSizes: number;
  readonly numbers: readonly NumberStats[];
  /** The distribution of the density, from 0 to 1; null if the problem has none. */
  readonly density: (Distribution & { readonly of: string }) | null;
  readonly limits: readonly LimitStats[];
  /** Number of cases that are equal to an earlier case, or at least that many. */
  readonly duplicates: number;
  readonly duplicatesAreExact: boolean;
  /** The same up to symmetries, and what these are; null without `--symmetries`, or if the problem has none. */
  readonly duplicatesUpToSymmetry: {
    readonly duplicates: number;
    readonly areExact: boolean;
    readonly symmetry: string;
  } | null;
  /** The most frequent answers first, as `--format ndjson` prints them; null if the answers are not known. */
  readonly answers: readonly { readonly answer: unknown; readonly cases: number }[] | null;
  /** Number of cases with other answers than the listed ones. */
  readonly otherAnswers: number;
  /** The distribution of the answers if all of them are numbers, else null. */
  readonly answerNumbers: Distribution | null;
  /** The distribution of the nimbers, each of which has a bar of its own; null if they are not known. */
  readonly nimbers: Distribution | null;
  /** Number of cases to which the file of answers has no answer, or one that cannot be read. */
  readonly missingAnswers: number;
  readonly malformedAnswers: number;
  /** For each set of the contest, how many cases are in it. */
  readonly sets: Readonly<Record<string, number>>;
}

/** What the report says about the problem. */
export interface ReportSubject extends StatisticsSubject {
  readonly problem: string;
  /** The cells whose share is the density; null if the problem has no density. */
  readonly densityOf: string | null;
  /** What symmetries of cases are; null if the problem has none. */
  readonly symmetry: string | null;
  /** The largest number of cases in a file of the contest; null if the problem does not say. */
  readonly contestCases: number | null;
  /** Where the answers come from; null if they are not known. */
  readonly answersFrom: 'solver' | 'file' | null;
}

/** An input of the report, with its statistics up to its end, or up to its first error. */
export interface FileStats extends InputStats {
  readonly file: string;
  /** Number of answers in the file of answers that belong to no case. */
  readonly surplusAnswers: number;
  readonly error: string | null;
}

export interface StatsReport extends InputStats {
  readonly problem: string;
  readonly answersFrom: ReportSubject['answersFrom'];
  /** The largest number of cases in a file of the contest; null if the problem does not say. */
  readonly contestCases: number | null;
  readonly files: readonly FileStats[];
}

/** Number of bars of a histogram, as far as it has values enough. */
const MAX_BARS = 20;
/** Number of different nimbers that have bars of their own. */
const MAX_NIMBERS = 1000;

export function toInputStats(statistics: InputStatistics, subject: ReportSubject): InputStats {
  const { cases, equalCases, symmetricCases, densities } = statistics;
  const density = toDistribution(densities, { scale: 1000 });
  const { densityOf, symmetry } = subject;
  return {
    cases,
    ...sizesOf(statistics, subject),
    numbers: subject.numbers.flatMap((number, index) => toNumberStats(number, statistics.numbers[index])),
    density: density === null || densityOf === null ? null : { of: densityOf, ...density, different: null },
    limits: limitsOf(statistics, subject),
    duplicates: equalCases.repeated,
    duplicatesAreExact: isExact(equalCases),
    duplicatesUpToSymmetry:
      symmetricCases === null || symmetry === null
        ? null
        : { duplicates: symmetricCases.repeated, areExact: isExact(symmetricCases), symmetry },
    ...answersOf(statistics),
    nimbers:
      statistics.nimbers === null ? null : toDistribution(statistics.nimbers, { maxBars: MAX_NIMBERS }),
    missingAnswers: statistics.missingAnswers,
    malformedAnswers: statistics.malformedAnswers,
    sets: Object.fromEntries(subject.sets.map((name, index) => [name, statistics.casesInSets[index]])),
  };
}

function isExact({ unknown }: RepeatedCaseCounter): boolean {
  return unknown === 0;
}

/** Returns a distribution of values that were multiplied by `scale` to be whole numbers. */
function toDistribution(
  counts: ValueCounts,
  { scale = 1, maxBars = MAX_BARS }: { scale?: number; maxBars?: number } = {},
): Distribution | null {
  const { min, max, mean, different } = counts;
  if (min === null || max === null || mean === null) return null;
  return {
    min: min / scale,
    max: max / scale,
    mean: mean / scale,
    different,
    histogram: counts
      .bars(maxBars)
      .map(({ from, to, count }) => ({ from: from / scale, to: to / scale, cases: count })),
  };
}

function toNumberStats({ name, role }: MeasuredNumber, counts: ValueCounts): NumberStats[] {
  const { min, max } = counts;
  if (role !== 'elements') {
    const distribution = toDistribution(counts);
    return distribution === null ? [] : [{ name, ...distribution }];
  }
  if (min === null || max === null) return [];
  return [{ name, min, max, mean: null, different: null, histogram: null }];
}

function sizesOf(
  { sizes }: InputStatistics,
  { numbers }: ReportSubject,
): Pick<InputStats, 'sizes' | 'otherSizes'> {
  const names = numbers.filter(({ role }) => role === 'size').map(({ name }) => name);
  const listed = sizes.mostFrequent();
  const rest = listed.splice(MAX_LISTED_KEYS);
  return {
    sizes: listed.map(({ shown, cases }) => ({
      size: Object.fromEntries(names.map((name, index) => [name, shown[index]])),
      cases,
    })),
    otherSizes: rest.reduce((sum, { cases }) => sum + cases, sizes.others),
  };
}

function limitsOf({ atMin, atMax }: InputStatistics, { numbers }: ReportSubject): LimitStats[] {
  return numbers.flatMap(({ name, min, max }, index) => [
    ...(min === null ? [] : [{ name, limit: 'smallest', value: min, cases: atMin[index] } as const]),
    ...(max === null ? [] : [{ name, limit: 'largest', value: max, cases: atMax[index] } as const]),
  ]);
}

function answersOf({
  answers,
}: InputStatistics): Pick<InputStats, 'answers' | 'otherAnswers' | 'answerNumbers'> {
  if (answers === null) return { answers: null, otherAnswers: 0, answerNumbers: null };
  const counted = answers
    .mostFrequent()
    .map(({ key, cases }) => ({ answer: JSON.parse(key) as unknown, cases }));
  const listed = counted.slice(0, MAX_LISTED_KEYS);
  const listedCases = listed.reduce((sum, { cases }) => sum + cases, 0);
  const allCases = counted.reduce((sum, { cases }) => sum + cases, answers.others);
  const areNumbers = answers.others === 0 && counted.every(({ answer }) => typeof answer === 'number');
  const numbers = new ValueCounts();
  if (areNumbers) for (const { answer, cases } of counted) numbers.add(answer as number, cases);
  return { answers: listed, otherAnswers: allCases - listedCases, answerNumbers: toDistribution(numbers) };
}

/** Returns the listed answers as people read them, in the order of `InputStats.answers`. */
export function readableAnswers({ answers }: InputStatistics): string[] {
  return (answers?.mostFrequent() ?? []).slice(0, MAX_LISTED_KEYS).map(({ shown }) => shown);
}
