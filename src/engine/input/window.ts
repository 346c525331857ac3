/** Memory for a Window in which the bytes of chunks stay at their place until the chunks are solved. */
export interface WindowMemory {
  /** Returns memory of at least `length` bytes. It replaces the memory that the previous call returned. */
  nextSegment(length: number): Uint8Array;
  /** Whether the current memory contains chunks, so that its bytes must not be moved. */
  readonly isInUse: boolean;
  /** Keeps the bytes of a chunk, which are in the current memory, from being overwritten. */
  keep(bytes: Uint8Array): void;
}

/**
 * The bytes of an input that have been read and not yet used: `bytes[start, end)`.
 *
 *     0          start              end         bytes.length
 *     |  used    |  not used yet    |  free     |
 */
export class InputWindow {
  /** The buffer grows with the size of the reads, so that a small input needs little memory. */
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  /** The memory that holds the bytes if chunks stay in it; null if the window allocates its own buffer. */
  readonly #memory: WindowMemory | null;

  constructor(memory: WindowMemory | null = null) {
    this.#memory = memory;
  }

  /**
   * The free part of the buffer; `reserve` sets its smallest size. Bytes that were read into its beginning are then added with
   * `append`.
   */
  get free(): Uint8Array {
    return this.bytes.subarray(this.end);
  }

  /**
   * Makes the free part of the buffer at least `length` bytes large. It may move the unused bytes to the start of this or
   * another buffer. Returns by how many bytes it has moved them: the caller must reduce its indices into `bytes` by this
   * number.
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
   * Appends the bytes of one read. Bytes that were read into the beginning of the free part are not copied. Like `reserve`, it
   * returns by how many bytes the unused bytes have moved.
   */
  append(data: Uint8Array): number {
    const isInPlace = data.buffer === this.bytes.buffer && data.byteOffset === this.end;
    const shift = isInPlace ? 0 : this.reserve(data.length);
    if (!isInPlace) this.bytes.set(data, this.end);
    this.end += data.length;
    return shift;
  }
}
