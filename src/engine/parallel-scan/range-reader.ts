/** Reads the bytes of ranges, one range after another, into memory that is reused for each range. */
import { readSync } from 'node:fs';
import { KIB } from '../../core/bytes.js';
import { type BlockHashes, hashBlocks } from '../input/input-hash.js';
import { HASH_BLOCK_BYTES, PIPE_SEGMENT_BYTES } from '../limits.js';
import type { MemorySource, RangeScan, ScanRange } from './range-messages.js';

/** Number of bytes after a range that are read together with it, because the last case of the range ends there. */
const RANGE_READ_AHEAD_BYTES = 4 * KIB;

/**
 * Number of bytes before a range of a pipe that a worker copies together with the range, because the first case of the range,
 * and the hash block of that case, begin there.
 */
const PIPE_READ_BACK_BYTES = 128 * KIB;

export class RangeReader {
  #source: ScanRange['source'] | null = null;
  #buffer = new Uint8Array(0);
  /** The offset in the input at which the bytes in the buffer begin. */
  #start = 0;
  #length = 0;
  #isAtEnd = false;
  /** The error because of which no more bytes can be read; null if there is none. */
  #failure: { readonly error: unknown } | null = null;

  /** The offset in the input after the last byte that was read. */
  get end(): number {
    return this.#start + this.#length;
  }

  /** Whether the input ends after the last byte that was read. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** Whether more bytes can be read. For a file the result is always true; for memory only if the memory has more bytes. */
  get hasMore(): boolean {
    return this.#source?.kind !== 'memory' || this.end < this.#source.end;
  }

  /**
   * Reads a range, and some bytes after it, in which the last case of the range may end. Drops all bytes of earlier ranges.
   * Also reads bytes before the range. Of a file, this is one byte, which tells whether the range begins inside a token. Of a
   * pipe, it is as much as the first case of the range and the hash block of that case usually need.
   */
  load({ source, from, to }: ScanRange): void {
    this.#source = source;
    if (source.kind === 'file') this.#load(Math.max(0, from - 1), Math.min(to, source.end));
    else this.#load(Math.max(source.offset, from - PIPE_READ_BACK_BYTES), source.end);
  }

  /**
   * Makes sure that the bytes from this offset of the input on, at which the scan of the range begins, have been read, unless
   * the input ends before. If the range is hashed, the bytes from the start of the hash block with this offset on are read.
   */
  reach(offset: number, isHashed: boolean): void {
    const from = isHashed ? startOfHashBlock(offset) : offset;
    if (from < this.#start || offset > this.end) this.#load(from, Math.max(offset, this.end));
  }

  /**
   * Returns all bytes that were read, from this offset of the input on. They are valid until the next call of `load` or
   * `reach`.
   */
  bytesFrom(offset: number): Uint8Array {
    return this.#buffer.subarray(Math.min(offset - this.#start, this.#length), this.#length);
  }

  /** Hashes the bytes of a range that were read and scanned. Returns null if the range has no such bytes. */
  hash({ start, stop }: RangeScan): BlockHashes | null {
    if (stop.offset === start) return null;
    const from = startOfHashBlock(start);
    return hashBlocks(this.bytesFrom(from).subarray(0, stop.offset - from));
  }

  /** Reads more bytes of the input after the last byte that was read. Throws if that is impossible. */
  readMore(): void {
    if (this.#failure !== null) throw this.#failure.error;
    this.#fill(this.#length + Math.max(RANGE_READ_AHEAD_BYTES, this.#length >> 2));
  }

  #load(from: number, to: number): void {
    this.#start = from;
    this.#length = 0;
    this.#isAtEnd = false;
    this.#failure = null;
    this.#fill(to - from + RANGE_READ_AHEAD_BYTES);
  }

  #fill(length: number): void {
    if (length > this.#buffer.length) this.#grow(length);
    try {
      while (this.#length < length && !this.#isAtEnd) {
        const count = this.#read(this.#buffer.subarray(this.#length, length));
        this.#length += count;
        this.#isAtEnd = count === 0 && this.#isInputEnd;
        if (count === 0) return;
      }
    } catch (error) {
      // The error is thrown only when a later call asks for more bytes: the bytes before the error are used first.
      this.#failure = { error };
    }
  }

  /** Fills the buffer with the next bytes of the input. Returns the number of these bytes, which is 0 at the end. */
  #read(buffer: Uint8Array): number {
    const source = this.#source!;
    return source.kind === 'file'
      ? readSync(source.descriptor, buffer, 0, buffer.length, this.end)
      : copySegment(source, buffer, this.end);
  }

  /** Whether the end of the source is the end of the input: the memory of a range of a pipe may end earlier. */
  get #isInputEnd(): boolean {
    return this.#source?.kind !== 'memory' || this.#source.isInputEnd;
  }

  #grow(length: number): void {
    const grown = new Uint8Array(length + (length >> 2));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}

/** Copies bytes of one segment, from this offset of the input on, into the buffer. Returns the number of copied bytes. */
function copySegment({ segments, offset, end }: MemorySource, buffer: Uint8Array, at: number): number {
  const from = (at - offset) % PIPE_SEGMENT_BYTES;
  const count = Math.min(buffer.length, PIPE_SEGMENT_BYTES - from, end - at);
  if (count <= 0) return 0;
  const segment = segments[Math.floor((at - offset) / PIPE_SEGMENT_BYTES)];
  buffer.set(new Uint8Array(segment, from, count));
  return count;
}

/** Returns the offset at which the hash block begins that contains this offset of the input. */
export function startOfHashBlock(offset: number): number {
  return offset - (offset % HASH_BLOCK_BYTES);
}
