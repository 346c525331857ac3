/** The bar on a terminal's standard error. */
import type { Tally } from '../engine/tally.js';

const REFRESH_MS = 100;
const MEGABYTE = 1e6;

export interface Progress {
  stop(): void;
}

const NO_PROGRESS: Progress = { stop: () => {} };

export function isBarWanted(options: { quiet: boolean; progress: boolean }): boolean {
  const { CI, TERM } = process.env;
  return Boolean(process.stderr.isTTY) && options.progress && !options.quiet && !CI && TERM !== 'dumb';
}

export async function startProgress(tally: Tally, isWanted: boolean): Promise<Progress> {
  if (!isWanted) return NO_PROGRESS;
  // Loaded only for who sees it: most runs have no terminal.
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar(
    {
      stream: process.stderr,
      format: (options, params, payload) => formatLine(tally, params, payload, options.barsize ?? 30),
      hideCursor: true,
      clearOnComplete: true,
      fps: 1000 / REFRESH_MS,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(1, 0);
  const timer = setInterval(() => bar.update(fractionDone(tally)), REFRESH_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      bar.update(fractionDone(tally));
      bar.stop();
    },
  };
}

/** 0 to 1; 0 where the size of the input is not known. */
function fractionDone(tally: Tally): number {
  if (tally.inputBytes !== null) return Math.min(1, tally.answeredBytes / Math.max(1, tally.inputBytes));
  if (tally.promised !== null) return Math.min(1, tally.cases / Math.max(1, tally.promised));
  return 0;
}

function formatLine(tally: Tally, _params: unknown, _payload: unknown, width: number): string {
  const { seconds, cases, answeredBytes } = tally;
  const fraction = fractionDone(tally);
  const full = Math.round(fraction * width);
  const isKnown = tally.inputBytes !== null || tally.promised !== null;
  const bar = isKnown
    ? `${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.floor(fraction * 100)}% | `
    : '';
  const eta =
    fraction > 0 && fraction < 1 ? ` | ETA ${formatTime((seconds / fraction) * (1 - fraction))}` : '';
  const rate = `${(answeredBytes / MEGABYTE / seconds).toFixed(2)} MB/s | ${formatCount(cases / seconds)} cases/s`;
  return `${bar}${formatCount(cases)} cases | ${rate}${eta}`;
}

function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function formatTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] > 0 ? parts : parts.slice(1)).map((part) => String(part).padStart(2, '0')).join(':');
}
