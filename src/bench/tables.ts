/** Numbers and tables for people. */
import { pluralize } from '../core/errors.js';
import type { TokenDifference } from './answers.js';
import type { Summary } from './race.js';
import { efficiency, type Report, workersFed } from './report.js';

const MEGABYTE = 1e6;

/** Three digits that mean something: 1.23 s, 45.6 ms, 789 us. */
export function formatSeconds(seconds: number): string {
  if (seconds >= 1) return `${significant(seconds)} s`;
  if (seconds >= 1e-3) return `${significant(seconds * 1e3)} ms`;
  if (seconds >= 1e-6) return `${significant(seconds * 1e6)} us`;
  return `${significant(seconds * 1e9)} ns`;
}

export function significant(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function formatSpeedRatio({ speed }: Summary): string {
  return `${significant(speed.ratio)} (${significant(speed.low)}-${significant(speed.high)})`;
}

export function formatDifference({ token, expected, got }: TokenDifference): string {
  const quote = (word: string | null) => (word === null ? 'the end' : JSON.stringify(word.slice(0, 40)));
  return `token ${token}: expected ${quote(expected)}, got ${quote(got)}`;
}

export const SUMMARY_HEADINGS = [
  'command',
  'median',
  'spread',
  'min',
  'max',
  'cases/s',
  'MB/s',
  'processors',
  'peak MB',
  'speed',
  'answers',
];

export function summaryRow(summary: Summary): string[] {
  const { contender, median, spread, min, max, processors, peakBytes } = summary;
  return [
    contender.label,
    formatSeconds(median),
    `${((spread / median) * 100).toFixed(1)} %`,
    formatSeconds(min),
    formatSeconds(max),
    significant(summary.casesPerSecond),
    significant(summary.bytesPerSecond / MEGABYTE),
    processors === null ? '-' : processors.toFixed(2),
    peakBytes === null ? '-' : significant(peakBytes / MEGABYTE),
    formatSpeedRatio(summary),
    summary.difference === null ? 'same' : 'WRONG',
  ];
}

export const STAGE_HEADINGS = [
  'command',
  'wall',
  'read',
  'split',
  'wait',
  'parse',
  'solve',
  'print',
  'dispatch',
  'merge',
  'write',
  'workers',
  'coordinator',
  'efficiency',
];

/** Seconds by stage. */
export function stageRows({ summaries, breakdowns }: Report): string[][] {
  return breakdowns.map((profile) => {
    const { stages, seconds, busySeconds, utilization, setting } = profile;
    const summary = summaries.find(({ contender }) => contender.setting === setting) as Summary;
    const share = efficiency(summary, summaries);
    const { read, scan, wait, parse, solve, print, dispatch, merge, write } = stages;
    return [
      summary.contender.label,
      ...[seconds, read, scan, wait, parse, solve, print, dispatch, merge, write].map(formatSeconds),
      percent(utilization),
      percent(busySeconds / seconds),
      share === null ? '-' : percent(share),
    ];
  });
}

export function describeCoordinator({ coordinator, breakdowns }: Report): string {
  const { busySeconds, cases, bytes } = coordinator;
  const fed = Math.floor(Math.min(...breakdowns.map((profile) => workersFed(profile, coordinator))));
  return (
    `The coordinator alone needs ${formatSeconds(busySeconds / cases)} per case, which allows at most ` +
    `${significant(cases / busySeconds)} cases/s or ${significant(bytes / MEGABYTE / busySeconds)} MB/s: ` +
    `one coordinator can feed ${fed < 1 ? 'less than one worker' : `about ${pluralize(fed, 'worker')}`}.`
  );
}

export function describeRun({ problem, version, input, runs, machine }: Report): string {
  return (
    `${problem}, ${input.cases.toLocaleString('en-US')} cases, ${significant(input.bytes / MEGABYTE)} MB, ` +
    `${runs} runs each in turn; boardmill ${version}, Node ${machine.node}, ${machine.processors} x ${machine.processor}`
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const GAP = '  ';
const ELLIPSIS = '...';

/** A text of no more than `width` letters: where it is longer, dots stand for its middle. */
export function shorten(text: string, width: number): string {
  const room = Math.max(width, ELLIPSIS.length);
  return cutOut(text, room, (room - ELLIPSIS.length) >> 1);
}

/** Keeps `tail` letters of the end, and as many of the beginning as there is room for. */
function cutOut(text: string, width: number, tail: number): string {
  if (text.length <= width) return text;
  return text.slice(0, width - ELLIPSIS.length - tail) + ELLIPSIS + text.slice(text.length - tail);
}

/** All texts shortened at one place, the nearest to their middle where texts that differ still do. */
export function shortenAll(texts: readonly string[], width: number): string[] {
  const kept = width - ELLIPSIS.length;
  const middle = kept >> 1;
  const tails = Array.from({ length: kept + 1 }, (_, tail) => tail).sort(
    (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
  );
  const different = new Set(texts).size;
  const cuts = tails.map((tail) => texts.map((text) => cutOut(text, width, tail)));
  return cuts.find((cut) => new Set(cut).size === different) ?? cuts[0];
}

type Row = readonly string[];

/**
 * Columns side by side, as blocks of whole lines: what does not fit in `width` follows in a further block, each of
 * which begins with the first column. Words are aligned to the left, numbers to the right.
 */
export function fitTable(headings: Row, rows: readonly Row[], width: number): string[] {
  const widths = columnWidths([headings, ...rows]);
  const others = widths.slice(1).map((column) => column + GAP.length);
  const first = Math.min(widths[0], firstColumnLimit(others, width));
  const lines = shortenFirst([headings, ...rows], first);
  const aligned = [first, ...widths.slice(1)];
  return packColumns(others, width - first).map((columns) => alignColumns(lines, [0, ...columns], aligned));
}

function columnWidths(lines: readonly Row[]): number[] {
  return lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
}

const LEAST_FIRST_COLUMN = 8;

/** All that is left if the table fits in one block; else half of the width, or what the widest column leaves. */
function firstColumnLimit(others: readonly number[], width: number): number {
  const rest = width - others.reduce((sum, column) => sum + column, 0);
  const half = Math.min(width >> 1, width - Math.max(...others));
  return Math.max(rest, half, LEAST_FIRST_COLUMN);
}

function shortenFirst(lines: readonly Row[], width: number): string[][] {
  const names = shortenAll(
    lines.map(([name]) => name),
    width,
  );
  return lines.map(([, ...cells], i) => [names[i], ...cells]);
}

/** Columns from 1 in groups that fit; `widths` include the gaps. */
function packColumns(widths: readonly number[], room: number): number[][] {
  const groups: number[][] = [[]];
  let left = room;
  for (const [i, width] of widths.entries()) {
    if (width > left && groups[groups.length - 1].length > 0) {
      groups.push([]);
      left = room;
    }
    groups[groups.length - 1].push(i + 1);
    left -= width;
  }
  return groups;
}

function alignColumns(lines: readonly Row[], columns: readonly number[], widths: readonly number[]): string {
  const align = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  return lines
    .map((line) => columns.map((column) => align(line[column], column)).join(GAP))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Breaks a paragraph into lines of no more than `width` letters, between words. */
export function wrapText(text: string, width: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return `${lines.join('\n')}\n`;
}

export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const rule = line(headings.map((_, column) => (column === 0 ? ':---' : '---:')));
  return line(headings) + rule + rows.map(line).join('');
}
