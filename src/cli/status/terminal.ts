/**
 * Shows the status: a few lines on the terminal of standard error that are redrawn in the same place. The progress
 * bar and the table of `bench` are examples. At most one status is shown at a time.
 *
 * Between two writes, the cursor is visible at the start of the status, and lines wrap as usual. This has two
 * advantages:
 * - After a resize, boardmill need not know how the terminal wrapped the lines: everything after the cursor is the
 *   status.
 * - If the process is killed, no mode of the terminal has to be restored.
 *
 * cli-progress and log-update have neither advantage. They hide the cursor until they are stopped, and cli-progress
 * also switches line wrapping off. To redraw, they move the cursor by a distance that is wrong after a resize.
 */

/** Returns the lines of the status for a terminal with this number of columns. Longer lines are cut off. */
type RenderStatus = (columns: number) => readonly string[];

/** The size that is assumed for a terminal that does not report its size. */
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/**
 * Number of characters in a line of the status for which boardmill expects one more wrapped line when the terminal
 * shrinks.
 */
const CHARACTERS_PER_WRAP = 20;

const CURSOR_SAVE = '\x1b7';
const CURSOR_RESTORE = '\x1b8';
const CURSOR_DOWN = '\x1b[B';
const CLEAR_LINE_RIGHT = '\x1b[K';
const CLEAR_SCREEN_BELOW = '\x1b[J';
const WRAP_OFF = '\x1b[?7l';
const WRAP_ON = '\x1b[?7h';

/**
 * Clears the line of the cursor, then all lines below it. These are two steps because tmux treats clearing everything
 * after the cursor as the command `clear` if the cursor is on the first line of the screen, and keeps a copy in its
 * history.
 */
const ERASE_STATUS = `\r${CLEAR_LINE_RIGHT}${CURSOR_SAVE}${CURSOR_DOWN}${CLEAR_SCREEN_BELOW}${CURSOR_RESTORE}`;

interface StatusOptions {
  /**
   * Whether empty lines are kept above the status, which are used up if the terminal becomes narrower. Without them, the status
   * is close to the lines above, and old lines of it may remain after a resize.
   */
  readonly hasRoomAbove: boolean;
}

/** The function that renders the current status; null if no status is shown. */
let currentStatus: RenderStatus | null = null;
let hasRoomAbove = true;

/** Shows a status in place of the previous one. The status stays until `clearStatus` is called or the process exits. */
export function showStatus(status: RenderStatus, options: StatusOptions = { hasRoomAbove: true }): void {
  hasRoomAbove = options.hasRoomAbove;
  if (currentStatus === null) {
    process.stderr.on('resize', redrawStatus);
    process.on('exit', clearStatus);
    process.on('SIGTSTP', suspendProcess);
  }
  currentStatus = status;
  redrawStatus();
}

/** Draws the current status again, with its current content and for the current size of the terminal. */
export function redrawStatus(): void {
  if (currentStatus !== null) process.stderr.write(`${ERASE_STATUS}${drawStatus(currentStatus)}`);
}

/** Removes the status. To be called before the process ends itself without running exit handlers. */
export function clearStatus(): void {
  if (currentStatus === null) return;
  currentStatus = null;
  process.stderr.off('resize', redrawStatus);
  process.off('exit', clearStatus);
  process.off('SIGTSTP', suspendProcess);
  process.stderr.write(ERASE_STATUS);
}

/**
 * Handles Ctrl-Z: removes the status, stops the process, and draws the status again when the process is continued.
 */
function suspendProcess(): void {
  process.off('SIGTSTP', suspendProcess);
  process.stderr.write(ERASE_STATUS);
  process.kill(process.pid, 'SIGTSTP');
  process.on('SIGTSTP', suspendProcess);
  redrawStatus();
}

/** Writes whole lines to standard error. If a status is shown, it moves below these lines. */
export function writeAboveStatus(text: string): void {
  process.stderr.write(currentStatus === null ? text : `${ERASE_STATUS}${text}${drawStatus(currentStatus)}`);
}

/**
 * Calls `print`, which writes whole lines to the same terminal through another stream, such as standard output. If a
 * status is shown, it is removed before and drawn again below the lines.
 */
export async function printAboveStatus(print: () => Promise<void>): Promise<void> {
  if (currentStatus !== null) process.stderr.write(ERASE_STATUS);
  await print();
  redrawStatus();
}

/**
 * Returns the text that draws the status and moves the cursor back to its start. The last column stays free, because
 * terminals differ in where the cursor is after a full line. Line wrapping is off during this one write, in case the
 * terminal has become narrower and Node does not know yet.
 */
function drawStatus(status: RenderStatus): string {
  const { columns, rows } = process.stderr;
  const width = (columns || DEFAULT_COLUMNS) - 1;
  const height = Math.max(1, (rows || DEFAULT_ROWS) - 1);
  const lines = status(width).map((line) => line.slice(0, width));
  const shownLines = [...(hasRoomAbove ? emptyLinesAbove(lines) : []), ...lines].slice(-height);
  return `${WRAP_OFF}${shownLines.join('\n')}${WRAP_ON}\r${moveCursorUp(shownLines.length - 1)}`;
}

/**
 * Returns empty lines to draw above the status. The empty lines are used up if the terminal shrinks and wraps the
 * status: tmux scrolls one line off the top of the screen for each wrapped line, even if the bottom is empty, and a
 * line that has left the screen cannot be cleared. There are enough empty lines for a terminal that shrinks to half
 * its width (a third, for a status of one line).
 */
function emptyLinesAbove(lines: readonly string[]): string[] {
  const wraps = lines.reduce((sum, { length }) => sum + Math.floor(length / CHARACTERS_PER_WRAP), 0);
  return Array(Math.min(wraps, lines.length + 1)).fill('');
}

function moveCursorUp(lines: number): string {
  return lines > 0 ? `\x1b[${lines}A` : '';
}
