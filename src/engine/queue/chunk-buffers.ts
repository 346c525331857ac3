import { FreeBuffers } from '../input/free-buffers.js';

/**
 * Shared memory for the bytes of chunks that a worker process gets from Redis. The worker process writes the bytes of a chunk
 * to a shared buffer, and its worker threads read them there. A buffer is used again after its chunk is answered. (Chunks of an
 * input that the process reads itself are kept in `InputMemory`.)
 */
export class ChunkBuffers {
  readonly #freeBuffers = new FreeBuffers();

  /** Copies the bytes of a chunk to shared memory, and returns the copy. */
  store(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
    const copy = new Uint8Array(this.#freeBuffers.take(bytes.length), 0, bytes.length);
    copy.set(bytes);
    return copy;
  }

  /**
   * Makes the buffer of an answered chunk available for another chunk. A worker that was stopped after a timeout may still read
   * the buffer, but boardmill ignores the result of that worker.
   */
  release({ buffer }: Uint8Array): void {
    this.#freeBuffers.giveBack(buffer);
  }
}
