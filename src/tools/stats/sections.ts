/** The sections of a report of `stats`, which the terminal and the HTML page show in the same order. */
import { formatQuantity } from '../../core/format-count.js';
import { onOneLine } from '../../core/printable.js';
import { ValueCounts } from '../../core/value-counts.js';
import type { Distribution, InputStats, LimitStats, NumberStats, StatsReport } from './report.js';

/** A number of cases with its label. */
export interface BarRow {
  readonly label: string;
  readonly cases: number;
  /** Whether the row stands for all cases that no other row counts. Such a row has no bar. */
  readonly isRest?: true;
}

/** A part of the report: sentences and rows of bars, of which each may be missing. */
export interface StatsSection {
  readonly title: string;
  readonly rows: readonly BarRow[];
  readonly sentences: readonly string[];
}

/** Number of rows of a list of sizes or answers. Further ones are added up in a row of their own. */
const LISTED_ROWS = 12;

/** Returns the sections that have something to say. `answers` are the listed answers as people read them. */
export function statsSectionsOf(report: StatsReport, answers: readonly string[]): StatsSection[] {
  const sections = [
    sizesSection(report),
    densitySection(report),
    {
      title: 'Limits',
      rows: [],
      sentences: report.limits.map((limit) => describeLimit(limit, report.cases)),
    },
    { title: 'Equal cases', rows: [], sentences: describeDuplicates(report) },
    setsSection(report),
    answersSection(report, answers),
    nimbersSection(report),
  ];
  return sections.filter(({ rows, sentences }) => rows.length + sentences.length > 0);
}

function sizesSection(stats: InputStats): StatsSection {
  const names = Object.keys(stats.sizes[0]?.size ?? {});
  const sentences = stats.numbers.map(describeNumber);
  if (names.length === 0) return { title: 'Numbers', rows: [], sentences };
  const separator = names.join(' ') === 'rows cols' ? ' x ' : ', ';
  const listed = stats.sizes.map(({ size, cases }) => ({
    label: Object.values(size).map(formatNumber).join(separator),
    cases,
  }));
  const rows = withOthers(listed, stats.otherSizes);
  const number = hidesMostCases(rows, stats.cases) || names.length === 1 ? mostVaried(stats.numbers) : null;
  return number === null
    ? { title: `Sizes (${names.join(separator)})`, rows, sentences }
    : { title: `Sizes (by ${number.name})`, rows: barsOf(number.histogram), sentences };
}

/** Whether more than half of the cases are only in the row of all others. */
function hidesMostCases(rows: readonly BarRow[], cases: number): boolean {
  const others = rows.at(-1);
  return others?.isRest === true && 2 * others.cases > cases;
}

/** Returns the number that tells most cases apart; null if there is no distribution of a number. */
function mostVaried(
  numbers: readonly NumberStats[],
): (NumberStats & { readonly histogram: NonNullable<NumberStats['histogram']> }) | null {
  const differentOf = ({ different, histogram }: NumberStats) =>
    histogram === null ? 0 : (different ?? Number.POSITIVE_INFINITY);
  const [first] = numbers.toSorted((one, other) => differentOf(other) - differentOf(one));
  return first?.histogram == null ? null : { ...first, histogram: first.histogram };
}

function barsOf(histogram: Distribution['histogram']): BarRow[] {
  return histogram.map(({ from, to, cases }) => ({ label: formatRange(from, to), cases }));
}

/** Returns the first rows, and one row for all others together. */
function withOthers(rows: readonly BarRow[], others: number): BarRow[] {
  const hidden = rows.slice(LISTED_ROWS);
  const cases = hidden.reduce((sum, row) => sum + row.cases, others);
  return [
    ...rows.slice(0, LISTED_ROWS),
    ...(cases === 0 ? [] : [{ label: 'others', cases, isRest: true as const }]),
  ];
}

/** The number of cases of the longest bar, or 1 if all bars are empty. */
export function casesOfLargestBar(rows: readonly BarRow[]): number {
  return Math.max(1, ...rows.filter(({ isRest }) => !isRest).map(({ cases }) => cases));
}

function describeNumber({ name, min, max, mean, different }: Omit<NumberStats, 'histogram'>): string {
  const range = min === max ? `always ${formatNumber(min)}` : `${formatNumber(min)} to ${formatNumber(max)}`;
  if (mean === null || min === max) return `${name}: ${range}`;
  const values = different === null ? '' : `, ${formatNumber(different)} different values`;
  return `${name}: ${range}, mean ${formatNumber(mean)}${values}`;
}

function densitySection({ density }: InputStats): StatsSection {
  if (density === null) return { title: 'Density', rows: [], sentences: [] };
  const percent = (share: number) => formatNumber(share * 100);
  const rows = density.histogram.map(({ from, to, cases }) => {
    const label = from === to ? `${percent(from)} %` : `${percent(from)}-${percent(to)} %`;
    return { label, cases };
  });
  const { min, max, mean } = density;
  const sentence = `${percent(min)} % to ${percent(max)} %, mean ${percent(mean)} %`;
  return { title: `Density (share of ${density.of})`, rows, sentences: [sentence] };
}

