/** Results as files: JSON and Markdown under the names that hyperfine gives them, and more. */

import { efficiency, type Report } from './report.js';
import { formatSpeedRatio, markdownTable, significant } from './tables.js';

/** `results[]` is what readers of hyperfine's JSON expect, times in seconds. */
export function toJson(report: Report): string {
  const { summaries, breakdowns, coordinator, caseTimes, ...about } = report;
  const results = summaries.map(({ contender, outliers, difference, ...summary }) => ({
    command: contender.label,
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
    ...contender.setting,
    efficiency: efficiency({ contender, outliers, difference, ...summary }, summaries),
    answers: difference === null ? 'same' : { different: difference },
  }));
  return `${JSON.stringify({ results, ...about, breakdowns, coordinator, caseTimes }, null, 2)}\n`;
}

const MS_BELOW = 1;

/** Hyperfine's columns, its unit included, and what is said of cases behind them. */
export function toMarkdown({ summaries }: Report): string {
  const isShort = Math.min(...summaries.map(({ mean }) => mean)) < MS_BELOW;
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
    `\`${summary.contender.label.replaceAll('|', '\\|')}\`${summary.difference === null ? '' : ' **wrong answers**'}`,
    `${time(summary.mean)} ± ${time(summary.stddev)}`,
    time(summary.median),
    time(summary.min),
    time(summary.max),
    formatSpeedRatio(summary),
    significant(summary.casesPerSecond),
    significant(summary.bytesPerSecond / 1e6),
    summary.processors?.toFixed(2) ?? '-',
    summary.peakBytes === null ? '-' : significant(summary.peakBytes / 1e6),
  ]);
  return markdownTable(headings, rows);
}
