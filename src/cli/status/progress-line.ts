/**
 * Formats the line of the progress bar: percentage, remaining time, speed, and the bar itself. cli-progress draws the bar.
 * terminal.ts shows the line on the terminal. Its comment explains why cli-progress is not used for that.
 */
import cliProgress from 'cli-progress';
import { formatCount, formatQuantity } from '../../core/format-count.js';
import type { RunTally } from '../../engine/tally.js';
import { joinFitting } from './status-text.js';

const { Format, Presets } = cliProgress;

const MEGABYTE = 1e6;
/** The smallest width of the bar. A shorter bar is left out, because it shows no more than the percentage. */
const MIN_BAR_WIDTH = 5;

/** The fields of a tally from which the line is formatted. */
export type ProgressCounts = Pick<
  RunTally,
  'seconds' | 'inputBytes' | 'answeredBytes' | 'resumedBytes' | 'promisedCases' | 'cases' | 'resumedCases'
>;

/**
 * Formats one line of at most `width` characters, such as
 *
 *      42% ETA 01:23 | 1,234,567 cases | 12.3 MB/s | 95,000 cases/s ████░░░
 *
 * If the line is too long, its last parts are left out. The percentage, the remaining time (ETA) and the bar are
 * shown only if the size of the input or its number of cases is known.
 */
export function formatProgress(counts: ProgressCounts, width: number): string {
  const { seconds, cases, resumedCases, answeredBytes, resumedBytes } = counts;
  const work = measureWorkDone(counts);
  const parts = [
    ...(work === null ? [' '] : [formatPercent(work), ` ETA ${formatEta(work, seconds)}`, ' | ']),
    formatQuantity(cases, 'case'),
    ` | ${formatDecimal((answeredBytes - resumedBytes) / MEGABYTE / seconds)} MB/s`,
    ` | ${formatCount((cases - resumedCases) / seconds)} cases/s`,
  ];
  const room = width - parts.join('').length - 1;
  if (work !== null && room >= MIN_BAR_WIDTH) parts.push(` ${formatBar(work, room)}`);
  return joinFitting(parts, width);
}

/** The amount of the input that is solved, in bytes or in cases. */
interface WorkDone {
  readonly done: number;
  /** The part of `done` that was already solved before this run resumed an interrupted run. */
  readonly doneBefore: number;
  readonly total: number;
}

/** Returns the amount of the input that is solved; null if neither the input's size nor its number of cases is known. */
function measureWorkDone(counts: ProgressCounts): WorkDone | null {
  const { inputBytes, answeredBytes, resumedBytes, promisedCases, cases, resumedCases } = counts;
  if (inputBytes !== null) return { done: answeredBytes, doneBefore: resumedBytes, total: inputBytes };
  if (promisedCases !== null) return { done: cases, doneBefore: resumedCases, total: promisedCases };
  return null;
}

/** Returns the share of the work that is done, from 0 to 1. */
function fractionDone({ done, total }: WorkDone): number {
  return Math.min(1, done / Math.max(1, total));
}

function formatPercent(work: WorkDone): string {
  return `${Math.floor(fractionDone(work) * 100)}%`.padStart(4);
}

/** Formats the estimated remaining time, assuming that this run continues at its average speed so far. */
function formatEta({ done, doneBefore, total }: WorkDone, seconds: number): string {
  const speed = (done - doneBefore) / seconds;
  return speed > 0 ? formatTime(Math.max(0, total - done) / speed) : '--:--';
}

function formatBar(work: WorkDone, width: number): string {
  return Format.BarFormat(fractionDone(work), {
    ...Presets.shades_classic,
    barsize: width,
    barGlue: '',
    barCompleteString: Presets.shades_classic.barCompleteChar.repeat(width),
    barIncompleteString: Presets.shades_classic.barIncompleteChar.repeat(width),
  });
}

function formatDecimal(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}

function formatTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] > 0 ? parts : parts.slice(1)).map((part) => String(part).padStart(2, '0')).join(':');
}
