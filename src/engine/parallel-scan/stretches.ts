/** Where the stretches of an input come from. */
import type { SharedFile } from '../input/source.js';
import type { Baton } from './baton.js';
import type { StretchBounds, StretchSource } from './stretch-messages.js';

/** A stretch that is ready to be given to a worker. */
export interface CutStretch extends StretchBounds {
  readonly source: StretchSource;
  /** Number of bytes in the stretch; in the last stretch of a file, as many as the file had when it was opened. */
  readonly bytes: number;
  /** Says that nobody reads the bytes of the stretch any more. */
  release(): void;
}

/** A stretch that was given to a worker. */
export interface Stretch extends CutStretch {
  /** The baton from the stretch before, and the one for the stretch after this one. */
  readonly baton: Baton;
  readonly nextBaton: Baton;
}

/** Cuts the rest of an input into stretches, which are read elsewhere. */
export interface Stretches {
  /**
   * Begins at the offset at which the coordinator's scan has ended, or before. If workers read the input themselves, each stretch
   * begins at a multiple of `unit` bytes.
   */
  begin(offset: number, unit: number): void;
  /**
   * Returns the next stretch, of about `wantedBytes`, as soon as something is in it. Returns null behind the last stretch, or after
   * the input was closed. Throws if the input cannot be read.
   */
  next(wantedBytes: number): Promise<CutStretch | null>;
  /** Ends the reading. Stretches that were given out stay readable until they are released. */
  close(): void;
}

/** The stretches of a regular file. */
export class FileStretches implements Stretches {
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

  async next(wantedBytes: number): Promise<CutStretch | null> {
    const { descriptor, bytes: fileBytes } = this.#file;
    const from = this.#from;
    if (from === Number.POSITIVE_INFINITY) return null;
    const end = from + Math.ceil(wantedBytes / this.#unit) * this.#unit;
    // The last stretch has no end, because the file may have grown since it was opened.
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
