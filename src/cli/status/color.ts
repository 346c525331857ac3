/** Whether texts on standard output are coloured. */
import type { WriteStream } from 'node:tty';

/**
 * Returns whether to colour what goes to this stream. NO_COLOR and TERM=dumb switch colours off on a terminal, and FORCE_COLOR
 * switches them on elsewhere; Node reads all of them for a terminal.
 */
export function wantsColor(
  stream: NodeJS.WriteStream,
  { NO_COLOR, FORCE_COLOR }: NodeJS.ProcessEnv,
): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream.isTTY === true && (stream as unknown as WriteStream).hasColors();
}
