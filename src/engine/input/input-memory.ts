import { FreeBuffers } from './free-buffers.js';
import type { WindowMemory } from './window.js';

/**
 * Shared memory for the bytes of an input. The scanner keeps what it has read in a segment of this memory. The chunks that the
 * scanner cuts stay in the segment, and the worker threads read them there. So no bytes are copied for a worker, and no chunk
 * is lost if a worker dies. A segment is reused when all its chunks are answered, so there is at most one segment for each
 * chunk that is being solved or waits, and one more for the scanner.
 */
export class InputMemory implements WindowMemory {
  readonly #freeSegments = new FreeBuffers();
  /**
   * For each segment, the number of its chunks that are not answered yet. A segment is missing if all its chunks are answered.
   */
  readonly #openChunks = new Map<ArrayBufferLike, number>();
  /** The segment into which the scanner reads the input; null before the scanner has asked for one. */
  #current: ArrayBufferLike | null = null;

  /** Gives the scanner another segment, of at least `length` bytes, in place of its current segment. */
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

  /** Keeps the segment with the bytes of a chunk from being reused until the chunk is released. */
  keep({ buffer }: Uint8Array): void {
    this.#openChunks.set(buffer, (this.#openChunks.get(buffer) ?? 0) + 1);
  }

  /**
   * Makes the bytes of an answered chunk available again. A worker that was stopped after a timeout may still read these bytes,
   * but boardmill ignores the result of that worker.
   */
  release({ buffer }: Uint8Array): void {
    const open = (this.#openChunks.get(buffer) ?? 0) - 1;
    if (open > 0) this.#openChunks.set(buffer, open);
    else {
      this.#openChunks.delete(buffer);
      this.#reuse(buffer);
    }
  }

  /** Makes a segment available again, unless a chunk in the segment or the scanner still needs it. */
  #reuse(segment: ArrayBufferLike): void {
    if (segment === this.#current || this.#openChunks.has(segment)) return;
    this.#freeSegments.giveBack(segment);
  }
}
