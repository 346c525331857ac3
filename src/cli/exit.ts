/** Ends a run: prints the error message, and chooses the exit code for the kind of failure. */
import { styleText } from 'node:util';
import { BoardmillError, describeShortage, type FailureKind, Interrupted } from '../core/errors.js';
import { errorOfFailedWrite } from '../core/files/files.js';
import { escapeUnprintable } from '../core/printable.js';
import { exitCodeOfSignal } from './signals.js';
import { writeAboveStatus } from './status/terminal.js';

export const EXIT_CODE = {
  /** Every case was answered. For commands that compare answers, all answers are also right. */
  ok: 0,
  /** Some cases have wrong answers, failed, or were answered `ERROR` under `--on-error mark`. */
  differs: 1,
  /** The command line is wrong, or a file cannot be opened, created or overwritten. */
  usage: 2,
  invalidInput: 3,
  /** A worker, an external program, the system or boardmill itself failed. */
  failure: 4,
  /** The program that reads standard output closed it: 128 + SIGPIPE. */
  closedPipe: 141,
} as const;

const EXIT_CODE_OF_FAILURE: Record<Exclude<FailureKind, 'interrupted'>, number> = {
  usage: EXIT_CODE.usage,
  file: EXIT_CODE.usage,
  input: EXIT_CODE.invalidInput,
  io: EXIT_CODE.failure,
  worker: EXIT_CODE.failure,
  'closed-pipe': EXIT_CODE.closedPipe,
};

/** Returns the exit code for an error that ended the run. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return exitCodeOfSignal(error.signal);
  return error instanceof BoardmillError
    ? EXIT_CODE_OF_FAILURE[error.kind as keyof typeof EXIT_CODE_OF_FAILURE]
    : EXIT_CODE.failure;
}

/** Prints the error on one line of standard error, and returns its exit code. Nothing is printed if a pipe was closed. */
export function reportError(error: unknown): number {
  if (isFailedWrite(error)) return reportError(errorOfFailedWrite('standard output', error));
  if (!(error instanceof BoardmillError)) {
    const message = error instanceof Error ? error.message : String(error);
    printError(
      describeShortage(error) ?? `internal error: ${message} (this is a bug in boardmill; please report it)`,
    );
    if (process.env.BOARDMILL_DEBUG && error instanceof Error) writeAboveStatus(`${error.stack}\n`);
  } else if (error.kind !== 'closed-pipe') {
    printError(error.message);
  }
  return exitCodeOf(error);
}

/** Whether the error comes from a write to standard output that no code waits for, as those of help texts and lists. */
function isFailedWrite(error: unknown): boolean {
  return !(error instanceof BoardmillError) && (error as NodeJS.ErrnoException | null)?.syscall === 'write';
}

/** Prints a message about a failure on standard error, after the prefix `boardmill:` in red. */
export function printError(message: string): void {
  printAfter(styleText('red', 'boardmill:', { stream: process.stderr }), message);
}

/** Prints any other message on standard error, after the prefix `boardmill:`. */
export function printMessage(message: string): void {
  printAfter('boardmill:', message);
}

/** Prints the prefix and the message on a line. Nothing is printed if the message is empty. */
function printAfter(prefix: string, message: string): void {
  if (message !== '') writeAboveStatus(`${prefix} ${escapeUnprintable(message)}\n`);
}

/** Prints a message that the user should see although nothing failed. */
export type PrintNote = (message: string) => void;

/** Returns a function that prints notes; with `--quiet` it prints nothing. */
export function notePrinter(isQuiet: boolean): PrintNote {
  return isQuiet ? () => {} : printMessage;
}
