import { KIB } from '../../core/bytes.js';

/** Smallest block of shared memory for the bytes of a chunk. */
const MIN_CHUNK_BUFFER_BYTES = 4 * KIB;

/** Keeps buffers of shared memory that are free, so that they can be used again. */
export class FreeBuffers {
  readonly #buffers: SharedArrayBuffer[] = [];

  /**
   * Returns a free buffer of at least `length` bytes, or a new buffer. Because chunks grow, a free buffer that is too small is
   * dropped.
   */
  take(length: number): SharedArrayBuffer {
    const free = this.#buffers.pop();
    if (free !== undefined && free.byteLength >= length) return free;
    return new SharedArrayBuffer(2 ** Math.ceil(Math.log2(Math.max(length, MIN_CHUNK_BUFFER_BYTES))));
  }

  /** Makes a buffer available again. A buffer that is not shared memory is left to the garbage collector. */
  giveBack(buffer: ArrayBufferLike): void {
    if (buffer instanceof SharedArrayBuffer) this.#buffers.push(buffer);
  }
}
