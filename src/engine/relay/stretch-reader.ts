/** Reads the bytes of one stretch after another into memory that is used again. */
import { readSync } from 'node:fs';
import { HASH_BLOCK_BYTES, STRETCH_READ_AHEAD_BYTES } from '../limits.js';

/**
 * Fills `buffer` with the bytes of the input from `offset` on. Returns their number, which may be smaller than the buffer, and is
 * 0 only at the end of the input.
 */
export type ReadBytes = (buffer: Uint8Array, offset: number) => number;

/** Returns a function that reads an open file. */
export function readFile(descriptor: number): ReadBytes {
  return (buffer, offset) => readSync(descriptor, buffer, 0, buffer.length, offset);
}

export class StretchReader {
  #read: ReadBytes = () => 0;
  #buffer = new Uint8Array(0);
  /** The offset in the input at which the bytes in the buffer begin. */
  #start = 0;
  #length = 0;
  #isAtEnd = false;
  /** Why no more bytes can be read; null if they can. */
  #failure: { readonly error: unknown } | null = null;

  /** The offset in the input behind the last byte that was read. */
  get end(): number {
    return this.#start + this.#length;
  }

  /** Whether the input ends behind the last byte that was read. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** Reads the bytes from offset `from` to `to`, and some more, in which the last case may end. Drops all earlier bytes. */
  load(read: ReadBytes, from: number, to: number): void {
    this.#read = read;
    this.#start = from;
    this.#length = 0;
    this.#isAtEnd = false;
    this.#failure = null;
    this.#fill(to - from + STRETCH_READ_AHEAD_BYTES);
  }

  /**
   * Returns all bytes that were read, from this offset of the input on. They are valid until the next call of `load`. If the offset
   * is behind them, the bytes from the start of its block on are read, because a hash needs whole blocks.
   */
  bytesFrom(offset: number): Uint8Array {
    if (offset > this.end) this.load(this.#read, offset - (offset % HASH_BLOCK_BYTES), offset);
    return this.#buffer.subarray(offset - this.#start, this.#length);
  }

  /** Reads more bytes behind those that were read. Throws if that is impossible. */
  readMore(): void {
    if (this.#failure !== null) throw this.#failure.error;
    this.#fill(this.#length + Math.max(STRETCH_READ_AHEAD_BYTES, this.#length >> 2));
  }

  #fill(length: number): void {
    if (length > this.#buffer.length) this.#grow(length);
    try {
      while (this.#length < length && !this.#isAtEnd) {
        const count = this.#read(this.#buffer.subarray(this.#length, length), this.end);
        this.#isAtEnd = count === 0;
        this.#length += count;
      }
    } catch (error) {
      // The bytes before are used first.
      this.#failure = { error };
    }
  }

  #grow(length: number): void {
    const grown = new Uint8Array(length + (length >> 2));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}
