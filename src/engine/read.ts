/** The first stage: opens an input and streams its bytes. */
import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { BoardmillError, systemReason } from '../core/errors.js';
import { assertDecodable, type Compression, compressionOf, decompress } from './decompress.js';
import { MIN_READ_BYTES, READ_BYTES } from './limits.js';

export interface Source {
  /** The name that error messages use. */
  readonly name: string;
  /** Size of the input in bytes; null if the size is not known before the input is read to its end. */
  readonly size: number | null;
  /**
   * The pieces of the input, in order. The source reads a piece only when the caller requests it. A piece is valid
   * until the caller requests the next piece, because the memory is reused. The source closes itself when the caller
   * has read the input to its end or stops reading.
   */
  readonly pieces: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export const STDIN_NAME = '<stdin>';

/** Opens an input; `-` is standard input. Fails with kind `file` if the input cannot be opened. */
export async function openSource(path: string): Promise<Source> {
  return path === '-' ? stdinSource() : fileSource(path);
}

function stdinSource(): Source {
  if (fstatSync(0).isDirectory()) {
    throw new BoardmillError('file', `cannot open ${STDIN_NAME}: it is a directory`);
  }
  return {
    name: STDIN_NAME,
    size: null,
    pieces: withReadErrors(process.stdin, STDIN_NAME),
    close: async () => void process.stdin.destroy(),
  };
}

async function fileSource(path: string): Promise<Source> {
  const stat = await openOrExplain(path, () => statSync(path));
  if (stat.isDirectory()) throw new BoardmillError('file', `cannot open ${path}: it is a directory`);
  const compression = compressionOf(path);
  if (compression !== null) assertDecodable(compression, path);
  const source = await (stat.isFile() ? regularSource(path, stat.size) : streamSource(path));
  return compression === null ? source : decompressedSource(source, compression);
}

async function regularSource(path: string, size: number): Promise<Source> {
  const isSmall = size > 0 && size <= MIN_READ_BYTES;
  const file = await openOrExplain(path, () => (isSmall ? openSmallFile(path) : openLargeFile(path)));
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= Promise.resolve(file.close());
    return closing;
  };
  const pieces = async function* () {
    try {
      // A small file needs only a small buffer. Some files have more bytes than their size says.
      const bufferBytes = Math.min(READ_BYTES, Math.max(size, MIN_READ_BYTES));
      yield* readPieces(file, bufferBytes, () => closing !== null);
    } finally {
      await close();
    }
  };
  return { name: path, size, pieces: withReadErrors(pieces(), path), close };
}

/** An open regular file. */
interface OpenFile {
  /** Fills the buffer with the next bytes of the file. Returns their number, which is 0 at the end of the file. */
  read(buffer: Uint8Array): number | Promise<number>;
  close(): void | Promise<void>;
}

/** Opens a file that is read without a thread: finding one would take longer than reading the file. */
function openSmallFile(path: string): OpenFile {
  const descriptor = openSync(path, 'r');
  return { read: (buffer) => readSync(descriptor, buffer), close: () => closeSync(descriptor) };
}

/** Opens a file that Node's threads read. */
async function openLargeFile(path: string): Promise<OpenFile> {
  const handle = await open(path, 'r');
  return {
    read: async (buffer) => (await handle.read(buffer, 0, buffer.length, null)).bytesRead,
    close: () => handle.close(),
  };
}

/**
 * Reads all pieces into one buffer. A Node stream would allocate a new buffer for each piece, and collecting that
 * garbage would compete with the workers for the processors.
 */
async function* readPieces(
  file: OpenFile,
  bufferBytes: number,
  isClosed: () => boolean,
): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(bufferBytes);
  while (!isClosed()) {
    const bytesRead = await file.read(buffer);
    // The file was closed during the read. Meanwhile, another file may have got the same descriptor, so the bytes
    // that were read may belong to that other file.
    if (isClosed()) break;
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
  throw new Error('it was closed');
}

/**
 * Returns a source with the decompressed bytes of a compressed source. The decompressed size is not known before the
 * end.
 */
function decompressedSource(source: Source, compression: Compression): Source {
  return { ...source, size: null, pieces: decompress(source.pieces, compression, source.name) };
}

/** A source that reads from a FIFO or a device, whose size is not known. */
async function streamSource(path: string): Promise<Source> {
  const handle = await openOrExplain(path, () => open(path, 'r'));
  const stream = createReadStream(path, { fd: handle, highWaterMark: READ_BYTES, autoClose: true });
  return {
    name: path,
    size: null,
    pieces: withReadErrors(stream, path),
    close: async () => void stream.destroy(),
  };
}

/** Opens a file, and turns a failure into an error of kind `file` that names the file. */
async function openOrExplain<T>(path: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw new BoardmillError('file', `cannot open ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/** Passes the pieces on, and turns a failed read into an error of kind `io` that names the input. */
async function* withReadErrors(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw new BoardmillError('io', `cannot read ${name}: ${systemReason(error)}`, { cause: error });
  }
}
