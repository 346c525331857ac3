/** The first stage: opens an input and streams its bytes. */
import { createReadStream, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { BoardmillError, systemReason } from '../core/errors.js';
import { READ_BYTES } from './limits.js';

export interface Source {
  /** The name that error messages use. */
  readonly name: string;
  /** Size in bytes; null where it cannot be known before the end. */
  readonly size: number | null;
  /**
   * Pieces of the input, in order. Reading pauses while nobody asks for the next, and a piece holds until then:
   * its memory is used again. Whoever reads to the end, or stops reading, need not close the source.
   */
  readonly pieces: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export const STDIN_NAME = '<stdin>';

/** `-` is standard input. Fails with kind `file` where the input cannot be opened. */
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
    pieces: readAll(process.stdin, STDIN_NAME),
    close: async () => void process.stdin.destroy(),
  };
}

async function fileSource(path: string): Promise<Source> {
  const handle = await openFile(path);
  const stat = await handle.stat();
  if (stat.isDirectory()) {
    await handle.close();
    throw new BoardmillError('file', `cannot open ${path}: it is a directory`);
  }
  return stat.isFile() ? regularSource(path, handle, stat.size) : streamSource(path, handle);
}

function regularSource(path: string, handle: FileHandle, size: number): Source {
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= handle.close();
    return closed;
  };
  const pieces = async function* () {
    try {
      yield* readPieces(handle, () => closed !== null);
    } finally {
      await close();
    }
  };
  return { name: path, size, pieces: readAll(pieces(), path), close };
}

/** One buffer for all pieces: a stream's fresh ones are allocated and collected beside the workers. */
async function* readPieces(handle: FileHandle, isClosed: () => boolean): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(READ_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, null);
    // Under way: then these bytes may be another file's, and are not the end of this one.
    if (isClosed()) throw new Error('it was closed');
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A FIFO or a device. */
function streamSource(path: string, handle: FileHandle): Source {
  const stream = createReadStream(path, { fd: handle, highWaterMark: READ_BYTES, autoClose: true });
  return { name: path, size: null, pieces: readAll(stream, path), close: async () => void stream.destroy() };
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw new BoardmillError('file', `cannot open ${path}: ${systemReason(error)}`, { cause: error });
  }
}

async function* readAll(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw new BoardmillError('io', `cannot read ${name}: ${systemReason(error)}`, { cause: error });
  }
}
