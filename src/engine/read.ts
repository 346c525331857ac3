/** The first stage: opens an input and streams its bytes. */
import { createReadStream, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
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
  const handle = await openForReading(path);
  const compression = compressionOf(path);
  const stat = await handle.stat();
  try {
    if (stat.isDirectory()) throw new BoardmillError('file', `cannot open ${path}: it is a directory`);
    if (compression !== null) assertDecodable(compression, path);
  } catch (error) {
    await handle.close();
    throw error;
  }
  const source = stat.isFile() ? regularSource(path, handle, stat.size) : streamSource(path, handle);
  return compression === null ? source : decompressedSource(source, compression);
}

function regularSource(path: string, handle: FileHandle, size: number): Source {
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= handle.close();
    return closing;
  };
  const pieces = async function* () {
    try {
      // A small file needs only a small buffer. Some files have more bytes than their size says.
      const bufferBytes = Math.min(READ_BYTES, Math.max(size, MIN_READ_BYTES));
      yield* readPieces(handle, bufferBytes, () => closing !== null);
    } finally {
      await close();
    }
  };
  return { name: path, size, pieces: withReadErrors(pieces(), path), close };
}

/**
 * Reads all pieces into one buffer. A Node stream would allocate a new buffer for each piece, and collecting that
 * garbage would compete with the workers for the processors.
 */
async function* readPieces(
  handle: FileHandle,
  bufferBytes: number,
  isClosed: () => boolean,
): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(bufferBytes);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, bufferBytes, null);
    // The file was closed during the read. Meanwhile, another file may have got the same descriptor, so the bytes
    // that were read may belong to that other file.
    if (isClosed()) throw new Error('it was closed');
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Returns a source with the decompressed bytes of a compressed source. The decompressed size is not known before the
 * end.
 */
function decompressedSource(source: Source, compression: Compression): Source {
  return { ...source, size: null, pieces: decompress(source.pieces, compression, source.name) };
}

/** A source that reads from a FIFO or a device, whose size is not known. */
function streamSource(path: string, handle: FileHandle): Source {
  const stream = createReadStream(path, { fd: handle, highWaterMark: READ_BYTES, autoClose: true });
  return {
    name: path,
    size: null,
    pieces: withReadErrors(stream, path),
    close: async () => void stream.destroy(),
  };
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
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
