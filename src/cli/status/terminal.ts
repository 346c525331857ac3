/**
 * The status: a few lines on the terminal of standard error that are drawn again and again in the same place. A
 * progress bar is one, and so is the table of `bench`. Only one is shown at a time.
 *
 * Between two writes the cursor is at the start of the status, visible, and lines wrap as usual. This has two uses:
 * - After a resize nothing must be counted. However the terminal has wrapped the lines, the status is all that follows
 *   the cursor.
 * - A process that is killed leaves no mode of the terminal to restore.
 *
 * The terminals of cli-progress and log-update do neither: they hide the cursor (cli-progress also switches line wrap
 * off) until they are stopped, and return to a place or a number of lines that was right before the resize.
 */

/** Returns the lines to show, for a terminal of so many columns. What is wider than that is cut. */
export type Status = (columns: number) => readonly string[];

/** What a terminal has that does not say its size. */
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** A line of so many columns or more may be wrapped by a terminal that shrinks; see `reserveFor`. */
const NARROW_COLUMNS = 20;

const CURSOR_SAVE = '\x1b7';
const CURSOR_RESTORE = '\x1b8';
const CURSOR_DOWN = '\x1b[B';
const CLEAR_LINE_RIGHT = '\x1b[K';
const CLEAR_SCREEN_BELOW = '\x1b[J';
const WRAP_OFF = '\x1b[?7l';
const WRAP_ON = '\x1b[?7h';

/**
 * Clears all that follows the cursor: its own line, then those below. In one step, from the first line of the screen,
 * tmux would take that for `clear` and keep a copy in its history.
 */
const ERASE = `\r${CLEAR_LINE_RIGHT}${CURSOR_SAVE}${CURSOR_DOWN}${CLEAR_SCREEN_BELOW}${CURSOR_RESTORE}`;

/** The status that is on the terminal; null: none. */
let shown: Status | null = null;

/** Shows a status in place of the one before. It is removed by `clearStatus`, or when the process exits. */
export function showStatus(status: Status): void {
  if (shown === null) {
    process.stderr.on('resize', redrawStatus);
    process.on('exit', clearStatus);
    process.on('SIGTSTP', suspend);
  }
  shown = status;
  redrawStatus();
}

export function redrawStatus(): void {
  if (shown !== null) process.stderr.write(`${ERASE}${draw(shown)}`);
}

/** To be called before the process ends itself in a way that runs no exit handlers. */
export function clearStatus(): void {
  if (shown === null) return;
  shown = null;
  process.stderr.off('resize', redrawStatus);
  process.off('exit', clearStatus);
  process.off('SIGTSTP', suspend);
  process.stderr.write(ERASE);
}

/** On ^Z: makes room for the shell, stops as without a handler, and draws the status again when continued. */
function suspend(): void {
  process.off('SIGTSTP', suspend);
  process.stderr.write(ERASE);
  process.kill(process.pid, 'SIGTSTP');
  process.on('SIGTSTP', suspend);
  redrawStatus();
}

/** Writes whole lines to standard error, above the status if there is one. */
export function writeAbove(text: string): void {
  process.stderr.write(shown === null ? text : `${ERASE}${text}${draw(shown)}`);
}

/** Has whole lines written to the same terminal through another stream. */
export async function printAbove(print: () => Promise<void>): Promise<void> {
  if (shown !== null) process.stderr.write(ERASE);
  await print();
  redrawStatus();
}

/**
 * The last column stays free: terminals differ in what they do after it. Wrap is off for the time of this one write,
 * in case the terminal has become narrower and Node has not noticed yet.
 */
function draw(status: Status): string {
  const { columns, rows } = process.stderr;
  const width = (columns || DEFAULT_COLUMNS) - 1;
  const height = Math.max(1, (rows || DEFAULT_ROWS) - 1);
  const lines = status(width).map((line) => line.slice(0, width));
  const shownLines = [...reserveFor(lines), ...lines].slice(-height);
  return `${WRAP_OFF}${shownLines.join('\n')}${WRAP_ON}\r${up(shownLines.length - 1)}`;
}

/**
 * Empty lines above the status, in reserve for a terminal that shrinks to half its width (for a single line: to a third)
 * and wraps the status. tmux makes room for wrapped lines at the top of the screen, even if the bottom is empty, and what
 * leaves the screen there cannot be cleared any more.
 */
function reserveFor(lines: readonly string[]): string[] {
  const wraps = lines.reduce((sum, { length }) => sum + Math.floor(length / NARROW_COLUMNS), 0);
  return Array(Math.min(wraps, lines.length + 1)).fill('');
}

function up(lines: number): string {
  return lines > 0 ? `\x1b[${lines}A` : '';
}
