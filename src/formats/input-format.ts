/**
 * The interface between the engine and the input format of a problem: how test cases are laid out in an input. Like
 * contest programs, an input format reads tokens between whitespace, unless lines matter to it.
 *
 * A `CaseScanner` runs on the coordinator and only finds where cases end. A `CaseParser` runs in the workers and checks
 * every byte of a case. Both always agree on where a good case ends, and the parser returns a fault for every case that
 * the scanner calls bad. The results depend only on the bytes of the input, never on how many bytes have arrived so far.
 */
import type { ByteWriter } from '../core/bytes.js';
import type { Fault } from '../core/errors.js';

export interface InputFormat<Case = unknown> {
  /** Every good case has fewer bytes than this, including all whitespace in it. */
  readonly maxCaseBytes: number;
  /**
   * How an input says that its last case is over: by the number of cases in its head, by a terminator, or by its end. A
   * `single` input is one case.
   */
  readonly ending: 'counted' | 'until-terminator' | 'until-end' | 'single';
  /** What messages call the terminator, such as `"0 0"` with the quotes; null if the format has none. */
  readonly terminator: string | null;
  /** Optional. Why some of an input's cases cannot be an input of their own. Missing or null if they can. */
  readonly indivisibleReason?: string | null;
  /** Describes the layout of an input for people, in one or more lines. */
  describe(): string;
  /**
   * Optional. Returns a fault if the number of cases in a good head is outside the bounds that contest files obey. Scanners
   * take any number of cases. Leading whitespace of the head is allowed.
   */
  findCountFault?(head: Uint8Array): Fault | null;
  createScanner(options?: ScannerOptions): CaseScanner;
  createParser(): CaseParser<Case>;
  /**
   * Writes the part of an input before its first case: the tokens of the head `head`, with `count` in place of the
   * number of cases. If `head` is null, the smallest head that the format allows is written.
   */
  printHead(head: Uint8Array | null, count: number, out: ByteWriter): void;
  /** Writes a case in canonical layout, as programs usually print it. */
  printCase(value: Case, out: ByteWriter): void;
  /** Optional. Writes what stands between two cases, and between the last one and a terminator. Missing if nothing does. */
  printSeparator?(out: ByteWriter): void;
  /** Writes what follows the last case of an input with this head, such as a terminator. */
  printTail(head: Uint8Array | null, out: ByteWriter): void;
  /** Optional. Missing if good cases are always a good input together. */
  readonly joint?: JointCases;
}

/** Decides whether good cases are a good input together. */
export interface JointCases {
  /** Whether that depends on more than the head, so that only the whole input can tell. */
  readonly needsWhole: boolean;
  /** What is wrong with a head that `printHead` has printed; null if nothing is. */
  findHeadFault(head: Uint8Array): Fault | null;
  /**
   * Returns what follows the last case of an input, or what is wrong with the input. `bytes` has the head and the cases, which
   * begin at these offsets. Called only if `needsWhole` is true.
   */
  findTail(bytes: Uint8Array, starts: readonly number[]): { readonly bytes: Uint8Array } | Fault;
}

export interface ScannerOptions {
  /**
   * Whether an invalid case never takes in bytes of the next case. If false, the scanner may jump over bytes of a case that it
   * need not read, and an invalid case may end later. It matters only if the run continues after an invalid case.
   */
  readonly isThorough?: boolean;
}

/** The part of an input before its first case. */
export interface HeadExtent {
  /** Index at which the first case begins: after the head and, unless lines matter, after the whitespace around it. */
  readonly length: number;
  /** The number of cases that the head announces; null if the format has no such number. */
  readonly cases: number | null;
  /**
   * A copy of the bytes of the head, from its first to its last token, or its canonical layout. Null if the format has no
   * head.
   */
  readonly head: Uint8Array | null;
}

/** Where a case ends. The caller passes the same object again for later cases. */
export interface CaseExtent {
  /**
   * Index of the byte after the case: the start of the next case, or the end of the last token if only whitespace follows. If
   * the case is invalid, `end` is the index where the search for the next case begins.
   */
  end: number;
  /** The parser needs the bytes before this index to report what is wrong with the case. It is at least `end`. */
  neededEnd: number;
  isInvalid: boolean;
}

/**
 * Records that a case is invalid, for `findCase`. Always returns true, because the decision needs no more bytes.
 */
