/**
 * The interface between the engine and the input format of a problem: how test cases are laid out in an input. As contest
 * programs do, most input formats read tokens between whitespace; some also read lines.
 *
 * A `CaseScanner` runs on the coordinator and only finds where cases end. A `CaseParser` runs in the workers and checks every
 * byte of a case. Both always agree on where a valid case ends, and the parser returns a fault for every case that the scanner
 * calls invalid. The results depend only on the bytes of the input, never on how many bytes have arrived so far.
 */
import type { ByteWriter } from '../core/bytes.js';
import type { Fault } from '../core/errors.js';

export interface InputFormat<Case = unknown> {
  /** Every valid case has fewer bytes than this, including all whitespace in it. */
  readonly maxCaseBytes: number;
  /**
   * How an input shows where its last case ends: by the number of cases in its head, by a terminator, or by its own end. A
   * `single` input is one case.
   */
  readonly ending: 'counted' | 'until-terminator' | 'until-end' | 'single';
  /** The terminator as messages show it, such as `"0 0"` with the quotes; null if the format has no terminator. */
  readonly terminator: string | null;
  /** Optional. The reason why an input cannot be made from some cases of another input. Missing or null if it can. */
  readonly indivisibleReason?: string | null;
  /** Describes the layout of an input for people, in one or more lines. */
  describe(): string;
  /**
   * Optional. Returns a fault if the number of cases in a valid head is outside the bounds for contest files. Scanners accept
   * any number of cases. `head` may begin with whitespace.
   */
  findCountFault?(head: Uint8Array): Fault | null;
  createScanner(options?: ScannerOptions): CaseScanner;
  createParser(): CaseParser<Case>;
  /**
   * Writes the part of an input before its first case: the tokens of the head `head`, with `count` in place of the number of
   * cases. If `head` is null, writes the smallest head that the format allows.
   */
  printHead(head: Uint8Array | null, count: number, out: ByteWriter): void;
  /** Number of empty lines that `printCase` writes before a case, and that are no part of the case when it is read. */
  readonly emptyLinesBeforeCase?: number;
  /** Writes a case in canonical layout, as programs usually print it. */
  printCase(value: Case, out: ByteWriter): void;
  /** Optional. Writes the text between two cases, and between the last case and a terminator. Missing if there is none. */
  printSeparator?(out: ByteWriter): void;
  /** Writes the tail of an input with this head, such as a terminator. */
  printTail(head: Uint8Array | null, out: ByteWriter): void;
  /** Optional. Missing if valid cases always form a valid input together. */
  readonly joint?: JointCasesCheck;
}

/** Decides whether valid cases form a valid input together. */
export interface JointCasesCheck {
  /** Whether the decision needs the whole input. If not, it depends only on the head. */
  readonly needsWhole: boolean;
  /** Returns the fault of a head that `printHead` has printed; null if the head has none. */
  findHeadFault(head: Uint8Array): Fault | null;
  /**
   * Returns the tail of an input, or the fault of the input. `bytes` is the head and the cases, which begin at the offsets
   * `starts`. Called only if `needsWhole` is true.
   */
  findTail(bytes: Uint8Array, starts: readonly number[]): { readonly bytes: Uint8Array } | Fault;
}

export interface ScannerOptions {
  /**
   * Whether the scanner reads every byte, so that an invalid case never includes bytes of the next case. If false, the scanner
   * may jump over bytes of a case that it need not read, and an invalid case may end later. This matters only if the run
   * continues after an invalid case.
   */
  readonly isThorough?: boolean;
}

/** The part of an input before its first case. */
export interface HeadExtent {
  /** Index of the first byte of the first case: after the head and, unless lines matter, after the whitespace around it. */
  readonly length: number;
  /** The number of cases that the head announces; null if the format has no such number. */
  readonly cases: number | null;
  /** A copy of the head, from its first to its last token, or the head in canonical layout. Null if the format has no head. */
  readonly head: Uint8Array | null;
}

/** The end of a case that a scanner has found. The caller passes the same object again for later cases. */
export interface CaseExtent {
  /**
   * Index of the byte after the case: the start of the next case, or the end of the last token if only whitespace follows. If
   * the case is invalid, `end` is the index where the search for the next case begins.
   */
  end: number;
  /** Index of the byte after the bytes that the parser needs to describe the fault of the case. At least `end`. */
  neededEnd: number;
  isInvalid: boolean;
}

