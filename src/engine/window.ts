/**
 * The bytes of an input that have been read and not yet used: `bytes[start, end)`.
 *
 *     0          start              end         bytes.length
 *     |  used    |  not used yet    |  free     |
 */
export class Window {
  /** Grows with the reads, so that a small input needs little memory. */
  bytes = new Uint8Array(0);
  start = 0;
  end = 0;

  /**
   * Appends the bytes of one read. May move the unused bytes to the start of the buffer, and returns the distance: an
   * index into `bytes` from before the call must be reduced by this number.
   */
  append(data: Uint8Array): number {
    const shift = this.end + data.length > this.bytes.length ? this.#makeRoom(data.length) : 0;
    this.bytes.set(data, this.end);
    this.end += data.length;
    return shift;
  }

  #makeRoom(extra: number): number {
    const shift = this.start;
    const kept = this.end - this.start;
    if (kept + extra <= this.bytes.length) {
      this.bytes.copyWithin(0, this.start, this.end);
    } else {
      const grown = new Uint8Array(2 * (kept + extra));
      grown.set(this.bytes.subarray(this.start, this.end));
      this.bytes = grown;
    }
    this.start = 0;
    this.end = kept;
    return shift;
  }
}
