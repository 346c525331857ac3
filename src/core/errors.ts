/** Every failure that a user can see, as data. The kind of a failure decides the exit code (cli/exit.ts). */
import type { Location } from './location.js';

/** What failed. The kind of a failure decides the exit code of the command line. */
export type FailureKind =
  /** The command line, or a call of the library, is wrong or contradicts itself. */
  | 'usage'
  /** A file cannot be opened or created. */
  | 'file'
  /** The input breaks the input format. */
  | 'input'
  /** A read or a write failed after the file was opened. */
  | 'io'
  /** A worker thread or an external program failed. */
  | 'worker'
  /** A signal stopped the run. */
  | 'interrupted'
  /** The process that reads boardmill's standard output has ended. */
  | 'closed-pipe';

/** What caused an error. This is no `ErrorOptions`, so that programs compile with `lib` ES2020, too. */
export interface ErrorCause {
  readonly cause?: unknown;
}

/** A failure with a message for the user. Any other exception is a bug in boardmill. */
export class BoardmillError extends Error {
  /** The name of the class, as stack traces show it. */
  override readonly name: string = 'BoardmillError';

  constructor(
    /** What failed. */
    readonly kind: FailureKind,
    /** What the user is told. */
    message: string,
    /** What caused it. */
    options?: ErrorCause,
  ) {
    super(message, options);
  }
}

/** An error in an input: what was expected and what was found. `offset` is an index into the bytes that were parsed. */
export interface Fault {
  readonly offset: number;
  readonly expected: string;
  readonly got: string;
}

/** Why a case has no answer. */
export type FaultReason =
  /** The case breaks the input format. */
  | { readonly kind: 'input'; readonly expected: string; readonly got: string }
  /**
   * The solver died or threw an error on the case, took too long, or refused the case because only the portable
   * solver can solve it, or because the result would be too large.
   */
  | { readonly kind: 'crash' | 'timeout' | 'refused'; readonly reason: string }
  /** The module of the problem is wrong, so that no run with it can be trusted. The run ends. */
  | { readonly kind: 'author'; readonly reason: string };

/**
 * A test case without an answer, or a fault outside the cases (`caseNumber` is null), with its location in the
 * input.
 */
export interface LocatedFault extends Location {
  /** The name of the input, as the user typed it. */
  readonly input: string;
  /** The number of the case in the input, from 1; null if the fault is outside the cases. */
  readonly caseNumber: number | null;
  /** "expected ..., got ...", or how the solver failed. */
  readonly description: string;
  /** What breaks the input format. Missing if the solver failed. */
  readonly mismatch?: {
    /** What the input format expects at the place of the error. */
    readonly expected: string;
    /** What the input has at the place of the error, shortened if it is long. */
    readonly got: string;
  };
}

/** The fault as one line: "file:line:column: case K: expected ..., got ...". */
export function describeFault(fault: LocatedFault): string {
  return `${fault.input}:${fault.line}:${fault.column}: ${describeFaultWithoutPlace(fault)}`;
}

/** The fault without its place: "case K: expected ..., got ...". */
export function describeFaultWithoutPlace({ caseNumber, description }: LocatedFault): string {
  return `${caseNumber === null ? '' : `case ${caseNumber}: `}${description}`;
}

export function describeMismatch({ expected, got }: { expected: string; got: string }): string {
  return `expected ${expected}, got ${got}`;
}

/** The count with the noun in singular or plural: "1 case", "2 cases". */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The input has an error (kind `input`), or a valid case has no answer (kind `worker`). The message names the place. */
export class CaseError extends BoardmillError {
  /** The name of the class, as stack traces show it. */
  override readonly name = 'CaseError';

  constructor(
    /** Whether the case is invalid, or its solver failed. */
    kind: 'input' | 'worker',
    /** The case, with its location and what is wrong with it. */
    readonly fault: LocatedFault,
  ) {
    super(kind, describeFault(fault));
  }

  /** The name of the input. */
  get file(): string {
    return this.fault.input;
  }

  /** The line in the input, from 1. */
  get line(): number {
    return this.fault.line;
  }

  /** The column in bytes, from 1. */
  get column(): number {
    return this.fault.column;
  }

  /** Number of the case; null if the error is outside the cases. */
  get case(): number | null {
    return this.fault.caseNumber;
  }

  /** What the input format expects at the place of the error. Null if the case is valid, but its solver failed. */
  get expected(): string | null {
    return this.fault.mismatch?.expected ?? null;
  }

  /** What the input has at the place of the error. Null if the case is valid, but its solver failed. */
  get got(): string | null {
    return this.fault.mismatch?.got ?? null;
  }
}

/** The signals that stop a run. */
export type StopSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

/** Two answers that should be equal differ, so no answer of the run can be trusted. Files with its answers are not kept. */
export class WrongAnswerError extends BoardmillError {
  constructor(message: string) {
    super('worker', message);
  }
}

/**
 * A signal stopped the run. The answers to all cases before the one where the run stopped are written. Only the command line
 * listens to signals of the process. The library does not: it throws the reason of the AbortSignal that stopped a call.
 */
export class Interrupted extends BoardmillError {
  constructor(
    /** The signal that stopped the run, such as `SIGTERM`. */
    readonly signal: StopSignal,
    /** What the user is told. */
    message: string,
  ) {
    super('interrupted', message);
  }
}

/** The work with other processes failed, as when a connection broke. A later run may go on where this one stopped. */
export class OutageError extends BoardmillError {
  constructor(message: string, options?: ErrorCause) {
    super('worker', message, options);
  }
}

/** What a process may lack, by the words of Node's messages about it. */
const LACKS: readonly (readonly [words: RegExp, reason: string])[] = [
  [/\buv_cwd\b/, 'the working directory has been removed'],
  [
    /\bAccess to this API has been restricted\b/,
    'the permission model of Node.js forbids something that boardmill needs: files, threads or child processes',
  ],
  [
    /\bE[MN]FILE\b/,
    'the process may not open more files; raise the limit (ulimit -n), or use fewer workers (-j 1)',
  ],
  [
    /\bENOMEM\b|out of memory|allocation failed|could not allocate/i,
    'there is not enough memory; raise the limit (ulimit -v), or use fewer workers (-j 1)',
  ],
];

/** Returns what the process lacks, such as files or memory, if that is why something failed, and what helps; otherwise null. */
export function describeShortage(error: unknown): string | null {
  const message = error instanceof Error ? error.message : String(error);
  return LACKS.find(([words]) => words.test(message))?.[1] ?? null;
}

/** The codes that Node gives to its own errors if the process lacks something. */
const CODES_OF_SHORTAGES = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ERR_WORKER_INIT_FAILED',
  'ERR_ACCESS_DENIED',
]);

/** As describeShortage, for an error that may also come from code of a user, whose message may be any text. */
export function describeShortageOfSystem(error: {
  readonly code?: unknown;
  readonly message: string;
}): string | null {
  return CODES_OF_SHORTAGES.has(String(error.code)) ? describeShortage(error.message) : null;
}

/**
 * Returns the short reason of a failed system call, such as "no such file or directory", without the error code and
 * the path that Node adds.
 */
export function systemReason(error: unknown): string {
  const shortage = describeShortage(error);
  if (shortage !== null) return shortage;
  const message = error instanceof Error ? error.message : String(error);
  const match = /^[A-Z0-9_]+: ([^,]+)/.exec(message);
  return match?.[1] ?? message;
}
