import { MIN_CHUNK_BUFFER_BYTES } from './limits.js';

/**
 * Shared memory for the bytes of chunks. The coordinator fills it, and every thread reads the bytes in place:
 * nothing is copied or transferred on the way to a worker, and nothing is lost if a worker dies. A buffer is used
 * again after its chunk is answered, so there are never more buffers than chunks that are being solved or waiting.
 */
export class ChunkBuffers {
  readonly #freeBuffers: SharedArrayBuffer[] = [];

  /** Copies the bytes to shared memory. */
  store(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
    const copy = new Uint8Array(this.#takeBuffer(bytes.length), 0, bytes.length);
    copy.set(bytes);
    return copy;
  }

  /**
   * Makes the buffer of these bytes available for another chunk. A worker that was given up may still read the
   * buffer, but its result is ignored.
   */
  release({ buffer }: Uint8Array): void {
    if (buffer instanceof SharedArrayBuffer) this.#freeBuffers.push(buffer);
  }

  /**
   * A free buffer of at least this length, or a new one. Because chunks grow, a free buffer that is too small is
   * dropped.
   */
  #takeBuffer(length: number): SharedArrayBuffer {
    const free = this.#freeBuffers.pop();
    if (free !== undefined && free.byteLength >= length) return free;
    return new SharedArrayBuffer(2 ** Math.ceil(Math.log2(Math.max(length, MIN_CHUNK_BUFFER_BYTES))));
  }
}
