/**
 * Reads a pipe into shared memory, in a thread of its own. So the coordinator's work does not grow with the number of bytes in
 * the pipe. The thread reports to the coordinator when a segment of the memory is full, and otherwise soon after the first byte
 * of a segment has arrived. While it has no segment, it stops reading.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { assertRelation } from '../src/core/assert.js';
import { MIB } from '../src/core/bytes.js';
import { openPipeSocket } from '../src/core/files/pipe-socket.js';
import { PIPE_READ_BYTES, PIPE_SEGMENT_BYTES } from '../src/engine/limits.js';
import type {
  PipeReport,
  PipeSegment,
  PipeThreadSettings,
} from '../src/engine/parallel-scan/pipe-messages.js';

/**
 * Milliseconds after which the thread that reads a pipe reports bytes that do not fill a segment. So the answers, or an error,
 * soon follow the input of a slow program.
 */
const PIPE_REPORT_MS = 50;

/** No pipe holds more bytes, unless the superuser allows it. The segments with which the thread starts have room for them. */
const MAX_BYTES_IN_PIPE = MIB;
assertRelation(MAX_BYTES_IN_PIPE <= PIPE_SEGMENT_BYTES, 'MAX_BYTES_IN_PIPE <= PIPE_SEGMENT_BYTES');

const port = parentPort!;

class PipeThread {
  readonly #segments: PipeSegment[];
  /** Null if the pipe has ended before the thread began to wait for it. */
  readonly #socket: Socket | null;
  /** The buffer for bytes that arrive while the thread has no segment. The bytes are copied to a segment later. */
  readonly #spare = new Uint8Array(PIPE_READ_BYTES);
  /** The first segment that is not full; null if all segments are full. */
  #memory: Uint8Array | null = null;
  #filled = 0;
  #bytes = 0;
  #reportTimer: NodeJS.Timeout | null = null;

  constructor({ path, segments }: PipeThreadSettings) {
    this.#segments = [...segments];
    this.#takeSegment();
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const isAtEnd = this.#readWhatIsThere(descriptor);
    this.#socket = isAtEnd ? null : this.#openSocket(descriptor);
    if (isAtEnd) {
      closeSync(descriptor);
      this.#end(null);
      return;
    }
    port.on('message', (segment: PipeSegment) => {
      this.#segments.push(segment);
      if (this.#memory !== null) return;
      this.#takeSegment();
      this.#socket?.resume();
    });
  }

  /**
   * Reads what the pipe holds when the thread starts. Returns whether the pipe has ended. The thread must ask for that: to
   * those who opened a FIFO after its last writer had gone, Linux does not report its end while they wait.
   */
  #readWhatIsThere(descriptor: number): boolean {
    for (let bytes = 0; bytes <= MAX_BYTES_IN_PIPE; ) {
      const space = this.#freeSpace();
      const count = readNow(descriptor, space);
      if (count === null || count === 0) return count === 0;
      this.#add(space.subarray(0, count));
      bytes += count;
    }
    return false;
  }

  #openSocket(descriptor: number): Socket {
    const socket = openPipeSocket(descriptor, {
      buffer: () => this.#freeSpace(),
      callback: (count, buffer) => this.#add(buffer.subarray(0, count)),
    });
    socket.on('end', () => this.#end(null));
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) =>
      this.#end({ message, ...(code === undefined ? {} : { code }) }),
    );
    return socket;
  }

  #takeSegment(): void {
    const segment = this.#segments.shift();
    this.#memory = segment === undefined ? null : new Uint8Array(segment.memory);
    this.#filled = segment?.filled ?? 0;
  }

  /** Returns the memory for the next read. */
  #freeSpace(): Uint8Array {
    return this.#memory?.subarray(this.#filled, this.#filled + PIPE_READ_BYTES) ?? this.#spare;
  }

  /** Adds bytes that were read. Returns whether the thread may read more bytes. */
  #add(bytes: Uint8Array): boolean {
    const memory = this.#memory!;
    if (bytes.buffer === this.#spare.buffer) memory.set(bytes, this.#filled);
    this.#filled += bytes.length;
    this.#bytes += bytes.length;
    if (this.#filled < memory.length) {
      this.#reportTimer ??= setTimeout(() => this.#report(), PIPE_REPORT_MS);
      return true;
    }
    this.#report();
    this.#takeSegment();
    return this.#memory !== null;
  }

  #end(failure: PipeReport['failure']): void {
    this.#report(failure === null, failure);
    port.close();
  }

  #report(isAtEnd = false, failure: PipeReport['failure'] = null): void {
    if (this.#reportTimer !== null) clearTimeout(this.#reportTimer);
    this.#reportTimer = null;
    port.postMessage({ bytes: this.#bytes, isAtEnd, failure } satisfies PipeReport);
  }
}

/** Returns how many bytes it has read from a pipe: 0 at its end, and null if none have arrived. */
function readNow(descriptor: number, space: Uint8Array): number | null {
  try {
    return readSync(descriptor, space);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}

new PipeThread(workerData as PipeThreadSettings);
