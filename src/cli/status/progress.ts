/** Shows the progress bar of a run on the terminal. */
import type { Tally } from '../../engine/tally.js';
import { clearStatus, redrawStatus, showStatus } from './terminal.js';

const REFRESH_INTERVAL_MS = 100;
/**
 * Longest line of the progress bar, which has room for everything that it shows. If the user makes the terminal narrower, a
 * line wraps, and only as many lines as are kept empty above the bar can be cleared again.
 */
const MAX_LINE_WIDTH = 119;

interface ProgressBar {
  /** Removes the bar from the terminal. */
  stop(): void;
}

const NO_BAR: ProgressBar = { stop: () => {} };

/** Whether to show a progress bar: only on a terminal, and neither with `--no-progress` or `--quiet` nor in CI. */
export function isBarWanted(options: { quiet: boolean; progress: boolean }): boolean {
  const { CI, TERM } = process.env;
  return Boolean(process.stderr.isTTY) && options.progress && !options.quiet && !CI && TERM !== 'dumb';
}

/** Shows the progress bar, if wanted, and keeps it up to date until it is stopped. */
export async function startProgress(tally: Tally, isWanted: boolean): Promise<ProgressBar> {
  if (!isWanted) return NO_BAR;
  // Loaded only if a bar is shown, because most runs have no terminal.
  const { formatProgress } = await import('./progress-line.js');
  showStatus((columns) => [formatProgress(tally, Math.min(columns, MAX_LINE_WIDTH))]);
  const timer = setInterval(redrawStatus, REFRESH_INTERVAL_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      clearStatus();
    },
  };
}
