/**
 * Formats a report as JSON and as Markdown. Fields and columns that the benchmark program hyperfine has, too, are named as
 * hyperfine names them.
 */
import { printJson } from '../../core/printable.js';
import { formatMegabytes, formatSignificant, formatSpeedRatio } from './numbers.js';
import type { CommandSummary } from './race.js';
import { type BenchReport, parallelEfficiency } from './report.js';
import { markdownTable, tableOf } from './tables.js';

/**
 * Formats a report as JSON. Tools that read hyperfine's JSON can read `results`, which has hyperfine's fields and
 * additional fields. Times without a unit in their name are in seconds.
 */
export function benchReportToJson(report: BenchReport): string {
  const { summaries, breakdowns, coordinator, caseTimes, ...about } = report;
  const { path, bytes, generatedBy, cases } = report.input;
  const input = { path, bytes, made: generatedBy, cases };
  const results = summaries.map((summary) => {
    const { measuredCommand, difference, ...numbers } = summary;
    return {
      command: measuredCommand.label,
      ...numbers,
      ...measuredCommand.setting,
      efficiency: parallelEfficiency(summary, summaries),
      answers: difference === null ? 'same' : { different: difference },
    };
  });
  return `${printJson({ results, ...about, input, breakdowns, coordinator, caseTimes }, 2)}\n`;
}

/** If the shortest mean time is less than this number of seconds, the Markdown table shows milliseconds. */
const MILLISECONDS_BELOW_SECONDS = 1;

/**
 * Formats the summary as a Markdown table: hyperfine's columns in hyperfine's unit, then columns about cases and
 * memory.
 */
export function benchReportToMarkdown({ summaries }: BenchReport): string {
  const isShort = Math.min(...summaries.map(({ mean }) => mean)) < MILLISECONDS_BELOW_SECONDS;
  const [unit, scale] = isShort ? ['ms', 1000] : ['s', 1];
  const time = (seconds: number) => (seconds * scale).toFixed(isShort ? 1 : 3);
  return markdownTable(
    ...tableOf<CommandSummary>(
      {
        Command: ({ measuredCommand: { label }, difference }) =>
          `${label}${difference === null ? '' : ' (wrong answers)'}`,
        [`Mean [${unit}]`]: ({ mean, stddev }) => `${time(mean)} ± ${time(stddev)}`,
        [`Median [${unit}]`]: ({ median }) => time(median),
        [`Min [${unit}]`]: ({ min }) => time(min),
        [`Max [${unit}]`]: ({ max }) => time(max),
        'Relative speed': ({ speed }) => formatSpeedRatio(speed),
        'Cases/s': ({ casesPerSecond }) => formatSignificant(casesPerSecond),
        'MB/s': ({ bytesPerSecond }) => formatMegabytes(bytesPerSecond),
        Processors: ({ processors }) => processors?.toFixed(2) ?? '-',
        'Peak [MB]': ({ peakBytes }) => (peakBytes === null ? '-' : formatMegabytes(peakBytes)),
      },
      summaries,
    ),
  );
}
