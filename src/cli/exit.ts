/** How a run ends: the exit code of each kind of failure, and what the user is told. */
import { styleText } from 'node:util';
import { BoardmillError, type FailureKind, Interrupted } from '../core/errors.js';
import { writeFailure } from '../core/files.js';
import { signalCode } from './signals.js';
import { writeAbove } from './status/terminal.js';

export const EXIT = {
  /** Every case answered; for comparing commands: and all agree. */
  ok: 0,
  /** A case differed, failed or was marked. */
  differs: 1,
  usage: 2,
  invalidInput: 3,
  failure: 4,
  closedPipe: 141,
} as const;

const CODES: Record<Exclude<FailureKind, 'interrupted'>, number> = {
  usage: EXIT.usage,
  file: EXIT.usage,
  input: EXIT.invalidInput,
  io: EXIT.failure,
  worker: EXIT.failure,
  'closed-pipe': EXIT.closedPipe,
};

/** The exit code of a failure. */
export function exitCode(error: unknown): number {
  if (error instanceof Interrupted) return signalCode(error.signal);
  return error instanceof BoardmillError ? CODES[error.kind as keyof typeof CODES] : EXIT.failure;
}

/** Tells the user on standard error, one line, and returns the exit code. */
export function reportError(error: unknown): number {
  if (isWriteError(error)) return reportError(writeFailure('standard output', error));
  if (!(error instanceof BoardmillError)) {
    const message = error instanceof Error ? error.message : String(error);
    printMessage(`internal error: ${message} (a defect of boardmill: please report it)`);
    if (process.env.BOARDMILL_DEBUG && error instanceof Error) writeAbove(`${error.stack}\n`);
  } else if (error.kind !== 'closed-pipe') {
    printMessage(error.message);
  }
  return exitCode(error);
}

/** Whether a write that nobody waited for has failed, as of help and lists to standard output. */
function isWriteError(error: unknown): boolean {
  return !(error instanceof BoardmillError) && (error as NodeJS.ErrnoException | null)?.syscall === 'write';
}

/** Control characters, which names of files may hold, as `\\x1b`: a message is one line, and no command to a terminal. */
export function printable(text: string): string {
  return text.replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

const CONTROL = /\p{Cc}/gu;

export function printMessage(message: string): void {
  if (message === '') return;
  writeAbove(`${styleText('red', 'boardmill:', { stream: process.stderr })} ${printable(message)}\n`);
}