/** Writes into `extent` that a case is invalid. Returns true, as `findCase` does when it has found the end of a case. */
export function markInvalidCase(extent: CaseExtent, end: number, neededEnd: number): true {
  extent.end = end;
  extent.neededEnd = Math.max(end, neededEnd);
  extent.isInvalid = true;
  return true;
}

/** Consecutive cases that one call of `findRun` has found. */
export interface CaseRun {
  /**
   * The index at which each case begins, relative to `base`. The cases start at element `first`. The element after the last
   * case is the index at which that case ends.
   */
  readonly starts: Uint32Array;
  readonly first: number;
  readonly base: number;
  /** The largest number of cases that the run may have. */
  readonly maxCases: number;
  /** The run has no case that begins at or after this index. */
  readonly stop: number;
}

/** The state of a search for the next case after an invalid one. */
export interface CaseSearch {
  /** Index of the next byte that the search will read. */
  at: number;
  /** Whether the byte before `at` belongs to a token that may continue at `at`. */
  isInsideToken: boolean;
}

/** Result of `findTail` if a case begins at the index. */
export const NO_TAIL = -1;

/** What a format may depend on besides the bytes of a case and the head of the input. */
interface IndexedReading {
  /**
   * Optional. Sets the index, from 0, of the case that the next calls read. Called after `useHead` or `readHead`. Missing if no
   * case depends on its index.
   */
  useIndex?(index: number): void;
}

/** Finds where the cases of one input end. In all methods, `atEnd` is true if no byte follows bytes[end - 1]. */
export interface CaseScanner extends IndexedReading {
  /**
   * Reads the head and the whitespace around it. Returns a fault if the head is malformed or the input is empty. Returns null
   * if the method needs more bytes, which cannot happen if `atEnd` is true.
   */
  readHead(bytes: Uint8Array, end: number, atEnd: boolean): HeadExtent | Fault | null;
  /** Prepares the scanner to continue in an input whose head was read before, by another scanner. */
  useHead(head: Uint8Array | null): void;
  /** Returns the index at which the next case begins: the method skips whitespace from `at` on. */
  skipToCase(bytes: Uint8Array, at: number, end: number): number;
  /**
   * Returns the index after the tail of the input (such as a terminator) if the tail begins at `at`, NO_TAIL if a case begins
   * there, and null if more bytes are needed to decide. `at` is an index that `skipToCase` returned. `isLast` is true if all
   * cases that the head announces were found.
   */
  findTail(bytes: Uint8Array, at: number, end: number, atEnd: boolean, isLast: boolean): number | null;
  /**
   * Optional. The fault of the tail whose index the last call of `findTail` has returned, at that index. Null if the tail has
   * none; missing if tails have none.
   */
  readonly tailFault?: Fault | null;
  /**
   * Optional: does the work of `findCase` faster. Finds valid cases that follow each other without a gap, the first one at
   * `at`, and writes the indices of their starts into `run`. Returns the number of cases found. It stops before a case for
   * which `findCase` is needed.
   */
  findRun?(bytes: Uint8Array, at: number, end: number, run: CaseRun): number;
  /**
   * Optional. Whether the last call of `findRun` has checked every byte of its cases, and found each of them in canonical
   * layout, with exactly the text of `printSeparator` after it. Missing if `findRun` never checks that.
   */
  readonly isRunCanonical?: boolean;
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
  /** Parses the head of the input whose cases are parsed next. Called before `parse`, with null if there is no head. */
  useHead(head: Uint8Array | null): void;
  /** The value of the head, which solvers receive. */
  readonly headValue: unknown;
  /** The first fault of the case for which `parse` has just returned null. */
  readonly fault: Fault | null;
  /** Number of line ends in the case that was just parsed; -1 if the parser has not counted them. */
  readonly lineEnds: number;
  /**
   * Parses the case in bytes[start, end). Returns null if the case is invalid; then `fault` is its first fault. The method
   * reads bytes from `end` on only to describe a fault. `reused` is the value of an earlier case that is no longer needed. The
   * method may overwrite it and return it.
   */
  parse(bytes: Uint8Array, start: number, end: number, reused: Case | null): Case | null;
  /** Returns all faults of the case in bytes[start, end), in order. `parse` stores the first of them in `fault`. */
  findFaults(bytes: Uint8Array, start: number, end: number): Fault[];
}
