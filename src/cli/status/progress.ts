/** The progress bar on a terminal's standard error. */
import type { Tally } from '../../engine/tally.js';
import { clearStatus, redrawStatus, showStatus } from './terminal.js';

const REFRESH_MS = 100;
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

export async function startProgress(tally: Tally, isWanted: boolean): Promise<Progress> {
  if (!isWanted) return NO_PROGRESS;
  // Loaded only for who sees it: most runs have no terminal.
  const { formatProgress } = await import('./progress-line.js');
  showStatus((columns) => [formatProgress(tally, Math.min(columns, MAX_WIDTH))]);
  const timer = setInterval(redrawStatus, REFRESH_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      clearStatus();
    },
  };
}
