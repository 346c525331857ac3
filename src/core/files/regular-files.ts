/**
 * Reads files that a stranger may have made, and refuses everything that is not a regular file. A folder from elsewhere may
 * have a FIFO, or a link to a device, under the name of a checkpoint or of a source. To open a FIFO would block this thread
 * until another process writes to it, even when signals arrive, and a device such as /dev/zero never ends. So all code
 * that opens a file by a name goes through this file, except for the few files that `biome.json` names.
 */
import {
  closeSync,
  constants,
  fstatSync,
  open as openOnThread,
  openSync,
  read,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { BoardmillError, type FailureKind } from '../errors.js';
import { fileError } from './files.js';

const readOnThread = promisify(read);

/** How regular files are opened: without waiting, and without making a terminal the one that controls this process. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

export interface OpenRegularFile {
  readonly descriptor: number;
  readonly stats: Stats;
}

/** Opens a regular file for reading. Fails with kind `file` if the path leads to anything else. */
export function openRegularForReading(path: string): OpenRegularFile {
  try {
    // Opening a device can have side effects, so the kind of the file is checked before it is opened.
    assertRegular(path, statSync(path));
  } catch (error) {
    throw openError(path, error);
  }
  return openKnownRegularFile(path);
}

/** Fails with kind `file` if the path does not lead to a regular file that can be read. */
export function assertRegularFile(path: string): void {
  closeSync(openRegularForReading(path).descriptor);
}

/**
 * Like `openRegularForReading`, for a path that has just led to a regular file. Another file may have got the name since, so
 * the open file is checked again.
 */
export function openKnownRegularFile(path: string): OpenRegularFile {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, READ_FLAGS);
    const stats = fstatSync(descriptor);
    assertRegular(path, stats);
    return { descriptor, stats };
  } catch (error) {
    if (descriptor !== null) closeSync(descriptor);
    throw openError(path, error);
  }
}

/** Returns the error for the user if a file cannot be opened. An error that already has a message is returned unchanged. */
function openError(path: string, error: unknown): BoardmillError {
  return error instanceof BoardmillError ? error : fileError('open', path, error);
}

/** Opens a regular file for reading by Node's threads. Fails with kind `file` if the path leads to anything else. */
export async function openRegularHandle(path: string): Promise<FileHandle> {
  try {
    assertRegular(path, statSync(path));
    const handle = await open(path, READ_FLAGS);
    try {
      assertRegular(path, await handle.stat());
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw openError(path, error);
  }
}

/**
 * Opens a FIFO for reading. On Linux this does not wait until another process opens it to write: whoever reads then waits for
 * the first bytes, and can stop waiting. On other systems, such a reader would find the end of the FIFO at once.
 */
export async function openFifo(path: string): Promise<number> {
  try {
    return process.platform === 'linux'
      ? openSync(path, READ_FLAGS)
      : await promisify(openOnThread)(path, 'r');
  } catch (error) {
    throw fileError('open', path, error);
  }
}

function assertRegular(path: string, stats: Stats): void {
  if (!stats.isFile()) throw notRegular(path, stats);
}

function notRegular(path: string, stats: Stats): BoardmillError {
  const reason = stats.isDirectory() ? 'it is a directory' : 'it is not a regular file';
  return new BoardmillError('file', `cannot open ${path}: ${reason}`);
}

/**
 * Returns the bytes of a regular file. Fails with kind `file` if there is no such file, and with kind `tooLarge` if it has
 * more than `maxBytes` bytes.
 */
export function readSmallFile(path: string, maxBytes: number, tooLarge: FailureKind = 'file'): Buffer {
  const { descriptor, stats } = openRegularForReading(path);
  try {
    const bytes = stats.size > maxBytes ? null : readAtMost(descriptor, stats.size, maxBytes);
    if (bytes !== null) return bytes;
  } catch (error) {
    throw fileError('open', path, error);
  } finally {
    closeSync(descriptor);
  }
  throw new BoardmillError(tooLarge, `cannot open ${path}: it has more than ${maxBytes} bytes`);
}

/** Like `readSmallFile`, but returns null if no file has this name, or if the name is a link to a file that does not exist. */
export function readSmallFileIfThere(
  path: string,
  maxBytes: number,
  tooLarge: FailureKind = 'file',
): Buffer | null {
  return isThere(path) ? readSmallFile(path, maxBytes, tooLarge) : null;
}

/** Whether a path leads to a file. Asking first is faster than catching the error that the file is missing. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw fileError('open', path, error);
  }
}

/** Reads to the end of an open file. Returns null if it has more than `maxBytes` bytes. */
function readAtMost(descriptor: number, size: number, maxBytes: number): Buffer | null {
  // The last byte shows whether the file has more bytes than its size says, as a file that grows and files in /proc have.
  let buffer = Buffer.allocUnsafe(size + 1);
  for (let length = 0; length <= maxBytes; ) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length, maxBytes + 1));
    const bytesRead = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  return null;
}

/** A file up to this size is read on the calling thread: handing it to another thread would take longer than reading it. */
const MAX_SIZE_WITHOUT_THREAD = 1 << 16;
/** Number of bytes of a larger file that are read at a time. */
const READ_BYTES = 1 << 18;

/**
 * Yields the first `maxBytes` bytes of a regular file of any size. All pieces are in the same memory, so a piece is valid
 * until the next one is read: new memory for each piece would take longer than reading it. Fails with kind `file` if the path
 * leads to anything else, and with an error of the system if the file cannot be read.
 */
export async function* piecesOfRegularFile(
  path: string,
  maxBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  const { descriptor, stats } = openRegularForReading(path);
  try {
    const isSmall = Math.min(stats.size, maxBytes) <= MAX_SIZE_WITHOUT_THREAD;
    const buffer = Buffer.allocUnsafe(isSmall ? MAX_SIZE_WITHOUT_THREAD : READ_BYTES);
    for (let remaining = maxBytes; remaining > 0; ) {
      const length = Math.min(remaining, buffer.length);
      const bytesRead = isSmall
        ? readSync(descriptor, buffer, 0, length, null)
        : (await readOnThread(descriptor, buffer, 0, length, null)).bytesRead;
      if (bytesRead === 0) return;
      remaining -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    closeSync(descriptor);
  }
}