function describeLimit({ name, limit, value, cases }: LimitStats, all: number): string {
  const attained = cases === 0 ? 'in no case' : `in ${formatQuantity(cases, 'case')}${shareOf(cases, all)}`;
  return `${name} = ${value}, its ${limit} value: ${attained}`;
}

function describeDuplicates({
  cases,
  duplicates,
  duplicatesAreExact,
  duplicatesUpToSymmetry: symmetric,
}: InputStats): string[] {
  if (cases === 0) return [];
  const count = (equal: number, isExact: boolean) =>
    `${isExact ? '' : 'at least '}${formatQuantity(equal, 'case')}${shareOf(equal, cases)}`;
  const exact = `${count(duplicates, duplicatesAreExact)} equal to an earlier one`;
  if (symmetric === null) return [exact];
  return [
    exact,
    `${count(symmetric.duplicates, symmetric.areExact)} equal to an earlier one up to ${symmetric.symmetry}`,
  ];
}

function setsSection({ sets, files, contestCases }: StatsReport): StatsSection {
  const rows = Object.entries(sets).map(([label, cases]) => ({ label, cases }));
  const long = contestCases === null ? [] : files.filter(({ cases }) => cases > contestCases);
  const who = files.length === 1 ? 'the input has' : `${formatNumber(long.length)} of the inputs have`;
  const sentence = `${who} more cases than a file of the contest, which has at most ${formatNumber(contestCases ?? 0)}`;
  return { title: 'Sets of the contest', rows, sentences: long.length === 0 ? [] : [sentence] };
}

function answersSection(report: StatsReport, texts: readonly string[]): StatsSection {
  const { answers, otherAnswers, answerNumbers, answersFrom, missingAnswers, malformedAnswers } = report;
  const title = answersFrom === 'file' ? 'Answers (from the file)' : 'Answers';
  if (answers === null) {
    const sentence = `left out: ${report.problem} has no solver; --expected FILE reads the answers from a file`;
    return { title, rows: [], sentences: [sentence] };
  }
  const surplus = report.files.reduce((sum, { surplusAnswers }) => sum + surplusAnswers, 0);
  const sentences = [
    ...(missingAnswers === 0 ? [] : [`the file has no answer to ${formatQuantity(missingAnswers, 'case')}`]),
    ...(malformedAnswers === 0
      ? []
      : [`the answers to ${formatQuantity(malformedAnswers, 'case')} cannot be read`]),
    ...(surplus === 0 ? [] : [`the file has ${formatNumber(surplus)} more than there are cases`]),
  ];
  const listed = answers.map(({ cases }, index) => ({
    label: onOneLine(texts[index]),
    cases,
  }));
  if (answerNumbers === null || answers.length <= LISTED_ROWS)
    return { title, rows: withOthers(listed, otherAnswers), sentences };
  const { min, max, mean, histogram } = answerNumbers;
  const frequent = `${listed[0].label} is the most frequent one (${formatQuantity(listed[0].cases, 'case')})`;
  const range = `${formatNumber(min)} to ${formatNumber(max)}, mean ${formatNumber(mean)}; ${frequent}`;
  return { title, rows: barsOf(histogram), sentences: [range, ...sentences] };
}

/** Bars of a list of nimbers, beyond which neighbours share a bar. */
const NIMBER_BARS = 20;

function nimbersSection({ nimbers }: InputStats): StatsSection {
  if (nimbers === null) return { title: 'Nimbers', rows: [], sentences: [] };
  const { min, max, mean, different, histogram } = nimbers;
  const rows = barsOf(joinBars(histogram, NIMBER_BARS));
  return {
    title: 'Nimbers',
    rows,
    sentences: [describeNumber({ name: 'nimber', min, max, mean, different })],
  };
}

/** Returns at most about `maxBars` bars with the cases of all bars. */
function joinBars(histogram: Distribution['histogram'], maxBars: number): Distribution['histogram'] {
  if (histogram.length <= maxBars) return histogram;
  const counts = new ValueCounts();
  for (const { from, cases } of histogram) counts.add(from, cases);
  return counts.bars(maxBars).map(({ from, to, count }) => ({ from, to, cases: count }));
}

function formatRange(from: number, to: number): string {
  return from === to ? formatNumber(from) : `${formatNumber(from)} to ${formatNumber(to)}`;
}

/** Formats a number with at most four digits after the point, and large ones with a power of ten. */
export function formatNumber(value: number): string {
  if (Math.abs(value) >= 1e15) return value.toPrecision(4);
  const rounded = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: 4 });
}

/** The share of the cases in percent, in parentheses; empty if it is nothing or all. */
function shareOf(count: number, all: number): string {
  return count === 0 || count === all ? '' : ` (${formatPercent(count, all)})`;
}

export function formatPercent(count: number, all: number): string {
  return `${((100 * count) / Math.max(1, all)).toFixed(1)} %`;
}
