/** Reads a pipe or a FIFO piece by piece, and hands it over to a thread that reads the rest. */
import { closeSync, constants, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { readPipe } from '../core/pipe-socket.js';
import { PIPE_READ_BYTES } from './limits.js';
import type { PipeReport, PipeSegment } from './relay/pipe-messages.js';
import { type PipeThread, startPipeThread } from './relay/pipe-thread.js';

/** A pipe that the caller can hand over to another thread, instead of reading its pieces to the end. */
export interface SharedPipe {
  /**
   * Keeps the pieces that are read, from this offset in the input on, and keeps the pipe open when the caller reads no more pieces.
   * Called before the first piece is read. Returns false if no other thread can read this pipe.
   */
  keepFrom(offset: number): boolean;
  /** Forgets the bytes before this offset in the input. */
  forgetBefore(offset: number): void;
  /** The bytes that were read and not forgotten. */
  readonly kept: KeptBytes;
  /** Lets a thread read the bytes behind the kept ones into these segments. The caller reads no more pieces. */
  readOn(segments: readonly PipeSegment[], onReport: (report: PipeReport) => void): PipeThread;
  /** Aborted when the source is closed. */
  readonly closed: AbortSignal;
  close(): void;
}

/** Consecutive pieces of an input. */
export interface KeptBytes {
  readonly pieces: readonly Uint8Array[];
  /** The offset in the input at which the first piece begins. */
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
  /** The pieces since `#keptFrom`; null if none are kept. */
  #kept: Uint8Array[] | null = null;
  #keptFrom = 0;
  /** The offset before which nothing needs to be kept. */
  #neededFrom = 0;
  /** The descriptor for the thread that reads on; null if there is none, or if the thread has it. */
  #nextDescriptor: number | null = null;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.#socket = readPipe(descriptor, {
      buffer: () => new Uint8Array(PIPE_READ_BYTES),
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

  /** The pieces of the pipe. They stay valid. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (let piece = await this.#next(); piece !== null; piece = await this.#next()) {
        this.#keep(piece);
        yield piece;
        this.#socket.resume();
      }
    } finally {
      if (this.#kept === null) this.close();
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

  #keep(piece: Uint8Array): void {
    if (this.#kept === null) return;
    this.#kept.push(piece);
    this.forgetBefore(this.#neededFrom);
  }

  keepFrom(offset: number): boolean {
    this.#nextDescriptor ??= openAgain(this.#descriptor);
    if (this.#nextDescriptor === null) return false;
    this.#kept = [];
    this.#neededFrom = offset;
    return true;
  }

  forgetBefore(offset: number): void {
    this.#neededFrom = offset;
    const kept = this.#kept ?? [];
    let forgotten = 0;
    while (forgotten < kept.length && this.#keptFrom + kept[forgotten].length <= offset)
      this.#keptFrom += kept[forgotten++].length;
    kept.splice(0, forgotten);
  }

  get kept(): KeptBytes {
    return { pieces: this.#kept ?? [], from: this.#keptFrom };
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
