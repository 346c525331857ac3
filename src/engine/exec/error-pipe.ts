/**
 * Keeps the last bytes that a program prints on standard error. The program prints into a named pipe, so that nothing gets on
 * the disk, and a program that prints without end has to wait for boardmill. (A file that boardmill empties again and again
 * does not work: emptying a file takes seconds while a program writes to it without pause.) Node's own pipes are sockets, and
 * programs cannot open a socket as /dev/stderr.
 */
import { constants, openSync, readSync } from 'node:fs';
import type { Socket } from 'node:net';
import { KIB } from '../../core/bytes.js';
import { openPipeSocket } from '../../core/files/pipe-socket.js';

/**
 * boardmill keeps the last EXEC_STDERR_BYTES of a program's standard error, and shows EXEC_STDERR_CHARS of its
 * last line.
 */
const EXEC_STDERR_BYTES = 4 * KIB;
const EXEC_STDERR_CHARS = 200;

/** Bytes of a program's standard error that boardmill reads at a time: as many as a pipe of Linux can hold. */
const EXEC_STDERR_PIPE_BYTES = 64 * KIB;

export class ErrorPipe {
  #descriptor: number | null = null;
  #socket: Socket | null = null;
  /** The last bytes that the running program has printed on standard error. */
  #end: Buffer = Buffer.alloc(0);
  #bytes = 0;

  /**
   * Begins to read the pipe, which another process holds open for writing. If the pipe cannot be opened, failures are reported
   * without the program's last line.
   */
  open(path: string): void {
    try {
      this.#descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch {
      return;
    }
    this.#socket = openPipeSocket(this.#descriptor, {
      buffer: Buffer.allocUnsafe(EXEC_STDERR_PIPE_BYTES),
      callback: (length, buffer) => {
        this.#append(buffer.subarray(0, length));
        return true;
      },
    });
    // If the pipe cannot be read, failures are reported without the program's last line.
    this.#socket.on('error', () => {});
  }

  /** Drops what earlier runs of the program have printed. */
  startRun(): void {
    this.#readNow();
    this.#end = this.#end.subarray(0, 0);
    this.#bytes = 0;
  }

  /** Returns the number of bytes that the running program has printed so far. */
  countBytes(): number {
    this.#readNow();
    return this.#bytes;
  }

  /** Returns the end of the last line that the program has printed; empty if it has printed nothing. */
  lastLine(): string {
    this.#readNow();
    return this.#end.toString().trimEnd().split('\n').at(-1)!.slice(-EXEC_STDERR_CHARS);
  }

  close(): void {
    this.#descriptor = null;
    this.#socket?.destroy();
  }

  /** Reads the bytes that are in the pipe at this moment, but no more than a pipe can hold. */
  #readNow(): void {
    const piece = Buffer.allocUnsafe(EXEC_STDERR_BYTES);
    for (let read = 0; this.#descriptor !== null && read < EXEC_STDERR_PIPE_BYTES; ) {
      const length = readAvailable(this.#descriptor, piece);
      if (length === 0) return;
      this.#append(piece.subarray(0, length));
      read += length;
    }
  }

  #append(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#end = Buffer.concat([this.#end, bytes.subarray(-EXEC_STDERR_BYTES)]).subarray(-EXEC_STDERR_BYTES);
  }
}

/** Reads bytes that are in a pipe, without waiting. Returns their number, which is 0 if the pipe is empty. */
function readAvailable(descriptor: number, into: Uint8Array): number {
  try {
    return readSync(descriptor, into);
  } catch {
    return 0;
  }
}
