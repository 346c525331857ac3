/** The tables of a `bench` report as texts, and their layout on a terminal and in Markdown. */
import { formatCount } from '../../core/format-count.js';
import type { TimeBreakdown } from './breakdown.js';
import {
  formatMegabytes,
  formatPercent,
  formatSeconds,
  formatSignificant,
  formatSpeedRatio,
} from './numbers.js';
import type { CommandSummary } from './race.js';
import { type BenchReport, parallelEfficiency, summaryWithSameSetting } from './report.js';

type TableRow = readonly string[];

/** The headings of a table and its rows. */
type Table = [headings: TableRow, rows: readonly TableRow[]];

/** The columns of a table: for each heading, a function that returns the text of a row's cell. */
type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

/** Makes a table with a row for each of these objects. */
export function tableOf<Row>(columns: Columns<Row>, rows: readonly Row[]): Table {
  return [Object.keys(columns), rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)))];
}

const SUMMARY_COLUMNS: Columns<CommandSummary> = {
  program: ({ measuredCommand }) => measuredCommand.label,
  median: ({ median }) => formatSeconds(median),
  spread: ({ spread, median }) => `${((spread / median) * 100).toFixed(1)} %`,
  min: ({ min }) => formatSeconds(min),
  max: ({ max }) => formatSeconds(max),
  'cases/s': ({ casesPerSecond }) => formatSignificant(casesPerSecond),
  'MB/s': ({ bytesPerSecond }) => formatMegabytes(bytesPerSecond),
  processors: ({ processors }) => processors?.toFixed(2) ?? '-',
  'peak MB': ({ peakBytes }) => (peakBytes === null ? '-' : formatMegabytes(peakBytes)),
  speed: ({ speed }) => formatSpeedRatio(speed),
  answers: ({ difference }) => (difference === null ? 'same' : 'WRONG'),
};

/**
 * Returns the table that has a row for each command. If a program cannot read all cases at once, it says how many processes do.
 */
export function summaryTable(summaries: readonly CommandSummary[]): Table {
  if (summaries.every(({ processes }) => processes === 1)) return tableOf(SUMMARY_COLUMNS, summaries);
  const { program, ...others } = SUMMARY_COLUMNS;
  const processes = (summary: CommandSummary) => formatCount(summary.processes);
  return tableOf({ program, processes, ...others }, summaries);
}

/** A breakdown, together with numbers from the summary of the same setting. */
interface StageRow extends TimeBreakdown {
  readonly label: string;
  readonly efficiency: number | null;
}

const STAGES_IN_TABLE = [
  'read',
  'scan',
  'wait',
  'parse',
  'solve',
  'print',
  'dispatch',
  'merge',
  'write',
] as const;

const STAGE_COLUMNS: Columns<StageRow> = {
  program: ({ label }) => label,
  wall: ({ seconds }) => formatSeconds(seconds),
  ...Object.fromEntries(
    STAGES_IN_TABLE.map((stage) => [stage, ({ stages }: StageRow) => formatSeconds(stages[stage])]),
  ),
  workers: ({ utilization }) => formatPercent(utilization),
  coordinator: ({ busySeconds, seconds }) => formatPercent(busySeconds / seconds),
  efficiency: ({ efficiency }) => (efficiency === null ? '-' : formatPercent(efficiency)),
};

/** Whether no run has spent time in the stage with this name, as without a solver that parses. */
function isUnusedStage(heading: string, rows: readonly StageRow[]): boolean {
  const stage = STAGES_IN_TABLE.find((each) => each === heading);
  return stage !== undefined && rows.length > 0 && rows.every(({ stages }) => stages[stage] === 0);
}

/** Returns the table that shows where the time of a run goes, with a row for each setting of boardmill. */
export function stageTable({ summaries, breakdowns }: Pick<BenchReport, 'summaries' | 'breakdowns'>): Table {
  const rows = breakdowns.map((breakdown): StageRow => {
    const summary = summaryWithSameSetting(breakdown, summaries);
    const efficiency = parallelEfficiency(summary, summaries);
    return { ...breakdown, label: summary.measuredCommand.label, efficiency };
  });
  const columns = Object.entries(STAGE_COLUMNS).filter(([heading]) => !isUnusedStage(heading, rows));
  return tableOf(Object.fromEntries(columns), rows);
}

const COLUMN_GAP = '  ';
const ELLIPSIS = '...';

/** Returns a text of at most `width` characters. In a longer text, an ellipsis replaces the middle. */
export function shortenText(text: string, width: number): string {
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
export function shortenTexts(texts: readonly string[], width: number): string[] {
  const kept = width - ELLIPSIS.length;
  const middle = kept >> 1;
  const tails = Array.from({ length: kept + 1 }, (_, tail) => tail).sort(
    (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
  );
  const different = new Set(texts).size;
  const cuts = tails.map((tail) => texts.map((text) => shortenAt(text, width, tail)));
  return cuts.find((cut) => new Set(cut).size === different) ?? cuts[0];
}

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
  const names = shortenTexts(
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
export function markdownTable(headings: TableRow, rows: readonly TableRow[]): string {
  const line = (cells: TableRow) => `| ${cells.join(' | ')} |\n`;
  const rule = line(headings.map((_, column) => (column === 0 ? ':---' : '---:')));
  return line(headings) + rule + rows.map((row) => line(row.map(escapeMarkdown))).join('');
}

/** Escapes what Markdown, and HTML in it, would obey in a cell of a table. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\s+/g, ' ');
}
