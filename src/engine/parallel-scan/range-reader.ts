/** Reads the bytes of one range after another into memory that is used again. */
import { readSync } from 'node:fs';
import { KIB } from '../../core/bytes.js';
import { type BlockHashes, openBlockHasher } from '../input/input-hash.js';
import { HASH_BLOCK_BYTES, PIPE_SEGMENT_BYTES } from '../limits.js';
import type { MemorySource, RangeScan, ScanRange } from './range-messages.js';

/** Bytes behind a range that are read with it, because its last case ends in them. */
const RANGE_READ_AHEAD_BYTES = 4 * KIB;

/**
 * Bytes before a range of a pipe that a worker copies with it, because its first case, and the block of that case, begin there.
 */
const PIPE_READ_BACK_BYTES = 128 * KIB;

export class RangeReader {
  #source: ScanRange['source'] | null = null;
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

  /** Whether more bytes can be read: always from a file, and from memory if it has more. */
  get hasMore(): boolean {
    return this.#source?.kind !== 'memory' || this.end < this.#source.end;
  }

  /**
   * Reads a range, and some more, in which its last case may end. Drops all earlier bytes. Also reads bytes before the range:
   * one byte of a file, which tells whether the range begins inside a token, and as much of a pipe as its first case and the
   * block of that case usually need.
   */
  load({ source, from, to }: ScanRange): void {
    this.#source = source;
    if (source.kind === 'file') this.#load(Math.max(0, from - 1), Math.min(to, source.end));
    else this.#load(Math.max(source.offset, from - PIPE_READ_BACK_BYTES), source.end);
  }

  /**
   * Makes sure that the byte at this offset of the input, at which the scan of the range begins, is among those that were read,
   * unless the input ends before. If the range is hashed, all bytes from the start of its block on are.
   */
  reach(offset: number, isHashed: boolean): void {
    const from = isHashed ? blockStart(offset) : offset;
    if (from < this.#start || offset > this.end) this.#load(from, Math.max(offset, this.end));
  }

  /**
   * Returns all bytes that were read, from this offset of the input on. They are valid until the next call of `load` or
   * `reach`.
   */
  bytesFrom(offset: number): Uint8Array {
    return this.#buffer.subarray(Math.min(offset - this.#start, this.#length), this.#length);
  }

  /** Hashes the bytes of a range that were read and scanned. Returns null if there are none. */
  async hash({ start, stop }: RangeScan): Promise<BlockHashes | null> {
    if (stop.offset === start) return null;
    const hashBlocks = await openBlockHasher();
    const from = blockStart(start);
    return hashBlocks(this.bytesFrom(from).subarray(0, stop.offset - from));
  }

  /** Reads more bytes behind those that were read. Throws if that is impossible. */
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
      // The bytes before are used first.
      this.#failure = { error };
    }
  }

  /** Fills the buffer with the next bytes. Returns their number, which is 0 if there are no more. */
  #read(buffer: Uint8Array): number {
    const source = this.#source!;
    return source.kind === 'file'
      ? readSync(source.descriptor, buffer, 0, buffer.length, this.end)
      : copySegment(source, buffer, this.end);
  }

  /** Whether the input ends where its source has no more bytes. */
  get #isInputEnd(): boolean {
    return this.#source?.kind !== 'memory' || this.#source.isInputEnd;
  }

  #grow(length: number): void {
    const grown = new Uint8Array(length + (length >> 2));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}

/** Copies bytes of one segment into the buffer, from this offset of the input on. Returns their number. */
function copySegment({ segments, offset, end }: MemorySource, buffer: Uint8Array, at: number): number {
  const from = (at - offset) % PIPE_SEGMENT_BYTES;
  const count = Math.min(buffer.length, PIPE_SEGMENT_BYTES - from, end - at);
  if (count <= 0) return 0;
  const segment = segments[Math.floor((at - offset) / PIPE_SEGMENT_BYTES)];
  buffer.set(new Uint8Array(segment, from, count));
  return count;
}

/** Returns the start of the block in which the hash of these bytes of the input begins. */
export function blockStart(offset: number): number {
  return offset - (offset % HASH_BLOCK_BYTES);
}
