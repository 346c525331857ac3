/** Formats a report of `stats` for a terminal, with histograms of characters. */
import { formatQuantity } from '../../core/format-count.js';
import { escapeUnprintable } from '../../core/printable.js';
import { shortenText } from '../bench/tables.js';
import type { StatsReport } from './report.js';
import {
  type BarRow,
  casesOfLargestBar,
  formatNumber,
  formatPercent,
  type StatsSection,
} from './sections.js';

interface TextLayout {
  /** Largest length of a line. */
  readonly width: number;
  /** Whether the terminal can show the blocks of Unicode. Otherwise bars are drawn with `#`. */
  readonly hasBlocks: boolean;
}

const MAX_WIDTH = 100;
const MIN_BAR_WIDTH = 8;
const INDENT = '  ';
/** Largest length of a label, in proportion to the width of the terminal. */
const LABEL_SHARE = 0.4;

/** Returns lines, each with a line end. `title` is the first of them. */
export function formatStatsReport(
  title: string,
  sections: readonly StatsSection[],
  cases: number,
  layout: TextLayout,
): string {
  const parts = sections.map((section) => formatSection(section, cases, layout));
  return `${[title, ...parts].join('\n\n')}\n`;
}

function formatSection({ title, rows, sentences }: StatsSection, cases: number, layout: TextLayout): string {
  return [title, ...formatBars(rows, cases, layout), ...sentences.map((sentence) => INDENT + sentence)].join(
    '\n',
  );
}

/** One line for each row: its label, a bar, the number of cases and their share. */
function formatBars(rows: readonly BarRow[], cases: number, { width, hasBlocks }: TextLayout): string[] {
  const total = Math.min(width, MAX_WIDTH);
  const labels = rows.map(({ label }) => shortenText(label, Math.max(8, Math.floor(total * LABEL_SHARE))));
  const labelWidth = Math.max(0, ...labels.map(({ length }) => length));
  const counts = rows.map((row) => formatNumber(row.cases));
  const countWidth = Math.max(0, ...counts.map(({ length }) => length));
  const shares = rows.map((row) => formatPercent(row.cases, cases).padStart('100.0 %'.length));
  const others = INDENT.length * 3 + labelWidth + countWidth + '100.0 %'.length + 1;
  const barWidth = total - others;
  const largest = casesOfLargestBar(rows);
  return rows.map((row, index) => {
    const length = barWidth < MIN_BAR_WIDTH || row.isRest ? 0 : barLength(row.cases, largest, barWidth);
    const bar = drawBar(length, hasBlocks).padEnd(barWidth < MIN_BAR_WIDTH ? 0 : barWidth);
    return `${INDENT}${labels[index].padEnd(labelWidth)}${INDENT}${bar} ${counts[index].padStart(countWidth)}${INDENT}${shares[index]}`;
  });
}

/** The length of a bar in eighths of a character. A bar that is not empty is never invisible. */
function barLength(cases: number, largest: number, width: number): number {
  return cases === 0 ? 0 : Math.max(1, Math.round((8 * width * cases) / largest));
}

/** Characters that fill one to eight eighths of their cell, from the left. */
const BLOCKS = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

function drawBar(eighths: number, hasBlocks: boolean): string {
  if (!hasBlocks) return '#'.repeat(Math.ceil(eighths / 8));
  const rest = eighths % 8;
  return BLOCKS[7].repeat(Math.floor(eighths / 8)) + (rest === 0 ? '' : BLOCKS[rest - 1]);
}

/** Describes how many cases of how many inputs the report is about. */
export function statsTitleOf({ problem, cases, files }: StatsReport): string {
  const where = files.length === 1 ? escapeUnprintable(files[0].file) : `${formatNumber(files.length)} files`;
  const bad = files.filter(({ error }) => error !== null).length;
  const which = files.length === 1 ? 'the file' : `${formatNumber(bad)} of them`;
  return `${where}: ${formatQuantity(cases, 'case')} of ${problem}${bad === 0 ? '' : ` (${which} only up to the first error)`}`;
}