export function markInvalid(extent: CaseExtent, end: number, neededEnd: number): true {
  extent.end = end;
  extent.neededEnd = Math.max(end, neededEnd);
  extent.isInvalid = true;
  return true;
}

/** Consecutive cases that `findRun` finds at once. */
export interface CaseRun {
  /**
   * The index of each case, relative to `base`, from element `first` on. The element after the last case is the index at which
   * that case ends.
   */
  readonly starts: Uint32Array;
  readonly first: number;
  readonly base: number;
  /** The run has at most this number of cases. */
  readonly maxCases: number;
  /** No case of the run begins at or after this index. */
  readonly stop: number;
}

/** How far a search for the next case has come. */
export interface CaseSearch {
  /** Index of the next byte that the search will read. */
  at: number;
  /** Whether the byte before `at` belongs to a token that may continue at `at`. */
  isInsideToken: boolean;
}

/** Result of `findTail` if a case begins at the index. */
export const NO_TAIL = -1;

/** What a format may depend on apart from the bytes of a case and the head. */
interface IndexedReading {
  /**
   * Optional. Sets the index, from 0, of the case in its input that the next calls are about. Called after `useHead` or
   * `readHead`. Missing if no case depends on its index.
   */
  useIndex?(index: number): void;
}

/** Finds where the cases of one input end. In all methods, `atEnd` says that no byte follows bytes[end - 1]. */
export interface CaseScanner extends IndexedReading {
  /**
   * Reads the head and the whitespace around it. Returns a fault if the head is malformed or the input is empty, and null if
   * the method needs more bytes, which cannot happen if `atEnd` is true.
   */
  readHead(bytes: Uint8Array, end: number, atEnd: boolean): HeadExtent | Fault | null;
  /** Makes the scanner ready to continue in an input whose head was read by another run. */
  useHead(head: Uint8Array | null): void;
  /** Returns the index at which the next case begins, at or after `at`: whitespace between cases is skipped. */
  skipToCase(bytes: Uint8Array, at: number, end: number): number;
  /**
   * Returns the index after the tail of the input (such as its terminator) if the tail begins at `at`, NO_TAIL if a case
   * begins there, and null if more bytes are needed to decide. `at` is an index that `skipToCase` returned, and `isLast`
   * says that all cases that the head announces were found.
   */
  findTail(bytes: Uint8Array, at: number, end: number, atEnd: boolean, isLast: boolean): number | null;
  /**
   * Optional, and only faster than `findCase`. Finds good cases that follow each other without a gap, of which the first begins
   * at `at`, and writes where they begin into `run`. Returns how many it has found: it stops where `findCase` must decide.
   */
  findRun?(bytes: Uint8Array, at: number, end: number, run: CaseRun): number;
  /** Finds the end of the case that begins at `start`. Returns false if more bytes are needed to decide. */
  findCase(bytes: Uint8Array, start: number, end: number, atEnd: boolean, extent: CaseExtent): boolean;
  /**
   * Starts or continues a search for the next case after an invalid case. Returns true when `search.at` is the index of a case
   * or of the end of the input. Returns false if more bytes are needed; the caller may then drop the bytes before
   * `search.at`.
   */
  findNextCase(bytes: Uint8Array, end: number, atEnd: boolean, search: CaseSearch): boolean;
}

/** Parses the cases of an input, and checks every byte of them. */
export interface CaseParser<Case> extends IndexedReading {
  /** Parses the head of the input whose cases are parsed next. Called before `parse`, also if there is no head. */
  useHead(head: Uint8Array | null): void;
  /** The value of the head, as solvers get it. */
  readonly headValue: unknown;
  /** What is wrong with the case for which `parse` has just returned null. */
  readonly fault: Fault | null;
  /** Number of line ends in the case that was just parsed; -1 if the parser has not counted them. */
  readonly lineEnds: number;
  /**
   * Parses the case in bytes[start, end). Returns null if the case is invalid; then `fault` is its first fault. The method
   * reads bytes from `end` on only to describe a fault. `reused` is the value of an earlier case that is no longer needed;
   * the method may fill it and return it.
   */
  parse(bytes: Uint8Array, start: number, end: number, reused: Case | null): Case | null;
  /** Returns all faults of the case in bytes[start, end), in order. The first one is that of `parse`. */
  findFaults(bytes: Uint8Array, start: number, end: number): Fault[];
}
