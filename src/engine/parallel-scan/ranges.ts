/** Where the ranges of an input come from. */
import type { SharedFile } from '../input/source.js';
import type { Handoff } from './handoff.js';
import type { RangeSource, ScanRange } from './range-messages.js';

/** A range that is ready to be given to a worker. */
export interface CutRange extends ScanRange {
  readonly source: RangeSource;
  /** Number of bytes in the range; in the last range of a file, as many as the file had when it was opened. */
  readonly bytes: number;
  /** Says that nobody reads the bytes of the range any more. */
  release(): void;
}

/** A range that was given to a worker. */
export interface Range extends CutRange {
  /** The handoff from the range before, and the one for the range after this one. */
  readonly handoff: Handoff;
  readonly nextHandoff: Handoff;
}

/** Cuts the rest of an input into ranges, which are read elsewhere. */
export interface Ranges {
  /**
   * Begins at the offset at which the coordinator's scan has ended, or before. If workers read the input themselves, each range
   * begins at a multiple of `unit` bytes.
   */
  begin(offset: number, unit: number): void;
  /**
   * Returns the next range, of about `wantedBytes`, as soon as something is in it. Returns null behind the last range, or after
   * the input was closed. Throws if the input cannot be read.
   */
  next(wantedBytes: number): Promise<CutRange | null>;
  /** Ends the reading. Ranges that were given out stay readable until they are released. */
  close(): void;
}

/** The ranges of a regular file. */
export class FileRanges implements Ranges {
  readonly #file: SharedFile;
  /** Lets the file be closed; null if that was said. */
  #release: (() => void) | null;
  #from = 0;
  #unit = 1;

  constructor(file: SharedFile) {
    this.#file = file;
    this.#release = file.hold();
  }

  begin(offset: number, unit: number): void {
    this.#unit = unit;
    this.#from = offset - (offset % unit);
  }

  async next(wantedBytes: number): Promise<CutRange | null> {
    const { descriptor, bytes: fileBytes } = this.#file;
    const from = this.#from;
    if (from === Number.POSITIVE_INFINITY) return null;
    const end = from + Math.ceil(wantedBytes / this.#unit) * this.#unit;
    // The last range has no end, because the file may have grown since it was opened.
    const to = end < fileBytes ? end : Number.POSITIVE_INFINITY;
    this.#from = to;
    const bytes = Math.min(to, fileBytes) - from;
    const source = { kind: 'file', descriptor, fileBytes } as const;
    return { from, to, source, bytes, release: this.#file.hold() };
  }

  close(): void {
    this.#release?.();
    this.#release = null;
  }
}
