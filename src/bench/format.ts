/** Numbers and tables for people. */
import type { Difference } from './answers.js';
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

export function formatSpeed({ speed }: Summary): string {
  return `${significant(speed.ratio)} (${significant(speed.low)}-${significant(speed.high)})`;
}

export function formatDifference({ token, expected, got }: Difference): string {
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
    formatSpeed(summary),
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
export function stageRows({ summaries, profiles }: Report): string[][] {
  return profiles.map((profile) => {
    const { stages, seconds, busySeconds, utilization, setting } = profile;
    const summary = summaries.find(({ contender }) => contender.setting === setting) as Summary;
    const share = efficiency(summary, summaries);
    const { read, split, room, parse, solve, print, dispatch, merge, write } = stages;
    return [
      summary.contender.label,
      ...[seconds, read, split, room, parse, solve, print, dispatch, merge, write].map(formatSeconds),
      percent(utilization),
      percent(busySeconds / seconds),
      share === null ? '-' : percent(share),
    ];
  });
}

export function describeCoordinator({ coordinator, profiles }: Report): string {
  const { busySeconds, cases, bytes } = coordinator;
  const fed = Math.min(...profiles.map((profile) => workersFed(profile, coordinator)));
  return (
    `The coordinator alone: ${formatSeconds(busySeconds / cases)} a case, so at most ` +
    `${significant(cases / busySeconds)} cases/s or ${significant(bytes / MEGABYTE / busySeconds)} MB/s: ` +
    `enough for ${Math.floor(fed)} of the fastest workers here.`
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

/** Columns side by side: words to the left, numbers to the right. */
export function alignTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const rule = line(headings.map((_, column) => (column === 0 ? ':---' : '---:')));
  return line(headings) + rule + rows.map(line).join('');
}
