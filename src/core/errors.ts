/** Every failure a user can meet, as data: what kind it is decides the exit code (cli/exit.ts). */
import type { Location } from './location.js';

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
  /** A signal asked to stop. */
  | 'interrupted'
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

/** Why a case has no answer. */
export type FaultReason =
  /** The case breaks the input format. */
  | { readonly kind: 'input'; readonly expected: string; readonly got: string }
  /** The solver died or threw on the case, took too long, or refuses it because only the portable solver can solve it. */
  | { readonly kind: 'crash' | 'timeout' | 'refused'; readonly reason: string };

/** A test case of the input that has no answer, or a fault outside the cases (`caseNumber` null). */
export interface LocatedFault extends Location {
  readonly input: string;
  readonly caseNumber: number | null;
  /** "expected ..., got ...", or what became of its solver. */
  readonly what: string;
}

export function describeFault(fault: LocatedFault): string {
  const place = `${fault.input}:${fault.line}:${fault.column}`;
  const subject = fault.caseNumber === null ? '' : `case ${fault.caseNumber}: `;
  return `${place}: ${subject}${fault.what}`;
}

export function describeMismatch({ expected, got }: { expected: string; got: string }): string {
  return `expected ${expected}, got ${got}`;
}

/** "1 case", "2 cases". */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The input is bad at one place (kind `input`), or a good case has no answer (kind `worker`). */
export class CaseError extends BoardmillError {
  constructor(
    kind: 'input' | 'worker',
    readonly fault: LocatedFault,
  ) {
    super(kind, describeFault(fault));
  }
}

/** A signal ended the run in good order. */
export class Interrupted extends BoardmillError {
  constructor(
    readonly signal: NodeJS.Signals,
    message: string,
  ) {
    super('interrupted', message);
  }
}

/** The short reason of a failed system call, without Node's decoration: "no such file or directory". */
export function systemReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const match = /^[A-Z0-9_]+: ([^,]+)/.exec(message);
  return match?.[1] ?? message;
}
