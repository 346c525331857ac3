/** The memory of a window whose bytes stay where they are while chunks are made of them. */
export interface WindowMemory {
  /** Returns memory of at least `length` bytes, in place of the memory that was returned before. */
  nextSegment(length: number): Uint8Array;
  /** Whether the current memory contains chunks, so that its bytes must not be moved. */
  readonly isInUse: boolean;
  /** Keeps the bytes of a chunk, which are in the current memory. */
  keep(bytes: Uint8Array): void;
}

/**
 * The bytes of an input that have been read and not yet used: `bytes[start, end)`.
 *
 *     0          start              end         bytes.length
 *     |  used    |  not used yet    |  free     |
 */
export class Window {
  /** Grows with the reads, so that a small input needs little memory. */
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  /** Where the bytes are, if chunks stay there; null if the window has memory of its own. */
  readonly #memory: WindowMemory | null;

  constructor(memory: WindowMemory | null = null) {
    this.#memory = memory;
  }

  /** The free part: `reserve` says how large it is at least. Bytes that are read into its beginning can be appended. */
  get free(): Uint8Array {
    return this.bytes.subarray(this.end);
  }

  /**
   * Makes the free part at least as large. May move the unused bytes to the start of the buffer, or of another buffer, and
   * returns the distance: an index into `bytes` from before the call must be reduced by this number.
   */
  reserve(length: number): number {
    if (this.end + length <= this.bytes.length) return 0;
    const shift = this.start;
    const kept = this.end - this.start;
    if (kept + length <= this.bytes.length && this.#memory?.isInUse !== true) {
      this.bytes.copyWithin(0, this.start, this.end);
    } else {
      const size = 2 * (kept + length);
      const grown = this.#memory?.nextSegment(size) ?? new Uint8Array(size);
      grown.set(this.bytes.subarray(this.start, this.end));
      this.bytes = grown;
    }
    this.start = 0;
    this.end = kept;
    return shift;
  }

  /**
   * Appends the bytes of one read. They are not copied if they were read into the beginning of the free part. Returns the same
   * distance as `reserve`.
   */
  append(data: Uint8Array): number {
    const isInPlace = data.buffer === this.bytes.buffer && data.byteOffset === this.end;
    const shift = isInPlace ? 0 : this.reserve(data.length);
    if (!isInPlace) this.bytes.set(data, this.end);
    this.end += data.length;
    return shift;
  }
}
