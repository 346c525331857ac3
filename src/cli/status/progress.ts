/** Shows the progress bar of a run on the terminal. */
import type { RunTally } from '../../engine/tally.js';
import { clearStatus, redrawStatus, showStatus } from './terminal.js';

const REFRESH_INTERVAL_MS = 100;
/**
 * The largest width of the progress bar's line, which is enough for all its parts. If the user makes the terminal narrower, the
 * line wraps. Then only as many lines as are kept empty above the bar can be cleared again.
 */
const MAX_LINE_WIDTH = 119;

interface ProgressBar {
  /** Removes the bar from the terminal. */
  stop(): void;
}

const NO_BAR: ProgressBar = { stop: () => {} };

/** Whether to show a progress bar. It is shown only on a terminal, and not with `--no-progress` or `--quiet`, nor in CI. */
export function isBarWanted(options: { quiet: boolean; progress: boolean }): boolean {
  const { CI, TERM } = process.env;
  return Boolean(process.stderr.isTTY) && options.progress && !options.quiet && !CI && TERM !== 'dumb';
}

/** Shows the progress bar, if it is wanted, and updates it until it is stopped. */
export async function startProgress(tally: RunTally, isWanted: boolean): Promise<ProgressBar> {
  if (!isWanted) return NO_BAR;
  // Loaded only if a bar is shown, because in most runs there is no terminal.
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
