/**
 * Keeps the last bytes that a program prints on standard error. The program prints into a named pipe, so that nothing gets on
 * the disk, and a program that prints without end has to wait for boardmill. (A file that boardmill empties again and again
 * does not work: emptying a file takes seconds while a program writes to it without pause.) Node's own pipes are sockets, and
 * programs cannot open a socket as /dev/stderr.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
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
  #path = '';
  #descriptor: number | null = null;
  /** Reads what the program prints while boardmill does other things; null if nothing does. */
  #watcher: Socket | null = null;
  /** The last bytes that the running program has printed on standard error. */
  #end: Buffer = Buffer.alloc(0);
  #bytes = 0;

  /**
   * Opens the pipe, which another process has made. If the pipe cannot be opened, failures are reported without the program's
   * last line.
   */
  open(path: string): void {
    this.#path = path;
    try {
      this.#descriptor = this.#openPipe();
    } catch {}
  }

  /** Drops what earlier runs of the program have printed. If that was much, this run is watched from its start. */
  startRun(): void {
    this.#readNow();
    if (this.#bytes > EXEC_STDERR_PIPE_BYTES / 2) this.watch();
    this.#end = this.#end.subarray(0, 0);
    this.#bytes = 0;
  }

  /**
   * Reads what the running program prints, until no process has the pipe open for writing. Most programs end before a pipe is
   * full, so a run is watched only if it takes time.
   */
  watch(): void {
    if (this.#descriptor === null || this.#watcher !== null) return;
    try {
      this.#watcher = openPipeSocket(this.#openPipe(), {
        buffer: Buffer.allocUnsafe(EXEC_STDERR_PIPE_BYTES),
        callback: (length, buffer) => {
          this.#append(buffer.subarray(0, length));
          return true;
        },
      });
    } catch {
      // The program has changed the pipe. It is still read at each check of the running program.
      this.#readNow();
      return;
    }
    this.#watcher.on('error', () => {});
    this.#watcher.on('close', () => {
      this.#watcher = null;
    });
  }

  /** Returns the number of bytes that the running program has printed so far. */
  countBytes(): number {
    this.#readNow();
    return this.#bytes;
  }

  /**
   * Returns the end of the last line that the program has printed; empty if it has printed nothing. `afterProgram` matches what
   * the shell has printed after the program.
   */
  lastLine(afterProgram: RegExp | null = null): string {
    this.#readNow();
    const text = this.#end.toString();
    return (afterProgram === null ? text : text.replace(afterProgram, ''))
      .trimEnd()
      .split('\n')
      .at(-1)!
      .slice(-EXEC_STDERR_CHARS);
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
    this.#watcher?.destroy();
  }

  #openPipe(): number {
    return openSync(this.#path, constants.O_RDONLY | constants.O_NONBLOCK);
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

/**
 * Reads bytes that are in a pipe, without waiting. Returns their number, which is 0 if the pipe is empty. While a process has
 * the pipe open for writing, Node reports an empty pipe by an error; to note the calls that led there takes most of the time.
 */
function readAvailable(descriptor: number, into: Uint8Array): number {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return readSync(descriptor, into);
  } catch {
    return 0;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
