/** The first stage: opens an input and streams its bytes. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { BoardmillError, systemReason } from '../core/errors.js';
import { READ_BYTES } from './limits.js';

export interface Source {
  /** The name that error messages use. */
  readonly name: string;
  /** Size in bytes; null where it cannot be known before the end. */
  readonly size: number | null;
  /** Pieces of the input, in order. Reading pauses while nobody asks for the next. */
  readonly pieces: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export const STDIN_NAME = '<stdin>';

/** `-` is standard input. Fails with kind `file` where the input cannot be opened. */
export async function openSource(path: string): Promise<Source> {
  return path === '-' ? stdinSource() : fileSource(path);
}

function stdinSource(): Source {
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
  const stream = createReadStream(path, { fd: handle, highWaterMark: READ_BYTES, autoClose: true });
  return {
    name: path,
    size: stat.isFile() ? stat.size : null,
    pieces: readAll(stream, path),
    close: async () => void stream.destroy(),
  };
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw new BoardmillError('file', `cannot open ${path}: ${systemReason(error)}`, { cause: error });
  }
}

async function* readAll(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw new BoardmillError('io', `cannot read ${name}: ${systemReason(error)}`, { cause: error });
  }
}
