/** The last stage: takes answers in order and gets them to where the user wants them. */
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { BoardmillError, systemReason } from '../core/errors.js';
import { recordAnswers, wereMadeByUs } from './ledger.js';

export interface Sink {
  /** Resolves when more may be written: a slow reader holds the writer up. */
  write(bytes: Uint8Array): Promise<void>;
  /** The run came to its end: what was written becomes the result. */
  finish(): Promise<void>;
  /** The run did not: what was written is kept, but not under its final name. */
  abandon(): Promise<void>;
}

/** `-` is standard output. Fails with kind `file` where FILE cannot be created or must not be overwritten. */
export async function openSink(path: string, options: { force: boolean }): Promise<Sink> {
  if (path === '-') return streamSink(process.stdout);
  const kind = await kindOf(path);
  if (kind === 'directory') throw new BoardmillError('file', `cannot create ${path}: it is a directory`);
  if (kind === 'special') return handleSink(path, await openForWriting(path, 'w'));
  return partialSink(path, options.force);
}

function streamSink(stream: Writable): Sink {
  let failure: Error | null = null;
  stream.on('error', (error) => {
    failure = error;
  });
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      stream.write(bytes, (error) => (error ? reject(writeFailure('standard output', error)) : resolve()));
    });
  return {
    async write(bytes) {
      if (failure !== null) throw writeFailure('standard output', failure);
      if (bytes.length > 0) await write(bytes);
    },
    finish: async () => {},
    abandon: async () => {},
  };
}

/** A device or a FIFO: there is nothing to rename. */
function handleSink(path: string, handle: FileHandle): Sink {
  return {
    write: (bytes) => writeAll(path, handle, bytes),
    finish: () => handle.close(),
    abandon: () => handle.close(),
  };
}

/** A regular file: FILE.partial until the end, then FILE. */
async function partialSink(path: string, force: boolean): Promise<Sink> {
  const partial = `${path}.partial`;
  await refuseToOverwrite(path, partial, force);
  const handle = await openForWriting(partial, 'w');
  return {
    write: (bytes) => writeAll(partial, handle, bytes),
    async finish() {
      await handle.sync();
      await handle.close();
      await rename(partial, path);
      await syncDirectory(dirname(path));
      await recordAnswers(path);
    },
    abandon: () => handle.close(),
  };
}

async function refuseToOverwrite(path: string, partial: string, force: boolean): Promise<void> {
  if (force) return;
  if ((await kindOf(partial)) !== 'missing') {
    throw new BoardmillError('file', `${partial} is left from a run that was cut off; --force drops it`);
  }
  if (!(await wereMadeByUs(path))) {
    throw new BoardmillError('file', `${path} exists and boardmill did not make it; --force overwrites it`);
  }
}

async function kindOf(path: string): Promise<'missing' | 'regular' | 'directory' | 'special'> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return 'directory';
    return stats.isFile() ? 'regular' : 'special';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    throw new BoardmillError('file', `cannot create ${path}: ${systemReason(error)}`, { cause: error });
  }
}

async function openForWriting(path: string, flags: string): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    throw new BoardmillError('file', `cannot create ${path}: ${systemReason(error)}`, { cause: error });
  }
}

async function writeAll(path: string, handle: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    await handle.appendFile(bytes);
  } catch (error) {
    throw writeFailure(path, error);
  }
}

function writeFailure(name: string, error: unknown): BoardmillError {
  const isClosed = (error as NodeJS.ErrnoException).code === 'EPIPE';
  const message = `cannot write ${name}: ${systemReason(error)}`;
  return new BoardmillError(isClosed ? 'closed-pipe' : 'io', message, { cause: error });
}

/** Makes the rename itself survive a power loss. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}

export async function removeIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
