/** Reads a pipe or a FIFO piece by piece, and hands it over to a thread that reads the rest. */
import { closeSync, constants, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { readPipe } from '../../core/files/pipe-socket.js';
import { PIPE_KEPT_BYTES, PIPE_READ_BYTES } from '../limits.js';
import type { PipeReport, PipeSegment } from '../parallel-scan/pipe-messages.js';
import { type PipeThread, startPipeThread } from '../parallel-scan/pipe-thread.js';
import { Window } from './window.js';

/** A pipe that the caller can hand over to another thread, instead of reading its pieces to the end. */
export interface SharedPipe {
  /**
   * Keeps the last bytes that are read, and keeps the pipe open when the caller reads no more pieces. Called before the first
   * piece is read. Returns false if no other thread can read this pipe.
   */
  keepLast(): boolean;
  /** The last bytes that were read: PIPE_KEPT_BYTES, or all if there were fewer. */
  readonly kept: KeptBytes;
  /** Lets a thread read the bytes behind the kept ones into these segments. The caller reads no more pieces. */
  readOn(segments: readonly PipeSegment[], onReport: (report: PipeReport) => void): PipeThread;
  /** Aborted when the source is closed. */
  readonly closed: AbortSignal;
  close(): void;
}

/** Consecutive bytes of an input. */
export interface KeptBytes {
  readonly bytes: Uint8Array;
  /** The offset in the input at which they begin. */
  readonly from: number;
}

export class Pipe implements SharedPipe {
  readonly #descriptor: number;
  readonly #socket: Socket;
  readonly #closing = new AbortController();
  /** A piece that has come from the pipe and that nobody has taken yet. */
  #arrived: Uint8Array | null = null;
  #isAtEnd = false;
  #failure: Error | null = null;
  #wake: () => void = () => {};
  /** The last bytes; null if none are kept. */
  #last: LastBytes | null = null;
  /** The descriptor for the thread that reads on; null if there is none, or if the thread has it. */
  #nextDescriptor: number | null = null;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.#socket = readPipe(descriptor, {
      buffer: new Uint8Array(PIPE_READ_BYTES),
      // After each piece, the socket reads no more until it is resumed.
      callback: (count, buffer) => {
        this.#arrived = buffer.subarray(0, count);
        this.#wake();
        return false;
      },
    });
    this.#socket.on('end', () => {
      this.#isAtEnd = true;
      this.#wake();
    });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('it was closed')));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** The pieces of the pipe. Each is valid until the next is requested. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (let piece = await this.#next(); piece !== null; piece = await this.#next()) {
        this.#last?.append(piece);
        yield piece;
        this.#socket.resume();
      }
    } finally {
      if (this.#last === null) this.close();
    }
  }

  /** Returns the next piece; null at the end. */
  async #next(): Promise<Uint8Array | null> {
    while (this.#arrived === null && !this.#isAtEnd && this.#failure === null) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const piece = this.#arrived;
    this.#arrived = null;
    if (piece === null && !this.#isAtEnd) throw this.#failure;
    return piece;
  }

  keepLast(): boolean {
    this.#nextDescriptor ??= openAgain(this.#descriptor);
    if (this.#nextDescriptor === null) return false;
    this.#last ??= new LastBytes();
    return true;
  }

  get kept(): KeptBytes {
    if (this.#last === null) throw new Error('the pipe was not kept');
    return this.#last;
  }

  readOn(segments: readonly PipeSegment[], onReport: (report: PipeReport) => void): PipeThread {
    const descriptor = this.#nextDescriptor;
    if (descriptor === null) throw new Error('the pipe was not kept');
    this.#nextDescriptor = null;
    return startPipeThread({ path: pathOf(descriptor), segments }, onReport, () => closeSync(descriptor));
  }

  close(): void {
    this.#closing.abort();
    this.#socket.destroy();
    if (this.#nextDescriptor !== null) closeSync(this.#nextDescriptor);
    this.#nextDescriptor = null;
  }
}

/** The last bytes of a stream. */
class LastBytes implements KeptBytes {
  readonly #window = new Window();
  /** Number of bytes that the stream has had so far. */
  #count = 0;

  get bytes(): Uint8Array {
    const { bytes, start, end } = this.#window;
    return bytes.subarray(start, end);
  }

  get from(): number {
    return this.#count - this.bytes.length;
  }

  append(piece: Uint8Array): void {
    const window = this.#window;
    window.append(piece);
    window.start = Math.max(window.start, window.end - PIPE_KEPT_BYTES);
    this.#count += piece.length;
  }
}

/** The path at which Linux opens what this descriptor of the process refers to. */
function pathOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/**
 * Opens a pipe once more, by its descriptor, so that reading the new descriptor does not block. Returns null if that is
 * impossible, as on systems other than Linux, or if the pipe belongs to another user.
 */
function openAgain(descriptor: number): number | null {
  try {
    return openSync(pathOf(descriptor), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}
