/** Every failure a user can meet, as data: what kind it is decides the exit code (cli/exit.ts). */
import type { Position } from './position.js';

export type FailureKind =
  /** The command line asks for something that makes no sense. */
  | 'usage'
  /** A file cannot be opened or created. */
  | 'file'
  /** The input breaks its format. */
  | 'input'
  /** A read or a write failed under way. */
  | 'io'
  /** A worker thread or an external program failed. */
  | 'worker'
  /** The reader of our standard output went away. */
  | 'closed-pipe';

/** A failure with a message for the user; anything else that is thrown is a defect of ours. */
export class BoardmillError extends Error {
  override readonly name = 'BoardmillError';

  constructor(
    readonly kind: FailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What was found in an input and what belongs there; `offset` counts bytes from where the reading began. */
export interface Fault {
  readonly offset: number;
  readonly expected: string;
  readonly got: string;
}

/** A fault with its place in the whole input; `caseNumber` is null outside the cases. */
export interface PlacedFault extends Position {
  readonly input: string;
  readonly caseNumber: number | null;
  readonly expected: string;
  readonly got: string;
}

export function describeFault(fault: PlacedFault): string {
  const place = `${fault.input}:${fault.line}:${fault.column}`;
  const subject = fault.caseNumber === null ? '' : `case ${fault.caseNumber}: `;
  return `${place}: ${subject}expected ${fault.expected}, got ${fault.got}`;
}

export class InputError extends BoardmillError {
  constructor(readonly fault: PlacedFault) {
    super('input', describeFault(fault));
  }
}

/** The short reason of a failed system call, without Node's decoration: "no such file or directory". */
export function systemReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const match = /^[A-Z0-9_]+: ([^,]+)/.exec(message);
  return match?.[1] ?? message;
}
