/** The tables of a `bench` report as rows of text, and their layout on a terminal and in Markdown. */
import {
  formatMegabytes,
  formatPercent,
  formatSeconds,
  formatSignificant,
  formatSpeedRatio,
} from './numbers.js';
import type { CommandSummary } from './race.js';
import { type BenchReport, parallelEfficiency } from './report.js';

/** The headings of the table that has a row for each command. */
export const SUMMARY_HEADINGS = [
  'program',
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

/** Returns the table cells of one command, in the order of SUMMARY_HEADINGS. */
export function summaryRow(summary: CommandSummary): string[] {
  const { measuredCommand, median, spread, min, max, processors, peakBytes } = summary;
  return [
    measuredCommand.label,
    formatSeconds(median),
    `${((spread / median) * 100).toFixed(1)} %`,
    formatSeconds(min),
    formatSeconds(max),
    formatSignificant(summary.casesPerSecond),
    formatMegabytes(summary.bytesPerSecond),
    processors === null ? '-' : processors.toFixed(2),
    peakBytes === null ? '-' : formatMegabytes(peakBytes),
    formatSpeedRatio(summary.speed),
    summary.difference === null ? 'same' : 'WRONG',
  ];
}

/** The headings of the table that shows where the time of a run goes. */
export const STAGE_HEADINGS = [
  'program',
  'wall',
  'read',
  'scan',
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

/**
 * Returns a table row for each setting of boardmill. Its cells are in the order of STAGE_HEADINGS: first the times of
 * the stages, then shares in percent.
 */
export function stageTableRows({ summaries, breakdowns }: BenchReport): string[][] {
  return breakdowns.map(({ stages, seconds, busySeconds, utilization, setting }) => {
    const summary = summaries.find(
      ({ measuredCommand }) => measuredCommand.setting === setting,
    ) as CommandSummary;
    const efficiency = parallelEfficiency(summary, summaries);
    const { read, scan, wait, parse, solve, print, dispatch, merge, write } = stages;
    return [
      summary.measuredCommand.label,
      ...[seconds, read, scan, wait, parse, solve, print, dispatch, merge, write].map(formatSeconds),
      formatPercent(utilization),
      formatPercent(busySeconds / seconds),
      efficiency === null ? '-' : formatPercent(efficiency),
    ];
  });
}

const COLUMN_GAP = '  ';
const ELLIPSIS = '...';

/** Returns a text of at most `width` characters. In a longer text, an ellipsis replaces the middle. */
export function shorten(text: string, width: number): string {
  const length = Math.max(width, ELLIPSIS.length);
  return shortenAt(text, length, (length - ELLIPSIS.length) >> 1);
}

/** Shortens a text to `width` characters: its beginning, an ellipsis, and the last `tail` characters. */
function shortenAt(text: string, width: number, tail: number): string {
  if (text.length <= width) return text;
  return text.slice(0, width - ELLIPSIS.length - tail) + ELLIPSIS + text.slice(text.length - tail);
}

/**
 * Shortens all texts to at most `width` characters. An ellipsis replaces characters at the same place in each long text.
 * If possible, the place is chosen so that different texts are still different. Places near the middle are preferred.
 */
export function shortenAll(texts: readonly string[], width: number): string[] {
  const kept = width - ELLIPSIS.length;
  const middle = kept >> 1;
  const tails = Array.from({ length: kept + 1 }, (_, tail) => tail).sort(
    (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
  );
  const different = new Set(texts).size;
  const cuts = tails.map((tail) => texts.map((text) => shortenAt(text, width, tail)));
  return cuts.find((cut) => new Set(cut).size === different) ?? cuts[0];
}

type TableRow = readonly string[];

/**
 * Lays out a table in lines of at most `width` characters. If the columns do not fit side by side, the table is split
 * into several blocks of lines, and each block repeats the first column. The first column is aligned to the left, all
 * other columns to the right.
 */
export function fitTable(headings: TableRow, rows: readonly TableRow[], width: number): string[] {
  const widths = columnWidths([headings, ...rows]);
  const otherWidths = widths.slice(1).map((column) => column + COLUMN_GAP.length);
  const firstWidth = Math.min(widths[0], maxFirstColumnWidth(otherWidths, width));
  const lines = shortenFirstColumn([headings, ...rows], firstWidth);
  const finalWidths = [firstWidth, ...widths.slice(1)];
  return groupColumns(otherWidths, width - firstWidth).map((columns) =>
    alignColumns(lines, [0, ...columns], finalWidths),
  );
}

function columnWidths(lines: readonly TableRow[]): number[] {
  return lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
}

const MIN_FIRST_COLUMN_WIDTH = 8;

/**
 * Returns how wide the first column may be. If the whole table fits in one block, the first column gets all the space
 * that the other columns leave. If not, the first column gets at most half of the width, and leaves space for the widest
 * of the other columns.
 */
function maxFirstColumnWidth(otherWidths: readonly number[], width: number): number {
  const rest = width - otherWidths.reduce((sum, column) => sum + column, 0);
  const half = Math.min(width >> 1, width - Math.max(...otherWidths));
  return Math.max(rest, half, MIN_FIRST_COLUMN_WIDTH);
}

function shortenFirstColumn(lines: readonly TableRow[], width: number): string[][] {
  const names = shortenAll(
    lines.map(([name]) => name),
    width,
  );
  return lines.map(([, ...cells], i) => [names[i], ...cells]);
}

/**
 * Groups all columns except the first, in order, so that each group fits in `room` characters. `widths[i]` is the
 * width of column i + 1 with the gap before it. Returns the column numbers of each group.
 */
function groupColumns(widths: readonly number[], room: number): number[][] {
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

function alignColumns(
  lines: readonly TableRow[],
  columns: readonly number[],
  widths: readonly number[],
): string {
  const align = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  return lines
    .map((line) => columns.map((column) => align(line[column], column)).join(COLUMN_GAP))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Breaks a paragraph between words into lines of at most `width` characters. A longer word gets a line for itself. */
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

/** Formats a Markdown table. The first column is aligned to the left, all other columns to the right. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const rule = line(headings.map((_, column) => (column === 0 ? ':---' : '---:')));
  return line(headings) + rule + rows.map(line).join('');
}
