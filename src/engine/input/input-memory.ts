import { FreeBuffers } from './free-buffers.js';
import type { WindowMemory } from './window.js';

/**
 * Shared memory for the bytes of an input. The scanner keeps what it has read in a segment of this memory. The chunks that it
 * cuts stay there, and the worker threads read them in place. So no bytes are copied for a worker, and no chunk is lost if a
 * worker dies. A segment is used again when all its chunks are answered, so there are never more segments than chunks that are
 * being solved or waiting, and the one that the scanner uses.
 */
export class InputMemory implements WindowMemory {
  readonly #freeSegments = new FreeBuffers();
  /** Number of chunks in each segment that are not answered yet. Segments without such chunks are missing. */
  readonly #openChunks = new Map<ArrayBufferLike, number>();
  /** The segment of the scanner; null before it has one. */
  #current: ArrayBufferLike | null = null;

  /** Gives the scanner a segment of at least `length` bytes in place of the one that it has. */
  nextSegment(length: number): Uint8Array<SharedArrayBuffer> {
    const left = this.#current;
    const segment = this.#freeSegments.take(length);
    this.#current = segment;
    if (left !== null) this.#reuse(left);
    return new Uint8Array(segment);
  }

  /** Whether the segment of the scanner contains a chunk that is not answered yet, so that its bytes must not be moved. */
  get isInUse(): boolean {
    return this.#current !== null && this.#openChunks.has(this.#current);
  }

  /** Keeps the bytes of a chunk, which is a part of a segment, until it is released. */
  keep({ buffer }: Uint8Array): void {
    this.#openChunks.set(buffer, (this.#openChunks.get(buffer) ?? 0) + 1);
  }

  /**
   * Makes the bytes of an answered chunk available again. A worker that was stopped after a timeout may still read them, but
   * the result of that worker is ignored.
   */
  release({ buffer }: Uint8Array): void {
    const open = (this.#openChunks.get(buffer) ?? 0) - 1;
    if (open > 0) this.#openChunks.set(buffer, open);
    else {
      this.#openChunks.delete(buffer);
      this.#reuse(buffer);
    }
  }

  /** Makes a segment available again, unless something in it is still needed. */
  #reuse(segment: ArrayBufferLike): void {
    if (segment === this.#current || this.#openChunks.has(segment)) return;
    this.#freeSegments.giveBack(segment);
  }
}
