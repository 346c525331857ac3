/** The position of a parser in a head or a case, and the faults that it has found. */
import { quoteToken, skipWhitespace } from '../../core/bytes.js';
import type { Fault } from '../../core/errors.js';
import { Cursor, READ_OK, type ReadStatus, STRUCTURE_LOST } from './cursor.js';

/** The largest number of faults that a parser reports for one case. */
const MAX_FAULTS = 1000;

export class CaseCursor extends Cursor {
  readonly faults: Fault[] = [];
  /** Whether the parser has reported a fault and should stop. */
  isStopped = false;
  /** Whether the parser continues after a fault that leaves the structure of the case clear. */
  isCollecting = false;
  /** The index of the current record in each list around the cursor, counted from 0. The outermost list is first. */
  readonly indices: number[] = [];
  /** Index of the row that is being read; -1 before the first row. */
  row = -1;
  /** The number of rows and columns of the last grid or table that was read. */
  rows = 0;
  cols = 0;

  override start(bytes: Uint8Array, at: number, end: number, atEnd: boolean): void {
    super.start(bytes, at, end, atEnd);
    // To set the length of an array takes longer than to look at it.
    if (this.faults.length > 0) this.faults.length = 0;
    this.isStopped = false;
  }

  /** Reports a fault that leaves the structure of the case clear. Returns STRUCTURE_LOST if the parser should stop. */
  report(offset: number, expected: string, got: string = this.describeToken(offset)): ReadStatus {
    this.faults.push({ offset, expected, got });
    this.isStopped = !this.isCollecting || this.faults.length >= MAX_FAULTS;
    return this.isStopped ? STRUCTURE_LOST : READ_OK;
  }

  /** Reports a fault after which the structure of the rest of the case is not known. */
  reportLost(offset: number, expected: string, got: string = this.describeToken(offset)): ReadStatus {
    this.faults.push({ offset, expected, got });
    this.isStopped = true;
    return STRUCTURE_LOST;
  }

  /** Reports that the case ends too early: where `expected` should follow. */
  reportMissing(expected: string): ReadStatus {
    return this.reportLost(skipWhitespace(this.bytes, this.end, this.bytes.length), expected);
  }

  describeToken(at: number): string {
    return at >= this.bytes.length ? 'the end of the input' : quoteToken(this.bytes, at, this.bytes.length);
  }
}

export type MutableRecord = Record<string, unknown>;
/** Reads fields into a record. Returns STRUCTURE_LOST if the parser should stop after a fault, which was reported. */
export type ReadFields = (cursor: CaseCursor, target: MutableRecord) => ReadStatus;
