/** How `bench` prints numbers, and the sentences in which it reports them. */
import { pluralize } from '../../core/errors.js';
import { formatCount } from '../../core/format-count.js';
import type { OutputDifference } from './race.js';
import { type BenchReport, workersPerCoordinator } from './report.js';
import type { SpeedRatio } from './statistics.js';

const MEGABYTE = 1e6;

/** Formats a time with about three significant digits, in a unit that fits: 1.23 s, 45.6 ms, 789 us. */
export function formatSeconds(seconds: number): string {
  if (seconds >= 1) return `${formatSignificant(seconds)} s`;
  if (seconds >= 1e-3) return `${formatSignificant(seconds * 1e3)} ms`;
  if (seconds >= 1e-6) return `${formatSignificant(seconds * 1e6)} us`;
  return `${formatSignificant(seconds * 1e9)} ns`;
}

/** Formats a number with two decimals below 10, one decimal below 100, and none above: 1.23, 12.3, 1,234. */
export function formatSignificant(value: number): string {
  if (value >= 100) return formatCount(value);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Formats a number of bytes as megabytes, without the unit. */
export function formatMegabytes(bytes: number): string {
  return formatSignificant(bytes / MEGABYTE);
}

/** Formats a share between 0 and 1 as a whole percentage. */
export function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Formats a speed ratio with its confidence interval: 1.98 (1.95-2.01). */
export function formatSpeedRatio({ ratio, low, high }: SpeedRatio): string {
  return `${formatSignificant(ratio)} (${formatSignificant(low)}-${formatSignificant(high)})`;
}

const MAX_QUOTED_CHARACTERS = 40;
const MAX_REASON_CHARACTERS = 200;

/** Describes the first wrong token or answer of an output. Long texts are cut off. */
export function formatOutputDifference(difference: OutputDifference): string {
  const { expected, got } = difference;
  if ('token' in difference) {
    const end = 'the end of the output';
    return `token ${difference.token}: expected ${quote(expected, end)}, got ${quote(got, end)}`;
  }
  const place = difference.case === null ? 'a place between the answers' : `case ${difference.case}`;
  const why = difference.reason === null ? '' : `: ${difference.reason.slice(0, MAX_REASON_CHARACTERS)}`;
  return `${place}: expected ${quote(expected, 'no answer')}, got ${quote(got, 'no answer')}${why}`;
}

/** Returns the text in quotation marks, or `missing` if there is no text. */
function quote(text: string | null, missing: string): string {
  return text === null ? missing : JSON.stringify(text.slice(0, MAX_QUOTED_CHARACTERS));
}

/** Says how fast the coordinator is without any solving, and how many workers it can keep busy at that speed. */
export function describeCoordinator({ coordinator, breakdowns }: BenchReport): string {
  const { busySeconds, cases, bytes } = coordinator;
  const workers = Math.floor(
    Math.min(...breakdowns.map((breakdown) => workersPerCoordinator(breakdown, coordinator))),
  );
  return (
    `The coordinator alone needs ${formatSeconds(busySeconds / cases)} per case, which allows at most ` +
    `${formatSignificant(cases / busySeconds)} cases/s or ${formatMegabytes(bytes / busySeconds)} MB/s: ` +
    `one coordinator can feed ${workers < 1 ? 'less than one worker' : `about ${pluralize(workers, 'worker')}`}.`
  );
}

/** Says what was compared, and on which machine. */
export function describeBenchSetup({ problem, version, input, runs, machine }: BenchReport): string {
  return (
    `${problem}, ${formatCount(input.cases)} cases, ${formatMegabytes(input.bytes)} MB, ` +
    `${pluralize(runs, 'run')} of each program, in turn; boardmill ${version}, Node ${machine.node}, ` +
    `${machine.processors} x ${machine.processor}`
  );
}
