import { MIN_CHUNK_BUFFER_BYTES } from './limits.js';

/**
 * Memory for the bytes of chunks, which the coordinator fills and any thread reads where it lies: nothing is
 * copied or moved on the way to a worker, and nothing is lost with a worker that dies. Used again once a chunk
 * is answered; there is never more of it than chunks under way.
 */
export class ChunkBuffers {
  readonly #free: SharedArrayBuffer[] = [];

  /** A copy of the bytes. */
  hold(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
    const held = new Uint8Array(this.#take(bytes.length), 0, bytes.length);
    held.set(bytes);
    return held;
  }

  /** Nobody needs these bytes any more; a worker that was given up may still read them, but nobody listens. */
  release({ buffer }: Uint8Array): void {
    if (buffer instanceof SharedArrayBuffer) this.#free.push(buffer);
  }

  /** Chunks grow: one that has become too small makes room for a larger. */
  #take(length: number): SharedArrayBuffer {
    const free = this.#free.pop();
    if (free !== undefined && free.byteLength >= length) return free;
    return new SharedArrayBuffer(2 ** Math.ceil(Math.log2(Math.max(length, MIN_CHUNK_BUFFER_BYTES))));
  }
}
