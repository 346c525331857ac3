/** Reads the beginning of a pipe or a FIFO piece by piece, and then hands the pipe over to a thread that reads the rest. */
import { closeSync, constants, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { openPipeSocket } from '../../core/files/pipe-socket.js';
import { PIPE_KEPT_BYTES, PIPE_READ_BYTES } from '../limits.js';
import type { PipeReport, PipeSegment } from '../parallel-scan/pipe-messages.js';
import { type PipeThread, startPipeThread } from '../parallel-scan/pipe-thread.js';
import { InputWindow } from './window.js';

/** A pipe that the caller can hand over to another thread, instead of reading the pipe to its end. */
export interface SharedPipe {
  /**
   * Prepares to hand the pipe over: from now on, the last bytes that are read are kept, and the pipe stays open when the caller
   * stops reading pieces. Called before the first piece is read. Returns false if no other thread can read this pipe.
   */
  keepLast(): boolean;
  /** The last PIPE_KEPT_BYTES that were read from the pipe, or all bytes if there were fewer. */
  readonly kept: KeptPipeBytes;
  /**
   * Starts a thread that reads the bytes of the pipe after the kept ones into these segments. The caller may read no more
   * pieces.
   */
  readOn(segments: readonly PipeSegment[], onReport: (report: PipeReport) => void): PipeThread;
  /** This signal is aborted when the source of the pipe is closed. */
  readonly closed: AbortSignal;
  close(): void;
}

/** The last bytes that were read from a pipe, and their offset. */
export interface KeptPipeBytes {
  readonly bytes: Uint8Array;
  /** The offset in the input at which the kept bytes begin. */
  readonly from: number;
}

/** Reads a pipe in this thread, until another thread reads on. */
export class PipeReader implements SharedPipe {
  readonly #descriptor: number;
  readonly #socket: Socket;
  readonly #closing = new AbortController();
  /** A piece that has arrived from the pipe and that the reader has not taken yet. */
  #arrived: Uint8Array | null = null;
  #isAtEnd = false;
  #failure: Error | null = null;
  #wake: () => void = () => {};
  /** The last bytes that were read from the pipe; null if they are not kept. */
  #last: LastBytes | null = null;
  /** A descriptor of the pipe for the thread that reads the rest; null if it was not opened, or if the thread has got it. */
  #nextDescriptor: number | null = null;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.#socket = openPipeSocket(descriptor, {
      buffer: new Uint8Array(PIPE_READ_BYTES),
      // After each piece, the socket stops reading until `resume` is called.
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

  /** Yields the pieces of the pipe. The memory of a piece is valid until the caller requests the next piece. */
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

  /** Returns the next piece of the pipe; null at the end of the pipe. */
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

  get kept(): KeptPipeBytes {
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

/** Keeps the last bytes of a stream. */
class LastBytes implements KeptPipeBytes {
  readonly #window = new InputWindow();
  /** Number of bytes that the stream has delivered so far. */
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

/** Returns a path at which Linux opens the file or pipe of this descriptor once more. */
function pathOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/**
 * Opens a pipe once more, by its descriptor, so that reading the new descriptor does not block. Returns null if the pipe cannot
 * be opened so: on systems other than Linux, or if it belongs to another user.
 */
function openAgain(descriptor: number): number | null {
  try {
    return openSync(pathOf(descriptor), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}
