/** Finds out which texts suit standard output: their width, their colours and their characters. */
import type { WriteStream } from 'node:tty';

/**
 * Whether to colour the text on this stream. NO_COLOR and TERM=dumb switch colours off on a terminal, and FORCE_COLOR switches
 * them on elsewhere; Node reads all of them for a terminal.
 */
export function wantsColor(
  stream: NodeJS.WriteStream,
  { NO_COLOR, FORCE_COLOR }: NodeJS.ProcessEnv,
): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream.isTTY === true && (stream as unknown as WriteStream).hasColors();
}

/** Whether the environment says that texts are in UTF-8. */
export function localeHasUtf8({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}

/** The width of text if standard output is not a terminal. */
const DEFAULT_WIDTH = 80;

/** Returns the number of columns that a line on standard output may have. */
export function standardOutputWidth(): number {
  return process.stdout.columns || DEFAULT_WIDTH;
}
