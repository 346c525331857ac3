/** The progress bar on a terminal's standard error. */
import type { Tally } from '../engine/tally.js';
import { clearStatus, redrawStatus, showStatus } from './terminal.js';

const REFRESH_MS = 100;
const MEGABYTE = 1e6;
/** A shorter bar shows nothing that the percentage does not. */
const MIN_BAR = 5;
/** A longer line says no more, and wraps into more lines than the status keeps in reserve. */
const MAX_WIDTH = 119;

export interface Progress {
  stop(): void;
}

const NO_PROGRESS: Progress = { stop: () => {} };

export function isBarWanted(options: { quiet: boolean; progress: boolean }): boolean {
  const { CI, TERM } = process.env;
  return Boolean(process.stderr.isTTY) && options.progress && !options.quiet && !CI && TERM !== 'dumb';
}

export function startProgress(tally: Tally, isWanted: boolean): Progress {
  if (!isWanted) return NO_PROGRESS;
  showStatus((columns) => [formatProgress(tally, Math.min(columns, MAX_WIDTH))]);
  const timer = setInterval(redrawStatus, REFRESH_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      clearStatus();
    },
  };
}

/** What the bar shows of a tally. */
export type Counts = Pick<
  Tally,
  'seconds' | 'inputBytes' | 'answeredBytes' | 'resumedBytes' | 'promised' | 'cases' | 'resumedCases'
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

/** As many of the parts as fit, from the first on; no separator at the end. */
export function joinFitting(parts: readonly string[], width: number): string {
  let text = '';
  for (const part of parts) {
    if (text.length + part.length > width) break;
    text += part;
  }
  return text.replace(/[ |]+$/, '');
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
  const { inputBytes, answeredBytes, resumedBytes, promised, cases, resumedCases } = counts;
  if (inputBytes !== null) return { done: answeredBytes, doneBefore: resumedBytes, total: inputBytes };
  if (promised !== null) return { done: cases, doneBefore: resumedCases, total: promised };
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
  const full = Math.floor(fractionOf(extent) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

export function formatCases(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'case' : 'cases'}`;
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function formatDecimal(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}

function formatTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] > 0 ? parts : parts.slice(1)).map((part) => String(part).padStart(2, '0')).join(':');
}
