/** The place up to which a parser has read a head or a case, and the faults that it has found. */
import { quoteToken, skipWhitespace } from '../../core/bytes.js';
import type { Fault } from '../../core/errors.js';
import { Cursor, LOST, READ, type Status } from './cursor.js';

/** A parser reports no more faults of one case than this. */
const MAX_FAULTS = 1000;

export class CaseCursor extends Cursor {
  readonly faults: Fault[] = [];
  /** Whether the parser has reported a fault and should stop. */
  isStopped = false;
  /** Whether the parser goes on after a fault that leaves the structure of the case clear. */
  isCollecting = false;
  /** The index of the current record of each list around the cursor, from 0, outermost list first. */
  readonly indices: number[] = [];
  /** Index of the row that is being read; -1 before the first row. */
  row = -1;
  /** The number of rows and columns of the grid or table that was read last. */
  rows = 0;
  cols = 0;

  override start(bytes: Uint8Array, at: number, end: number, atEnd: boolean): void {
    super.start(bytes, at, end, atEnd);
    this.faults.length = 0;
    this.isStopped = false;
  }

  /** Reports a fault after which the structure of the case is clear. Returns LOST if the parser should stop. */
  report(offset: number, expected: string, got: string = this.describeToken(offset)): Status {
    this.faults.push({ offset, expected, got });
    this.isStopped = !this.isCollecting || this.faults.length >= MAX_FAULTS;
    return this.isStopped ? LOST : READ;
  }

  /** Reports a fault after which nobody can say how the case goes on. */
  reportLost(offset: number, expected: string, got: string = this.describeToken(offset)): Status {
    this.faults.push({ offset, expected, got });
    this.isStopped = true;
    return LOST;
  }

  /** Reports that the case ends where more was expected. */
  reportMissing(expected: string): Status {
    return this.reportLost(skipWhitespace(this.bytes, this.end, this.bytes.length), expected);
  }

  describeToken(at: number): string {
    return at >= this.bytes.length ? 'the end of the input' : quoteToken(this.bytes, at, this.bytes.length);
  }
}

export type MutableRecord = Record<string, unknown>;
/** Reads fields into a record. The status is LOST if the parser should stop; then a fault was reported. */
export type ReadFields = (cursor: CaseCursor, target: MutableRecord) => Status;
