/**
 * Formats a report as JSON and as Markdown. If the benchmark program hyperfine has the same field or column, its name is
 * hyperfine's name.
 */
import { printJson } from '../../core/printable.js';
import { formatMegabytes, formatSignificant, formatSpeedRatio } from './numbers.js';
import { type BenchReport, parallelEfficiency } from './report.js';
import { markdownTable } from './tables.js';

/**
 * Formats a report as JSON. Tools that read hyperfine's JSON can read `results`, which has hyperfine's fields and
 * additional fields. Times without a unit in their name are in seconds.
 */
export function toJson(report: BenchReport): string {
  const { summaries, breakdowns, coordinator, caseTimes, ...about } = report;
  const { path, bytes, generatedBy, cases } = report.input;
  const input = { path, bytes, made: generatedBy, cases };
  const results = summaries.map(({ measuredCommand, outliers, difference, ...summary }) => ({
    command: measuredCommand.label,
    mean: summary.mean,
    stddev: summary.stddev,
    median: summary.median,
    user: summary.user,
    system: summary.system,
    min: summary.min,
    max: summary.max,
    times: summary.times,
    peakBytes: summary.peakBytes,
    processors: summary.processors,
    spread: summary.spread,
    outliers,
    casesPerSecond: summary.casesPerSecond,
    bytesPerSecond: summary.bytesPerSecond,
    speed: summary.speed,
    ...measuredCommand.setting,
    efficiency: parallelEfficiency({ measuredCommand, outliers, difference, ...summary }, summaries),
    answers: difference === null ? 'same' : { different: difference },
  }));
  return `${printJson({ results, ...about, input, breakdowns, coordinator, caseTimes }, 2)}\n`;
}

/** If the shortest mean time is less than this number of seconds, the Markdown table shows milliseconds. */
const MILLISECONDS_BELOW_SECONDS = 1;

/**
 * Formats the summary as a Markdown table: hyperfine's columns in hyperfine's unit, then columns about cases and
 * memory.
 */
export function toMarkdown({ summaries }: BenchReport): string {
  const isShort = Math.min(...summaries.map(({ mean }) => mean)) < MILLISECONDS_BELOW_SECONDS;
  const [unit, scale] = isShort ? ['ms', 1000] : ['s', 1];
  const time = (seconds: number) => (seconds * scale).toFixed(isShort ? 1 : 3);
  const headings = [
    'Command',
    `Mean [${unit}]`,
    `Median [${unit}]`,
    `Min [${unit}]`,
    `Max [${unit}]`,
    'Relative speed',
    'Cases/s',
    'MB/s',
    'Processors',
    'Peak [MB]',
  ];
  const rows = summaries.map((summary) => [
    `\`${summary.measuredCommand.label.replaceAll('|', '\\|')}\`${summary.difference === null ? '' : ' **wrong answers**'}`,
    `${time(summary.mean)} ± ${time(summary.stddev)}`,
    time(summary.median),
    time(summary.min),
    time(summary.max),
    formatSpeedRatio(summary.speed),
    formatSignificant(summary.casesPerSecond),
    formatMegabytes(summary.bytesPerSecond),
    summary.processors?.toFixed(2) ?? '-',
    summary.peakBytes === null ? '-' : formatMegabytes(summary.peakBytes),
  ]);
  return markdownTable(headings, rows);
}
