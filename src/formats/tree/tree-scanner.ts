/** Finds where the cases of an input end. The format of the input is a tree. */
import { BYTE_ORDER_MARK, findTrimmedEnd, LF, skipByteOrderMark, skipWhitespace } from '../../core/bytes.js';
import type { Fault } from '../../core/errors.js';
import {
  type CaseExtent,
  type CaseRun,
  type CaseScanner,
  type CaseSearch,
  type HeadExtent,
  markInvalidCase,
  NO_TAIL,
  type ScannerOptions,
} from '../input-format.js';
import {
  type CaseStartKind,
  hasLineFields,
  kindOfCaseStart,
  NO_ARRAYS,
  outermostFieldsOf,
} from '../language/shapes.js';
import type { HeadTree } from './case-count.js';
import { Cursor, NEEDS_MORE, READ_OK, STRUCTURE_LOST, skipWhitespaceOnLine } from './cursor.js';
import type { SkipField } from './scan.js';
import { CaseSearchByLine, findCaseByCounts } from './search.js';
import { TreeCaseParser } from './tree-parser.js';
import type { CompiledLayout } from './tree-program.js';

/** The result of `findStart` if more bytes are needed. */
const UNKNOWN_PLACE = -1;
/** The result of `#findNext` if a run of cases ends. */
const NO_NEXT = -1;

export class TreeScanner implements CaseScanner {
  readonly #program: CompiledLayout;
  readonly #cursor = new Cursor();
  readonly #parser: TreeCaseParser;
  readonly #searchByLine: CaseSearchByLine;

  constructor(program: CompiledLayout, { isThorough = false }: ScannerOptions = {}) {
    this.#program = program;
    this.#cursor.environment = program.skip.scope.createEnvironment();
    this.#cursor.isThorough = isThorough;
    this.#parser = new TreeCaseParser(program);
    this.#searchByLine = new CaseSearchByLine(this, this.#parser, program.start);
  }

  readHead(bytes: Uint8Array, end: number, atEnd: boolean): HeadExtent | Fault | null {
    if (!atEnd && end < BYTE_ORDER_MARK.length) return null;
    const from = skipByteOrderMark(bytes, end);
    const { head, start, isWhitespaceNoCase } = this.#program;
    const mayBeginWhitespace = head === null && start === 'any-line' && !isWhitespaceNoCase;
    const isEmpty = (mayBeginWhitespace ? from : skipWhitespace(bytes, from, end)) === end;
    if (isEmpty) return atEnd ? this.#emptyInput(end) : null;
    this.#cursor.start(bytes, from, end, atEnd);
    return head === null ? this.#withoutHead() : this.#readHead(head, this.#program.skip.head as SkipField);
  }

