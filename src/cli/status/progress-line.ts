/**
 * What the progress bar says, on one line. cli-progress draws the bar itself; terminal.ts puts the line on the
 * terminal, and says why.
 */
import cliProgress from 'cli-progress';
import type { Tally } from '../../engine/tally.js';
import { formatCases, formatCount, joinFitting } from './status-text.js';

const { Format, Presets } = cliProgress;

const MEGABYTE = 1e6;
/** A shorter bar shows nothing that the percentage does not. */
const MIN_BAR = 5;

/** What the bar shows of a tally. */
export type Counts = Pick<
  Tally,
  'seconds' | 'inputBytes' | 'answeredBytes' | 'resumedBytes' | 'promisedCases' | 'cases' | 'resumedCases'
>;

/**
 * One line of at most `width` characters: ` 42% ETA 01:23 | 1,234,567 cases | 12.3 MB/s | 95,000 cases/s ████░░░`.
 * Where that is too long, the parts at its end are left out. Percentage, ETA and bar need a known size of the input.
 */
export function formatProgress(counts: Counts, width: number): string {
  const { seconds, cases, resumedCases, answeredBytes, resumedBytes } = counts;
  const extent = extentOf(counts);
  const parts = [
    ...(extent === null ? [' '] : [formatPercent(extent), ` ETA ${formatEta(extent, seconds)}`, ' | ']),
    formatCases(cases),
    ` | ${formatDecimal((answeredBytes - resumedBytes) / MEGABYTE / seconds)} MB/s`,
    ` | ${formatCount((cases - resumedCases) / seconds)} cases/s`,
  ];
  const room = width - parts.join('').length - 1;
  if (extent !== null && room >= MIN_BAR) parts.push(` ${formatBar(extent, room)}`);
  return joinFitting(parts, width);
}

/** How far a run has come, in bytes or in cases. */
interface Extent {
  readonly done: number;
  /** By an earlier run that this one resumes. */
  readonly doneBefore: number;
  readonly total: number;
}

/** Null where the size of the input is not known. */
function extentOf(counts: Counts): Extent | null {
  const { inputBytes, answeredBytes, resumedBytes, promisedCases, cases, resumedCases } = counts;
  if (inputBytes !== null) return { done: answeredBytes, doneBefore: resumedBytes, total: inputBytes };
  if (promisedCases !== null) return { done: cases, doneBefore: resumedCases, total: promisedCases };
  return null;
}

/** 0 to 1. */
function fractionOf({ done, total }: Extent): number {
  return Math.min(1, done / Math.max(1, total));
}

function formatPercent(extent: Extent): string {
  return `${Math.floor(fractionOf(extent) * 100)}%`.padStart(4);
}

/** The time for the rest at the speed of this run so far. */
function formatEta({ done, doneBefore, total }: Extent, seconds: number): string {
  const speed = (done - doneBefore) / seconds;
  return speed > 0 ? formatTime(Math.max(0, total - done) / speed) : '--:--';
}

function formatBar(extent: Extent, width: number): string {
  return Format.BarFormat(fractionOf(extent), {
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
