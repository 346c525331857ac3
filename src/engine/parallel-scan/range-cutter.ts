/** Cutting an input into ranges, for the parallel scan. */
import type { SharedFile } from '../input/source.js';
import type { ScanRange } from './range-messages.js';

/** Decides where the ranges of the rest of an input begin and end. The bytes of the ranges are read elsewhere. */
export interface RangeCutter {
  /** Whether cutting can start at this offset, and is worth it for cases of this size. */
  canBegin(offset: number, caseBytes: number): boolean;
  /**
   * Starts cutting at the offset at which the coordinator's scan has ended, or before. If workers read the input themselves,
   * each range begins at a multiple of `unit` bytes.
   */
  begin(offset: number, unit: number): void;
  /**
   * Returns the next range, of about `wantedBytes`, as soon as the range has any bytes. Returns null after the last range, or
   * after the input was closed. Throws if the input cannot be read.
   */
  next(wantedBytes: number): Promise<ScanRange | null>;
  /**
   * Tells the cutter where the scan of a range has ended: no later range begins with a case that starts before this offset.
   */
  settle(range: ScanRange, offset: number): void;
  /** Tells the cutter that nobody reads the bytes of the range any more, so that their memory can be reused. */
  release(range: ScanRange): void;
  /** Ends the reading. Ranges that were given out stay readable until they are released. */
  close(): void;
}

/** Cuts a regular file into ranges. */
export class FileRangeCutter implements RangeCutter {
  readonly #file: SharedFile;
  /** Lets the file be closed. */
  readonly #letGo: () => void;
  /** Number of ranges that use the file and are not released yet, plus one until the cutter is closed. */
  #holders = 1;
  #isClosed = false;
  #from = 0;
  #unit = 1;

  constructor(file: SharedFile) {
    this.#file = file;
    this.#letGo = file.hold();
  }

  canBegin(): boolean {
    return true;
  }

  begin(offset: number, unit: number): void {
    this.#unit = unit;
    this.#from = offset - (offset % unit);
  }

  async next(wantedBytes: number): Promise<ScanRange | null> {
    const { descriptor, bytes } = this.#file;
    const from = this.#from;
    if (from === Number.POSITIVE_INFINITY) return null;
    const end = from + Math.ceil(wantedBytes / this.#unit) * this.#unit;
    // The last range has no end, because the file may have grown since it was opened.
    const to = end < bytes ? end : Number.POSITIVE_INFINITY;
    this.#from = to;
    this.#holders++;
    return { from, to, source: { kind: 'file', descriptor, end: bytes } };
  }

  settle(): void {
    // The file keeps its bytes.
  }

  release(): void {
    if (--this.#holders === 0) this.#letGo();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.release();
  }
}