  #emptyInput(end: number): Fault {
    const { head } = this.#program;
    const first = head && outermostFieldsOf(head.shape)[0];
    const description = first?.field.kind === 'scalar' ? first.field.description : null;
    return { offset: end, expected: description ?? first?.name ?? 'a case', got: 'an empty input' };
  }

  #withoutHead(): HeadExtent | null {
    const length = findStart(this.#cursor, this.#program.start);
    return length === UNKNOWN_PLACE ? null : { length, cases: this.#promisedCases, head: null };
  }

  #readHead({ shape }: HeadTree, skipHead: SkipField): HeadExtent | Fault | null {
    const cursor = this.#cursor;
    const first = findStart(cursor, kindOfCaseStart(shape, NO_ARRAYS));
    cursor.at = first;
    const status = skipHead(cursor);
    if (status === NEEDS_MORE) return null;
    const headEnd = status === STRUCTURE_LOST ? cursor.end : cursor.at;
    const fault = this.#parser.readHead(cursor.bytes.subarray(0, cursor.end), first, headEnd);
    if (fault !== null) return fault;
    const length = findStart(cursor, this.#program.start);
    if (length === UNKNOWN_PLACE) return null;
    const lastToken = hasLineFields(shape) ? headEnd : findTrimmedEnd(cursor.bytes, first, headEnd);
    return { length, cases: this.#promisedCases, head: cursor.bytes.slice(first, lastToken) };
  }

  get #promisedCases(): number | null {
    return this.#program.layout.ending.kind === 'single' ? 1 : this.#parser.promisedCases;
  }

  useHead(head: Uint8Array | null): void {
    if (head === null) return;
    this.#cursor.start(head, 0, head.length, true);
    this.#program.skip.head?.(this.#cursor);
    this.#parser.useHead(head);
  }

  skipToCase(bytes: Uint8Array, at: number, end: number): number {
    if (this.#program.start === 'any-line') return at;
    const next = skipWhitespace(bytes, at, end);
    if (this.#program.start === 'token') return next;
    const lineEnd = bytes.subarray(at, next).lastIndexOf(LF);
    return lineEnd < 0 ? at : at + lineEnd + 1;
  }

  findTail(bytes: Uint8Array, at: number, end: number, atEnd: boolean, isLast: boolean): number | null {
    this.#cursor.start(bytes, at, end, atEnd);
    return this.#program.findTail(this.#cursor, isLast);
  }

  findRun(bytes: Uint8Array, at: number, end: number, run: CaseRun): number {
    const { starts, first, base, maxCases, stop } = run;
    let cases = 0;
    for (let start = at; start < stop && cases < maxCases; cases++) {
      const next = this.#findNext(bytes, start, end);
      if (next === NO_NEXT) break;
      starts[first + cases] = start - base;
      starts[first + cases + 1] = next - base;
      start = next;
    }
    return cases;
  }

  /**
   * Returns the start of the case after the one at `start`. Returns NO_NEXT if the tail or an invalid case begins at `start`,
   * or if there is no other case.
   */
  #findNext(bytes: Uint8Array, start: number, end: number): number {
    const program = this.#program;
    const cursor = this.#cursor;
    cursor.start(bytes, start, end, false);
    if (program.findTail(cursor, false) !== NO_TAIL) return NO_NEXT;
    cursor.start(bytes, start, end, false);
    if (program.skip.case(cursor) !== READ_OK || cursor.at === start) return NO_NEXT;
    const next = findStart(cursor, program.start);
    if (next === UNKNOWN_PLACE || next - start >= program.maxCaseBytes) return NO_NEXT;
    return program.findSurplus === null || program.findSurplus(cursor, next) === 0 ? next : NO_NEXT;
  }

  findCase(bytes: Uint8Array, start: number, end: number, atEnd: boolean, extent: CaseExtent): boolean {
    const cursor = this.#cursor;
    cursor.start(bytes, start, end, atEnd);
    const status = this.#program.skip.case(cursor);
    if (status === STRUCTURE_LOST)
      return markInvalidCase(extent, Math.max(cursor.at, start), Math.max(cursor.at, cursor.to));
    const hasBytes = cursor.at > start;
    return status === READ_OK && (hasBytes ? this.#findCaseEnd(extent) : this.#refuseEmptyCase(extent));
  }

  /** Marks a case without bytes as invalid, because the scan would find it again and again at the same place. */
  #refuseEmptyCase(extent: CaseExtent): boolean {
    const cursor = this.#cursor;
    return cursor.findToken() !== NEEDS_MORE && markInvalidCase(extent, cursor.to, cursor.to);
  }

  /** Finds the end of the case whose last field ends at the cursor. Returns false if more bytes are needed. */
  #findCaseEnd(extent: CaseExtent): boolean {
    const cursor = this.#cursor;
    const fieldsEnd = cursor.at;
    const next = findStart(cursor, this.#program.start);
    if (next === UNKNOWN_PLACE) return false;
    const { findSurplus } = this.#program;
    const surplusEnd = findSurplus === null || next === cursor.end ? 0 : findSurplus(cursor, next);
    if (surplusEnd === null) return false;
    if (surplusEnd > 0) return markInvalidCase(extent, surplusEnd, surplusEnd);
    extent.end = extent.neededEnd =
      next === cursor.end && this.#program.start !== 'any-line' ? fieldsEnd : next;
    extent.isInvalid = false;
    return true;
  }

  findNextCase(bytes: Uint8Array, end: number, atEnd: boolean, search: CaseSearch): boolean {
    const { headerNumbers } = this.#program;
    return headerNumbers > 0
      ? findCaseByCounts(bytes, end, atEnd, search, headerNumbers)
      : this.#searchByLine.continue(bytes, end, atEnd, search);
  }
}

/** Returns the index at which the next case begins, `end` if no case follows, and UNKNOWN_PLACE if more bytes are needed. */
function findStart(cursor: Cursor, start: CaseStartKind): number {
  const { bytes, at, end, atEnd, isAtLineStart } = cursor;
  if (start === 'any-line') return findAnyLine(cursor);
  const next = skipWhitespace(bytes, at, end);
  if (next === end) return atEnd ? end : UNKNOWN_PLACE;
  if (start === 'token') return next;
  const lineEnd = bytes.subarray(at, next).lastIndexOf(LF);
  if (lineEnd >= 0) return at + lineEnd + 1;
  return isAtLineStart ? at : next;
}

function findAnyLine({ bytes, at, end, atEnd, isAtLineStart }: Cursor): number {
  if (isAtLineStart) return at;
  const next = skipWhitespaceOnLine(bytes, at, end);
  if (next === end) return atEnd ? end : UNKNOWN_PLACE;
  return bytes[next] === LF ? next + 1 : next;
}
